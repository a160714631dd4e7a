//! From a model's matrices to the rows a run leaves behind.

use crate::metric::top_words::top_words;
use crate::model::lr_jsmf::LrJsmf;
use crate::store::metric::Metric;
use crate::store::topic::{SavedResult, SavedTopic};

/// Characteristic words saved for a topic.
const CHARACTERISTIC_WORDS: usize = 50;

/// The rows of an LR-JSMF run. `term_ids` are the W term row ids in vocabulary order,
/// `anchor_rows` is C̄_Sᵀ (W × K).
pub fn saved_result(
    model: &LrJsmf,
    anchor_rows: &ndarray::Array2<f64>,
    metrics: Vec<Metric>,
    term_ids: &[i64],
) -> SavedResult {
    let topics = (0..model.topics.anchors.len())
        .map(|topic| {
            let column = model.topics.topics.column(topic);
            let row = anchor_rows.column(topic);
            let by_rank = |words: Vec<usize>, values: ndarray::ArrayView1<'_, f64>| {
                words.into_iter().map(|word| (term_ids[word], values[word])).collect()
            };
            SavedTopic {
                weight: model.topics.weights[topic],
                anchor_term_id: Some(term_ids[model.topics.anchors[topic]]),
                terms: by_rank(top_words(column, column.len()), column),
                characteristic: by_rank(top_words(row, CHARACTERISTIC_WORDS), row),
            }
        })
        .collect();
    let mut result = SavedResult {
        topics,
        correlations: model.topics.correlations.iter().copied().collect(),
        metrics,
        spectrum: model
            .eigenpairs
            .values
            .iter()
            .zip(&model.eigenpairs.residuals)
            .take(model.topics.anchors.len())
            .map(|(&value, &residual)| (value, residual))
            .collect(),
        hash: Vec::new(),
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
