//! The result of a finished run: its topics, their share in documents, metrics, warnings, and what the model
//! found on the way.

pub mod document_topic;
pub mod k_bound;
pub mod metric;
pub mod topic;
mod topic_label;
pub mod warning;
pub mod word;

use rusqlite::types::Type;
use rusqlite::{Row, RowIndex};

use self::document_topic::SavedDocuments;
use self::topic::SavedTopic;
use crate::store::corpus::content_hash::first_half;

/// A number of a row, of which SQLite can hold an infinite one: no result has that.
pub(crate) fn finite(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<f64> {
    let number: f64 = row.get(column)?;
    if number.is_finite() {
        return Ok(number);
    }
    Err(rusqlite::Error::FromSqlConversionFailure(0, Type::Real, "a number is infinite".into()))
}

/// Sixteen bytes (BLAKE3) that identify topics, words, probabilities, correlations and what
/// documents are about to the bit.
pub fn result_hash(
    topics: &[SavedTopic],
    correlations: &[f64],
    documents: &SavedDocuments,
) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    for topic in topics {
        hasher.update(&topic.weight.to_le_bytes());
        for (term, probability) in topic.terms.iter().chain(&topic.characteristic) {
            hasher.update(&term.to_le_bytes());
            hasher.update(&probability.to_le_bytes());
        }
    }
    for number in correlations.iter().chain(&documents.alpha).chain(&documents.proportions) {
        hasher.update(&number.to_le_bytes());
    }
    for (document, end) in documents.documents.iter().zip(&documents.ends) {
        hasher.update(&document.to_le_bytes());
        hasher.update(&(*end as u64).to_le_bytes());
    }
    for topic in &documents.topics {
        hasher.update(&topic.to_le_bytes());
    }
    first_half(hasher.finalize()).to_vec()
}
