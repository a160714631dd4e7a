//! The next task of a judge, their progress, and the answers of all judges.

use std::collections::BTreeSet;

use crate::cli::remedy::explained;
use crate::records::judgements::{ScoreRow, rows};
use crate::tui::question::{Question, QuestionContext};
use crate::tui::screens::run::question::WORDS;
use topoi_core::judge::{self, Task};
use topoi_run::judging::scores::scores_of;
use topoi_run::judging::session::{DocumentExcerpt, JudgeError, JudgingSession, RoundProgress};
use topoi_store::StoreError;
use topoi_store::id::RunId;

#[derive(Debug, Clone, PartialEq)]
pub struct JudgeQuestion {
    pub run: Option<RunId>,
    pub task: Task,
    pub judge: String,
    /// Tasks that were answered here and may not have been saved yet.
    pub passed: BTreeSet<u64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct JudgeAnswer {
    /// The task of the request.
    pub task: Task,
    pub judge: String,
    /// The task, or in words why nobody can be asked.
    pub next: Result<NextTask, String>,
    pub scores: Vec<ScoreRow>,
}

/// A task, and how far somebody is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NextTask {
    /// `None` when they have done all.
    pub question: Option<judge::Question>,
    pub document: Option<DocumentExcerpt>,
    pub place: RoundProgress,
    /// Tasks of the kind that they have done, of all rounds.
    pub done: u64,
}

impl Question for JudgeQuestion {
    /// `None` without a run.
    type Answer = Option<Box<JudgeAnswer>>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Self::Answer, StoreError> {
        let (store, cache) = (asking.store, &mut *asking.cache);
        let Some(run) = asking.runs.iter().find(|run| Some(run.id) == self.run) else {
            return Ok(None);
        };
        let next = || -> Result<NextTask, JudgeError> {
            let session = JudgingSession::new(store, run.id, self.task, &self.judge)?;
            let mut judged = session.judged(store)?;
            judged.extend(&self.passed);
            let question = session.next(store, &judged)?;
            let document = match &question {
                Some(question) => session.document(store, question)?,
                None => None,
            };
            let place =
                question.as_ref().map(|question| session.round_progress(question.item, &judged));
            let (place, done) = (place.unwrap_or_default(), judged.len() as u64);
            Ok(NextTask { question, document, place, done })
        };
        let next = match next() {
            Err(JudgeError::Store(error)) => return Err(error),
            other => other.map_err(|error| explained(&error)),
        };
        let topics = cache.topics(store, run, WORDS)?;
        let scores = rows(&scores_of(store, run)?, &topics, &store.metrics(run.id)?);
        let (task, judge) = (self.task, self.judge.clone());
        Ok(Some(Box::new(JudgeAnswer { task, judge, next, scores })))
    }
}
