//! From a model's matrices to the rows a run leaves behind.

use super::measure::Measured;
use super::models::Fitted;
use crate::metric::top_words::top_words;
use crate::store::topic::{SavedResult, SavedTopic};

/// Characteristic words saved for a topic.
const CHARACTERISTIC_WORDS: usize = 50;

/// The rows of a run. `term_ids` are the W term row ids in vocabulary order.
pub fn saved_result(fitted: &Fitted, measured: Measured, term_ids: &[i64]) -> SavedResult {
    let topics = &fitted.topics;
    let anchor_rows = &measured.explained.anchor_rows;
    let saved = (0..topics.anchors.len())
        .map(|topic| {
            let column = topics.topics.column(topic);
            let row = anchor_rows.column(topic);
            let by_rank = |words: Vec<usize>, values: ndarray::ArrayView1<'_, f64>| {
                words.into_iter().map(|word| (term_ids[word], values[word])).collect()
            };
            SavedTopic {
                weight: topics.weights[topic],
                anchor_term_id: Some(term_ids[topics.anchors[topic]]),
                terms: by_rank(top_words(column, column.len()), column),
                characteristic: by_rank(top_words(row, CHARACTERISTIC_WORDS), row),
            }
        })
        .collect();
    let mut result = SavedResult {
        topics: saved,
        correlations: topics.correlations.iter().copied().collect(),
        metrics: fitted.convergence.iter().cloned().chain(measured.metrics).collect(),
        spectrum: fitted.spectrum.clone(),
        positions: measured.map.words.iter().map(|&(word, x, y)| (term_ids[word], x, y)).collect(),
        ..SavedResult::default()
    };
    result.hash = hash(&result);
    result
}

/// Sixteen bytes that identify topics, words, probabilities and correlations to the bit.
fn hash(result: &SavedResult) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    for topic in &result.topics {
        hasher.update(&topic.weight.to_le_bytes());
        for (term, probability) in topic.terms.iter().chain(&topic.characteristic) {
            hasher.update(&term.to_le_bytes());
            hasher.update(&probability.to_le_bytes());
        }
    }
    for joint in &result.correlations {
        hasher.update(&joint.to_le_bytes());
    }
    hasher.finalize().as_bytes()[..16].to_vec()
}
