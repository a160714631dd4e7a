//! Screen 4: the runs, live.

use super::ListState;
use super::list::matches;
use super::sorting::{self, SortKey};
use crate::tui::data::{RunDetail, RunRow};

/// What screen 4 shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunsState {
    /// All runs, newest first; `None` before the first answer.
    pub rows: Option<Vec<RunRow>>,
    /// The selected run in full, once it has come.
    pub detail: Option<Box<RunDetail>>,
    /// A run to select when it appears.
    pub wanted: Option<i64>,
    /// The marked runs, in the order in which they were marked.
    pub marked: Vec<i64>,
    /// Where the user is.
    pub list: ListState,
}

impl RunsState {
    /// The rows the filter lets through, in the order that is chosen.
    pub fn visible(&self) -> Vec<&RunRow> {
        let shown = |row: &&RunRow| {
            let run = &row.run;
            let text = format!("{} {} {} {}", run.id, run.corpus, run.model, row.word());
            matches(&self.list.filter, &text)
        };
        let mut rows: Vec<&RunRow> = self.rows.iter().flatten().filter(shown).collect();
        sorting::sort(&mut rows, self.list.sort.as_ref(), |row, by| match by {
            "run" => SortKey::Number(row.run.id as f64),
            "corpus" => SortKey::text(&row.run.corpus),
            "model" => SortKey::text(&row.run.model),
            "k" => SortKey::count(row.run.k),
            "left" => row.seconds_left.map_or(SortKey::None, SortKey::Number),
            _ => SortKey::text(row.word()),
        });
        rows
    }

    /// The row under the cursor.
    pub fn selected(&self) -> Option<&RunRow> {
        self.visible().get(self.list.cursor).copied()
    }

    /// Takes new rows; the cursor stays on its run, or goes to the one that is wanted.
    pub fn receive(&mut self, rows: Vec<RunRow>, detail: Option<Box<RunDetail>>) {
        let before = self.wanted.or(self.selected().map(|row| row.run.id));
        self.rows = Some(rows);
        self.detail = detail;
        let found = self.visible().iter().position(|row| Some(row.run.id) == before);
        if let Some(row) = found {
            self.list.cursor = row;
            self.wanted = None;
        }
    }
}
