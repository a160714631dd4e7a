//! Files that are ZIP archives of XML: EPUB, DOCX, ODT. What they may unpack to has limits, so that a
//! file of a few kilobytes cannot fill memory or take a day.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read};

use zip::ZipArchive;

use crate::error::{Mistake, Place, Reading};
use crate::formats::files::{File, ReadSeek};

/// Bytes that the parts of a file that are read may unpack to.
const MOST_BYTES: u64 = 512 << 20;
/// How many times its size a file may unpack to; honest text comes to 30 at most.
const MOST_TIMES: u64 = 200;
/// What a small file may unpack to all the same.
const FREE_BYTES: u64 = 4 << 20;
const MOST_ENTRIES: usize = 50_000;

/// An archive whose parts are read by their names.
pub(in crate::formats) struct Package<'d> {
    archive: ZipArchive<Box<dyn ReadSeek + 'd>>,
    /// Parts by their names in small letters: books made where files go by any capitals name their pages so. `None`
    /// for two of one name.
    by_small_letters: HashMap<String, Option<usize>>,
    place: Place,
    /// What it is said to be.
    kind: &'static str,
    /// Bytes that may still be unpacked.
    left: u64,
}

impl<'d> Package<'d> {
    /// # Errors
    /// When the file is no archive.
    pub(in crate::formats) fn open(file: &mut File<'d>, kind: &'static str) -> Reading<Self> {
        let place = file.place.clone();
        let mut bytes = file.seekable()?;
        let size = bytes.seek(io::SeekFrom::End(0)).unwrap_or(0);
        let left = size.saturating_mul(MOST_TIMES).clamp(FREE_BYTES, MOST_BYTES);
        let archive = ZipArchive::new(bytes).map_err(|error| broken(&place, kind, &error))?;
        if archive.len() > MOST_ENTRIES {
            let problem =
                format!("a {kind} file of {} parts, more than {MOST_ENTRIES}", archive.len());
            return Err(Mistake::document(place, problem, "leave it out"));
        }
        let mut by_small_letters = HashMap::new();
        for (number, name) in archive.file_names().enumerate() {
            let small = name.map(|name| name.to_ascii_lowercase()).unwrap_or_default();
            by_small_letters.entry(small).and_modify(|other| *other = None).or_insert(Some(number));
        }
        Ok(Self { archive, by_small_letters, place, kind, left })
    }

    /// Unpacks every part that holds data, for those who read them without limits afterwards.
    ///
    /// # Errors
    /// When they come to more than they may, or one is damaged.
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

    /// Names of the parts that end so, capitals or not.
    pub(in crate::formats) fn ending(&self, ending: &str) -> Vec<String> {
        let names = self.archive.file_names().flatten().map(String::from);
        names.filter(|name| name.to_ascii_lowercase().ends_with(ending)).collect()
    }

    /// Whether there is a part of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.number(name).is_some()
    }

    /// The number of the part of this name, or of the one part of this name in other capitals.
    fn number(&self, name: &str) -> Option<usize> {
        let alike = || self.by_small_letters.get(&name.to_ascii_lowercase()).copied().flatten();
        self.archive.index_for_name(name).or_else(alike)
    }

    /// Gives a part to `read`, with its place for messages.
    ///
    /// # Errors
    /// When it is not there or cannot be unpacked, and those of `read`.
    pub(in crate::formats) fn part<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut dyn Read, &Place) -> Reading<T>,
    ) -> Reading<T> {
        let number = self.number(name);
        let Self { archive, place, kind, left, .. } = self;
        let inside = Place { file: format!("{} ({name})", place.file).into(), line: 0 };
        let number = number.ok_or_else(|| {
            let problem = format!("not a sound {kind} file: {name} is not in it");
            Mistake::document(place.clone(), problem, AGAIN)
        })?;
        let part = archive.by_index(number).map_err(|error| broken(place, kind, &error))?;
        let mut unpacked = Unpacked { part, left };
        read(&mut unpacked, &inside)
    }

    /// A part as bytes.
    ///
    /// # Errors
    /// When it is not there or cannot be unpacked.
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

fn broken(place: &Place, kind: &str, error: &dyn fmt::Display) -> Mistake {
    let reason = error.to_string();
    let mistake = if reason.to_lowercase().contains("password") {
        let problem = format!("a {kind} file with a password");
        Mistake::document(place.clone(), problem, "save it without one")
    } else {
        Mistake::document(place.clone(), format!("not a sound {kind} file ({reason})"), AGAIN)
    };
    mistake.undecodable()
}

/// Why reading was stopped, on its way through readers that know of files only what `io` says.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub(super) struct Refused {
    pub(super) problem: &'static str,
    pub(super) remedy: &'static str,
}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> Self {
        Self::other(refused)
    }
}

/// What is wrong where reading fails.
pub(super) fn unreadable(error: &io::Error, place: Place) -> Mistake {
    let refused = error.get_ref().and_then(|inner| inner.downcast_ref::<Refused>());
    let remedy = refused.map_or(AGAIN, |refused| refused.remedy);
    Mistake::document(place, error.to_string(), remedy).undecodable()
}

/// A part as it is unpacked, as far as it may be.
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
            .ok_or(Refused { problem: BOMB, remedy: "leave it out" })?;
        Ok(length)
    }
}
