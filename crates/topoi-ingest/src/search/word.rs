//! The documents of a term by its count in them, and its occurrences in context.

use rayon::prelude::*;

use super::context::{ContextOrder, Contexts};
use super::{SearchError, Searcher};
use crate::tokens::given::GivenTokens;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::document::Document;
use topoi_store::corpus::term::Term;
use topoi_store::id::DocumentId;
use topoi_store::{Store, StoreError};

/// Blocks per task.
const BLOCKS_PER_TASK: usize = 16;

/// A document that contains a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermDocument {
    /// Its row.
    pub document: Document,
    /// Number of times the term occurs in it.
    pub count: u64,
}

/// Finds a term of a corpus by its text, or by a word that the corpus's tokenizer turns into it.
///
/// # Errors
/// [`SearchError::UnknownTerm`].
pub fn find_term(store: &Store, corpus: &Corpus, word: &str) -> Result<(u32, Term), SearchError> {
    if let Some(found) = store.find_term(corpus.id, word)? {
        return Ok(found);
    }
    let made = super::tokenizer_of(store, corpus).map(|tokenizer| tokenizer.tokens(word));
    let only =
        made.as_deref().ok().and_then(|made| if let [only] = made { Some(only) } else { None });
    if let Some(found) = only.map(|only| store.find_term(corpus.id, only)).transpose()?.flatten() {
        return Ok(found);
    }
    Err(SearchError::UnknownTerm { term: word.into(), corpus: corpus.name.clone() })
}

/// How often each document has a term: (document, count), ascending. Reads the corpus's blocks once, in parallel.
pub fn counts_of_term(
    store: &Store,
    corpus: &Corpus,
    position: u32,
) -> Result<Vec<(DocumentId, u64)>, SearchError> {
    let mut found: Vec<(DocumentId, u64)> = largest_counts(store, corpus, position, usize::MAX)?
        .into_iter()
        .map(|(count, id)| (id, count.into()))
        .collect();
    found.sort_unstable();
    Ok(found)
}

/// The `limit` documents in which a term occurs most often; ties go to the earlier document. Reads the corpus's
/// blocks once, in parallel.
pub fn term_documents(
    store: &Store,
    corpus: &Corpus,
    position: u32,
    limit: usize,
) -> Result<Vec<TermDocument>, SearchError> {
    let mut documents = Vec::new();
    for (count, id) in largest_counts(store, corpus, position, limit)? {
        if let Some(document) = store.document(id)? {
            documents.push(TermDocument { document, count: count.into() });
        }
    }
    Ok(documents)
}

fn largest_counts(
    store: &Store,
    corpus: &Corpus,
    position: u32,
    limit: usize,
) -> Result<Vec<(u32, DocumentId)>, SearchError> {
    store.require_documents(corpus)?;
    let blocks = CorpusBlocks::open(store, corpus.id)?;
    let count = blocks.sizes().len();
    let pieces: Vec<_> = (0..count)
        .step_by(BLOCKS_PER_TASK)
        .map(|from| from..(from + BLOCKS_PER_TASK).min(count))
        .collect();
    let best = |piece: std::ops::Range<usize>| -> Result<Vec<(u32, DocumentId)>, StoreError> {
        let mut found = Vec::new();
        blocks.visit::<StoreError>(piece, &mut |block| {
            for (id, terms, counts) in block.documents() {
                if let Ok(at) = terms.binary_search(&position) {
                    found.push((counts[at], DocumentId(id)));
                }
            }
            Ok(())
        })?;
        keep_best(&mut found, limit);
        Ok(found)
    };
    let found: Result<Vec<Vec<(u32, DocumentId)>>, StoreError> =
        pieces.into_par_iter().map(best).collect();
    let mut found = found?.concat();
    keep_best(&mut found, limit);
    Ok(found)
}

fn keep_best(found: &mut Vec<(u32, DocumentId)>, limit: usize) {
    found.sort_unstable_by_key(|&(count, id)| (std::cmp::Reverse(count), id));
    found.truncate(limit);
}

impl Searcher<'_> {
    /// The first `limit` occurrences of a term, as the corpus's tokenizer finds them, sorted, with `width`
    /// characters of context on each side.
    pub fn contexts_of_term(
        &self,
        (position, term): &(u32, Term),
        order: ContextOrder,
        limit: usize,
        width: usize,
    ) -> Result<Contexts, SearchError> {
        let mut contexts = Contexts {
            total: Some(term.total_count),
            documents: term.document_frequency,
            ..Contexts::default()
        };
        let blocks = CorpusBlocks::open(self.store, self.corpus.id)?;
        for at in 0..blocks.sizes().len() {
            if contexts.rows.len() >= limit {
                break;
            }
            let mut ids = Vec::new();
            blocks.visit::<StoreError>(at..at + 1, &mut |block| {
                let has = |terms: &[u32]| terms.binary_search(position).is_ok();
                ids.extend(
                    block
                        .documents()
                        .filter(|(_, terms, _)| has(terms))
                        .map(|(id, ..)| DocumentId(id)),
                );
                Ok(())
            })?;
            for id in ids {
                let room = limit.saturating_sub(contexts.rows.len());
                if room == 0 {
                    break;
                }
                let Some(document) = self.store.document(id)? else { continue };
                let text = self.store.document_text(id)?.unwrap_or_default();
                let given =
                    self.store.document_tokens(id)?.and_then(|json| GivenTokens::from_json(&json));
                let placed = match given {
                    Some(given) => given.placed(&text).into_iter(),
                    None => self.tokenizer.placed_terms(&text).into_iter(),
                };
                let places: Vec<_> =
                    placed.filter(|placed| placed.term == term.text).map(|p| p.place).collect();
                self.push(&mut contexts, &document, &text, &places, (room, width));
            }
        }
        contexts.sort(order);
        Ok(contexts)
    }
}
