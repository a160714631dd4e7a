//! ZIP archives of XML: EPUB, DOCX, ODT. Limits on the unpacked size keep a file of a few kilobytes from
//! filling memory or taking a day.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read};

use zip::ZipArchive;

use crate::error::{InputLocation, Mistake, Reading};
use crate::formats::files::{File, ReadSeek};

/// Maximum unpacked bytes of all parts that are read.
const MAX_BYTES: u64 = 512 << 20;
/// Maximum ratio of unpacked to packed size; genuine text reaches 30.
const MAX_EXPANSION: u64 = 200;
/// Unpacked bytes that any file is allowed.
const FREE_BYTES: u64 = 4 << 20;
const MAX_ENTRIES: usize = 50_000;

/// An archive whose parts are read by name.
pub(in crate::formats) struct Package<'d> {
    archive: ZipArchive<Box<dyn ReadSeek + 'd>>,
    /// Parts by lower-case name: books from case-insensitive file systems refer to pages in other capitals.
    /// `None` if two parts have the same lower-case name.
    by_lower_case: HashMap<String, Option<usize>>,
    place: InputLocation,
    /// Name of the format, for messages.
    kind: &'static str,
    /// Bytes that may still be unpacked.
    left: u64,
}

impl<'d> Package<'d> {
    /// # Errors
    /// If the file is not an archive or has too many parts.
    pub(in crate::formats) fn open(file: &mut File<'d>, kind: &'static str) -> Reading<Self> {
        let place = file.place.clone();
        let mut bytes = file.seekable()?;
        let size = bytes.seek(io::SeekFrom::End(0)).unwrap_or(0);
        let left = size.saturating_mul(MAX_EXPANSION).clamp(FREE_BYTES, MAX_BYTES);
        let archive = ZipArchive::new(bytes).map_err(|error| broken(&place, kind, &error))?;
        if archive.len() > MAX_ENTRIES {
            let problem =
                format!("a {kind} file of {} parts, more than {MAX_ENTRIES}", archive.len());
            return Err(Mistake::document(place, problem, "leave it out"));
        }
        let mut by_lower_case = HashMap::new();
        for (number, name) in archive.file_names().enumerate() {
            let small = name.map(|name| name.to_ascii_lowercase()).unwrap_or_default();
            by_lower_case.entry(small).and_modify(|other| *other = None).or_insert(Some(number));
        }
        Ok(Self { archive, by_lower_case, place, kind, left })
    }

    /// Unpacks every XML part once, for libraries that read them without limits.
    ///
    /// # Errors
    /// If they are too large or damaged.
    pub(in crate::formats) fn check_parts(&mut self) -> Reading<()> {
        let names: Vec<String> = self.archive.file_names().flatten().map(String::from).collect();
        let all = self.left;
        let is_read = |name: &&String| {
            let name = name.to_ascii_lowercase();
            name.ends_with(".xml") || name.ends_with(".rels")
        };
        for name in names.iter().filter(is_read) {
            self.part(name, |part, place| {
                let copied = io::copy(part, &mut io::sink());
                copied.map(drop).map_err(|error| unreadable(&error, place.clone()))
            })?;
        }
        self.left = all;
        Ok(())
    }

    /// Names of the parts with this ending, in any capitals.
    pub(in crate::formats) fn ending(&self, ending: &str) -> Vec<String> {
        let names = self.archive.file_names().flatten().map(String::from);
        names.filter(|name| name.to_ascii_lowercase().ends_with(ending)).collect()
    }

    /// Whether there is a part with this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.number(name).is_some()
    }

    /// The index of the part with this name, or of the only one with this name in other capitals.
    fn number(&self, name: &str) -> Option<usize> {
        let alike = || self.by_lower_case.get(&name.to_ascii_lowercase()).copied().flatten();
        self.archive.index_for_name(name).or_else(alike)
    }

    /// Calls `read` with a part and its location.
    ///
    /// # Errors
    /// If the part is missing or cannot be unpacked; the error of `read`.
    pub(in crate::formats) fn part<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut dyn Read, &InputLocation) -> Reading<T>,
    ) -> Reading<T> {
        let number = self.number(name);
        let Self { archive, place, kind, left, .. } = self;
        let inside = InputLocation { file: format!("{} ({name})", place.file).into(), line: 0 };
        let number = number.ok_or_else(|| {
            let problem = format!("not a sound {kind} file: {name} is not in it");
            Mistake::document(place.clone(), problem, AGAIN)
        })?;
        let part = archive.by_index(number).map_err(|error| broken(place, kind, &error))?;
        let mut unpacked = Unpacked { part, left };
        read(&mut unpacked, &inside)
    }

    /// The bytes of a part.
    ///
    /// # Errors
    /// If it is missing or cannot be unpacked.
    pub(super) fn bytes(&mut self, name: &str) -> Reading<Vec<u8>> {
        self.part(name, |part, place| {
            let mut bytes = Vec::new();
            let read = part.read_to_end(&mut bytes);
            read.map(|_| bytes).map_err(|error| unreadable(&error, place.clone()))
        })
    }
}

const BOMB: &str = "unpacks to far more than its size, as archives made to do harm do";
const AGAIN: &str = "copy or download it again, or save it anew in the program it is from";

fn broken(place: &InputLocation, kind: &str, error: &dyn fmt::Display) -> Mistake {
    let reason = error.to_string();
    let mistake = if reason.to_lowercase().contains("password") {
        let problem = format!("a {kind} file with a password");
        Mistake::document(place.clone(), problem, "save it without one")
    } else {
        Mistake::document(place.clone(), format!("not a sound {kind} file ({reason})"), AGAIN)
    };
    mistake.undecodable()
}

/// The reason for stopping, passed through readers that know only `io::Error`.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub(super) struct ReadRefusal {
    pub(super) problem: &'static str,
    pub(super) remedy: &'static str,
}

impl From<ReadRefusal> for io::Error {
    fn from(refused: ReadRefusal) -> Self {
        Self::other(refused)
    }
}

/// The error for a failed read.
pub(in crate::formats) fn unreadable(error: &io::Error, place: InputLocation) -> Mistake {
    let refused = error.get_ref().and_then(|inner| inner.downcast_ref::<ReadRefusal>());
    let remedy = refused.map_or(AGAIN, |refused| refused.remedy);
    Mistake::document(place, error.to_string(), remedy).undecodable()
}

/// Unpacks a part within the limit.
struct Unpacked<'u, R> {
    part: R,
    left: &'u mut u64,
}

impl<R: Read> Read for Unpacked<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let length = self
            .part
            .read(out)
            .map_err(|error| io::Error::other(format!("the archive is damaged here: {error}")))?;
        *self.left = self
            .left
            .checked_sub(length as u64)
            .ok_or(ReadRefusal { problem: BOMB, remedy: "leave it out" })?;
        Ok(length)
    }
}
