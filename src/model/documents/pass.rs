//! θ of every document of a corpus.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use ndarray::{Array1, Array2};
use rayon::prelude::*;

use super::proportions::{Found, Proportions, Work};
use super::topic_rows::Counts;
use crate::progress::Progress;
use crate::stream::StreamError;
use crate::stream::documents::{Batch, Documents};

/// Smaller proportions are left out of what is saved: a topic that has less than a hundredth of a
/// document says little of it.
pub const LEAST_PROPORTION: f64 = 0.01;

/// θ of documents, sparse: 12 bytes a proportion, 16 a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentTopics {
    /// Ids of the documents, in the order of the corpus.
    pub documents: Vec<i64>,
    /// Where each document's entries end in `topics` and `proportions`.
    pub ends: Vec<usize>,
    /// Topics of proportion [`LEAST_PROPORTION`] or more, ascending within a document.
    pub topics: Vec<u32>,
    /// Their proportions.
    pub proportions: Vec<f64>,
}

/// What a pass over all documents says of the topics.
#[derive(Debug, Clone)]
pub struct Mixtures {
    /// Documents, M.
    pub documents: u64,
    /// Tokens.
    pub tokens: f64,
    /// Σ_m θ_m / M: p(topic) of a document drawn evenly, as in C. Sums to 1.
    pub weights: Array1<f64>,
    /// A, the mean over documents of E[θ θᵀ] (K × K) under Dirichlet(θ_m (n_m + α₀)): the joint
    /// probability of the topics of two tokens. Its rows sum to `weights`.
    pub correlations: Array2<f64>,
    /// Σ_m f(θ_m), nats.
    pub objective: f64,
    /// The worst gap of a document, nats a token.
    pub gap: f64,
    /// Sweeps over all documents together.
    pub sweeps: u64,
}

/// The θ of the documents that are here by `proportions`, and what those of all parts say together.
/// Reports documents done.
///
/// # Cost
/// About 30 sweeps of 4·K flops a nonzero; the memory of [`DocumentTopics`]. The result does not
/// depend on the number of threads.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub fn document_topics(
    documents: &Documents<'_>,
    proportions: &Proportions<'_>,
    k: usize,
    progress: &dyn Progress,
) -> Result<(DocumentTopics, Mixtures), StreamError> {
    let done = AtomicU64::new(0);
    let pass = Pass { documents, proportions, k, done: &done, progress };
    let (mut topics, mut mixtures) = (DocumentTopics::default(), Mixtures::none(k));
    for (of_lane, sums) in documents.by_lane(|lane| pass.lane(lane))? {
        topics.append(of_lane);
        mixtures.add(&sums);
    }
    mixtures.add_up(documents)?;
    let kept = mixtures.documents.max(1) as f64;
    mixtures.weights /= kept;
    mixtures.correlations /= kept;
    progress.step(mixtures.documents, Some(mixtures.gap));
    Ok((topics, mixtures))
}

struct Pass<'a> {
    documents: &'a Documents<'a>,
    proportions: &'a Proportions<'a>,
    k: usize,
    done: &'a AtomicU64,
    progress: &'a dyn Progress,
}

impl Pass<'_> {
    fn lane(&self, lane: Range<usize>) -> Result<(DocumentTopics, Mixtures), StreamError> {
        let mut topics = DocumentTopics::default();
        let mut mixtures = Mixtures::none(self.k);
        self.documents.visit(lane, |batch| {
            let found = each_document(batch, self.proportions, |_, found, work| {
                (found, work.theta()[..self.k].to_vec())
            });
            for ((found, theta), (&id, &length)) in
                found.into_iter().zip(batch.ids.iter().zip(&batch.lengths))
            {
                topics.push(id, &theta);
                mixtures.push(length, self.proportions.total(), found, &theta);
            }
            let documents = batch.ids.len() as u64;
            let done = self.done.fetch_add(documents, Ordering::Relaxed) + documents;
            // Other parts are about as far.
            self.progress.step(done * self.documents.parts().count() as u64, None);
        })?;
        Ok((topics, mixtures))
    }
}

/// Finds θ of every document of a batch, with all threads, and gives what `take` makes of each, in
/// the order of the documents.
pub(crate) fn each_document<T: Send>(
    batch: &Batch,
    proportions: &Proportions<'_>,
    take: impl Fn(Counts<'_>, Found, &Work) -> T + Sync,
) -> Vec<T> {
    let documents: Vec<_> = batch.documents().collect();
    let find = |work: &mut Work, &(words, counts, _): &(&[u32], &[f64], f64)| {
        let document = Counts { words, counts };
        let found = proportions.find(document, work);
        take(document, found, work)
    };
    documents.par_iter().map_init(Work::default, find).collect()
}

impl DocumentTopics {
    fn push(&mut self, document: i64, theta: &[f64]) {
        for (topic, &share) in (0u32..).zip(theta) {
            if share >= LEAST_PROPORTION {
                self.topics.push(topic);
                self.proportions.push(share);
            }
        }
        self.documents.push(document);
        self.ends.push(self.topics.len());
    }

    pub(super) fn append(&mut self, other: Self) {
        let before = self.topics.len();
        self.documents.extend(other.documents);
        self.ends.extend(other.ends.into_iter().map(|end| before + end));
        self.topics.extend(other.topics);
        self.proportions.extend(other.proportions);
    }

    /// The documents: id, topics, proportions.
    pub fn iter(&self) -> impl Iterator<Item = (i64, &[u32], &[f64])> {
        let mut start = 0;
        self.documents.iter().zip(&self.ends).map(move |(&id, &end)| {
            let range = std::mem::replace(&mut start, end)..end;
            (id, &self.topics[range.clone()], &self.proportions[range])
        })
    }
}

impl Mixtures {
    fn none(k: usize) -> Self {
        Self {
            documents: 0,
            tokens: 0.0,
            weights: Array1::zeros(k),
            correlations: Array2::zeros((k, k)),
            objective: 0.0,
            gap: 0.0,
            sweeps: 0,
        }
    }

    fn push(&mut self, tokens: f64, alpha: f64, found: Found, theta: &[f64]) {
        self.documents += 1;
        self.tokens += tokens;
        self.objective += found.objective;
        self.gap = self.gap.max(found.gap);
        self.sweeps += found.sweeps as u64;
        let certainty = tokens + alpha;
        let scale = certainty / (certainty + 1.0);
        for (topic, (&share, mut row)) in theta.iter().zip(self.correlations.rows_mut()).enumerate()
        {
            self.weights[topic] += share;
            for (entry, other) in row.iter_mut().zip(theta) {
                *entry += scale * share * other;
            }
            row[topic] += share / (certainty + 1.0);
        }
    }

    /// Puts the sums over all parts of the corpus in the place of those over this one.
    fn add_up(&mut self, of: &Documents<'_>) -> Result<(), StreamError> {
        let mut counts = [self.documents, self.sweeps];
        of.add_up_counts(&mut counts)?;
        [self.documents, self.sweeps] = counts;
        let mut sums = [self.tokens, self.objective];
        of.add_up(&mut sums)?;
        [self.tokens, self.objective] = sums;
        of.add_up(self.weights.as_slice_mut().expect("contiguous"))?;
        of.add_up(self.correlations.as_slice_mut().expect("contiguous"))?;
        self.gap = of.greatest(self.gap)?;
        Ok(())
    }

    fn add(&mut self, other: &Self) {
        self.documents += other.documents;
        self.tokens += other.tokens;
        self.weights += &other.weights;
        self.correlations += &other.correlations;
        self.objective += other.objective;
        self.gap = self.gap.max(other.gap);
        self.sweeps += other.sweeps;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::documents::test_corpus::small;
    use crate::model::documents::topic_rows::TopicRows;
    use crate::progress::Silent;

    #[test]
    fn theta_is_that_of_each_document_alone_and_its_means_fit_together() {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let rows = TopicRows::smoothed(&b, 1e4);
        let solver = Proportions::new(&rows, &[0.1, 0.2, 0.05], 1e-6);
        let (found, mixtures) = document_topics(&documents, &solver, 3, &Silent).expect("pass");
        let mut seen = 0;
        let mut work = Work::default();
        let mut saved = found.iter();
        documents
            .visit(0..documents.block_sizes().len(), |batch| {
                for (&id, (words, counts, _)) in batch.ids.iter().zip(batch.documents()) {
                    solver.find(Counts { words, counts }, &mut work);
                    let (of, topics, proportions) = saved.next().expect("a document");
                    assert_eq!(of, id);
                    let theta: Vec<f64> =
                        topics.iter().map(|&topic| work.theta()[topic as usize]).collect();
                    assert_eq!(theta, proportions);
                    let all: Vec<u32> =
                        (0..3).filter(|&t| work.theta()[t as usize] >= 0.01).collect();
                    assert_eq!(all, topics);
                    seen += 1;
                }
            })
            .expect("pass");
        assert_eq!(seen, mixtures.documents);
        assert!((mixtures.weights.sum() - 1.0).abs() < 1e-12);
        let sums = mixtures.correlations.sum_axis(ndarray::Axis(1));
        assert!((&sums - &mixtures.weights).iter().all(|difference| difference.abs() < 1e-12));
        assert!(mixtures.gap <= 1e-6);
    }

    #[test]
    fn threads_do_not_change_a_bit() {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let rows = TopicRows::smoothed(&b, 1e4);
        let solver = Proportions::new(&rows, &[0.1, 0.2, 0.05], 1e-4);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
            pool.install(|| document_topics(&documents, &solver, 3, &Silent).expect("pass"))
        };
        let (one, many) = (with(1), with(5));
        assert_eq!(one.0, many.0);
        assert_eq!(one.1.correlations, many.1.correlations);
        assert_eq!(one.1.objective.to_bits(), many.1.objective.to_bits());
    }
}
