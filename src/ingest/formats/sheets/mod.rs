//! Spreadsheets: a line of names, then a document a row, with the same options as delimited files. Rows become
//! records of CSV, so that columns, fields and messages are theirs.

mod ods;
mod xlsx;

use crate::ingest::batches::units::{Raw, Units};
use crate::ingest::error::{Mistake, Place, Reading};
use crate::ingest::formats::files::File;
use crate::ingest::formats::markup::package::Package;
use crate::ingest::formats::text::delimited::Columns;
use crate::ingest::formats::{FormatDef, Opened, Opening};
use crate::ingest::source::{Mark, plain_name};

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "spreadsheet",
    help: "xlsx and ods, with a line of names",
    endings: &["xlsx", "xlsm", "ods"],
    has_signature: |source| {
        let head = source.head();
        let has = |what: &[u8]| memchr::memmem::find(head, what).is_some();
        let is_ods = || has(b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet");
        Ok(head.starts_with(b"PK") && (has(b"xl/") || is_ods()))
    },
    open,
    ..FormatDef::USUAL
};

fn open<'a>(mut opening: Opening<'_, 'a>) -> Opened<'a> {
    let names = &opening.request().names;
    let place = Place { file: opening.path().display().to_string().into(), line: 0 };
    let (path, decoder) = (opening.path().to_path_buf(), opening.decoder());
    let is_ods = plain_name(&place.file).to_ascii_lowercase().ends_with("ods");
    let source = opening.any_source()?;
    let stem = source.stem().to_string();
    let size = source.size();
    let path = size.is_some().then_some(path.as_path());
    let mut file = File { source, place: &place, path, decoder };
    let sheet = names.sheet.as_deref();
    let read = if is_ods { ods::read } else { xlsx::read };
    let rows = read(&mut file, sheet, Rows::of(size))?;
    let mut rows =
        Read { at: usize::from(!names.headerless), rows, place, hasher: blake3::Hasher::new() };
    let columns = {
        let first = rows.rows.row(0).unwrap_or_default();
        let place = Place {
            line: rows.rows.lines.first().map_or(1, |&(line, _)| line),
            ..rows.place.clone()
        };
        let first = std::str::from_utf8(first).unwrap_or_default();
        Columns::find(first, b',', names, &place)?
    };
    if let Some(mark) = opening.mark()
        && !rows.skip_to(&mark)
    {
        return Ok(None);
    }
    let read = Box::new(move |d: crate::ingest::batches::units::RawDocument<'_>| {
        columns.read(&decoder.decode(d.bytes, d.place)?, &stem, d.place)
    });
    Ok(Some(opening.texts(Box::new(rows), read)))
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
            if at > 0 {
                self.bytes.push(b',');
            }
            let cell = cells.get(at).map_or("", String::as_str);
            if cell.contains(['"', ',', '\n', '\r']) {
                self.bytes.push(b'"');
                self.bytes.extend_from_slice(cell.replace('"', "\"\"").as_bytes());
                self.bytes.push(b'"');
            } else {
                self.bytes.extend_from_slice(cell.as_bytes());
            }
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

/// Rows on their way out.
struct Read {
    rows: Rows,
    at: usize,
    place: Place,
    hasher: blake3::Hasher,
}

impl Read {
    /// Goes on to `mark`; false when the rows before it are others.
    fn skip_to(&mut self, mark: &Mark) -> bool {
        let at = usize::try_from(mark.lines).unwrap_or(usize::MAX).min(self.rows.lines.len());
        for index in self.at..at {
            self.hasher.update(self.rows.row(index).unwrap_or_default());
        }
        self.at = self.at.max(at);
        self.mark().0 == *mark
    }
}

impl Units for Read {
    fn next(&mut self, raw: &mut Raw) -> Reading<bool> {
        let (Some(row), Some(&(line, _))) = (self.rows.row(self.at), self.rows.lines.get(self.at))
        else {
            return Ok(false);
        };
        raw.push(Place { line, ..self.place.clone() }, row);
        self.hasher.update(row);
        self.at += 1;
        Ok(true)
    }

    fn mark(&mut self) -> (Mark, String) {
        let bytes = self
            .at
            .checked_sub(1)
            .and_then(|last| self.rows.lines.get(last))
            .map_or(0, |&(_, end)| end);
        let hash = self.hasher.finalize().as_bytes().to_vec();
        (Mark { bytes: bytes as u64, lines: self.at as u64, hash }, String::new())
    }

    fn consumed(&self) -> u64 {
        0
    }
}
