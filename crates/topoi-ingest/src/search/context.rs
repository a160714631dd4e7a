//! Keywords in context (KWIC): every occurrence with its context, one per line.

use std::ops::Range;

use strum::{EnumString, VariantNames};

use super::{SearchError, Searcher, snippet};
use topoi_store::corpus::document::Document;
use topoi_store::id::DocumentId;
use topoi_store::search::expression::Expression;
use topoi_store::search::find::SearchOrder;

/// Number of neighbouring words by which occurrences are sorted.
const NEIGHBOURS: usize = 3;

/// The order of occurrences; ties are in corpus order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum ContextOrder {
    /// Corpus order.
    #[default]
    Document,
    /// By the word before, then the one before that …
    Before,
    /// By the word after, then the one after that …
    After,
}

/// An occurrence in its context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// Row id of the document.
    pub document: DocumentId,
    /// Key of the document.
    pub key: String,
    /// Title of the document, if its source has one.
    pub title: Option<String>,
    /// Characters of the document's text before the occurrence.
    pub start: u64,
    /// The text before, with whitespace collapsed.
    pub left: String,
    /// The occurrence, as in the text.
    pub hit: String,
    /// The text after.
    pub right: String,
    /// The words before, nearest first, as the tokenizer returns them.
    pub before: Vec<String>,
    /// The words after, nearest first.
    pub after: Vec<String>,
}

/// Occurrences in their contexts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contexts {
    /// Number of all occurrences; `None` if not all documents were read.
    pub total: Option<u64>,
    /// Number of documents with an occurrence.
    pub documents: u64,
    /// The first occurrences, sorted.
    pub rows: Vec<Context>,
}

impl Searcher<'_> {
    /// The first `limit` occurrences of a query's words in matching documents, sorted, with `width` characters
    /// of context on each side.
    ///
    /// # Errors
    /// As [`Searcher::find`].
    pub fn contexts(
        &self,
        what: &Expression,
        order: ContextOrder,
        limit: usize,
        width: usize,
    ) -> Result<Contexts, SearchError> {
        // Every document has an occurrence, unless the query is about fields only.
        let found = self.find(what, SearchOrder::Document, limit, 0)?;
        let lit = what.highlighted();
        let mut contexts = Contexts { documents: found.total, ..Contexts::default() };
        let mut count = 0;
        let is_all = found.documents.len() as u64 == found.total;
        for row in &found.documents {
            let text = self.store.document_text(row.document.id)?.unwrap_or_default();
            let places = snippet::places(&text, &self.tokenizer, &lit);
            count += places.len() as u64;
            let room = limit.saturating_sub(contexts.rows.len());
            self.push(&mut contexts, &row.document, &text, &places, (room, width));
            if room == 0 && !is_all {
                break;
            }
        }
        contexts.total = is_all.then_some(count);
        contexts.sort(order);
        Ok(contexts)
    }

    /// Adds the first occurrences in a document.
    pub(super) fn push(
        &self,
        contexts: &mut Contexts,
        document: &Document,
        text: &str,
        places: &[Range<usize>],
        (room, width): (usize, usize),
    ) {
        if places.is_empty() || room == 0 {
            return;
        }
        let words = self.tokenizer.words(text);
        for place in places.iter().take(room) {
            let first = words.partition_point(|word| word.place.end <= place.start);
            let behind = words.partition_point(|word| word.place.start < place.end);
            let word = |at: usize| words.get(at).map(|placed| placed.word.clone());
            contexts.rows.push(Context {
                document: document.id,
                key: document.key.clone(),
                title: document.title.clone(),
                start: text[..place.start].chars().count() as u64,
                left: before(&text[..place.start], width),
                hit: blanks_as_one(text[place.clone()].chars()).collect(),
                right: blanks_as_one(text[place.end..].chars()).take(width).collect(),
                before: (1..=NEIGHBOURS)
                    .map_while(|back| first.checked_sub(back).and_then(word))
                    .collect(),
                after: (behind..behind + NEIGHBOURS).map_while(word).collect(),
            });
        }
    }
}

impl Contexts {
    /// Sorts the rows.
    pub fn sort(&mut self, order: ContextOrder) {
        match order {
            // They were added in document order.
            ContextOrder::Document => self.rows.sort_by_key(|row| row.document),
            ContextOrder::Before => {
                self.rows.sort_by(|a, b| (&a.before, a.document).cmp(&(&b.before, b.document)));
            }
            ContextOrder::After => {
                self.rows.sort_by(|a, b| (&a.after, a.document).cmp(&(&b.after, b.document)));
            }
        }
    }
}

/// The last `width` characters.
fn before(text: &str, width: usize) -> String {
    let mut letters: Vec<char> = blanks_as_one(text.chars().rev()).take(width).collect();
    letters.reverse();
    letters.into_iter().collect()
}

/// Collapses runs of whitespace to one space.
fn blanks_as_one(letters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    let mut was_blank = false;
    letters.filter_map(move |c| {
        let is_blank = c.is_whitespace();
        let is_kept = !(is_blank && was_blank);
        was_blank = is_blank;
        is_kept.then_some(if is_blank { ' ' } else { c })
    })
}
