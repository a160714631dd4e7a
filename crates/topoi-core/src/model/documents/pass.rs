//! θ of every document of a corpus.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::cvb0::{Cvb0, Cvb0Buffers, Cvb0Fit};
use super::mixtures::{DocumentMixture, MixtureSummary, MixtureSums};
use super::topic_rows::DocumentCounts;
use crate::formula::packed_documents::{PackedDocument, PackedDocuments};
use crate::progress::Progress;
use crate::stream::StreamError;
use crate::stream::documents::Documents;

/// θ of the documents of this part, and a summary over all parts. Reports the number of documents
/// done.
///
/// # Cost
/// About 10 sweeps of 7·K flops for each nonzero, K² flops for each document, and the disk space of
/// [`PackedDocuments`]. The result does not depend on the number of threads.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Spilled` when the disk is full;
/// `StreamError::Cancelled`.
pub fn document_topics(
    documents: &Documents<'_>,
    proportions: &Cvb0<'_>,
    k: usize,
    progress: &dyn Progress,
) -> Result<(PackedDocuments, MixtureSummary), StreamError> {
    let done = AtomicU64::new(0);
    let pass = DocumentPass { documents, proportions, k, done: &done, progress };
    let (topics, mut sums) = documents.sum_by_lane(
        |lane| pass.lane(lane),
        |(topics, sums), more| {
            topics.append(more.0);
            sums.merge(&more.1);
        },
    )?;
    sums.over_parts(documents)?;
    let mixtures = sums.means(k);
    progress.step(mixtures.documents, Some(mixtures.change));
    Ok((topics, mixtures))
}

struct DocumentPass<'a> {
    documents: &'a Documents<'a>,
    proportions: &'a Cvb0<'a>,
    k: usize,
    done: &'a AtomicU64,
    progress: &'a dyn Progress,
}

impl DocumentPass<'_> {
    fn lane(&self, lane: Range<usize>) -> Result<(PackedDocuments, MixtureSums), StreamError> {
        let mut topics = PackedDocuments::new_in(&self.documents.scratch());
        let (mut sums, mut written) = (MixtureSums::new(self.k), Ok(()));
        self.documents.visit(lane, |batch| {
            let documents: Vec<DocumentCounts<'_>> = batch.counts().collect();
            let found = each_document(&documents, self.proportions, |document, found, work| {
                let theta = work.theta().to_vec();
                DocumentMixture { tokens: document.tokens(), found, theta }
            });
            let of_all = batch.ids.par_iter().zip(&found).map(|(&id, mixture)| {
                PackedDocument::new(id, &mixture.theta[..self.k], self.proportions.alpha())
            });
            let of_all: Vec<PackedDocument> = of_all.collect();
            if written.is_ok() {
                written = of_all.iter().try_for_each(|document| topics.push(document));
            }
            sums.add(&found, self.proportions.total());
            let documents = batch.ids.len() as u64;
            let done = self.done.fetch_add(documents, Ordering::Relaxed) + documents;
            // Other parts have made about the same progress.
            self.progress.step(done * self.documents.parts().count() as u64, None);
        })?;
        written?;
        Ok((topics, sums))
    }
}

/// Infers θ of every document on all threads. Returns the results of `take` in document order.
fn each_document<T: Send>(
    documents: &[DocumentCounts<'_>],
    solver: &Cvb0<'_>,
    take: impl Fn(DocumentCounts<'_>, Cvb0Fit, &Cvb0Buffers) -> T + Sync,
) -> Vec<T> {
    let find = |work: &mut Cvb0Buffers, &document: &DocumentCounts<'_>| {
        let found = solver.infer(document, work);
        take(document, found, work)
    };
    documents.par_iter().map_init(Cvb0Buffers::default, find).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use crate::formula::proportions::read;
    use crate::model::documents::test_corpus::small;
    use crate::model::documents::topic_rows::TopicRows;
    use crate::progress::Silent;

    #[test]
    fn theta_is_that_of_each_document_alone_and_its_means_fit_together() {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let rows = TopicRows::with_smoothing(&b, 1e4);
        let solver = Cvb0::new(&rows, &[0.1, 0.2, 0.05], 1e-6);
        let (found, mixtures) = document_topics(&documents, &solver, 3, &Silent).expect("pass");
        let mut seen = 0_usize;
        let mut work = Cvb0Buffers::default();
        let (mut tokens, mut of_topics) = (0.0, [0.0; 3]);
        let (mut large, mut texts) = (Vec::new(), Vec::new());
        let keep = |id, topics: &[u32], shares: &[f64]| {
            large.push((id, topics.to_vec(), shares.to_vec()));
        };
        found.each_large(keep).expect("read");
        let keep = |id, text: &str| {
            texts.push((id, text.to_string()));
            Ok::<_, StreamError>(())
        };
        found.each_text(keep).expect("read");
        documents
            .visit(0..documents.block_sizes().len(), |batch| {
                for (&id, (words, counts, _)) in batch.ids.iter().zip(batch.documents()) {
                    solver.infer(DocumentCounts { words, counts }, &mut work);
                    let theta = work.theta();
                    let length: f64 = counts.iter().sum();
                    tokens += length;
                    of_topics.iter_mut().zip(theta).for_each(|(sum, share)| *sum += length * share);
                    let all: Vec<u32> = (0..3).filter(|&t| theta[t as usize] >= 0.01).collect();
                    let shares = all.iter().map(|&topic| theta[topic as usize]).collect();
                    assert_eq!(large[seen], (id, all, shares));
                    let (of, text) = &texts[seen];
                    assert_eq!(*of, id);
                    let mut whole = Vec::new();
                    read(text, &[0.1, 0.2, 0.05], &mut whole).expect("read");
                    let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-7;
                    assert!(whole.len() == 3 && whole.iter().zip(theta).all(near));
                    seen += 1;
                }
            })
            .expect("pass");
        assert_eq!(seen as u64, mixtures.documents);
        assert!((mixtures.weights.sum() - 1.0).abs() < 1e-12);
        let near = |(sum, share): (&f64, &f64)| (sum / tokens - share).abs() < 1e-12;
        assert!(of_topics.iter().zip(&mixtures.token_shares).all(near));
        let sums = mixtures.correlations.sum_axis(ndarray::Axis(1));
        assert!((&sums - &mixtures.weights).iter().all(|difference| difference.abs() < 1e-12));
        assert!(mixtures.change <= 1e-6);
    }

    #[test]
    fn threads_do_not_change_a_bit() {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let rows = TopicRows::with_smoothing(&b, 1e4);
        let solver = Cvb0::new(&rows, &[0.1, 0.2, 0.05], 1e-4);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
            pool.install(|| document_topics(&documents, &solver, 3, &Silent).expect("pass"))
        };
        let (one, many) = (with(1), with(5));
        let bytes = |of: &PackedDocuments| {
            of.streams().map(|stream| {
                let mut bytes = Vec::new();
                stream.reader().read_to_end(&mut bytes).expect("read");
                bytes
            })
        };
        assert_eq!(bytes(&one.0), bytes(&many.0));
        assert_eq!(one.1.correlations, many.1.correlations);
        assert_eq!(one.1.log_probability.to_bits(), many.1.log_probability.to_bits());
    }
}
