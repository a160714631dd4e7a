//! Screen 1: the corpora of the store.

use super::ListState;
use super::list::matches;
use super::sorting::{self, SortKey};
use crate::tui::data::CorpusRow;

/// What screen 1 shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CorporaState {
    /// All corpora; `None` before the first answer.
    pub rows: Option<Vec<CorpusRow>>,
    /// Where the user is.
    pub list: ListState,
}

impl CorporaState {
    /// The rows the filter lets through, in the order that is chosen.
    pub fn visible(&self) -> Vec<&CorpusRow> {
        let rows = self.rows.iter().flatten();
        let mut rows: Vec<&CorpusRow> =
            rows.filter(|row| matches(&self.list.filter, &row.corpus.name)).collect();
        sorting::sort(&mut rows, self.list.sort.as_ref(), |row, by| match by {
            "corpus" => SortKey::text(&row.corpus.name),
            "documents" => SortKey::count(row.corpus.documents),
            "terms" => SortKey::count(row.corpus.terms),
            "tokens" => SortKey::count(row.corpus.tokens),
            "runs" => SortKey::count(row.runs as u64),
            _ => SortKey::text(&row.corpus.created_at),
        });
        rows
    }

    /// The row under the cursor.
    pub fn selected(&self) -> Option<&CorpusRow> {
        self.visible().get(self.list.cursor).copied()
    }

    /// Takes new rows; the cursor stays on its corpus.
    pub fn receive(&mut self, rows: Vec<CorpusRow>) {
        let before = self.selected().map(|row| row.corpus.id);
        self.rows = Some(rows);
        let found = self.visible().iter().position(|row| Some(row.corpus.id) == before);
        self.list.cursor = found.unwrap_or(self.list.cursor);
    }
}
