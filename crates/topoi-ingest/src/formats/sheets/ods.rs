//! OpenDocument spreadsheets. Repetition counts of non-empty rows and cells are applied up to the size of a
//! sheet.

use super::{MAX_COLUMNS, Rows, checked, chosen};
use crate::error::{InputLocation, Mistake, Reading};
use crate::formats::files::File;
use crate::formats::markup::flow::{Flow, TextGap};
use crate::formats::markup::walk::{Element, Visitor, walk};

pub(super) fn read(file: &mut File<'_>, sheet: Option<&str>, rows: Rows) -> Reading<Rows> {
    let mut package = checked(file, "ODS")?;
    let place = file.place.clone();
    let mut sheets = Sheets::default();
    package.part("content.xml", |part, inside| walk(part, inside, &mut sheets))?;
    let name = chosen(std::mem::take(&mut sheets.names), sheet, &place)?;
    let mut table = Sheets { wanted: Some(name), place: Some(place), rows, ..Sheets::default() };
    package.part("content.xml", |part, inside| walk(part, inside, &mut table))?;
    table.failed.map_or(Ok(table.rows), Err)
}

const MAX_ROWS: u64 = 1 << 20;

/// Reads a file of sheets: the names of all, and the rows of the wanted one.
#[derive(Default)]
struct Sheets {
    wanted: Option<String>,
    place: Option<InputLocation>,
    names: Vec<(String, bool)>,
    rows: Rows,
    failed: Option<Mistake>,
    is_open: bool,
    /// The number of the next row.
    line: u64,
    row: Vec<String>,
    /// Number of empty cells before the next non-empty one.
    empty: u64,
    repeats_row: u64,
    cell: Option<Cell>,
    notes: usize,
}

/// A cell that is being read.
struct Cell {
    repeats: u64,
    /// Number of rows and of columns that it is in.
    spans: (u64, u64),
    /// The value, if it is more exact than the displayed text.
    value: Option<String>,
    shown: Flow,
}

/// An integer without the exponent that LibreOffice uses for large ones.
fn without_power(number: String) -> String {
    let is_power = number.contains(['e', 'E']);
    let value = number.parse::<f64>().ok().filter(|value| is_power && value.abs() < 1e21);
    value.filter(|value| value.fract() == 0.0).map_or(number, |value| value.to_string())
}

fn number(element: &Element<'_>, name: &str) -> u64 {
    element.attribute(name).and_then(|text| text.parse().ok()).unwrap_or(1)
}

impl Sheets {
    fn end_cell(&mut self) {
        let Some(Cell { repeats, spans, value, shown }) = self.cell.take() else { return };
        let text = value.unwrap_or_else(|| shown.into_text());
        if text.is_empty() {
            self.empty = self.empty.saturating_add(repeats);
            return;
        }
        if let Some((_, is_filled)) = self.names.last_mut() {
            *is_filled = true;
        }
        let left = MAX_COLUMNS.saturating_sub(self.row.len()) as u64;
        let empty = std::mem::take(&mut self.empty).min(left);
        self.row.extend((0..empty).map(|_| String::new()));
        let left = MAX_COLUMNS.saturating_sub(self.row.len()) as u64;
        if self.is_open && spans != (1, 1) {
            let lines = (self.line.saturating_add(1), self.line.saturating_add(spans.0));
            let first = self.row.len();
            let wide = usize::try_from(spans.1.min(left)).unwrap_or(1).max(1);
            self.rows.merge(lines, (first, first + wide - 1));
        }
        self.row.extend((0..repeats.min(left)).map(|_| text.clone()));
    }

    fn end_row(&mut self) {
        let mut row = std::mem::take(&mut self.row);
        let (first, repeats) = (self.line, self.repeats_row);
        self.line = self.line.saturating_add(repeats);
        self.empty = 0;
        let Some(place) = self.place.as_ref().filter(|_| self.is_open && !row.is_empty()) else {
            return;
        };
        for line in first..self.line.min(MAX_ROWS) {
            if self.failed.is_none() {
                self.failed = self.rows.push(line + 1, &mut row, place).err();
            }
        }
    }
}

impl Visitor for Sheets {
    fn start(&mut self, element: &Element<'_>) {
        match element.name() {
            "table" => {
                let name = element.attribute("name").unwrap_or_default();
                self.is_open = self.wanted.as_ref() == Some(&name);
                self.line = 0;
                self.names.push((name, false));
            }
            "table-row" => self.repeats_row = number(element, "number-rows-repeated"),
            "table-cell" | "covered-table-cell" => {
                let value = match element.attribute("value-type").as_deref() {
                    Some("float" | "percentage" | "currency") => {
                        element.attribute("value").map(without_power)
                    }
                    Some("date") => element.attribute("date-value"),
                    Some("boolean") => element.attribute("boolean-value"),
                    _ => None,
                };
                let repeats = number(element, "number-columns-repeated");
                let spans = (
                    number(element, "number-rows-spanned"),
                    number(element, "number-columns-spanned"),
                );
                self.cell = Some(Cell { repeats, spans, value, shown: Flow::default() });
            }
            "annotation" => self.notes += 1,
            "p" | "line-break" => self.gap(TextGap::Line),
            "s" | "tab" => self.gap(TextGap::Space),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "table-cell" | "covered-table-cell" => self.end_cell(),
            "table-row" => self.end_row(),
            "annotation" => self.notes -= 1,
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(cell) = self.cell.as_mut().filter(|_| self.notes == 0) {
            cell.shown.words(text);
        }
    }

    fn check(&self, place: &InputLocation) -> Reading<()> {
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        self.cell.as_ref().map_or(Ok(()), |cell| cell.shown.check_length(place))
    }
}

impl Sheets {
    fn gap(&mut self, gap: TextGap) {
        if let Some(cell) = &mut self.cell {
            cell.shown.gap(gap);
        }
    }
}
