//! Starting worker processes.

use std::error::Error;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use topoi_store::{Store, StoreError};

/// The program whose commands `worker`, `bounds` and `stability` are run in processes of their own.
#[derive(Debug, Clone)]
pub struct Program {
    /// Path of its file.
    pub path: PathBuf,
    /// Ends this process at once, which works on a run that has been asked to stop and does not.
    pub end: fn() -> !,
    /// The line about an error that a run saves: what is wrong, and what to type.
    pub explain: fn(&(dyn Error + 'static)) -> String,
}

/// What glibc is told of memory before a process starts; others pass it over. In pages of 2 MB, as rows that are
/// gathered in no order miss the processor's table of smaller ones; and up to 32 MB kept when they are given back, as
/// matrices are made and dropped in every step and would be fetched from the system anew each time, page by page. More
/// than that would lie about unused in large runs.
const MEMORY: (&str, &str) = (
    "GLIBC_TUNABLES",
    "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=67108864",
);

static PROGRAM: OnceLock<Program> = OnceLock::new();

impl Program {
    /// Says which program this process is of. Without that no process can be started.
    pub fn set(self) {
        // It does not change while it runs.
        let _ = PROGRAM.set(self);
    }

    pub(super) fn current() -> Option<&'static Self> {
        PROGRAM.get()
    }

    /// The line about an error that a run saves.
    pub(super) fn explained(error: &(dyn Error + 'static)) -> String {
        Self::current().map_or_else(|| error.to_string(), |program| (program.explain)(error))
    }

    fn command(store: &Path) -> std::io::Result<Command> {
        let unknown = || std::io::Error::other("which program to start has not been said");
        let mut command = Command::new(&Self::current().ok_or_else(unknown)?.path);
        command.arg(store_flag(store));
        let (name, value) = MEMORY;
        if std::env::var_os(name).is_none() {
            command.env(name, value);
        }
        Ok(command)
    }
}

/// Starts a process of its own that works on the run whose turn it is, if there is a free place.
/// It is in a process group of its own from its first moment, so that neither Ctrl-C nor the end of the
/// terminal stops it, however early. What it says goes to its run's log file, and before it has a run
/// to the store's worker log.
///
/// # Errors
/// When the log file or the process cannot be made.
pub fn spawn_worker(store: &Store) -> Result<Child, StoreError> {
    let log = store.open_log(None)?;
    let fail = |source| StoreError::NoWorker { source };
    Program::command(store.path())
        .map_err(fail)?
        .arg("worker")
        .env_remove("TERM")
        .env_remove("TMUX")
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::from(log))
        .spawn()
        .map_err(fail)
}

/// In one argument, since a path may begin with a dash.
fn store_flag(path: &Path) -> OsString {
    let mut flag = OsString::from("--store=");
    flag.push(path);
    flag
}

/// What a process of its own can compute and save while the user goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackgroundJob {
    /// The bounds of a corpus.
    Bounds {
        /// Name of the corpus.
        corpus: String,
        /// Seen through the vocabulary of this run; `None` through the usual one.
        run: Option<i64>,
    },
    /// Which topics of this run come back from random halves of the documents.
    Stability(i64),
    /// What these arguments of the command line stand for.
    Command {
        /// What it is called in notices.
        title: String,
        /// The arguments after the store.
        arguments: Vec<String>,
    },
    /// The full-text index of the corpus of this name.
    SearchIndex(String),
}

impl BackgroundJob {
    fn arguments(&self) -> Vec<String> {
        match self {
            Self::Command { arguments, .. } => arguments.clone(),
            Self::Bounds { corpus, run } => {
                let of_run = run.map(|run| format!("--of-run={run}"));
                let named = ["--output=json".into(), "--".into(), corpus.clone()];
                std::iter::once("bounds".into()).chain(of_run).chain(named).collect()
            }
            Self::Stability(run) => {
                vec!["stability".into(), run.to_string(), "--output=json".into()]
            }
            Self::SearchIndex(corpus) => {
                vec!["search".into(), "--index".into(), "--".into(), corpus.clone()]
            }
        }
    }
}

/// Starts a process of its own for a job. In a process group of its own, so that neither Ctrl-C
/// nor the end of the terminal stops it. It prints its result as JSON, and says on its standard
/// error what goes wrong.
///
/// # Errors
/// When the process cannot be made.
pub fn spawn_job(store: &Path, job: &BackgroundJob) -> std::io::Result<Child> {
    Program::command(store)?
        .args(job.arguments())
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

/// Makes the log of run `run` this process's standard error.
///
/// # Errors
/// When the log file cannot be made.
pub fn write_log_of(store: &Store, run: i64) -> Result<(), StoreError> {
    let log = store.open_log(Some(run))?;
    rustix::stdio::dup2_stderr(&log)
        .map_err(|error| StoreError::File { path: store.log_path(run), source: error.into() })
}

/// Waits for workers in a thread, so that they do not stay in the process table when they end.
pub fn reap(workers: Vec<Child>) {
    for mut worker in workers {
        // Without the thread the process table keeps an entry until this program ends.
        let wait = move || drop(worker.wait());
        let _ = std::thread::Builder::new().name("reaper".into()).spawn(wait);
    }
}
