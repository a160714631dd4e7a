//! A text in lines, each piece in the colour of its topic.

use unicode_segmentation::UnicodeSegmentation;

use crate::tui::view::text;

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    pub text: String,
    /// The place of its topic in the legend, for topics that have a colour.
    pub rank: Option<usize>,
    /// Which piece of the text it is of.
    pub piece: usize,
    /// The byte of the text that it begins at.
    pub at: usize,
}

/// The small raised number of a place in the legend.
pub fn mark(rank: usize) -> &'static str {
    ["¹", "²", "³", "⁴", "⁵", "⁶"].get(rank).copied().unwrap_or("")
}

/// Fills lines with words; text without a blank is not broken.
#[derive(Default)]
pub struct Wrap {
    width: usize,
    /// The place of the piece that is being added.
    pub piece: usize,
    /// Bytes of the text that were added.
    at: usize,
    lines: Vec<Vec<Span>>,
    line: Vec<Span>,
    used: usize,
    /// The word that is being put together, of one or more pieces.
    word: Vec<Span>,
    cells: usize,
}

impl Wrap {
    /// For lines of `width` cells.
    pub fn new(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    pub fn add(&mut self, text: &str, rank: Option<usize>, marks: bool) {
        for letter in text.graphemes(true) {
            match letter {
                "\n" | "\r\n" => self.end_line(),
                _ if letter.chars().all(char::is_whitespace) => self.end_word(),
                _ if letter.chars().any(char::is_control) => {}
                _ => self.letter(letter, rank),
            }
            self.at += letter.len();
        }
        if let Some(rank) = rank.filter(|_| marks) {
            self.letter(mark(rank), Some(rank));
        }
    }

    fn letter(&mut self, letter: &str, rank: Option<usize>) {
        let cells = text::width(letter);
        if self.cells + cells > self.width {
            self.end_word();
            self.break_line();
        }
        self.cells += cells;
        match self.word.last_mut().filter(|last| last.rank == rank) {
            Some(last) => last.text.push_str(letter),
            None => {
                let (piece, at) = (self.piece, self.at);
                self.word.push(Span { text: letter.to_string(), rank, piece, at });
            }
        }
    }

    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        if self.used > 0 && self.used + 1 + self.cells > self.width {
            self.break_line();
        }
        if self.used > 0 {
            let at = self.line.last().map_or(0, |last| last.at + last.text.len());
            self.line.push(Span { text: " ".into(), rank: None, piece: self.piece, at });
            self.used += 1;
        }
        self.used += self.cells;
        self.line.append(&mut self.word);
        self.cells = 0;
    }

    fn break_line(&mut self) {
        if self.used > 0 {
            self.lines.push(std::mem::take(&mut self.line));
            self.used = 0;
        }
    }

    /// The end of a line of the text; of several empty ones, one is kept.
    fn end_line(&mut self) {
        self.end_word();
        if self.used > 0 || self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.lines.push(std::mem::take(&mut self.line));
            self.used = 0;
        }
    }

    pub fn finish(mut self) -> Vec<Vec<Span>> {
        self.end_word();
        self.break_line();
        self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wrapped(pieces: &[(&str, Option<usize>)], width: usize, marks: bool) -> Vec<String> {
        let mut wrap = Wrap::new(width);
        for &(text, rank) in pieces {
            wrap.add(text, rank, marks);
        }
        let line = |line: Vec<Span>| line.into_iter().map(|span| span.text).collect();
        wrap.finish().into_iter().map(line).collect()
    }

    #[test]
    fn punctuation_stays_with_its_word_and_paragraphs_stay_apart() {
        let pieces = [("A ", None), ("kernel", Some(1)), (", then\n\n\nmore words", None)];
        assert_eq!(wrapped(&pieces, 10, false), ["A kernel,", "then", "", "more words"]);
        assert_eq!(wrapped(&pieces, 10, true), ["A kernel²,", "then", "", "more words"]);
        assert_eq!(wrapped(&[("longer-than-that", None)], 6, false), ["longer", "-than-", "that"]);
    }

    proptest! {
        #[test]
        fn lines_fit_and_keep_every_letter(
            pieces in prop::collection::vec(("[a-z主 \n]{0,12}", 0_usize..3), 0..12),
            width in 2_usize..30,
        ) {
            let pieces: Vec<(&str, Option<usize>)> =
                pieces.iter().map(|(text, rank)| (text.as_str(), rank.checked_sub(1))).collect();
            let lines = wrapped(&pieces, width, false);
            prop_assert!(lines.iter().all(|line| text::width(line) <= width));
            let letters = |text: &str| text.split_whitespace().collect::<String>();
            let all: String = pieces.iter().map(|(text, _)| *text).collect();
            prop_assert_eq!(letters(&lines.join(" ")), letters(&all));
        }
    }
}
