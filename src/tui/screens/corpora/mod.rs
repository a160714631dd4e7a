//! The corpora of the store.

mod marked;
mod view;

use ratatui::text::Line;

use self::marked::{COMPARE, MARK, Marked};
use crate::records::column::Column;
use crate::records::corpora::{self, CorpusRow};
use crate::tui::keymap::{Action as A, Keys, enter, key};
use crate::tui::list::screen::{FindResult, ListQuestion, ListSpec, Listing};
use crate::tui::overlays::job::kind::JobKind;
use crate::tui::question::QuestionContext;
use crate::tui::screen::Selection;
use crate::tui::screens::corpus;
use crate::tui::view::layout::Shares;
use crate::tui::workbench::Workbench;
use topoi_core::numbers::thousands;

pub const NAME: &str = "Corpora";

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Corpora {
    marked: Marked,
}

impl ListSpec for Corpora {
    type About = ();
    type Row = CorpusRow;

    const NAME: &'static str = NAME;
    const HELP: &'static str = "Corpora";
    const FILE: &'static str = "corpora";
    const NOTHING: &'static str = "There is no corpus yet.";
    const HAS_TAB: bool = true;
    const SHARES: Option<Shares> = Some(Shares { beside: 55, below: 55 });
    const COLUMNS: fn() -> Vec<Column<CorpusRow>> = corpora::columns;
    const KEYS: &'static Keys = &Keys::new(
        "Corpora",
        &[
            enter("open", "open the corpus"),
            key(&["Space"], MARK, "", "mark the corpus, to compare it with another"),
            key(&["c"], COMPARE, "", "how it differs from the marked one"),
            key(&["i"], A::Job(JobKind::Ingest), "ingest", "ingest documents; asks first"),
            key(&["x"], A::Job(JobKind::Delete), "delete", "delete the corpus; asks first"),
            key(&["q"], A::Quit, "quit", "leave the workbench; runs go on"),
        ],
    );

    fn find(_asked: &ListQuestion<Self>, asking: &mut QuestionContext<'_>) -> FindResult<Self> {
        let rows = corpora::corpora(asking.store, asking.runs)?;
        Ok(Some(Listing { about: (), rows }))
    }

    fn title(_of: &Selection, listing: Option<&Listing<Self>>) -> String {
        match listing.map_or(0, |listing| listing.rows.len()) {
            0 => "Corpora".into(),
            count => format!("Corpora {}", thousands(count as u64)),
        }
    }

    fn follow(row: &CorpusRow, _: &[&CorpusRow], _: &Selection) -> (&'static str, Selection) {
        (corpus::NAME, Selection { corpus: Some(row.corpus.id), ..Selection::default() })
    }

    fn subject(_of: &Selection, row: Option<&CorpusRow>) -> Selection {
        let of = |row: &CorpusRow| (row.corpus.id, row.corpus.name.clone());
        let (corpus, corpus_name) = row.map(of).unzip();
        Selection { corpus, corpus_name, ..Selection::default() }
    }

    fn act(&mut self, action: A, row: Option<&CorpusRow>, workbench: &mut Workbench) -> bool {
        row.is_some_and(|row| self.marked.act(action, &row.corpus, workbench))
    }

    fn empty(workbench: &Workbench, width: u16) -> Vec<Line<'static>> {
        view::first_steps(workbench, width)
    }

    fn detail(row: &CorpusRow, workbench: &Workbench, width: u16) -> (String, Vec<Line<'static>>) {
        (row.corpus.name.clone(), view::detail(row, workbench.look, width))
    }

    fn id(row: &CorpusRow) -> Option<i64> {
        Some(row.corpus.id.0)
    }
}
