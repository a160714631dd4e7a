//! Bytes that are written once and read in their order, more of them than memory should hold.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// So many of the bytes written last are in memory.
const HELD: usize = 4 << 20;
/// Bytes read at once.
const READ: usize = 256 << 10;

/// Why bytes cannot be kept in a directory, or not be read again.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}; what does not fit memory needs space there while a run works", directory.display())]
pub struct SpillError {
    /// The directory of the files.
    pub directory: PathBuf,
    /// The operating system's error.
    pub source: io::Error,
}

/// Bytes in the order they were written: the last 4 MB in memory, those before in a file without a name, which
/// goes with the process however it ends.
#[derive(Debug)]
pub struct Spilled {
    directory: PathBuf,
    /// The last one grows.
    pieces: Vec<Piece>,
}

#[derive(Debug, Default)]
struct Piece {
    file: Option<File>,
    /// Bytes in the file.
    filed: u64,
    held: Vec<u8>,
}

impl Default for Spilled {
    fn default() -> Self {
        Self::in_directory(&std::env::temp_dir())
    }
}

impl Spilled {
    /// None yet; a file, if it takes one, will be in `directory`.
    pub fn in_directory(directory: &Path) -> Self {
        Self { directory: directory.into(), pieces: Vec::new() }
    }

    /// Appends `bytes`.
    ///
    /// # Errors
    /// When a file cannot be made or written.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), SpillError> {
        if self.pieces.is_empty() {
            self.pieces.push(Piece::default());
        }
        let last = self.pieces.len() - 1;
        self.pieces[last].push(bytes, &self.directory).map_err(|source| self.error(source))
    }

    /// Appends those of `other`, which stay where they are.
    pub fn append(&mut self, other: Self) {
        self.pieces.extend(other.pieces);
    }

    /// The number of bytes.
    pub fn len(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.filed + piece.held.len() as u64).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads them from the first on.
    pub fn reader(&self) -> impl Read {
        BufReader::with_capacity(READ, Reader { pieces: &self.pieces, at: 0 })
    }

    /// What went wrong, and where.
    pub fn error(&self, source: io::Error) -> SpillError {
        SpillError { directory: self.directory.clone(), source }
    }
}

impl Piece {
    fn push(&mut self, bytes: &[u8], directory: &Path) -> io::Result<()> {
        self.held.extend_from_slice(bytes);
        if self.held.len() < HELD {
            return Ok(());
        }
        let file = match &self.file {
            Some(file) => file,
            // A store that is only read may be where nothing can be written.
            None => self
                .file
                .insert(tempfile::tempfile_in(directory).or_else(|_| tempfile::tempfile())?),
        };
        file.write_all_at(&self.held, self.filed)?;
        self.filed += self.held.len() as u64;
        self.held.clear();
        Ok(())
    }

    /// Reads from byte `at` on; 0 at the end.
    fn read(&self, at: u64, to: &mut [u8]) -> io::Result<usize> {
        if let (Some(file), true) = (&self.file, at < self.filed) {
            let left = usize::try_from(self.filed - at).unwrap_or(usize::MAX);
            let most = to.len().min(left);
            return match file.read_at(&mut to[..most], at)? {
                0 => Err(io::ErrorKind::UnexpectedEof.into()),
                read => Ok(read),
            };
        }
        let rest = &self.held[(at - self.filed) as usize..];
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

    fn all(of: &Spilled) -> Vec<u8> {
        let mut bytes = Vec::new();
        of.reader().read_to_end(&mut bytes).expect("read");
        assert_eq!(bytes.len() as u64, of.len());
        bytes
    }

    #[test]
    fn what_was_written_is_read_in_its_order_from_files_and_memory() {
        let directory = tempfile::tempdir().expect("tempdir");
        let mut expected = Vec::new();
        let mut whole = Spilled::in_directory(directory.path());
        assert!(whole.is_empty() && all(&whole).is_empty());
        // Pieces in memory, in a file and in both; none, too.
        for (piece, length) in [3, 0, HELD, 2 * HELD + 17, 100].into_iter().enumerate() {
            let mut own = Spilled::in_directory(directory.path());
            let bytes: Vec<u8> = (0..length).map(|at| (at * 7 + piece) as u8).collect();
            for some in bytes.chunks(HELD / 3 + 1) {
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
        let mut nowhere = Spilled::in_directory(Path::new("/nowhere/at/all"));
        let bytes = vec![7; HELD + 1];
        nowhere.push(&bytes).expect("elsewhere");
        assert!(all(&nowhere) == bytes);
        let told = nowhere.error(io::ErrorKind::StorageFull.into()).to_string();
        assert!(told.starts_with("/nowhere/at/all: ") && told.lines().count() == 1, "{told}");
    }
}
