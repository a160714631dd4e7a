//! Matching the topics of two runs.

use std::collections::HashMap;

use ndarray::Array2;

use super::compare::CompareError;
use topoi_core::linalg::assignment::assignment;
use topoi_core::linalg::dense::transposed_product;
use topoi_store::id::{RunId, TermId, TopicNumber};
use topoi_store::result::topic::SavedTopic;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// A one-to-one matching of the topics of two runs.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Alignment {
    /// The other run.
    pub run: RunId,
    /// Number of terms in both vocabularies, which similarities are computed over.
    pub shared_terms: usize,
    /// (topic of the first run, topic of the other, cosine similarity from 0 to 1), by topic of the first run.
    pub pairs: Vec<(TopicNumber, TopicNumber, f64)>,
    /// Unmatched topics of the first run.
    pub only_first: Vec<TopicNumber>,
    /// Unmatched topics of the other run.
    pub only_other: Vec<TopicNumber>,
}

/// Matches the topics of `first` with those of `other` so that the sum of the cosine similarities of their word
/// probabilities, over the terms of both vocabularies, is maximal. Pairs of similarity 0 are left unmatched. Terms of
/// different corpora are the same if they are spelled the same.
///
/// # Cost
/// K₁·K₂·S multiplications for S shared terms, and O(K³) for the assignment.
pub fn align(store: &Store, first: &Run, other: &Run) -> Result<Alignment, CompareError> {
    let columns = shared_terms(store, first, other)?;
    if columns.is_empty() {
        return Err(CompareError::NothingShared { first: first.id, other: other.id });
    }
    let width = columns.len();
    let (of_first, of_other): (HashMap<TermId, usize>, HashMap<TermId, usize>) = columns
        .into_iter()
        .enumerate()
        .map(|(column, (first, other))| ((first, column), (other, column)))
        .unzip();
    let ours = directions(&store.saved_topics(first.id)?, &of_first, width);
    let theirs = directions(&store.saved_topics(other.id)?, &of_other, width);
    let similarities = transposed_product(&ours, &theirs);
    Ok(matched(other.id, width, &similarities))
}

fn matched(run: RunId, shared_terms: usize, similarities: &Array2<f64>) -> Alignment {
    let similarities = similarities.mapv(|cosine| cosine.clamp(0.0, 1.0));
    let mut found =
        Alignment { run, shared_terms, pairs: vec![], only_first: vec![], only_other: vec![] };
    let mut is_alone = vec![true; similarities.ncols()];
    for (topic, match_) in assignment(&similarities).into_iter().enumerate() {
        match match_.map(|other| (other, similarities[(topic, other)])) {
            Some((other, similarity)) if similarity > 0.0 => {
                is_alone[other] = false;
                found.pairs.push((
                    TopicNumber::from_index(topic),
                    TopicNumber::from_index(other),
                    similarity,
                ));
            }
            _ => found.only_first.push(TopicNumber::from_index(topic)),
        }
    }
    found.only_other = (0..)
        .map(TopicNumber)
        .zip(is_alone)
        .filter_map(|(topic, alone)| alone.then_some(topic))
        .collect();
    found
}

/// The terms of both vocabularies: (row id in the first run's corpus, row id in the other's).
fn shared_terms(
    store: &Store,
    first: &Run,
    other: &Run,
) -> Result<Vec<(TermId, TermId)>, StoreError> {
    let terms = |run: &Run| match run.vocabulary_id {
        Some(id) => store.vocabulary(id).map(|vocabulary| vocabulary.term_ids),
        None => Ok(Vec::new()),
    };
    let (ours, theirs) = (terms(first)?, terms(other)?);
    if first.corpus_id == other.corpus_id {
        let known: std::collections::HashSet<TermId> = theirs.into_iter().collect();
        return Ok(ours.into_iter().filter(|id| known.contains(id)).map(|id| (id, id)).collect());
    }
    let known: std::collections::HashSet<TermId> = theirs.into_iter().collect();
    let theirs = store.terms(other.corpus_id)?.into_iter().filter(|term| known.contains(&term.id));
    let by_text: HashMap<String, TermId> = theirs.map(|term| (term.text, term.id)).collect();
    let known: std::collections::HashSet<TermId> = ours.into_iter().collect();
    let ours = store.terms(first.corpus_id)?.into_iter().filter(|term| known.contains(&term.id));
    Ok(ours.filter_map(|term| Some((term.id, *by_text.get(&term.text)?))).collect())
}

/// S × K: the topics' probabilities of the shared terms, scaled to length 1; zero for a topic without any of them.
fn directions(topics: &[SavedTopic], rows: &HashMap<TermId, usize>, height: usize) -> Array2<f64> {
    let mut found = Array2::zeros((height, topics.len()));
    for (mut column, topic) in found.columns_mut().into_iter().zip(topics) {
        for (term, probability) in &topic.terms {
            if let Some(&row) = rows.get(term) {
                column[row] = *probability;
            }
        }
        let length = column.dot(&column).sqrt();
        if length > 0.0 {
            column /= length;
        }
    }
    found
}
