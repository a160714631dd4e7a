//! A page of a corpus's documents with the first of its terms, and a document that is read.

use crate::tui::question::{Asking, Question};
use crate::tui::threads::recall::{Colours, LegendTopic};
use topoi::run::request::RunSettings;
use topoi::run::saved::coloured_text::Piece;
use topoi::store::StoreError;
use topoi::store::corpus::Corpus;
use topoi::store::corpus::document::{Document, DocumentOrder, Page};
use topoi::store::corpus::term::{Term, TermOrder};
use topoi::store::run::{Run, RunStatus};

/// Longer texts are cut: nobody scrolls through more, and every letter is measured.
const MOST_LETTERS: usize = 200_000;

/// A page of a corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct PageQuestion {
    /// Row id of the corpus; `None` is the first by name.
    pub id: Option<i64>,
    /// Only documents whose key or title holds this text.
    pub filter: String,
    pub order: DocumentOrder,
    pub page: Page,
    /// Only terms that hold this text.
    pub term_filter: String,
    pub term_order: TermOrder,
}

impl Question for PageQuestion {
    /// `None` when there is no such corpus.
    type Answer = Option<Box<CorpusPage>>;

    fn ask(&self, asking: &mut Asking<'_>) -> Result<Self::Answer, StoreError> {
        let (store, recall) = (asking.store, &mut *asking.recall);
        let mut corpora = store.corpora()?.into_iter();
        let Some(corpus) = corpora.find(|corpus| self.id.is_none_or(|id| corpus.id == id)) else {
            return Ok(None);
        };
        let documents = (corpus.clone(), self.filter.clone(), self.order, self.page);
        let terms = (corpus.clone(), self.term_filter.clone(), self.term_order);
        let (documents, matching) = recall.documents(store, documents)?;
        let (terms, matching_terms) = recall.terms(store, terms)?;
        Ok(Some(Box::new(CorpusPage { documents, terms, matching, matching_terms, corpus })))
    }
}

/// A page of a corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct CorpusPage {
    pub corpus: Corpus,
    pub documents: Vec<Document>,
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
    pub corpus: i64,
    pub id: i64,
    /// The runs whose topics are meant: the first that has some, else the newest of the corpus's that
    /// has.
    pub runs: Vec<i64>,
}

impl Question for DocumentQuestion {
    /// `None` when there is no such document.
    type Answer = Option<Box<DocumentSheet>>;

    fn ask(&self, asking: &mut Asking<'_>) -> Result<Self::Answer, StoreError> {
        let &Self { corpus, id, runs: ref wanted } = self;
        let (store, runs, recall) = (asking.store, asking.runs, &mut *asking.recall);
        let Some(document) = store.document(id)? else { return Ok(None) };
        let corpus = store.corpus_by_id(corpus)?;
        let has_topics = |run: &&Run| {
            let is_finished = run.corpus_id == corpus.id && run.status == RunStatus::Finished;
            is_finished && !RunSettings::is_half(run)
        };
        let runs: Vec<i64> = runs.iter().filter(has_topics).map(|run| run.id).collect();
        let wanted = wanted.iter().find(|run| runs.contains(run));
        let run = wanted.or(runs.first()).copied();
        let mut text = store.document_text(id)?.unwrap_or_default();
        let end = text.char_indices().nth(MOST_LETTERS).map(|(end, _)| end);
        text.truncate(end.unwrap_or(text.len()));
        let counts = store.document_counts(id)?;
        let plain = || vec![Piece { text: text.clone(), topic: None }];
        let colours = run.map(|run| recall.colours(store, run)).transpose()?;
        let topics = colours.map(|colours| colours.words.in_document(store, id)).transpose()?;
        let pieces = match (&topics, text.is_empty()) {
            (_, true) => Vec::new(),
            (Some(topics), false) => topics.pieces(&corpus, &text),
            (None, false) => plain(),
        };
        let row = |(word, count): (String, u64)| {
            let topic = topics.as_ref().and_then(|topics| topics.topic(&word));
            WordRow { word, count, topic }
        };
        let words: Vec<WordRow> = counts.into_iter().map(row).collect();
        let legend = colours.map(|colours| legend(colours, &words)).unwrap_or_default();
        Ok(Some(Box::new(DocumentSheet {
            document,
            runs,
            run,
            legend,
            pieces,
            is_cut: end.is_some(),
            words,
        })))
    }
}

/// A document with the topics of its words.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentSheet {
    pub document: Document,
    /// The runs of its corpus that have topics, newest first.
    pub runs: Vec<i64>,
    /// The run whose topics the words have.
    pub run: Option<i64>,
    /// The topics of its tokens, that of most tokens first.
    pub legend: Vec<LegendTopic>,
    /// Its text; empty where there is none.
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
    pub topic: Option<u64>,
}

/// The topics of a document's tokens, that of most tokens first.
fn legend(colours: &Colours, words: &[WordRow]) -> Vec<LegendTopic> {
    let of = |topic: u64| -> u64 {
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
