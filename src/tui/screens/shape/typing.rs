//! Words that are typed for an edit.

use crate::tui::input::Input;
use topoi_core::shape::Edit;

/// The longest line of words, in cells.
const LONGEST: usize = 200;

/// What words are typed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Anchor(usize),
    NewTopic,
    Split(usize),
    Forbid,
    Label(usize),
}

/// A line that is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typing {
    pub wanted: Wanted,
    pub input: Input,
}

impl Typing {
    pub fn new(wanted: Wanted, text: &str) -> Self {
        Self { wanted, input: Input::new(LONGEST).with_text(text) }
    }

    /// The prompt before the line.
    pub fn prompt(&self) -> String {
        match self.wanted {
            Wanted::Anchor(topic) => format!("topic {topic} anchored by the words: "),
            Wanted::NewTopic => "new topic anchored by the words: ".into(),
            Wanted::Split(topic) => format!("topic {topic} split by two words: "),
            Wanted::Forbid => "word that no topic is to have: ".into(),
            Wanted::Label(topic) => format!("name of topic {topic}: "),
        }
    }

    /// The edit that the line says; `None` for an empty one.
    pub fn edit(&self) -> Option<Edit> {
        let words = || -> Vec<String> {
            let parts = self.input.as_str().split([',', ' ']).map(str::trim);
            parts.filter(|part| !part.is_empty()).map(String::from).collect()
        };
        let is_label = matches!(self.wanted, Wanted::Label(_));
        if !is_label && words().is_empty() {
            return None;
        }
        Some(match self.wanted {
            Wanted::Anchor(topic) => Edit::Anchor { words: words(), topic: Some(topic) },
            Wanted::NewTopic => Edit::Anchor { words: words(), topic: None },
            Wanted::Split(topic) => {
                let half = |half: &String| half.split('+').map(String::from).collect();
                Edit::Split { topic, words: words().iter().map(half).collect() }
            }
            Wanted::Forbid => Edit::Forbid { word: words().join(" ") },
            Wanted::Label(topic) => Edit::Label { topic, text: self.input.as_str().trim().into() },
        })
    }
}
