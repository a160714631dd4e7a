//! A buffer that is written once and read in order, and that spills from memory to disk.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Bytes kept in memory.
const BUFFER_BYTES: usize = 4 << 20;
/// Bytes read at a time.
const READ_BYTES: usize = 256 << 10;

/// Bytes could not be written to a directory or read again.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}; what does not fit memory needs space there while a run works", directory.display())]
pub struct SpillError {
    /// The directory of the files.
    pub directory: PathBuf,
    /// The operating system's error.
    pub source: io::Error,
}

/// Bytes in the order in which they were written. The last 4 MB are in memory, earlier ones in an
/// unnamed file that disappears with the process, however it ends.
#[derive(Debug)]
pub struct SpillBuffer {
    directory: PathBuf,
    /// Pieces in order; only the last one grows.
    pieces: Vec<Piece>,
}

#[derive(Debug, Default)]
struct Piece {
    file: Option<File>,
    /// Bytes in the file.
    file_bytes: u64,
    buffer: Vec<u8>,
}

impl Default for SpillBuffer {
    fn default() -> Self {
        Self::new_in(&std::env::temp_dir())
    }
}

impl SpillBuffer {
    /// An empty buffer whose file, if it needs one, is created in `directory`.
    pub fn new_in(directory: &Path) -> Self {
        Self { directory: directory.into(), pieces: Vec::new() }
    }

    /// Appends `bytes`.
    ///
    /// # Errors
    /// [`SpillError`] when a file cannot be created or written.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), SpillError> {
        if self.pieces.is_empty() {
            self.pieces.push(Piece::default());
        }
        let last = self.pieces.len() - 1;
        self.pieces[last].push(bytes, &self.directory).map_err(|source| self.error(source))
    }

    /// Appends the bytes of `other` without copying them.
    pub fn append(&mut self, other: Self) {
        self.pieces.extend(other.pieces);
    }

    /// The number of bytes.
    pub fn len(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.file_bytes + piece.buffer.len() as u64).sum()
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads the bytes from the start.
    pub fn reader(&self) -> impl Read {
        BufReader::with_capacity(READ_BYTES, Reader { pieces: &self.pieces, at: 0 })
    }

    /// Adds the directory to an error of the operating system.
    pub fn error(&self, source: io::Error) -> SpillError {
        SpillError { directory: self.directory.clone(), source }
    }
}

impl Piece {
    fn push(&mut self, bytes: &[u8], directory: &Path) -> io::Result<()> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() < BUFFER_BYTES {
            return Ok(());
        }
        let file = match &self.file {
            Some(file) => file,
            // The directory of a read-only store may not be writable.
            None => self
                .file
                .insert(tempfile::tempfile_in(directory).or_else(|_| tempfile::tempfile())?),
        };
        file.write_all_at(&self.buffer, self.file_bytes)?;
        self.file_bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Reads from byte `at` on; returns 0 at the end.
    fn read(&self, at: u64, to: &mut [u8]) -> io::Result<usize> {
        if let (Some(file), true) = (&self.file, at < self.file_bytes) {
            let left = usize::try_from(self.file_bytes - at).unwrap_or(usize::MAX);
            let most = to.len().min(left);
            return match file.read_at(&mut to[..most], at)? {
                0 => Err(io::ErrorKind::UnexpectedEof.into()),
                read => Ok(read),
            };
        }
        let rest = &self.buffer[(at - self.file_bytes) as usize..];
        let read = rest.len().min(to.len());
        to[..read].copy_from_slice(&rest[..read]);
        Ok(read)
    }
}

struct Reader<'a> {
    pieces: &'a [Piece],
    at: u64,
}

impl Read for Reader<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while let Some((piece, others)) = self.pieces.split_first() {
            let read = piece.read(self.at, to)?;
            if read > 0 || to.is_empty() {
                self.at += read as u64;
                return Ok(read);
            }
            *self = Reader { pieces: others, at: 0 };
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(of: &SpillBuffer) -> Vec<u8> {
        let mut bytes = Vec::new();
        of.reader().read_to_end(&mut bytes).expect("read");
        assert_eq!(bytes.len() as u64, of.len());
        bytes
    }

    #[test]
    fn what_was_written_is_read_in_its_order_from_files_and_memory() {
        let directory = tempfile::tempdir().expect("tempdir");
        let mut expected = Vec::new();
        let mut whole = SpillBuffer::new_in(directory.path());
        assert!(whole.is_empty() && all(&whole).is_empty());
        // Pieces in memory, in a file, in both, and an empty one.
        for (piece, length) in
            [3, 0, BUFFER_BYTES, 2 * BUFFER_BYTES + 17, 100].into_iter().enumerate()
        {
            let mut own = SpillBuffer::new_in(directory.path());
            let bytes: Vec<u8> = (0..length).map(|at| (at * 7 + piece) as u8).collect();
            for some in bytes.chunks(BUFFER_BYTES / 3 + 1) {
                own.push(some).expect("written");
            }
            whole.append(own);
            expected.extend(bytes);
        }
        whole.push(b"the end").expect("written");
        expected.extend(b"the end");
        assert!(all(&whole) == expected && all(&whole) == expected);
        assert_eq!(std::fs::read_dir(directory.path()).expect("read").count(), 0);
    }

    #[test]
    fn where_nothing_can_be_written_the_usual_place_for_files_like_these_is_taken() {
        let mut nowhere = SpillBuffer::new_in(Path::new("/nowhere/at/all"));
        let bytes = vec![7; BUFFER_BYTES + 1];
        nowhere.push(&bytes).expect("elsewhere");
        assert!(all(&nowhere) == bytes);
        let told = nowhere.error(io::ErrorKind::StorageFull.into()).to_string();
        assert!(told.starts_with("/nowhere/at/all: ") && told.lines().count() == 1, "{told}");
    }
}
