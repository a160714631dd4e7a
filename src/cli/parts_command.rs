//! `shard`, `unify`, and work with `--parts`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;

use serde_json::json;

use super::attend::ended;
use super::follow::follow;
use super::output::{OutputFormat, Table, say};
use super::parts_arguments::{ShardArgs, UnifyArgs};
use super::store_path::opened;
use topoi::parts::unify;
use topoi::parts::work::{Wanted, work};
use topoi::store::part::unify::PartTerms;
use topoi::store::run::RunStatus;
use topoi::store::{Access, Store};
use topoi::stream::parts::Parts;

/// Splits a corpus and prints its parts.
///
/// # Errors
/// When there is no such corpus, it has too few documents, or the parts cannot be written.
pub fn shard(path: &Path, args: &ShardArgs) -> anyhow::Result<()> {
    let store = Store::open(path, Access::Read)?;
    let shards = store.shard(&args.corpus, args.parts, &args.into, |shard| {
        say(&format!("{}: {} documents", shard.path.display(), shard.documents));
    })?;
    let mut table = Table::new(&["part", "documents", "tokens", "nonzeros", "store"]);
    for shard in shards {
        table.rows.push(vec![
            json!(shard.part),
            json!(shard.documents),
            json!(shard.tokens),
            json!(shard.nonzeros),
            json!(shard.path.to_string_lossy()),
        ]);
    }
    table.print(args.printing.output)?;
    let (parts, corpus) = (args.parts, &args.corpus);
    let pattern = args.into.join("part-{rank}.db");
    say(&format!(
        "next: mpirun -n {parts} topoi run {corpus} -k 50 --parts '{}'",
        pattern.display()
    ));
    Ok(())
}

/// Gives parts that were ingested apart a vocabulary in common, and prints the corpus.
///
/// # Errors
/// When a part is not there or does not fit, or a store cannot be written.
pub fn unify(path: &Path, args: &UnifyArgs) -> anyhow::Result<()> {
    match &args.pattern {
        Some(pattern) => in_parts(|parts| unify_as_part(path, args, pattern, parts)),
        None => {
            let name = &args.corpus;
            let terms: Result<Vec<PartTerms>, _> =
                args.parts.iter().map(|part| PartTerms::of(part, name)).collect();
            let mut store = opened(path, Access::Create)?;
            let told = store.unify(name, &terms?)?;
            for (part, told) in args.parts.iter().zip(&told) {
                opened(part, Access::Write)?.adopt(name, told)?;
            }
            print_whole(&store, args, told.len())
        }
    }
}

fn unify_as_part(
    path: &Path,
    args: &UnifyArgs,
    pattern: &str,
    parts: &dyn Parts,
) -> anyhow::Result<()> {
    if parts.number() > 0 {
        // Part 0 meets the same error and says it for all.
        let _ = unify::unify(None, &args.corpus, pattern, parts);
        return Ok(());
    }
    let mut store = opened(path, Access::Create)?;
    let count = unify::unify(Some(&mut store), &args.corpus, pattern, parts)?;
    print_whole(&store, args, count)
}

fn print_whole(store: &Store, args: &UnifyArgs, parts: usize) -> anyhow::Result<()> {
    let name = &args.corpus;
    let corpus = store.corpus(name)?;
    let mut table = Table::new(&["corpus", "parts", "documents", "terms", "tokens", "nonzeros"]);
    table.rows.push(vec![
        json!(name),
        json!(parts),
        json!(corpus.documents),
        json!(corpus.terms),
        json!(corpus.tokens),
        json!(corpus.nonzeros),
    ]);
    Ok(table.print(args.printing.output)?)
}

/// `work` as one of the processes that `mpirun` has started.
///
/// # Errors
/// When this program was built without MPI, MPI cannot be used, or the work fails.
pub fn in_parts<T>(work: impl FnOnce(&dyn Parts) -> anyhow::Result<T>) -> anyhow::Result<T> {
    #[cfg(feature = "mpi")]
    return work(&topoi::parts::mpi::Mpi::join()?);
    #[cfg(not(feature = "mpi"))]
    {
        drop(work);
        anyhow::bail!(
            "--parts needs a topoi that was built with MPI: `cargo install --path . --features mpi` \
             (docs/parts.md)"
        )
    }
}

/// Does a run as one of the processes that `mpirun` has started; part 0 prints how it ended.
///
/// # Errors
/// When MPI cannot be used, the parts do not fit together, or the run fails.
pub fn run_in_parts(
    path: &Path,
    wanted: &Wanted,
    format: OutputFormat,
) -> anyhow::Result<ExitCode> {
    in_parts(|parts| run_as_part(path, wanted, format, parts))
}

fn run_as_part(
    path: &Path,
    wanted: &Wanted,
    format: OutputFormat,
    parts: &dyn Parts,
) -> anyhow::Result<ExitCode> {
    if parts.number() > 0 {
        // Part 0 meets the same error and says it for all.
        let _ = work(path, wanted, parts, drop);
        return Ok(ExitCode::SUCCESS);
    }
    let (begun, number) = channel();
    std::thread::scope(|scope| {
        let working = scope.spawn(move || {
            work(path, wanted, parts, |run| {
                // Nobody listens any more where the screen is gone: the run goes on.
                let _ = begun.send(run);
            })
        });
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
                "run {run} was {status}; go on with `mpirun -n {count} topoi resume {run} --parts PATTERN`"
            );
        }
        ended(&store, &row, format)
    })
}
