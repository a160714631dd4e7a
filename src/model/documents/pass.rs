//! θ of every document of a corpus.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::cvb0::{Cvb0, Found, Work};
use super::mixtures::{Mixture, Mixtures, Sums};
use super::topic_rows::Counts;
use crate::progress::Progress;
use crate::stream::StreamError;
use crate::stream::documents::Documents;

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

/// The θ of the documents that are here by `proportions`, and what those of all parts say together.
/// Reports documents done.
///
/// # Cost
/// About 10 sweeps of 7·K flops a nonzero, and K² flops a document; the memory of
/// [`DocumentTopics`]. The result does not depend on the number of threads.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub fn document_topics(
    documents: &Documents<'_>,
    proportions: &Cvb0<'_>,
    k: usize,
    progress: &dyn Progress,
) -> Result<(DocumentTopics, Mixtures), StreamError> {
    let done = AtomicU64::new(0);
    let pass = Pass { documents, proportions, k, done: &done, progress };
    let (mut topics, mut sums) = (DocumentTopics::default(), Sums::none(k));
    for (of_lane, more) in documents.by_lane(|lane| pass.lane(lane))? {
        topics.append(of_lane);
        sums.merge(&more);
    }
    sums.over_parts(documents)?;
    let mixtures = sums.means(k);
    progress.step(mixtures.documents, Some(mixtures.change));
    Ok((topics, mixtures))
}

struct Pass<'a> {
    documents: &'a Documents<'a>,
    proportions: &'a Cvb0<'a>,
    k: usize,
    done: &'a AtomicU64,
    progress: &'a dyn Progress,
}

impl Pass<'_> {
    fn lane(&self, lane: Range<usize>) -> Result<(DocumentTopics, Sums), StreamError> {
        let mut topics = DocumentTopics::default();
        let mut sums = Sums::none(self.k);
        self.documents.visit(lane, |batch| {
            let documents: Vec<Counts<'_>> = batch.counts().collect();
            let found = each_document(&documents, self.proportions, |document, found, work| {
                let theta = work.theta().to_vec();
                Mixture { tokens: document.tokens(), found, theta }
            });
            for (&id, mixture) in batch.ids.iter().zip(&found) {
                topics.push(id, &mixture.theta[..self.k]);
            }
            sums.add(&found, self.proportions.total());
            let documents = batch.ids.len() as u64;
            let done = self.done.fetch_add(documents, Ordering::Relaxed) + documents;
            // Other parts are about as far.
            self.progress.step(done * self.documents.parts().count() as u64, None);
        })?;
        Ok((topics, sums))
    }
}

/// Finds θ of every one of some documents, with all threads, and gives what `take` makes of each, in
/// the order of the documents.
pub(crate) fn each_document<T: Send>(
    documents: &[Counts<'_>],
    solver: &Cvb0<'_>,
    take: impl Fn(Counts<'_>, Found, &Work) -> T + Sync,
) -> Vec<T> {
    let find = |work: &mut Work, &document: &Counts<'_>| {
        let found = solver.find(document, work);
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
        let solver = Cvb0::new(&rows, &[0.1, 0.2, 0.05], 1e-6);
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
        assert!(mixtures.change <= 1e-6);
    }

    #[test]
    fn threads_do_not_change_a_bit() {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let rows = TopicRows::smoothed(&b, 1e4);
        let solver = Cvb0::new(&rows, &[0.1, 0.2, 0.05], 1e-4);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
            pool.install(|| document_topics(&documents, &solver, 3, &Silent).expect("pass"))
        };
        let (one, many) = (with(1), with(5));
        assert_eq!(one.0, many.0);
        assert_eq!(one.1.correlations, many.1.correlations);
        assert_eq!(one.1.log_probability.to_bits(), many.1.log_probability.to_bits());
    }
}
