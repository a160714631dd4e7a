//! The document that chunks were cut from: its topics, and its chunks in their order.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use serde_json::json;

use crate::records::column::{Column, First, Kind, Width};
use crate::tui::bench::Bench;
use crate::tui::keymap::{Action, Action as A, Keys, LIST, key};
use crate::tui::list::columns::{self, Sheet};
use crate::tui::list::{ListState, matches};
use crate::tui::question::{AnyQuestion, Asking, Question, Value};
use crate::tui::screen::{Extent, Screen, Subject, Visit, active_list};
use crate::tui::screens::corpus::question::{in_words, main_topics};
use crate::tui::screens::run::question::WORDS;
use crate::tui::screens::{corpora, corpus};
use crate::tui::view::table::{Listed, Table};
use crate::tui::view::{layout, parts};
use topoi_core::numbers::thousands;
use topoi_store::StoreError;
use topoi_store::corpus::chunk::Chunk;
use topoi_store::corpus::document::Document;

pub const NAME: &str = "Parent";

/// Chunks that are listed.
const ROWS: usize = 1000;
/// Topics of the whole that are named.
const TOPICS: usize = 6;
/// Lines for them.
const LINES: u16 = 3;

static KEYS: Keys = Keys::new(
    "Document in chunks",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "read", "read the chunk"),
        key(&["h", "Left"], A::Back, "", "back"),
    ],
);

#[derive(Debug, Clone, PartialEq)]
pub struct ParentQuestion {
    pub corpus: Option<i64>,
    /// A chunk of it.
    pub document: Option<i64>,
    /// The run whose topics it has.
    pub run: Option<i64>,
}

/// A document and its chunks.
#[derive(Debug, Clone, PartialEq)]
pub struct ParentSheet {
    /// The chunk that led here.
    pub chunk: Chunk,
    pub run: Option<i64>,
    /// The largest topics of the whole, in words; none without a run.
    pub topics: Vec<String>,
    pub rows: Vec<ChunkRow>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ChunkRow {
    pub document: Document,
    /// The topic that it is most about, in words.
    pub topic: String,
}

impl Question for ParentQuestion {
    /// `None` for a document that was not cut.
    type Answer = Option<Box<ParentSheet>>;

    fn ask(&self, asking: &mut Asking<'_>) -> Result<Self::Answer, StoreError> {
        let (store, recall) = (asking.store, &mut *asking.recall);
        let Some(id) = self.document else { return Ok(None) };
        let Some(chunk) = store.chunk(id)? else { return Ok(None) };
        let run = asking.runs.iter().find(|run| Some(run.id) == self.run);
        let run = run.filter(|run| Some(run.corpus_id) == self.corpus);
        let documents = store.chunks_of(chunk.parent_id, ROWS)?;
        let mut topics = Vec::new();
        let mut of_chunks = Vec::new();
        if let Some(run) = run {
            of_chunks = main_topics(store, recall, run, &documents)?;
            let names = recall.topics(store, run, WORDS)?;
            let all = store.topics_of_parent(run.id, chunk.parent_id)?;
            topics = all.into_iter().take(TOPICS).map(|topic| in_words(&names, topic)).collect();
        }
        of_chunks.resize(documents.len(), String::new());
        let rows = documents.into_iter().zip(of_chunks);
        let rows = rows.map(|(document, topic)| ChunkRow { document, topic }).collect();
        Ok(Some(Box::new(ParentSheet { chunk, run: run.map(|run| run.id), topics, rows })))
    }
}

fn chunk_columns() -> Vec<Column<ChunkRow>> {
    vec![
        Column::new("key", Kind::Text, |row: &ChunkRow| json!(row.document.key))
            .listed(Width::Share(2))
            .sorted(First::Smallest),
        Column::new("tokens", Kind::Count, |row: &ChunkRow| json!(row.document.tokens))
            .listed(Width::Cells(9))
            .sorted(First::Largest),
        Column::new("topic", Kind::Text, |row: &ChunkRow| json!(row.topic))
            .listed(Width::Share(1))
            .sorted(First::Smallest),
    ]
}

#[derive(Debug, Clone, Default)]
pub struct ParentScreen {
    corpus: Option<i64>,
    document: Option<i64>,
    run: Option<i64>,
    /// `None` before the first answer.
    answer: Option<Option<Box<ParentSheet>>>,
    list: ListState,
}

impl ParentScreen {
    fn sheet_of(&self) -> Option<&ParentSheet> {
        self.answer.as_ref()?.as_deref()
    }

    fn rows(&self) -> &[ChunkRow] {
        self.sheet_of().map_or(&[], |sheet| &sheet.rows)
    }

    fn arrange(&mut self) {
        let mut list = std::mem::take(&mut self.list);
        let holds = |row: &ChunkRow, filter: &str| {
            matches(filter, &row.document.key) || matches(filter, &row.topic)
        };
        let all = chunk_columns();
        list.arrange(self.rows(), holds, |row, by| columns::sort_key(&all, row, by));
        self.list = list;
    }

    fn follow(&self, bench: &mut Bench) {
        let rows = self.rows();
        if let Some(row) = self.list.selected(rows) {
            let documents = self.list.visible(rows).iter().map(|row| row.document.id).collect();
            let (corpus, run, document) = (self.corpus, self.run, Some(row.document.id));
            let subject = Subject { corpus, document, documents, run, ..Subject::default() };
            bench.follow(corpus::NAME, subject);
        }
    }

    fn title(&self) -> String {
        let Some(ParentSheet { chunk, .. }) = self.sheet_of() else {
            return "Document in chunks".into();
        };
        let title = chunk.title.as_ref().map(|title| format!(": {title}")).unwrap_or_default();
        format!("{}{title} ({} chunks)", chunk.parent, thousands(chunk.chunks))
    }

    fn topics(&self) -> String {
        match self.sheet_of() {
            Some(ParentSheet { run: Some(run), topics, .. }) if !topics.is_empty() => {
                let topics: Vec<&str> = topics.iter().map(|topic| topic.trim()).collect();
                format!("Topics of the whole by run {run}: {}", topics.join(", "))
            }
            Some(_) => "No run that is open has topics of it.".into(),
            None => String::new(),
        }
    }
}

impl Screen for ParentScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "Parent: a document and its chunks"
    }

    fn has_tab(&self) -> bool {
        false
    }

    fn keys(&self) -> Vec<&'static Keys> {
        vec![&KEYS, &LIST]
    }

    fn act(&mut self, action: Action, bench: &mut Bench) -> bool {
        match action {
            Action::Enter => self.follow(bench),
            _ => return false,
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        let (corpus, document, run) = (self.corpus, self.document, self.run);
        AnyQuestion::new(ParentQuestion { corpus, document, run })
    }

    fn receive(&mut self, answer: Value, _bench: &mut Bench) {
        if let Some(answer) = answer.take::<Option<Box<ParentSheet>>>() {
            self.answer = Some(answer);
            self.arrange();
        }
    }

    fn arrive(&mut self, visit: &Visit, bench: &mut Bench) {
        let Some(open) = visit.open.as_ref().filter(|open| open.document.is_some()) else { return };
        *self = Self {
            corpus: open.corpus.or(bench.open_corpus),
            document: open.document,
            run: open.run.or(bench.open_run),
            ..Self::default()
        };
    }

    fn back(&mut self, bench: &mut Bench) {
        bench.go(if bench.open_corpus.is_some() { corpus::NAME } else { corpora::NAME });
    }

    fn crumb(&self) -> Option<String> {
        Some(self.sheet_of().map_or("parent".into(), |sheet| sheet.chunk.parent.clone()))
    }

    fn draw(&self, bench: &Bench, area: Rect, buffer: &mut Buffer) {
        let inside = parts::titled(buffer, area, bench.look, &self.title());
        if matches!(self.answer, Some(None)) {
            let words = "This document is a whole: it was not cut into chunks.";
            parts::lines(buffer, inside, &parts::paragraph(words, inside.width, Style::new()));
            return;
        }
        let above = Rect { height: LINES.min(inside.height), ..inside };
        let topics = parts::paragraph(&self.topics(), inside.width, Style::new());
        parts::lines(buffer, above, &topics);
        let below =
            Rect { y: above.bottom(), height: inside.height.saturating_sub(LINES), ..inside };
        let all = chunk_columns();
        let listed = Listed::new(&all, below.width);
        let visible = self.list.visible(self.rows());
        let (columns, len) = (&listed.columns, visible.len());
        let table = Table { columns, list: &self.list, len, focused: true };
        table.draw(buffer, below, bench.look, |at| listed.cells(visible[at]));
    }

    active_list!(list);

    fn list_rows(&self, bench: &Bench) -> usize {
        layout::table_rows(bench.body()).saturating_sub(usize::from(LINES)).max(1)
    }

    fn extent(&self, _bench: &Bench) -> Option<Extent> {
        let (matching, all) = (self.list.len() as u64, self.rows().len() as u64);
        Some(Extent { before: 0, matching, all })
    }

    fn sort_columns(&self) -> Vec<(String, bool)> {
        columns::sorted_by(&chunk_columns())
    }

    fn rearrange(&mut self, _bench: &mut Bench) {
        self.arrange();
    }

    fn sheet(&self) -> Option<Sheet> {
        Some(columns::sheet("chunks", &chunk_columns(), self.list.visible(self.rows())))
    }

    fn subject(&self) -> Subject {
        let (corpus, document, run) = (self.corpus, self.document, self.run);
        Subject { corpus, document, run, ..Subject::default() }
    }
}
