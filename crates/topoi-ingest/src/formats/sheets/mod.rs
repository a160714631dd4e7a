//! Tables in other kinds of file: a document per row, with the same options as delimited files.
//! Rows are converted to CSV records, so columns, fields and messages are the same. Spreadsheets begin with a
//! row of names.

#[cfg(feature = "parquet")]
pub(crate) mod columnar;
mod ods;
mod xlsx;

use crate::batches::units::{Raw, Units};
use crate::error::{InputLocation, Mistake, Reading};
use crate::formats::definition::FormatDef;
use crate::formats::files::File;
use crate::formats::markup::package::Package;
use crate::formats::opening::{FormatInput, OpenResult};
use crate::formats::text::delimited::Columns;
use crate::request::Names;
use crate::source::{Mark, plain_name, printable};

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "spreadsheet",
    help: "xlsx and ods, with a line of names",
    endings: &["xlsx", "xlsm", "ods"],
    is_archive: true,
    has_signature: |source| {
        let head = source.head();
        let has = |what: &[u8]| memchr::memmem::find(head, what).is_some();
        let is_ods = || has(b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet");
        Ok(head.starts_with(b"PK") && (has(b"xl/") || is_ods()))
    },
    is_table: true,
    ..FormatDef::with_open(open)
};

fn open<'a>(input: FormatInput<'_, 'a>) -> OpenResult<'a> {
    open_table(input, |file, names| {
        let is_ods = plain_name(file.source.name()).to_ascii_lowercase().ends_with("ods");
        let size = file.source.size();
        file.path = file.path.filter(|_| size.is_some());
        let read = if is_ods { ods::read } else { xlsx::read };
        let rows = read(file, names.sheet.as_deref(), Rows::with_limit(size))?;
        Ok(Box::new(rows))
    })
}

/// A table as CSV records.
trait Table: Send {
    /// The column names as a CSV record, or the first row if there are no names.
    fn names(&mut self, headerless: bool) -> Reading<Vec<u8>>;

    /// The next row and its number from 1; a row of names is skipped.
    fn next_row(&mut self) -> Reading<Option<(u64, &[u8])>>;
}

/// Opens a file as a table.
type ReadTable = for<'d> fn(&mut File<'d>, &Names) -> Reading<Box<dyn Table>>;

/// Opens a table with a document per row.
fn open_table<'a>(mut input: FormatInput<'_, 'a>, read: ReadTable) -> OpenResult<'a> {
    let names = &input.request().names;
    let place = InputLocation { file: printable(input.path()).into(), line: 0 };
    let (path, decoder) = (input.path().to_path_buf(), input.decoder());
    let source = input.any_source()?;
    let stem = source.stem().to_string();
    let mut file = File { source, place: &place, path: Some(&path), decoder };
    let mut table = read(&mut file, names)?;
    let columns = {
        let first = table.names(names.headerless)?;
        let first = std::str::from_utf8(&first).unwrap_or_default();
        Columns::find(first, b',', names, &InputLocation { line: 1, ..place.clone() })?
    };
    input.remark(&columns.renamed);
    input.found_key(columns.key_name());
    let mut rows = TableRows { table, rows: 0, bytes: 0, place, hasher: blake3::Hasher::new() };
    if let Some(mark) = input.mark()
        && !rows.skip_to(&mark)?
    {
        return Ok(None);
    }
    let read = Box::new(move |d: crate::batches::units::RawDocument<'_>| {
        columns.read(&decoder.decode(d.bytes, d.place)?, &stem, d.place)
    });
    Ok(Some(input.texts(Box::new(rows), read)))
}

/// Appends a cell to a CSV record.
fn push_cell(bytes: &mut Vec<u8>, is_first: bool, cell: &str) {
    if !is_first {
        bytes.push(b',');
    }
    if cell.contains(['"', ',', '\n', '\r']) {
        bytes.push(b'"');
        bytes.extend_from_slice(cell.replace('"', "\"\"").as_bytes());
        bytes.push(b'"');
    } else {
        bytes.extend_from_slice(cell.as_bytes());
    }
}

/// The non-empty rows of a sheet, as CSV records.
#[derive(Default)]
struct Rows {
    bytes: Vec<u8>,
    /// (row number from 1, end of the row in `bytes`)
    lines: Vec<(u64, usize)>,
    /// Number of columns of the first row.
    width: usize,
    /// Maximum length of `bytes`.
    most: u64,
    /// Number of rows that were read.
    read: usize,
    /// Merged cells whose first row has not come yet, by it, last first; then those that reach into rows to come.
    merged: Vec<MergedCells>,
    spanning: Vec<MergedCells>,
}

/// Cells that are one: all of them have the value of the first.
struct MergedCells {
    /// First and last row, from 1.
    lines: (u64, u64),
    /// First and last column, from 0.
    columns: (usize, usize),
    value: String,
}

/// Columns of the widest sheets.
const MAX_COLUMNS: usize = 16_384;
/// Maximum bytes of a sheet: a file can repeat a row any number of times, and place a cell anywhere.
const MAX_BYTES: u64 = 512 << 20;
/// Bytes that a sheet of any file is allowed.
const FREE_BYTES: u64 = 16 << 20;
/// Maximum ratio of a sheet's bytes to the file size.
const MAX_EXPANSION: u64 = 200;

impl Rows {
    /// No rows yet, with the limit for a file of this size.
    fn with_limit(size: Option<u64>) -> Self {
        let most = size.unwrap_or(0).saturating_mul(MAX_EXPANSION).clamp(FREE_BYTES, MAX_BYTES);
        Self { most, ..Self::default() }
    }

    /// Announces merged cells; those of a row come before it.
    fn merge(&mut self, lines: (u64, u64), columns: (usize, usize)) {
        self.merged.push(MergedCells { lines, columns, value: String::new() });
    }

    /// Gives a row the values of the merged cells that it is in, as far as the first row reaches: notes can go over the
    /// edge of a table. The first row keeps its names.
    fn fill(&mut self, line: u64, cells: &mut Vec<String>) {
        self.spanning.retain(|merged| merged.lines.1 >= line);
        while let Some(mut merged) = self.merged.pop_if(|merged| merged.lines.0 <= line) {
            let (first, last) = merged.columns;
            merged.value = cells.get(first).cloned().unwrap_or_default();
            // Cells that overlap are in no sound file, and would take any time.
            let width = |of: &MergedCells| (of.columns.1 + 1).saturating_sub(of.columns.0);
            let taken: usize = self.spanning.iter().map(width).sum();
            let is_sound = first <= last && taken + width(&merged) <= MAX_COLUMNS;
            if merged.lines.0 == line && is_sound && !merged.value.is_empty() {
                self.spanning.push(merged);
            }
        }
        for MergedCells { columns: (first, last), value, .. } in &self.spanning {
            let end = self.width.min(last + 1);
            if cells.len() < end {
                cells.resize(end, String::new());
            }
            let columns = cells.iter_mut().take(end).skip(*first);
            columns.filter(|cell| cell.is_empty()).for_each(|cell| cell.clone_from(value));
        }
    }

    /// Adds a row. Trailing empty cells are left out; a row shorter than the first is padded.
    ///
    /// # Errors
    /// If the sheet exceeds its limit.
    fn push(&mut self, line: u64, cells: &mut Vec<String>, place: &InputLocation) -> Reading<()> {
        self.fill(line, cells);
        let filled =
            cells.iter().rposition(|cell| !cell.trim().is_empty()).map_or(0, |last| last + 1);
        if filled == 0 {
            return Ok(());
        }
        if self.lines.is_empty() {
            self.width = filled;
        }
        for at in 0..filled.max(self.width) {
            push_cell(&mut self.bytes, at == 0, cells.get(at).map_or("", String::as_str));
        }
        self.lines.push((line, self.bytes.len()));
        if self.bytes.len() as u64 > self.most {
            let problem = format!("a sheet that comes to more than {} MiB", self.most >> 20);
            let place = InputLocation { line, ..place.clone() };
            return Err(Mistake::source(place, problem, "save it as CSV, which is read in pieces"));
        }
        Ok(())
    }

    fn row(&self, index: usize) -> Option<&[u8]> {
        let &(_, end) = self.lines.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.lines[before].1);
        Some(&self.bytes[start..end])
    }
}

/// The name of the sheet to read: the one that was named, or the only non-empty one.
fn chosen(
    sheets: Vec<(String, bool)>,
    named: Option<&str>,
    place: &InputLocation,
) -> Reading<String> {
    let all =
        sheets.iter().map(|(name, _)| format!("{name:?}")).take(20).collect::<Vec<_>>().join(", ");
    if let Some(named) = named {
        let found = sheets.into_iter().find(|(name, _)| name == named).map(|(name, _)| name);
        let missing = || {
            let problem = format!("no sheet {named:?}; the sheets are {all}");
            Mistake::source(place.clone(), problem, "name one of them with --sheet")
        };
        return found.ok_or_else(missing);
    }
    let mut filled = sheets.into_iter().filter(|(_, is_filled)| *is_filled).map(|(name, _)| name);
    match (filled.next(), filled.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(Mistake::source(
            place.clone(),
            "a spreadsheet without a filled cell",
            "leave it out",
        )),
        (Some(_), Some(_)) => {
            let problem = format!("a spreadsheet of several sheets: {all}");
            Err(Mistake::source(place.clone(), problem, "name one of them with --sheet"))
        }
    }
}

/// Opens a package after checking that all its parts unpack within the limits.
fn checked<'d>(file: &mut File<'d>, kind: &'static str) -> Reading<Package<'d>> {
    let mut package = Package::open(file, kind)?;
    package.check_parts()?;
    Ok(package)
}

impl Table for Rows {
    fn names(&mut self, headerless: bool) -> Reading<Vec<u8>> {
        self.read = usize::from(!headerless);
        Ok(self.row(0).unwrap_or_default().to_vec())
    }

    fn next_row(&mut self) -> Reading<Option<(u64, &[u8])>> {
        let at = self.read;
        self.read += 1;
        Ok(self.lines.get(at).map(|&(line, _)| line).zip(self.row(at)))
    }
}

/// The rows of a table as documents.
struct TableRows {
    table: Box<dyn Table>,
    rows: u64,
    bytes: u64,
    place: InputLocation,
    hasher: blake3::Hasher,
}

impl TableRows {
    fn next_row(&mut self) -> Reading<Option<(u64, &[u8])>> {
        let row = self.table.next_row()?;
        if let Some((_, row)) = row {
            self.hasher.update(row);
            self.bytes += row.len() as u64;
            self.rows += 1;
        }
        Ok(row)
    }

    /// Skips to `mark`; false if the rows before it have changed.
    fn skip_to(&mut self, mark: &Mark) -> Reading<bool> {
        while self.rows < mark.lines && self.next_row()?.is_some() {}
        Ok(self.mark().0 == *mark)
    }
}

impl Units for TableRows {
    fn next(&mut self, raw: &mut Raw) -> Reading<bool> {
        let place = self.place.clone();
        let Some((line, row)) = self.next_row()? else { return Ok(false) };
        raw.push(InputLocation { line, ..place }, row);
        Ok(true)
    }

    fn mark(&mut self) -> (Mark, String) {
        let hash = self.hasher.finalize().as_bytes().to_vec();
        (Mark { bytes: self.bytes, lines: self.rows, hash }, String::new())
    }

    fn consumed(&self) -> u64 {
        0
    }
}
