//! A document as a text format hands it over, and as it is ready for the store.

use std::collections::HashMap;

use super::content_hash::{self, ContentHash};
use super::tokens::Tokenizer;

/// What a document consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    /// Text, to be taken apart into words.
    Text(String),
    /// Terms as they are, each with its count.
    Terms(Vec<(String, u32)>),
}

/// A document as it stands in a line of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) key: String,
    pub(super) title: Option<String>,
    pub(super) content: Content,
}

/// A document ready to be added: each distinct term once, in order of first appearance.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) key: String,
    pub(super) title: Option<String>,
    pub(super) text: Option<String>,
    pub(super) hash: ContentHash,
    pub(super) terms: Vec<(String, u32)>,
}

impl Record {
    /// Takes the text apart and hashes the content: all the work that needs no store.
    pub(super) fn prepare(self, tokenizer: &Tokenizer) -> Prepared {
        let Self { key, title, content } = self;
        match content {
            Content::Text(text) => {
                let hash = content_hash::of_text(title.as_deref(), &text);
                let terms = tokenizer.count(&text);
                Prepared { key, title, text: Some(text), hash, terms }
            }
            Content::Terms(terms) => {
                let mut sorted = terms.clone();
                sorted.sort_unstable();
                let hash = content_hash::of_terms(title.as_deref(), &sorted);
                Prepared { key, title, text: None, hash, terms }
            }
        }
    }
}

/// Each distinct item with its number of occurrences, in order of first appearance.
pub(super) fn count_each<'a>(items: impl Iterator<Item = &'a str>) -> Vec<(String, u32)> {
    let mut indices: HashMap<&str, usize> = HashMap::new();
    let mut counts: Vec<(String, u32)> = Vec::new();
    for item in items {
        let index = *indices.entry(item).or_insert(counts.len());
        match counts.get_mut(index) {
            Some(count) => count.1 = count.1.saturating_add(1),
            None => counts.push((item.to_string(), 1)),
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_counted_in_order_of_first_appearance() {
        let counts = count_each(["b", "a", "b", "c", "b"].into_iter());
        assert_eq!(counts, [("b".to_string(), 3), ("a".to_string(), 1), ("c".to_string(), 1)]);
    }
}
