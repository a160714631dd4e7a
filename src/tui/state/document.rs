//! A document that is read: its text with coloured words, or its words with their counts.

use unicode_segmentation::UnicodeSegmentation;

use super::ListState;
use super::list::matches;
use super::sorting::{self, SortKey};
use crate::tui::data::{DocumentSheet, WordRow};
use crate::tui::text;
use topoi::run::saved::coloured_text::Piece;

/// Topics that have a colour: those of most words, as many as 16 colours tell apart.
pub const COLOURS: usize = 6;

/// A piece of a line and the place of its topic in the legend, for topics that have a colour.
pub type Span = (String, Option<usize>);

/// The document that is read.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentState {
    /// Its row id.
    pub id: i64,
    /// The run whose topics colour the words; `None` is the newest that has topics.
    pub run: Option<i64>,
    /// What is shown; `None` before the first answer.
    pub sheet: Option<Box<DocumentSheet>>,
    /// Its words are shown although it has a text.
    pub as_words: bool,
    /// Coloured words carry the number of their topic in the legend.
    pub marks: bool,
    /// The topic of the legend whose words are reversed.
    pub focus: Option<usize>,
    /// Where the user is: the first line of the text that is seen, or a word.
    pub list: ListState,
    /// The text in lines.
    pub lines: Vec<Vec<Span>>,
    /// Cells of a line.
    pub width: usize,
}

impl DocumentState {
    /// The document of this id, before it is read.
    pub fn new(id: i64, run: Option<i64>, marks: bool) -> Self {
        Self {
            id,
            run,
            sheet: None,
            as_words: false,
            marks,
            focus: None,
            list: ListState::default(),
            lines: Vec::new(),
            width: 0,
        }
    }

    /// Takes what was read.
    pub fn receive(&mut self, sheet: Option<Box<DocumentSheet>>) {
        let other = self.sheet.as_ref().map(|sheet| sheet.document.id)
            != sheet.as_ref().map(|sheet| sheet.document.id);
        if other {
            self.list = ListState { sort: self.list.sort.take(), ..ListState::default() };
        }
        self.run = sheet.as_ref().and_then(|sheet| sheet.run).or(self.run);
        self.sheet = sheet;
        self.width = 0;
    }

    /// Whether words are shown, because the user wants to or because there is no text.
    pub fn shows_words(&self) -> bool {
        self.as_words || self.sheet.as_ref().is_some_and(|sheet| sheet.pieces.is_empty())
    }

    /// The place of a topic in the legend, if it has a colour.
    pub fn rank(&self, topic: Option<u64>) -> Option<usize> {
        let legend = self.sheet.iter().flat_map(|sheet| &sheet.legend).take(COLOURS);
        topic.and_then(|topic| legend.into_iter().position(|entry| entry.topic == topic))
    }

    /// Breaks the text into lines of `width` cells, if it is not so broken already.
    pub fn wrap(&mut self, width: usize) {
        let Some(sheet) = self.sheet.as_ref().filter(|_| self.width != width) else { return };
        let rank = |piece: &Piece| self.rank(piece.topic);
        let mut wrap = Wrap { width: width.max(1), ..Wrap::default() };
        for piece in &sheet.pieces {
            wrap.add(&piece.text, rank(piece), self.marks);
        }
        self.lines = wrap.finish();
        self.width = width;
    }

    /// The lines the filter lets through.
    pub fn visible_lines(&self) -> Vec<&Vec<Span>> {
        let filter = &self.list.filter;
        let holds = |line: &&Vec<Span>| {
            filter.is_empty()
                || matches(filter, &line.iter().map(|(text, _)| text.as_str()).collect::<String>())
        };
        self.lines.iter().filter(holds).collect()
    }

    /// The words the filter lets through, in the order that is chosen.
    pub fn visible_words(&self) -> Vec<&WordRow> {
        let words = self.sheet.iter().flat_map(|sheet| &sheet.words);
        let mut words: Vec<&WordRow> =
            words.filter(|row| matches(&self.list.filter, &row.word)).collect();
        sorting::sort(&mut words, self.list.sort.as_ref(), |row, by| match by {
            "word" => SortKey::text(&row.word),
            "topic" => row.topic.map_or(SortKey::None, SortKey::count),
            _ => SortKey::count(row.count),
        });
        words
    }

    /// Number of places of the list on a screen of `height` rows: words, or first lines.
    pub fn len(&self, height: usize) -> usize {
        match self.shows_words() {
            true => self.visible_words().len(),
            false => (self.visible_lines().len() + 1).saturating_sub(height).max(1),
        }
    }
}

/// The small raised number of a place in the legend.
pub fn mark(rank: usize) -> &'static str {
    ["¹", "²", "³", "⁴", "⁵", "⁶"].get(rank).copied().unwrap_or("")
}

/// Fills lines with words; what stands together without a blank stays together.
#[derive(Default)]
struct Wrap {
    width: usize,
    lines: Vec<Vec<Span>>,
    line: Vec<Span>,
    used: usize,
    /// The word that is being put together, of one or more pieces.
    word: Vec<Span>,
    cells: usize,
}

impl Wrap {
    fn add(&mut self, text: &str, rank: Option<usize>, marks: bool) {
        for letter in text.graphemes(true) {
            match letter {
                "\n" | "\r\n" => self.end_line(),
                _ if letter.chars().all(char::is_whitespace) => self.end_word(),
                _ if letter.chars().any(char::is_control) => {}
                _ => self.letter(letter, rank),
            }
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
        match self.word.last_mut().filter(|(_, of)| *of == rank) {
            Some((text, _)) => text.push_str(letter),
            None => self.word.push((letter.to_string(), rank)),
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
            self.line.push((" ".into(), None));
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

    fn finish(mut self) -> Vec<Vec<Span>> {
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
        let mut wrap = Wrap { width, ..Wrap::default() };
        for &(text, rank) in pieces {
            wrap.add(text, rank, marks);
        }
        let line = |line: Vec<Span>| line.into_iter().map(|(text, _)| text).collect();
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
