//! A document as a format reads it, and as it is prepared for the store.

use std::collections::HashMap;
use std::ops::Range;

use crate::preparer::Preparer;
use crate::texts::chunks::Chunker;
use crate::texts::repairs::RepairCounts;
use crate::tokens::dropped::DroppedWords;
use crate::tokens::given::GivenTokens;
use crate::tokens::lexicon::{LockedLexicon, NewTerm, TermCounts};
use topoi_store::corpus::content_hash::{self, ContentHash};

/// The content of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// Text, to be split into words.
    Text(String),
    /// Text with its tokens, which the source gives.
    Tokens { text: String, tokens: GivenTokens },
    /// Terms with their counts.
    Terms(Vec<(String, u32)>),
    /// (term position in the corpus, count), sorted by position.
    Entries(Vec<(u32, u32)>),
}

impl Content {
    /// A word that stands for what a record of metadata has not, so that it is not left out as empty.
    pub(crate) fn without_text() -> Self {
        Self::Terms(vec![("metadata".into(), 1)])
    }
}

/// A document as a format reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) key: String,
    pub(crate) title: Option<String>,
    /// Its fields, a JSON object.
    pub(crate) fields: Option<String>,
    pub(crate) content: Content,
    /// A remark for the user about how it was read.
    pub(crate) remark: Option<String>,
}

impl Record {
    /// A document without title and fields.
    pub(crate) fn new(key: String, content: Content) -> Self {
        Self { key, title: None, fields: None, content, remark: None }
    }
}

/// A document prepared for the store.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    pub(crate) key: String,
    pub(crate) title: Option<String>,
    pub(crate) fields: Option<String>,
    pub(crate) text: Option<String>,
    /// Tokens that the source gives beside the text, as JSON.
    pub(crate) tokens: Option<String>,
    pub(crate) hash: ContentHash,
    /// (term position, count), sorted by position.
    pub(crate) entries: Vec<(u32, u32)>,
    /// (form number, count) of forms of known words.
    pub(crate) forms: Vec<(u32, u32)>,
    /// Terms without a known position, in order of first appearance.
    pub(crate) new: Vec<NewTerm>,
    /// Words of the text that were dropped.
    pub(crate) dropped: DroppedWords,
    /// What was mended in the text.
    pub(crate) repairs: RepairCounts,
}

impl Prepared {
    /// Whether it has no terms.
    pub(crate) fn is_empty(&self) -> bool {
        self.nonzeros() == 0
    }

    /// Number of distinct terms.
    pub(crate) fn nonzeros(&self) -> usize {
        self.entries.len() + self.new.len()
    }

    /// Number of tokens.
    pub(crate) fn tokens(&self) -> u64 {
        let known = self.entries.iter().map(|&(_, count)| u64::from(count));
        known.chain(self.new.iter().map(|new| u64::from(new.count))).sum()
    }

    /// Terms without a known position, with their counts.
    pub(crate) fn terms(&self) -> Vec<(&str, u32)> {
        self.new.iter().map(|new| (new.term.as_str(), new.count)).collect()
    }
}

/// A document whose chunks are prepared for the store.
#[derive(Debug)]
pub(crate) struct PreparedParent {
    pub(crate) key: String,
    pub(crate) title: Option<String>,
    pub(crate) fields: Option<String>,
    /// Hash of the whole document.
    pub(crate) hash: ContentHash,
    /// In order. Each has a term, unless the whole document has none.
    pub(crate) chunks: Vec<Prepared>,
    /// What was mended in the whole text.
    pub(crate) repairs: RepairCounts,
}

/// A chunk of a text that is being split.
struct FoundChunk {
    range: Range<usize>,
    has_word: bool,
    /// `None` after the chunk was extended.
    counted: Option<TermCounts>,
}

impl Record {
    /// Splits the text into chunks and prepares each as [`Record::prepare`] does a whole document.
    /// A chunk without terms is merged with the previous one. A document that is not text is one chunk.
    pub(crate) fn prepare_chunks(
        self,
        chunker: &Chunker,
        preparer: &Preparer,
        known: &LockedLexicon,
    ) -> PreparedParent {
        let Self { key, title, fields, content, remark: _ } = self;
        let tokenizer = &preparer.tokenizer;
        let title = title.map(|title| preparer.mender.mend_title(title));
        let chunk = |number: usize, content| {
            let key = format!("{key}#{number:04}");
            let title = title.as_ref().map(|title| format!("{title} ({number})"));
            Self { key, title, fields: fields.clone(), content, remark: None }
        };
        let text = match content {
            Content::Text(text) => text,
            counted => {
                let chunks = vec![chunk(1, counted).prepare(preparer, known)];
                let hash = chunks.first().map_or_else(ContentHash::default, |chunk| chunk.hash);
                let repairs = RepairCounts::default();
                return PreparedParent { key, title, fields, hash, chunks, repairs };
            }
        };
        let (text, repairs) = preparer.mender.mend(text);
        let hash = content_hash::hash_text(title.as_deref(), fields.as_deref(), &text);
        let mut found: Vec<FoundChunk> = Vec::new();
        for range in chunker.ranges(&text) {
            let counted = known.count(tokenizer, &text[range.clone()]);
            let has_word = !(counted.entries.is_empty() && counted.new.is_empty());
            match found.last_mut() {
                // Text before the first word belongs to the chunk of that word.
                Some(last) if !has_word || !last.has_word => {
                    last.range.end = range.end;
                    last.has_word |= has_word;
                    last.counted = None;
                }
                _ => found.push(FoundChunk { range, has_word, counted: Some(counted) }),
            }
        }
        let chunks = (1..).zip(found).map(|(number, FoundChunk { range, counted, .. })| {
            let text = &text[range];
            let counted = counted.unwrap_or_else(|| known.count(tokenizer, text));
            chunk(number, Content::Text(text.into())).with(counted)
        });
        let chunks = chunks.collect();
        PreparedParent { key, title, fields, hash, chunks, repairs }
    }

    /// Mends the text, hashes the content, and splits it into words: all the work that needs no
    /// store.
    pub(crate) fn prepare(self, preparer: &Preparer, known: &LockedLexicon) -> Prepared {
        let Self { key, title, fields, content, remark } = self;
        let text = match content {
            Content::Text(text) => text,
            content => {
                let record = Self { key, title, fields, content, remark };
                return record.with(TermCounts::default());
            }
        };
        let title = title.map(|title| preparer.mender.mend_title(title));
        let (text, repairs) = preparer.mender.mend(text);
        let counted = known.count(&preparer.tokenizer, &text);
        let record = Self { key, title, fields, content: Content::Text(text), remark };
        Prepared { repairs, ..record.with(counted) }
    }

    /// Prepares the record; `counted` has the terms of a text.
    fn with(self, counted: TermCounts) -> Prepared {
        let Self { key, title, fields, content, remark: _ } = self;
        let (about, extra) = (title.as_deref(), fields.as_deref());
        let (hash, text, tokens, counted) = match content {
            Content::Text(text) => {
                (content_hash::hash_text(about, extra, &text), Some(text), None, counted)
            }
            Content::Tokens { text, tokens } => {
                let json = tokens.to_json();
                let hash = content_hash::hash_text_and_tokens(about, extra, &text, &json);
                let new = count_each(tokens.terms()).into_iter().map(as_given).collect();
                (hash, Some(text), Some(json), TermCounts { new, ..TermCounts::default() })
            }
            Content::Terms(terms) => {
                let mut sorted = terms.clone();
                sorted.sort_unstable();
                let hash = content_hash::hash_terms(about, extra, &sorted);
                let new = terms.into_iter().map(as_given).collect();
                (hash, None, None, TermCounts { new, ..TermCounts::default() })
            }
            Content::Entries(entries) => {
                let hash = content_hash::hash_entries(&entries, &mut Vec::new());
                (hash, None, None, TermCounts { entries, ..TermCounts::default() })
            }
        };
        let TermCounts { entries, forms, new, dropped } = counted;
        let repairs = RepairCounts::default();
        Prepared { key, title, fields, text, tokens, hash, entries, forms, new, dropped, repairs }
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
    use topoi_store::ingest::sort_and_sum;

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
