//! Splitting a source into documents without parsing them: lines, records of several lines, files.

use std::path::{Path, PathBuf};

use crate::error::{InputLocation, Mistake, Reading};
use crate::formats::text::fields::Quotes;
use crate::source::{Mark, Source};

/// The raw bytes of adjacent documents.
#[derive(Debug, Default)]
pub(crate) struct Raw {
    bytes: Vec<u8>,
    units: Vec<Unit>,
    /// Bytes of the files that are named but not read yet.
    of_files: usize,
}

/// The location of a document and the end of its bytes, or the error in its place.
#[derive(Debug)]
struct Unit {
    end: usize,
    place: InputLocation,
    /// A file to be read later, by its path within its directory.
    file: Option<PathBuf>,
    mistake: Option<Mistake>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct RawDocument<'r> {
    pub(crate) bytes: &'r [u8],
    pub(crate) place: &'r InputLocation,
    /// A file to be read later, by its path within its directory.
    pub(crate) file: Option<&'r Path>,
}

impl Raw {
    /// Bytes of all documents, in memory or in files.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len().saturating_add(self.of_files)
    }

    /// Number of documents and errors.
    pub(crate) fn units(&self) -> usize {
        self.units.len()
    }

    pub(crate) fn push(&mut self, place: InputLocation, bytes: &[u8]) {
        self.extend(bytes);
        self.end(place);
    }

    /// Appends bytes to the current document.
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Ends the current document.
    pub(crate) fn end(&mut self, place: InputLocation) {
        self.units.push(Unit { end: self.bytes.len(), place, file: None, mistake: None });
    }

    /// Adds a file of `bytes` bytes, to be read in parallel.
    pub(crate) fn push_file(&mut self, place: InputLocation, file: PathBuf, bytes: usize) {
        self.of_files = self.of_files.saturating_add(bytes);
        self.units.push(Unit { end: self.bytes.len(), place, file: Some(file), mistake: None });
    }

    pub(crate) fn push_mistake(&mut self, mistake: Mistake) {
        let place = mistake.place.clone();
        let end = self.bytes.len();
        self.units.push(Unit { end, place, file: None, mistake: Some(mistake) });
    }

    /// The documents, or the errors in their place.
    pub(crate) fn documents(
        &self,
    ) -> impl Iterator<Item = std::result::Result<RawDocument<'_>, &Mistake>> {
        let mut start = 0;
        self.units.iter().map(move |unit| {
            let bytes = &self.bytes[start..unit.end];
            start = unit.end;
            let document = RawDocument { bytes, place: &unit.place, file: unit.file.as_deref() };
            unit.mistake.as_ref().map_or(Ok(document), Err)
        })
    }
}

/// Splits a source into raw documents, in order.
pub(crate) trait Units: Send {
    /// Appends the next document to `raw`; false at the end.
    ///
    /// # Errors
    /// The error that makes this document, or the rest of the source, unreadable.
    fn next(&mut self, raw: &mut Raw) -> Reading<bool>;

    /// The position after the last document, and further state for resuming there.
    fn mark(&mut self) -> (Mark, String);

    /// Bytes of the source read, as stored.
    fn consumed(&self) -> u64;
}

/// A document per line.
pub(crate) struct Lines(pub(crate) Source);

impl Units for Lines {
    fn next(&mut self, raw: &mut Raw) -> Reading<bool> {
        let Some(line) = self.0.next_line()? else { return Ok(false) };
        // Peeking at the source would require copying the line first.
        raw.extend(line);
        raw.end(self.0.place());
        Ok(true)
    }

    fn mark(&mut self) -> (Mark, String) {
        (self.0.mark(), String::new())
    }

    fn consumed(&self) -> u64 {
        self.0.consumed()
    }
}

/// Maximum bytes of a record of several lines.
const LONGEST_RECORD: usize = 64 << 20;

/// Records of a comma-separated file: one line, or several while a quote is open.
pub(crate) struct Records {
    pub(crate) source: Source,
    /// The field separator.
    pub(crate) delimiter: u8,
}

impl Units for Records {
    fn next(&mut self, raw: &mut Raw) -> Reading<bool> {
        let start = raw.bytes.len();
        let Some(line) = self.source.next_line()? else { return Ok(false) };
        raw.bytes.extend_from_slice(line);
        let mut quotes = Quotes::at_record_start();
        quotes.pass(line, self.delimiter);
        let place = self.source.place();
        while quotes.is_open() {
            let next = self.source.next_line();
            let too_long = raw.bytes.len() - start > LONGEST_RECORD;
            match next {
                Ok(Some(line)) if !too_long => {
                    raw.bytes.push(b'\n');
                    raw.bytes.extend_from_slice(line);
                    quotes.pass(b"\n", self.delimiter);
                    quotes.pass(line, self.delimiter);
                }
                other => {
                    raw.bytes.truncate(start);
                    other?;
                    let problem = "a quote that is opened here and never closed";
                    let remedy = "close the quote, or double it where it belongs to the text";
                    return Err(Mistake::source(place, problem, remedy));
                }
            }
        }
        raw.end(place);
        Ok(true)
    }

    fn mark(&mut self) -> (Mark, String) {
        (self.source.mark(), String::new())
    }

    fn consumed(&self) -> u64 {
        self.source.consumed()
    }
}
