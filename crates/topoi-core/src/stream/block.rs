//! The packed form of a few hundred documents, as the store keeps it and models stream it.
//!
//! All numbers are little-endian. With D documents and N nonzeros:
//!
//! ```text
//! bytes        what
//! 4            magic "TPB1"
//! 4            D
//! 4            N
//! 1            bytes a term position takes: 2 or 4
//! 1            bytes a count takes: 1, 2 or 4
//! 2            zero
//! 4·D          document id, less the block's first document id
//! 4·D          end of the document's entries (cumulative; the last is N)
//! 2·N or 4·N   term positions, ascending within a document
//! 1·N … 4·N    counts
//! ```
//!
//! A block of the NIPS corpus takes 3 to 4 bytes a nonzero; the JSON of `document_counts` takes 8.

/// Bytes that are not a block, or a block that does not fit its corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("block {block} is damaged ({reason})")]
pub struct DamagedBlock {
    /// The block's row id.
    pub block: i64,
    /// What is wrong with its bytes.
    pub reason: &'static str,
}

const MAGIC: u32 = u32::from_le_bytes(*b"TPB1");
const HEADER: usize = 16;

/// Documents at which a block is full.
pub const DOCUMENTS_PER_BLOCK: usize = 512;
/// Nonzeros at which a block is full. A document is never split.
pub const NONZEROS_PER_BLOCK: usize = 1 << 17;

/// Decoded documents of one block. The arrays are reused from block to block.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Block {
    /// Ids of the D documents.
    pub document_ids: Vec<i64>,
    /// D cumulative ends into `terms` and `counts`.
    pub ends: Vec<u32>,
    /// N term positions within the corpus, ascending within a document.
    pub terms: Vec<u32>,
    /// N counts, each at least 1.
    pub counts: Vec<u32>,
}

impl Block {
    /// The documents as (id, term positions, counts).
    pub fn documents(&self) -> impl Iterator<Item = (i64, &[u32], &[u32])> {
        let mut start = 0;
        self.document_ids.iter().zip(&self.ends).map(move |(&id, &end)| {
            let range = start..end as usize;
            start = end as usize;
            (id, &self.terms[range.clone()], &self.counts[range])
        })
    }

    /// Appends a document. `entries` are (term position, count), ascending by position.
    pub fn push(&mut self, document_id: i64, entries: &[(u32, u32)]) {
        self.document_ids.push(document_id);
        self.terms.extend(entries.iter().map(|&(term, _)| term));
        self.counts.extend(entries.iter().map(|&(_, count)| count));
        self.ends.push(self.terms.len() as u32);
    }

    /// Appends a document of another block.
    pub fn push_slices(&mut self, document_id: i64, terms: &[u32], counts: &[u32]) {
        self.document_ids.push(document_id);
        self.terms.extend_from_slice(terms);
        self.counts.extend_from_slice(counts);
        self.ends.push(self.terms.len() as u32);
    }

    /// Whether the block has reached the size at which it is written.
    pub fn is_full(&self) -> bool {
        self.document_ids.len() >= DOCUMENTS_PER_BLOCK || self.terms.len() >= NONZEROS_PER_BLOCK
    }

    /// Keeps the first `documents` documents only.
    pub fn truncate(&mut self, documents: usize) {
        self.document_ids.truncate(documents);
        self.ends.truncate(documents);
        let nonzeros = self.ends.last().map_or(0, |&end| end as usize);
        self.terms.truncate(nonzeros);
        self.counts.truncate(nonzeros);
    }

    /// Empties the block, keeping its memory.
    pub fn clear(&mut self) {
        self.document_ids.clear();
        self.ends.clear();
        self.terms.clear();
        self.counts.clear();
    }

    /// Checks that every term of block `id` has a position below `end`.
    ///
    /// # Errors
    /// [`DamagedBlock`] when a term has not.
    pub fn check_terms(&self, id: i64, end: u32) -> Result<(), DamagedBlock> {
        if self.terms.iter().all(|&term| term < end) {
            return Ok(());
        }
        let reason = "it has a term that the corpus does not have";
        Err(DamagedBlock { block: id, reason })
    }

    /// The packed bytes. The first document id is not among them; the caller stores it.
    pub fn pack(&self) -> Vec<u8> {
        let term_width = if self.terms.iter().all(|&t| t <= u16::MAX.into()) { 2 } else { 4 };
        let count_width = match self.counts.iter().max().copied().unwrap_or(0) {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            _ => 4,
        };
        let first = self.document_ids.first().copied().unwrap_or(0);
        let size =
            HEADER + 8 * self.document_ids.len() + (term_width + count_width) * self.terms.len();
        let mut bytes = Vec::with_capacity(size);
        for word in [MAGIC, self.document_ids.len() as u32, self.terms.len() as u32] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&[term_width as u8, count_width as u8, 0, 0]);
        for id in &self.document_ids {
            bytes.extend_from_slice(&((id - first) as u32).to_le_bytes());
        }
        for end in &self.ends {
            bytes.extend_from_slice(&end.to_le_bytes());
        }
        push_numbers(&mut bytes, &self.terms, term_width);
        push_numbers(&mut bytes, &self.counts, count_width);
        bytes
    }

    /// Decodes `bytes` into this block and replaces its contents.
    ///
    /// # Errors
    /// [`DamagedBlock`] when the bytes are not a block. Never panics, whatever the bytes.
    pub fn unpack(
        &mut self,
        block: i64,
        first_document_id: i64,
        bytes: &[u8],
    ) -> Result<(), DamagedBlock> {
        self.clear();
        let damaged = |reason| DamagedBlock { block, reason };
        let word = |at: usize| {
            let bytes = bytes.get(at..at + 4)?;
            Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        };
        let (Some(magic), Some(documents), Some(nonzeros)) = (word(0), word(4), word(8)) else {
            return Err(damaged("it is shorter than its header"));
        };
        if magic != MAGIC || bytes.len() < HEADER {
            return Err(damaged("it does not start as a block does"));
        }
        if first_document_id.checked_add(u32::MAX.into()).is_none() {
            return Err(damaged("no document has an id as large as its first"));
        }
        let (documents, nonzeros) = (documents as usize, nonzeros as usize);
        let (term_width, count_width) = (usize::from(bytes[12]), usize::from(bytes[13]));
        if !matches!(term_width, 2 | 4) || !matches!(count_width, 1 | 2 | 4) {
            return Err(damaged("its number widths are unknown"));
        }
        let ends_at = HEADER + 4 * documents;
        let terms_at = ends_at + 4 * documents;
        let counts_at = terms_at + term_width * nonzeros;
        if bytes.len() != counts_at + count_width * nonzeros {
            return Err(damaged("its length does not fit its header"));
        }
        let mut offsets = Vec::new();
        pull_numbers(&bytes[HEADER..ends_at], 4, &mut offsets);
        self.document_ids.extend(offsets.iter().map(|&o| first_document_id + i64::from(o)));
        pull_numbers(&bytes[ends_at..terms_at], 4, &mut self.ends);
        pull_numbers(&bytes[terms_at..counts_at], term_width, &mut self.terms);
        pull_numbers(&bytes[counts_at..], count_width, &mut self.counts);
        let ascending = self.ends.windows(2).all(|pair| pair[0] <= pair[1]);
        let what = if !ascending || self.ends.last().map_or(0, |&end| end as usize) != nonzeros {
            "its document ends do not ascend to its length"
        } else if !self.document_ids.is_sorted_by(|a, b| a < b) {
            "its documents do not ascend"
        } else if self.counts.contains(&0) {
            "it has a count of 0"
        } else if !self.documents().all(|(_, terms, _)| terms.is_sorted_by(|a, b| a < b)) {
            "the terms of a document do not ascend"
        } else {
            return Ok(());
        };
        self.clear();
        Err(damaged(what))
    }
}

fn push_numbers(bytes: &mut Vec<u8>, numbers: &[u32], width: usize) {
    match width {
        1 => bytes.extend(numbers.iter().map(|&n| n as u8)),
        2 => bytes.extend(numbers.iter().flat_map(|&n| (n as u16).to_le_bytes())),
        _ => bytes.extend(numbers.iter().flat_map(|&n| n.to_le_bytes())),
    }
}

fn pull_numbers(bytes: &[u8], width: usize, numbers: &mut Vec<u32>) {
    match width {
        1 => numbers.extend(bytes.iter().map(|&b| u32::from(b))),
        2 => numbers
            .extend(bytes.chunks_exact(2).map(|b| u32::from(u16::from_le_bytes([b[0], b[1]])))),
        _ => numbers
            .extend(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_block_unpacks_to_what_was_packed(
            documents in prop::collection::vec(
                prop::collection::btree_map(0u32..200_000, 1u32..100_000, 0..20), 0..30),
            first in 1i64..1_000_000,
        ) {
            let mut block = Block::default();
            for (i, document) in documents.iter().enumerate() {
                let entries: Vec<_> = document.iter().map(|(&t, &c)| (t, c)).collect();
                block.push(first + 3 * i as i64, &entries);
            }
            let mut again = Block::default();
            again.unpack(1, first, &block.pack()).expect("unpack");
            prop_assert_eq!(&block, &again);
            let (half, mut shorter) = (documents.len() / 2, Block::default());
            for (id, terms, counts) in block.documents().take(half) {
                shorter.push_slices(id, terms, counts);
            }
            again.truncate(half);
            prop_assert_eq!(shorter, again);
        }

        #[test]
        fn no_bytes_make_unpack_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut block = Block::default();
            let _ = block.unpack(1, 1, &bytes);
            if bytes.len() >= 14 {
                bytes[..4].copy_from_slice(&MAGIC.to_le_bytes());
                bytes[12] = 2;
                bytes[13] = 1;
                let _ = block.unpack(1, 1, &bytes);
            }
        }
    }
}
