//! The workbench's background jobs. Each has a name, a thread of its own and a token that cancels it; its outcome goes
//! to the event loop as a message.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::cli::remedy::explained;
use crate::tui::message::Message;
use topoi_run::work::work_error::WorkError;

/// How long leaving waits for cancelled jobs to end, and for writes before it says what it waits for.
const PATIENCE: Duration = Duration::from_millis(300);

/// What a job does, which decides how many run at once and what leaving the workbench does to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Writes to the store. Leaving waits for it. One at a time, in the order of the calls: an answer is saved before
    /// it is taken back.
    StoreWrite,
    /// Writes a file, or starts a process. Leaving waits for it.
    FileWrite,
    /// Reads, or computes what can be computed again. Leaving cancels it.
    Read,
}

impl Kind {
    fn max_running(self) -> usize {
        match self {
            Self::StoreWrite => 1,
            Self::FileWrite | Self::Read => 4,
        }
    }
}

/// Cancels one job.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// The flag itself, which `topoi_store` watches while SQLite works.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.0
    }
}

/// Does a job, or reports that it has no thread.
type Work = Box<dyn FnOnce(Result<&Job, anyhow::Error>) -> Option<Message> + Send>;
type StartThread = fn(&str, Box<dyn FnOnce() + Send>) -> io::Result<()>;

/// The notice of a job's error.
pub fn as_notice(error: anyhow::Error) -> Option<Message> {
    Some(Message::Notice(explained(error.as_ref())))
}

/// Runs jobs. Clones share their jobs.
#[derive(Clone)]
pub struct Background(Arc<Shared>);

struct Shared {
    messages: Sender<Message>,
    start_thread: StartThread,
    /// In the order of the calls.
    entries: Mutex<Vec<Entry>>,
    changed: Condvar,
}

/// A job that is queued or running.
struct Entry {
    number: u64,
    name: &'static str,
    kind: Kind,
    token: CancelToken,
    state: EntryState,
}

enum EntryState {
    Queued(Work),
    Running,
    /// Only waits for processes, which outlive the workbench.
    Detached,
}

impl Entry {
    fn is_queued(&self) -> bool {
        matches!(self.state, EntryState::Queued(_))
    }

    fn is_running(&self) -> bool {
        matches!(self.state, EntryState::Running)
    }

    fn is_detached(&self) -> bool {
        matches!(self.state, EntryState::Detached)
    }

    fn is_write(&self) -> bool {
        self.kind != Kind::Read && !self.is_detached()
    }
}

/// A running job, as its work sees it.
pub struct Job {
    background: Background,
    number: u64,
    token: CancelToken,
}

impl Background {
    pub fn new(messages: Sender<Message>) -> Self {
        Self::with_threads(messages, start_thread)
    }

    fn with_threads(messages: Sender<Message>, start_thread: StartThread) -> Self {
        let (entries, changed) = (Mutex::default(), Condvar::new());
        Self(Arc::new(Shared { messages, start_thread, entries, changed }))
    }

    /// Does `work` in a thread called `name`, as soon as the kind allows; sends the message it returns, or what
    /// `failed` makes of its error or of the lack of a thread.
    pub fn run(
        &self,
        kind: Kind,
        name: &'static str,
        work: impl FnOnce(&Job) -> anyhow::Result<Option<Message>> + Send + 'static,
        failed: impl FnOnce(anyhow::Error) -> Option<Message> + Send + 'static,
    ) {
        let work = move |started: Result<&Job, anyhow::Error>| {
            started.and_then(work).unwrap_or_else(failed)
        };
        let mut entries = self.entries();
        let number = entries.last().map_or(0, |last| last.number + 1);
        let state = EntryState::Queued(Box::new(work));
        entries.push(Entry { number, name, kind, token: CancelToken::default(), state });
        drop(entries);
        self.start_queued();
    }

    /// Cancels the jobs of this name. Later ones have tokens of their own.
    pub fn cancel(&self, name: &str) {
        for entry in self.entries().iter().filter(|entry| entry.name == name) {
            entry.token.cancel();
        }
    }

    /// Whether a job of this name is queued or running.
    pub fn is_active(&self, name: &str) -> bool {
        self.entries().iter().any(|entry| entry.name == name)
    }

    pub fn messages(&self) -> Sender<Message> {
        self.0.messages.clone()
    }

    /// Cancels what only reads, and waits for what is written. `say` gets the names of writes that take long.
    pub fn leave(&self, say: impl FnOnce(&[&str])) {
        let mut entries = self.entries();
        entries.retain(|entry| !entry.is_queued() || entry.is_write());
        for entry in entries.iter().filter(|entry| entry.kind == Kind::Read) {
            entry.token.cancel();
        }
        let (mut entries, _) = self
            .0
            .changed
            .wait_timeout_while(entries, PATIENCE, |entries| {
                !entries.iter().all(Entry::is_detached)
            })
            .unwrap_or_else(PoisonError::into_inner);
        let names: Vec<&str> = writes(&entries).map(|entry| entry.name).collect();
        if !names.is_empty() {
            say(&names);
        }
        while writes(&entries).next().is_some() {
            entries = self.0.changed.wait(entries).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts queued jobs for which there is room.
    fn start_queued(&self) {
        let mut without_thread = Vec::new();
        let mut entries = self.entries();
        while let Some(place) = next_place(&entries) {
            let entry = &mut entries[place];
            let (number, name, token) = (entry.number, entry.name, entry.token.clone());
            let EntryState::Queued(work) = std::mem::replace(&mut entry.state, EntryState::Running)
            else {
                continue;
            };
            // Without a thread the work reports that: it must not be lost with the closure.
            let work = Arc::new(Mutex::new(Some(work)));
            let (background, shared) = (self.clone(), Arc::clone(&work));
            let run = move || {
                let Some(work) = take(&shared) else { return };
                let job = Job { background, number, token };
                job.background.send(work(Ok(&job)));
            };
            if (self.0.start_thread)(name, Box::new(run)).is_err() {
                entries.remove(place);
                without_thread.extend(take(&work));
            }
        }
        drop(entries);
        for work in without_thread {
            self.send(work(Err(WorkError::NoThread.into())));
        }
    }

    fn send(&self, message: Option<Message>) {
        if let Some(message) = message {
            // The loop has ended once the workbench is left.
            let _ = self.0.messages.send(message);
        }
    }
}

fn writes(entries: &[Entry]) -> impl Iterator<Item = &Entry> {
    entries.iter().filter(|entry| entry.is_write())
}

/// The first queued job for which there is room.
fn next_place(entries: &[Entry]) -> Option<usize> {
    let has_room = |kind: Kind| {
        let running = entries.iter().filter(|entry| entry.kind == kind && entry.is_running());
        running.count() < kind.max_running()
    };
    entries.iter().position(|entry| entry.is_queued() && has_room(entry.kind))
}

fn take(work: &Mutex<Option<Work>>) -> Option<Work> {
    work.lock().unwrap_or_else(PoisonError::into_inner).take()
}

fn start_thread(name: &str, work: Box<dyn FnOnce() + Send>) -> io::Result<()> {
    // Not joined by its handle: `leave` waits for jobs, and a job has ended when its work is dropped.
    thread::Builder::new().name(name.into()).spawn(work).map(drop)
}

impl Job {
    pub fn is_cancelled(&self) -> bool {
        self.token.is_cancelled()
    }

    pub fn token(&self) -> &CancelToken {
        &self.token
    }

    /// Sends a message before the job has ended.
    pub fn send(&self, message: Message) {
        self.background.send(Some(message));
    }

    /// From here on the job only waits for processes that outlive the workbench: leaving does not wait for it, and
    /// the next job of its kind starts.
    pub fn detach(&self) {
        let mut entries = self.background.entries();
        if let Some(entry) = entries.iter_mut().find(|entry| entry.number == self.number) {
            entry.state = EntryState::Detached;
        }
        drop(entries);
        self.background.start_queued();
        self.background.0.changed.notify_all();
    }
}

/// Also where its work panics.
impl Drop for Job {
    fn drop(&mut self) {
        self.background.entries().retain(|entry| entry.number != self.number);
        self.background.start_queued();
        self.background.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Instant;
    use topoi_run::life::threads::NO_THREAD;

    const LONG: Duration = Duration::from_secs(20);

    fn background() -> (Background, Receiver<Message>) {
        let (sender, messages) = channel();
        (Background::new(sender), messages)
    }

    fn notice(text: impl Into<String>) -> Option<Message> {
        Some(Message::Notice(text.into()))
    }

    fn next_notice(messages: &Receiver<Message>) -> String {
        match messages.recv_timeout(LONG).expect("a message") {
            Message::Notice(text) => text,
            other => panic!("{other:?}"),
        }
    }

    fn until_cancelled(job: &Job) {
        let begun = Instant::now();
        while !job.is_cancelled() && begun.elapsed() < LONG {
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn leaving_waits_for_what_is_written_and_cancels_what_is_read() {
        let (background, messages) = background();
        let directory = tempfile::tempdir().expect("tempdir");
        let path = |number: usize| directory.path().join(number.to_string());
        for number in 0..6 {
            let kind = if number < 3 { Kind::StoreWrite } else { Kind::FileWrite };
            let path = path(number);
            let write = move |_: &Job| {
                thread::sleep(Duration::from_millis(150));
                std::fs::write(path, "all of it")?;
                Ok(None)
            };
            background.run(kind, "write", write, as_notice);
        }
        for _ in 0..6 {
            let read = |job: &Job| {
                until_cancelled(job);
                Ok(notice(if job.is_cancelled() { "cancelled" } else { "not cancelled" }))
            };
            background.run(Kind::Read, "read", read, as_notice);
        }
        let mut awaited = Vec::new();
        background.leave(|names| awaited = names.iter().map(ToString::to_string).collect());
        let written =
            (0..6).all(|number| std::fs::read(path(number)).is_ok_and(|it| it == b"all of it"));
        assert!(written && awaited.iter().all(|name| name == "write"), "{awaited:?}");
        // Those that had not begun have nothing to say.
        let notices: Vec<String> = (0..4).map(|_| next_notice(&messages)).collect();
        assert!(notices.iter().all(|notice| notice == "cancelled") && messages.try_recv().is_err());
    }

    #[test]
    fn writes_to_the_store_are_done_one_at_a_time_in_the_order_of_the_calls() {
        let (background, messages) = background();
        for number in 0..20_u64 {
            let write = move |_: &Job| {
                thread::sleep(Duration::from_millis((20 - number) / 5));
                Ok(notice(number.to_string()))
            };
            background.run(Kind::StoreWrite, "write", write, as_notice);
        }
        let order: Vec<String> = (0..20).map(|_| next_notice(&messages)).collect();
        assert_eq!(order, (0..20).map(|number| number.to_string()).collect::<Vec<_>>());
    }

    #[test]
    fn a_job_that_has_no_thread_reports_an_error() {
        let (sender, messages) = channel();
        let background =
            Background::with_threads(sender, |_, _| Err(io::ErrorKind::WouldBlock.into()));
        for kind in [Kind::StoreWrite, Kind::FileWrite, Kind::Read] {
            background.run(kind, "no thread", |_| panic!("it has no thread to run in"), as_notice);
            assert_eq!(next_notice(&messages), NO_THREAD);
        }
        assert!(!background.is_active("no thread"));
        background.leave(|names| panic!("nothing is written: {names:?}"));
    }

    #[test]
    fn a_job_that_is_cancelled_by_name_leaves_others_and_later_ones_alone() {
        let (background, messages) = background();
        let start = |name: &'static str| {
            let read = move |job: &Job| {
                until_cancelled(job);
                Ok(notice(name))
            };
            background.run(Kind::Read, name, read, as_notice);
        };
        start("query");
        start("estimate");
        background.cancel("query");
        start("query");
        assert_eq!(next_notice(&messages), "query");
        thread::sleep(Duration::from_millis(20));
        assert!(messages.try_recv().is_err() && background.is_active("query"));
        background.leave(|_| {});
    }

    #[test]
    fn leaving_does_not_wait_for_a_detached_job_and_the_next_write_starts() {
        let (background, messages) = background();
        let (release, released) = channel::<()>();
        let launch = move |job: &Job| {
            job.detach();
            Ok(notice(if released.recv().is_ok() { "released" } else { "dropped" }))
        };
        background.run(Kind::StoreWrite, "launch", launch, as_notice);
        background.run(Kind::StoreWrite, "label", |_| Ok(notice("label")), as_notice);
        assert_eq!(next_notice(&messages), "label");
        background.leave(|names| panic!("nothing is written: {names:?}"));
        release.send(()).expect("the job waits");
        assert_eq!(next_notice(&messages), "released");
    }

    #[test]
    fn a_job_that_panics_does_not_keep_the_next_from_running() {
        let (background, messages) = background();
        background.run(Kind::StoreWrite, "panic", |_| panic!("on purpose"), as_notice);
        background.run(Kind::StoreWrite, "label", |_| Ok(notice("label")), as_notice);
        assert_eq!(next_notice(&messages), "label");
    }
}
