//! The result of a finished run: topics, their proportions in documents, metrics, warnings, and details of the
//! model.

pub mod assigned;
pub mod document_topic;
pub mod judgement;
pub mod k_bound;
pub mod left_out;
mod linear;
pub mod metric;
pub mod novelty;
pub mod saved_result;
pub mod series;
pub mod topic;
pub mod topic_document;
mod topic_label;
pub mod topic_shares;
pub mod warning;
pub mod word;

use rusqlite::types::Type;
use rusqlite::{Row, RowIndex};

use self::document_topic::SavedDocuments;
use self::topic::SavedTopic;
use crate::Store;
use crate::corpus::content_hash::first_16_bytes;
use crate::error::Result;
use crate::id::DocumentId;
use crate::run::Run;

/// Reads a finite number. SQLite can store infinity, but no result contains it.
pub(crate) fn finite(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<f64> {
    let number: f64 = row.get(column)?;
    if number.is_finite() {
        return Ok(number);
    }
    Err(rusqlite::Error::FromSqlConversionFailure(0, Type::Real, "a number is infinite".into()))
}

/// Sixteen bytes (BLAKE3) that identify a result to the bit, before rounding: topics, words, probabilities,
/// correlations, and the documents' proportions of at least 0.01.
pub fn result_hash(
    topics: &[SavedTopic],
    correlations: &[f64],
    documents: &SavedDocuments,
) -> Result<Vec<u8>> {
    let SavedDocuments { alpha, packed, .. } = documents;
    let mut hash = BufferedHasher::default();
    hash.add_topics(topics, correlations, alpha);
    packed.each_large(|_, _, shares| {
        shares.iter().for_each(|share| hash.add(&share.to_le_bytes()));
    })?;
    let mut end = 0;
    packed.each_large(|document, topics, _| {
        end += topics.len() as u64;
        hash.add(&document.to_le_bytes());
        hash.add(&end.to_le_bytes());
    })?;
    packed.each_large(|_, topics, _| {
        topics.iter().for_each(|topic| hash.add(&topic.to_le_bytes()));
    })?;
    Ok(hash.finish())
}

impl Store {
    /// Sixteen bytes (BLAKE3) that identify the input of a run: model, number of topics, seed, settings and
    /// vocabulary, from its row.
    pub(crate) fn request_hash(&self, run: &Run) -> Result<Vec<u8>> {
        let mut hash = BufferedHasher::default();
        for text in [&run.model, &run.settings] {
            hash.add(&(text.len() as u64).to_le_bytes());
            hash.add(text.as_bytes());
        }
        hash.add(&run.k.to_le_bytes());
        hash.add(&run.seed.to_le_bytes());
        let vocabulary = run.vocabulary_id.map(|id| self.vocabulary_hash(id)).transpose()?;
        hash.add(&vocabulary.unwrap_or_default());
        Ok(hash.finish())
    }
}

/// The hash of a saved result, which `check` compares with the store.
pub(crate) struct SavedHash(BufferedHasher);

impl SavedHash {
    /// Starts with everything but the documents' proportions.
    pub(crate) fn new(topics: &[SavedTopic], correlations: &[f64], alpha: &[f64]) -> Self {
        let mut hasher = BufferedHasher::default();
        hasher.add_topics(topics, correlations, alpha);
        // Not part of the result's own hash: it follows from θ.
        for share in topics.iter().filter_map(|topic| topic.shares.token_share) {
            hasher.add(&share.to_le_bytes());
        }
        Self(hasher)
    }

    /// Adds a document's proportions; documents come in the order of their ids.
    pub(crate) fn add(&mut self, document: DocumentId, proportions: &str) {
        self.0.add(&document.0.to_le_bytes());
        self.0.add(proportions.as_bytes());
    }

    /// Adds the hash of the result, which is saved beside this one.
    pub(crate) fn finish(mut self, result_hash: &[u8]) -> Vec<u8> {
        self.0.add(result_hash);
        self.0.finish()
    }
}

/// Size of the buffer: BLAKE3 is several times slower over many short inputs.
const HASH_BUFFER_BYTES: usize = 1 << 16;

/// A BLAKE3 hasher with a buffer for short inputs.
#[derive(Default)]
struct BufferedHasher {
    hasher: blake3::Hasher,
    waiting: Vec<u8>,
}

impl BufferedHasher {
    fn add(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= HASH_BUFFER_BYTES {
            self.hasher.update(&self.waiting);
            self.waiting.clear();
        }
    }

    fn add_topics(&mut self, topics: &[SavedTopic], correlations: &[f64], alpha: &[f64]) {
        for topic in topics {
            self.add(&topic.shares.document_share.to_le_bytes());
            for (term, probability) in topic.terms.iter().chain(&topic.characteristic) {
                self.add(&term.0.to_le_bytes());
                self.add(&probability.to_le_bytes());
            }
        }
        for number in correlations.iter().chain(alpha) {
            self.add(&number.to_le_bytes());
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.hasher.update(&self.waiting);
        first_16_bytes(self.hasher.finalize()).to_vec()
    }
}
