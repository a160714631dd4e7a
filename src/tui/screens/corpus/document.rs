//! A document that is read: its text with coloured words, or its words with their counts.

use std::ops::Range;

use serde_json::json;

use super::question::{DocumentDetail, WordRow};
use super::wrap::{Span, Wrap};
use crate::records::column::{Column, First, Kind, Width};
use crate::tui::list::{Extent, ListState, matches};
use crate::tui::threads::cache::LegendTopic;
use topoi_run::notes::passage_near;
use topoi_run::saved::coloured_text::Piece;
use topoi_store::id::{DocumentId, RunId, TopicNumber};
use topoi_store::note::Passage;

/// Topics that have a colour: those of most words, as many as 16 colours tell apart.
pub const COLOURS: usize = 6;

/// The columns of a document's words.
pub fn word_columns() -> Vec<Column<WordRow>> {
    vec![
        Column::new("word", Kind::Text, |row: &WordRow| json!(row.word))
            .listed(Width::Share(1))
            .sorted(First::Smallest),
        Column::new("count", Kind::Count, |row: &WordRow| json!(row.count))
            .listed(Width::Cells(8))
            .sorted(First::Largest),
        Column::new("topic", Kind::Number, |row: &WordRow| json!(row.topic))
            .listed(Width::Cells(7))
            .sorted(First::Smallest),
    ]
}

/// The document that is read.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentState {
    pub id: DocumentId,
    /// The runs whose topics may colour the words: the first that has topics of this corpus does, else
    /// the newest that has when the document is opened.
    pub runs: Vec<RunId>,
    /// What is shown; `None` before the first answer.
    pub sheet: Option<Box<DocumentDetail>>,
    /// Its words are shown although it has a text.
    pub as_words: bool,
    /// Coloured words carry the number of their topic in the legend.
    pub marks: bool,
    /// The topic whose words are reversed.
    pub lit: Option<TopicNumber>,
    /// The search that found the document; what it finds is highlighted.
    pub query: Option<String>,
    /// The part of the text that led here.
    pub passage: Option<Passage>,
    /// The first line of the passage, or of what was looked for, is to be shown.
    seeks: bool,
    /// The documents of the list that led here, in its order.
    pub siblings: Vec<DocumentId>,
    /// The keys go to the legend.
    pub in_legend: bool,
    /// Where the user is in the legend.
    pub legend: ListState,
    /// The word of the text that is selected: the place of its piece.
    pub word: Option<usize>,
    /// Where the user is: the first line of the text that is seen, or a word.
    pub list: ListState,
    /// The text in lines of this number of cells.
    pub lines: Vec<Vec<Span>>,
    width: usize,
}

impl DocumentState {
    /// The document of this id, before it is read.
    pub fn new(id: DocumentId, marks: bool) -> Self {
        Self {
            id,
            runs: Vec::new(),
            sheet: None,
            as_words: false,
            marks,
            lit: None,
            in_legend: false,
            legend: ListState::default(),
            query: None,
            passage: None,
            seeks: false,
            word: None,
            siblings: Vec::new(),
            list: ListState::default(),
            lines: Vec::new(),
            width: 0,
        }
    }

    /// Takes what was read.
    pub fn receive(&mut self, sheet: Option<Box<DocumentDetail>>) {
        let other = self.sheet.as_ref().map(|sheet| sheet.document.id)
            != sheet.as_ref().map(|sheet| sheet.document.id);
        if other {
            self.word = None;
            let sort = self.list.sort.take();
            self.list = ListState::default();
            self.list.sort = sort;
            self.seeks = self.query.is_some() || self.passage.is_some();
        }
        if let Some(run) = sheet.as_ref().and_then(|sheet| sheet.run) {
            self.runs = vec![run];
        }
        self.sheet = sheet;
        self.width = 0;
        self.arrange();
        self.find_lit();
    }

    /// Whether words are shown: by choice, or because there is no text.
    pub fn shows_words(&self) -> bool {
        self.as_words || self.sheet.as_ref().is_some_and(|sheet| sheet.pieces.is_empty())
    }

    fn topics(&self) -> &[LegendTopic] {
        self.sheet.as_ref().map_or(&[], |sheet| &sheet.legend)
    }

    /// Moves to the legend, on the highlighted topic, or back to the text.
    pub fn turn_to_legend(&mut self) {
        self.in_legend = !self.in_legend && !self.topics().is_empty();
        self.find_lit();
        self.light();
    }

    /// Lights the words of the topic under the cursor of the legend.
    pub fn light(&mut self) {
        if self.in_legend {
            self.lit = self.selected_topic();
        }
    }

    /// Moves the cursor of the legend to the highlighted topic.
    fn find_lit(&mut self) {
        let mut legend = std::mem::take(&mut self.legend);
        let holds = |topic: &LegendTopic, filter: &str| {
            matches(filter, &topic.name) || topic.words.iter().any(|word| matches(filter, word))
        };
        legend.filter_rows(self.topics(), holds);
        legend.find(self.topics(), |topic| Some(topic.topic) == self.lit);
        self.legend = legend;
    }

    pub fn selected_topic(&self) -> Option<TopicNumber> {
        self.legend.selected(self.topics()).map(|topic| topic.topic)
    }

    /// The word under the cursor, where words are listed and the keys go to them.
    pub fn selected_word(&self) -> Option<&WordRow> {
        let words = self.sheet.as_ref().filter(|_| self.lists_words()).map(|sheet| &sheet.words);
        self.list.selected(words?)
    }

    /// Selects the next or previous coloured word of the text, from the line on that is seen first, and
    /// brings its line among the `rows` that are seen.
    pub fn step_word(&mut self, is_next: bool, rows: usize) {
        if self.shows_words() || self.in_legend {
            return;
        }
        let lines = self.list.visible(&self.lines);
        let coloured = |line: &&Vec<Span>| -> Vec<usize> {
            line.iter().filter(|span| span.rank.is_some()).map(|span| span.piece).collect()
        };
        let words: Vec<(usize, usize)> = lines
            .iter()
            .enumerate()
            .flat_map(|(at, line)| coloured(line).into_iter().map(move |piece| (at, piece)))
            .collect();
        let now = words.iter().position(|&(_, piece)| Some(piece) == self.word);
        let next = match (now, is_next) {
            (Some(now), true) => now + 1,
            (Some(now), false) => now.saturating_sub(1),
            (None, _) => words.iter().position(|&(at, _)| at >= self.list.cursor).unwrap_or(0),
        };
        let Some(&(line, piece)) = words.get(next) else { return };
        self.word = Some(piece);
        let lowest = (line + 1).saturating_sub(rows);
        self.list.cursor = self.list.cursor.clamp(lowest, line.max(lowest));
    }

    /// The term that is selected: in the list of words, else in the text.
    pub fn selected_term(&self) -> Option<String> {
        if let Some(row) = self.selected_word() {
            return Some(row.word.clone());
        }
        let in_text = self.word.filter(|_| !self.shows_words());
        self.sheet.as_ref()?.pieces.get(in_text?)?.term.clone()
    }

    /// Whether a piece of a line is of the selected word.
    pub fn is_selected(&self, span: &Span) -> bool {
        span.rank.is_some() && self.word == Some(span.piece)
    }

    /// Whether the keys go to a list of words.
    pub fn lists_words(&self) -> bool {
        self.shows_words() && !self.in_legend
    }

    /// The place of a topic in the legend, if it has a colour.
    pub fn rank(&self, topic: Option<TopicNumber>) -> Option<usize> {
        let legend = self.sheet.iter().flat_map(|sheet| &sheet.legend).take(COLOURS);
        topic.and_then(|topic| legend.into_iter().position(|entry| entry.topic == topic))
    }

    /// Breaks the text into lines of `width` cells, if it is not so broken already.
    pub fn wrap(&mut self, width: usize) {
        let Some(sheet) = self.sheet.as_ref().filter(|_| self.width != width) else { return };
        let rank = |piece: &Piece| self.rank(piece.topic);
        let mut wrap = Wrap::new(width.max(1));
        for (at, piece) in sheet.pieces.iter().enumerate() {
            wrap.piece = at;
            wrap.add(&piece.text, rank(piece), self.marks);
        }
        self.lines = wrap.finish();
        self.width = width;
        self.arrange();
        if std::mem::take(&mut self.seeks) {
            self.list.cursor = self.first_hit().saturating_sub(2);
        }
    }

    pub fn hits(&self) -> &[Range<usize>] {
        self.sheet.as_ref().map_or(&[], |sheet| &sheet.hits)
    }

    /// The bytes of the text that the passage has which led here.
    pub fn led_here(&self) -> Option<Range<usize>> {
        let (passage, sheet) = self.passage.as_ref().zip(self.sheet.as_ref())?;
        if passage.document != sheet.document.key {
            return None;
        }
        passage.place_in(&sheet.text)
    }

    /// The line of the passage that led here, else of the first hit.
    fn first_hit(&self) -> usize {
        let place = self.led_here().or(self.hits().first().cloned());
        place.map_or(0, |place| self.line_of(place.start))
    }

    /// The line that has the byte `at` of the text.
    fn line_of(&self, at: usize) -> usize {
        let begins = |line: &Vec<Span>| line.first().is_none_or(|span| span.at <= at);
        self.lines.iter().rposition(|line| !line.is_empty() && begins(line)).unwrap_or(0)
    }

    /// The passage that is meant: around the selected word, else what led here or the first hit, where it is on the
    /// screen of `rows` rows, else around the first line that is seen.
    pub fn passage_in_sight(&self, rows: usize) -> Option<Passage> {
        let sheet = self.sheet.as_ref().filter(|sheet| !sheet.text.trim().is_empty())?;
        let piece = |number: usize| -> Range<usize> {
            let start = sheet.pieces[..number].iter().map(|piece| piece.text.len()).sum();
            start..start + sheet.pieces[number].text.len()
        };
        let visible = self.list.visible(&self.lines);
        let seen = visible.iter().skip(self.list.cursor).take(rows.max(1));
        let mut seen = seen.filter_map(|line| Some((line.first()?.at, line.last()?)));
        let (first, last) = seen.next()?;
        let end = seen.next_back().map_or(last, |(_, last)| last);
        let shown = first..end.at + end.text.len();
        let is_seen = |place: &Range<usize>| shown.contains(&place.start);
        let word = self.word.filter(|&word| word < sheet.pieces.len()).map(piece).filter(is_seen);
        let hit = || self.hits().iter().find(|place| is_seen(place)).cloned();
        let place = word.or_else(|| self.led_here().filter(is_seen)).or_else(hit);
        let start = sheet.text.floor_char_boundary(shown.start);
        let place = place.unwrap_or(start..start);
        Some(passage_near(&sheet.document.key, &sheet.text, place))
    }

    /// Filters lines or words anew, and sorts words.
    pub fn arrange(&mut self) {
        if self.in_legend {
            return self.find_lit();
        }
        if !self.shows_words() {
            let holds = |line: &Vec<Span>, filter: &str| {
                matches(filter, &line.iter().map(|span| span.text.as_str()).collect::<String>())
            };
            self.list.filter_rows(&self.lines, holds);
            return;
        }
        let all = word_columns();
        self.list.arrange(
            self.sheet.as_ref().map_or(&[], |sheet| &sheet.words),
            &all,
            |row, filter| matches(filter, &row.word),
        );
    }

    pub fn visible_words(&self) -> Vec<&WordRow> {
        self.list.visible(self.sheet.as_ref().map_or(&[], |sheet| &sheet.words))
    }

    /// The cursor of a text is the first line on a screen of `rows` rows.
    pub fn set_page(&mut self, rows: usize) {
        if !self.shows_words() {
            let matching = (self.list.len() + 1).saturating_sub(rows).max(1);
            let all = self.lines.len() as u64;
            let extent = Extent { before: 0, matching: matching as u64, all };
            self.list.set_page(matching, Some(extent));
        }
    }

    /// Breaks the text anew, now with numbers at the words of topics or without.
    pub fn turn_marks(&mut self) {
        self.marks = !self.marks;
        self.width = 0;
    }
}
