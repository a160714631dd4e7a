//! A line that is typed, with its history.

use crate::tui::input::Input;

/// The longest query, in cells.
const LONGEST: usize = 100_000;
/// Entries of the history that are kept.
const KEPT: usize = 1000;

/// The line that is typed, and those that were entered before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    pub input: Input,
    /// What was entered before, oldest first.
    history: Vec<String>,
    /// The entry that is shown, while walking through the history.
    shown: Option<usize>,
    /// What was typed before walking through the history.
    draft: String,
}

impl Default for Prompt {
    fn default() -> Self {
        let (history, shown, draft) = Default::default();
        Self { input: Input::new(LONGEST), history, shown, draft }
    }
}

impl Prompt {
    pub fn text(&self) -> &str {
        self.input.as_str()
    }

    /// Takes the entries of an earlier time, oldest first.
    pub fn remember_all(&mut self, history: Vec<String>) {
        self.history = history;
        self.forget_oldest();
    }

    /// Puts the line into the history, unless it was the last one.
    pub fn remember(&mut self) {
        self.shown = None;
        if self.history.last().is_none_or(|last| last != self.text()) {
            self.history.push(self.text().to_string());
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        self.history.drain(..self.history.len().saturating_sub(KEPT));
    }

    /// The entry before the one that is shown.
    pub fn older(&mut self) {
        let place = self.shown.unwrap_or(self.history.len());
        if place == 0 {
            return;
        }
        if self.shown.is_none() {
            self.draft = self.text().to_string();
        }
        self.shown = Some(place - 1);
        let entry = self.history[place - 1].clone();
        self.input.set(&entry);
    }

    /// The entry after the one that is shown; after the last one, what was being typed.
    pub fn newer(&mut self) {
        let Some(place) = self.shown else { return };
        let entry = self.history.get(place + 1).cloned();
        self.shown = entry.is_some().then_some(place + 1);
        let text = entry.unwrap_or_else(|| std::mem::take(&mut self.draft));
        self.input.set(&text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_goes_back_and_returns_to_what_was_typed() {
        let mut prompt = Prompt::default();
        for line in ["one", "two", "two"] {
            prompt.input.set(line);
            prompt.remember();
        }
        prompt.input.set("draft");
        let mut seen = Vec::new();
        for step in [Prompt::older, Prompt::older, Prompt::older, Prompt::newer, Prompt::newer] {
            step(&mut prompt);
            seen.push(prompt.text().to_string());
        }
        assert_eq!(seen, ["two", "one", "one", "two", "draft"]);
    }
}
