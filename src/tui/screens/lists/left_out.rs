//! Documents of sources that are not in their corpus.

use ratatui::style::Style;
use ratatui::text::Line;

use crate::records::column::Column;
use crate::records::left_out::columns;
use crate::tui::keymap::{Action, BACK, Binding, Keys, enter, key};
use crate::tui::list::screen::{Back, FindResult, ListQuestion, ListSpec, Listing};
use crate::tui::question::QuestionContext;
use crate::tui::screen::Selection;
use crate::tui::screens::{corpora, corpus_or_corpora};
use crate::tui::view::layout::Shares;
use crate::tui::view::parts;
use crate::tui::workbench::Workbench;
use topoi_core::numbers::thousands;
use topoi_store::ingest::ledger::LedgerRow;

pub const NAME: &str = "Left out";

const SHOW: Action = Action::Own("left out");

#[derive(Debug, Clone, Default, PartialEq)]
pub struct LeftOut;

impl ListSpec for LeftOut {
    type About = ();
    type Row = LedgerRow;

    const NAME: &'static str = NAME;
    const HELP: &'static str = "Left out: documents of sources that are in no corpus, and why";
    const FILE: &'static str = "left-out";
    const NOTHING: &'static str =
        "Nothing was left out: every document of every source is in its corpus.";
    const BACK: Back = Some(corpus_or_corpora);
    const SHARES: Option<Shares> = Some(Shares { beside: 70, below: 65 });
    const COLUMNS: fn() -> Vec<Column<LedgerRow>> = columns;
    const KEYS: &'static Keys =
        &Keys::new("Left out", &[enter("corpora", "the corpora of the store"), BACK]);
    const SHORTCUTS: &'static [Binding] =
        &[key(&["g u"], SHOW, "", "documents that were left out, and why")];

    fn find(_asked: &ListQuestion<Self>, asking: &mut QuestionContext<'_>) -> FindResult<Self> {
        let rows = asking.store.left_out_of_corpus(None, false)?;
        Ok(Some(Listing { about: (), rows }))
    }

    fn title(_of: &Selection, listing: Option<&Listing<Self>>) -> String {
        let count = |listing: &Listing<Self>| {
            listing.rows.iter().map(|row| row.note.documents).sum::<u64>()
        };
        match listing.map_or(0, count) {
            0 => "Left out".into(),
            count => format!("Left out {}", thousands(count)),
        }
    }

    fn follow(
        _row: &LedgerRow,
        _shown: &[&LedgerRow],
        _of: &Selection,
    ) -> (&'static str, Selection) {
        (corpora::NAME, Selection::default())
    }

    fn act(
        &mut self,
        action: Action,
        _row: Option<&LedgerRow>,
        _workbench: &mut Workbench,
    ) -> bool {
        action == SHOW
    }

    fn detail(row: &LedgerRow, _workbench: &Workbench, width: u16) -> (String, Vec<Line<'static>>) {
        let said = [
            format!("{}: {}", row.note.kind.name(), row.note.reason),
            row.note.place.clone(),
            format!("ingest {} of corpus {}, {} UTC", row.ingest, row.corpus, row.at),
        ];
        let lines = said.iter().flat_map(|line| parts::paragraph(line, width, Style::new()));
        (row.note.key.clone(), lines.collect())
    }

    fn id(row: &LedgerRow) -> Option<i64> {
        Some(row.id)
    }
}
