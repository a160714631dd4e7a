//! The reader's cache. A run writes its progress four times a second, and each time the question of the screen is
//! answered again; what cannot have changed is not read again.

pub mod topic_documents;

use std::fmt::Debug;

use self::topic_documents::TopicDocuments;
use crate::tui::question::{Question, Value};
use crate::tui::screens::corpus::{FREQUENT_TERMS, PAGE_DOCUMENTS};
use topoi_core::model::topic_model::TopicLabel;
use topoi_core::shape::{Edits, Shaped, Shaper};
use topoi_run::saved::changes::{Changes, updated_from};
use topoi_run::saved::coloured_text::WordTopics;
use topoi_run::saved::compare::Comparer;
use topoi_run::saved::topic_lifts::order_by_words;
use topoi_run::saved::topics::RankedTopics;
use topoi_run::shaping::ShapingError;
use topoi_run::shaping::base::base_of;
use topoi_run::work::work_error::WorkError;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::document::{Document, DocumentOrder, Page};
use topoi_store::corpus::term::{Term, TermOrder};
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::result::topic::{Topic, Word};
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// Words of a topic in a legend.
const LEGEND_WORDS: usize = 8;

/// The last value of each kind.
#[derive(Debug, Default)]
pub struct AnswerCache {
    /// Topics that were matched already.
    pub comparer: Comparer,
    documents: Option<(Versioned<DocumentsAsked>, Matching<Document>)>,
    terms: Option<(Versioned<TermsAsked>, Matching<Term>)>,
    topics: Option<(TopicsAsked, Vec<Topic>)>,
    colours: Option<(RunId, Colours)>,
    /// The last answer that depends on the documents of a corpus alone, with its question.
    answered: Option<(Value, Versioned<Corpus>, Value)>,
    ranked: Option<(RunAsked, Option<RankedTopics>)>,
    relevant: Option<(RelevantAsked, Vec<Vec<Word>>)>,
    alike: Option<(RunAsked, Vec<usize>)>,
    topic_documents: Option<(TopicAsked, TopicDocuments)>,
    changes: Option<(ChangesAsked, Option<Changes>)>,
    shaper: Option<(RunAsked, Shaping)>,
}

/// A run's topics as edits begin with them.
#[derive(Debug)]
pub struct Shaping {
    pub shaper: Shaper,
    /// Without an edit.
    pub before: Shaped,
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
    pub topic: TopicNumber,
    /// Its label, else its most probable word.
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
/// A result is identified by its hash.
type RunAsked = (RunId, Option<Vec<u8>>);
/// λ in tenths, and how many words.
type RelevantAsked = (RunAsked, u8, usize);
/// With how many documents the corpus has.
type TopicAsked = Versioned<(RunAsked, u64, Topic)>;
/// Labels can be given later.
type TopicsAsked = (RunAsked, Labels);
type Labels = Vec<Option<TopicLabel>>;
/// The run, and the one it was updated from with the labels of both.
type ChangesAsked = (RunAsked, Labels, RunId, Labels);

fn cache<K: PartialEq, V>(
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

/// What `read` finds, or nothing where the store can be read and has no such thing.
fn if_there<T>(read: Result<Option<T>, WorkError>) -> Result<Option<T>, StoreError> {
    match read {
        Err(WorkError::Store(error)) => Err(error),
        other => Ok(other.ok().flatten()),
    }
}

fn of_run(run: &Run) -> RunAsked {
    (run.id, run.result_hash.clone())
}

impl AnswerCache {
    /// What `read` finds for a question, read once for the documents as they are.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn answered<Q: Question, T: Debug + Clone + PartialEq + Send + 'static>(
        &mut self,
        question: &Q,
        corpus: &Corpus,
        version: i64,
        read: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let (asked, of) = (Value::new(question.clone()), (version, corpus.clone()));
        let kept = self.answered.as_ref().filter(|kept| kept.0 == asked && kept.1 == of);
        if let Some(found) = kept.and_then(|(.., found)| found.get::<T>()) {
            return Ok(found.clone());
        }
        let found = read()?;
        self.answered = Some((asked, of, Value::new(found.clone())));
        Ok(found)
    }

    /// What has changed in a run since the one it was updated from; `None` of other runs, and where that one is gone.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn changes(&mut self, store: &Store, run: &Run) -> Result<Option<Changes>, StoreError> {
        let Some(from) = if_there(updated_from(run))? else { return Ok(None) };
        let asked = (of_run(run), store.topic_labels(run.id)?, from, store.topic_labels(from)?);
        let read = |_: &_| if_there(Changes::from_run(store, run));
        cache(&mut self.changes, asked, read).cloned()
    }

    /// The topics of a run as edits begin with them, read once; each list of edits starts from where the
    /// last ended.
    ///
    /// # Errors
    /// When the run cannot be shaped.
    pub fn shaper(&mut self, store: &Store, run: &Run) -> Result<&mut Shaping, ShapingError> {
        let asked = of_run(run);
        let found = match self.shaper.take() {
            Some((before, found)) if before == asked => found,
            _ => {
                let mut shaper = Shaper::new(base_of(store, run)?);
                let before = shaper.shape(&Edits::default())?;
                Shaping { shaper, before }
            }
        };
        Ok(&mut self.shaper.insert((asked, found)).1)
    }

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
        cache(&mut self.documents, (store.documents_version()?, asked), read).cloned()
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
        cache(&mut self.terms, (store.documents_version()?, asked), read).cloned()
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
        let asked = (of_run(run), store.topic_labels(run.id)?);
        cache(&mut self.topics, asked, |_| store.topics(run.id, words)).cloned()
    }

    /// The `words` words of every topic of a run that are most relevant to it, at λ in tenths; none where
    /// the run's topics are not what they were saved as.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn relevant_words(
        &mut self,
        store: &Store,
        run: &Run,
        lambda: u8,
        words: usize,
    ) -> Result<Vec<Vec<Word>>, StoreError> {
        let read = |_: &RunAsked| match RankedTopics::from_run(store, run) {
            Ok(topics) => Ok(Some(topics)),
            Err(WorkError::Store(error)) => Err(error),
            Err(_) => Ok(None),
        };
        let all = &mut self.ranked;
        let rank = |&(_, lambda, words): &RelevantAsked| {
            let ranked = cache(all, of_run(run), read)?.as_ref();
            let lambda = f64::from(lambda) / 10.0;
            Ok(ranked.map(|topics| topics.relevant_words(lambda, words)).unwrap_or_default())
        };
        cache(&mut self.relevant, (of_run(run), lambda, words), rank).cloned()
    }

    /// The places of a run's topics in the order of their words' likeness.
    ///
    /// # Errors
    /// Never: nothing is read.
    pub fn alike(&mut self, run: &Run, topics: &[Topic]) -> Result<Vec<usize>, StoreError> {
        cache(&mut self.alike, of_run(run), |_| Ok(order_by_words(topics))).cloned()
    }

    /// The documents that are most about a topic of a run, and where they have its words.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn topic_documents(
        &mut self,
        store: &Store,
        run: &Run,
        topic: &Topic,
    ) -> Result<TopicDocuments, StoreError> {
        let left = store.corpus_by_id(run.corpus_id)?.documents;
        let asked = (store.documents_version()?, (of_run(run), left, topic.clone()));
        let read = |_: &_| topic_documents::find(store, run, topic);
        cache(&mut self.topic_documents, asked, read).cloned()
    }

    /// The topics of a finished run's words.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn colours(&mut self, store: &Store, run: RunId) -> Result<&Colours, StoreError> {
        cache(&mut self.colours, run, |&run| {
            let topics = store.topics(run, LEGEND_WORDS)?.into_iter().map(|topic| {
                let words: Vec<String> = topic.words.into_iter().map(|word| word.word).collect();
                let name = topic.label.or(words.first().cloned());
                LegendTopic {
                    topic: topic.topic,
                    name: name.unwrap_or_default(),
                    words,
                    share: 0.0,
                }
            });
            Ok(Colours { words: WordTopics::from_run(store, run)?, topics: topics.collect() })
        })
    }
}
