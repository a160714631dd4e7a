//! Parts of a corpus: what the store of a part knows of the whole corpus.

pub mod run;
pub mod shard;
pub mod unify;

use rusqlite::OptionalExtension;
use serde::{Deserialize, Serialize};

use super::Store;
use super::corpus::Corpus;
use super::error::{Result, StoreError};
use crate::corpus::content_hash::first_16_bytes;
use crate::id::CorpusId;
use topoi_core::stream::block::Block;

const PART: &str =
    "SELECT number, parts, ids_from, terms, terms_hash FROM part WHERE corpus_id = ?1";
const SAVE_PART: &str = "INSERT INTO part (corpus_id, number, parts, ids_from, terms, terms_hash) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (corpus_id) DO UPDATE SET number = ?2, parts = ?3, \
    ids_from = ?4, terms = ?5, terms_hash = ?6";
const FORGET_POSITIONS: &str = "DELETE FROM part_term WHERE corpus_id = ?1";
const SAVE_POSITION: &str =
    "INSERT INTO part_term (corpus_id, position, whole_position) VALUES (?1, ?2, ?3)";
const POSITIONS: &str =
    "SELECT whole_position FROM part_term WHERE corpus_id = ?1 ORDER BY position";
const DIVIDED: &str = "SELECT parts FROM divided_corpus WHERE corpus_id = ?1";
const TERM_TEXTS: &str = "SELECT text FROM term WHERE corpus_id = ?1 ORDER BY position";

/// Distance between the first document ids of two parts that were ingested separately: more than a part has
/// documents, so ids stay when a part grows.
pub const PART_ID_STRIDE: i64 = 1 << 40;

/// The part of a corpus that a store contains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its number, from 0.
    pub number: u64,
    /// Number of parts of the corpus.
    pub parts: u64,
    /// Offset of its document ids in the whole corpus.
    pub ids_from: i64,
    /// Number of terms of the whole corpus.
    pub terms: u64,
    /// [`Store::terms_hash`] of the whole corpus.
    pub terms_hash: Vec<u8>,
}

impl Store {
    /// The part of corpus `corpus_id` that this store contains; `None` if the corpus is not a part.
    pub fn part(&self, corpus_id: CorpusId) -> Result<Option<Part>> {
        let read = |row: &rusqlite::Row<'_>| {
            Ok(Part {
                number: row.get("number")?,
                parts: row.get("parts")?,
                ids_from: row.get("ids_from")?,
                terms: row.get("terms")?,
                terms_hash: row.get("terms_hash")?,
            })
        };
        Ok(self.rows(PART, [corpus_id], read)?.pop())
    }

    /// Saves that this store contains `part` of the corpus, with the positions of its terms in the whole
    /// corpus; `None` if positions are the same.
    pub fn become_part(
        &mut self,
        corpus_id: CorpusId,
        part: &Part,
        positions: Option<&[u32]>,
    ) -> Result<()> {
        self.transaction(|store| {
            let Part { number, parts, ids_from, terms, terms_hash } = part;
            store.execute(SAVE_PART, (corpus_id, number, parts, ids_from, terms, terms_hash))?;
            store.execute(FORGET_POSITIONS, [corpus_id])?;
            for (position, whole) in positions.unwrap_or_default().iter().enumerate() {
                store.execute(SAVE_POSITION, (corpus_id, position, whole))?;
            }
            Ok(())
        })
    }

    /// Number of other stores with the documents of a corpus, if this store has its terms only; `None` if the
    /// documents are here.
    pub fn parts_elsewhere(&self, corpus_id: CorpusId) -> Result<Option<u64>> {
        let find = || {
            let mut statement = self.connection.prepare_cached(DIVIDED)?;
            statement.query_row([corpus_id], |row| row.get(0)).optional()
        };
        find().map_err(|source| self.error(source))
    }

    /// Refuses a corpus whose documents are in other stores.
    ///
    /// # Errors
    /// [`StoreError::InParts`].
    pub fn require_documents(&self, corpus: &Corpus) -> Result<()> {
        match self.parts_elsewhere(corpus.id)? {
            None => Ok(()),
            Some(parts) => Err(StoreError::InParts { corpus: corpus.name.clone(), parts }),
        }
    }

    /// Sixteen bytes that identify the terms of a corpus and their order: BLAKE3 over their texts.
    pub fn terms_hash(&self, corpus_id: CorpusId) -> Result<Vec<u8>> {
        let texts: Vec<String> = self.rows(TERM_TEXTS, [corpus_id], |row| row.get(0))?;
        Ok(hash_term_texts(texts.iter().map(String::as_str)))
    }
}

/// The hash of terms, as [`Store::terms_hash`].
pub(crate) fn hash_term_texts<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    first_16_bytes(hasher.finalize()).to_vec()
}

/// Maps the document ids and term positions of a part to those of the whole corpus.
#[derive(Debug)]
pub(crate) struct WholeNumbering {
    ids_from: i64,
    /// Positions in the whole corpus by position in the part; `None` if they are the same.
    positions: Option<Vec<u32>>,
}

impl WholeNumbering {
    /// The numbering of `part`, which is corpus `corpus_id` of `store`; `None` if it changes nothing.
    pub(crate) fn from_part(
        store: &Store,
        corpus_id: CorpusId,
        part: &Part,
    ) -> Result<Option<Self>> {
        let positions: Vec<u32> = store.rows(POSITIONS, [corpus_id], |row| row.get(0))?;
        let numbers = Self {
            ids_from: part.ids_from,
            positions: (!positions.is_empty()).then_some(positions),
        };
        Ok((numbers.ids_from != 0 || numbers.positions.is_some()).then_some(numbers))
    }

    /// The difference between a document's id in the whole corpus and its id in the part.
    pub(crate) fn ids_from(&self) -> i64 {
        self.ids_from
    }

    /// The positions of the whole corpus with the ids of the part.
    pub(crate) fn with_own_ids(self) -> Self {
        Self { ids_from: 0, ..self }
    }

    /// The id in the part of the document with `id` in the whole corpus.
    pub(crate) fn own_id(&self, id: i64) -> i64 {
        id.saturating_sub(self.ids_from)
    }

    /// Replaces the ids and positions of a block by those of the whole corpus.
    ///
    /// # Errors
    /// [`StoreError::PartHasGrown`] for a term that was added after the parts were unified.
    pub(crate) fn apply(&self, block: &mut Block) -> Result<()> {
        // Ids that overflow cannot come from `shard` or `unify`.
        block.document_ids.iter_mut().for_each(|id| *id = id.saturating_add(self.ids_from));
        let Some(positions) = &self.positions else { return Ok(()) };
        let (mut start, mut order) = (0, Vec::new());
        for &end in &block.ends {
            let range = start..end as usize;
            start = end as usize;
            let (terms, counts) = (&mut block.terms[range.clone()], &mut block.counts[range]);
            order.clear();
            for (&term, &count) in terms.iter().zip(&*counts) {
                let whole = positions.get(term as usize).ok_or(StoreError::PartHasGrown)?;
                order.push((*whole, count));
            }
            // Ascending within a document, as in every block.
            order.sort_unstable();
            for ((term, count), &(whole, own)) in terms.iter_mut().zip(counts).zip(&order) {
                (*term, *count) = (whole, own);
            }
        }
        Ok(())
    }
}
