//! Fits topics to a matrix of counts in memory, without a store.

use sprs::CsMat;

use crate::metric::co_occurrence::row_norms::squared_norm;
use crate::model::separable::NothingKept;
use crate::model::topic_model::{Fit, Input};
use crate::model::{Model, ModelError};
use crate::progress::Progress;
use crate::stream::block::DOCUMENTS_PER_BLOCK;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::documents::Documents;
use crate::stream::memory::MatrixSource;

/// Fits K topics to `counts` (M documents × W words, entries at least 1) with `seed`. Documents of
/// fewer than two tokens are left out. The result contains the model's own topics; a run also
/// refines those of some models by passes over the documents ([`crate::model::refine`]).
///
/// The same counts, settings and seed give the same bits with any number of threads. Memory is the
/// matrix, the memory on the model's card, and blocks of W × K.
///
/// # Errors
/// [`ModelError::TooManyTopics`] when K is not between 1 and min(M, W); any error of the model.
pub fn fit(
    counts: CsMat<u32>,
    model: &Model,
    k: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Fit, ModelError> {
    let most = counts.rows().min(counts.cols());
    if k == 0 || k > most {
        return Err(ModelError::TooManyTopics { most, asked: k });
    }
    let words: Vec<u32> = (0..counts.cols() as u32).collect();
    let source = MatrixSource::new(counts, DOCUMENTS_PER_BLOCK);
    let documents = Documents::new(&source, &words, 2, progress);
    let c = CoOccurrence::new(&documents)?;
    let input = Input {
        c: &c,
        squared_norm: &|| squared_norm(&c, seed),
        k,
        seed,
        factorise: None,
        start: None,
        sums: &NothingKept,
        seeds: &[],
    };
    model.any().fit(&input, progress)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use sprs::TriMat;

    /// 40 documents over six words, each with either the first three or the last three.
    fn counts() -> CsMat<u32> {
        let mut counts = TriMat::new((40, 6));
        for document in 0..40 {
            for word in 0..3 {
                let count = 1 + (document / 2 + word) % 3;
                counts.add_triplet(document, 3 * (document % 2) + word, count as u32);
            }
        }
        counts.to_csr()
    }

    #[test]
    fn two_subjects_are_two_topics_of_every_model_that_finds_them_and_the_same_again() {
        for model in Model::all() {
            let fitted = || fit(counts(), &model, 2, 1, &Silent);
            let Ok(found) = fitted() else {
                panic!("{}: {:?}", model.name(), fitted().err());
            };
            let topics = found.topics.topics;
            assert_eq!(topics.dim(), (6, 2), "{}", model.name());
            assert_eq!(topics, fitted().expect("again").topics.topics, "{}", model.name());
            // Singular vectors are not mixtures: the first has weight on all words.
            if model.name() == "svd" {
                continue;
            }
            for topic in topics.columns() {
                let first: f64 = topic.iter().take(3).sum();
                assert!(!(0.05..=0.95).contains(&first), "{}: {topic}", model.name());
            }
        }
    }

    #[test]
    fn more_topics_than_words_or_none_are_refused() {
        for k in [0, 7] {
            let refused = fit(counts(), &Model::default(), k, 1, &Silent);
            assert!(matches!(refused, Err(ModelError::TooManyTopics { most: 6, .. })), "{k}");
        }
    }
}
