//! Reading documents of sources without writing anything: all of them as words, or the first ones as an ingest
//! would add them.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::batches::record::Prepared;
use super::batches::{Batch, Item};
use super::error::{IngestError, Result};
use super::formats::Format;
use super::formats::opening::Context;
use super::plan::{Planned, plan, settings, with_chunks_of};
use super::preparer::Preparer;
use super::request::{IngestRequest, OnError};
use super::settings::CorpusSettings;
use super::summary::NoProgress;
use super::tokens::Tokenizer;
use super::tokens::given::GivenTokens;
use topoi_store::Store;

/// A document as words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadDocument {
    /// Its key, unique in its corpus.
    pub key: String,
    /// Its title, if the source has one.
    pub title: Option<String>,
    /// (term, count); a term may be repeated.
    pub terms: Vec<(String, u32)>,
}

/// Calls `visit` with each document of the sources of `request`, in order, until it breaks. Writes nothing.
/// Texts are split with the settings of the request's corpus in `store`, or with default settings without a store and
/// for a corpus of counts. Documents and sources that cannot be read are skipped if the request allows it; returns their
/// number. Documents without words have no terms.
///
/// # Errors
/// As [`ingest`](super::ingest()), but for the store.
pub fn read_documents(
    store: Option<&Store>,
    request: &IngestRequest,
    visit: &mut dyn FnMut(ReadDocument) -> ControlFlow<()>,
) -> Result<u64> {
    request.check()?;
    let mut skipped = 0;
    let planned = plan(request)?;
    let corpus = store.map(|store| store.corpus(&request.corpus)).transpose()?;
    let saved = corpus.as_ref().and_then(|corpus| CorpusSettings::from_json(&corpus.settings));
    let settings = saved.unwrap_or(CorpusSettings::Counts);
    let known = store.zip(corpus.as_ref());
    let preparer = Preparer::for_sources(&settings, &planned, request, known, &NoProgress)?;
    // A single text is not split, whatever the corpus is.
    let preparer = Preparer { chunker: None, ..preparer };
    let context = Context::new(request, &preparer);
    for mut source in planned {
        let mut words = Vec::new();
        let mut place = |of_source: &[String]| {
            words = of_source.to_vec();
            Ok((0..).take(of_source.len()).collect())
        };
        let mut batches = match context.open(&mut source, &mut place, None) {
            Ok(Some(batches)) => batches,
            Ok(None) => continue,
            Err(IngestError::Mistake { .. }) if request.on_error == OnError::Skip => {
                skipped += 1;
                continue;
            }
            Err(error) => return Err(error),
        };
        loop {
            let Batch { items, is_last, .. } = batches.next_batch();
            for item in items {
                let visited = match item {
                    Item::Document(_, document) => visit(as_words(document, &words)),
                    Item::Parent(_, parent) => parent
                        .chunks
                        .into_iter()
                        .try_for_each(|chunk| visit(as_words(chunk, &words))),
                    Item::Empty { key, .. } => {
                        visit(ReadDocument { key, title: None, terms: Vec::new() })
                    }
                    Item::Remark { .. } => ControlFlow::Continue(()),
                    Item::Mistake(_) if request.on_error == OnError::Skip => {
                        skipped += 1;
                        ControlFlow::Continue(())
                    }
                    Item::Mistake(mistake) => return Err(mistake.into()),
                };
                if visited.is_break() {
                    return Ok(skipped);
                }
            }
            if is_last {
                break;
            }
        }
    }
    Ok(skipped)
}

/// Maximum number of sources, and of bytes of a text, from which a language is guessed.
const SAMPLED_SOURCES: usize = 8;
const SAMPLED_BYTES: usize = 2000;

/// The beginnings of the first texts of files, in no order. None if one of the sources can be read once only.
pub(super) fn first_texts(planned: &[Planned], request: &IngestRequest) -> Vec<String> {
    if planned.iter().any(|source| source.open.is_some()) {
        return Vec::new();
    }
    let (Ok(preparer), Ok(sources)) = (Preparer::new(&CorpusSettings::Counts), plan(request))
    else {
        return Vec::new();
    };
    let texts = Mutex::new(Vec::new());
    let collect = |mut text: String| {
        text.truncate(text.floor_char_boundary(SAMPLED_BYTES));
        texts.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    };
    let context = Context { request, preparer: &preparer, collector: Some(&collect) };
    for mut source in sources.into_iter().take(SAMPLED_SOURCES) {
        let mut no_words = |_: &[String]| Ok(Vec::new());
        // What cannot be read is reported when it is ingested.
        if let Ok(Some(mut batches)) = context.open(&mut source, &mut no_words, None) {
            batches.next_batch();
        }
    }
    texts.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn as_words(document: Prepared, words: &[String]) -> ReadDocument {
    let Prepared { key, title, entries, new, .. } = document;
    let word = |position: u32| words.get(position as usize).cloned().unwrap_or_default();
    let entries = entries.into_iter().map(|(position, count)| (word(position), count));
    let named = new.into_iter().map(|new| (new.term, new.count));
    ReadDocument { key, title, terms: entries.chain(named).collect() }
}

/// A document as it would be added.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct DryDocument {
    /// Name of its source.
    pub source: String,
    /// The recognised format of the source.
    pub format: Format,
    /// Its key; its location if it cannot be read.
    pub key: String,
    /// Its title, if the source has one.
    pub title: Option<String>,
    /// Its fields, a JSON object.
    pub fields: Option<String>,
    /// Its terms in the order of its tokens; for counted words, each as often as its count, up to
    /// [`MAX_TOKENS`].
    pub tokens: Vec<String>,
    /// Why it would be left out.
    pub problem: Option<String>,
}

/// Maximum number of tokens shown of a document of counts.
pub const MAX_TOKENS: usize = 1000;

/// The first `limit` documents of each source of `request`, with their tokens.
///
/// # Errors
/// The errors that [`ingest`](super::ingest()) returns before it writes.
pub fn dry_run(
    store: Option<&Store>,
    request: &IngestRequest,
    limit: usize,
) -> Result<Vec<DryDocument>> {
    request.check()?;
    let corpus = store.map(|store| store.find_corpus(&request.corpus)).transpose()?.flatten();
    let saved = corpus.as_ref().map(|corpus| corpus.settings.as_str());
    let request = &with_chunks_of(request, saved);
    let mut planned = plan(request)?;
    let (settings, _) = settings(&planned, request, saved)?;
    let known = store.zip(corpus.as_ref());
    let preparer = Preparer::for_sources(&settings, &planned, request, known, &NoProgress)?;
    let context = Context::new(request, &preparer);
    let mut documents = Vec::new();
    for source in &mut planned {
        let mut words = Vec::new();
        let mut place = |of_source: &[String]| {
            words = of_source.to_vec();
            Ok((0..).take(of_source.len()).collect())
        };
        let items = match context.open(source, &mut place, None) {
            Ok(Some(mut batches)) => batches.next_batch().items,
            Ok(None) => continue,
            Err(IngestError::Mistake { mistake, .. }) if request.on_error == OnError::Skip => {
                vec![Item::Mistake(*mistake)]
            }
            Err(error) => return Err(error),
        };
        let shown = items.into_iter().flat_map(|item| shown(item, &preparer.tokenizer, &words));
        for shown in shown.take(limit) {
            let (source, format) = (source.name.clone(), source.format);
            documents.push(DryDocument { source, format, ..shown });
        }
    }
    Ok(documents)
}

fn shown(item: Item, tokenizer: &Tokenizer, words: &[String]) -> Vec<DryDocument> {
    let empty = DryDocument {
        source: String::new(),
        format: Format::default(),
        key: String::new(),
        title: None,
        fields: None,
        tokens: Vec::new(),
        problem: None,
    };
    let document = |document: Prepared| {
        let tokens = tokens(&document, tokenizer, words);
        let problem = tokens.is_empty().then(|| "no word is left".to_string());
        let Prepared { key, title, fields, .. } = document;
        DryDocument { key, title, fields, tokens, problem, ..empty.clone() }
    };
    match item {
        Item::Mistake(mistake) => {
            let (key, problem) = (mistake.place.to_string(), Some(mistake.problem));
            vec![DryDocument { key, problem, ..empty }]
        }
        Item::Empty { key, reason, .. } => {
            vec![DryDocument { key, problem: Some(reason.into()), ..empty }]
        }
        Item::Document(_, found) => vec![document(found)],
        Item::Remark { .. } => Vec::new(),
        Item::Parent(_, parent) => parent.chunks.into_iter().map(document).collect(),
    }
}

fn tokens(document: &Prepared, tokenizer: &Tokenizer, words: &[String]) -> Vec<String> {
    if let Some(given) = document.tokens.as_deref().and_then(GivenTokens::from_json) {
        return given.terms().map(String::from).collect();
    }
    if let Some(text) = &document.text {
        return tokenizer.tokens(text);
    }
    let word = |position: u32| words.get(position as usize).map_or("", String::as_str);
    let entries = document.entries.iter().map(|&(position, count)| (word(position), count));
    let named = document.new.iter().map(|new| (new.term.as_str(), new.count));
    let tokens = entries
        .chain(named)
        .flat_map(|(term, count)| std::iter::repeat_n(term, count as usize).map(String::from));
    tokens.take(MAX_TOKENS).collect()
}
