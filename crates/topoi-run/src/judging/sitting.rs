//! Asking people about the topics of a run: the tasks that are drawn from it, who has answered which, and what
//! they answered.

use std::collections::BTreeSet;

use topoi_core::judge::task_generator::{COMMON_WORDS, TaskGenerator};
use topoi_core::judge::{Judgement, LONGEST_NAME, Question, ShownTask, Task, topic_order};
use topoi_store::result::judgement::SavedJudgement;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// Letters of a document that are shown.
const LETTERS: usize = 700;
/// Words of one whose text is not there.
const WORDS: usize = 40;
/// Draws of a document before a task of topic intrusion is given up,
const DRAWS: usize = 60;
/// and those of them in which every document has the same chance: ids may have gaps.
const EVEN_DRAWS: usize = 50;

/// Why nobody can be asked.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The store could not be read or written.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The run is not finished.
    #[error("run {run} is {status} and has no topics to judge")]
    NoTopics {
        /// The run that was asked for.
        run: i64,
        /// One word for its status.
        status: &'static str,
    },
    /// Topics cannot be told from each other, or are too few.
    #[error(
        "run {run} has {k} topics, and the task {task} takes {least} or more; choose another task or run"
    )]
    TooFew {
        /// The run that was asked for.
        run: i64,
        /// Its number of topics.
        k: usize,
        /// The task's name.
        task: &'static str,
        /// The fewest topics that it can be drawn from.
        least: usize,
    },
    /// The run saved nothing of documents.
    #[error(
        "run {run} did not look at documents, of which topic intrusion is drawn; choose another task"
    )]
    NoDocuments {
        /// The run that was asked for.
        run: i64,
    },
    /// Nobody can be called so.
    #[error(
        "{0:?} is no name of somebody who judges: it has from 1 to {LONGEST_NAME} bytes, all of them seen"
    )]
    Name(String),
}

/// Somebody who is asked about a run, task by task.
#[derive(Debug, Clone, PartialEq)]
pub struct Sitting {
    run: Run,
    tasks: TaskGenerator,
    task: Task,
    judge: String,
    /// The ids of the first and the last document.
    documents: Option<(i64, i64)>,
}

/// How far somebody is with a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Place {
    /// The round, from 1.
    pub round: u64,
    /// Tasks of it that are done,
    pub done: u64,
    /// of so many.
    pub of: u64,
}

/// A document as people see it who are asked about it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentShown {
    /// Its title, where it has one.
    pub title: Option<String>,
    /// The beginning of its text, or where that is not there its most frequent words.
    pub text: String,
}

/// A name that answers can be saved under.
///
/// # Errors
/// [`JudgeError::Name`].
pub fn judge_named(name: &str) -> Result<String, JudgeError> {
    let name = name.trim();
    let is_one = !name.is_empty() && name.len() <= LONGEST_NAME;
    if is_one && !name.chars().any(char::is_control) {
        Ok(name.to_string())
    } else {
        Err(JudgeError::Name(name.chars().take(LONGEST_NAME).collect()))
    }
}

/// The user's name, under which they judge unless they say otherwise.
pub fn usual_judge() -> String {
    let names = ["USER", "LOGNAME", "USERNAME"].into_iter();
    let named = |name: &str| judge_named(&std::env::var(name).ok()?).ok();
    names.filter_map(named).next().unwrap_or_else(|| "me".into())
}

impl Sitting {
    /// Of `judge`, who is asked about run `run`.
    ///
    /// # Errors
    /// [`JudgeError`].
    pub fn of(store: &Store, run: i64, task: Task, judge: &str) -> Result<Self, JudgeError> {
        let run = store.run(run)?;
        let judge = judge_named(judge)?;
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

    /// Who judges.
    pub fn judge(&self) -> &str {
        &self.judge
    }

    /// The number of tasks of the kind.
    pub fn items(&self) -> u64 {
        self.task.rounds() * self.tasks.k() as u64
    }

    /// The tasks that they have answered or passed over.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn judged(&self, store: &Store) -> Result<BTreeSet<u64>, StoreError> {
        store.judged_items(self.run.id, &self.judge, self.task.name())
    }

    /// The first task in their order that is not among `judged`; `None` when they have done all. A task that
    /// the run gives nothing for is passed over.
    ///
    /// # Errors
    /// When the store cannot be read.
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

    /// The numbers of all tasks in their order: every topic once, then every topic again.
    pub fn in_order(&self) -> impl Iterator<Item = u64> + '_ {
        let k = self.tasks.k();
        (0..self.task.rounds()).flat_map(move |round| {
            let order = topic_order(self.run.seed, &self.judge, self.task, round, k);
            order.into_iter().map(move |place| round * k as u64 + place)
        })
    }

    /// Where in which round the task `item` is.
    pub fn place(&self, item: u64, judged: &BTreeSet<u64>) -> Place {
        let k = self.tasks.k().max(1) as u64;
        let round = item / k;
        let done = judged.range(round * k..(round + 1) * k).count() as u64;
        Place { round: round + 1, done, of: k }
    }

    /// A task as they see it; `None` where the run gives nothing for it.
    ///
    /// # Errors
    /// When the store cannot be read.
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
        // Of its own stream: which document it is does not decide which of its topics.
        let mut random = self.tasks.random(Task::Topics, u64::MAX - item);
        let many = last.abs_diff(first).saturating_add(1);
        for draw in 0..DRAWS {
            let drawn = first.saturating_add_unsigned(random.below(many));
            let found = store.document_of_run_from(self.run.id, drawn)?;
            let is_fair = draw >= EVEN_DRAWS || found == Some(drawn);
            let Some(document) = found.filter(|_| is_fair) else { continue };
            let shares = store.topics_of_document(self.run.id, document)?;
            let question = self.tasks.topic_intrusion(item, document, &shares);
            if question.is_some() {
                return Ok(question);
            }
        }
        Ok(None)
    }

    /// What is seen of the document of a task.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn document(
        &self,
        store: &Store,
        question: &Question,
    ) -> Result<Option<DocumentShown>, StoreError> {
        let Some(id) = question.document else { return Ok(None) };
        let title = store.document(id)?.and_then(|document| document.title);
        let text = store.document_beginning(id, LETTERS)?.unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            return Ok(Some(DocumentShown { title, text }));
        }
        let words = store.document_counts(id)?.into_iter().take(WORDS).map(|(word, _)| word);
        let text = words.collect::<Vec<_>>().join(" ");
        Ok(Some(DocumentShown { title, text }))
    }
}

/// What is saved of `judge`'s answer to `question`; `None` for a task that is passed over.
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
        topic: *topic,
        document: *document,
        // Texts and finite numbers always have a JSON form.
        shown: serde_json::to_string(shown).unwrap_or_default(),
        answer,
        seconds: seconds.filter(|seconds| seconds.is_finite()),
    }
}

/// What was saved, of a run of `k` topics.
///
/// # Errors
/// In words, what nobody can have answered.
pub fn read(row: SavedJudgement, k: u64) -> Result<Judgement, String> {
    let SavedJudgement { judge, task, item, topic, document, shown, answer, seconds } = row;
    let wrong = |what: &str| format!("a judgement of item {item} of {task:?} is none: {what}");
    let kind = task.parse().map_err(|_| wrong("there is no such task"))?;
    let shown: ShownTask =
        serde_json::from_str(&shown).map_err(|error| wrong(&error.to_string()))?;
    let question = Question { task: kind, item, topic, document, shown };
    let judgement = Judgement { judge, question, answer, seconds };
    judgement.invalid_reason(k).map_or(Ok(judgement), |what| Err(wrong(what)))
}

/// What people said of a run, in the order in which they did.
///
/// # Errors
/// [`StoreError::DamagedRun`] for rows that no answer leaves; when the store cannot be read.
pub fn judgements(store: &Store, run: &Run) -> Result<Vec<Judgement>, StoreError> {
    let rows = store.judgements(run.id)?.into_iter();
    let damaged = |what| StoreError::DamagedRun { run: run.id, what };
    rows.map(|row| read(row, run.k).map_err(damaged)).collect()
}
