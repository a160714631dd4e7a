//! Excel spreadsheets, read by cell: a cell can be anywhere in a sheet, so a table of all cells could need any
//! amount of memory.

use std::fmt::Display;
use std::io::Read;

use calamine::{DataRef, ExcelDateTime, Reader, Xlsx};

use super::{MAX_COLUMNS, Rows, checked, chosen};
use crate::error::{InputLocation, Mistake, Reading};
use crate::formats::files::{File, ReadSeek};
use crate::formats::markup::package::{Package, unreadable};
use crate::formats::markup::walk::{Element, Visitor, walk};

pub(super) fn read(file: &mut File<'_>, sheet: Option<&str>, mut rows: Rows) -> Reading<Rows> {
    let mut package = checked(file, "XLSX")?;
    check_texts(&mut package)?;
    let has_merged = has_merged_cells(&mut package)?;
    drop(package);
    let place = file.place.clone();
    let wrong = |error: &dyn Display| {
        let remedy = "open it and save it anew, or save it as CSV";
        Mistake::source(place.clone(), format!("not a sound XLSX file ({error})"), remedy)
            .undecodable()
    };
    let bytes = std::io::BufReader::new(file.seekable()?);
    let mut workbook: Xlsx<std::io::BufReader<Box<dyn ReadSeek + '_>>> =
        Xlsx::new(bytes).map_err(|error| wrong(&error))?;
    let mut sheets = Vec::new();
    for name in workbook.sheet_names() {
        // Chart sheets have no cells.
        let cells = workbook.worksheet_cells_reader(&name).ok();
        let is_filled = cells.is_some_and(|mut cells| {
            std::iter::from_fn(|| cells.next_cell().ok().flatten())
                .any(|cell| *cell.get_value() != DataRef::Empty)
        });
        sheets.push((name, is_filled));
    }
    let name = chosen(sheets, sheet, &place)?;
    let mut merged = Vec::new();
    if has_merged {
        merged = workbook.merge_cells_by_sheet_name(&name).map_err(|error| wrong(&error))?;
    }
    merged.sort_by_key(|cells| std::cmp::Reverse(cells.start));
    for cells in merged {
        let lines = (u64::from(cells.start.0) + 1, u64::from(cells.end.0) + 1);
        let last = (cells.end.1 as usize).min(MAX_COLUMNS - 1);
        rows.merge(lines, (cells.start.1 as usize, last));
    }
    let mut cells = workbook.worksheet_cells_reader(&name).map_err(|error| wrong(&error))?;
    let (mut row, mut line) = (Vec::new(), 0);
    while let Some(cell) = cells.next_cell().map_err(|error| wrong(&error))? {
        let (at, column) = cell.get_position();
        if at != line {
            rows.push(u64::from(line) + 1, &mut row, &place)?;
            row.clear();
            line = at;
        }
        let column = column as usize;
        if column >= MAX_COLUMNS {
            let place = InputLocation { line: u64::from(at) + 1, ..place.clone() };
            let problem =
                format!("a cell in column {}, but sheets have {MAX_COLUMNS} at most", column + 1);
            return Err(Mistake::source(place, problem, "save it anew, or save it as CSV"));
        }
        if row.len() <= column {
            row.resize(column + 1, String::new());
        }
        row[column] = text_of(cell.get_value());
    }
    rows.push(u64::from(line) + 1, &mut row, &place)?;
    Ok(rows)
}

/// Refuses a part that announces far more texts than it contains: its reader allocates for as many as are
/// announced.
fn check_texts(package: &mut Package<'_>) -> Reading<()> {
    for name in package.ending("sharedstrings.xml") {
        package.part(&name, |part, place| {
            let mut texts = TextCounts::default();
            walk(part, place, &mut texts)?;
            if texts.said <= texts.found.saturating_mul(2).max(FREE_TEXTS) {
                return Ok(());
            }
            let TextCounts { said, found } = texts;
            let problem = format!(
                "not a sound XLSX file (it says that it has {said} texts, and has {found})"
            );
            let remedy = "open it and save it anew, or save it as CSV";
            Err(Mistake::source(place.clone(), problem, remedy).undecodable())
        })?;
    }
    Ok(())
}

/// Whether a sheet has merged cells, which need another pass over it.
///
/// # Errors
/// For merged cells that end before they begin: their reader subtracts one from the other.
fn has_merged_cells(package: &mut Package<'_>) -> Reading<bool> {
    let mut has_merged = false;
    let sheets = package.ending(".xml").into_iter().filter(|name| name.contains("worksheets/"));
    for name in sheets {
        let names_some = package.part(&name, |part, place| {
            contains(part, b"mergeCell").map_err(|error| unreadable(&error, place.clone()))
        })?;
        if !names_some {
            continue;
        }
        has_merged = true;
        package.part(&name, |part, place| {
            let mut merged = MergedRanges::default();
            walk(part, place, &mut merged)?;
            let Some(range) = merged.reversed else { return Ok(()) };
            let problem = format!("not a sound XLSX file (its cells {range:?} are merged)");
            let remedy = "open it and save it anew, or save it as CSV";
            Err(Mistake::source(place.clone(), problem, remedy).undecodable())
        })?;
    }
    Ok(has_merged)
}

/// Whether a part contains these bytes.
fn contains(part: &mut dyn Read, wanted: &[u8]) -> std::io::Result<bool> {
    let mut bytes = vec![0; 1 << 16];
    let mut kept = 0;
    loop {
        let read = part.read(&mut bytes[kept..])?;
        let end = kept + read;
        if memchr::memmem::find(&bytes[..end], wanted).is_some() {
            return Ok(true);
        }
        if read == 0 {
            return Ok(false);
        }
        kept = end.min(wanted.len() - 1);
        bytes.copy_within(end - kept..end, 0);
    }
}

/// The first range of merged cells that ends before it begins.
#[derive(Default)]
struct MergedRanges {
    reversed: Option<String>,
}

impl Visitor for MergedRanges {
    fn start(&mut self, element: &Element<'_>) {
        if element.name() != "mergeCell" || self.reversed.is_some() {
            return;
        }
        let range = element.attribute("ref").unwrap_or_default();
        let (first, last) = range.split_once(':').unwrap_or((&range, &range));
        let [(first_column, first_row), (last_column, last_row)] =
            [first, last].map(column_and_row);
        if last_column < first_column || last_row < first_row {
            self.reversed = Some(range);
        }
    }

    fn end(&mut self, _: &str) {}
    fn text(&mut self, _: &str) {}

    fn check(&self, _: &InputLocation) -> Reading<()> {
        Ok(())
    }
}

/// The letters of a cell's column, as they are ordered, and its row.
fn column_and_row(cell: &str) -> ((usize, String), u64) {
    let cell = cell.replace('$', "").to_ascii_uppercase();
    let letters = cell.trim_end_matches(|c: char| c.is_ascii_digit());
    ((letters.len(), letters.to_string()), cell[letters.len()..].parse().unwrap_or(0))
}

/// Number of texts that any part may announce.
const FREE_TEXTS: u64 = 1 << 16;

/// Numbers of texts that a part announces and contains.
#[derive(Default)]
struct TextCounts {
    said: u64,
    found: u64,
}

impl Visitor for TextCounts {
    fn start(&mut self, element: &Element<'_>) {
        match element.name() {
            "sst" => {
                let said = element.attributes("uniqueCount");
                let most = said.map(|said| said.trim().parse().unwrap_or(u64::MAX)).max();
                self.said = self.said.max(most.unwrap_or(0));
            }
            "si" => self.found += 1,
            _ => {}
        }
    }

    fn end(&mut self, _: &str) {}
    fn text(&mut self, _: &str) {}

    fn check(&self, _: &InputLocation) -> Reading<()> {
        Ok(())
    }
}

fn text_of(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Empty | DataRef::Error(_) => String::new(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            text.clone()
        }
        DataRef::SharedString(text) => (*text).into(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::Bool(value) => value.to_string(),
        DataRef::DateTime(time) => iso(time),
    }
}

/// A date, with the time of day if it has one.
fn iso(time: &ExcelDateTime) -> String {
    if !time.is_datetime() {
        return time.as_f64().to_string();
    }
    let (year, month, day, hours, minutes, seconds, _) = time.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    match (hours, minutes, seconds) {
        (0, 0, 0) => date,
        _ => format!("{date}T{hours:02}:{minutes:02}:{seconds:02}"),
    }
}
