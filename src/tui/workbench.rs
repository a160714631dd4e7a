//! What all screens share, and what they ask the workbench for.

use ratatui::layout::Rect;

use super::effect::Effect;
use super::overlay::Overlay;
use super::screen::{Navigation, Selection};
use super::view::layout;
use super::view::look::Appearance;
use topoi_run::notes::citation::CitationForm;
use topoi_store::id::{CorpusId, RunId};

/// What all screens share. A screen changes what it may and asks for the rest; `update` does it
/// when the screen is through.
#[derive(Debug, Clone)]
pub struct Workbench {
    /// The name of the screen that is shown.
    pub shown: &'static str,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// What the terminal can show.
    pub look: Appearance,
    /// The store's file, to be shown.
    pub store: String,
    /// How commands for a shell begin: the program, and the store where that was named.
    pub program: String,
    /// The directory that files are written to.
    pub directory: String,
    pub overlay: Option<Box<dyn Overlay>>,
    /// The keys of an unfinished sequence.
    pub pending: String,
    /// Something the user should know; goes with the next key.
    pub notice: Option<String>,
    /// How sources of passages are cited.
    pub citation: CitationForm,
    /// Clicks and the wheel come to the workbench, not to the terminal.
    pub mouse: bool,
    /// Ctrl-C was the last key.
    pub interrupted: bool,
    /// The generation of the last question to the store.
    pub generation: u64,
    /// Counts changes; the screen is drawn when it has moved.
    pub revision: u64,
    /// Number of runs that are queued or running.
    pub active: usize,
    /// Number of jobs that were begun here and are not done.
    pub jobs: usize,
    /// The run that is open: what topics, colours and shares refer to on every screen. Only the user's
    /// opening a run changes it.
    pub open_run: Option<RunId>,
    /// Row id of the corpus that is open, by the same rule.
    pub open_corpus: Option<CorpusId>,
    /// Runs that are deleted when the workbench closes, in the order in which the user said so; no screen
    /// shows them.
    pub deleted: Vec<RunId>,
    pub(super) effects: Vec<Effect>,
    pub(super) asks: bool,
    pub(super) navigation: Option<Navigation>,
}

impl Workbench {
    pub fn new(shown: &'static str, store: &str, look: Appearance, size: (u16, u16)) -> Self {
        Self {
            shown,
            size,
            look,
            store: store.into(),
            program: "topoi".into(),
            directory: ".".into(),
            overlay: None,
            pending: String::new(),
            notice: None,
            citation: CitationForm::default(),
            mouse: false,
            interrupted: false,
            generation: 0,
            revision: 0,
            active: 0,
            jobs: 0,
            open_run: None,
            open_corpus: None,
            deleted: Vec::new(),
            effects: Vec::new(),
            asks: false,
            navigation: None,
        }
    }
    pub fn say(&mut self, notice: impl Into<String>) {
        self.notice = Some(notice.into());
    }

    pub fn perform(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Asks the store again though the question of the screen is the same; one that has changed is asked
    /// by itself.
    pub fn ask(&mut self) {
        self.asks = true;
    }

    /// Shows another screen as it was left, at the beginning of a new trail.
    pub fn go(&mut self, to: &'static str) {
        let left = Selection::default();
        self.navigation =
            Some(Navigation { to, from: self.shown, left, open: None, follows: false });
    }

    /// Shows another screen with something of its own, at the beginning of a new trail.
    pub fn open(&mut self, to: &'static str, subject: Selection) {
        self.go(to);
        if let Some(navigation) = &mut self.navigation {
            navigation.open = Some(subject);
        }
    }

    /// Follows a row to this screen or another: back returns here.
    pub fn follow(&mut self, to: &'static str, subject: Selection) {
        self.open(to, subject);
        if let Some(navigation) = &mut self.navigation {
            navigation.follows = true;
        }
    }

    /// The part of the terminal that belongs to the screen.
    pub fn body(&self) -> Rect {
        let (width, height) = self.size;
        layout::frame(Rect::new(0, 0, width, height)).body
    }
}
