//! Revision: the topics of an earlier run, moved on by the documents that are new or changed since.

use ndarray::{Array1, Array2};

use super::ALPHA_SUM;
use super::expected::ExpectedCounts;
use crate::model::documents::cvb0::{Cvb0, Cvb0Buffers};
use crate::model::documents::topic_rows::{DocumentCounts, ETA, TopicRows};
use crate::model::error::ModelError;
use crate::progress::Progress;
use crate::stream::StreamError;
use crate::stream::documents::lanes::{LANES, halved};
use crate::stream::documents::{Batch, Documents};

/// Rounds over the documents that are read.
pub const ROUNDS: usize = 3;
/// Sweeps over a document in a round.
pub(super) const SWEEPS: usize = 5;
/// Nonzeros that are in memory at once.
const HELD_NONZEROS: usize = 2_000_000;

/// What is known of the documents that are not read again.
#[derive(Debug, Clone)]
pub struct EarlierTopics {
    /// B (W × K) of the earlier run; zeros for words that it did not have.
    pub topics: Array2<f64>,
    /// Σ_m n_m θ_mk over the documents that are not read: the tokens of each topic.
    pub tokens: Vec<f64>,
    /// Topics whose words stay.
    pub held: Vec<usize>,
    /// Tokens of all documents of the earlier run, read or not; they decide how much its topics are smoothed.
    pub all_tokens: f64,
}

/// Revised topics.
#[derive(Debug, Clone)]
pub struct Revised {
    /// B, W × K.
    pub topics: Array2<f64>,
    /// For each round, the mean over the tokens that were read of −log p(token | the other tokens of its document, B) in
    /// nats, by the topics at its start: the first is by the earlier topics.
    pub objectives: Vec<f64>,
}

/// Improves the earlier topics on the documents that are new or changed, without those that are not.
///
/// CVB0's expected counts are a sum over documents, `N_wk = Σ_m x_wm γ_mwk`. For the documents that are not read it is
/// taken as `B_wk n_k`, their tokens of topic k spread over its words as the earlier run has them: for all documents
/// together that is exact at a fixed point of [`refine`](super::refine), and of any part of them it is the expectation. A
/// round finds γ of the documents that are read by the topics so far, and makes topics of both sums,
/// `B_wk ∝ η + n_k B_wk + Σ_m x_wm γ_mwk`. Topic k is the earlier topic k, whatever it becomes.
///
/// # Source
/// Neal and Hinton 1998, "A view of the EM algorithm that justifies incremental, sparse, and other variants"; Asuncion et
/// al. 2009 (CVB0).
///
/// # Cost
/// [`ROUNDS`] times 5 sweeps of 7·K flops for each nonzero that is read. Memory for six W × K matrices and the
/// documents of two million nonzeros. The result does not depend on the number of threads.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
pub fn revise(
    earlier: &EarlierTopics,
    documents: &Documents<'_>,
    progress: &dyn Progress,
) -> Result<Revised, ModelError> {
    progress.begin("revise", ROUNDS as u64, "minus log probability of a token, nats");
    let (words, k) = earlier.topics.dim();
    let alpha = vec![ALPHA_SUM / k as f64; k];
    let mut rows = TopicRows::with_smoothing(&earlier.topics, earlier.all_tokens);
    let mut objectives = Vec::new();
    let mut pass = Pass::new(words, k);
    for round in 0..ROUNDS {
        let solver = Cvb0::new(&rows, &alpha, 0.0).with_max_sweeps(SWEEPS);
        let (log_probability, tokens) = pass.over(documents, &solver)?;
        if tokens == 0.0 {
            break;
        }
        objectives.push(-log_probability / tokens);
        let width = Cvb0::width_of(k);
        for of_word in pass.sums.chunks_exact_mut(width) {
            earlier.held.iter().for_each(|&topic| of_word[topic] = 0.0);
        }
        let sums = &pass.sums;
        let mut of_topics = vec![ETA * words as f64; k];
        for (word, of_word) in sums.chunks_exact(width).enumerate() {
            for (topic, sum) in of_topics.iter_mut().enumerate() {
                *sum += earlier.topics[(word, topic)] * earlier.tokens[topic] + of_word[topic];
            }
        }
        rows.fill(|word, row| {
            for (topic, to) in row.iter_mut().enumerate() {
                let kept = earlier.topics[(word, topic)] * earlier.tokens[topic];
                *to = (ETA + kept + sums[word * width + topic]) / of_topics[topic];
            }
        });
        progress.step(round as u64 + 1, objectives.last().copied());
    }
    let mut topics = rows.to_matrix();
    for &topic in &earlier.held {
        topics.column_mut(topic).assign(&earlier.topics.column(topic));
    }
    Ok(Revised { topics, objectives })
}

/// How well topics explain a document's words.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ExplainedDocument {
    pub id: i64,
    /// Tokens of words that a topic has.
    pub tokens: f64,
    /// Σ over its tokens of log p(token | the other tokens of the document, B) in nats.
    pub log_probability: f64,
    /// Σ over its tokens of log p(token) by the frequencies of words.
    pub by_frequency: f64,
}

/// How well topics B (W × K), of `tokens` tokens with these weights, explain the words of the documents of this part, by id.
/// Words that no topic has are left out. `tokens` decide how much B is smoothed.
///
/// # Errors
/// As [`revise`].
pub fn explained_documents(
    topics: &Array2<f64>,
    weights: &Array1<f64>,
    tokens: f64,
    documents: &Documents<'_>,
) -> Result<Vec<ExplainedDocument>, ModelError> {
    let k = topics.ncols();
    let alpha = vec![ALPHA_SUM / k as f64; k];
    let rows = TopicRows::with_smoothing(topics, tokens);
    let solver = Cvb0::new(&rows, &alpha, 0.0).with_max_sweeps(SWEEPS);
    let frequencies = topics.dot(weights).mapv(libm::log);
    let by_lane = documents.by_lane(|lane| {
        let (mut found, mut work) = (Vec::new(), Cvb0Buffers::default());
        let mut known = (Vec::new(), Vec::new());
        documents.visit(lane, |batch| {
            for (&id, (words, counts, _)) in batch.ids.iter().zip(batch.documents()) {
                let entries = words.iter().copied().zip(counts.iter().copied());
                known.0.clear();
                known.1.clear();
                let mut explained = ExplainedDocument { id, ..ExplainedDocument::default() };
                for (word, n) in entries {
                    let by_frequency = frequencies[word as usize];
                    if by_frequency.is_finite() {
                        explained.tokens += n;
                        explained.by_frequency += n * by_frequency;
                        known.0.push(word);
                        known.1.push(n);
                    }
                }
                let counts = DocumentCounts { words: &known.0, counts: &known.1 };
                explained.log_probability = solver.infer(counts, &mut work).log_probability;
                found.push(explained);
            }
        })?;
        Ok(found)
    })?;
    Ok(by_lane.into_iter().flatten().collect())
}

/// The sums of a round.
struct Pass {
    expected: ExpectedCounts,
    /// Σ_m x_wm γ_mwk, word by word, in rows of [`Cvb0::width_of`] K.
    sums: Vec<f64>,
}

impl Pass {
    fn new(words: usize, k: usize) -> Self {
        Self { expected: ExpectedCounts::new(words, k), sums: Vec::new() }
    }

    /// Sums over the documents of all parts; returns Σ log p and the tokens.
    fn over(
        &mut self,
        documents: &Documents<'_>,
        solver: &Cvb0<'_>,
    ) -> Result<(f64, f64), StreamError> {
        self.sums.clear();
        self.sums.resize(self.expected.by_word.len(), 0.0);
        let (mut held, mut all) = (Batch::default(), [0.0, 0.0]);
        let mut add = |held: &mut Batch| {
            let here: Vec<DocumentCounts<'_>> = held.counts().collect();
            let sizes: Vec<u32> = here.iter().map(|of| of.words.len() as u32).collect();
            let cut = halved(&sizes, LANES);
            self.expected.compute_here(solver, (&here, &cut), &mut Vec::new());
            self.sums
                .iter_mut()
                .zip(self.expected.by_word.iter())
                .for_each(|(to, more)| *to += more);
            all[0] += self.expected.sums.log_probability;
            all[1] += self.expected.sums.tokens;
            held.clear();
        };
        let read = documents.visit(0..documents.block_sizes().len(), |batch| {
            held.append(batch);
            if held.words.len() >= HELD_NONZEROS {
                add(&mut held);
            }
        });
        documents.agree(read)?;
        add(&mut held);
        // Parts have held their documents in different numbers of goes.
        documents.add_up(&mut self.sums)?;
        documents.add_up(&mut all)?;
        Ok(all.into())
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Axis};

    use super::super::{RefineSettings, refine};
    use super::*;
    use crate::model::documents::test_corpus::small;
    use crate::model::topics::Topics;
    use crate::progress::Silent;
    use crate::stream::cooccurrence::CoOccurrence;
    use crate::stream::in_threads::in_parts;
    use crate::stream::selection::{DocumentSelection, SelectedBlocks};

    #[test]
    fn a_revision_with_new_documents_is_near_a_fit_of_all_and_keeps_the_order_of_topics() {
        let (b, source, positions) = small();
        let all = Documents::new(&source, &positions, 2, &Silent);
        let last = 300;
        let old = DocumentSelection { range: 0..last + 1, after: i64::MAX, ids: [].into() };
        let new = DocumentSelection { range: 0..0, after: last, ids: [].into() };
        let (old_blocks, new_blocks) =
            (SelectedBlocks::new(&source, &old), SelectedBlocks::new(&source, &new));
        let before = Documents::new(&old_blocks, &positions, 2, &Silent).with_selection(&old);
        let added = Documents::new(&new_blocks, &positions, 2, &Silent).with_selection(&new);
        let settings = RefineSettings { passes: 60, gain: 1e-5, sweeps: Some(0) };
        let fit = |documents: &Documents<'_>| {
            let c = CoOccurrence::new(documents).expect("in memory");
            let start = Topics::without_anchors(b.clone(), Array1::from_elem(3, 1.0 / 3.0));
            let refined = refine(&start, &[], &c, settings, 1, &Silent).expect("in memory");
            (refined.topics, c.totals().tokens as f64)
        };
        let ((earlier, tokens), (whole, _)) = (fit(&before), fit(&all));
        let earlier = EarlierTopics {
            tokens: (&earlier.weights * tokens).to_vec(),
            topics: earlier.topics,
            held: Vec::new(),
            all_tokens: tokens,
        };
        let revised = revise(&earlier, &added, &Silent).expect("in memory");
        let distance = |topics: &Array2<f64>| {
            (topics - &whole.topics).mapv(f64::abs).sum_axis(Axis(0)).sum() / 3.0
        };
        assert!(revised.topics.sum_axis(Axis(0)).iter().all(|sum| (sum - 1.0).abs() < 1e-9));
        let (near, far) = (distance(&revised.topics), distance(&earlier.topics));
        assert!(near < far && near < 0.1, "{near} {far}");
        assert!(revised.objectives.is_sorted_by(|a, b| a >= b), "{:?}", revised.objectives);
    }

    #[test]
    fn where_all_documents_are_read_again_topics_stay_who_they_are() {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        // Words that only added documents have.
        let mut topics = b.clone();
        topics.row_mut(0).fill(0.0);
        topics.columns_mut().into_iter().for_each(|mut column| column /= column.sum());
        let earlier = EarlierTopics {
            topics: topics.clone(),
            tokens: vec![0.0; 3],
            held: Vec::new(),
            all_tokens: 12_000.0,
        };
        let revised = revise(&earlier, &documents, &Silent).expect("in memory").topics;
        let apart = (&revised - &topics).mapv(f64::abs).sum_axis(Axis(0));
        assert!(apart.iter().all(|apart| apart / 2.0 < 0.2), "{apart}");
    }

    #[test]
    fn parts_that_read_in_different_numbers_of_goes_revise_as_the_whole_does() {
        let (b, source, positions) = small();
        let earlier = EarlierTopics {
            topics: b.clone(),
            tokens: vec![900.0, 500.0, 700.0],
            held: Vec::new(),
            all_tokens: 2100.0,
        };
        let whole = Documents::new(&source, &positions, 2, &Silent);
        let expected = revise(&earlier, &whole, &Silent).expect("in memory");
        // The second part has nothing to read.
        for cuts in [[0, 130, 400], [0, 400, 400]] {
            let of_parts = in_parts(2, |parts| {
                let at = parts.number();
                let part = source.part(cuts[at]..cuts[at + 1]);
                let documents = Documents::new(&part, &positions, 2, &Silent).with_parts(parts);
                revise(&earlier, &documents, &Silent).expect("in memory")
            });
            for found in &of_parts {
                assert_eq!(found.topics, of_parts[0].topics);
                let apart = (&found.topics - &expected.topics).mapv(f64::abs);
                assert!(apart.iter().all(|apart| *apart < 1e-12));
                assert_eq!(found.objectives.len(), expected.objectives.len());
            }
        }
    }

    #[test]
    fn nothing_new_changes_nothing_and_threads_do_not_change_a_bit() {
        let (b, source, positions) = small();
        let with = |after: i64, threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
            let selection = DocumentSelection { range: 0..0, after, ids: [].into() };
            let blocks = SelectedBlocks::new(&source, &selection);
            let documents =
                Documents::new(&blocks, &positions, 2, &Silent).with_selection(&selection);
            let earlier = EarlierTopics {
                topics: b.clone(),
                tokens: vec![900.0, 500.0, 700.0],
                held: Vec::new(),
                all_tokens: 2100.0,
            };
            pool.install(|| revise(&earlier, &documents, &Silent).expect("in memory"))
        };
        let nothing = with(i64::MAX, 1);
        assert!(nothing.objectives.is_empty());
        assert!((&nothing.topics - &b).iter().all(|difference| difference.abs() < 1e-3));
        assert_eq!(with(100, 1).topics, with(100, 5).topics);
    }
}
