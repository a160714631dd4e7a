//! A file or standard input as numbered lines, plain or gzip.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;

use super::error::{IngestError, Place, Result};

/// The longest line that is read; longer ones are a mistake in the source.
const LONGEST_LINE: u64 = 256 << 20;
const BUFFER: usize = 1 << 17;

/// An open source. Lines come without their end (LF or CRLF); a byte order mark is dropped.
pub(super) struct Source {
    name: String,
    stem: String,
    size: Option<u64>,
    consumed: Arc<AtomicU64>,
    reader: Box<dyn BufRead + Send>,
    longest_line: u64,
    /// Lines that were read ahead and not handed out.
    peeked: VecDeque<Vec<u8>>,
    line: Vec<u8>,
    number: u64,
}

impl Source {
    /// Opens a file, or standard input for `-`. Compression is told by content, not by name.
    pub(super) fn open(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            return Self::new("stdin", "stdin", None, Box::new(io::stdin()));
        }
        let name = path.display().to_string();
        let unreadable = |e: io::Error| match e.kind() {
            io::ErrorKind::NotFound => IngestError::Missing(name.clone()),
            _ => IngestError::Unreadable { file: name.clone(), reason: e.to_string() },
        };
        let file = File::open(path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(IngestError::Directory(name));
        }
        let size = metadata.is_file().then_some(metadata.len());
        Self::new(&name, &stem(path), size, Box::new(file))
    }

    #[cfg(test)]
    pub(super) fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self> {
        Self::new(name, &stem(Path::new(name)), None, Box::new(Cursor::new(bytes)))
    }

    fn new(
        name: &str,
        stem: &str,
        size: Option<u64>,
        mut inner: Box<dyn Read + Send>,
    ) -> Result<Self> {
        let mut magic = Vec::new();
        inner
            .by_ref()
            .take(4)
            .read_to_end(&mut magic)
            .map_err(|e| IngestError::Unreadable { file: name.into(), reason: e.to_string() })?;
        if magic == [0x28, 0xb5, 0x2f, 0xfd] {
            return Err(IngestError::Zstandard(name.into()));
        }
        let gzip = magic.starts_with(&[0x1f, 0x8b]);
        let consumed = Arc::new(AtomicU64::new(0));
        let counted =
            Counting { inner: Cursor::new(magic).chain(inner), consumed: Arc::clone(&consumed) };
        let reader: Box<dyn BufRead + Send> = if gzip {
            let bytes = BufReader::with_capacity(BUFFER, counted);
            Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(bytes)))
        } else {
            Box::new(BufReader::with_capacity(BUFFER, counted))
        };
        Ok(Self {
            name: name.into(),
            stem: stem.into(),
            size,
            consumed,
            reader,
            longest_line: LONGEST_LINE,
            peeked: VecDeque::new(),
            line: Vec::new(),
            number: 0,
        })
    }

    /// The source as it was named.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What the keys of its documents start with.
    pub(super) fn stem(&self) -> &str {
        &self.stem
    }

    /// Its size in bytes as stored, if it is a regular file (and so can be opened again).
    pub(super) fn size(&self) -> Option<u64> {
        self.size
    }

    /// How many of those bytes have been read.
    pub(super) fn consumed(&self) -> u64 {
        self.consumed.load(Ordering::Relaxed)
    }

    /// The number of the line that was handed out last.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The line that was handed out last, for messages.
    pub(super) fn place(&self) -> Place {
        Place { file: self.name.clone(), line: self.number }
    }

    /// The next line, or `None` at the end.
    #[inline]
    pub(super) fn next_line(&mut self) -> Result<Option<&[u8]>> {
        if let Some(line) = self.peeked.pop_front() {
            self.line = line;
        } else if !self.read_line()? {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(&self.line))
    }

    /// The line that `next_line` will hand out after `index` others, which stay to be handed out.
    pub(super) fn peek(&mut self, index: usize) -> Result<Option<&[u8]>> {
        while self.peeked.len() <= index {
            if !self.read_line()? {
                return Ok(None);
            }
            self.peeked.push_back(std::mem::take(&mut self.line));
        }
        Ok(self.peeked.get(index).map(Vec::as_slice))
    }

    /// Reads a line into `self.line`; false at the end.
    fn read_line(&mut self) -> Result<bool> {
        self.line.clear();
        let limit = self.longest_line;
        let read = self.reader.as_mut().take(limit + 1).read_until(b'\n', &mut self.line);
        let length = read.map_err(|e| self.failed(&e))? as u64;
        if length > limit {
            return Err(IngestError::LongLine { place: self.reading(), limit: limit >> 20 });
        }
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
            if self.line.last() == Some(&b'\r') {
                self.line.pop();
            }
        }
        if self.number == 0 && self.peeked.is_empty() && self.line.starts_with(b"\xef\xbb\xbf") {
            self.line.drain(..3);
        }
        Ok(length > 0)
    }

    /// The line that is being read from the file.
    fn reading(&self) -> Place {
        Place { file: self.name.clone(), line: self.number + self.peeked.len() as u64 + 1 }
    }

    fn failed(&self, error: &io::Error) -> IngestError {
        let reason = error.to_string();
        match error.kind() {
            io::ErrorKind::UnexpectedEof => IngestError::CutShort(self.reading()),
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                IngestError::Damaged { place: self.reading(), reason }
            }
            _ => IngestError::Unreadable { file: self.name.clone(), reason },
        }
    }
}

/// `docword.nips.txt.gz` gives `nips`; `news.jsonl.gz` and `news.tsv` give `news`.
fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    if let Some(rest) = name.strip_prefix("docword.") {
        return rest.strip_suffix(".txt").unwrap_or(rest).to_string();
    }
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_string(),
        _ => name.to_string(),
    }
}

/// Counts the bytes that go through it.
struct Counting<R> {
    inner: R,
    consumed: Arc<AtomicU64>,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.consumed.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    pub(in crate::ingest) fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).expect("write");
        encoder.finish().expect("finish")
    }

    fn lines(source: &mut Source) -> Result<Vec<Vec<u8>>> {
        let mut lines = Vec::new();
        while let Some(line) = source.next_line()? {
            lines.push(line.to_vec());
        }
        Ok(lines)
    }

    #[test]
    fn stems_drop_what_says_the_format() {
        let of = |name: &str| stem(Path::new(name));
        assert_eq!(of("a/docword.nips.txt.gz"), "nips");
        assert_eq!(of("docword.nips"), "nips");
        assert_eq!(of("docword.nips.2.txt"), "nips.2");
        assert_eq!(of("news.jsonl.gz"), "news");
        assert_eq!(of("news"), "news");
        assert_eq!(of(".news"), ".news");
    }

    #[test]
    fn the_byte_order_mark_and_carriage_returns_are_dropped() {
        let mut source =
            Source::from_bytes("x", b"\xef\xbb\xbfa\r\n\r\n\xef\xbb\xbfb".to_vec()).expect("open");
        assert_eq!(source.peek(0).expect("peek"), Some(&b"a"[..]));
        assert_eq!(
            lines(&mut source).expect("lines"),
            [&b"a"[..], &b""[..], &b"\xef\xbb\xbfb"[..]]
        );
        assert_eq!(source.number(), 3);
    }

    #[test]
    fn a_gzip_file_cut_short_names_the_line_it_was_at() {
        let text: String = (0..20_000).map(|n| format!("{}\n", n * 7919 % 10_007)).collect();
        let mut bytes = gzip(text.as_bytes());
        bytes.truncate(bytes.len() / 2);
        let mut source = Source::from_bytes("x.gz", bytes).expect("open");
        let error = lines(&mut source).expect_err("cut short");
        let reached = source.number() + 1;
        assert!(reached > 100);
        assert_eq!(
            error.to_string(),
            format!(
                "x.gz:{reached}: the gzip file is cut short here; nothing was added: \
                 copy or download it again"
            )
        );
    }

    #[test]
    fn gzip_files_joined_end_to_end_are_one_source() {
        let mut bytes = gzip(b"a\nb\n");
        bytes.extend(gzip(b"c\n"));
        let mut source = Source::from_bytes("x.gz", bytes).expect("open");
        assert_eq!(lines(&mut source).expect("lines").len(), 3);
    }

    #[test]
    fn a_line_over_the_limit_is_refused() {
        let mut source = Source::from_bytes("x", b"short\nrather long\n".to_vec()).expect("open");
        source.longest_line = 8;
        let error = lines(&mut source).expect_err("too long");
        assert!(error.to_string().starts_with("x:2: a line longer than"), "{error}");
    }

    proptest! {
        #[test]
        fn gzip_reads_as_plain_does_and_peeking_takes_nothing(
            text in "([a-z \r]{0,12}\n){0,30}[a-z]{0,3}", ahead in 0usize..6,
        ) {
            let mut plain = Source::from_bytes("x", text.clone().into_bytes()).expect("open");
            let mut packed = Source::from_bytes("x", gzip(text.as_bytes())).expect("open");
            packed.peek(ahead).expect("peek");
            prop_assert_eq!(lines(&mut plain).expect("plain"), lines(&mut packed).expect("packed"));
        }

        #[test]
        fn no_bytes_make_reading_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = Source::from_bytes("x", bytes.clone()).and_then(|mut s| lines(&mut s));
            bytes.splice(..0, [0x1f, 0x8b, 8, 0]);
            let _ = Source::from_bytes("x", bytes).and_then(|mut s| lines(&mut s));
        }
    }
}
