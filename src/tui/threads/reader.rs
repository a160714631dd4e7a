//! The thread that reads the store: it answers the question of the screen, and again whenever the store has changed.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, channel};
use std::time::{Duration, Instant};

use super::background::Background;
use super::cache::AnswerCache;
use super::launcher::tend_queue;
use crate::cli::remedy::explained;
use crate::tui::message::Message;
use crate::tui::question::{Answer, QuestionContext, Request, Value};
use topoi_run::life::{Vitality, vitality};
use topoi_store::run::RunStatus;
use topoi_store::{Access, Store, StoreError};

/// How often the reader checks whether the store has changed; less often over SSH.
const LOOK_EVERY: Duration = Duration::from_millis(250);
const LOOK_EVERY_OVER_SSH: Duration = Duration::from_secs(1);
/// A worker that hangs or dies changes nothing in the store: while runs are active, the question is answered again at
/// least this often.
const ACTIVE_EVERY: Duration = Duration::from_secs(2);

/// Sends questions to the thread.
#[derive(Debug)]
pub struct Questions {
    requests: Sender<Request>,
    newest: Arc<AtomicU64>,
}

impl Questions {
    /// Asks, and cancels the earlier question.
    ///
    /// # Errors
    /// When the thread has ended.
    pub fn ask(&self, request: Request) -> Result<(), SendError<()>> {
        self.newest.store(request.generation, Ordering::SeqCst);
        self.requests.send(request).map_err(|_| SendError(()))
    }
}

/// Starts the thread for the store at `path`. It ends when the questions are dropped.
///
/// # Errors
/// When no thread can be made.
pub fn start(path: &Path, background: &Background, over_ssh: bool) -> std::io::Result<Questions> {
    let (requests, asked) = channel();
    let newest = Arc::new(AtomicU64::new(0));
    let look_every = if over_ssh { LOOK_EVERY_OVER_SSH } else { LOOK_EVERY };
    let reader = Reader {
        path: path.to_path_buf(),
        store: None,
        background: background.clone(),
        cache: AnswerCache::default(),
        newest: Arc::clone(&newest),
        answering: Arc::new(AtomicU64::new(0)),
        current: None,
        last: None,
        version: None,
        asked_at: Instant::now(),
    };
    let answers = background.messages();
    let work = move || reader.work(&asked, &answers, look_every);
    std::thread::Builder::new().name("reader".into()).spawn(work)?;
    Ok(Questions { requests, newest })
}

/// The answer to a question, and the state of the runs.
struct Reply {
    found: Option<Value>,
    /// Number of runs that are queued or running.
    active: usize,
    /// The worker of a run has died, and the run is not marked as interrupted yet.
    has_lost_runs: bool,
}

fn read(store: &Store, request: &Request, cache: &mut AnswerCache) -> Result<Reply, StoreError> {
    let mut runs = store.runs()?;
    runs.retain(|run| !request.without.contains(&run.id));
    let active = runs.iter().filter(|run| !run.status.is_over()).count();
    let mut has_lost_runs = false;
    for run in runs.iter().filter(|run| run.status == RunStatus::Running) {
        has_lost_runs |= vitality(store, run)? == Vitality::Lost;
    }
    let found = request.question.ask(&mut QuestionContext { store, runs: &runs, cache })?;
    Ok(Reply { found, active, has_lost_runs })
}

struct Reader {
    path: PathBuf,
    store: Option<Store>,
    background: Background,
    cache: AnswerCache,
    /// The generation of the last question.
    newest: Arc<AtomicU64>,
    /// The generation of the question that is being answered.
    answering: Arc<AtomicU64>,
    /// The question of the screen.
    current: Option<Request>,
    /// The last answer that was sent.
    last: Option<Answer>,
    /// The store's version at the last answer.
    version: Option<i64>,
    asked_at: Instant,
}

impl Reader {
    fn work(mut self, requests: &Receiver<Request>, answers: &Sender<Message>, every: Duration) {
        loop {
            match requests.recv_timeout(every) {
                Ok(request) => {
                    // Only the newest question matters.
                    self.current = Some(requests.try_iter().last().unwrap_or(request));
                }
                Err(RecvTimeoutError::Timeout) if !self.has_news() => continue,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let Some(answer) = self.answer() else { continue };
            if self.last.as_ref() != Some(&answer) {
                self.last = Some(answer.clone());
                if answers.send(Message::Answer(Box::new(answer))).is_err() {
                    return;
                }
            }
        }
    }

    /// Whether what is on the screen may have changed.
    fn has_news(&self) -> bool {
        let Some(store) = &self.store else { return true };
        let moved = store.data_version().ok() != self.version;
        let active = self.last.as_ref().is_some_and(|answer| answer.active > 0);
        moved || (active && self.asked_at.elapsed() >= ACTIVE_EVERY)
    }

    fn answer(&mut self) -> Option<Answer> {
        let request = self.current.clone()?;
        let generation = request.generation;
        self.asked_at = Instant::now();
        self.answering.store(generation, Ordering::SeqCst);
        let answered = self.store().and_then(|(store, cache)| {
            let version = store.data_version()?;
            Ok((version, read(store, &request, cache)?))
        });
        let (active, found) = match answered {
            Ok((version, reply)) => {
                self.version = Some(version);
                if reply.has_lost_runs {
                    tend_queue(&self.background, &self.path);
                }
                (reply.active, Ok(reply.found?))
            }
            Err(StoreError::Interrupted) => return None,
            Err(error) => {
                // Opened again for the next answer: the file may have been replaced.
                self.store = None;
                (0, Err(explained(&error)))
            }
        };
        Some(Answer { generation, active, found })
    }

    fn store(&mut self) -> Result<(&Store, &mut AnswerCache), StoreError> {
        let store = match self.store.take() {
            Some(store) => store,
            None => self.open()?,
        };
        Ok((self.store.insert(store), &mut self.cache))
    }

    fn open(&mut self) -> Result<Store, StoreError> {
        // Another file can have other rows of the same numbers.
        self.cache = AnswerCache::default();
        let store = Store::open(&self.path, Access::Read)?;
        let (newest, answering) = (Arc::clone(&self.newest), Arc::clone(&self.answering));
        store
            .stop_when(move || newest.load(Ordering::SeqCst) != answering.load(Ordering::SeqCst))?;
        Ok(store)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::list::screen::ListQuestion;
    use crate::tui::question::{AnyQuestion, Question};
    use crate::tui::screens::corpora::Corpora;
    use crate::tui::screens::runs::{RunList, RunsQuestion};
    use topoi_store::id::{CorpusId, RunId};
    use topoi_store::ingest::IngestWriter;
    use topoi_store::run::NewRun;

    struct Asked {
        _directory: tempfile::TempDir,
        store: Store,
        questions: Questions,
        answers: Receiver<Message>,
    }

    fn reader() -> Asked {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("t.db");
        let store = Store::open(&path, Access::Create).expect("open");
        let writer = IngestWriter::begin(&store, "c", "{}", "s", "lines").expect("begin");
        writer.finish().expect("finish");
        let (sender, answers) = channel();
        let questions = start(&path, &Background::new(sender), false).expect("start");
        Asked { _directory: directory, store, questions, answers }
    }

    impl Asked {
        fn ask(&self, generation: u64, question: impl Question) {
            let question = AnyQuestion::new(question);
            let request = Request { generation, question, without: Vec::new() };
            self.questions.ask(request).expect("ask");
        }

        /// Waits for an answer that is as wanted.
        fn wait(&self, wanted: impl Fn(&Answer) -> bool) -> Answer {
            loop {
                let message = self.answers.recv_timeout(Duration::from_secs(20)).expect("answer");
                match message {
                    Message::Answer(answer) if wanted(&answer) => return *answer,
                    _ => {}
                }
            }
        }

        fn new_run(&self) -> RunId {
            let run =
                NewRun { corpus_id: CorpusId(1), model: "lr-jsmf", k: 2, seed: 1, settings: "{}" };
            self.store.create_run(&run).expect("run")
        }
    }

    fn states(answer: &Answer) -> Vec<RunStatus> {
        let list = answer.found.as_ref().ok().and_then(|found| found.get::<RunList>());
        list.map_or_else(Vec::new, |list| list.runs.iter().map(|row| row.run.status).collect())
    }

    #[test]
    fn what_is_on_the_screen_is_answered_again_when_the_store_has_changed() {
        let asked = reader();
        asked.ask(7, RunsQuestion { selected: None, with_log: false });
        assert_eq!(states(&asked.wait(|answer| answer.generation == 7)), []);
        asked.new_run();
        let answer = asked.wait(|answer| answer.active == 1);
        assert_eq!((answer.generation, states(&answer)), (7, vec![RunStatus::Queued]));
    }

    #[test]
    fn a_run_whose_worker_died_is_marked_interrupted() {
        let asked = reader();
        let run = asked.new_run();
        assert!(asked.store.take_run(run).expect("take"));
        asked.ask(1, RunsQuestion { selected: None, with_log: false });
        asked.wait(|answer| states(answer) == [RunStatus::Interrupted]);
    }

    #[test]
    fn a_store_that_is_gone_is_an_error_and_not_created() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("none.db");
        let (sender, answers) = channel();
        let questions = start(&path, &Background::new(sender), false).expect("start");
        let question = AnyQuestion::new(ListQuestion::<Corpora>::default());
        questions.ask(Request { generation: 1, question, without: Vec::new() }).expect("ask");
        let Ok(Message::Answer(answer)) = answers.recv_timeout(Duration::from_secs(20)) else {
            panic!("no answer")
        };
        assert!(answer.found.is_err() && !path.exists());
    }
}
