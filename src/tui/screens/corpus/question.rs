//! A page of a corpus's documents with the first of its terms, and a document that is read.

use std::ops::Range;

use super::hits::hits;
use crate::tui::question::{Question, QuestionContext};
use crate::tui::screens::run::question::WORDS;
use crate::tui::threads::cache::topic_documents::{BEGINNING, beginning};
use crate::tui::threads::cache::{AnswerCache, Colours, LegendTopic};
use crate::tui::view::text;
use topoi_run::request::RunSettings;
use topoi_run::saved::coloured_text::Piece;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::chunk::Chunk;
use topoi_store::corpus::document::{Document, DocumentOrder, Page};
use topoi_store::corpus::term::{Term, TermOrder};
use topoi_store::id::{CorpusId, DocumentId, RunId, TopicNumber};
use topoi_store::result::topic::Topic;
use topoi_store::run::Run;
use topoi_store::run::RunStatus;
use topoi_store::{Store, StoreError};

/// Longer texts are cut: nobody scrolls through more, and every letter is measured.
const MOST_LETTERS: usize = 200_000;

/// A page of a corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct PageQuestion {
    /// Row id of the corpus; `None` is the first by name.
    pub id: Option<CorpusId>,
    /// Only documents whose key or title holds this text.
    pub filter: String,
    pub order: DocumentOrder,
    pub page: Page,
    /// The run whose topics documents are listed with: the first of these that is of the corpus, else the
    /// newest that has topics.
    pub runs: Vec<RunId>,
    /// Only terms that hold this text.
    pub term_filter: String,
    pub term_order: TermOrder,
}

impl Question for PageQuestion {
    /// `None` when there is no such corpus.
    type Answer = Option<Box<CorpusPage>>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Self::Answer, StoreError> {
        let (store, cache) = (asking.store, &mut *asking.cache);
        let mut corpora = store.corpora()?.into_iter();
        let Some(corpus) = corpora.find(|corpus| self.id.is_none_or(|id| corpus.id == id)) else {
            return Ok(None);
        };
        let documents = (corpus.clone(), self.filter.clone(), self.order, self.page);
        let terms = (corpus.clone(), self.term_filter.clone(), self.term_order);
        let (documents, matching) = cache.documents(store, documents)?;
        let (terms, matching_terms) = cache.terms(store, terms)?;
        let run = run_of(asking.runs, corpus.id, &self.runs);
        let names = names(store, &documents)?;
        let topics = match run {
            Some(run) => main_topics(store, cache, run, &documents)?,
            None => Vec::new(),
        };
        let run = run.map(|run| run.id);
        Ok(Some(Box::new(CorpusPage {
            documents,
            names,
            topics,
            run,
            terms,
            matching,
            matching_terms,
            corpus,
        })))
    }
}

/// The run of a corpus that its documents are coloured by: the first of `wanted` that has topics of it, else
/// the newest that has.
fn run_of<'r>(runs: &'r [Run], corpus: CorpusId, wanted: &[RunId]) -> Option<&'r Run> {
    let finished =
        || runs.iter().filter(|r| r.corpus_id == corpus && r.status == RunStatus::Finished);
    let of = |id: &RunId| finished().find(|run| run.id == *id);
    wanted.iter().find_map(of).or_else(|| finished().next())
}

/// What documents are called: their titles, else their first words.
pub fn names(store: &Store, documents: &[Document]) -> Result<Vec<String>, StoreError> {
    let name = |document: &Document| match &document.title {
        Some(title) => Ok(title.clone()),
        None => {
            let text = store.document_beginning(document.id, 2 * BEGINNING)?;
            Ok(text.map(|text| beginning(&text)).unwrap_or_default())
        }
    };
    documents.iter().map(name).collect()
}

/// The topic that documents are most about, in a few words; empty where the run does not say.
pub fn main_topics(
    store: &Store,
    cache: &mut AnswerCache,
    run: &Run,
    documents: &[Document],
) -> Result<Vec<String>, StoreError> {
    let names = cache.topics(store, run, WORDS)?;
    let topic = |document: &Document| {
        let shares = store.topics_of_document(run.id, document.id)?;
        let most = (0..)
            .map(TopicNumber)
            .zip(shares)
            .reduce(|a: (TopicNumber, f64), b| if b.1 > a.1 { b } else { a });
        Ok(most.map(|most| in_words(&names, most)).unwrap_or_default())
    };
    documents.iter().map(topic).collect()
}

/// A topic's share, number and name.
pub fn in_words(names: &[Topic], (number, share): (TopicNumber, f64)) -> String {
    let topic = names.iter().find(|topic| topic.topic == number);
    let first = |topic: &Topic| topic.words.first().map(|word| word.word.clone());
    let name = topic.and_then(|topic| topic.label.clone().or(first(topic)));
    format!("{:>4} {number} {}", text::percent(share), name.unwrap_or_default())
}

/// A page of a corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct CorpusPage {
    pub corpus: Corpus,
    pub documents: Vec<Document>,
    /// What each of them is called: its title, else its first words.
    pub names: Vec<String>,
    /// The topic each of them is most about, by `run`; none without a run.
    pub topics: Vec<String>,
    pub run: Option<RunId>,
    /// How many documents the filter lets through, on all pages.
    pub matching: u64,
    /// The first terms that the filter lets through.
    pub terms: Vec<Term>,
    /// How many terms the filter lets through.
    pub matching_terms: u64,
}

/// A document with the topics of its words.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentQuestion {
    /// Row id of its corpus.
    pub corpus: CorpusId,
    pub id: DocumentId,
    /// The runs whose topics are meant: the first that has some, else the newest of the corpus's that
    /// has.
    pub runs: Vec<RunId>,
    /// The search; what it finds is highlighted.
    pub query: Option<String>,
}

impl Question for DocumentQuestion {
    /// `None` when there is no such document.
    type Answer = Option<Box<DocumentDetail>>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Self::Answer, StoreError> {
        let &Self { corpus, id, runs: ref wanted, ref query } = self;
        let (store, runs, cache) = (asking.store, asking.runs, &mut *asking.cache);
        let Some(document) = store.document(id)? else { return Ok(None) };
        let corpus = store.corpus_by_id(corpus)?;
        let run = run_of(runs, corpus.id, wanted).map(|run| run.id);
        let finished = runs.iter().filter(|r| {
            r.corpus_id == corpus.id && r.status == RunStatus::Finished && !RunSettings::is_half(r)
        });
        let runs: Vec<RunId> = finished.map(|run| run.id).collect();
        let mut text = store.document_text(id)?.unwrap_or_default();
        let end = text.char_indices().nth(MOST_LETTERS).map(|(end, _)| end);
        text.truncate(end.unwrap_or(text.len()));
        let hits = query.as_ref().map(|query| hits(store, &corpus, &text, query));
        let counts = store.document_counts(id)?;
        let plain = || vec![Piece { text: text.clone(), topic: None, term: None }];
        let colours = run.map(|run| cache.colours(store, run)).transpose()?;
        let topics = colours.map(|colours| colours.words.in_document(store, id)).transpose()?;
        let pieces = match (&topics, text.is_empty()) {
            (_, true) => Vec::new(),
            (Some(topics), false) => {
                topics.pieces(&corpus, &text, store.document_tokens(id)?.as_deref())
            }
            (None, false) => plain(),
        };
        let row = |(word, count): (String, u64)| {
            let topic = topics.as_ref().and_then(|topics| topics.topic(&word));
            WordRow { word, count, topic }
        };
        let words: Vec<WordRow> = counts.into_iter().map(row).collect();
        let legend = colours.map(|colours| legend(colours, &words)).unwrap_or_default();
        let fields_json = store.document_fields(id)?;
        let fields = fields_json.as_deref().map(fields).unwrap_or_default();
        let chunk = store.chunk(id)?;
        Ok(Some(Box::new(DocumentDetail {
            corpus: corpus.name,
            document,
            chunk,
            fields,
            fields_json,
            runs,
            run,
            hits: hits.unwrap_or_default(),
            legend,
            text,
            pieces,
            is_cut: end.is_some(),
            words,
        })))
    }
}

/// A document with the topics of its words.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentDetail {
    /// Name of its corpus.
    pub corpus: String,
    pub document: Document,
    /// What it was cut from; `None` for a whole one.
    pub chunk: Option<Chunk>,
    /// What else its source says of it: (name, value).
    pub fields: Vec<(String, String)>,
    /// The same as a JSON object, as the store has it.
    pub fields_json: Option<String>,
    /// The runs of its corpus that have topics, newest first.
    pub runs: Vec<RunId>,
    /// The run whose topics the words have.
    pub run: Option<RunId>,
    /// Byte ranges of its text that were looked for, ascending.
    pub hits: Vec<Range<usize>>,
    /// The topics of its tokens, that of most tokens first.
    pub legend: Vec<LegendTopic>,
    /// Its text, as far as it is shown; empty where there is none.
    pub text: String,
    /// The same in pieces with their topics.
    pub pieces: Vec<Piece>,
    /// The text is longer than what is shown.
    pub is_cut: bool,
    pub words: Vec<WordRow>,
}

/// A word of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct WordRow {
    pub word: String,
    /// How often it occurs there.
    pub count: u64,
    /// The topic it most probably comes from, if it is a word of the run.
    pub topic: Option<TopicNumber>,
}

/// The fields of a document, from JSON.
fn fields(json: &str) -> Vec<(String, String)> {
    let found: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(json).unwrap_or_default();
    let field = |(name, value): (String, serde_json::Value)| match value {
        serde_json::Value::String(text) => (name, text),
        other => (name, other.to_string()),
    };
    found.into_iter().map(field).collect()
}

/// The topics of a document's tokens, that of most tokens first.
fn legend(colours: &Colours, words: &[WordRow]) -> Vec<LegendTopic> {
    let of = |topic: TopicNumber| -> u64 {
        words.iter().filter(|row| row.topic == Some(topic)).map(|row| row.count).sum()
    };
    let all: u64 = words.iter().filter(|row| row.topic.is_some()).map(|row| row.count).sum();
    let mut legend: Vec<LegendTopic> = colours
        .topics
        .iter()
        .map(|topic| LegendTopic { share: of(topic.topic) as f64 / all as f64, ..topic.clone() })
        .filter(|topic| topic.share > 0.0)
        .collect();
    legend.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.topic.cmp(&b.topic)));
    legend
}
