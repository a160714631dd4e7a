//! Questions to the store about a word, a view at a time.

use serde_json::json;

use super::WordView;
use crate::records::column::{Column, First, Kind, Width};
use crate::tui::question::{Question, QuestionContext};
use crate::tui::screens::search::question::told;
use topoi_ingest::search::context::{ContextOrder, Contexts};
use topoi_ingest::search::word::{TermDocument, find_term, term_documents};
use topoi_ingest::search::{SearchError, Searcher};
use topoi_store::corpus::Corpus;
use topoi_store::corpus::term::Term;
use topoi_store::id::{CorpusId, RunId, TopicNumber};
use topoi_store::run::RunStatus;
use topoi_store::{Store, StoreError};

/// Documents and occurrences that are listed.
const ROWS: usize = 1000;
/// Letters on each side of an occurrence: as many as a wide screen has.
const LETTERS: usize = 120;
/// Words by which a topic is known.
const WORDS: usize = 6;

#[derive(Debug, Clone, PartialEq)]
pub struct WordQuestion {
    pub corpus: Option<CorpusId>,
    pub term: String,
    /// The run whose topics are meant, if it is of this corpus; else the newest that is.
    pub run: Option<RunId>,
    pub view: WordView,
    pub order: ContextOrder,
}

#[derive(Debug, Clone, PartialEq)]
pub struct WordAnswer {
    pub corpus: Option<Corpus>,
    pub term: Option<Term>,
    pub found: Result<WordRows, String>,
}

/// What a view shows.
#[derive(Debug, Clone, PartialEq)]
pub enum WordRows {
    /// All topics of a run, those that hold the word first.
    Topics {
        run: RunId,
        rows: Vec<TopicOfWord>,
    },
    Documents(Vec<TermDocument>),
    Contexts(Contexts),
}

/// A topic and what it has of the word.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicOfWord {
    pub topic: TopicNumber,
    /// p(word | topic).
    pub in_topic: f64,
    /// p(topic | word), by Bayes' rule.
    pub of_word: f64,
    /// The word's place among the topic's words, from 1.
    pub rank: Option<u64>,
    /// The topic's name, or its first words.
    pub words: String,
}

pub fn columns() -> Vec<Column<TopicOfWord>> {
    type Row = TopicOfWord;
    vec![
        Column::new("topic", Kind::Number, |row: &Row| json!(row.topic))
            .listed(Width::Cells(5))
            .sorted(First::Smallest),
        Column::new("of_word", Kind::Share, |row: &Row| json!(row.of_word))
            .titled("of word")
            .listed(Width::Cells(8))
            .sorted(First::Largest),
        Column::new("bar", Kind::Drawn, |_: &Row| json!(null))
            .titled("")
            .listed_from(0, Width::Cells(12))
            .listed_from(100, Width::Cells(30))
            .not_exported(),
        Column::new("in_topic", Kind::Share, |row: &Row| json!(row.in_topic))
            .titled("of topic")
            .listed(Width::Cells(8))
            .sorted(First::Largest),
        Column::new("rank", Kind::Count, |row: &Row| json!(row.rank))
            .listed(Width::Cells(6))
            .sorted(First::Smallest),
        Column::new("words", Kind::Text, |row: &Row| json!(row.words))
            .titled("words of the topic")
            .listed(Width::Share(1)),
    ]
}

impl Question for WordQuestion {
    type Answer = Box<WordAnswer>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Self::Answer, StoreError> {
        let store = asking.store;
        let nothing = |found: &str| {
            Box::new(WordAnswer { corpus: None, term: None, found: Err(found.into()) })
        };
        let (Some(id), false) = (self.corpus, self.term.is_empty()) else {
            return Ok(nothing("No word was chosen: W on a word of a topic, corpus or document."));
        };
        let corpus = store.corpus_by_id(id)?;
        let found = match told(find_term(store, &corpus, &self.term))? {
            Ok(found) => found,
            Err(error) => return Ok(nothing(&error)),
        };
        let term = found.1.clone();
        let rows = match self.view {
            WordView::Topics => self.topics(asking, &corpus, &term)?,
            _ => {
                let version = store.documents_version()?;
                let read = || told(self.read(store, &corpus, &found));
                asking.cache.answered(self, &corpus, version, read)?
            }
        };
        Ok(Box::new(WordAnswer { corpus: Some(corpus), term: Some(term), found: rows }))
    }
}

impl WordQuestion {
    fn read(
        &self,
        store: &Store,
        corpus: &Corpus,
        found: &(u32, Term),
    ) -> Result<WordRows, SearchError> {
        Ok(match self.view {
            WordView::Contexts => {
                let searcher = Searcher::open(store, corpus)?;
                WordRows::Contexts(searcher.contexts_of_term(found, self.order, ROWS, LETTERS)?)
            }
            _ => WordRows::Documents(term_documents(store, corpus, found.0, ROWS)?),
        })
    }

    fn topics(
        &self,
        asking: &QuestionContext<'_>,
        corpus: &Corpus,
        term: &Term,
    ) -> Result<Result<WordRows, String>, StoreError> {
        let finished = asking
            .runs
            .iter()
            .filter(|run| run.corpus_id == corpus.id && run.status == RunStatus::Finished);
        let finished: Vec<RunId> = finished.map(|run| run.id).collect();
        let wanted = self.run.filter(|run| finished.contains(run));
        let Some(run) = wanted.or(finished.first().copied()) else {
            return Ok(Err("This corpus has no run with topics yet: n starts one.".into()));
        };
        let held = asking.store.topics_of_term(run, term.id)?;
        let topics = asking.store.topics(run, WORDS)?;
        let mass = |topic: TopicNumber, probability: f64| {
            topics.get(topic.index()).map_or(0.0, |topic| topic.shares.size() * probability)
        };
        let all: f64 = held.iter().map(|held| mass(held.topic, held.probability)).sum();
        let mut rows: Vec<TopicOfWord> = topics
            .iter()
            .map(|topic| {
                let held = held.iter().find(|held| held.topic == topic.topic);
                let in_topic = held.map_or(0.0, |held| held.probability);
                let of_word = if all > 0.0 { mass(topic.topic, in_topic) / all } else { 0.0 };
                let rank = held.map(|held| held.rank);
                let words: Vec<&str> = topic.words.iter().map(|word| &*word.word).collect();
                let words = topic.label.clone().unwrap_or_else(|| words.join(" "));
                TopicOfWord { topic: topic.topic, in_topic, of_word, rank, words }
            })
            .collect();
        rows.sort_by(|a, b| b.of_word.total_cmp(&a.of_word).then(a.topic.cmp(&b.topic)));
        Ok(Ok(WordRows::Topics { run, rows }))
    }
}
