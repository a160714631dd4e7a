//! What the reader keeps between two answers, so that a run that writes its progress four times a
//! second does not make it read again what cannot have changed.

use crate::tui::screens::corpus::{FREQUENT_TERMS, PAGE_DOCUMENTS};
use topoi::run::saved::coloured_text::WordTopics;
use topoi::run::saved::compare::Comparer;
use topoi::store::corpus::Corpus;
use topoi::store::corpus::document::{Document, DocumentOrder, Page};
use topoi::store::corpus::term::{Term, TermOrder};
use topoi::store::result::topic::Topic;
use topoi::store::run::Run;
use topoi::store::{Store, StoreError};

/// Words of a topic in a legend.
const LEGEND_WORDS: usize = 8;

/// What was read last, of each kind.
#[derive(Debug, Default)]
pub struct Recall {
    /// Topics that were matched already.
    pub comparer: Comparer,
    documents: Option<(Versioned<DocumentsAsked>, Matching<Document>)>,
    terms: Option<(Versioned<TermsAsked>, Matching<Term>)>,
    topics: Option<(TopicsAsked, Vec<Topic>)>,
    colours: Option<(i64, Colours)>,
}

/// The topics of words, and what the topics are called.
#[derive(Debug)]
pub struct Colours {
    /// Which topic a word is of.
    pub words: WordTopics,
    /// All topics by number, without shares.
    pub topics: Vec<LegendTopic>,
}

/// A topic in the legend of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct LegendTopic {
    pub topic: u64,
    /// Its label, else its anchor, else its most probable word.
    pub name: String,
    pub words: Vec<String>,
    /// The share of those of the document's tokens that have a topic, 0 to 1.
    pub share: f64,
}

/// A page of what matches, and how much does in all.
type Matching<T> = (Vec<T>, u64);
/// When documents are added or replaced the version grows, when some are deleted the row of the
/// corpus differs.
type Versioned<T> = (i64, T);
type DocumentsAsked = (Corpus, String, DocumentOrder, Page);
type TermsAsked = (Corpus, String, TermOrder);
/// A result is told by its hash; labels can be given later.
type TopicsAsked = (i64, Option<Vec<u8>>, Vec<Option<String>>);

fn recall<K: PartialEq, V>(
    kept: &mut Option<(K, V)>,
    asked: K,
    read: impl FnOnce(&K) -> Result<V, StoreError>,
) -> Result<&V, StoreError> {
    let found = match kept.take() {
        Some((before, found)) if before == asked => found,
        _ => read(&asked)?,
    };
    Ok(&kept.insert((asked, found)).1)
}

impl Recall {
    /// A page of documents, and how many match.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn documents(
        &mut self,
        store: &Store,
        asked: DocumentsAsked,
    ) -> Result<Matching<Document>, StoreError> {
        let read = |(_, (corpus, filter, order, page)): &Versioned<DocumentsAsked>| {
            let matching = match filter.as_str() {
                "" => corpus.documents,
                _ => store.count_documents_matching(corpus.id, filter)?,
            };
            let id = corpus.id;
            let found = store.documents_matching(id, filter, *order, *page, PAGE_DOCUMENTS)?;
            Ok((found, matching))
        };
        recall(&mut self.documents, (store.documents_version()?, asked), read).cloned()
    }

    /// The first terms, and how many match.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn terms(
        &mut self,
        store: &Store,
        asked: TermsAsked,
    ) -> Result<Matching<Term>, StoreError> {
        let read = |(_, (corpus, filter, order)): &Versioned<TermsAsked>| {
            let matching = match filter.as_str() {
                "" => corpus.terms,
                _ => store.count_terms_matching(corpus.id, filter)?,
            };
            Ok((store.terms_matching(corpus.id, filter, *order, FREQUENT_TERMS)?, matching))
        };
        recall(&mut self.terms, (store.documents_version()?, asked), read).cloned()
    }

    /// The topics of a run with `words` words each.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn topics(
        &mut self,
        store: &Store,
        run: &Run,
        words: usize,
    ) -> Result<Vec<Topic>, StoreError> {
        let asked = (run.id, run.result_hash.clone(), store.topic_labels(run.id)?);
        recall(&mut self.topics, asked, |_| store.topics(run.id, words)).cloned()
    }

    /// The topics of a finished run's words.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn colours(&mut self, store: &Store, run: i64) -> Result<&Colours, StoreError> {
        recall(&mut self.colours, run, |&run| {
            let topics = store.topics(run, LEGEND_WORDS)?.into_iter().map(|topic| {
                let words: Vec<String> = topic.words.into_iter().map(|word| word.word).collect();
                let name = topic.label.or(topic.anchor).or(words.first().cloned());
                LegendTopic {
                    topic: topic.topic,
                    name: name.unwrap_or_default(),
                    words,
                    share: 0.0,
                }
            });
            Ok(Colours { words: WordTopics::of_run(store, run)?, topics: topics.collect() })
        })
    }
}
