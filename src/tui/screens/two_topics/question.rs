//! What the store has of two topics.

use crate::tui::question::{Question, QuestionContext};
use crate::tui::screens::by_field::question::GroupsQuestion;
use crate::tui::threads::cache::topic_documents::{DocumentLine, lines};
use topoi_run::groups::fields::{FieldError, Part, fields};
use topoi_run::saved::topics::topic_documents;
use topoi_run::work::work_error::WorkError;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::result::topic::Topic;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// Words of a topic that are shown.
const WORDS: usize = 40;
/// Documents of a topic that are shown.
const DOCUMENTS: usize = 12;

#[derive(Debug, Clone, PartialEq)]
pub struct TwoTopicsQuestion {
    pub topics: Option<[(RunId, TopicNumber); 2]>,
}

/// What is shown of a topic.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicSide {
    pub run: Run,
    pub topic: Topic,
    pub documents: Vec<DocumentLine>,
    /// Its shares over time: (number and name of the period, share), of the first field of dates.
    pub over_time: Vec<(f64, String, f64)>,
}

impl Question for TwoTopicsQuestion {
    /// `None` where one of the topics is not there.
    type Answer = Option<Box<[TopicSide; 2]>>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Self::Answer, StoreError> {
        let Some([one, other]) = self.topics else { return Ok(None) };
        let sides = [side(asking, one)?, side(asking, other)?];
        Ok(match sides {
            [Some(one), Some(other)] => Some(Box::new([one, other])),
            _ => None,
        })
    }
}

fn side(
    asking: &mut QuestionContext<'_>,
    (run, number): (RunId, TopicNumber),
) -> Result<Option<TopicSide>, StoreError> {
    let store = asking.store;
    let Some(run) = asking.runs.iter().find(|other| other.id == run) else { return Ok(None) };
    let topics = asking.cache.topics(store, run, WORDS)?;
    let Some(topic) = topics.into_iter().find(|topic| topic.topic == number) else {
        return Ok(None);
    };
    let documents = match topic_documents(store, run, number, DOCUMENTS) {
        Ok(found) => lines(store, run, &topic, found)?,
        Err(WorkError::Store(error)) => return Err(error),
        // A run that looked at no documents has none to show.
        Err(_) => Vec::new(),
    };
    let over_time = match first_date(store, run)? {
        Some(field) => over_time(asking, run, field, number)?,
        None => Vec::new(),
    };
    Ok(Some(TopicSide { run: run.clone(), topic, documents, over_time }))
}

/// The name of the first field of dates.
fn first_date(store: &Store, run: &Run) -> Result<Option<String>, StoreError> {
    let corpus = store.corpus_by_id(run.corpus_id)?;
    match fields(store, &corpus, &[]) {
        Ok(all) => {
            let mut dates = all.into_iter().filter(|field| field.kind.def().date.is_some());
            Ok(dates.next().map(|field| field.name))
        }
        Err(FieldError::Store(error)) => Err(error),
        Err(_) => Ok(None),
    }
}

fn over_time(
    asking: &mut QuestionContext<'_>,
    run: &Run,
    field: String,
    number: TopicNumber,
) -> Result<Vec<(f64, String, f64)>, StoreError> {
    let found = GroupsQuestion { run: Some(run.id), field, per: None }.ask(asking)?;
    let Some(Ok(answer)) = found.map(|found| found.found) else { return Ok(Vec::new()) };
    let cells = answer.cells.iter().filter(|cell| cell.topic == number);
    let mut shares: Vec<(f64, String, f64)> = cells
        .filter_map(|cell| {
            let part = answer.groups.get(cell.group)?.parts.first()?;
            let Part::Period(period) = part else { return None };
            Some((f64::from(period.number()), period.to_string(), cell.share.share))
        })
        .collect();
    shares.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(shares)
}
