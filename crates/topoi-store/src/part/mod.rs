//! Parts of a corpus: what the store of one knows of the whole.

pub mod shard;
pub mod unify;

use rusqlite::OptionalExtension;
use serde::{Deserialize, Serialize};

use super::Store;
use super::corpus::Corpus;
use super::error::{Result, StoreError};
use crate::corpus::content_hash::first_half;
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

/// How far apart the ids of two parts' documents are that were ingested apart: more documents than
/// a part will have, and a place that does not move when a part grows.
pub const IDS_OF_A_PART: i64 = 1 << 40;

/// Which part of a corpus a store has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its number, from 0.
    pub number: u64,
    /// Number of parts of the corpus.
    pub parts: u64,
    /// What the ids of its documents are greater by in the whole.
    pub ids_from: i64,
    /// Terms of the whole.
    pub terms: u64,
    /// [`Store::terms_hash`] of the whole.
    pub terms_hash: Vec<u8>,
}

impl Store {
    /// Which part of corpus `corpus_id` this store has; `None` where it was never made one.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn part(&self, corpus_id: i64) -> Result<Option<Part>> {
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

    /// Saves that this store has `part` of the corpus, and where each of its terms stands in the
    /// whole; `None` where they stand at their own positions.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn become_part(
        &mut self,
        corpus_id: i64,
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

    /// The number of parts that hold the documents of a corpus of which this store has the terms
    /// alone; `None` for a corpus whose documents are here.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn parts_elsewhere(&self, corpus_id: i64) -> Result<Option<u64>> {
        let find = || {
            let mut statement = self.connection.prepare_cached(DIVIDED)?;
            statement.query_row([corpus_id], |row| row.get(0)).optional()
        };
        find().map_err(|source| self.error(source))
    }

    /// Refuses a corpus whose documents are in parts elsewhere.
    ///
    /// # Errors
    /// [`StoreError::InParts`]; when the store cannot be read.
    pub fn require_documents(&self, corpus: &Corpus) -> Result<()> {
        match self.parts_elsewhere(corpus.id)? {
            None => Ok(()),
            Some(parts) => Err(StoreError::InParts { corpus: corpus.name.clone(), parts }),
        }
    }

    /// Sixteen bytes that identify the terms of a corpus and their order: BLAKE3 over their texts.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn terms_hash(&self, corpus_id: i64) -> Result<Vec<u8>> {
        let texts: Vec<String> = self.rows(TERM_TEXTS, [corpus_id], |row| row.get(0))?;
        Ok(hash_of_terms(texts.iter().map(String::as_str)))
    }
}

/// As [`Store::terms_hash`].
pub(crate) fn hash_of_terms<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    first_half(hasher.finalize()).to_vec()
}

/// The numbers that the whole has for a part's documents and terms, where they are other ones.
#[derive(Debug)]
pub(crate) struct WholeNumbers {
    ids_from: i64,
    /// By position here; `None` where they are the same.
    positions: Option<Vec<u32>>,
}

impl WholeNumbers {
    /// Of `part`, which corpus `corpus_id` of `store` is; `None` where all are the same.
    pub(crate) fn of(store: &Store, corpus_id: i64, part: &Part) -> Result<Option<Self>> {
        let positions: Vec<u32> = store.rows(POSITIONS, [corpus_id], |row| row.get(0))?;
        let numbers = Self {
            ids_from: part.ids_from,
            positions: (!positions.is_empty()).then_some(positions),
        };
        Ok((numbers.ids_from != 0 || numbers.positions.is_some()).then_some(numbers))
    }

    /// The id here of the document that the whole calls `id`.
    pub(crate) fn own_id(&self, id: i64) -> i64 {
        id.saturating_sub(self.ids_from)
    }

    /// Puts them in the place of the block's own.
    ///
    /// # Errors
    /// [`StoreError::PartHasGrown`] for a term that came after the whole was told of the part's.
    pub(crate) fn apply(&self, block: &mut Block) -> Result<()> {
        // Ids that overflow are of no part that `shard` or `unify` numbered.
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
