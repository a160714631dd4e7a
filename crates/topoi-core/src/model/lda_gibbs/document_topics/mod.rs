//! The number of tokens of each topic in documents.
//!
//! With few topics a document has a count for each of them, at the position of its number and in as
//! few bytes as the documents' lengths allow, so that a token reads one or two cache lines. With
//! many topics it has a list of those that occur in it, because most do not.

mod dense;
mod sparse;

pub(super) use self::dense::Dense;
pub(super) use self::sparse::Sparse;
#[cfg(test)]
pub(super) use self::sparse::SparseDocument;

/// Topics that are processed together.
pub(super) const GROUP: usize = 8;

/// Up to `DENSE` topics, and `DENSE_PER_TOKEN` more for each token of a document, have a count each:
/// to read zeros is then faster than to look for topics.
const DENSE: usize = 96;
const DENSE_PER_TOKEN: usize = 5;

/// The place of a topic's count among those of its document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Position {
    pub group: usize,
    pub column: usize,
}

impl Position {
    fn new(at: usize) -> Self {
        Self { group: at / GROUP, column: at % GROUP }
    }
}

/// The topics of documents, which are numbered from 0, in one form.
pub(super) trait TopicsOfDocuments {
    type Document<'a>: TopicsOfDocument
    where
        Self: 'a;

    /// The topics of a document.
    fn document(&mut self, number: u32) -> Self::Document<'_>;

    /// Brings the topics of a document that is processed soon into the cache.
    fn fetch(&self, number: u32);
}

/// The topics of one document.
pub(super) trait TopicsOfDocument {
    /// Whether every topic has a count, at the position of its number.
    const IS_DENSE: bool;

    /// Number of groups of counts.
    fn groups(&self) -> usize;

    /// The counts of a group; 0 where no topic is.
    fn counts(&self, group: usize) -> [f32; GROUP];

    /// The count at a position.
    fn count(&self, position: Position) -> f32;

    /// The topic at a position; any number from K on where none is.
    fn topic(&self, position: Position) -> usize;

    /// Where a topic is, or `None` if it does not occur.
    fn position(&self, topic: u16) -> Option<Position>;

    /// Adds a token of a topic.
    fn add(&mut self, topic: u16);

    /// Removes a token of the topic at a position.
    fn take(&mut self, position: Position);
}

/// The topics of documents, in the form that takes least time.
#[derive(Debug)]
pub(super) enum DocumentTopics {
    /// Of at most 255 tokens.
    Bytes(Dense<u8>),
    /// Of at most 65,535 tokens.
    Words(Dense<u16>),
    Long(Dense<u32>),
    Sparse(Sparse),
}

impl Default for DocumentTopics {
    fn default() -> Self {
        Self::Sparse(Sparse::default())
    }
}

/// `$call` with `$of_documents` in whichever form it is.
macro_rules! in_its_form {
    ($topics:expr, $of_documents:ident => $call:expr) => {
        match $topics {
            DocumentTopics::Bytes($of_documents) => $call,
            DocumentTopics::Words($of_documents) => $call,
            DocumentTopics::Long($of_documents) => $call,
            DocumentTopics::Sparse($of_documents) => $call,
        }
    };
}
pub(super) use in_its_form;

impl DocumentTopics {
    /// Documents with these numbers of tokens, none with a topic yet.
    pub(super) fn new(lengths: &[u32], topics: usize) -> Self {
        let tokens: usize = lengths.iter().map(|&length| length as usize).sum();
        if topics > most_dense(tokens / lengths.len().max(1)) {
            return Self::Sparse(Sparse::new(lengths, topics));
        }
        match lengths.iter().copied().max().unwrap_or(0) {
            0..=0xff => Self::Bytes(Dense::new(lengths.len(), topics)),
            0x100..=0xffff => Self::Words(Dense::new(lengths.len(), topics)),
            _ => Self::Long(Dense::new(lengths.len(), topics)),
        }
    }

    /// Approximate bytes for a document of `length` tokens.
    pub(super) fn bytes(length: usize, topics: usize) -> usize {
        if topics > most_dense(length) {
            return Sparse::bytes(length, topics);
        }
        let of_count =
            if length > usize::from(u8::MAX) { size_of::<u16>() } else { size_of::<u8>() };
        topics.next_multiple_of(GROUP) * of_count
    }

    /// Adds a token of a topic to a document.
    pub(super) fn add(&mut self, document: u32, topic: u16) {
        in_its_form!(self, of_documents => of_documents.document(document).add(topic));
    }

    /// Calls `visit` with each document's number and the counts of its topics, as (topic, count).
    pub(super) fn for_each(&self, mut visit: impl FnMut(usize, usize, u32)) {
        in_its_form!(self, of_documents => of_documents.for_each(&mut visit));
    }
}

/// Largest number of topics that all have a count in documents of `length` tokens.
fn most_dense(length: usize) -> usize {
    DENSE + DENSE_PER_TOKEN * length
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn found(documents: &DocumentTopics) -> [BTreeMap<usize, u32>; 3] {
        let mut found = [const { BTreeMap::new() }; 3];
        documents.for_each(|document, topic, count| {
            assert_eq!(found[document].insert(topic, count), None);
        });
        found
    }

    /// A document that tokens come to and go from, beside one without tokens and one with few.
    fn come_and_go(length: u32, topics: u16) -> DocumentTopics {
        let mut documents = DocumentTopics::new(&[0, length, 3], topics.into());
        let mut expected: BTreeMap<usize, u32> = BTreeMap::new();
        let mut state = 7u32;
        let mut tokens = Vec::new();
        for _ in 0..2_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if tokens.len() < 30 && !state.is_multiple_of(3) {
                let topic = (state >> 8) as u16 % topics;
                documents.add(1, topic);
                tokens.push(topic);
                *expected.entry(topic.into()).or_default() += 1;
            } else if let Some(topic) = tokens.pop() {
                in_its_form!(&mut documents, of_documents => {
                    let mut document = of_documents.document(1);
                    let at = document.position(topic).expect("it is there");
                    assert_eq!(document.topic(at), usize::from(topic));
                    assert_eq!(document.count(at), expected[&usize::from(topic)] as f32);
                    document.take(at);
                });
                *expected.get_mut(&usize::from(topic)).expect("counted") -= 1;
            }
            expected.retain(|_, count| *count > 0);
            assert_eq!(found(&documents), [BTreeMap::new(), expected.clone(), BTreeMap::new()]);
        }
        documents
    }

    #[test]
    fn topics_come_and_go_as_in_a_map() {
        assert!(matches!(come_and_go(30, 20), DocumentTopics::Bytes(_)));
        assert!(matches!(come_and_go(256, 20), DocumentTopics::Words(_)));
        assert!(matches!(come_and_go(65_536, 20), DocumentTopics::Long(_)));
        assert!(matches!(come_and_go(30, 300), DocumentTopics::Sparse(_)));
    }

    #[test]
    fn a_count_reaches_the_length_of_its_document() {
        for length in [255, 65_535, 65_536] {
            let mut documents = DocumentTopics::new(&[1, length, 0], 3);
            (0..length).for_each(|_| documents.add(1, 2));
            assert_eq!(found(&documents)[1], BTreeMap::from([(2, length)]));
        }
    }
}
