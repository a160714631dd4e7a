//! The results that were kept with --save, each with its table beside it.

use ratatui::style::Style;
use ratatui::text::Line;

use crate::cli::rows::RowPrinter;
use crate::records::column::Column;
use crate::records::results::{columns, said_of};
use crate::tui::keymap::{Action, BACK, Binding, Keys, enter, key};
use crate::tui::list::screen::{Back, FindResult, ListQuestion, ListSpec, Listing};
use crate::tui::question::QuestionContext;
use crate::tui::screen::Selection;
use crate::tui::screens::{run, run_or_runs};
use crate::tui::view::layout::Shares;
use crate::tui::view::{parts, text};
use crate::tui::workbench::Workbench;
use serde_json::Value;
use topoi_core::numbers::thousands;
use topoi_store::StoreError;
use topoi_store::result::saved_result::{ResultContent, SavedResult};

pub const NAME: &str = "Results";

const SHOW: Action = Action::Own("results");
/// Rows of a table that are shown beside the list.
const ROWS: usize = 200;
/// What a table shows in a narrow place.
const NARROW: [&str; 11] =
    ["topic", "name", "term", "at", "estimate", "share", "low", "high", "p", "p_adjusted", "f"];

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Results;

/// A result, and what is shown of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultRow {
    result: SavedResult,
    table: Vec<String>,
    said: Vec<String>,
}

impl ListSpec for Results {
    type About = ();
    type Row = ResultRow;

    const NAME: &'static str = NAME;
    const HELP: &'static str = "Results: tables and figures that were kept";
    const FILE: &'static str = "results";
    const NOTHING: &'static str =
        "No result is kept: --save NAME of `topoi effects`, `by` and `plot` keeps one.";
    const BACK: Back = Some(run_or_runs);
    const SHARES: Option<Shares> = Some(Shares { beside: 40, below: 35 });
    const COLUMNS: fn() -> Vec<Column<ResultRow>> = || columns(|row: &ResultRow| &row.result);
    const KEYS: &'static Keys =
        &Keys::new("Results", &[enter("its run", "the run that the result was computed of"), BACK]);
    const SHORTCUTS: &'static [Binding] = &[key(&["g r"], SHOW, "", "results that were kept")];

    fn find(_asked: &ListQuestion<Self>, asking: &mut QuestionContext<'_>) -> FindResult<Self> {
        let row = |result: SavedResult| {
            let content = asking.store.result_content(&result)?;
            Ok::<_, StoreError>(ResultRow::new(result, &content))
        };
        let found = asking.store.results(None)?;
        let rows = found.into_iter().map(row).collect::<Result<Vec<ResultRow>, _>>()?;
        Ok(Some(Listing { about: (), rows }))
    }

    fn title(_of: &Selection, listing: Option<&Listing<Self>>) -> String {
        match listing.map_or(0, |listing| listing.rows.len()) {
            0 => "Results".into(),
            count => format!("Results {}", thousands(count as u64)),
        }
    }

    fn follow(
        row: &ResultRow,
        _shown: &[&ResultRow],
        _of: &Selection,
    ) -> (&'static str, Selection) {
        (run::NAME, Selection { run: Some(row.result.run), ..Selection::default() })
    }

    fn act(
        &mut self,
        action: Action,
        _row: Option<&ResultRow>,
        _workbench: &mut Workbench,
    ) -> bool {
        action == SHOW
    }

    fn detail(row: &ResultRow, _workbench: &Workbench, width: u16) -> (String, Vec<Line<'static>>) {
        let cells = usize::from(width);
        let said = row.said.iter().flat_map(|line| parts::paragraph(line, width, Style::new()));
        let table = row.table.iter().map(|line| Line::from(text::cut(&format!(" {line}"), cells)));
        (row.result.name.clone(), said.chain([Line::default()]).chain(table).collect())
    }

    fn id(row: &ResultRow) -> Option<i64> {
        Some(row.result.id)
    }
}

impl ResultRow {
    fn new(result: SavedResult, content: &ResultContent) -> Self {
        let ResultContent::Table { answer, columns, .. } = content else {
            let mut said = said_of(&result, &Value::Null);
            said.push("A figure: `topoi results NAME --into FILE` writes it.".into());
            return Self { result, table: Vec::new(), said };
        };
        let by = answer.get("by").and_then(Value::as_array).into_iter().flatten();
        let groups: Vec<&str> = by.filter_map(Value::as_str).collect();
        let is_shown =
            |key: &&String| NARROW.contains(&key.as_str()) || groups.contains(&key.as_str());
        let keys: Vec<String> = columns.iter().filter(is_shown).cloned().collect();
        let cells = |row: &Value| keys.iter().map(|key| row[key].clone()).collect();
        let rows = content.rows().iter().take(ROWS).map(cells);
        let mut table = RowPrinter::table_lines(keys.clone(), rows);
        if content.rows().len() > ROWS {
            table.push(format!("… {} rows in all", thousands(content.rows().len() as u64)));
        }
        let said = said_of(&result, answer);
        Self { result, table, said }
    }
}
