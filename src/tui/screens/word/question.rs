//! Questions to the store about a word or query in use, a view at a time.

use super::{SPAN, Sought, WordView};
use crate::cli::remedy::explained;
use crate::tui::question::{Question, QuestionContext};
use crate::tui::screens::by_field::question::GroupsQuestion;
use crate::tui::screens::search::question::told;
use topoi_core::fields::kind::Grouping;
use topoi_core::numbers::thousands;
use topoi_core::shell_word::shell_word;
use topoi_ingest::search::context::{Context, ContextOrder, Contexts};
use topoi_ingest::search::word::{TermDocument, counts_of_term, find_term, term_documents};
use topoi_ingest::search::{SearchError, Searcher};
use topoi_run::concordance::collocates::{Collocates, Window, collocates};
use topoi_run::concordance::usage::{Counts, GroupUsage, counts_of_query, usage};
use topoi_run::concordance::{CitedContext, cited};
use topoi_run::groups::fields::{Field, FieldError, Part, fields};
use topoi_run::notes::citation::CitationForm;
use topoi_run::work::work_error::WorkError;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::term::Term;
use topoi_store::id::{CorpusId, RunId, TopicNumber};
use topoi_store::note::Passage;
use topoi_store::run::RunStatus;
use topoi_store::{Store, StoreError};

/// Documents and occurrences that are listed.
const ROWS: usize = 1000;
/// Letters on each side of an occurrence: as many as a wide screen has.
const LETTERS: usize = 120;
/// Documents whose texts are read at most, for words beside it and groups of a query.
const MOST_DOCUMENTS: usize = 20_000;
/// Tokens beside it that a word has at least.
const FEWEST_TOGETHER: f64 = 3.0;
/// Words by which a topic is known.
const WORDS: usize = 6;

#[derive(Debug, Clone, PartialEq)]
pub struct WordQuestion {
    pub corpus: Option<CorpusId>,
    pub sought: Sought,
    /// The run whose topics are meant, if it is of this corpus; else the newest that is.
    pub run: Option<RunId>,
    pub view: WordView,
    pub order: ContextOrder,
    /// The place of the field that makes groups.
    pub field: usize,
    /// How sources are cited.
    pub citation: CitationForm,
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
    /// Occurrences; of the query in how many documents, and how often where that is known.
    Contexts {
        total: Option<u64>,
        documents: u64,
        rows: Vec<CitedContext>,
    },
    Collocates(Collocates),
    /// The groups that a field makes, or the times.
    ByField {
        field: String,
        /// Fields that make groups.
        fields: usize,
        is_over_time: bool,
        groups: Vec<UsageBesideTopic>,
        /// The run and topic that have most of the word; `None` where there is none with shares.
        topic: Option<(RunId, TopicOfWord)>,
    },
}

/// How often a group has the word, and the share in it of the topic that has most of the word.
#[derive(Debug, Clone, PartialEq)]
pub struct UsageBesideTopic {
    pub usage: GroupUsage,
    pub share: Option<f64>,
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

impl Question for WordQuestion {
    type Answer = Box<WordAnswer>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Self::Answer, StoreError> {
        let store = asking.store;
        let nothing = |found: &str| {
            Box::new(WordAnswer { corpus: None, term: None, found: Err(found.into()) })
        };
        let (Some(id), false) = (self.corpus, self.sought.text().is_empty()) else {
            return Ok(nothing("No word was chosen: W on a word of a topic, corpus or document."));
        };
        let corpus = store.corpus_by_id(id)?;
        let term = match &self.sought {
            Sought::Term(term) => match told(find_term(store, &corpus, term))? {
                Ok(found) => Some(found),
                Err(error) => return Ok(nothing(&error)),
            },
            Sought::Query(_) => None,
        };
        let found = match (self.view, &term) {
            (WordView::Topics, Some((_, term))) => self.topics(asking, &corpus, term)?,
            _ => {
                let version = store.documents_version()?;
                let read = || self.read(store, &corpus, term.as_ref());
                asking.cache.answered(self, &corpus, version, read)?
            }
        };
        let found = match (found, &term) {
            (
                Ok(WordRows::ByField { field, fields, is_over_time, mut groups, .. }),
                Some((_, term)),
            ) => {
                let topic = self.beside(asking, &corpus, term, (&field, &mut groups))?;
                Ok(WordRows::ByField { field, fields, is_over_time, groups, topic })
            }
            (found, _) => found,
        };
        let term = term.map(|(_, term)| term);
        Ok(Box::new(WordAnswer { corpus: Some(corpus), term, found }))
    }
}

/// The passage that an occurrence itself is.
pub fn passage_of(context: &Context) -> Passage {
    Passage { document: context.key.clone(), start: context.start, quote: context.hit.clone() }
}

/// The part of a query that holds for the documents of a group.
pub fn condition(field: &str, part: &Part) -> String {
    let part = part.to_string();
    let field = if field.contains([' ', ':', '"']) { format!("\"{field}\"") } else { field.into() };
    match part.split_once(" to ") {
        Some((low, high)) => format!("{field}:{}..{high}", low.trim_start_matches("over ")),
        None if part.parse::<f64>().is_ok() => format!("{field}:{part}..{part}"),
        None => format!("{field}:\"{}\"", part.replace('"', " ")),
    }
}

/// Whether few enough values of a field are on several documents.
fn is_grouping(field: &Field) -> bool {
    let distinct = field.tally.distinct().map(|count| count as u64);
    distinct.is_some_and(|count| count > 1 && 2 * count <= field.tally.values)
}

/// What went wrong is shown on the screen, but that the store cannot be read.
fn worked<T>(found: Result<T, WorkError>) -> Result<Result<T, String>, StoreError> {
    match found {
        Ok(found) => Ok(Ok(found)),
        Err(WorkError::Store(error) | WorkError::Field(FieldError::Store(error))) => Err(error),
        Err(error) => Ok(Err(explained(&error))),
    }
}

impl WordQuestion {
    fn read(
        &self,
        store: &Store,
        corpus: &Corpus,
        term: Option<&(u32, Term)>,
    ) -> Result<Result<WordRows, String>, StoreError> {
        match (self.view, term) {
            (WordView::Documents, Some(&(position, _))) => {
                told(term_documents(store, corpus, position, ROWS).map(WordRows::Documents))
            }
            (WordView::ByField, _) => self.by_field(store, corpus, term),
            (WordView::Collocates, _) => self.collocates(store, corpus),
            _ => self.contexts(store, corpus, term),
        }
    }

    fn contexts(
        &self,
        store: &Store,
        corpus: &Corpus,
        term: Option<&(u32, Term)>,
    ) -> Result<Result<WordRows, String>, StoreError> {
        let read = || {
            let searcher = Searcher::open(store, corpus)?;
            match term {
                Some(term) => searcher.contexts_of_term(term, self.order, ROWS, LETTERS),
                None => {
                    let what = searcher.parse(&self.sought.query())?;
                    searcher.contexts(&what, self.order, ROWS, LETTERS)
                }
            }
        };
        let Contexts { total, documents, rows } = match told(read())? {
            Ok(found) => found,
            Err(error) => return Ok(Err(error)),
        };
        let rows = cited(store, corpus, rows, &self.citation)?;
        Ok(Ok(WordRows::Contexts { total, documents, rows }))
    }

    fn collocates(
        &self,
        store: &Store,
        corpus: &Corpus,
    ) -> Result<Result<WordRows, String>, StoreError> {
        let find = || {
            let searcher = Searcher::open(store, corpus)?;
            let what = searcher.parse(&self.sought.query())?;
            Ok((searcher.ids(&what)?, what, searcher))
        };
        let (ids, what, searcher) = match told(find())? {
            Ok(found) => found,
            Err(error) => return Ok(Err(error)),
        };
        let window = Window { words: SPAN, documents: MOST_DOCUMENTS, within: None };
        let tokenizer = searcher.tokenizer();
        let found = collocates(store, corpus, tokenizer, (&what, &ids), window, &|_, _| {});
        worked(found.map(|mut found| {
            found.rows.retain(|row| row.together >= FEWEST_TOGETHER);
            found.rows.truncate(ROWS);
            WordRows::Collocates(found)
        }))
    }

    fn by_field(
        &self,
        store: &Store,
        corpus: &Corpus,
        term: Option<&(u32, Term)>,
    ) -> Result<Result<WordRows, String>, StoreError> {
        let mut all = match fields(store, corpus, &[]) {
            Ok(all) => all,
            Err(FieldError::Store(error)) => return Err(error),
            Err(error) => return Ok(Err(explained(&error))),
        };
        // Times first; what differs from document to document makes no groups.
        all.retain(|field| field.kind.def().grouping != Grouping::Values || is_grouping(field));
        all.sort_by_key(|field| field.kind.def().date.is_none());
        if all.is_empty() {
            return Ok(Err("The documents have no field that makes groups.".into()));
        }
        let field = &all[self.field % all.len()];
        let counts = match told(self.counts(store, corpus, term))? {
            Ok(counts) => counts,
            Err(error) => return Ok(Err(error)),
        };
        let is_over_time = field.kind.def().date.is_some();
        worked(usage(store, corpus, &counts, (&field.name, None), None).map(|found| {
            let groups = found.groups.into_iter();
            let groups = groups.map(|usage| UsageBesideTopic { usage, share: None }).collect();
            let (field, fields) = (field.name.clone(), all.len());
            WordRows::ByField { field, fields, is_over_time, groups, topic: None }
        }))
    }

    /// Puts beside the groups the share of the topic that has most of the word.
    fn beside(
        &self,
        asking: &mut QuestionContext<'_>,
        corpus: &Corpus,
        term: &Term,
        (field, groups): (&str, &mut [UsageBesideTopic]),
    ) -> Result<Option<(RunId, TopicOfWord)>, StoreError> {
        let Ok(WordRows::Topics { run, rows }) = self.topics(asking, corpus, term)? else {
            return Ok(None);
        };
        let Some(topic) = rows.into_iter().next().filter(|topic| topic.of_word > 0.0) else {
            return Ok(None);
        };
        let question = GroupsQuestion { run: Some(run), field: field.into(), per: None };
        let Some(Ok(by)) = question.ask(asking)?.map(|answer| answer.found) else {
            return Ok(None);
        };
        for cell in by.cells.iter().filter(|cell| cell.topic == topic.topic) {
            let part = by.groups.get(cell.group).and_then(|group| group.parts.first());
            if let Some(row) = groups.iter_mut().find(|row| Some(&row.usage.part) == part) {
                row.share = Some(cell.share.share);
            }
        }
        Ok(Some((run, topic)))
    }

    fn counts(
        &self,
        store: &Store,
        corpus: &Corpus,
        term: Option<&(u32, Term)>,
    ) -> Result<Counts, SearchError> {
        if let Some(&(position, _)) = term {
            return counts_of_term(store, corpus, position);
        }
        let searcher = Searcher::open(store, corpus)?;
        let query = self.sought.query();
        let what = searcher.parse(&query)?;
        let ids = searcher.ids(&what)?;
        if ids.len() > MOST_DOCUMENTS {
            let problem = format!(
                "{} documents have it; `topoi search {} {} --by FIELD` counts them",
                thousands(ids.len() as u64),
                shell_word(&corpus.name),
                shell_word(&query)
            );
            return Err(SearchError::Query { problem });
        }
        Ok(counts_of_query(store, searcher.tokenizer(), (&what, &ids), &|_, _| {})?)
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
