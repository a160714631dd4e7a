//! The documents that are most like one: by what they are about in a run, or by their words.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::records::found;
use crate::tui::bench::Bench;
use crate::tui::keymap::{Action, Action as A, Keys, LIST, key};
use crate::tui::list::columns::{self, Sheet};
use crate::tui::list::{ListState, matches};
use crate::tui::question::{AnyQuestion, Asking, Question, Value};
use crate::tui::screen::{Extent, Screen, Subject, Visit, active_list};
use crate::tui::screens::corpus::question::names;
use crate::tui::screens::{corpora, corpus};
use crate::tui::view::table::{Listed, Table};
use crate::tui::view::{layout, parts};
use topoi_run::saved::similar::{SimilarDocument, by_topics, by_words};
use topoi_store::StoreError;
use topoi_store::corpus::document::Document;

pub const NAME: &str = "Similar";

/// Documents that are listed.
const ROWS: usize = 200;
const OTHER_MEASURE: Action = Action::Own("by topics or words");

static KEYS: Keys = Keys::new(
    "Documents like one",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "read", "read the document"),
        key(&["w"], OTHER_MEASURE, "topics/words", "compare topics, or words"),
        key(&["h", "Left"], A::Back, "", "back"),
    ],
);

#[derive(Debug, Clone, PartialEq)]
pub struct SimilarQuestion {
    pub corpus: Option<i64>,
    pub document: Option<i64>,
    /// The run whose topics are compared; without one, or where it did not look at the document, words
    /// are.
    pub run: Option<i64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SimilarAnswer {
    /// The key of the document that others are compared with.
    pub key: String,
    /// The run whose topics were compared; `None` for words.
    pub by: Option<i64>,
    pub rows: Vec<SimilarDocument>,
}

impl Question for SimilarQuestion {
    /// `None` without a document.
    type Answer = Option<Box<SimilarAnswer>>;

    fn ask(&self, asking: &mut Asking<'_>) -> Result<Self::Answer, StoreError> {
        let store = asking.store;
        let (Some(corpus), Some(id)) = (self.corpus, self.document) else { return Ok(None) };
        let Some(document) = store.document(id)? else { return Ok(None) };
        let corpus = store.corpus_by_id(corpus)?;
        let run = asking.runs.iter().find(|run| Some(run.id) == self.run);
        let run = run.filter(|run| run.corpus_id == corpus.id);
        let read = || {
            let found = run.map(|run| by_topics(store, run, id, ROWS)).transpose()?.flatten();
            let (by, mut rows) = match found {
                Some(rows) => (run.map(|run| run.id), rows),
                None => (None, by_words(store, &corpus, id, ROWS)?),
            };
            let documents: Vec<Document> = rows.iter().map(|row| row.document.clone()).collect();
            for (row, name) in rows.iter_mut().zip(names(store, &documents)?) {
                row.document.title = Some(name);
            }
            Ok((by, rows))
        };
        let version = store.documents_version()?;
        let (by, rows) = asking.recall.answered(self, &corpus, version, read)?;
        Ok(Some(Box::new(SimilarAnswer { key: document.key, by, rows })))
    }
}

#[derive(Debug, Clone, Default)]
pub struct SimilarScreen {
    corpus: Option<i64>,
    document: Option<i64>,
    run: Option<i64>,
    /// Words are compared although there may be topics.
    by_words: bool,
    /// `None` before the first answer.
    answer: Option<Option<Box<SimilarAnswer>>>,
    list: ListState,
}

impl SimilarScreen {
    fn rows(&self) -> &[SimilarDocument] {
        self.answer.as_ref().and_then(Option::as_ref).map_or(&[], |answer| &answer.rows)
    }

    fn arrange(&mut self) {
        let mut list = std::mem::take(&mut self.list);
        let holds = |row: &SimilarDocument, filter: &str| {
            matches(filter, &row.document.key)
                || matches(filter, row.document.title.as_deref().unwrap_or_default())
        };
        list.arrange(self.rows(), holds, |row, by| columns::sort_key(&found::similar(), row, by));
        self.list = list;
    }

    fn follow(&self, bench: &mut Bench) {
        let rows = self.rows();
        if let Some(row) = self.list.selected(rows) {
            let documents = self.list.visible(rows).iter().map(|row| row.document.id).collect();
            let document = Some(row.document.id);
            let (corpus, run) = (self.corpus, self.run);
            let subject = Subject { corpus, document, documents, run, ..Subject::default() };
            bench.follow(corpus::NAME, subject);
        }
    }

    fn title(&self) -> String {
        match self.answer.as_ref().and_then(Option::as_ref) {
            None => "Documents like one".into(),
            Some(answer) => match answer.by {
                Some(run) => format!("Documents like {}, by their topics in run {run}", answer.key),
                None => format!("Documents like {}, by their words", answer.key),
            },
        }
    }
}

impl Screen for SimilarScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "Similar: documents like one"
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
            OTHER_MEASURE => self.by_words = !self.by_words,
            _ => return false,
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        let run = self.run.filter(|_| !self.by_words);
        AnyQuestion::new(SimilarQuestion { corpus: self.corpus, document: self.document, run })
    }

    fn receive(&mut self, answer: Value, _bench: &mut Bench) {
        if let Some(answer) = answer.take::<Option<Box<SimilarAnswer>>>() {
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
        let answer = self.answer.as_ref().and_then(Option::as_ref);
        Some(answer.map_or("similar".into(), |answer| format!("like {}", answer.key)))
    }

    fn draw(&self, bench: &Bench, area: Rect, buffer: &mut Buffer) {
        let inside = parts::titled(buffer, area, bench.look, &self.title());
        if matches!(self.answer, Some(None)) {
            let words = "No document was chosen: D while a document is read.";
            parts::lines(buffer, inside, &parts::paragraph(words, inside.width, Style::new()));
            return;
        }
        let all = found::similar();
        let listed = Listed::new(&all, inside.width);
        let visible = self.list.visible(self.rows());
        let (columns, len) = (&listed.columns, visible.len());
        let table = Table { columns, list: &self.list, len, focused: true };
        table.draw(buffer, inside, bench.look, |at| listed.cells(visible[at]));
    }

    active_list!(list);

    fn list_rows(&self, bench: &Bench) -> usize {
        layout::table_rows(bench.body())
    }

    fn extent(&self, _bench: &Bench) -> Option<Extent> {
        let (matching, all) = (self.list.len() as u64, self.rows().len() as u64);
        Some(Extent { before: 0, matching, all })
    }

    fn sort_columns(&self) -> Vec<(String, bool)> {
        columns::sorted_by(&found::similar())
    }

    fn rearrange(&mut self, _bench: &mut Bench) {
        self.arrange();
    }

    fn sheet(&self) -> Option<Sheet> {
        Some(columns::sheet("similar", &found::similar(), self.list.visible(self.rows())))
    }

    fn subject(&self) -> Subject {
        let (corpus, document, run) = (self.corpus, self.document, self.run);
        Subject { corpus, document, run, ..Subject::default() }
    }
}
