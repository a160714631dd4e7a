//! What the screen keeps: a query and its result.

use std::time::Duration;

use super::completion::Completion;
use super::prompt::Prompt;
use crate::tui::list::sorting::SortKey;
use crate::tui::list::{ListState, matches};
use crate::tui::message::Answered;
use crate::tui::view::text;
use topoi_store::query::{Cell, Limits, TableColumns};

/// What of a result is read and kept.
pub const LIMITS: Limits = Limits { rows: 10_000, bytes: 16 << 20, time: Duration::from_secs(60) };
/// A column is at most so wide, unless it is the last that is seen.
const WIDEST: usize = 48;
/// Rows whose cells tell how wide a column is.
const MEASURED: usize = 500;

/// The part the keys go to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SqlPane {
    #[default]
    Prompt,
    Rows,
}

/// A column of a result as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultColumn {
    pub name: String,
    /// Cells it takes.
    pub cells: usize,
    /// It holds numbers only.
    pub number: bool,
}

/// A result, ready to be drawn.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShownResult {
    pub answered: Answered,
    pub columns: Vec<ResultColumn>,
}

#[derive(Debug, Clone, Default)]
pub struct SqlScreen {
    /// The query that is typed.
    pub prompt: Prompt,
    /// What a half-typed word can become, after Tab.
    pub completion: Option<Completion>,
    /// The store's tables; empty before the first answer.
    pub tables: Vec<TableColumns>,
    /// Counts queries.
    pub ticket: u64,
    /// A query is being answered.
    pub running: bool,
    /// `None` before the first query, and after one that failed.
    pub shown: Option<Box<ShownResult>>,
    /// Why there is none.
    pub error: Option<String>,
    /// Where the user is among the rows.
    pub list: ListState,
    /// The first column that is seen.
    pub first_column: usize,
    /// The part the keys go to.
    pub pane: SqlPane,
}

impl SqlScreen {
    /// Takes the outcome of query `ticket`; one of an earlier query is dropped.
    pub fn receive_outcome(&mut self, ticket: u64, outcome: Result<Answered, String>) {
        if ticket != self.ticket {
            return;
        }
        self.running = false;
        match outcome {
            Ok(answered) => {
                self.error = None;
                self.list = ListState::default();
                self.first_column = 0;
                let columns = columns(&answered);
                self.shown = Some(Box::new(ShownResult { answered, columns }));
                self.arrange();
            }
            Err(error) => self.error = Some(error),
        }
    }

    /// The row at a place of the list.
    pub fn row(&self, place: usize) -> Option<&[Cell]> {
        let rows = &self.shown.as_ref()?.answered.result.rows;
        self.list.row(rows, place).map(Vec::as_slice)
    }

    pub fn arrange(&mut self) {
        let rows = self.shown.as_ref().map_or(&[][..], |shown| &shown.answered.result.rows);
        let columns = self.shown.as_ref().map_or(&[][..], |shown| &shown.columns);
        let place = |by: &str| columns.iter().position(|column| column.name == by);
        let sorted = self.list.sort.as_ref().and_then(|sort| place(&sort.by));
        self.list.arrange_indices(
            0..rows.len(),
            |at, filter| rows[at].iter().any(|cell| holds(filter, cell)),
            |at, _| match sorted.and_then(|column| rows[at].get(column)) {
                None | Some(Cell::Null) => SortKey::None,
                Some(Cell::Integer(number)) => SortKey::Number(*number as f64),
                Some(Cell::Real(number)) => SortKey::Number(*number),
                Some(Cell::Text(text)) => SortKey::text(text),
            },
        );
        self.list.sort_columns = columns.iter().map(|it| (it.name.clone(), false)).collect();
    }
}

/// A cell as shown in a list: `NULL` differs from an empty text, and a measured number has six
/// significant digits, as `printf("%g")` gives them.
pub fn short(cell: &Cell) -> String {
    match cell {
        Cell::Null => "NULL".into(),
        Cell::Text(text) => text.chars().take(400).collect(),
        Cell::Real(number) if number.fract() != 0.0 && number.is_finite() => {
            let rounded: f64 = format!("{number:.5e}").parse().unwrap_or(*number);
            match number.abs() {
                1e-5..1e6 => rounded.to_string(),
                _ => format!("{rounded:e}"),
            }
        }
        other => other.to_string(),
    }
}

fn holds(filter: &str, cell: &Cell) -> bool {
    match cell {
        Cell::Text(text) => matches(filter, text),
        other => matches(filter, &other.to_string()),
    }
}

fn columns(answered: &Answered) -> Vec<ResultColumn> {
    let result = &answered.result;
    let column = |(place, name): (usize, &String)| {
        let cells = result.rows.iter().take(MEASURED).map(|row| &row[place]);
        let wide = cells.clone().map(|cell| text::width(&text::cut(&short(cell), WIDEST)));
        let number = result.rows.iter().all(|row| !matches!(row[place], Cell::Text(_)));
        let name_cells = text::width(&text::cut(name, WIDEST));
        // One more, for the arrow of a sorted column.
        let cells = wide.max().unwrap_or(0).max(name_cells + 1);
        ResultColumn { name: text::clean(name), cells, number }
    };
    result.columns.iter().enumerate().map(column).collect()
}
