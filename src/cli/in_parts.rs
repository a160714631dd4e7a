//! Work with `--parts`, in one of the processes that `mpirun` starts.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::time::Duration;

use anyhow::Context;

use super::attend::ended;
use super::follow::follow;
use super::output::OutputFormat;
use topoi_core::stream::parts::Parts;
use topoi_mpi::watch::in_time;
use topoi_mpi::work::{PartsRun, RunChoice, work};
use topoi_run::life::threads::NO_THREAD;
use topoi_run::request::settings::PARTS;
use topoi_store::id::RunId;
use topoi_store::run::RunStatus;
use topoi_store::{Access, Store};

/// A corpus in parts, and this process one of those that work on them.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct PartsArgs {
    #[arg(long, value_name = "PATTERN", help = PARTS.help)]
    pub parts: Option<String>,
    /// Give up when other parts have not answered for this long; a run is then interrupted [default: 600, or 30 times the
    /// longest that this part worked between two exchanges]
    #[arg(long, value_name = "SECONDS", requires = "parts", value_parser = clap::value_parser!(u32).range(1..))]
    parts_timeout: Option<u32>,
}

impl PartsArgs {
    fn timeout(&self) -> Option<Duration> {
        self.parts_timeout.map(|seconds| Duration::from_secs(seconds.into()))
    }

    /// `run`, to be done in parts; `None` for a corpus that is whole.
    pub fn in_parts(
        &self,
        run: impl FnOnce() -> anyhow::Result<RunChoice>,
    ) -> anyhow::Result<Option<PartsRun>> {
        let Some(pattern) = self.parts.clone() else { return Ok(None) };
        Ok(Some(PartsRun { run: run()?, pattern, timeout: self.timeout() }))
    }
}

/// Does `work` as one of the processes that `mpirun` starts. The process ends when others do not answer.
pub fn in_parts<T>(
    place: &PartsArgs,
    work: impl FnOnce(&dyn Parts) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    joined(|parts| in_time(parts, place.timeout(), || work(parts)))
}

/// Does `work` as one of the processes that `mpirun` starts.
fn joined<T>(work: impl FnOnce(&dyn Parts) -> anyhow::Result<T>) -> anyhow::Result<T> {
    #[cfg(feature = "mpi")]
    return work(&topoi_mpi::mpi::Mpi::join()?);
    #[cfg(not(feature = "mpi"))]
    {
        drop(work);
        anyhow::bail!(
            "--parts needs a topoi that was built with MPI: `cargo install --path . --features mpi` \
             (docs/reference/parts.md)"
        )
    }
}

/// What part 0 says of a run that has ended, beside its result.
pub type Report<'a> = &'a dyn Fn(&Store, RunId) -> anyhow::Result<()>;

/// Executes a run as one of the processes that `mpirun` starts; part 0 prints the result, and calls `report`.
pub fn run_in_parts(
    path: &Path,
    wanted: &PartsRun,
    format: OutputFormat,
    report: Report<'_>,
) -> anyhow::Result<ExitCode> {
    joined(|parts| run_as_part(path, wanted, format, report, parts))
}

fn run_as_part(
    path: &Path,
    wanted: &PartsRun,
    format: OutputFormat,
    report: Report<'_>,
    parts: &dyn Parts,
) -> anyhow::Result<ExitCode> {
    if parts.number() > 0 {
        // Part 0 reports the same error for all parts.
        let _ = work(path, wanted, parts, drop);
        return Ok(ExitCode::SUCCESS);
    }
    let (begun, number) = channel();
    std::thread::scope(|scope| {
        let working = move || {
            work(path, wanted, parts, |run| {
                // The receiver is gone with the screen; the run continues.
                let _ = begun.send(run);
            })
        };
        let thread = std::thread::Builder::new().name("part".into());
        let working = thread.spawn_scoped(scope, working).context(NO_THREAD)?;
        let followed = number.recv().ok().map(|run| {
            let store = Store::open(path, Access::Read)?;
            follow(&store, run, &AtomicBool::new(false))?;
            Ok::<_, anyhow::Error>((store, run))
        });
        match working.join() {
            Ok(worked) => worked?,
            Err(panic) => std::panic::resume_unwind(panic),
        }
        let Some(followed) = followed else { return Ok(ExitCode::FAILURE) };
        let (store, run) = followed?;
        let row = store.run(run)?;
        if !matches!(row.status, RunStatus::Finished | RunStatus::Failed) {
            let (status, count) = (row.status.as_str(), parts.count());
            anyhow::bail!(
                "run {run} was {status}; continue it with `mpirun -n {count} topoi resume {run} --parts PATTERN`"
            );
        }
        let ended = ended(&store, &row, format)?;
        report(&store, run)?;
        Ok(ended)
    })
}
