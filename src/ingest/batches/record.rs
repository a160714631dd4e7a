//! A document as a format hands it over, and as it is ready for the store.

use std::collections::HashMap;

use crate::ingest::tokens::Tokenizer;
use crate::ingest::tokens::given::GivenTokens;
use crate::ingest::tokens::lexicon::{Counted, Known, NewTerm};
use crate::store::corpus::content_hash::{self, ContentHash};

/// What a document consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// Text, to be taken apart into words.
    Text(String),
    /// Text to be read, and its words, found elsewhere.
    Tokens { text: String, tokens: GivenTokens },
    /// Terms as they are, each with its count.
    Terms(Vec<(String, u32)>),
    /// (term position in the corpus, count), sorted by position.
    Entries(Vec<(u32, u32)>),
}

/// A document as it stands in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) key: String,
    pub(crate) title: Option<String>,
    /// A JSON object of what else the source says of it.
    pub(crate) fields: Option<String>,
    pub(crate) content: Content,
}

impl Record {
    /// A document without title and fields.
    pub(crate) fn new(key: String, content: Content) -> Self {
        Self { key, title: None, fields: None, content }
    }
}

/// A document ready to be added.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) key: String,
    pub(crate) title: Option<String>,
    pub(crate) fields: Option<String>,
    pub(crate) text: Option<String>,
    /// Those that were given beside the text, as JSON.
    pub(crate) tokens: Option<String>,
    pub(crate) hash: ContentHash,
    /// (term position, count), sorted by position.
    pub(crate) entries: Vec<(u32, u32)>,
    /// Numbers of forms of known words, with their counts.
    pub(crate) forms: Vec<(u32, u32)>,
    /// Terms whose position was not known, in order of first appearance.
    pub(crate) new: Vec<NewTerm>,
}

impl Record {
    /// Takes the text apart and hashes the content: all the work that needs no store.
    pub(crate) fn prepare(self, tokenizer: &Tokenizer, known: &Known) -> Prepared {
        let Self { key, title, fields, content } = self;
        let (about, extra) = (title.as_deref(), fields.as_deref());
        let mut prepared = Prepared {
            hash: ContentHash::default(),
            entries: Vec::new(),
            forms: Vec::new(),
            new: Vec::new(),
            text: None,
            tokens: None,
            key,
            title: None,
            fields: None,
        };
        match content {
            Content::Text(text) => {
                prepared.hash = content_hash::of_text(about, extra, &text);
                let Counted { entries, forms, new } = known.count(tokenizer, &text);
                (prepared.entries, prepared.forms, prepared.new) = (entries, forms, new);
                prepared.text = Some(text);
            }
            Content::Tokens { text, tokens } => {
                let json = tokens.to_json();
                prepared.hash = content_hash::of_text_and_tokens(about, extra, &text, &json);
                prepared.new = count_each(tokens.terms()).into_iter().map(as_given).collect();
                (prepared.text, prepared.tokens) = (Some(text), Some(json));
            }
            Content::Terms(terms) => {
                let mut sorted = terms.clone();
                sorted.sort_unstable();
                prepared.hash = content_hash::of_terms(about, extra, &sorted);
                prepared.new = terms.into_iter().map(as_given).collect();
            }
            Content::Entries(entries) => {
                prepared.hash = content_hash::of_entries(&entries, &mut Vec::new());
                prepared.entries = entries;
            }
        }
        Prepared { title, fields, ..prepared }
    }
}

fn as_given((term, count): (String, u32)) -> NewTerm {
    NewTerm { surface: None, form: None, term, count }
}

/// Each distinct item with its number of occurrences, in order of first appearance.
pub(crate) fn count_each<'a>(items: impl Iterator<Item = &'a str>) -> Vec<(String, u32)> {
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
    use crate::store::ingest::sort_and_sum;

    #[test]
    fn items_are_counted_in_order_of_first_appearance() {
        let counts = count_each(["b", "a", "b", "c", "b"].into_iter());
        assert_eq!(counts, [("b".to_string(), 3), ("a".to_string(), 1), ("c".to_string(), 1)]);
    }

    #[test]
    fn repeated_positions_are_added_up_and_sorted() {
        let mut entries = vec![(3, 3), (1, 1), (3, 2)];
        assert_eq!(sort_and_sum(&mut entries), None);
        assert_eq!(entries, [(1, 1), (3, 5)]);
        assert_eq!(sort_and_sum(&mut vec![(7, u32::MAX), (7, 1)]), Some(7));
    }
}
