//! Full-text search in a corpus.
//!
//! [`query`] parses queries. [`Searcher`] finds documents with the full-text index of their corpus or, if there
//! is none, by reading all texts. [`context`] shows occurrences in context, and [`word`] the statistics of a
//! term in a corpus and a run. Words are those of the corpus's own tokenizer.

pub mod context;
mod error;
pub mod making;
pub mod passage;
pub mod query;
pub mod snippet;
pub mod word;

use std::collections::BTreeSet;

use rayon::prelude::*;

pub use self::error::SearchError;
use self::snippet::{Piece, snippet};
use crate::{CorpusSettings, Tokenizer};
use topoi_store::Store;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::document::Document;
use topoi_store::id::DocumentId;
use topoi_store::search::expression::{Expression, ParsedDocument};
pub use topoi_store::search::find::SearchOrder;
use topoi_store::search::pattern::WordPattern;
use topoi_store::search::{BATCH_BYTES, StoredDocument};

/// Larger results are in document order: ranking them would take longer than a tenth of a second, in which a
/// list should appear.
pub const MAX_RANKED: usize = 30_000;

/// Words of the index that a pattern may fit; with more, the documents are read.
const MAX_WORDS: usize = 1000;
/// Documents that are read at once, with and without their texts.
const TEXTS_AT_ONCE: usize = 500;
const FIELDS_AT_ONCE: usize = 20_000;

/// Searches the texts of a corpus.
#[derive(Debug)]
pub struct Searcher<'s> {
    store: &'s Store,
    corpus: &'s Corpus,
    tokenizer: Tokenizer,
    reads_all: bool,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResults {
    /// Number of all matching documents.
    pub total: u64,
    /// The order of `documents`.
    pub order: SearchOrder,
    /// The first matching documents.
    pub documents: Vec<SearchHit>,
}

/// A matching document.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchHit {
    /// Its row.
    pub document: Document,
    /// A part of its text around a match.
    pub snippet: Vec<Piece>,
}

/// The tokenizer of a corpus of texts.
///
/// # Errors
/// [`SearchError::NoTexts`]; [`StoreError::InParts`](topoi_store::StoreError::InParts) if the documents are in
/// other stores.
fn tokenizer_of(store: &Store, corpus: &Corpus) -> Result<Tokenizer, SearchError> {
    store.require_documents(corpus)?;
    CorpusSettings::tokenizer(&corpus.settings)
        .ok_or_else(|| SearchError::NoTexts { corpus: corpus.name.clone() })
}

impl<'s> Searcher<'s> {
    /// A searcher of the texts of `corpus`.
    ///
    /// # Errors
    /// [`SearchError::NoTexts`] for a corpus of counted words.
    pub fn open(store: &'s Store, corpus: &'s Corpus) -> Result<Self, SearchError> {
        Ok(Self { store, corpus, tokenizer: tokenizer_of(store, corpus)?, reads_all: false })
    }

    /// Ignores the index and reads all texts.
    pub fn without_index(self) -> Self {
        Self { reads_all: true, ..self }
    }

    /// The tokenizer of the corpus.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// Parses a query.
    ///
    /// # Errors
    /// [`SearchError::Query`].
    pub fn parse(&self, query: &str) -> Result<Expression, SearchError> {
        let mut what = query::parse(query, &self.tokenizer)?;
        if !what.is_indexed() {
            let kinds = self.store.field_kinds(self.corpus.id)?;
            what.set_kinds(&|field| {
                let set = kinds.iter().find(|(name, _)| name.to_lowercase() == field);
                set.and_then(|(_, kind)| kind.parse().ok())
            });
        }
        Ok(what)
    }

    /// The documents that match `what`; the first `limit` are read. Uses the index if it is complete; otherwise
    /// reads all texts.
    ///
    /// # Errors
    /// [`SearchError::UnknownField`]; [`StoreError::DamagedIndex`](topoi_store::StoreError::DamagedIndex).
    pub fn find(
        &self,
        what: &Expression,
        order: SearchOrder,
        limit: usize,
        width: usize,
    ) -> Result<SearchResults, SearchError> {
        if self.reads_all || !self.store.is_indexed(self.corpus)? {
            return self.read_all(what, limit, width);
        }
        self.check_indexed_fields(what)?;
        // All at once: for a prefix, SQLite merges all lists of documents before it returns the first.
        let (mut ids, indexed) = self.ids_by_index(what)?;
        let total = ids.len() as u64;
        let is_ranked = order == SearchOrder::Relevance && total <= MAX_RANKED as u64;
        let order = match indexed.filter(|_| is_ranked) {
            Some(indexed) => {
                // What the index finds besides is left out; it can be ranked higher.
                let most = if what.is_indexed() { limit } else { MAX_RANKED };
                let ranked = self.store.most_relevant(self.corpus.id, &indexed, most)?;
                let found = |id: &DocumentId| ids.binary_search(id).is_ok();
                ids = ranked.into_iter().filter(found).take(limit).collect();
                SearchOrder::Relevance
            }
            None => {
                ids.truncate(limit);
                SearchOrder::Document
            }
        };
        Ok(SearchResults { total, order, documents: self.show(&ids, what, width)? })
    }

    /// The ids of all documents that match `what`, ascending.
    ///
    /// # Errors
    /// As [`Searcher::find`].
    pub fn ids(&self, what: &Expression) -> Result<Vec<DocumentId>, SearchError> {
        if self.reads_all || !self.store.is_indexed(self.corpus)? {
            return self.ids_by_reading(what);
        }
        self.check_indexed_fields(what)?;
        Ok(self.ids_by_index(what)?.0)
    }

    fn check_indexed_fields(&self, what: &Expression) -> Result<(), SearchError> {
        let index = self.store.search_index(self.corpus.id)?;
        let known = index.map(|index| index.fields.into_iter().collect()).unwrap_or_default();
        self.check_fields(what, &known)
    }

    /// The ids of all documents that match, ascending, and what the index was asked for; what it cannot say is looked
    /// at in the documents that it finds.
    fn ids_by_index(
        &self,
        what: &Expression,
    ) -> Result<(Vec<DocumentId>, Option<Expression>), SearchError> {
        let failed = std::cell::RefCell::new(None);
        let expand = |field: Option<&str>, pattern: &WordPattern| {
            let words = self.store.words_of_index(self.corpus.id, field, pattern, MAX_WORDS);
            words.unwrap_or_else(|error| {
                failed.replace(Some(error));
                None
            })
        };
        let indexed = what.superset(&expand);
        if let Some(error) = failed.into_inner() {
            return Err(error.into());
        }
        let ids = match &indexed {
            Some(indexed) => self.store.find_documents(self.corpus.id, indexed)?,
            None => self.store.ids_of_documents(self.corpus.id)?,
        };
        let ids = match what.residual() {
            Some(rest) => self.those_that_match(ids, &rest)?,
            None => ids,
        };
        Ok((ids, indexed))
    }

    fn those_that_match(
        &self,
        ids: Vec<DocumentId>,
        what: &Expression,
    ) -> Result<Vec<DocumentId>, SearchError> {
        let words = words_by(&self.tokenizer);
        let has_texts = !what.is_of_fields();
        let at_once = if has_texts { TEXTS_AT_ONCE } else { FIELDS_AT_ONCE };
        let mut found = Vec::new();
        for ids in ids.chunks(at_once) {
            let documents = self.store.documents_to_look_at(ids, has_texts)?;
            let is_found = |document: &StoredDocument| {
                what.matches(&ParsedDocument::new(document, &words)).then_some(document.id)
            };
            found.extend(documents.par_iter().filter_map(is_found).collect::<Vec<_>>());
        }
        found.sort_unstable();
        Ok(found)
    }

    fn read_all(
        &self,
        what: &Expression,
        limit: usize,
        width: usize,
    ) -> Result<SearchResults, SearchError> {
        let mut ids = self.ids_by_reading(what)?;
        let total = ids.len() as u64;
        ids.truncate(limit);
        let documents = self.show(&ids, what, width)?;
        Ok(SearchResults { total, order: SearchOrder::Document, documents })
    }

    fn ids_by_reading(&self, what: &Expression) -> Result<Vec<DocumentId>, SearchError> {
        let words = words_by(&self.tokenizer);
        let (mut ids, mut known) = (Vec::new(), BTreeSet::new());
        let mut after = DocumentId::default();
        loop {
            let documents = self.store.documents_with_text(self.corpus.id, after, BATCH_BYTES)?;
            let Some(last) = documents.last() else { break };
            after = last.id;
            let judge = |document| {
                let read = ParsedDocument::new(document, &words);
                let names = if what.fields().is_empty() { Vec::new() } else { read.field_names() };
                (what.matches(&read), names)
            };
            let judged: Vec<(bool, Vec<String>)> = documents.par_iter().map(judge).collect();
            for (document, (holds, names)) in documents.iter().zip(judged) {
                known.extend(names);
                if holds {
                    ids.push(document.id);
                }
            }
        }
        self.check_fields(what, &known)?;
        Ok(ids)
    }

    fn check_fields(&self, what: &Expression, known: &BTreeSet<String>) -> Result<(), SearchError> {
        let unknown = what.fields().into_iter().find(|field| !known.contains(*field));
        unknown.map_or(Ok(()), |field| {
            Err(SearchError::UnknownField {
                field: field.into(),
                corpus: self.corpus.name.clone(),
                known: known.iter().cloned().collect::<Vec<_>>().join(", "),
            })
        })
    }

    /// Rows and snippets of documents; those deleted meanwhile are skipped.
    fn show(
        &self,
        ids: &[DocumentId],
        what: &Expression,
        width: usize,
    ) -> Result<Vec<SearchHit>, SearchError> {
        let lit = what.highlighted();
        let mut found = Vec::new();
        for &id in ids {
            let Some(document) = self.store.document(id)? else { continue };
            let text = self.store.document_text(id)?.unwrap_or_default();
            let snippet = snippet(&text, &self.tokenizer, &lit, width);
            found.push(SearchHit { document, snippet });
        }
        Ok(found)
    }

    /// Byte ranges of the query's words in `text`, ascending and disjoint.
    pub fn places(&self, text: &str, what: &Expression) -> Vec<std::ops::Range<usize>> {
        places(text, &self.tokenizer, what)
    }
}

/// Byte ranges of the query's words in `text`, ascending and disjoint.
pub fn places(text: &str, tokenizer: &Tokenizer, what: &Expression) -> Vec<std::ops::Range<usize>> {
    snippet::places(text, tokenizer, &what.highlighted())
}

/// The words of a tokenizer, in the form that the store needs.
pub(crate) fn words_by(tokenizer: &Tokenizer) -> impl Fn(&str, &mut dyn FnMut(&str)) + Sync + '_ {
    |text, visit| tokenizer.visit_words(text, visit)
}

#[cfg(test)]
mod test_search;
