//! Starting worker processes.

use std::error::Error;
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use topoi_store::id::RunId;
use topoi_store::{Store, StoreError};

/// The program with the commands `worker`, `bounds` and `stability`, which run in processes of their own.
#[derive(Debug, Clone)]
pub struct Program {
    /// Path of the executable.
    pub path: PathBuf,
    /// Ends this process at once with an exit code. Called while it works on a run that was asked to stop and does not.
    pub end: fn(i32) -> !,
    /// The line about an error that is saved with a run: what is wrong, and the remedy.
    pub explain: fn(&(dyn Error + 'static)) -> String,
}

/// Settings of glibc's malloc, set before a process starts; other allocators ignore them. Huge pages of 2 MB, as rows
/// are read in random order and miss the TLB with small pages. Up to 32 MB of freed memory are kept, as matrices are
/// allocated and freed in every step; more would waste memory in large runs.
const MEMORY: (&str, &str) = (
    "GLIBC_TUNABLES",
    "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=67108864",
);

static PROGRAM: OnceLock<Program> = OnceLock::new();

impl Program {
    /// Registers the program of this process, without which no process can be started.
    pub fn set(self) {
        // The program does not change while it runs; a second call is ignored.
        let _ = PROGRAM.set(self);
    }

    pub(super) fn current() -> Option<&'static Self> {
        PROGRAM.get()
    }

    /// The line about an error that is saved with a run.
    pub(super) fn explained(error: &(dyn Error + 'static)) -> String {
        Self::current().map_or_else(|| error.to_string(), |program| (program.explain)(error))
    }

    fn command(store: &Path) -> std::io::Result<Command> {
        let unknown = || std::io::Error::other("this program does not know its own path");
        let mut command = Command::new(&Self::current().ok_or_else(unknown)?.path);
        command.arg(store_flag(store));
        let (name, value) = MEMORY;
        if std::env::var_os(name).is_none() {
            command.env(name, value);
        }
        Ok(command)
    }
}

/// Writes a line to standard error, which is the log of the run or the terminal of a worker started by hand. Control
/// characters of a store must not reach that terminal.
pub(super) fn note(line: &str) {
    // There is nowhere to report that this fails.
    let _ = writeln!(std::io::stderr(), "{}", line.replace(char::is_control, " "));
}

/// Writes why to standard error and ends this process at once, as failed.
pub fn end_because(reason: &str) {
    note(reason);
    if let Some(program) = Program::current() {
        (program.end)(1)
    }
}

/// Starts a process that works on the next run of the queue, if a slot is free. It is in a process group of its own
/// from the start, so that neither Ctrl-C nor the end of the terminal stops it. Its output goes to the log of its
/// run, and before it has a run to the store's worker log.
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

/// One argument, since a path may begin with a dash.
fn store_flag(path: &Path) -> OsString {
    let mut flag = OsString::from("--store=");
    flag.push(path);
    flag
}

/// Work in a background process that saves its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackgroundJob {
    /// The bounds of a corpus.
    Bounds {
        /// Name of the corpus.
        corpus: String,
        /// The run whose vocabulary is used; `None` for the default vocabulary.
        run: Option<RunId>,
    },
    /// Stability of the topics of this run on random halves of the documents.
    Stability(RunId),
    /// A command of the program.
    Command {
        /// Title in notices.
        title: String,
        /// Arguments after the store.
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

/// Starts a process for a job, in a process group of its own, so that neither Ctrl-C nor the end of the terminal
/// stops it. It prints its result as JSON, and errors on standard error.
pub fn spawn_job(store: &Path, job: &BackgroundJob) -> std::io::Result<Child> {
    Program::command(store)?
        .args(job.arguments())
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

/// Redirects standard error of this process to the log of run `run`.
pub fn write_log_of(store: &Store, run: RunId) -> Result<(), StoreError> {
    let log = store.open_log(Some(run))?;
    rustix::stdio::dup2_stderr(&log)
        .map_err(|error| StoreError::File { path: store.log_path(run), source: error.into() })
}

/// Waits for workers in a thread, so that they leave the process table when they end.
pub fn reap(workers: Vec<Child>) {
    for mut worker in workers {
        // Without a thread, they stay in the process table until this program ends.
        let wait = move || drop(worker.wait());
        let _ = std::thread::Builder::new().name("reaper".into()).spawn(wait);
    }
}
