//! A line that is typed, with its history.

use unicode_segmentation::UnicodeSegmentation;

/// Entries of the history that are kept.
const KEPT: usize = 1000;

/// A line with a cursor, and the lines that were entered before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompt {
    pub text: String,
    /// Byte position of the cursor, between graphemes.
    pub cursor: usize,
    /// What was entered before, oldest first.
    history: Vec<String>,
    /// The entry that is shown, while walking through the history.
    shown: Option<usize>,
    /// What was typed before walking through the history.
    draft: String,
}

impl Prompt {
    /// The typed line before and after the cursor.
    pub fn halves(&self) -> (&str, &str) {
        self.text.split_at(self.cursor)
    }

    /// Types a text at the cursor; control characters become blanks.
    pub fn insert(&mut self, text: &str) {
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.text.insert_str(self.cursor, &text);
        self.cursor += text.len();
        self.settle_cursor();
    }

    /// Replaces the text from byte `start` to the cursor.
    pub fn replace(&mut self, start: usize, text: &str) {
        self.text.replace_range(start..self.cursor, text);
        self.cursor = start + text.len();
        self.settle_cursor();
    }
    pub fn set(&mut self, text: &str) {
        self.text = text.to_string();
        self.cursor = text.len();
    }

    /// A combining letter can join what stands before it.
    fn settle_cursor(&mut self) {
        let mut ends = self.text.grapheme_indices(true).map(|(at, letter)| at + letter.len());
        if self.cursor > 0 {
            self.cursor = ends.find(|&end| end >= self.cursor).unwrap_or(self.text.len());
        }
    }

    fn before(&self) -> usize {
        self.halves().0.grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        self.cursor + self.halves().1.graphemes(true).next().map_or(0, str::len)
    }
    pub fn left(&mut self) {
        self.cursor = self.before();
    }
    pub fn right(&mut self) {
        self.cursor = self.after();
    }

    /// Erases the letter before the cursor.
    pub fn erase(&mut self) {
        let start = self.before();
        self.replace(start, "");
    }

    /// Erases the letter after the cursor.
    pub fn erase_after(&mut self) {
        let end = self.after();
        self.text.replace_range(self.cursor..end, "");
    }

    /// Erases the word before the cursor.
    pub fn erase_word(&mut self) {
        let words = self.halves().0.trim_end();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let start = match words.chars().next_back() {
            Some(c) if is_part(c) => words.trim_end_matches(is_part).len(),
            Some(c) => words.len() - c.len_utf8(),
            None => 0,
        };
        self.replace(start, "");
    }

    /// Takes the entries of an earlier time, oldest first.
    pub fn remember_all(&mut self, history: Vec<String>) {
        self.history = history;
        self.forget_oldest();
    }

    /// Puts the line into the history, unless it was the last one.
    pub fn remember(&mut self) {
        self.shown = None;
        if self.history.last() != Some(&self.text) {
            self.history.push(self.text.clone());
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
            self.draft = self.text.clone();
        }
        self.shown = Some(place - 1);
        let entry = self.history[place - 1].clone();
        self.set(&entry);
    }

    /// The entry after the one that is shown; after the last one, what was being typed.
    pub fn newer(&mut self) {
        let Some(place) = self.shown else { return };
        let entry = self.history.get(place + 1).cloned();
        self.shown = entry.is_some().then_some(place + 1);
        let text = entry.unwrap_or_else(|| std::mem::take(&mut self.draft));
        self.set(&text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn letters_and_words_are_erased_whole() {
        let mut prompt = Prompt::default();
        prompt.insert("select naïve_bayes, e\u{301}");
        prompt.erase();
        assert_eq!(prompt.text, "select naïve_bayes, ");
        prompt.erase_word();
        assert_eq!(prompt.text, "select naïve_bayes");
        prompt.erase_word();
        assert_eq!(prompt.text, "select ");
        prompt.left();
        prompt.erase_after();
        prompt.insert("\n*");
        assert_eq!(prompt.text, "select *");
    }

    #[test]
    fn the_history_goes_back_and_returns_to_what_was_typed() {
        let mut prompt = Prompt::default();
        for line in ["one", "two", "two"] {
            prompt.set(line);
            prompt.remember();
        }
        prompt.set("draft");
        let mut seen = Vec::new();
        for step in [Prompt::older, Prompt::older, Prompt::older, Prompt::newer, Prompt::newer] {
            step(&mut prompt);
            seen.push(prompt.text.clone());
        }
        assert_eq!(seen, ["two", "one", "one", "two", "draft"]);
    }

    proptest! {
        #[test]
        fn whatever_is_typed_the_cursor_is_between_letters(
            steps in prop::collection::vec((0_usize..8, ".{0,4}"), 0..40),
        ) {
            let mut prompt = Prompt::default();
            for (step, text) in steps {
                match step {
                    0 | 1 => prompt.insert(&text),
                    2 => prompt.left(),
                    3 => prompt.right(),
                    4 => prompt.erase(),
                    5 => prompt.erase_after(),
                    6 => prompt.erase_word(),
                    _ => prompt.older(),
                }
                prop_assert!(prompt.text.is_char_boundary(prompt.cursor));
            }
        }
    }
}
