//! Tables: named columns, a cursor, only the rows that are seen.
//!
//! A number is never cut, nor the head of a column: a column becomes as wide as its longest cell, and
//! columns that have no room are reached by scrolling sideways, which a mark says.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use topoi_core::numbers::{four_digits, thousands};

use crate::records::column::{self, Kind, Width};
use crate::tui::list::ListState;
use crate::tui::view::hit_areas::{self, Target};
use crate::tui::view::look::Appearance;
use crate::tui::view::text;

const GAP: usize = 2;
/// Cells for the mark of the selected row.
const MARK: usize = 2;
/// Minimum width in cells of a column that shares what the others leave.
const LEAST_SHARE: usize = 8;
/// Cells for the sign that there are columns to the right.
const MORE: usize = 2;

/// A column as it is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    pub title: &'a str,
    pub width: Width,
    /// Aligned at the right, as numbers are.
    pub right: bool,
    /// Only a wider list has room for it; scrolling sideways leads there.
    pub beyond: bool,
    /// Of a cell without room the end is shown.
    pub end: bool,
}

impl<'a> Column<'a> {
    pub fn text(title: &'a str, width: Width) -> Self {
        Self { title, width, right: false, beyond: false, end: false }
    }
    pub fn number(title: &'a str, cells: usize) -> Self {
        Self { title, width: Width::Cells(cells), right: true, beyond: false, end: false }
    }

    fn fit(&self, content: &str, cells: usize) -> String {
        match (self.right, self.end) {
            (true, _) => text::align_right(content, cells),
            (false, true) => text::align_left(&text::cut_start(content, cells), cells),
            (false, false) => text::align_left(content, cells),
        }
    }
}

/// The cells of each column in a table of this width, where nothing needs more than its own.
pub fn widths(columns: &[Column], width: u16) -> Vec<usize> {
    let least = columns.iter().map(least).collect::<Vec<_>>();
    let more = if columns.iter().any(|column| column.beyond) { MORE as u16 } else { 0 };
    let width = width.saturating_sub(more);
    let drawn: Vec<usize> = (0..columns.len()).filter(|&at| !columns[at].beyond).collect();
    let mut widths = vec![0; columns.len()];
    for (at, cells) in drawn.iter().zip(share_out(columns, &drawn, &least, width.into())) {
        widths[*at] = cells;
    }
    widths
}

/// The fewest cells a column may have.
fn least(column: &Column) -> usize {
    match column.width {
        Width::Cells(cells) => cells.max(text::width(column.title)),
        Width::Share(_) => text::width(column.title).max(LEAST_SHARE),
    }
}

/// The cells of the drawn columns: what each needs, and what is left to those that share it.
fn share_out(columns: &[Column], drawn: &[usize], least: &[usize], width: usize) -> Vec<usize> {
    let (mut fixed, mut shares) = (GAP * drawn.len().saturating_sub(1) + MARK, 0);
    for &at in drawn {
        match columns[at].width {
            Width::Cells(_) => fixed += least[at],
            Width::Share(parts) => shares += parts,
        }
    }
    let left = width.saturating_sub(fixed);
    let of = |&at: &usize| match columns[at].width {
        Width::Cells(_) => least[at],
        Width::Share(parts) => left * parts / shares.max(1),
    };
    drawn.iter().map(of).collect()
}

/// The columns of a record in a list: those it has room for, then those that only wider ones have.
pub struct RecordColumns<'a, R> {
    records: Vec<&'a column::Column<R>>,
    pub columns: Vec<Column<'a>>,
}

impl<'a, R> RecordColumns<'a, R> {
    pub fn new(all: &'a [column::Column<R>], width: u16) -> Self {
        let room = |record: &'a column::Column<R>| {
            let wider = || record.widths.first().map(|(_, width)| *width);
            let (width, beyond) = match record.width(width) {
                Some(width) => (width, false),
                None => (wider()?, true),
            };
            let right = record.kind.is_at_the_right();
            // The ends of keys tell them apart: numbers of chunks, names of files.
            let end = record.name == "key";
            Some((record, Column { title: &record.title, width, right, beyond, end }))
        };
        let (here, beyond): (Vec<_>, Vec<_>) =
            all.iter().filter_map(room).partition(|(_, column)| !column.beyond);
        let (records, columns) = here.into_iter().chain(beyond).unzip();
        Self { records, columns }
    }

    /// Those that the user has chosen for the list of this name, in their order, then the others.
    pub fn chosen(self, list: &str, look: Appearance) -> Self {
        let titles = look.columns.and_then(|columns| columns.get(list));
        let Some(titles) = titles else { return self };
        let place = |title: &str| titles.iter().position(|chosen| chosen == title);
        let mut pairs: Vec<_> = self.records.into_iter().zip(self.columns).collect();
        if pairs.iter().any(|(_, column)| place(column.title).is_some()) {
            pairs.sort_by_key(|(_, column)| place(column.title).unwrap_or(usize::MAX));
            for (_, column) in &mut pairs {
                column.beyond = place(column.title).is_none();
            }
        }
        let (records, columns) = pairs.into_iter().unzip();
        Self { records, columns }
    }

    /// The place of a column.
    pub fn place(&self, title: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.title == title)
    }

    pub fn cells(&self, row: &R) -> Vec<Span<'static>> {
        self.records.iter().map(|record| Span::raw(cell(record, row))).collect()
    }

    /// Draws the rows of the list the keys go to.
    pub fn draw_rows(
        &self,
        list: &ListState,
        rows: &[R],
        look: Appearance,
        area: Rect,
        buffer: &mut Buffer,
    ) {
        let visible = list.visible(rows);
        let table = Table { columns: &self.columns, list, len: visible.len(), focused: true };
        table.draw(buffer, area, look, |at| self.cells(visible[at]));
    }
}

fn cell<R>(column: &column::Column<R>, row: &R) -> String {
    if let Some(text) = column.list_text(row) {
        return text;
    }
    if let Some((value, error)) = column.estimate(row) {
        return text::estimate(value, Some(error));
    }
    let value = column.cell(row);
    let number = |write: fn(f64) -> String| value.as_f64().map(write).unwrap_or_default();
    let words = value.as_str().unwrap_or_default();
    match column.kind {
        Kind::Text => words.to_string(),
        Kind::Number => value.as_i64().map(|number| number.to_string()).unwrap_or_default(),
        Kind::Count => value.as_u64().map(thousands).unwrap_or_default(),
        Kind::Measure => number(four_digits),
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

/// The columns of a table that are on the screen.
#[derive(Debug)]
struct Window {
    /// (which column, its first cell, its cells).
    drawn: Vec<(usize, usize, usize)>,
    /// There are columns to the left of the second one.
    before: bool,
    /// There are columns to the right.
    after: bool,
}

impl Table<'_> {
    /// Draws the table; `row` gives the cells of a row, one a column.
    pub fn draw(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        look: Appearance,
        row: impl Fn(usize) -> Vec<Span<'static>>,
    ) {
        if area.height < 2 || self.columns.is_empty() {
            return;
        }
        let shown = self.list.window(self.len, usize::from(area.height - 1));
        let rows: Vec<Vec<Span>> = shown.clone().map(row).collect();
        let window = self.window(&self.least(&rows), area.width.into());
        self.heads(buffer, area, look, &window);
        for (y, (index, cells)) in (area.y + 1..).zip(shown.zip(&rows)) {
            let selected = index == self.list.cursor;
            let whole = Rect { y, height: 1, ..area };
            buffer.set_string(area.x, y, if selected { "> " } else { "  " }, look.plain());
            for &(at, x, width) in &window.drawn {
                let Some(cell) = cells.get(at) else { continue };
                let content = self.columns[at].fit(&cell.content, width);
                let place = cell_area(area, x, width, y);
                let line = Line::from(Span::styled(content, cell.style));
                buffer.set_line(place.x, y, &line, place.width);
                #[cfg(test)]
                hit_areas::note(hit_areas::Cell {
                    area: place,
                    content: cell.content.to_string(),
                    whole: self.columns[at].right,
                    head: false,
                    end: self.columns[at].end,
                });
            }
            if selected && self.focused {
                buffer.set_style(whole, look.selected());
            }
            hit_areas::mark(whole, Target::Row { place: index, focused: self.focused });
        }
    }

    /// The fewest cells each column needs for these rows.
    fn least(&self, rows: &[Vec<Span>]) -> Vec<usize> {
        let widest = |at: usize| {
            let cells = rows.iter().filter_map(|row| row.get(at));
            cells.map(|cell| text::width(&cell.content)).max().unwrap_or(0)
        };
        let of = |(at, column): (usize, &Column)| match column.right {
            true => least(column).max(widest(at)),
            false => least(column),
        };
        self.columns.iter().enumerate().map(of).collect()
    }

    /// Which columns are drawn where. The first one always is; the second one is that to which the
    /// list is scrolled, or the first from which the one it is sorted by can be seen.
    fn window(&self, least: &[usize], width: usize) -> Window {
        let last = self.columns.len().saturating_sub(2);
        let sorted = self.list.sort.as_ref().filter(|_| !self.list.scrolled);
        let sorted = sorted.and_then(|sort| self.columns.iter().position(|it| it.title == sort.by));
        let mut shift = if self.list.scrolled { self.list.shift.min(last) } else { 0 };
        loop {
            let window = self.window_from(shift, least, width);
            let is_drawn = |at| window.drawn.iter().any(|&(drawn, ..)| drawn == at);
            if shift == last || sorted.is_none_or(is_drawn) {
                return window;
            }
            shift += 1;
        }
    }

    fn window_from(&self, shift: usize, least: &[usize], width: usize) -> Window {
        let fits = |room: usize| {
            let mut used = MARK + least[0];
            let mut drawn = vec![0];
            for (at, cells) in least.iter().enumerate().skip(shift + 1) {
                // What a list has room for is not squeezed for the sake of what is beyond it.
                if shift == 0 && self.columns[at].beyond {
                    continue;
                }
                used += GAP + cells;
                if used > room {
                    break;
                }
                drawn.push(at);
            }
            drawn
        };
        let is_all =
            |drawn: &[usize]| (shift + 1..self.columns.len()).all(|at| drawn.contains(&at));
        let (mut drawn, mut room) = (fits(width), width);
        if !is_all(&drawn) {
            room = width.saturating_sub(MORE);
            drawn = fits(room);
        }
        let cells = share_out(self.columns, &drawn, least, room);
        let (before, after) = (shift > 0, !is_all(&drawn));
        let mut x = MARK;
        let place = |(at, cells): (usize, usize)| {
            let begin = x;
            x += cells + GAP;
            (at, begin, cells.min(width.saturating_sub(begin)))
        };
        Window { drawn: drawn.into_iter().zip(cells).map(place).collect(), before, after }
    }

    /// The names of the columns, an arrow at that by which the list is sorted, and signs that there are
    /// more columns than have room.
    fn heads(&self, buffer: &mut Buffer, area: Rect, look: Appearance, window: &Window) {
        for &(at, x, width) in &window.drawn {
            let column = &self.columns[at];
            let place = cell_area(area, x, width, area.y);
            let head = Line::styled(column.fit(column.title, width), look.heading());
            buffer.set_line(place.x, area.y, &head, place.width);
            #[cfg(test)]
            hit_areas::note(hit_areas::Cell {
                area: place,
                content: column.title.into(),
                whole: true,
                head: true,
                end: false,
            });
            if self.focused {
                let wider = Rect { width: place.width + 1, ..place }.intersection(area);
                hit_areas::mark(wider, Target::Head(column.title.into()));
            }
            if let Some(sort) = self.list.sort.as_ref().filter(|sort| sort.by == column.title) {
                let arrow = if sort.descending { "↓" } else { "↑" };
                // In the gap beside the name, which so stays whole.
                let end = if column.right { width } else { width.min(text::width(column.title)) };
                let after = place.x + end as u16;
                let x = if after < area.right() { after } else { place.x.saturating_sub(1) };
                buffer.set_string(x, area.y, arrow, look.heading());
            }
        }
        if window.before {
            buffer.set_string(area.x, area.y, "‹", look.key());
        }
        if window.after {
            buffer.set_string(area.right().saturating_sub(1), area.y, "›", look.key());
        }
    }
}

fn cell_area(area: Rect, x: usize, width: usize, y: u16) -> Rect {
    Rect { x: area.x + x as u16, y, width: width as u16, height: 1 }.intersection(area)
}
