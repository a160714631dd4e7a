//! The corpora of the store.

mod view;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::records::corpora::{self, CorpusRow};
use crate::tui::bench::Bench;
use crate::tui::jobs::JobKind;
use crate::tui::keymap::{Action, Action as A, Keys, LIST, key};
use crate::tui::list::columns::Sheet;
use crate::tui::list::{ListState, columns, matches};
use crate::tui::question::{AnyQuestion, Asking, Question, Value};
use crate::tui::remembered::{left_list, restore_list};
use crate::tui::screen::{Extent, Past, Screen, Subject, active_list};
use crate::tui::screens::corpus;
use crate::tui::view::layout;
use topoi_store::StoreError;

pub const NAME: &str = "Corpora";

static KEYS: Keys = Keys::new(
    "Corpora",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "open", "open the corpus"),
        key(&["i"], A::Job(JobKind::Ingest), "ingest", "ingest documents; asks first"),
        key(&["x"], A::Job(JobKind::Delete), "delete", "delete the corpus; asks first"),
        key(&["q"], A::Quit, "quit", "leave the workbench; runs go on"),
    ],
);

#[derive(Debug, Clone, PartialEq)]
pub struct CorporaQuestion;

impl Question for CorporaQuestion {
    type Answer = Vec<CorpusRow>;

    fn ask(&self, asking: &mut Asking<'_>) -> Result<Vec<CorpusRow>, StoreError> {
        corpora::corpora(asking.store, asking.runs)
    }
}

#[derive(Debug, Clone, Default)]
pub struct CorporaScreen {
    /// `None` before the first answer.
    pub rows: Option<Vec<CorpusRow>>,
    pub list: ListState,
}

impl CorporaScreen {
    fn rows(&self) -> &[CorpusRow] {
        self.rows.as_deref().unwrap_or_default()
    }

    fn arrange(&mut self) {
        let all = corpora::columns();
        self.list.arrange(
            self.rows.as_deref().unwrap_or_default(),
            |row, filter| matches(filter, &row.corpus.name),
            |row, by| columns::sort_key(&all, row, by),
        );
    }

    pub fn visible(&self) -> Vec<&CorpusRow> {
        self.list.visible(self.rows())
    }

    pub fn selected(&self) -> Option<&CorpusRow> {
        self.list.selected(self.rows())
    }
}

impl Screen for CorporaScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "Corpora"
    }

    fn keys(&self) -> Vec<&'static Keys> {
        vec![&KEYS, &LIST]
    }

    fn act(&mut self, action: Action, bench: &mut Bench) -> bool {
        if action != Action::Enter {
            return false;
        }
        if let Some(row) = self.selected() {
            let corpus = Some(row.corpus.id);
            bench.follow(corpus::NAME, Subject { corpus, ..Subject::default() });
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(CorporaQuestion)
    }

    fn receive(&mut self, answer: Value, _bench: &mut Bench) {
        let Some(rows) = answer.take::<Vec<CorpusRow>>() else { return };
        let before = self.selected().map(|row| row.corpus.id);
        self.rows = Some(rows);
        self.arrange();
        let rows = self.rows.as_deref().unwrap_or_default();
        self.list.find(rows, |row| Some(row.corpus.id) == before);
    }

    /// There is nothing above the corpora.
    fn back(&mut self, _bench: &mut Bench) {}

    fn draw(&self, bench: &Bench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, bench, area, buffer);
    }

    active_list!(list);

    fn list_rows(&self, bench: &Bench) -> usize {
        layout::table_rows(layout::split(view::SHARES, bench.body()).list)
    }

    fn extent(&self, _bench: &Bench) -> Option<Extent> {
        let (matching, all) = (self.list.len() as u64, self.rows().len() as u64);
        Some(Extent { before: 0, matching, all })
    }

    fn sort_columns(&self) -> Vec<(String, bool)> {
        columns::sorted_by(&corpora::columns())
    }

    fn rearrange(&mut self, _bench: &mut Bench) {
        self.arrange();
    }

    fn sheet(&self) -> Option<Sheet> {
        Some(columns::sheet("corpora", &corpora::columns(), self.visible()))
    }

    fn subject(&self) -> Subject {
        let corpus = self.selected().map(|row| &row.corpus);
        Subject {
            corpus: corpus.map(|corpus| corpus.id),
            corpus_name: corpus.map(|corpus| corpus.name.clone()),
            ..Subject::default()
        }
    }

    fn remember(&self) -> serde_json::Value {
        left_list(&self.list)
    }

    fn restore(&mut self, left: &serde_json::Value, _past: &Past<'_>, _bench: &mut Bench) {
        restore_list(left, &mut self.list);
    }
}
