//! Which texts have a word, a phrase, a value of a field, and where.
//!
//! [`query`] reads what was typed, [`Searcher`] finds documents by the full-text index of their corpus or,
//! where there is none, by reading all texts; [`context`] shows each occurrence between its neighbours,
//! [`word`] what a corpus and a run have of a term. Words are those of the corpus's own tokenizer.

pub mod context;
mod error;
pub mod making;
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
use topoi_store::search::BATCH;
use topoi_store::search::expression::{Expression, ReadDocument};
pub use topoi_store::search::find::FoundOrder;

/// More documents than this come in the order they were added: ranking them takes longer than the tenth of
/// a second in which a list should be there.
pub const RANKED_AT_MOST: u64 = 30_000;

/// Looks through the texts of a corpus.
#[derive(Debug)]
pub struct Searcher<'s> {
    store: &'s Store,
    corpus: &'s Corpus,
    tokenizer: Tokenizer,
    reads_all: bool,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Number of all documents for which the query holds.
    pub total: u64,
    /// The order of `documents`.
    pub order: FoundOrder,
    /// The first of them.
    pub documents: Vec<FoundDocument>,
}

/// A document that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundDocument {
    /// Its row.
    pub document: Document,
    /// A part of its text around what was looked for.
    pub snippet: Vec<Piece>,
}

/// The tokenizer of a corpus of texts.
///
/// # Errors
/// [`SearchError::NoTexts`]; where the documents are in parts elsewhere.
fn tokenizer_of(store: &Store, corpus: &Corpus) -> Result<Tokenizer, SearchError> {
    store.require_documents(corpus)?;
    CorpusSettings::tokenizer(&corpus.settings)
        .ok_or_else(|| SearchError::NoTexts { corpus: corpus.name.clone() })
}

impl<'s> Searcher<'s> {
    /// Looks through the texts of `corpus`.
    ///
    /// # Errors
    /// [`SearchError::NoTexts`] for a corpus of counted words; when the store cannot be read.
    pub fn open(store: &'s Store, corpus: &'s Corpus) -> Result<Self, SearchError> {
        Ok(Self { store, corpus, tokenizer: tokenizer_of(store, corpus)?, reads_all: false })
    }

    /// The same, which reads all texts although there may be an index.
    pub fn without_index(self) -> Self {
        Self { reads_all: true, ..self }
    }

    /// Reads what was typed.
    ///
    /// # Errors
    /// [`SearchError::Query`].
    pub fn parse(&self, query: &str) -> Result<Expression, SearchError> {
        query::parse(query, &self.tokenizer)
    }

    /// The documents for which `what` holds, of which the first `limit` are read. By the index where the
    /// corpus has one that is whole; else all texts are read.
    ///
    /// # Errors
    /// [`SearchError::UnknownField`]; when the store cannot be read or the index is damaged.
    pub fn find(
        &self,
        what: &Expression,
        order: FoundOrder,
        limit: usize,
        width: usize,
    ) -> Result<Found, SearchError> {
        if self.reads_all || !self.store.is_indexed(self.corpus)? {
            return self.read_all(what, limit, width);
        }
        let index = self.store.search_index(self.corpus.id)?;
        let known: BTreeSet<String> =
            index.map(|index| index.fields.into_iter().collect()).unwrap_or_default();
        self.check_fields(what, &known)?;
        // All at once: for a prefix SQLite puts all lists of documents together before it gives the first.
        let mut ids = self.store.find_documents(self.corpus.id, what)?;
        let total = ids.len() as u64;
        let order = if total > RANKED_AT_MOST { FoundOrder::Document } else { order };
        match order {
            FoundOrder::Relevance => {
                ids = self.store.most_relevant(self.corpus.id, what, limit)?;
            }
            FoundOrder::Document => ids.truncate(limit),
        }
        Ok(Found { total, order, documents: self.show(&ids, what, width)? })
    }

    /// The ids of all documents for which `what` holds, ascending.
    ///
    /// # Errors
    /// [`SearchError::UnknownField`]; when the store cannot be read or the index is damaged.
    pub fn ids(&self, what: &Expression) -> Result<Vec<i64>, SearchError> {
        if self.reads_all || !self.store.is_indexed(self.corpus)? {
            return self.ids_by_reading(what);
        }
        let index = self.store.search_index(self.corpus.id)?;
        let known = index.map(|index| index.fields.into_iter().collect()).unwrap_or_default();
        self.check_fields(what, &known)?;
        Ok(self.store.find_documents(self.corpus.id, what)?)
    }

    fn read_all(
        &self,
        what: &Expression,
        limit: usize,
        width: usize,
    ) -> Result<Found, SearchError> {
        let mut ids = self.ids_by_reading(what)?;
        let total = ids.len() as u64;
        ids.truncate(limit);
        let documents = self.show(&ids, what, width)?;
        Ok(Found { total, order: FoundOrder::Document, documents })
    }

    fn ids_by_reading(&self, what: &Expression) -> Result<Vec<i64>, SearchError> {
        let words = words_by(&self.tokenizer);
        let (mut ids, mut known) = (Vec::new(), BTreeSet::new());
        let mut after = 0;
        loop {
            let documents = self.store.whole_documents(self.corpus.id, after, BATCH)?;
            let Some(last) = documents.last() else { break };
            after = last.id;
            let judge = |document| {
                let read = ReadDocument::new(document, &words);
                let names = if what.fields().is_empty() { Vec::new() } else { read.field_names() };
                (what.holds(&read), names)
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

    /// Rows and snippets of documents; those that were deleted meanwhile are passed over.
    fn show(
        &self,
        ids: &[i64],
        what: &Expression,
        width: usize,
    ) -> Result<Vec<FoundDocument>, SearchError> {
        let lit = what.lit();
        let mut found = Vec::new();
        for &id in ids {
            let Some(document) = self.store.document(id)? else { continue };
            let text = self.store.document_text(id)?.unwrap_or_default();
            let snippet = snippet(&text, &self.tokenizer, &lit, width);
            found.push(FoundDocument { document, snippet });
        }
        Ok(found)
    }

    /// The places in `text` at which the query's words stand: bytes, ascending, none in another.
    pub fn places(&self, text: &str, what: &Expression) -> Vec<std::ops::Range<usize>> {
        snippet::places(text, &self.tokenizer, &what.lit())
    }
}

/// How a tokenizer tells the store which words a text has.
pub(crate) fn words_by(tokenizer: &Tokenizer) -> impl Fn(&str, &mut dyn FnMut(&str)) + Sync + '_ {
    |text, visit| tokenizer.visit_words(text, visit)
}

#[cfg(test)]
mod test_search;
