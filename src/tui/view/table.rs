//! Tables: named columns, a cursor, only the rows that are seen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::records::column::{self, Kind, Width};
use crate::tui::list::ListState;
use crate::tui::view::look::Look;
use crate::tui::view::text;
const GAP: usize = 2;
/// Cells for the mark of the selected row.
const MARK: usize = 2;

/// A column as it is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    pub title: &'a str,
    pub width: Width,
    /// Numbers stand at the right.
    pub right: bool,
}

impl<'a> Column<'a> {
    pub fn text(title: &'a str, width: Width) -> Self {
        Self { title, width, right: false }
    }
    pub fn number(title: &'a str, cells: usize) -> Self {
        Self { title, width: Width::Cells(cells), right: true }
    }

    fn fit(&self, content: &str, cells: usize) -> String {
        if self.right { text::right(content, cells) } else { text::left(content, cells) }
    }
}

/// The cells of each column in a table of this width.
pub fn widths(columns: &[Column], width: u16) -> Vec<usize> {
    let gaps = GAP * columns.len().saturating_sub(1) + MARK;
    let (mut fixed, mut shares) = (gaps, 0);
    for column in columns {
        match column.width {
            Width::Cells(cells) => fixed += cells,
            Width::Share(parts) => shares += parts,
        }
    }
    let left = usize::from(width).saturating_sub(fixed);
    let of = |column: &Column| match column.width {
        Width::Cells(cells) => cells,
        Width::Share(parts) => left * parts / shares.max(1),
    };
    columns.iter().map(of).collect()
}

/// The columns of a record that a list has room for.
pub struct Listed<'a, R> {
    records: Vec<&'a column::Column<R>>,
    pub columns: Vec<Column<'a>>,
}

impl<'a, R> Listed<'a, R> {
    pub fn new(all: &'a [column::Column<R>], width: u16) -> Self {
        let records = all.iter().filter_map(|record| Some((record, record.width(width)?)));
        let column = |(record, width): (&'a column::Column<R>, Width)| {
            let right = record.kind.is_at_the_right();
            (record, Column { title: &record.title, width, right })
        };
        let (records, columns) = records.map(column).unzip();
        Self { records, columns }
    }

    /// The place of a column among those there is room for.
    pub fn place(&self, title: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.title == title)
    }

    pub fn cells(&self, row: &R) -> Vec<Span<'static>> {
        self.records.iter().map(|record| Span::raw(cell(record, row))).collect()
    }
}

fn cell<R>(column: &column::Column<R>, row: &R) -> String {
    if let Some(text) = column.list_text(row) {
        return text;
    }
    let value = column.cell(row);
    let number = |write: fn(f64) -> String| value.as_f64().map(write).unwrap_or_default();
    let words = value.as_str().unwrap_or_default();
    match column.kind {
        Kind::Text => words.to_string(),
        Kind::Number => value.as_i64().map(|number| number.to_string()).unwrap_or_default(),
        Kind::Count => value.as_u64().map(text::count).unwrap_or_default(),
        Kind::Measure => number(text::measure),
        Kind::Share => number(text::percent),
        Kind::Seconds => number(text::duration),
        Kind::Time => text::date(words),
        Kind::Drawn => String::new(),
    }
}

/// What a table is drawn from.
pub struct Table<'a> {
    pub columns: &'a [Column<'a>],
    pub list: &'a ListState,
    pub len: usize,
    /// Whether the keys go to it.
    pub focused: bool,
}

impl Table<'_> {
    /// Draws the table; `row` gives the cells of a row, one a column.
    pub fn draw(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        look: Look,
        row: impl Fn(usize) -> Vec<Span<'static>>,
    ) {
        if area.height < 2 {
            return;
        }
        let widths = widths(self.columns, area.width);
        let titles = self.columns.iter().map(|column| self.title(column, look));
        self.line(buffer, area, area.y, &widths, "  ", titles);
        let shown = self.list.window(self.len, usize::from(area.height - 1));
        for (y, index) in (area.y + 1..).zip(shown) {
            let selected = index == self.list.cursor;
            let mark = if selected { "> " } else { "  " };
            self.line(buffer, area, y, &widths, mark, row(index).into_iter());
            if selected && self.focused {
                let whole = Rect { y, height: 1, ..area };
                buffer.set_style(whole, look.selected());
            }
        }
    }

    /// The name of a column, with an arrow if the list is sorted by it.
    fn title(&self, column: &Column, look: Look) -> Span<'static> {
        let sort = self.list.sort.as_ref().filter(|sort| sort.by == column.title);
        let arrow = sort.map_or("", |sort| if sort.descending { "↓" } else { "↑" });
        Span::styled(format!("{}{arrow}", column.title), look.heading())
    }

    fn line<'s>(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        y: u16,
        widths: &[usize],
        mark: &str,
        cells: impl Iterator<Item = Span<'s>>,
    ) {
        let mut spans = vec![Span::raw(mark.to_string())];
        for (index, ((column, &width), cell)) in
            self.columns.iter().zip(widths).zip(cells).enumerate()
        {
            if index > 0 {
                spans.push(Span::raw(" ".repeat(GAP)));
            }
            spans.push(Span::styled(column.fit(&cell.content, width), cell.style));
        }
        buffer.set_line(area.x, y, &Line::from(spans), area.width);
    }
}
