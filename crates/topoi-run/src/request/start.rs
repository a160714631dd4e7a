//! What of an earlier run a run starts from.

use std::collections::HashMap;

use ndarray::Array2;

use crate::request::{RequestError, RunRequest};
use crate::vocabulary::choice::VocabularyChoice;
use crate::work::material::Material;
use crate::work::work_error::WorkError;
use topoi_core::linalg::assignment::assignment;
use topoi_core::linalg::dense::transposed_product;
use topoi_core::model::topic_model::StartsFrom;
use topoi_store::Store;
use topoi_store::corpus::Corpus;
use topoi_store::run::Run;

impl RunRequest {
    /// Has it start from the topics of run `start`: without the words that were taken out of those by hand, unless
    /// it has a vocabulary of its own.
    ///
    /// # Errors
    /// When there is no such run, or its settings cannot be read.
    pub fn start_from(&mut self, store: &Store, start: i64) -> Result<(), WorkError> {
        let run = store.run(start)?;
        let settings = Self::of(&run)?.settings;
        let without = matches!(
            settings.vocabulary,
            Some(VocabularyChoice::Used(_) | VocabularyChoice::Without { .. })
        );
        if without && self.settings.vocabulary.is_none() {
            self.settings.vocabulary = run.vocabulary_id.map(VocabularyChoice::Used);
        }
        self.settings.start = Some(start);
        Ok(())
    }

    /// Refuses topics to start from that are of another corpus, of another number, or not there yet.
    ///
    /// # Errors
    /// [`RequestError::Start`], or when there is no such run.
    pub(super) fn check_start(&self, store: &Store, corpus: &Corpus) -> Result<(), RequestError> {
        let Some(start) = self.settings.start else { return Ok(()) };
        if !self.origin.starts_from_topics() {
            return Ok(());
        }
        let run = store.run(start)?;
        let reason = if run.corpus_id != corpus.id {
            format!("is of corpus {:?}; name a run of {:?}", run.corpus, corpus.name)
        } else if run.result_hash.is_none() {
            format!("has no topics to start from; `topoi watch {start}` follows it")
        } else if run.k != self.k as u64 {
            format!("has {} topics; use -k {}", run.k, run.k)
        } else {
            return Ok(());
        };
        Err(RequestError::Start { start, reason })
    }
}

/// What a run with these settings starts from, a row for each term of `material`: eigenvectors or
/// topics of an earlier run, zeros for terms that it did not use. `None` for a run that starts from
/// nothing or from sums.
///
/// # Errors
/// [`WorkError::StartIsGone`] when the earlier run was deleted; when the store cannot be read.
pub fn start_of(
    store: &Store,
    run: &Run,
    request: &RunRequest,
    material: &Material,
) -> Result<Option<Array2<f64>>, WorkError> {
    let Some(start) = request.settings.start else { return Ok(None) };
    let gone = || WorkError::StartIsGone { run: run.id, start };
    let earlier = || store.run(start).map_err(|_| gone());
    let row_of =
        |terms: &[i64]| -> HashMap<i64, usize> { terms.iter().copied().zip(0..).collect() };
    let found = match request.origin.card().starts_from {
        StartsFrom::Nothing | StartsFrom::Sums => return Ok(None),
        StartsFrom::Eigenvectors => {
            let vocabulary = earlier()?.vocabulary_id.ok_or_else(gone)?;
            let basis = store.basis(start)?.ok_or_else(gone)?;
            let terms = store.vocabulary(vocabulary)?.term_ids;
            if basis.nrows() != terms.len() {
                return Err(gone());
            }
            let row_of = row_of(&terms);
            let mut rows = Array2::zeros((material.term_ids.len(), basis.ncols()));
            for (mut row, term) in rows.rows_mut().into_iter().zip(&material.term_ids) {
                if let Some(&from) = row_of.get(term) {
                    row.assign(&basis.row(from));
                }
            }
            rows
        }
        StartsFrom::Topics => {
            let topics = topics_of(store, run.id, start, &material.term_ids)?;
            if topics.ncols() != request.k {
                return Err(gone());
            }
            topics
        }
    };
    if found.iter().any(|entry| !entry.is_finite()) {
        return Err(gone());
    }
    Ok(Some(found))
}

/// How alike, by the cosine of their probabilities, topics of two runs are that count as the same and share a label:
/// of two that are less, about half of the weight is on other words. Of the parts of a topic that split, at most one is
/// so alike as long as they have no words in common.
pub const ALIKE: f64 = 0.8;

/// The cosines of earlier topics with `topics` (W × K), K₀ × K; zero for a topic without words. Of the earlier ones come
/// the directions (W × K₀), which have length 1 over all of their words: what lies on words that are no longer in the
/// vocabulary is like nothing.
pub fn topic_cosines(earlier: &Array2<f64>, topics: &Array2<f64>) -> Array2<f64> {
    transposed_product(earlier, &directions(topics))
}

/// The columns, scaled to length 1.
pub(crate) fn directions(topics: &Array2<f64>) -> Array2<f64> {
    let mut found = topics.as_standard_layout().into_owned();
    for mut column in found.columns_mut() {
        let length = column.dot(&column).sqrt();
        if length > 0.0 {
            column /= length;
        }
    }
    found
}

/// The topic that each earlier one is matched with, one to one, by their cosines (K₀ × K): as many as are alike first,
/// by the largest sum of their cosines, then the others.
pub fn matches(cosines: &Array2<f64>) -> Vec<Option<usize>> {
    // All pairs that are not alike together gain less than one that is.
    let less = ALIKE / cosines.ncols().max(1) as f64;
    assignment(&cosines.mapv(|cosine| if cosine < ALIKE { less * cosine } else { cosine }))
}

/// The topics of an earlier run, whose numbers those of a run are to keep.
#[derive(Debug, Clone)]
pub struct Numbered {
    /// W × K₀, a row for each term of the run's vocabulary: columns of length 1 over all of their words.
    pub directions: Array2<f64>,
    /// The names that users gave them.
    pub labels: Vec<Option<String>>,
}

/// The topics whose numbers those of a run are to keep; `None` for a run
/// that keeps none.
///
/// # Errors
/// [`WorkError::StartIsGone`] when the earlier run was deleted; when the store cannot be read.
pub fn numbered_topics(
    store: &Store,
    run: &Run,
    request: &RunRequest,
    material: &Material,
) -> Result<Option<Numbered>, WorkError> {
    let start = request.settings.start.filter(|_| request.settings.keeps_numbers);
    let numbered = |start| {
        let directions = directions_of(store, run.id, start, &material.term_ids)?;
        Ok(Numbered { directions, labels: store.topic_labels(start)? })
    };
    start.map(numbered).transpose()
}

/// The directions of the topics of run `start`, for `run`: W × K₀, a row for each of these terms; their length is 1 over
/// all terms.
pub(crate) fn directions_of(
    store: &Store,
    run: i64,
    start: i64,
    term_ids: &[i64],
) -> Result<Array2<f64>, WorkError> {
    let mut rows = topics_of(store, run, start, term_ids)?;
    for (mut column, saved) in rows.columns_mut().into_iter().zip(store.saved_topics(start)?) {
        let squares = saved.terms.iter().map(|(_, probability)| probability * probability);
        let length = squares.sum::<f64>().sqrt();
        if length > 0.0 {
            column /= length;
        }
    }
    Ok(rows)
}

/// The topics of run `start`, for `run`: W × K, a row for each of these terms.
pub(crate) fn topics_of(
    store: &Store,
    run: i64,
    start: i64,
    term_ids: &[i64],
) -> Result<Array2<f64>, WorkError> {
    let gone = || WorkError::StartIsGone { run, start };
    store.run(start).map_err(|_| gone())?;
    let topics = store.saved_topics(start)?;
    let row_of: HashMap<i64, usize> = term_ids.iter().copied().zip(0..).collect();
    let mut rows = Array2::zeros((term_ids.len(), topics.len()));
    for (topic, saved) in topics.iter().enumerate() {
        for (term, probability) in &saved.terms {
            if let Some(&row) = row_of.get(term) {
                rows[(row, topic)] = *probability;
            }
        }
    }
    match rows.iter().all(|entry| f64::is_finite(*entry)) {
        true => Ok(rows),
        false => Err(gone()),
    }
}
