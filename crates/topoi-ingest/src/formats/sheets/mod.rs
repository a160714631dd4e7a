//! Tables in files of other kinds: a document a row, with the same options as delimited files. Rows become records
//! of CSV, so that columns, fields and messages are theirs. Spreadsheets have a line of names first.

#[cfg(feature = "parquet")]
pub(super) mod columnar;
mod ods;
mod xlsx;

use crate::batches::units::{Raw, Units};
use crate::error::{Mistake, Place, Reading};
use crate::formats::files::File;
use crate::formats::markup::package::Package;
use crate::formats::text::delimited::Columns;
use crate::formats::{FormatDef, Opened, Opening};
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
    open,
    ..FormatDef::USUAL
};

fn open<'a>(opening: Opening<'_, 'a>) -> Opened<'a> {
    open_table(opening, |file, names| {
        let is_ods = plain_name(file.source.name()).to_ascii_lowercase().ends_with("ods");
        let size = file.source.size();
        file.path = file.path.filter(|_| size.is_some());
        let read = if is_ods { ods::read } else { xlsx::read };
        let rows = read(file, names.sheet.as_deref(), Rows::of(size))?;
        Ok(Box::new(rows))
    })
}

/// Rows of a table, as records of CSV.
trait Table: Send {
    /// The names of the columns, or as many cells of the first row that has none.
    fn names(&mut self, headerless: bool) -> Reading<Vec<u8>>;

    /// The next row, and its number from 1; rows of names are passed over.
    fn next_row(&mut self) -> Reading<Option<(u64, &[u8])>>;
}

/// How a file becomes a table.
type ReadTable = for<'d> fn(&mut File<'d>, &Names) -> Reading<Box<dyn Table>>;

/// The documents of a table, a row each.
fn open_table<'a>(mut opening: Opening<'_, 'a>, read: ReadTable) -> Opened<'a> {
    let names = &opening.request().names;
    let place = Place { file: printable(opening.path()).into(), line: 0 };
    let (path, decoder) = (opening.path().to_path_buf(), opening.decoder());
    let source = opening.any_source()?;
    let stem = source.stem().to_string();
    let mut file = File { source, place: &place, path: Some(&path), decoder };
    let mut table = read(&mut file, names)?;
    let columns = {
        let first = table.names(names.headerless)?;
        let first = std::str::from_utf8(&first).unwrap_or_default();
        Columns::find(first, b',', names, &Place { line: 1, ..place.clone() })?
    };
    opening.remark(&columns.renamed);
    let mut rows = Read { table, rows: 0, bytes: 0, place, hasher: blake3::Hasher::new() };
    if let Some(mark) = opening.mark()
        && !rows.skip_to(&mark)?
    {
        return Ok(None);
    }
    let read = Box::new(move |d: crate::batches::units::RawDocument<'_>| {
        columns.read(&decoder.decode(d.bytes, d.place)?, &stem, d.place)
    });
    Ok(Some(opening.texts(Box::new(rows), read)))
}

/// Adds a cell to a record of CSV of which it is not the first.
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

/// The rows of a sheet that have anything in them, as records of CSV.
#[derive(Default)]
struct Rows {
    bytes: Vec<u8>,
    /// Of each row its number from 1, and where it ends.
    lines: Vec<(u64, usize)>,
    /// How many columns the first has.
    width: usize,
    /// Bytes that it may come to.
    most: u64,
    /// How many have been read.
    read: usize,
}

/// What rows may come to: a file says of a row how often it is repeated, and of a text where it stands.
const MOST_BYTES: u64 = 512 << 20;
/// What those of a small file may come to.
const FREE_BYTES: u64 = 16 << 20;
/// How many times the size of its file a sheet may come to.
const MOST_TIMES: u64 = 200;

impl Rows {
    /// Of a file of this size.
    fn of(size: Option<u64>) -> Self {
        let most = size.unwrap_or(0).saturating_mul(MOST_TIMES).clamp(FREE_BYTES, MOST_BYTES);
        Self { most, ..Self::default() }
    }

    /// Adds a row; cells after its last that is filled are left out, or added up to as many as the first has.
    ///
    /// # Errors
    /// When a sheet has come to more than fits.
    fn push(&mut self, line: u64, cells: &[String], place: &Place) -> Reading<()> {
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
            let place = Place { line, ..place.clone() };
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

/// The sheet to read: the one that was named, or the only one with anything in it.
fn chosen(sheets: Vec<(String, bool)>, named: Option<&str>, place: &Place) -> Reading<String> {
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

/// A package of which all parts can be unpacked within the limits.
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

/// Rows on their way out.
struct Read {
    table: Box<dyn Table>,
    rows: u64,
    bytes: u64,
    place: Place,
    hasher: blake3::Hasher,
}

impl Read {
    fn next_row(&mut self) -> Reading<Option<(u64, &[u8])>> {
        let row = self.table.next_row()?;
        if let Some((_, row)) = row {
            self.hasher.update(row);
            self.bytes += row.len() as u64;
            self.rows += 1;
        }
        Ok(row)
    }

    /// Goes on to `mark`; false when the rows before it are others.
    fn skip_to(&mut self, mark: &Mark) -> Reading<bool> {
        while self.rows < mark.lines && self.next_row()?.is_some() {}
        Ok(self.mark().0 == *mark)
    }
}

impl Units for Read {
    fn next(&mut self, raw: &mut Raw) -> Reading<bool> {
        let place = self.place.clone();
        let Some((line, row)) = self.next_row()? else { return Ok(false) };
        raw.push(Place { line, ..place }, row);
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
