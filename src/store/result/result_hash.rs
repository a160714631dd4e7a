//! What identifies the result of a run.

use super::document_topic::SavedDocuments;
use super::topic::SavedTopic;

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
    hasher.finalize().as_bytes()[..16].to_vec()
}
