//! Converts a model's matrices to the rows of a run.

use ndarray::{Array2, ArrayView1};

use super::about_documents::Completed;
use super::measure::MeasuredRun;
use crate::request::RunRequest;
use crate::warning::{Evidence, warnings};
use topoi_core::metric::words::top_words::top_words;
use topoi_core::model::separable::NovelWord;
use topoi_core::model::topic_model::{Fit, KeptFactor};
use topoi_core::model::topics::Topics;
use topoi_store::id::{RunId, TermId, TopicNumber};
use topoi_store::result::result_hash;
use topoi_store::result::topic::{SavedResult, SavedTopic};
use topoi_store::result::topic_shares::TopicShares;
use topoi_store::run::kept::SavedFactor;
use topoi_store::{Store, StoreError};

/// Number of characteristic words saved per topic.
const CHARACTERISTIC_WORDS: usize = 50;

/// The rows of run `run`. `term_ids` are the W term row ids in vocabulary order.
///
/// # Errors
/// When the store, in which the run's corpus is, cannot be read.
pub fn saved_result(
    store: &Store,
    run: RunId,
    request: &RunRequest,
    completed: Completed,
    measured: MeasuredRun,
    term_ids: &[TermId],
) -> Result<SavedResult, StoreError> {
    let mut result = result_in_terms(&completed, &measured, term_ids);
    let Completed { fitted, documents, left_out, .. } = completed;
    result.hash = result_hash(&result.topics, &result.correlations, &documents)?;
    (result.documents, result.left_out) = (documents, left_out);
    result.basis = fitted.basis;
    result.factor = fitted.factor.map(|KeptFactor { y, candidates }| SavedFactor { y, candidates });
    let words = term_ids.len();
    let (metrics, topics, unsaved) = (&result.metrics[..], &result.topics[..], Some(&result));
    result.warnings = warnings(&Evidence { store, run, request, words, metrics, topics, unsaved })?;
    Ok(result)
}

/// What a result says of topics and words, with these W term row ids in vocabulary order: of the result of a run, all but
/// the topics of documents, hash, warnings, and what later runs start from.
pub fn result_in_terms(
    completed: &Completed,
    measured: &MeasuredRun,
    term_ids: &[TermId],
) -> SavedResult {
    let Completed { fitted, metrics, token_shares, .. } = completed;
    let anchor_rows = measured.anchor_rows.as_ref();
    let places = measured.map.iter().flat_map(|map| &map.words);
    let labels = fitted.labels.iter().cloned();
    SavedResult {
        topics: saved_topics(&fitted.topics, token_shares, anchor_rows, term_ids),
        correlations: joint_probabilities(&fitted.topics),
        metrics: metrics.iter().chain(&measured.metrics).cloned().collect(),
        spectrum: fitted.spectrum.clone(),
        novel_words: novel_words(fitted, term_ids),
        topic_estimates: fitted.topic_estimates.clone(),
        held: fitted.held.iter().copied().map(TopicNumber::from_index).collect(),
        labels: labels.map(|(topic, label)| (TopicNumber::from_index(topic), label)).collect(),
        positions: places.map(|&(word, x, y)| (term_ids[word], x, y)).collect(),
        ..SavedResult::default()
    }
}

fn novel_words(fitted: &Fit, term_ids: &[TermId]) -> Vec<(TermId, Option<TopicNumber>, f64)> {
    let saved = |novel: &NovelWord| {
        (term_ids[novel.word], novel.topic.map(TopicNumber::from_index), novel.score)
    };
    fitted.novel_words.iter().map(saved).collect()
}

/// The hash that [`saved_result`] computes of a result, with anchor rows C̄_Sᵀ (W × K) if the topics have anchors.
pub fn result_hash_of(
    completed: &Completed,
    anchor_rows: Option<&Array2<f64>>,
    term_ids: &[TermId],
) -> Result<Vec<u8>, StoreError> {
    let topics = &completed.fitted.topics;
    let saved = saved_topics(topics, &completed.token_shares, anchor_rows, term_ids);
    result_hash(&saved, &joint_probabilities(topics), &completed.documents)
}

/// A in row-major order; empty for topics without A.
fn joint_probabilities(topics: &Topics) -> Vec<f64> {
    topics.correlations.iter().flatten().copied().collect()
}

fn saved_topics(
    topics: &Topics,
    token_shares: &[f64],
    anchor_rows: Option<&Array2<f64>>,
    term_ids: &[TermId],
) -> Vec<SavedTopic> {
    let by_rank = |words: Vec<usize>, values: ArrayView1<'_, f64>| {
        let mut terms: Vec<(TermId, f64)> =
            words.into_iter().map(|word| (term_ids[word], values[word])).collect();
        // The store of a part has its terms in another order than the whole, which tells equal words apart.
        terms.sort_by(|(x, a), (y, b)| b.total_cmp(a).then(x.cmp(y)));
        terms
    };
    let saved = |topic: usize| {
        let column = topics.topics.column(topic);
        let characteristic = anchor_rows.map(|rows| {
            let row = rows.column(topic);
            by_rank(top_words(row, CHARACTERISTIC_WORDS), row)
        });
        SavedTopic {
            shares: TopicShares {
                document_share: topics.weights[topic],
                token_share: token_shares.get(topic).copied(),
            },
            anchor_term_id: topics.anchors.as_ref().map(|anchors| term_ids[anchors[topic]]),
            terms: by_rank(top_words(column, column.len()), column),
            characteristic: characteristic.unwrap_or_default(),
        }
    };
    (0..topics.weights.len()).map(saved).collect()
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, array};

    use super::*;

    #[test]
    fn equal_words_are_in_the_order_of_the_terms_of_the_store() {
        let topics = Topics::without_anchors(
            array![[0.2], [0.5], [0.1], [0.2], [0.0]],
            Array1::from_elem(1, 1.0),
        );
        let terms = |ids: [i64; 5]| {
            let saved = saved_topics(&topics, &[], None, &ids.map(TermId));
            saved[0].terms.iter().map(|(term, _)| term.0).collect::<Vec<_>>()
        };
        assert_eq!(terms([1, 2, 3, 4, 5]), [2, 1, 4, 3]);
        assert_eq!(terms([9, 2, 3, 4, 5]), [2, 4, 9, 3]);
    }
}
