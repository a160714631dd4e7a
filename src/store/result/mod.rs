//! The result of a finished run: its topics, their share in documents, metrics, warnings, and what the model
//! found on the way.

pub mod document_topic;
pub mod judgement;
pub mod k_bound;
pub mod left_out;
pub mod metric;
pub mod topic;
pub mod topic_document;
mod topic_label;
pub mod warning;
pub mod word;

use rusqlite::types::Type;
use rusqlite::{Row, RowIndex};

use self::document_topic::SavedDocuments;
use self::topic::SavedTopic;
use crate::store::corpus::content_hash::first_half;
use crate::store::error::Result;

/// A number of a row, of which SQLite can hold an infinite one: no result has that.
pub(crate) fn finite(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<f64> {
    let number: f64 = row.get(column)?;
    if number.is_finite() {
        return Ok(number);
    }
    Err(rusqlite::Error::FromSqlConversionFailure(0, Type::Real, "a number is infinite".into()))
}

/// Sixteen bytes (BLAKE3) that identify topics, words, probabilities, correlations and what
/// documents are about to the bit, before it is rounded; proportions below a hundredth apart.
pub fn result_hash(
    topics: &[SavedTopic],
    correlations: &[f64],
    documents: &SavedDocuments,
) -> Result<Vec<u8>> {
    let mut hasher = blake3::Hasher::new();
    let SavedDocuments { alpha, packed } = documents;
    hash_topics(topics, &mut hasher);
    for number in correlations.iter().chain(alpha) {
        hasher.update(&number.to_le_bytes());
    }
    packed.each_large(|_, _, shares| {
        for share in shares {
            hasher.update(&share.to_le_bytes());
        }
    })?;
    let mut end = 0;
    packed.each_large(|document, topics, _| {
        end += topics.len() as u64;
        hasher.update(&document.to_le_bytes());
        hasher.update(&end.to_le_bytes());
    })?;
    packed.each_large(|_, topics, _| {
        for topic in topics {
            hasher.update(&topic.to_le_bytes());
        }
    })?;
    Ok(first_half(hasher.finalize()).to_vec())
}

/// The hash of a result as it is saved, which a store can be held against.
pub(crate) struct SavedHash(blake3::Hasher);

impl SavedHash {
    /// That of all but what documents are about.
    pub(crate) fn of(topics: &[SavedTopic], correlations: &[f64], alpha: &[f64]) -> Self {
        let mut hasher = blake3::Hasher::new();
        hash_topics(topics, &mut hasher);
        for number in correlations.iter().chain(alpha) {
            hasher.update(&number.to_le_bytes());
        }
        Self(hasher)
    }

    /// Goes on with a document; they come in the order of their ids.
    pub(crate) fn add(&mut self, document: i64, proportions: &str) {
        self.0.update(&document.to_le_bytes());
        self.0.update(proportions.as_bytes());
    }

    /// With the hash of the result, which is saved beside this one.
    pub(crate) fn finish(mut self, result_hash: &[u8]) -> Vec<u8> {
        self.0.update(result_hash);
        first_half(self.0.finalize()).to_vec()
    }
}

fn hash_topics(topics: &[SavedTopic], hasher: &mut blake3::Hasher) {
    for topic in topics {
        hasher.update(&topic.weight.to_le_bytes());
        for (term, probability) in topic.terms.iter().chain(&topic.characteristic) {
            hasher.update(&term.to_le_bytes());
            hasher.update(&probability.to_le_bytes());
        }
    }
}
