//! Topic proportions of many documents, as a run keeps them until they are saved.

use std::io::{self, Read};
use std::path::Path;

use super::proportions;
use crate::spilled::{SpillBuffer, SpillError};

/// Smallest proportion whose bits [`PackedDocuments`] keep. The hash of a result is over these.
pub const LEAST_PROPORTION: f64 = 0.01;

/// θ of documents in the order of the corpus: all proportions as text, and those of at least 0.01
/// to the last bit. All but the newest are on disk: 24 bytes a document, 12 bytes a large
/// proportion, and about 5 bytes a topic.
#[derive(Debug, Default)]
pub struct PackedDocuments {
    /// Per document: its id, the number of large proportions, their topics (ascending), and the
    /// proportions.
    exact: SpillBuffer,
    /// Per document: its id, the length of its text in bytes, and the text as written by
    /// [`proportions::write`].
    texts: SpillBuffer,
}

/// A document of [`PackedDocuments`].
#[derive(Debug, Clone)]
pub struct PackedDocument {
    exact: Vec<u8>,
    text: Vec<u8>,
}

impl PackedDocument {
    /// Document `id`. `theta` and `alpha` have an entry for each topic.
    pub fn new(id: i64, theta: &[f64], alpha: &[f64]) -> Self {
        let large = || (0u32..).zip(theta).filter(|(_, share)| **share >= LEAST_PROPORTION);
        let exact = exact_record(id, large().map(|(topic, &share)| (topic, share)));
        let mut text = String::new();
        proportions::write(theta, alpha, &mut text);
        let length = (text.len() as u32).to_le_bytes();
        let text = [&id.to_le_bytes()[..], &length, text.as_bytes()].concat();
        Self { exact, text }
    }
}

fn exact_record(id: i64, large: impl Iterator<Item = (u32, f64)> + Clone) -> Vec<u8> {
    let mut record = id.to_le_bytes().to_vec();
    record.extend((large.clone().count() as u32).to_le_bytes());
    record.extend(large.clone().flat_map(|(topic, _)| topic.to_le_bytes()));
    record.extend(large.flat_map(|(_, share)| share.to_le_bytes()));
    record
}

impl PackedDocuments {
    /// Empty. Documents that do not fit into memory are written to files in `directory`.
    pub fn new_in(directory: &Path) -> Self {
        let none = || SpillBuffer::new_in(directory);
        Self { exact: none(), texts: none() }
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.exact.is_empty()
    }

    /// Appends a document.
    ///
    /// # Errors
    /// [`SpillError`] when the disk cannot be written.
    pub fn push(&mut self, document: &PackedDocument) -> Result<(), SpillError> {
        self.exact.push(&document.exact)?;
        self.texts.push(&document.text)
    }

    /// Appends the documents of `other`.
    pub fn append(&mut self, other: Self) {
        self.exact.append(other.exact);
        self.texts.append(other.texts);
    }

    /// Calls `visit` with the id of every document, its topics with a proportion of at least 0.01
    /// (ascending), and those proportions to the last bit.
    ///
    /// # Errors
    /// [`SpillError`] when the files cannot be read.
    pub fn each_large(&self, mut visit: impl FnMut(i64, &[u32], &[f64])) -> Result<(), SpillError> {
        let (mut topics, mut shares) = (Vec::new(), Vec::new());
        each_record(&self.exact, 12, |id, record| {
            let (of_topics, of_shares) = record.split_at(record.len() / 3);
            let numbers = of_topics.as_chunks().0.iter();
            topics.clear();
            topics.extend(numbers.map(|&topic| u32::from_le_bytes(topic)));
            shares.clear();
            shares.extend(of_shares.as_chunks().0.iter().map(|&share| f64::from_le_bytes(share)));
            visit(id, &topics, &shares);
            Ok(())
        })
    }

    /// Calls `visit` with the id of every document and the text of its proportions. Stops at the
    /// first error.
    ///
    /// # Errors
    /// Errors of `visit`; [`SpillError`] when the files cannot be read.
    pub fn each_text<E: From<SpillError>>(
        &self,
        mut visit: impl FnMut(i64, &str) -> Result<(), E>,
    ) -> Result<(), E> {
        each_record(&self.texts, 1, |id, text| {
            let damaged = |_| self.texts.error(io::ErrorKind::InvalidData.into());
            visit(id, std::str::from_utf8(text).map_err(damaged)?)
        })
    }

    /// The documents that `is_kept` says, by their ids; files go to `directory`.
    ///
    /// # Errors
    /// [`SpillError`] when the files cannot be read or written.
    pub fn selected(
        &self,
        directory: &Path,
        is_kept: impl Fn(i64) -> bool,
    ) -> Result<Self, SpillError> {
        let mut kept = Self::new_in(directory);
        let of = [(&self.exact, &mut kept.exact, 12), (&self.texts, &mut kept.texts, 1)];
        for (from, to, size) in of {
            each_record(from, size, |id, record| match is_kept(id) {
                true => {
                    let entries = (record.len() / size) as u32;
                    to.push(&[&id.to_le_bytes()[..], &entries.to_le_bytes(), record].concat())
                }
                false => Ok(()),
            })?;
        }
        Ok(kept)
    }

    /// The bytes of which all documents consist, for another part of the corpus: the exact records, and the texts.
    pub(crate) fn streams(&self) -> [&SpillBuffer; 2] {
        [&self.exact, &self.texts]
    }

    /// [`streams`](Self::streams), to append those of another part.
    pub(crate) fn streams_mut(&mut self) -> [&mut SpillBuffer; 2] {
        [&mut self.exact, &mut self.texts]
    }
}

/// Calls `visit` with the id of every record and its entries of `size` bytes. Stops at the first
/// error.
fn each_record<E: From<SpillError>>(
    of: &SpillBuffer,
    size: usize,
    mut visit: impl FnMut(i64, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let (mut reader, mut record) = (of.reader(), Vec::new());
    let mut read = |to: &mut [u8]| reader.read_exact(to).map_err(|error| of.error(error));
    let mut left = of.len();
    while left > 0 {
        let (mut id, mut entries) = ([0; 8], [0; 4]);
        read(&mut id)?;
        read(&mut entries)?;
        record.resize(u32::from_le_bytes(entries) as usize * size, 0);
        read(&mut record)?;
        left = left.saturating_sub(12 + record.len() as u64);
        visit(i64::from_le_bytes(id), &record)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Large = Vec<(i64, Vec<u32>, Vec<f64>)>;

    fn read(of: &PackedDocuments) -> (Large, Vec<(i64, String)>) {
        let (mut large, mut texts) = (Vec::new(), Vec::new());
        of.each_large(|id, topics, shares| large.push((id, topics.to_vec(), shares.to_vec())))
            .expect("read");
        of.each_text(|id, text| {
            texts.push((id, text.to_string()));
            Ok::<_, SpillError>(())
        })
        .expect("read");
        (large, texts)
    }

    #[test]
    fn every_bit_of_large_proportions_comes_back() {
        let mut some = PackedDocuments::default();
        assert!(some.is_empty());
        let all = [(3, [0.005, 0.995]), (-9, [0.1 + 0.2, 0.7 - 1e-17]), (1 << 40, [1.0, 0.0])];
        for (id, theta) in &all {
            some.push(&PackedDocument::new(*id, theta, &[0.1, 0.1])).expect("written");
        }
        let (large, texts) = read(&some);
        assert_eq!(large[0], (3, vec![1], vec![0.995]));
        assert_eq!(large[1], (-9, vec![0, 1], vec![0.1 + 0.2, 0.7 - 1e-17]));
        assert_eq!(large[2], (1 << 40, vec![0], vec![1.0]));
        assert_eq!(texts[0], (3, "[50000,9950000]".to_string()));
        let odd = some.selected(Path::new("."), |id| id % 2 != 0).expect("written");
        assert_eq!(read(&odd), (large[..2].to_vec(), texts[..2].to_vec()));
        assert!(read(&PackedDocuments::default()).0.is_empty());
    }

    #[test]
    fn what_a_visitor_says_ends_the_reading() {
        let mut some = PackedDocuments::default();
        for id in 0..3 {
            some.push(&PackedDocument::new(id, &[1.0], &[0.1])).expect("written");
        }
        let stopped = some.each_text(|id, _| match id {
            0 => Ok(()),
            _ => Err(SpillError { directory: "d".into(), source: io::ErrorKind::Other.into() }),
        });
        assert_eq!(stopped.expect_err("stopped").directory, Path::new("d"));
    }
}
