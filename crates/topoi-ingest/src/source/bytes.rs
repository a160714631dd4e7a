//! Sources as bytes: the first bytes, a byte counter, and the rest for readers that do not use lines.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{HEAD, Source, without_mark};

/// The first bytes of a reader, `enough` or all, and the error that ended reading, if any.
pub(super) fn head_of(reader: &mut dyn Read, enough: usize) -> (Vec<u8>, Option<io::Error>) {
    let mut head = vec![0; HEAD];
    let mut length = 0;
    let error = loop {
        match reader.read(&mut head[length..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break Some(error),
            Ok(0) => break None,
            Ok(read) => length += read,
        }
        if length >= enough {
            break None;
        }
    };
    head.truncate(length);
    (head, error)
}

/// Whether a file is an archive, PDF or Office file, whose bytes are not recoded.
pub(super) fn is_packed(head: &[u8]) -> bool {
    [&b"PK"[..], b"%PDF", b"\xd0\xcf\x11\xe0"].iter().any(|start| head.starts_with(start))
}

/// Returns an error once, if there is one, and then the end.
pub(super) struct Failing(pub(super) Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Counts the bytes that are read through it.
pub(super) struct Counting<R> {
    pub(super) inner: R,
    pub(super) consumed: Arc<AtomicU64>,
}

/// Reads the rest of a source as bytes.
impl Read for Source {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.start == self.buffer.len() {
            // The error of `fill` without its line, which readers of bytes count themselves.
            if !self.fill().map_err(|mistake| io::Error::other(mistake.problem))? {
                return Ok(0);
            }
        }
        if self.bytes == 0 && without_mark(&self.buffer).len() < self.buffer.len() {
            (self.start, self.bytes) = (3, 3);
        }
        let length = out.len().min(self.buffer.len() - self.start);
        out[..length].copy_from_slice(&self.buffer[self.start..][..length]);
        self.start += length;
        self.bytes += length as u64;
        Ok(length)
    }
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.consumed.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}
