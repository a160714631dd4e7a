//! A name of a run, while it is typed.

use crate::tui::effect::Effect;
use crate::tui::input::Input;
use crate::tui::keymap::{Action as A, Keys, key};
use topoi_store::id::RunId;
use topoi_store::run::Run;

/// Cells of a name.
const LONGEST: usize = 40;

pub static KEYS: Keys = Keys::new(
    "While naming a run",
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
    pub input: Input,
    /// Whether it is to be kept as soon as the run is known.
    pub is_accepted: bool,
    /// What was there before.
    before: String,
}

impl TextEdit {
    /// Of the run that is selected when the list comes.
    pub fn new() -> Self {
        Self { run: None, input: Input::new(LONGEST), is_accepted: false, before: String::new() }
    }

    /// Says it of this run: what was there before comes before what is typed.
    pub fn with_run(mut self, run: &Run) -> Self {
        self.before = run.name.clone().unwrap_or_default();
        let text = format!("{}{}", self.before, self.input.as_str());
        self.input.set(&text);
        self.run = Some(run.id);
        self
    }

    /// What is to be done about it, where anything has changed.
    pub fn accepted(self) -> Option<Effect> {
        let name = self.input.as_str().trim().to_string();
        let name = Some(name).filter(|name| *name != self.before)?;
        let name = (!name.is_empty()).then_some(name);
        Some(Effect::NameRun { run: self.run?, name })
    }

    /// The prompt before its line.
    pub fn label(&self) -> String {
        match self.run {
            Some(run) => format!(" name of run {run}: "),
            None => " name of the run: ".into(),
        }
    }
}
