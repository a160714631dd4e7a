//! What a screen shows as a plain table, for copying and export: whole values, all rows that the
//! filter lets through, in the order they are shown in.

use crate::tui::screen::Screen;
use topoi::store::query::Cell;

/// A table of values.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sheet {
    /// What it is, as the beginning of a file's name.
    pub name: String,
    /// The columns' names.
    pub columns: Vec<String>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

impl Sheet {
    pub fn new(name: impl Into<String>, columns: &[&str], rows: Vec<Vec<Cell>>) -> Self {
        let columns = columns.iter().map(|column| column.to_string()).collect();
        Self { name: name.into(), columns, rows }
    }

    /// The rows as lines with tabs between cells; blanks stand for tabs and line ends in cells.
    pub fn lines(&self) -> String {
        let line = |cells: Vec<String>| cells.join("\t") + "\n";
        let plain = |cell: &Cell| cell.to_string().replace(['\t', '\n', '\r'], " ");
        self.rows.iter().map(|row| line(row.iter().map(plain).collect())).collect()
    }

    /// The names of the columns as a line, then [`Sheet::lines`].
    pub fn table(&self) -> String {
        self.columns.join("\t") + "\n" + &self.lines()
    }
}

pub fn text(text: &str) -> Cell {
    Cell::Text(text.into())
}

pub fn count(number: u64) -> Cell {
    i64::try_from(number).map_or_else(|_| Cell::Text(number.to_string()), Cell::Integer)
}

/// The row under the cursor of a screen's list.
pub fn row(screen: &dyn Screen) -> Option<Sheet> {
    let mut sheet = screen.sheet()?;
    let place = screen.list()?.cursor;
    sheet.rows = sheet.rows.into_iter().nth(place).into_iter().collect();
    (!sheet.rows.is_empty()).then_some(sheet)
}
