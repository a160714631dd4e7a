//! Starting a run from the result of an earlier one.

use std::collections::HashMap;

use ndarray::Array2;

use crate::request::{RequestError, RunRequest};
use crate::vocabulary::choice::VocabularyChoice;
use crate::work::material::Material;
use crate::work::work_error::WorkError;
use topoi_core::linalg::assignment::assignment;
use topoi_core::linalg::dense::transposed_product;
use topoi_core::model::topic_model::{StartsFrom, TopicLabel};
use topoi_store::Store;
use topoi_store::corpus::Corpus;
use topoi_store::id::{RunId, TermId};
use topoi_store::run::Run;

impl RunRequest {
    /// Starts the run from the topics of run `start`. Words that were removed from those topics by hand are left out,
    /// unless the request has a vocabulary of its own.
    pub fn start_from(&mut self, store: &Store, start: RunId) -> Result<(), WorkError> {
        let run = store.run(start)?;
        let settings = Self::from_run(&run)?.settings;
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

    /// Refuses a run to start from that is unfinished, of another corpus or of another K.
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

/// The start of a run with these settings, a row for each term of `material`: eigenvectors or topics of an earlier
/// run, with zeros for terms that it did not use. `None` for a run that starts from nothing or from sums.
///
/// # Errors
/// [`WorkError::StartIsGone`] if the earlier run was deleted.
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
        |terms: &[TermId]| -> HashMap<TermId, usize> { terms.iter().copied().zip(0..).collect() };
    let found = match request.origin.card().starts_from {
        StartsFrom::Nothing | StartsFrom::Sums => return Ok(None),
        StartsFrom::Eigenvectors => {
            let vocabulary = earlier()?.vocabulary_id.ok_or_else(gone)?;
            let Some(basis) = store.basis(start)? else {
                // A run that continued another has none: its model starts anew.
                let revises = RunRequest::from_run(&earlier()?)?.settings.revises;
                return if revises { Ok(None) } else { Err(gone()) };
            };
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

/// Minimum cosine of the word probabilities of two topics that count as the same and share a label; at a lower one
/// about half of the weight is on other words. At most one part of a topic that split reaches it if the parts have no
/// words in common.
pub const ALIKE: f64 = 0.8;

/// The cosines of earlier topics with `topics` (W × K), K₀ × K; zero for a topic without words. `earlier` contains
/// the directions of the earlier topics (W × K₀), of length 1 over all of their words, so that weight on words
/// outside the vocabulary lowers the cosine.
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

/// The topic that each earlier one is matched with, one to one, from their cosines (K₀ × K). The number of pairs
/// above [`ALIKE`] is maximal; among such matchings, the sum of the cosines is.
pub fn matches(cosines: &Array2<f64>) -> Vec<Option<usize>> {
    // All pairs below the threshold together gain less than one above it.
    let less = ALIKE / cosines.ncols().max(1) as f64;
    assignment(&cosines.mapv(|cosine| if cosine < ALIKE { less * cosine } else { cosine }))
}

/// The topics of an earlier run, whose numbers the topics of a run keep.
#[derive(Debug, Clone)]
pub struct NumberedTopics {
    /// W × K₀, a row for each term of the run's vocabulary. Columns have length 1 over all of their own words.
    pub directions: Array2<f64>,
    /// The labels that users gave them.
    pub labels: Vec<Option<TopicLabel>>,
}

/// The topics whose numbers the topics of a run keep; `None` for a run that keeps none.
///
/// # Errors
/// [`WorkError::StartIsGone`] if the earlier run was deleted.
pub fn numbered_topics(
    store: &Store,
    run: &Run,
    request: &RunRequest,
    material: &Material,
) -> Result<Option<NumberedTopics>, WorkError> {
    let start = request.settings.start.filter(|_| request.settings.keeps_numbers);
    let numbered = |start| {
        let directions = directions_of(store, run.id, start, &material.term_ids)?;
        Ok(NumberedTopics { directions, labels: store.topic_labels(start)? })
    };
    start.map(numbered).transpose()
}

/// The directions of the topics of run `start`, for `run`: W × K₀, a row for each of these terms, of length 1 over
/// all terms of `start`.
pub(crate) fn directions_of(
    store: &Store,
    run: RunId,
    start: RunId,
    term_ids: &[TermId],
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
    run: RunId,
    start: RunId,
    term_ids: &[TermId],
) -> Result<Array2<f64>, WorkError> {
    let gone = || WorkError::StartIsGone { run, start };
    store.run(start).map_err(|_| gone())?;
    let topics = store.saved_topics(start)?;
    let row_of: HashMap<TermId, usize> = term_ids.iter().copied().zip(0..).collect();
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
