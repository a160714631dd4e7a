//! A file or standard input as numbered lines; plain, gzip or zstd; in any encoding.

mod bytes;
pub(crate) mod encoding;
mod gzip;
mod line_ends;
mod name;
mod zstd;

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use self::bytes::{Counting, Failing, head_of, is_packed};
use self::encoding::Encoding;
use self::gzip::GzipReader;
use self::line_ends::LineEnds;
pub use self::line_ends::lines_of;
use self::name::{identity, stem};
pub(crate) use self::name::{path_of, plain_name, printable};
use self::zstd::{ZstdReader, is_zstd};
use super::error::{IngestError, InputLocation, Mistake, Reading, Result};

/// Maximum bytes of a line; longer ones are errors.
const MAX_LINE_BYTES: usize = MAX_DOCUMENT_BYTES;
/// Maximum bytes of a document's text.
pub(crate) const MAX_DOCUMENT_BYTES: usize = 64 << 20;
const BUFFER: usize = 1 << 17;
/// Number of first bytes from which the kind of a source is recognised.
const HEAD: usize = 4096;

/// A position between two lines of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Bytes before it, after decompression.
    pub(crate) bytes: u64,
    /// Lines before it.
    pub(crate) lines: u64,
    /// BLAKE3 hash of these bytes.
    pub(crate) hash: Vec<u8>,
}

/// Maximum bytes of a list of words.
const MAX_LIST_BYTES: u64 = 256 << 20;

/// The text of a list of words, in UTF-8, UTF-16 with a mark, or else Windows-1252, as texts are read.
///
/// # Errors
/// [`IngestError::Unreadable`].
pub fn read_list(path: &Path) -> Result<String> {
    let unreadable = |source: io::Error| IngestError::Unreadable { file: printable(path), source };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_LIST_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
    let wide = Encoding::detect_utf16(&bytes).and_then(|encoding| encoding.decoded(&bytes));
    let text = wide.or_else(|| String::from_utf8(bytes.clone()).ok());
    let text = text.or_else(|| Encoding::from_label(b"windows-1252")?.decoded(&bytes));
    let text = text.ok_or_else(|| unreadable(io::Error::other("it is no text")))?;
    Ok(text.strip_prefix('\u{feff}').map(String::from).unwrap_or(text))
}

/// An open source. Lines are returned without their ends (LF, CRLF, or CR alone); a byte order mark is dropped.
pub struct Source {
    name: Arc<str>,
    stem: String,
    size: Option<u64>,
    identity: String,
    consumed: Arc<AtomicU64>,
    reader: Box<dyn Read + Send>,
    /// Name of the compression, for messages.
    compression: &'static str,
    longest_line: usize,
    /// Its first bytes, before conversion to UTF-8.
    head: Vec<u8>,
    /// Decoded bytes: those before `start` have been returned, those before `hashed` also hashed.
    buffer: Vec<u8>,
    start: usize,
    hashed: usize,
    is_at_end: bool,
    /// `None` before the first line.
    ends: Option<LineEnds>,
    hasher: blake3::Hasher,
    bytes: u64,
    lines: u64,
    /// Bytes of the line that was returned last.
    last: usize,
}

impl Source {
    /// Opens a file, or standard input for `-`. Compression and UTF-16 are recognised by content.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        Self::open_as(path, None)
    }

    /// As [`Source::open`], with a known encoding.
    pub(crate) fn open_as(path: &Path, encoding: Option<Encoding>) -> Result<Self> {
        if path == Path::new("-") {
            return Self::new("stdin", "stdin", None, Box::new(io::stdin()), encoding);
        }
        let name = printable(path);
        let unreadable = |e: io::Error| match e.kind() {
            io::ErrorKind::NotFound => IngestError::Missing(name.clone()),
            _ => IngestError::Unreadable { file: name.clone(), source: e },
        };
        let file = File::open(path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        let size = metadata.is_file().then_some(metadata.len());
        let mut source = Self::new(&name, &stem(path), size, Box::new(file), encoding)?;
        if size.is_some() {
            source.identity = identity(&metadata);
        }
        Ok(source)
    }

    /// A source with the given name and content.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self> {
        Self::new(name, &stem(Path::new(name)), None, Box::new(Cursor::new(bytes)), None)
    }

    pub fn new(
        name: &str,
        stem: &str,
        size: Option<u64>,
        mut inner: Box<dyn Read + Send>,
        encoding: Option<Encoding>,
    ) -> Result<Self> {
        let unreadable = |e: io::Error| IngestError::Unreadable { file: name.into(), source: e };
        let mut magic = Vec::new();
        inner.by_ref().take(4).read_to_end(&mut magic).map_err(unreadable)?;
        let is_gzip = magic.starts_with(&[0x1f, 0x8b]);
        let is_zstd = is_zstd(&magic);
        let consumed = Arc::new(AtomicU64::new(0));
        let bytes =
            Counting { inner: Cursor::new(magic).chain(inner), consumed: Arc::clone(&consumed) };
        let bytes = BufReader::with_capacity(BUFFER, bytes);
        let (mut reader, compression): (Box<dyn Read + Send>, _) = if is_gzip {
            (Box::new(GzipReader::new(bytes)), "gzip")
        } else if is_zstd {
            (Box::new(ZstdReader::new(bytes)), "zstd")
        } else {
            (Box::new(bytes), "")
        };
        let (head, error) = head_of(&mut reader, if size.is_some() { HEAD } else { 5 });
        let reader = Cursor::new(head.clone()).chain(Failing(error)).chain(reader);
        let encoding =
            encoding.or_else(|| Encoding::detect_utf16(&head)).filter(|_| !is_packed(&head));
        let reader: Box<dyn Read + Send> = match encoding.filter(|encoding| !encoding.is_utf8()) {
            Some(encoding) => Box::new(encoding.recoded(reader)),
            None => Box::new(reader),
        };
        Ok(Self {
            name: name.into(),
            stem: stem.into(),
            size,
            identity: String::new(),
            consumed,
            reader,
            compression,
            longest_line: MAX_LINE_BYTES,
            head,
            buffer: Vec::new(),
            start: 0,
            hashed: 0,
            is_at_end: false,
            ends: None,
            hasher: blake3::Hasher::new(),
            bytes: 0,
            lines: 0,
            last: 0,
        })
    }

    /// Its name as given.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The prefix of its documents' keys.
    pub(crate) fn stem(&self) -> &str {
        &self.stem
    }

    pub(crate) fn is_compressed(&self) -> bool {
        !self.compression.is_empty()
    }

    /// Its size in bytes as stored, if it is a regular file and so can be opened again.
    pub(crate) fn size(&self) -> Option<u64> {
        self.size
    }

    /// Size and modification time of a regular file, which identify its version.
    pub(crate) fn identity(&self) -> &str {
        &self.identity
    }

    /// Its first bytes after decompression, in their own encoding: some thousand of a file, a few of a pipe.
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// Number of bytes that have been read, as stored.
    pub(crate) fn consumed(&self) -> u64 {
        self.consumed.load(Ordering::Relaxed)
    }

    /// The number of the line that was returned last.
    pub fn number(&self) -> u64 {
        self.lines
    }

    /// The location of the line that was returned last, for messages.
    pub fn place(&self) -> InputLocation {
        InputLocation { file: Arc::clone(&self.name), line: self.lines }
    }

    /// The position after the line that was returned last.
    pub(crate) fn mark(&mut self) -> Mark {
        self.hash_up_to_start();
        self.last = 0;
        let hash = self.hasher.finalize().as_bytes().to_vec();
        Mark { bytes: self.bytes, lines: self.lines, hash }
    }

    /// Skips to `mark`; false if the bytes before it have changed. Then the source is at another position and
    /// must be opened again.
    pub(crate) fn skip_to(&mut self, mark: &Mark) -> Reading<bool> {
        self.line_ends()?;
        while self.bytes < mark.bytes {
            if self.start == self.buffer.len() && !self.fill()? {
                return Ok(false);
            }
            let left = usize::try_from(mark.bytes - self.bytes).unwrap_or(usize::MAX);
            let step = left.min(self.buffer.len() - self.start);
            self.start += step;
            self.bytes += step as u64;
        }
        self.lines = mark.lines;
        Ok(self.mark() == *mark)
    }

    /// The next line, or `None` at the end.
    #[inline]
    pub fn next_line(&mut self) -> Reading<Option<&[u8]>> {
        let Some((length, taken)) = self.find_line(0)? else { return Ok(None) };
        let from = self.start;
        self.start += taken;
        self.bytes += taken as u64;
        self.lines += 1;
        self.last = taken;
        let line = &self.buffer[from..from + length];
        if self.lines == 1 { Ok(Some(without_mark(line))) } else { Ok(Some(line)) }
    }

    /// The line that `next_line` will return after `index` others, without consuming any.
    pub(crate) fn peek(&mut self, index: usize) -> Reading<Option<&[u8]>> {
        let mut from = 0;
        for _ in 0..index {
            match self.find_line(from)? {
                Some((_, taken)) => from += taken,
                None => return Ok(None),
            }
        }
        Ok(self.peek_at(from)?.map(|(line, _)| line))
    }

    /// The line that begins `from` bytes after the next one, and its length with its end. Nothing is consumed.
    pub(crate) fn peek_at(&mut self, from: usize) -> Reading<Option<(&[u8], usize)>> {
        let Some((length, taken)) = self.find_line(from)? else { return Ok(None) };
        let line = &self.buffer[self.start + from..][..length];
        let is_first = self.lines == 0 && from == 0;
        Ok(Some((if is_first { without_mark(line) } else { line }, taken)))
    }

    /// Puts back the line that was returned last; it will be returned again. Once per line.
    pub(crate) fn unread_line(&mut self) {
        self.start -= self.last;
        self.bytes -= self.last as u64;
        self.lines -= u64::from(self.last > 0);
        self.last = 0;
    }

    /// The rest of the source.
    pub(crate) fn read_rest(&mut self) -> Reading<&[u8]> {
        while !self.is_at_end {
            self.fill()?;
            if self.buffer.len() - self.start > self.longest_line {
                return Err(self.too_long("a document"));
            }
        }
        let rest = &self.buffer[self.start..];
        Ok(without_mark(rest))
    }

    fn too_long(&self, what: &str) -> Mistake {
        let limit = self.longest_line >> 20;
        let remedy = "put each document on a line of its own";
        Mistake::document(self.place(), format!("{what} longer than {limit} MiB"), remedy)
    }

    /// Reads more bytes; false at the end.
    fn fill(&mut self) -> Reading<bool> {
        if self.is_at_end {
            return Ok(false);
        }
        if self.start > 0 {
            self.hash_up_to_start();
            self.buffer.drain(..self.start);
            (self.start, self.hashed) = (0, 0);
        }
        let length = self.buffer.len();
        // Doubling keeps the reading of a long line linear.
        self.buffer.resize(length + length.max(BUFFER), 0);
        let read = loop {
            match self.reader.read(&mut self.buffer[length..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.buffer.truncate(length + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(0) => self.is_at_end = true,
            Ok(_) => {}
            Err(error) => {
                // Neither the bytes after the error nor an incomplete line before it can be read.
                self.is_at_end = true;
                let mistake = self.failed(&error);
                self.buffer.truncate(self.start);
                return Err(mistake);
            }
        }
        Ok(!self.is_at_end)
    }

    fn hash_up_to_start(&mut self) {
        self.hasher.update(&self.buffer[self.hashed..self.start]);
        self.hashed = self.start;
    }

    fn failed(&self, error: &io::Error) -> Mistake {
        let end = if self.ends == Some(LineEnds::Any) { b'\r' } else { b'\n' };
        let ends = memchr::memchr_iter(end, &self.buffer[self.start..]).count() as u64;
        let place = InputLocation { file: Arc::clone(&self.name), line: self.lines + ends + 1 };
        let again = "copy or download it again";
        let compression = self.compression;
        let reason = error.to_string();
        let mistake = match error.kind() {
            _ if compression.is_empty() => {
                let remedy = "check the file and its disk";
                return Mistake::source(place, format!("cannot be read ({reason})"), remedy);
            }
            io::ErrorKind::UnexpectedEof => {
                Mistake::source(place, format!("the {compression} file is cut short here"), again)
            }
            _ => {
                let problem = format!("the {compression} file is damaged here ({reason})");
                Mistake::source(place, problem, again)
            }
        };
        mistake.undecodable()
    }
}

/// Removes the byte order mark with which some programs begin a file.
fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

#[cfg(test)]
#[path = "test_source.rs"]
mod tests;
