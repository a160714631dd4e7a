//! A name or a note of a run, while it is typed.

use crate::tui::effect::{Effect, RunAnnotation};
use crate::tui::input::Input;
use crate::tui::keymap::{Action as A, Keys, key};
use topoi_store::id::RunId;
use topoi_store::run::Run;

/// Cells of a name, and of a note.
const LONGEST: [usize; 2] = [40, 300];

pub static KEYS: Keys = Keys::new(
    "While naming or noting",
    &[
        key(&["Enter"], A::Accept, "keep", "keep it; an empty one is taken away"),
        key(&["Esc", "Ctrl-C"], A::Clear, "leave it", "leave it as it was"),
    ],
);

/// What is typed of which run.
#[derive(Debug, Clone, PartialEq)]
pub struct TextEdit {
    /// `None` while the list has not come: keys can be quicker than it.
    pub run: Option<RunId>,
    pub what: RunAnnotation,
    pub input: Input,
    /// Whether it is to be kept as soon as the run is known.
    pub is_accepted: bool,
    /// What was there before.
    before: String,
}

impl TextEdit {
    /// Of the run that is selected when the list comes.
    pub fn new(what: RunAnnotation) -> Self {
        let input = Input::new(LONGEST[usize::from(what == RunAnnotation::Note)]);
        Self { run: None, what, input, is_accepted: false, before: String::new() }
    }

    /// Says it of this run: what was there before comes before what is typed.
    pub fn with_run(mut self, run: &Run) -> Self {
        let before = match self.what {
            RunAnnotation::Name => run.name.clone(),
            RunAnnotation::Note => run.note.clone(),
        };
        self.before = before.unwrap_or_default();
        let text = format!("{}{}", self.before, self.input.as_str());
        self.input.set(&text);
        self.run = Some(run.id);
        self
    }

    /// What is to be done about it, where anything has changed.
    pub fn accepted(self) -> Option<Effect> {
        let text = self.input.as_str().trim().to_string();
        let text = Some(text).filter(|text| *text != self.before)?;
        let text = (!text.is_empty()).then_some(text);
        Some(Effect::SayOfRun { run: self.run?, what: self.what, text })
    }

    /// The prompt before its line.
    pub fn label(&self) -> String {
        let what = match self.what {
            RunAnnotation::Name => "name",
            RunAnnotation::Note => "note",
        };
        match self.run {
            Some(run) => format!(" {what} of run {run}: "),
            None => format!(" {what} of the run: "),
        }
    }
}
