//! Making what anchors of a run need, in a thread of its own: for one run at a time, and stopped when that is
//! asked for or the workbench is left.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::tui::message::{Made, Message, News};
use topoi_core::progress::Progress;
use topoi_run::outlook::Outlook;
use topoi_run::shaping::factor::{FactorCost, make_factor};
use topoi_run::work::work_error::WorkError;
use topoi_store::{Access, Store};

/// How it stands is told at most this often.
const TELL_EVERY: Duration = Duration::from_millis(200);

/// The way to the thread.
#[derive(Debug)]
pub struct Maker {
    path: PathBuf,
    messages: Sender<Message>,
    /// Stops what was begun last.
    stop: Arc<AtomicBool>,
}

impl Maker {
    pub fn new(path: &Path, messages: Sender<Message>) -> Self {
        Self { path: path.to_path_buf(), messages, stop: Arc::default() }
    }

    /// Begins; what is under way for another run is stopped. How far it is comes as news.
    pub fn make(&mut self, cost: FactorCost) {
        self.stop();
        self.stop = Arc::default();
        let (path, run) = (self.path.clone(), cost.run);
        let teller = Teller {
            run,
            begun: Instant::now(),
            messages: self.messages.clone(),
            stop: Arc::clone(&self.stop),
            state: Mutex::new(State { outlook: Outlook::new(cost.stages), stage: "", told: None }),
        };
        let work = move || teller.send(Made::Ended(make(&path, run, &teller)));
        if let Err(error) = std::thread::Builder::new().name("maker".into()).spawn(work) {
            let made = Made::Ended(Err(error.to_string()));
            let _ = self.messages.send(Message::News(News::Factor { run, made }));
        }
    }

    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn make(path: &Path, run: i64, teller: &Teller) -> Result<(), String> {
    let made = || -> Result<(), WorkError> {
        let mut store = Store::open(path, Access::Write)?;
        let row = store.run(run)?;
        make_factor(&mut store, &row, teller)
    };
    made().map_err(|error| error.to_string())
}

/// Tells the workbench how far the work is.
struct Teller {
    run: i64,
    begun: Instant,
    messages: Sender<Message>,
    stop: Arc<AtomicBool>,
    state: Mutex<State>,
}

struct State {
    outlook: Outlook,
    stage: &'static str,
    told: Option<Instant>,
}

impl Teller {
    fn send(&self, made: Made) {
        if self.cancelled() {
            return;
        }
        // Nobody listens when the workbench has been left meanwhile.
        let _ = self.messages.send(Message::News(News::Factor { run: self.run, made }));
    }

    fn tell(&self, happened: impl FnOnce(&mut State, f64)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.begun.elapsed().as_secs_f64();
        happened(&mut state, now);
        if state.told.is_none_or(|told| told.elapsed() >= TELL_EVERY) {
            state.told = Some(Instant::now());
            self.send(Made::At(state.stage, state.outlook.left(now)));
        }
    }
}

impl Progress for Teller {
    fn begin(&self, stage: &'static str, total: u64, _residual: &'static str) {
        self.tell(|state, now| {
            (state.stage, state.told) = (stage, None);
            state.outlook.begin(stage, total, now);
        });
    }

    fn step(&self, step: u64, residual: Option<f64>) {
        self.tell(|state, now| state.outlook.step(step, residual, now));
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
