//! What a corpus has of a term: its documents by how often they have it, and its occurrences in context.

use rayon::prelude::*;

use super::context::{ContextOrder, Contexts};
use super::{SearchError, Searcher};
use crate::tokens::given::GivenTokens;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::document::Document;
use topoi_store::corpus::term::Term;
use topoi_store::{Store, StoreError};

/// Blocks that a thread reads at a time.
const AT_ONCE: usize = 16;

/// A document that has a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermDocument {
    /// Its row.
    pub document: Document,
    /// How often it has the term.
    pub count: u64,
}

/// The term of a corpus, as it is or as its tokenizer makes it of a word.
///
/// # Errors
/// [`SearchError::UnknownTerm`]; when the store cannot be read.
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

/// The `limit` documents that have a term most often, of equal ones the earlier. One pass over the
/// corpus's blocks, by all threads.
///
/// # Errors
/// When the store cannot be read.
pub fn term_documents(
    store: &Store,
    corpus: &Corpus,
    position: u32,
    limit: usize,
) -> Result<Vec<TermDocument>, SearchError> {
    store.require_documents(corpus)?;
    let blocks = CorpusBlocks::open(store, corpus.id)?;
    let count = blocks.sizes().len();
    let pieces: Vec<_> =
        (0..count).step_by(AT_ONCE).map(|from| from..(from + AT_ONCE).min(count)).collect();
    let best = |piece: std::ops::Range<usize>| -> Result<Vec<(u32, i64)>, StoreError> {
        let mut found = Vec::new();
        blocks.visit::<StoreError>(piece, &mut |block| {
            for (id, terms, counts) in block.documents() {
                if let Ok(at) = terms.binary_search(&position) {
                    found.push((counts[at], id));
                }
            }
            Ok(())
        })?;
        keep_best(&mut found, limit);
        Ok(found)
    };
    let found: Result<Vec<Vec<(u32, i64)>>, StoreError> =
        pieces.into_par_iter().map(best).collect();
    let mut found = found?.concat();
    keep_best(&mut found, limit);
    let mut documents = Vec::new();
    for (count, id) in found {
        if let Some(document) = store.document(id)? {
            documents.push(TermDocument { document, count: count.into() });
        }
    }
    Ok(documents)
}

fn keep_best(found: &mut Vec<(u32, i64)>, limit: usize) {
    found.sort_unstable_by_key(|&(count, id)| (std::cmp::Reverse(count), id));
    found.truncate(limit);
}

impl Searcher<'_> {
    /// The first `limit` occurrences of a term, as the corpus's tokenizer finds it, each between `width`
    /// letters, sorted.
    ///
    /// # Errors
    /// When the store cannot be read.
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
                ids.extend(block.documents().filter(|(_, terms, _)| has(terms)).map(|(id, ..)| id));
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
                    self.store.document_tokens(id)?.and_then(|json| GivenTokens::saved(&json));
                let placed = match given {
                    Some(given) => given.placed(&text).into_iter(),
                    None => self.tokenizer.placed_terms(&text).into_iter(),
                };
                let places: Vec<_> =
                    placed.filter(|placed| placed.term == term.text).map(|p| p.place).collect();
                self.push(&mut contexts, (id, &document.key), &text, &places, (room, width));
            }
        }
        contexts.sort(order);
        Ok(contexts)
    }
}
