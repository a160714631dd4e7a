//! A line of text that is typed: with a cursor, and no longer than it may be.

use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;

use super::keymap::Action;
use super::view::look::Appearance;
use super::view::text::{self, width};

/// The longest line where nothing else is said, in cells.
const LONGEST: usize = 400;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    text: String,
    /// Byte position of the cursor, between graphemes.
    cursor: usize,
    /// The most cells the text may take.
    longest: usize,
}

impl Default for Input {
    fn default() -> Self {
        Self::new(LONGEST)
    }
}

impl Input {
    /// An empty line of at most `longest` cells.
    pub fn new(longest: usize) -> Self {
        Self { text: String::new(), cursor: 0, longest }
    }

    /// The line with this text, the cursor at its end.
    pub fn with_text(mut self, text: &str) -> Self {
        self.set(text);
        self
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Byte position of the cursor.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The most cells the text may take.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Replaces the text; the cursor goes to its end.
    pub fn set(&mut self, text: &str) {
        self.text = text.into();
        self.cursor = text.len();
    }

    pub fn clear(&mut self) {
        self.set("");
    }

    /// The text before and after the cursor.
    pub fn halves(&self) -> (&str, &str) {
        self.text.split_at(self.cursor)
    }

    /// Types a text at the cursor, as much of it as fits; whether that is all. Tabs and line ends within it become
    /// blanks, other control characters are left out.
    pub fn insert(&mut self, text: &str) -> bool {
        let mut room = self.longest.saturating_sub(width(&self.text));
        for letter in text.trim_end_matches(['\r', '\n']).graphemes(true) {
            let is_blank = letter.chars().all(char::is_whitespace);
            let letter = if is_blank && letter.contains(char::is_control) { " " } else { letter };
            if letter.contains(char::is_control) {
                continue;
            }
            if width(letter) > room {
                return false;
            }
            room -= width(letter);
            self.text.insert_str(self.cursor, letter);
            self.cursor += letter.len();
        }
        self.settle_cursor();
        true
    }

    /// Replaces the text from byte `start` to the cursor.
    pub fn replace(&mut self, start: usize, text: &str) {
        self.text.replace_range(start..self.cursor, text);
        self.cursor = start + text.len();
        self.settle_cursor();
    }

    /// Moves the cursor or erases, as [`super::keymap::EDIT`] says; whether `action` does one of these.
    pub fn act(&mut self, action: Action) -> bool {
        match action {
            Action::Left => self.cursor = self.before(),
            Action::Right => self.cursor = self.after(),
            Action::Top => self.cursor = 0,
            Action::Bottom => self.cursor = self.text.len(),
            Action::Erase => self.replace(self.before(), ""),
            Action::EraseAfter => {
                self.text.replace_range(self.cursor..self.after(), "");
                self.settle_cursor();
            }
            Action::EraseWord => self.replace(self.start_of_word(), ""),
            Action::EraseAll => self.clear(),
            _ => return false,
        }
        true
    }

    /// A combining character joins the one before it.
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

    fn start_of_word(&self) -> usize {
        let words = self.halves().0.trim_end();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        match words.chars().next_back() {
            Some(c) if is_part(c) => words.trim_end_matches(is_part).len(),
            Some(c) => words.len() - c.len_utf8(),
            None => 0,
        }
    }

    /// The label, as much of the text around the cursor as `cells` have room for, and the cursor:
    /// label, text before the cursor, the letter under it, text after it.
    pub fn line(&self, look: Appearance, label: &str, cells: usize) -> Line<'static> {
        let (before, after) = self.halves();
        let letter = after.graphemes(true).next().unwrap_or_default();
        let after = &after[letter.len()..];
        let letter = text::clean(if letter.is_empty() { " " } else { letter });
        // What is not seen is written as an escape sequence, for which the cursor has no room.
        let letter = if width(&letter) > 2 { "?".into() } else { letter };
        let room = cells.saturating_sub(width(label) + width(&letter));
        let before = text::cut_start(before, room);
        let after = text::cut(after, room.saturating_sub(width(&before)));
        Line::from(vec![
            Span::styled(label.to_string(), look.key()),
            Span::raw(before),
            Span::styled(letter, look.selected()),
            Span::raw(after),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn typed(text: &str) -> Input {
        let mut input = Input::default();
        input.insert(text);
        input
    }

    #[test]
    fn letters_and_words_are_erased_whole() {
        let mut input = typed("select naïve_bayes, e\u{301}");
        input.act(Action::Erase);
        assert_eq!(input.as_str(), "select naïve_bayes, ");
        input.act(Action::EraseWord);
        assert_eq!(input.as_str(), "select naïve_bayes");
        input.act(Action::EraseWord);
        assert_eq!(input.as_str(), "select ");
        input.act(Action::Left);
        input.act(Action::EraseAfter);
        input.insert("\n*");
        assert_eq!(input.as_str(), "select *");
    }

    #[test]
    fn what_is_typed_goes_where_the_cursor_is() {
        let mut input = typed("bc\n");
        input.act(Action::Top);
        input.insert("a\u{7}");
        input.act(Action::Bottom);
        input.insert("d");
        assert_eq!(input.as_str(), "abcd");
        input.act(Action::Left);
        input.act(Action::Left);
        assert_eq!(input.halves(), ("ab", "cd"));
    }

    #[test]
    fn a_line_is_no_longer_than_it_may_be() {
        let mut input = Input::new(5);
        assert!(input.insert("主題") && !input.insert("模"));
        assert!(input.insert("a"));
        assert_eq!(input.as_str(), "主題a");
    }

    proptest! {
        #[test]
        fn whatever_is_typed_the_cursor_is_between_letters_and_on_the_screen(
            steps in prop::collection::vec((0_usize..8, ".{0,4}"), 0..40),
            cells in 10_usize..30,
        ) {
            let look = Appearance::from_environment();
            let mut input = Input::new(40);
            let actions = [
                Action::Left, Action::Right, Action::Erase, Action::EraseAfter, Action::EraseWord,
                Action::Top,
            ];
            for (step, text) in steps {
                match actions.get(step) {
                    Some(action) => _ = input.act(*action),
                    None => _ = input.insert(&text),
                }
                prop_assert!(input.as_str().is_char_boundary(input.cursor()));
                let line = input.line(look, " a: ", cells);
                let shown: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
                prop_assert!(width(&shown) <= cells, "{shown:?}");
            }
        }
    }
}
