//! A likelihood finish: topics from any model, improved by EM on the documents themselves.
//!
//! A spectral start finds the right hill in a few passes over the co-occurrence; a few passes of
//! EM over the documents then climb it.

use std::ops::Range;

use ndarray::{Array1, Array2, Axis};

use super::checkpoint::{Checkpoint, once};
use super::documents::concentration::concentration;
use super::documents::pass::each_document;
use super::documents::proportions::Proportions;
use super::documents::topic_rows::{ETA, TopicRows, add_scaled};
use super::error::ModelError;
use super::topics::Topics;
use crate::progress::Progress;
use crate::stream::StreamError;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::documents::{Batch, Documents};

/// A document's θ is found to within so many nats a token.
const TOLERANCE: f64 = 1e-3;

/// Refined topics, and how it went.
#[derive(Debug, Clone)]
pub struct Refined {
    /// The topics; their anchors are those they came with and only label them. Without A.
    pub topics: Topics,
    /// α_k, which stayed the same in all passes.
    pub alpha: Vec<f64>,
    /// −J(B) in nats a token, of the topics each pass began with.
    pub objectives: Vec<f64>,
    /// The worst gap of a document in a pass, nats a token.
    pub gap: f64,
}

impl Refined {
    /// The largest rise of −J from one pass to the next; 0 when it never rose.
    pub fn largest_rise(&self) -> f64 {
        let rises = self.objectives.windows(2).map(|pair| pair[1] - pair[0]);
        rises.fold(0.0, f64::max)
    }
}

/// Makes `passes` (1 or more) passes of EM over the documents of `c` from `topics`. They maximise
///
/// `J(B) = Σ_m max_θ [Σ_w x_wm log Σ_k B_wk θ_k + Σ_k α_k log θ_k] + η Σ_wk log B_wk`,
///
/// the posterior of B and all θ_m under Dirichlet(η + 1), η = [`ETA`], and Dirichlet(α + 1). A pass finds every
/// θ_m for the B it began with, and from the expected counts
/// `B_wk ∝ η + B_wk Σ_m x_wm θ_km / Σ_l B_wl θ_lm`. α is estimated once, from the topics at the
/// start ([`concentration`]).
///
/// J never falls: that step of B cannot lower the sum for the θ found, and new θ can only raise
/// it. For this θ need not be kept from pass to pass, as a document's maximum is one and the same
/// from any start; what is certain is that J falls by no more than the gap θ is found to.
///
/// Topics that leave words without a chance are smoothed first ([`TopicRows::smoothed`]): a zero
/// would stay one.
///
/// # Cost
/// A pass takes about 27 sweeps of 4·K flops a nonzero; memory for five W × K matrices. The result
/// does not depend on the number of threads.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub fn refine(
    topics: &Topics,
    c: &CoOccurrence<'_>,
    passes: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Refined, ModelError> {
    let left = once("refine", progress, || climb(topics, c, passes, seed, progress))?;
    let mut refined = Topics::without_anchors(left.topics, left.weights);
    refined.anchors = topics.anchors.clone();
    Ok(Refined { topics: refined, alpha: left.alpha, objectives: left.objectives, gap: left.gap })
}

/// What the stage leaves.
struct Climbed {
    topics: Array2<f64>,
    weights: Array1<f64>,
    alpha: Vec<f64>,
    objectives: Vec<f64>,
    gap: f64,
}

impl Checkpoint for Climbed {
    fn to_arrays(&self) -> Vec<Array2<f64>> {
        let row = |numbers: Vec<f64>| Array1::from(numbers).insert_axis(Axis(0));
        vec![
            self.topics.as_standard_layout().into_owned(),
            row(self.weights.to_vec()),
            row(self.alpha.clone()),
            row(self.objectives.clone()),
            row(vec![self.gap]),
        ]
    }

    fn from_arrays(arrays: Vec<Array2<f64>>) -> Option<Self> {
        let [topics, weights, alpha, objectives, gap] =
            <[Array2<f64>; 5]>::try_from(arrays).ok()?;
        Some(Self {
            weights: weights.iter().copied().collect(),
            alpha: alpha.iter().copied().collect(),
            objectives: objectives.iter().copied().collect(),
            gap: *gap.get((0, 0))?,
            topics,
        })
    }
}

fn climb(
    topics: &Topics,
    c: &CoOccurrence<'_>,
    passes: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Climbed, ModelError> {
    progress.begin("refine", passes as u64, "negative log posterior, nats a token");
    let mut rows = TopicRows::smoothed(&topics.topics, c.totals().tokens as f64);
    let alpha = concentration(&rows, &topics.weights, c, seed)?.alpha;
    let (mut objectives, mut worst) = (Vec::new(), 0.0f64);
    let mut weights = topics.weights.clone();
    for pass in 1..=passes {
        let counts = expected_counts(&rows, &alpha, c.documents())?;
        let b = rows.to_matrix();
        let logs: f64 = b.iter().map(|&entry| libm::log(entry)).sum();
        let objective = -(counts.objective + ETA * logs) / c.totals().tokens as f64;
        progress.step(pass as u64, Some(objective));
        objectives.push(objective);
        worst = worst.max(counts.gap);
        weights = counts.weights / c.totals().documents as f64;
        rows = TopicRows::exact(&maximised(b, &counts.by_word, rows.width()));
    }
    Ok(Climbed { topics: rows.to_matrix(), weights, alpha, objectives, gap: worst })
}

/// B after a step: `∝ η + B · by_word`.
fn maximised(mut b: Array2<f64>, by_word: &[f64], width: usize) -> Array2<f64> {
    for (mut row, counts) in b.rows_mut().into_iter().zip(by_word.chunks_exact(width)) {
        row.iter_mut().zip(counts).for_each(|(entry, count)| *entry = ETA + *entry * count);
    }
    let sums = b.sum_axis(Axis(0));
    b / &sums
}

/// Sums over documents.
struct Expected {
    /// Σ_m x_wm θ_km / Σ_l B_wl θ_lm, word by word, padded.
    by_word: Vec<f64>,
    /// Σ_m θ_m.
    weights: Array1<f64>,
    objective: f64,
    gap: f64,
}

fn expected_counts(
    rows: &TopicRows,
    alpha: &[f64],
    documents: &Documents<'_>,
) -> Result<Expected, StreamError> {
    let proportions = Proportions::new(rows, alpha, TOLERANCE);
    let of_lane = |lane: Range<usize>| {
        let mut sums = Expected::none(rows);
        documents.visit(lane, |batch| sums.add_batch(batch, &proportions, rows))?;
        Ok(sums)
    };
    let mut sums = Expected::none(rows);
    for lane in documents.by_lane(of_lane)? {
        sums.by_word.iter_mut().zip(&lane.by_word).for_each(|(sum, more)| *sum += more);
        sums.weights += &lane.weights;
        sums.objective += lane.objective;
        sums.gap = sums.gap.max(lane.gap);
    }
    documents.add_up(&mut sums.by_word)?;
    documents.add_up(sums.weights.as_slice_mut().expect("contiguous"))?;
    documents.add_up(std::slice::from_mut(&mut sums.objective))?;
    sums.gap = documents.greatest(sums.gap)?;
    Ok(sums)
}

impl Expected {
    fn none(rows: &TopicRows) -> Self {
        Self {
            by_word: vec![0.0; rows.words() * rows.width()],
            weights: Array1::zeros(rows.topics()),
            objective: 0.0,
            gap: 0.0,
        }
    }

    fn add_batch(&mut self, batch: &Batch, proportions: &Proportions<'_>, rows: &TopicRows) {
        let found = each_document(batch, proportions, |_, found, work| {
            (found, work.theta().to_vec(), work.shares().to_vec())
        });
        for ((found, theta, shares), (words, counts, _)) in found.iter().zip(batch.documents()) {
            self.objective += found.objective;
            self.gap = self.gap.max(found.gap);
            self.weights.iter_mut().zip(theta).for_each(|(sum, share)| *sum += share);
            for ((&word, count), share) in words.iter().zip(counts).zip(shares) {
                let at = word as usize * rows.width();
                add_scaled(count / share, theta, &mut self.by_word[at..at + rows.width()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::documents::test_corpus::small;
    use crate::progress::Silent;
    use crate::stream::documents::Documents;

    #[test]
    fn the_likelihood_never_worsens_and_the_topics_come_nearer_to_the_true_ones() {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        // Zeros, and half of every topic spread over the words evenly.
        let mut start = b.mapv(|entry| if entry < 1e-4 { 0.0 } else { entry + 1.0 / 60.0 });
        let sums = start.sum_axis(Axis(0));
        start /= &sums;
        let weights = Array1::from_elem(3, 1.0 / 3.0);
        let start =
            Topics { anchors: Some(vec![4, 5, 6]), ..Topics::without_anchors(start, weights) };
        let error = |topics: &Array2<f64>| (topics - &b).mapv(f64::abs).sum();
        let refined = refine(&start, &c, 30, 1, &Silent).expect("in memory");
        assert_eq!(refined.objectives.len(), 30);
        for pair in refined.objectives.windows(2) {
            assert!(pair[1] <= pair[0] + 1e-7, "{:?}", refined.objectives);
        }
        assert!(refined.largest_rise() <= 1e-7 && refined.gap <= TOLERANCE);
        assert!(refined.objectives[29] < refined.objectives[0] - 0.05);
        assert!(error(&refined.topics.topics) < 0.5 * error(&start.topics));
        assert!(
            refined.topics.topics.sum_axis(Axis(0)).iter().all(|sum| (sum - 1.0).abs() < 1e-12)
        );
        assert!((refined.topics.weights.sum() - 1.0).abs() < 1e-12);
        assert_eq!(refined.topics.anchors, start.anchors);
        assert!(refined.topics.correlations.is_none());
    }

    #[test]
    fn a_pass_is_the_step_of_em_written_out() {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let rows = TopicRows::smoothed(&b, 1e4);
        let alpha = [0.1, 0.3, 0.2];
        let found = expected_counts(&rows, &alpha, &documents).expect("in memory");
        let next = maximised(rows.to_matrix(), &found.by_word, rows.width());
        let solver = Proportions::new(&rows, &alpha, TOLERANCE);
        let smooth = rows.to_matrix();
        let mut expected = Array2::from_elem((60, 3), ETA);
        documents
            .visit(0..documents.block_sizes().len(), |batch| {
                let thetas = each_document(batch, &solver, |_, _, work| work.theta().to_vec());
                for (theta, (words, counts, _)) in thetas.iter().zip(batch.documents()) {
                    for (&w, x) in words.iter().zip(counts) {
                        let joint: Vec<f64> =
                            (0..3).map(|k| smooth[(w as usize, k)] * theta[k]).collect();
                        let sum: f64 = joint.iter().sum();
                        (0..3).for_each(|k| expected[(w as usize, k)] += x * joint[k] / sum);
                    }
                }
            })
            .expect("in memory");
        let sums = expected.sum_axis(Axis(0));
        expected /= &sums;
        assert!((next - expected).iter().all(|difference| difference.abs() < 1e-12));
    }

    #[test]
    fn what_the_stage_leaves_is_gone_on_from_and_threads_do_not_change_a_bit() {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        let start = Topics::without_anchors(b, Array1::from_elem(3, 1.0 / 3.0));
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
            pool.install(|| climb(&start, &c, 2, 1, &Silent).expect("in memory"))
        };
        let (one, many) = (with(1).to_arrays(), with(5).to_arrays());
        assert_eq!(one, many);
        assert_eq!(Climbed::from_arrays(one.clone()).map(|left| left.to_arrays()), Some(one));
    }
}
