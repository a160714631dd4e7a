//! Asking a person about the topics of a run: tasks drawn from the run, and which of them are answered.

use std::collections::BTreeSet;

use crate::user::parse_name;
use topoi_core::judge::task_generator::{COMMON_WORDS, TaskGenerator};
use topoi_core::judge::{Judgement, LONGEST_NAME, Question, ShownTask, Task, topic_order};
use topoi_store::id::{DocumentId, RunId, TopicNumber};
use topoi_store::result::judgement::SavedJudgement;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// Maximum number of characters of a document that are shown.
const LETTERS: usize = 700;
/// Number of words shown of a document whose text is not stored.
const WORDS: usize = 40;
/// Maximum number of draws of a document for a task of topic intrusion.
const DRAWS: usize = 60;
/// The first draws, in which every document has the same probability although ids may have gaps.
const EVEN_DRAWS: usize = 50;

/// Why a person cannot be asked about a run.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The store could not be read or written.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The run is not finished.
    #[error("run {run} is {status} and has no topics to judge")]
    NoTopics {
        run: RunId,
        /// One word for its status.
        status: &'static str,
    },
    /// There are fewer distinguishable topics than the task needs.
    #[error(
        "run {run} has {k} topics, and the task {task} takes {least} or more; choose another task or run"
    )]
    TooFew {
        run: RunId,
        /// Number of distinguishable topics.
        k: usize,
        task: &'static str,
        /// Minimum number of topics for the task.
        least: usize,
    },
    /// The run saved no topics of documents.
    #[error(
        "run {run} did not look at documents, of which topic intrusion is drawn; choose another task"
    )]
    NoDocuments { run: RunId },
    /// The name of the judge is empty, too long or has control characters.
    #[error(
        "{0:?} is no name of somebody who judges: it has from 1 to {LONGEST_NAME} bytes, all of them seen"
    )]
    Name(String),
}

/// One person's session with one task kind of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgingSession {
    run: Run,
    tasks: TaskGenerator,
    task: Task,
    judge: String,
    /// Ids of the first and the last document of the run.
    documents: Option<(DocumentId, DocumentId)>,
}

/// How far a person is in a round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct RoundProgress {
    /// The round, from 1.
    pub round: u64,
    /// Answered or skipped tasks of the round.
    pub done: u64,
    /// Tasks of the round.
    pub of: u64,
}

/// The excerpt of a document that a question shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentExcerpt {
    /// Title of the document.
    pub title: Option<String>,
    /// The beginning of the text; the most frequent words of a document whose text is not stored.
    pub text: String,
}

/// Checks a name that answers are saved under.
///
/// # Errors
/// [`JudgeError::Name`].
pub fn parse_judge_name(name: &str) -> Result<String, JudgeError> {
    parse_name(name)
        .ok_or_else(|| JudgeError::Name(name.trim().chars().take(LONGEST_NAME).collect()))
}

impl JudgingSession {
    /// A session of `judge` with tasks of run `run`.
    pub fn new(store: &Store, run: RunId, task: Task, judge: &str) -> Result<Self, JudgeError> {
        let run = store.run(run)?;
        let judge = parse_judge_name(judge)?;
        let topics = store.topics(run.id, COMMON_WORDS)?;
        if topics.is_empty() {
            return Err(JudgeError::NoTopics { run: run.id, status: run.status.as_str() });
        }
        let words = topics.into_iter().map(|topic| topic.words);
        let words = words.map(|words| words.into_iter().map(|word| word.word).collect());
        let tasks = TaskGenerator::new(run.seed, words.collect());
        let least = match task {
            Task::Words => 2,
            Task::Topics => 4,
            Task::Ratings => 1,
        };
        if tasks.k() < least {
            let (run, k) = (run.id, tasks.k());
            return Err(JudgeError::TooFew { run, k, task: task.name(), least });
        }
        let documents = store.first_and_last_document(run.id)?;
        if task == Task::Topics && documents.is_none() {
            return Err(JudgeError::NoDocuments { run: run.id });
        }
        Ok(Self { run, tasks, task, judge, documents })
    }

    /// The name of the person.
    pub fn judge(&self) -> &str {
        &self.judge
    }

    /// Number of tasks of this kind.
    pub fn items(&self) -> u64 {
        self.task.rounds() * self.tasks.k() as u64
    }

    /// The tasks that the person has answered or skipped.
    pub fn judged(&self, store: &Store) -> Result<BTreeSet<u64>, StoreError> {
        store.judged_items(self.run.id, &self.judge, self.task.name())
    }

    /// The first task in the person's order that is not in `judged`; `None` when all are. Tasks that cannot be drawn
    /// are left out.
    pub fn next(
        &self,
        store: &Store,
        judged: &BTreeSet<u64>,
    ) -> Result<Option<Question>, StoreError> {
        for item in self.in_order().filter(|item| !judged.contains(item)) {
            if let Some(question) = self.question(store, item)? {
                return Ok(Some(question));
            }
        }
        Ok(None)
    }

    /// The numbers of all tasks in the person's order: every topic once a round.
    pub fn in_order(&self) -> impl Iterator<Item = u64> + '_ {
        let k = self.tasks.k();
        (0..self.task.rounds()).flat_map(move |round| {
            let order = topic_order(self.run.seed, &self.judge, self.task, round, k);
            order.into_iter().map(move |place| round * k as u64 + place)
        })
    }

    /// The round of the task `item`, and how far the person is in it.
    pub fn round_progress(&self, item: u64, judged: &BTreeSet<u64>) -> RoundProgress {
        let k = self.tasks.k().max(1) as u64;
        let round = item / k;
        let done = judged.range(round * k..(round + 1) * k).count() as u64;
        RoundProgress { round: round + 1, done, of: k }
    }

    /// A task as the person sees it; `None` if it cannot be drawn from the run.
    pub fn question(&self, store: &Store, item: u64) -> Result<Option<Question>, StoreError> {
        if item >= self.items() {
            return Ok(None);
        }
        let drawn = match self.task {
            Task::Words => self.tasks.word_intrusion(item),
            Task::Ratings => self.tasks.rating(item),
            Task::Topics => self.topic_intrusion(store, item)?,
        };
        Ok(drawn.map(|question| question.shuffled_for(self.run.seed, &self.judge)))
    }

    fn topic_intrusion(&self, store: &Store, item: u64) -> Result<Option<Question>, StoreError> {
        let Some((first, last)) = self.documents else { return Ok(None) };
        // A stream of its own, so that the choice of the document does not affect the choice of its topics.
        let mut random = self.tasks.random(Task::Topics, u64::MAX - item);
        let many = last.0.abs_diff(first.0).saturating_add(1);
        for draw in 0..DRAWS {
            let drawn = DocumentId(first.0.saturating_add_unsigned(random.below(many)));
            let found = store.document_of_run_from(self.run.id, drawn)?;
            let is_fair = draw >= EVEN_DRAWS || found == Some(drawn);
            let Some(document) = found.filter(|_| is_fair) else { continue };
            let shares = store.topics_of_document(self.run.id, document)?;
            let question = self.tasks.topic_intrusion(item, document.0, &shares);
            if question.is_some() {
                return Ok(question);
            }
        }
        Ok(None)
    }

    /// The excerpt of the document of a task.
    pub fn document(
        &self,
        store: &Store,
        question: &Question,
    ) -> Result<Option<DocumentExcerpt>, StoreError> {
        let Some(id) = question.document.map(DocumentId) else { return Ok(None) };
        let title = store.document(id)?.and_then(|document| document.title);
        let text = store.document_beginning(id, LETTERS)?.unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            return Ok(Some(DocumentExcerpt { title, text }));
        }
        let words = store.document_counts(id)?.into_iter().take(WORDS).map(|(word, _)| word);
        let text = words.collect::<Vec<_>>().join(" ");
        Ok(Some(DocumentExcerpt { title, text }))
    }
}

/// The row of `judge`'s answer to `question`; `None` as the answer for a skipped task.
pub fn saved(
    judge: &str,
    question: &Question,
    answer: Option<u32>,
    seconds: Option<f64>,
) -> SavedJudgement {
    let Question { task, item, topic, document, shown } = question;
    SavedJudgement {
        judge: judge.into(),
        task: task.name().into(),
        item: *item,
        topic: TopicNumber(*topic),
        document: document.map(DocumentId),
        // Texts and finite numbers always have a JSON form.
        shown: serde_json::to_string(shown).unwrap_or_default(),
        answer,
        seconds: seconds.filter(|seconds| seconds.is_finite()),
    }
}

/// Parses a saved judgement of a run with `k` topics.
///
/// # Errors
/// A message for a row that cannot be an answer.
pub fn parse_row(row: SavedJudgement, k: u64) -> Result<Judgement, String> {
    let SavedJudgement { judge, task, item, topic, document, shown, answer, seconds } = row;
    let wrong = |what: &str| format!("a judgement of item {item} of {task:?} is none: {what}");
    let kind = task.parse().map_err(|_| wrong("there is no such task"))?;
    let shown: ShownTask =
        serde_json::from_str(&shown).map_err(|error| wrong(&error.to_string()))?;
    let document = document.map(|id| id.0);
    let question = Question { task: kind, item, topic: topic.0, document, shown };
    let judgement = Judgement { judge, question, answer, seconds };
    judgement.invalid_reason(k).map_or(Ok(judgement), |what| Err(wrong(what)))
}

/// The judgements of a run, in the order in which they were saved.
///
/// # Errors
/// [`StoreError::DamagedRun`] for a row that cannot be an answer.
pub fn judgements(store: &Store, run: &Run) -> Result<Vec<Judgement>, StoreError> {
    let rows = store.judgements(run.id)?.into_iter();
    let damaged = |what| StoreError::DamagedRun { run: run.id, what };
    rows.map(|row| parse_row(row, run.k).map_err(damaged)).collect()
}
