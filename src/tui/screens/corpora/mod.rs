//! The corpora of the store.

mod view;

use ratatui::text::Line;

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
pub struct Corpora;

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

    fn follow(
        row: &CorpusRow,
        _shown: &[&CorpusRow],
        _of: &Selection,
    ) -> (&'static str, Selection) {
        (corpus::NAME, Selection { corpus: Some(row.corpus.id), ..Selection::default() })
    }

    fn subject(_of: &Selection, row: Option<&CorpusRow>) -> Selection {
        let corpus = row.map(|row| &row.corpus);
        Selection {
            corpus: corpus.map(|corpus| corpus.id),
            corpus_name: corpus.map(|corpus| corpus.name.clone()),
            ..Selection::default()
        }
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
