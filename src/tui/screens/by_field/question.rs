//! Questions to the store: the fields of a run's documents, its topics in the groups of one, and the documents
//! behind a cell.

use crate::cli::remedy::explained;
use crate::tui::question::{Question, QuestionContext};
use crate::tui::screens::run::question::WORDS;
use crate::tui::threads::cache::topic_documents::{DOCUMENTS, DocumentLine, lines};
use topoi_core::fields::date::PeriodLength;
use topoi_run::groups::by::{Answer, by};
use topoi_run::groups::fields::{Field, FieldError, Rule, fields};
use topoi_run::groups::members::{Members, members};
use topoi_run::groups::{by, notes};
use topoi_run::work::work_error::WorkError;
use topoi_store::StoreError;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::result::topic::Topic;
use topoi_store::run::Run;

/// Which fields the documents of a run have.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldsQuestion {
    pub run: Option<RunId>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FieldsAnswer {
    pub run: RunId,
    pub corpus: String,
    pub fields: Vec<Field>,
}

/// The topics of a run in the groups that a field makes.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupsQuestion {
    pub run: Option<RunId>,
    pub field: String,
    /// What dates are put together by; `None` leaves it to the dates.
    pub per: Option<PeriodLength>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct GroupsAnswer {
    pub topics: Vec<Topic>,
    /// The groups, or why there are none.
    pub found: Result<Answer, String>,
    /// What a reader has to know of them.
    pub notes: Vec<String>,
}

/// The documents of a group that are most about a topic.
#[derive(Debug, Clone, PartialEq)]
pub struct MembersQuestion {
    pub run: Option<RunId>,
    pub group: Members,
    pub topic: TopicNumber,
}

/// Them, or why there are none.
pub type MembersAnswer = Result<Vec<DocumentLine>, String>;

fn run_of<'r>(asking: &QuestionContext<'r>, id: Option<RunId>) -> Option<&'r Run> {
    asking.runs.iter().find(|run| Some(run.id) == id)
}

/// The screen shows what cannot be answered, the workbench that the store cannot be read.
fn told<T>(found: Result<T, WorkError>) -> Result<Result<T, String>, StoreError> {
    match found {
        Ok(found) => Ok(Ok(found)),
        Err(WorkError::Store(error) | WorkError::Field(FieldError::Store(error))) => Err(error),
        Err(error) => Ok(Err(explained(&error))),
    }
}

impl Question for FieldsQuestion {
    /// `None` without a run.
    type Answer = Option<Box<FieldsAnswer>>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Self::Answer, StoreError> {
        let Some(run) = run_of(asking, self.run) else { return Ok(None) };
        let (id, store) = (run.id, asking.store);
        let corpus = store.corpus_by_id(run.corpus_id)?;
        let version = store.documents_version()?;
        let read = || match fields(store, &corpus, &[]) {
            Ok(fields) => Ok(fields),
            Err(FieldError::Store(error)) => Err(error),
            Err(_) => Ok(Vec::new()),
        };
        let fields = asking.cache.answered(self, &corpus, version, read)?;
        Ok(Some(Box::new(FieldsAnswer { run: id, corpus: corpus.name.clone(), fields })))
    }
}

impl Question for GroupsQuestion {
    /// `None` without a run.
    type Answer = Option<Box<GroupsAnswer>>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Self::Answer, StoreError> {
        let Some(run) = run_of(asking, self.run) else { return Ok(None) };
        let store = asking.store;
        let corpus = store.corpus_by_id(run.corpus_id)?;
        let version = store.documents_version()?;
        let fields = vec![self.field.clone()];
        let question = by::Question { fields, per: self.per, ..by::Question::default() };
        let read = || Ok(told(by(store, run, &question))?.map(largest_first));
        let found = asking.cache.answered(self, &corpus, version, read)?;
        let topics = asking.cache.topics(store, run, WORDS)?;
        let notes = found.as_ref().map(|found| notes::notes(found, run));
        let notes = notes.unwrap_or_default();
        Ok(Some(Box::new(GroupsAnswer { topics, found, notes })))
    }
}

/// Groups that have no order of their own, the largest first.
fn largest_first(mut answer: Answer) -> Answer {
    if !matches!(answer.rules[..], [Rule::Value]) {
        return answer;
    }
    let mut order: Vec<usize> = (0..answer.groups.len()).collect();
    order.sort_by_key(|&group| std::cmp::Reverse(answer.groups[group].documents));
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &group)| places[group] = place);
    answer.cells.iter_mut().for_each(|cell| cell.group = places[cell.group]);
    answer.groups = order.iter().map(|&group| answer.groups[group].clone()).collect();
    answer
}

impl Question for MembersQuestion {
    /// `None` without a run.
    type Answer = Option<Box<MembersAnswer>>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Self::Answer, StoreError> {
        let Some(run) = run_of(asking, self.run) else { return Ok(None) };
        let store = asking.store;
        let corpus = store.corpus_by_id(run.corpus_id)?;
        let version = store.documents_version()?;
        let topics = asking.cache.topics(store, run, WORDS)?;
        let topic = topics.into_iter().find(|topic| topic.topic == self.topic);
        let Some(topic) = topic else { return Ok(None) };
        let read = || match told(members(store, run, &self.group, self.topic, DOCUMENTS))? {
            Ok(found) => Ok(Ok(lines(store, run, &topic, found)?)),
            Err(error) => Ok(Err(error)),
        };
        let found: MembersAnswer = asking.cache.answered(self, &corpus, version, read)?;
        Ok(Some(Box::new(found)))
    }
}
