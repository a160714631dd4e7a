//! Collocates: words that are beside a word or phrase more often than by chance.
//!
//! # Source
//! Dunning 1993, "Accurate Methods for the Statistics of Surprise and Coincidence": the log-likelihood ratio G² of the
//! table of a word within and outside of windows. Daille 1994: MI³ = log₂(O³ / E), with O tokens of the word in windows
//! and E = f · W / N expected ones (f tokens of the word, W tokens in windows, N tokens in all).

use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;

use crate::work::work_error::WorkError;
use topoi_ingest::Tokenizer;
use topoi_ingest::search::places;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::corpus::Corpus;
use topoi_store::id::{DocumentId, RunId, TopicNumber};
use topoi_store::search::expression::Expression;
use topoi_store::{Store, StoreError};

/// Documents that are read at once.
const AT_ONCE: usize = 500;

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// Words on each side of an occurrence.
    pub words: usize,
    /// Documents that are read at most, the first ones.
    pub documents: usize,
    /// Count documents by their proportion of this topic.
    pub within: Option<(RunId, TopicNumber)>,
}

/// A word beside the occurrences.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Collocate {
    /// The word, as the corpus shows it.
    pub word: String,
    /// Tokens of it in windows; within a topic, each counts as much as its document is of the topic.
    pub together: f64,
    /// Tokens before and behind the occurrences.
    pub before: f64,
    /// Behind them.
    pub after: f64,
    /// Tokens that are expected in as many, if it were everywhere alike.
    pub expected: f64,
    /// G², with the sign of together − expected.
    pub log_likelihood: f64,
    /// MI³, in bits.
    pub mi3: f64,
}

/// Collocates and what they are of.
#[derive(Debug, Clone, PartialEq)]
pub struct Collocates {
    /// The words, the largest G² first.
    pub rows: Vec<Collocate>,
    /// Occurrences in the documents that were read.
    pub occurrences: u64,
    /// Documents that were read, and that match.
    pub documents: (u64, u64),
}

/// What a document has in its windows.
#[derive(Default)]
struct OfDocument {
    occurrences: u64,
    /// Tokens before and behind by term.
    terms: HashMap<String, (u32, u32)>,
}

/// The words beside what a query finds in the documents `all` that match it ([`Searcher::ids`](topoi_ingest::search::Searcher::ids)). Only terms of the corpus are counted, so no stop words; windows are of all
/// words. A token in two windows counts once. Reads the texts of matching documents, and within a topic the blocks and
/// proportions of all.
///
/// # Errors
/// When the store cannot be read, or the run has no such topic.
pub fn collocates(
    store: &Store,
    corpus: &Corpus,
    tokenizer: &Tokenizer,
    (what, all): (&Expression, &[DocumentId]),
    window: Window,
    tell: &(dyn Fn(u64, u64) + Sync),
) -> Result<Collocates, WorkError> {
    let read = &all[..all.len().min(window.documents)];
    let mut weights = Weights::open(store, window.within)?;
    let (mut counts, mut occurrences) = (HashMap::<String, (f64, f64)>::new(), 0);
    for (done, ids) in (0..).zip(read.chunks(AT_ONCE)) {
        tell(done * AT_ONCE as u64, read.len() as u64);
        let texts = texts(store, ids)?;
        let of_documents: Vec<OfDocument> = texts
            .par_iter()
            .map(|(_, text)| of_document(tokenizer, what, text, window.words))
            .collect();
        for ((id, _), of_document) in texts.iter().zip(of_documents) {
            let weight = weights.weight(store, *id)?;
            occurrences += of_document.occurrences;
            for (term, (before, after)) in of_document.terms {
                let count = counts.entry(term).or_default();
                count.0 += weight * f64::from(before);
                count.1 += weight * f64::from(after);
            }
        }
    }
    let totals = Totals::new(store, corpus, window.within)?;
    let in_windows: f64 = counts.values().map(|(before, after)| before + after).sum();
    let mut rows: Vec<Collocate> = counts
        .into_iter()
        .filter_map(|(term, (before, after))| totals.row(&term, (before, after), in_windows))
        .collect();
    rows.sort_by(|a, b| {
        b.log_likelihood.total_cmp(&a.log_likelihood).then_with(|| a.word.cmp(&b.word))
    });
    Ok(Collocates { rows, occurrences, documents: (read.len() as u64, all.len() as u64) })
}

fn texts(store: &Store, ids: &[DocumentId]) -> Result<Vec<(DocumentId, String)>, StoreError> {
    let mut documents = store.documents_to_look_at(ids, true)?;
    documents.sort_by_key(|document| document.id);
    Ok(documents
        .into_iter()
        .map(|document| (document.id, document.text.unwrap_or_default()))
        .collect())
}

/// The terms within `span` words of the occurrences in a text.
fn of_document(tokenizer: &Tokenizer, what: &Expression, text: &str, span: usize) -> OfDocument {
    let places = places(text, tokenizer, what);
    let mut found = OfDocument { occurrences: places.len() as u64, ..OfDocument::default() };
    if places.is_empty() {
        return found;
    }
    let words = tokenizer.words(text);
    let ends = |range: Range<usize>| match range.is_empty() {
        true => 0..0,
        false => words[range.start].place.start..words[range.end - 1].place.end,
    };
    // Bytes before and behind each occurrence.
    let windows: Vec<(Range<usize>, Range<usize>)> = places
        .iter()
        .map(|place| {
            let first = words.partition_point(|word| word.place.end <= place.start);
            let behind = words.partition_point(|word| word.place.start < place.end);
            let after = behind..(behind + span).min(words.len());
            (ends(first.saturating_sub(span)..first), ends(after))
        })
        .collect();
    for placed in tokenizer.placed_terms(text) {
        let at = &placed.place;
        let has = |range: &Range<usize>| range.start <= at.start && at.end <= range.end;
        let is_part = places.iter().any(|place| place.start < at.end && at.start < place.end);
        // Windows are in their order, and few can have it.
        let near = windows.partition_point(|(_, after)| after.end.max(1) <= at.start);
        let of_window = windows[near.saturating_sub(1)..].iter().take(2 * span + 2);
        let mut sides = of_window.filter_map(|(before, after)| match (has(before), has(after)) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            _ => None,
        });
        if let Some(is_before) = sides.next().filter(|_| !is_part) {
            let count = found.terms.entry(placed.term).or_default();
            if is_before { count.0 += 1 } else { count.1 += 1 }
        }
    }
    found
}

/// How much each document counts.
struct Weights {
    within: Option<(RunId, TopicNumber)>,
}

impl Weights {
    fn open(store: &Store, within: Option<(RunId, TopicNumber)>) -> Result<Self, WorkError> {
        if let Some((run, topic)) = within {
            if topic.index() >= store.topic_labels(run)?.len() {
                return Err(StoreError::UnknownTopic { run, topic }.into());
            }
            if store.alpha(run)?.is_empty() {
                return Err(WorkError::NoDocuments { run });
            }
        }
        Ok(Self { within })
    }

    fn weight(&mut self, store: &Store, id: DocumentId) -> Result<f64, StoreError> {
        let Some((run, topic)) = self.within else { return Ok(1.0) };
        let theta = store.topics_of_document(run, id)?;
        Ok(theta.get(topic.index()).copied().unwrap_or(0.0))
    }
}

/// Tokens of all documents, weighted as those of the windows.
struct Totals {
    /// (as shown, tokens) of each term.
    terms: HashMap<String, (String, f64)>,
    tokens: f64,
}

impl Totals {
    fn new(
        store: &Store,
        corpus: &Corpus,
        within: Option<(RunId, TopicNumber)>,
    ) -> Result<Self, WorkError> {
        let terms = store.terms(corpus.id)?;
        let counts: Vec<f64> = match within {
            None => terms.iter().map(|term| term.total_count as f64).collect(),
            Some(of) => weighted_counts(store, corpus, of, terms.len())?,
        };
        let tokens = counts.iter().sum();
        let of_term = terms.into_iter().zip(counts);
        let terms =
            of_term.map(|(term, count)| (term.text.clone(), (term.shown().to_string(), count)));
        Ok(Self { terms: terms.collect(), tokens })
    }

    /// The row of a term; `None` for one that the corpus does not have.
    fn row(&self, term: &str, (before, after): (f64, f64), in_windows: f64) -> Option<Collocate> {
        let (word, of_word) = self.terms.get(term)?;
        let together = before + after;
        let expected = of_word * in_windows / self.tokens;
        if together <= 0.0 || expected <= 0.0 {
            return None;
        }
        let g2 = log_likelihood(together, in_windows, *of_word, self.tokens);
        Some(Collocate {
            word: word.clone(),
            together,
            before,
            after,
            expected,
            log_likelihood: g2.copysign(together - expected),
            mi3: (together.powi(3) / expected).log2(),
        })
    }
}

/// Tokens of each term, a document's as much as it is of a topic.
fn weighted_counts(
    store: &Store,
    corpus: &Corpus,
    (run, topic): (RunId, TopicNumber),
    terms: usize,
) -> Result<Vec<f64>, WorkError> {
    let mut counts = vec![0.0; terms];
    let blocks = CorpusBlocks::open(store, corpus.id)?;
    blocks.visit::<WorkError>(0..blocks.sizes().len(), &mut |block| {
        let ends = block.document_ids.first().zip(block.document_ids.last());
        let Some((&first, &last)) = ends else { return Ok(()) };
        let thetas: HashMap<DocumentId, Vec<f64>> = store
            .proportions_between(run, DocumentId(first), DocumentId(last))?
            .into_iter()
            .collect();
        for (id, positions, tokens) in block.documents() {
            let theta = thetas.get(&DocumentId(id)).and_then(|theta| theta.get(topic.index()));
            let Some(&weight) = theta else { continue };
            for (&position, &count) in positions.iter().zip(tokens) {
                counts[position as usize] += weight * f64::from(count);
            }
        }
        Ok(())
    })?;
    Ok(counts)
}

/// G² of a word that has `together` of the `in_windows` tokens of windows and `of_word` of `all`.
fn log_likelihood(together: f64, in_windows: f64, of_word: f64, all: f64) -> f64 {
    let (outside, rest) = ((of_word - together).max(0.0), (in_windows - together).max(0.0));
    let other = (all - in_windows - outside).max(0.0);
    let cell = |seen: f64, row: f64, column: f64| {
        let expected = row * column / all;
        if seen > 0.0 && expected > 0.0 { seen * (seen / expected).ln() } else { 0.0 }
    };
    let (of_others, elsewhere) = (all - of_word, all - in_windows);
    let sum = cell(together, in_windows, of_word)
        + cell(rest, in_windows, of_others)
        + cell(outside, elsewhere, of_word)
        + cell(other, elsewhere, of_others);
    2.0 * sum.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_likelihood_is_that_of_the_table() {
        // Dunning 1993: rows (110, 2442; 111, 29114) of "the swiss" have −2 ln λ = 270.72 in the paper's table 1.
        let g2 = log_likelihood(110.0, 110.0 + 2442.0, 110.0 + 111.0, 31777.0);
        assert!((g2 - 270.72).abs() < 0.01, "{g2}");
        assert_eq!(log_likelihood(1.0, 10.0, 10.0, 100.0), 0.0);
    }
}
