//! Distances between saved topics and documents, as SQL functions.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;

use super::functions::{FunctionResult, function_error, type_name};
use super::reader::FunctionReader;
use crate::Store;
use crate::error::Result;
use crate::id::{CorpusId, DocumentId, RunId, TermId};
use topoi_core::formula::hellinger::hellinger;
use topoi_core::formula::jensen_shannon::jensen_shannon;

/// The corpus of a run's topic.
const CORPUS_OF_TOPIC: &str = "SELECT run.corpus_id FROM topic JOIN run ON run.id = topic.run_id \
    WHERE topic.run_id = ?1 AND topic.topic = ?2";
/// Maximum number of cached words of topics and proportions of documents, 16 bytes each: enough for the words
/// of four runs with 100 topics of 10,000 words.
const MAX_CACHED: usize = 4_000_000;

/// Registers the functions, which share a cache, on the connection of `store`.
pub(super) fn define(store: &Store) -> rusqlite::Result<()> {
    let cache = Arc::new(Mutex::new(ResultCache::new(store)));
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DIRECTONLY;
    let shared = cache.clone();
    store.connection.create_scalar_function("jsd", 4, flags, move |context| {
        jsd(context, &mut shared.lock().unwrap_or_else(|e| e.into_inner()))
    })?;
    store.connection.create_scalar_function("hellinger", 3, flags, move |context| {
        distance_of_documents(context, &mut cache.lock().unwrap_or_else(|e| e.into_inner()))
    })
}

fn jsd(context: &Context<'_>, cache: &mut ResultCache) -> FunctionResult {
    let names = ["jsd: run_a", "jsd: topic_a", "jsd: run_b", "jsd: topic_b"];
    let Some([run_a, topic_a, run_b, topic_b]) = whole_numbers(context, names)? else {
        return Ok(None);
    };
    let mut both = || -> Result<_> {
        cache.clear_if_changed()?;
        Ok((cache.topic(RunId(run_a), topic_a)?, cache.topic(RunId(run_b), topic_b)?))
    };
    Ok(match both().map_err(|error| function_error(format!("jsd: {error}")))? {
        (Some(a), Some(b)) if a.corpus == b.corpus => Some(jensen_shannon(&a.words, &b.words)),
        _ => None,
    })
}

fn distance_of_documents(context: &Context<'_>, cache: &mut ResultCache) -> FunctionResult {
    let names = ["hellinger: run", "hellinger: document_a", "hellinger: document_b"];
    let Some([run, a, b]) = whole_numbers(context, names)? else { return Ok(None) };
    let mut both = || -> Result<_> {
        cache.clear_if_changed()?;
        Ok((cache.document(RunId(run), DocumentId(a))?, cache.document(RunId(run), DocumentId(b))?))
    };
    let (a, b) = both().map_err(|error| function_error(format!("hellinger: {error}")))?;
    Ok((!a.is_empty() && !b.is_empty()).then(|| hellinger(&a, &b)))
}

/// The arguments as integers; `None` if one is NULL.
fn whole_numbers<const N: usize>(
    context: &Context<'_>,
    names: [&str; N],
) -> rusqlite::Result<Option<[i64; N]>> {
    let mut whole = [0; N];
    for (at, (place, name)) in whole.iter_mut().zip(names).enumerate() {
        *place = match context.get_raw(at) {
            ValueRef::Null => return Ok(None),
            ValueRef::Integer(number) => number,
            other => {
                return Err(function_error(format!(
                    "{name} is a whole number, not {}",
                    type_name(other)
                )));
            }
        };
    }
    Ok(Some(whole))
}

#[derive(Debug)]
struct TopicWords {
    corpus: CorpusId,
    words: Vec<(TermId, f64)>,
}

/// A cache of topics and documents of runs.
#[derive(Debug)]
struct ResultCache {
    reader: FunctionReader,
    topics: HashMap<(RunId, i64), Option<Arc<TopicWords>>>,
    documents: HashMap<(RunId, DocumentId), Arc<Vec<f64>>>,
    kept: usize,
}

impl ResultCache {
    fn new(store: &Store) -> Self {
        let (topics, documents) = (HashMap::new(), HashMap::new());
        Self { reader: FunctionReader::new(store), topics, documents, kept: 0 }
    }

    /// Clears the cache if the store has changed or the cache is full.
    fn clear_if_changed(&mut self) -> Result<()> {
        if self.reader.has_changed()? || self.kept > MAX_CACHED {
            self.topics.clear();
            self.documents.clear();
            self.kept = 0;
        }
        Ok(())
    }

    /// The words of a topic; `None` if there is no such topic.
    fn topic(&mut self, run: RunId, topic: i64) -> Result<Option<Arc<TopicWords>>> {
        if let Some(known) = self.topics.get(&(run, topic)) {
            return Ok(known.clone());
        }
        let found = read_topic(self.reader.store()?, run, topic)?.map(Arc::new);
        self.kept += found.as_ref().map_or(0, |topic| topic.words.len());
        self.topics.insert((run, topic), found.clone());
        Ok(found)
    }

    /// The proportions of a document; empty if the run has none.
    fn document(&mut self, run: RunId, document: DocumentId) -> Result<Arc<Vec<f64>>> {
        if let Some(known) = self.documents.get(&(run, document)) {
            return Ok(known.clone());
        }
        let found = Arc::new(self.reader.store()?.topics_of_document(run, document)?);
        self.kept += found.len() / 2 + 4;
        self.documents.insert((run, document), found.clone());
        Ok(found)
    }
}

fn read_topic(store: &Store, run: RunId, topic: i64) -> Result<Option<TopicWords>> {
    let corpus = store.rows(CORPUS_OF_TOPIC, (run, topic), |row| row.get(0))?.pop();
    let Some(corpus) = corpus else { return Ok(None) };
    let Ok(topic) = usize::try_from(topic) else { return Ok(None) };
    let words = store.topic_terms(run, topic)?;
    Ok(Some(TopicWords { corpus, words }))
}
