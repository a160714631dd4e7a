//! A name or a note of a run, while it is typed.

use crate::tui::effect::{Effect, Said};
use crate::tui::keymap::{Action, Action as A, Keys, key};
use crate::tui::view::text;
use topoi_store::run::Run;

/// Cells of a name, and of a note.
const LONGEST: [usize; 2] = [40, 300];

pub static KEYS: Keys = Keys::new(
    "While naming or noting",
    &[
        key(&["Enter"], A::Accept, "keep", "keep it; an empty one is taken away"),
        key(&["Esc", "Ctrl-C"], A::Clear, "leave it", "leave it as it was"),
        key(&["Backspace"], A::Erase, "erase", "erase a character"),
        key(&["Ctrl-U"], A::EraseAll, "erase all", "erase all"),
    ],
);

/// What is typed of which run.
#[derive(Debug, Clone, PartialEq)]
pub struct Saying {
    /// `None` while the list has not come: keys can be quicker than it.
    pub run: Option<i64>,
    pub what: Said,
    pub text: String,
    /// Whether it is to be kept as soon as the run is known.
    pub is_accepted: bool,
    /// What was there before.
    before: String,
}

impl Saying {
    /// Of the run that is selected when the list comes.
    pub fn new(what: Said) -> Self {
        Self { run: None, what, text: String::new(), is_accepted: false, before: String::new() }
    }

    /// Says it of this run: what was there before comes before what is typed.
    pub fn with_run(mut self, run: &Run) -> Self {
        let before = match self.what {
            Said::Name => run.name.clone(),
            Said::Note => run.note.clone(),
        };
        self.before = before.unwrap_or_default();
        self.text.insert_str(0, &self.before);
        self.run = Some(run.id);
        self
    }

    pub fn type_in(&mut self, text: &str) {
        if self.is_accepted {
            return;
        }
        let most = LONGEST[usize::from(self.what == Said::Note)];
        for letter in text.chars().filter(|letter| !letter.is_control()) {
            if text::width(&self.text) < most {
                self.text.push(letter);
            }
        }
    }

    pub fn erase(&mut self, action: Action) {
        match action {
            Action::Erase => drop(self.text.pop()),
            _ => self.text.clear(),
        }
    }

    /// What is to be done about it, where anything has changed.
    pub fn accepted(self) -> Option<Effect> {
        let text = self.text.trim().to_string();
        let text = Some(text).filter(|text| *text != self.before)?;
        let text = (!text.is_empty()).then_some(text);
        Some(Effect::SayOfRun { run: self.run?, what: self.what, text })
    }

    /// What stands before the line that it is typed in.
    pub fn label(&self) -> String {
        let what = match self.what {
            Said::Name => "name",
            Said::Note => "note",
        };
        match self.run {
            Some(run) => format!(" {what} of run {run}: "),
            None => format!(" {what} of the run: "),
        }
    }
}
