//! The query, and the rows it found.

use super::state::{LIMITS, ShownResult, SqlPane, SqlScreen, short};
use crate::records::column::Width;
use crate::tui::view::look::Appearance;
use crate::tui::view::table::{Column, Table};
use crate::tui::view::{layout, parts, text};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use topoi_core::numbers::thousands;
use topoi_store::query::Cell;
use topoi_store::query::functions::FUNCTIONS;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The parts of the screen of queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SqlSplit {
    prompt: Rect,
    rows: Rect,
    /// The selected row in full, where there is room for it.
    row: Option<Rect>,
    /// The column before it.
    between: Option<Rect>,
}

/// From this width on, the selected row is shown in full beside the rows.
const ROW_BESIDE_FROM: u16 = 140;
/// Lines of a query that are seen at once.
const QUERY_LINES: usize = 4;

/// Cells of a line of a query.
fn prompt_cells(width: u16) -> usize {
    usize::from(width.saturating_sub(4)).max(1)
}

/// Divides the body of the screen of queries; a longer query has more lines.
fn split(sql: &SqlScreen, body: Rect) -> SqlSplit {
    let lines = (sql.prompt.text().width() + 1).div_ceil(prompt_cells(body.width));
    let height = (1 + lines.min(QUERY_LINES) as u16).min(body.height);
    let prompt = Rect { height, ..body };
    let rows = Rect { y: body.y + height, height: body.height - height, ..body };
    if body.width < ROW_BESIDE_FROM || sql.shown.is_none() {
        return SqlSplit { prompt, rows, row: None, between: None };
    }
    let width = body.width * 66 / 100;
    let row = Rect { x: body.x + width + 3, width: body.width - width - 3, ..rows };
    let between = Rect { x: body.x + width + 1, width: 1, ..rows };
    SqlSplit { prompt, rows: Rect { width, ..rows }, row: Some(row), between: Some(between) }
}

/// Rows of the result that are seen at once.
pub fn rows_on_screen(sql: &SqlScreen, body: Rect) -> usize {
    layout::table_rows(split(sql, body).rows)
}

pub fn draw(sql: &SqlScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let split = split(sql, area);
    let inside = parts::titled(buffer, split.prompt, look, "SQL, read only");
    prompt(sql, look, inside, buffer);
    let title = title(sql);
    let inside = parts::titled(buffer, split.rows, look, &title);
    match &sql.shown {
        Some(shown) => rows(sql, shown, look, inside, buffer),
        None => tables(sql, look, inside, buffer),
    }
    if let (Some(between), Some(detail)) = (split.between, split.row) {
        parts::stroke(buffer, between, look);
        row(sql, look, detail, buffer);
    }
}

/// What the line below the screen says while the keys go to the prompt.
pub fn status(sql: &SqlScreen, look: Appearance, width: u16) -> Line<'static> {
    if sql.running {
        return Line::styled(" running; Ctrl-C interrupts it", look.warning());
    }
    if let Some(completion) = &sql.completion {
        return candidates(&completion.words, completion.chosen, look, usize::from(width));
    }
    let cells = usize::from(width).saturating_sub(2);
    match &sql.error {
        Some(error) => Line::styled(format!(" {}", text::cut(error, cells)), look.bad()),
        None => Line::default(),
    }
}

/// The words a half-typed one can become; the chosen one is among those that fit.
fn candidates(
    words: &[String],
    chosen: Option<usize>,
    look: Appearance,
    width: usize,
) -> Line<'static> {
    let mut first = 0;
    let cells = |range: std::ops::RangeInclusive<usize>| -> usize {
        words[range].iter().map(|word| text::width(word) + 2).sum()
    };
    while chosen.is_some_and(|chosen| first < chosen && cells(first..=chosen) + 2 > width) {
        first += 1;
    }
    let span = |(place, word): (usize, &String)| {
        let style = if Some(place) == chosen { look.selected() } else { look.key() };
        [Span::raw(" "), Span::styled(word.clone(), style), Span::raw(" ")]
    };
    Line::from_iter(words.iter().enumerate().skip(first).flat_map(span))
}

fn title(sql: &SqlScreen) -> String {
    let Some(shown) = &sql.shown else { return "Tables".into() };
    let result = &shown.answered.result;
    let rows = thousands(result.rows.len() as u64);
    let rows = match (result.more, result.rows.len() == LIMITS.rows) {
        (false, _) if result.rows.len() == 1 => "1 row".to_string(),
        (false, _) => format!("{rows} rows"),
        (true, true) => format!("the first {rows} rows; LIMIT and OFFSET reach the others"),
        (true, false) => format!("the first {rows} rows ({} MB)", LIMITS.bytes >> 20),
    };
    format!("{rows}, {:.0} ms", shown.answered.seconds * 1e3)
}

fn prompt(sql: &SqlScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let (before, _) = sql.prompt.input.halves();
    let focused = sql.pane == SqlPane::Prompt;
    let cells = prompt_cells(area.width);
    let mut lines: Vec<Vec<Span>> = vec![Vec::new()];
    let (mut used, mut cursor_line) = (0, 0);
    let letters = sql.prompt.text().grapheme_indices(true);
    // The cursor can be after the last letter.
    for (at, letter) in letters.chain([(sql.prompt.text().len(), " ")]) {
        if used + text::width(letter) > cells {
            lines.push(Vec::new());
            used = 0;
        }
        used += text::width(letter);
        let under = focused && at == before.len();
        if under {
            cursor_line = lines.len() - 1;
        }
        let style = if under { look.selected() } else { Default::default() };
        if let Some(line) = lines.last_mut() {
            line.push(Span::styled(letter.to_string(), style));
        }
    }
    let height = usize::from(area.height).max(1);
    let first = (cursor_line + 1).saturating_sub(height);
    for (y, (place, line)) in
        (area.top()..area.bottom()).zip(lines.into_iter().enumerate().skip(first))
    {
        let lead = if place == 0 { " > " } else { "   " };
        let spans = std::iter::once(Span::styled(lead, look.key())).chain(line);
        buffer.set_line(area.x, y, &Line::from_iter(spans), area.width);
    }
}

fn rows(sql: &SqlScreen, shown: &ShownResult, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let first = sql.first_column.min(shown.columns.len().saturating_sub(1));
    let mut free = usize::from(area.width).saturating_sub(2);
    let mut columns = Vec::new();
    for column in shown.columns.iter().skip(first) {
        // A column that would begin beyond the edge is left out; the last one gets what is left.
        if free < 6 && !columns.is_empty() {
            break;
        }
        let cells = column.cells.min(free);
        free = free.saturating_sub(cells + 2);
        columns.push(Column {
            title: &column.name,
            width: Width::Cells(cells),
            right: column.number,
            beyond: false,
            end: false,
        });
    }
    if let Some(last) = columns.last_mut().filter(|column| !column.right) {
        last.width = Width::Share(1);
    }
    let seen = columns.len();
    let focused = sql.pane == SqlPane::Rows;
    let table = Table { columns: &columns, list: &sql.list, len: sql.list.len(), focused };
    table.draw(buffer, area, look, |place| {
        let row = sql.row(place).unwrap_or_default();
        row.iter().skip(first).take(seen).map(|cell| Span::raw(short(cell))).collect()
    });
    let hidden = shown.columns.len() - seen;
    if hidden > 0 && area.height > 0 && area.width > 30 {
        let note = format!(" columns {}-{} of {} ", first + 1, first + seen, shown.columns.len());
        let x = area.right().saturating_sub(note.len() as u16 + 2);
        buffer.set_string(x, area.y.saturating_sub(1), note, look.heading());
    }
}

/// The selected row, column by column.
fn row(sql: &SqlScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let (Some(shown), Some(row)) = (&sql.shown, sql.row(sql.list.cursor)) else { return };
    let inside = parts::titled(buffer, area, look, &format!("row {}", sql.list.cursor + 1));
    let longest = shown.columns.iter().map(|column| text::width(&column.name)).max().unwrap_or(0);
    let names = longest.min(24);
    let cells = usize::from(inside.width).saturating_sub(names + 3).max(1);
    let mut lines = Vec::new();
    for (column, cell) in shown.columns.iter().zip(row) {
        let long: String = match cell {
            Cell::Text(text) => text.chars().take(4000).collect(),
            other => other.to_string(),
        };
        for (index, line) in text::wrap(&long, cells).into_iter().enumerate() {
            let name = if index == 0 { column.name.as_str() } else { "" };
            lines.push(parts::named(look, name, names, line));
        }
    }
    parts::lines(buffer, inside, &lines);
}

/// Before the first query: what there is to ask.
fn tables(sql: &SqlScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let longest = sql.tables.iter().map(|table| table.name.len()).max().unwrap_or(0);
    let cells = usize::from(area.width).saturating_sub(longest + 3);
    let line = |table: &topoi_store::query::TableColumns| {
        let columns = text::cut(&table.columns.join(" "), cells);
        parts::named(look, &table.name, longest, columns)
    };
    let mut lines: Vec<Line> = sql.tables.iter().map(line).collect();
    if !lines.is_empty() {
        lines.push(Line::default());
        let width = FUNCTIONS.iter().map(|function| function.signature.len()).max().unwrap_or(0);
        let cells = usize::from(area.width).saturating_sub(width + 3);
        lines.extend(FUNCTIONS.iter().map(|function| {
            parts::named(look, function.signature, width, text::cut(function.meaning, cells))
        }));
    }
    parts::lines(buffer, area, &lines);
}
