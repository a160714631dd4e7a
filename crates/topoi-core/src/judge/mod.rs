//! Human judgement of topics: tasks that are drawn from a run's topics, and scores of the answers.
//! No access to a store.
//!
//! Three published tasks: word intrusion and topic intrusion (Chang, Boyd-Graber, Gerrish, Wang and
//! Blei 2009, "Reading Tea Leaves"), and ratings from 1 to 3 (Newman, Lau, Grieser and Baldwin
//! 2010; Hoyle et al. 2021). All judges of a run get the same tasks, so that their answers can be
//! compared. Each judge gets tasks and choices in an order of their own.

pub mod agreement;
pub mod scores;
pub mod task_generator;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::random::{ShortStream, key};

/// The kinds of questions for judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[derive(EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Task {
    /// Word intrusion: which of six words does not belong to the topic.
    Words,
    /// Topic intrusion: which of four topics does not belong to the document.
    Topics,
    /// Rating: how well ten words of the topic go together.
    Ratings,
}

/// Meanings of the ratings 1, 2 and 3.
pub const RATINGS: [&str; 3] = ["not related", "somewhat related", "very related"];

/// Intrusion tasks for each topic. There is one rating task.
const INTRUSION_ROUNDS: u64 = 5;

/// Longest name of a judge, in bytes.
pub const LONGEST_NAME: usize = 100;
/// Longest choice, in bytes: eight words of the greatest length.
const LONGEST_OPTION: usize = 1 << 14;

impl Task {
    /// Its name on the command line and in the store.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The question shown to the judge.
    pub fn asks(self) -> &'static str {
        match self {
            Self::Words => "Which word does not belong with the others?",
            Self::Topics => "Which topic does not belong to the document?",
            Self::Ratings => "How related are these words to each other?",
        }
    }

    /// Number of answers to choose among.
    pub fn choices(self) -> u32 {
        match self {
            Self::Words => 6,
            Self::Topics => 4,
            Self::Ratings => 3,
        }
    }

    /// Number of tasks for each topic.
    pub fn rounds(self) -> u64 {
        match self {
            Self::Ratings => 1,
            Self::Words | Self::Topics => INTRUSION_ROUNDS,
        }
    }
}

/// What a judge saw, in the order in which they saw it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownTask {
    /// The choices: words, or topics as lists of words. For a rating, the words to rate.
    pub options: Vec<String>,
    /// Position of the intruder among the choices, from 1; `None` for a rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intruder: Option<u32>,
    /// Topic numbers of the choices of a topic intrusion task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub topics: Vec<u64>,
    /// Proportions of these topics in the document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<f64>,
}

/// A task as drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The kind of question.
    pub task: Task,
    /// Its number among the run's tasks of this kind, the same for all judges.
    pub item: u64,
    /// The topic that is judged; for topic intrusion the document's largest.
    pub topic: u64,
    /// Id of the document, for topic intrusion.
    pub document: Option<i64>,
    /// What is shown.
    pub shown: ShownTask,
}

/// An answer of a judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Name of the person who answered.
    pub judge: String,
    /// The question answered.
    pub question: Question,
    /// Position of the choice, from 1, or the rating; `None` where the judge skipped the task.
    pub answer: Option<u32>,
    /// Seconds until the answer.
    pub seconds: Option<f64>,
}

impl Judgement {
    /// Why this cannot be an answer to a task of a run of `k` topics; `None` where it can. Stores
    /// may come from anybody.
    pub fn invalid_reason(&self, k: u64) -> Option<&'static str> {
        let Question { task, item, topic, shown, .. } = &self.question;
        let places = 1..=task.choices();
        let is_share = |share: &f64| (0.0..=1.0 + 1e-9).contains(share);
        let of_topics = if *task == Task::Topics { shown.options.len() } else { 0 };
        let wrong = [
            (
                self.judge.is_empty() || self.judge.len() > LONGEST_NAME,
                "the judge's name is empty or too long",
            ),
            (
                *topic >= k || shown.topics.iter().any(|of| *of >= k),
                "it names a topic that the run does not have",
            ),
            (*item >= k.saturating_mul(task.rounds()), "its number is too large"),
            (shown.options.iter().any(|of| of.len() > LONGEST_OPTION), "a choice is too long"),
            (
                self.answer.is_some_and(|answer| !places.contains(&answer)),
                "its answer is not one of the choices",
            ),
            (
                self.seconds.is_some_and(|seconds| !seconds.is_finite() || seconds < 0.0),
                "its time is not a positive number",
            ),
            (
                match task {
                    Task::Ratings => {
                        shown.options.is_empty() || shown.options.len() > task_generator::TOP_WORDS
                    }
                    _ => shown.options.len() != task.choices() as usize,
                },
                "it has the wrong number of choices",
            ),
            (
                match task {
                    Task::Ratings => shown.intruder.is_some(),
                    _ => !shown.intruder.is_some_and(|place| places.contains(&place)),
                },
                "its intruder is not one of the choices",
            ),
            (
                shown.topics.len() != of_topics
                    || shown.shares.len() != of_topics
                    || !shown.shares.iter().all(is_share),
                "its topics have no proportions",
            ),
        ];
        wrong.into_iter().find(|(is_wrong, _)| *is_wrong).map(|(_, what)| what)
    }
}

/// The order in which `judge` gets the topics of a round: a permutation of 0 to `k` − 1.
pub fn topic_order(seed: u64, judge: &str, task: Task, round: u64, k: usize) -> Vec<u64> {
    let mut random =
        ShortStream::new(key(seed, &format!("judge order {}", stream_name(judge, task))), round);
    let mut order: Vec<u64> = (0..k as u64).collect();
    shuffle(&mut order, &mut random);
    order
}

impl Question {
    /// The question with its choices in the order for `judge`. Words to rate keep their order.
    #[must_use]
    pub fn shuffled_for(mut self, seed: u64, judge: &str) -> Self {
        if self.task == Task::Ratings {
            return self;
        }
        let stream = key(seed, &format!("judge choices {}", stream_name(judge, self.task)));
        let mut random = ShortStream::new(stream, self.item);
        let mut places: Vec<usize> = (0..self.shown.options.len()).collect();
        shuffle(&mut places, &mut random);
        let ShownTask { options, intruder, topics, shares } = std::mem::take(&mut self.shown);
        let place = |old: u32| places.iter().position(|&from| from as u32 + 1 == old);
        self.shown = ShownTask {
            intruder: intruder.and_then(place).map(|new| new as u32 + 1),
            topics: places.iter().copied().filter_map(|from| topics.get(from).copied()).collect(),
            shares: places.iter().copied().filter_map(|from| shares.get(from).copied()).collect(),
            options: places.iter().map(|&from| options[from].clone()).collect(),
        };
        self
    }
}

/// Name of a judge's random stream for a task. The task comes first, so that different pairs never
/// have the same name.
fn stream_name(judge: &str, task: Task) -> String {
    format!("{} {judge}", task.name())
}

/// Fisher–Yates shuffle.
fn shuffle<T>(all: &mut [T], random: &mut ShortStream) {
    for last in (1..all.len()).rev() {
        all.swap(last, random.below(last as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intrusion() -> Question {
        let options = ["stowaway", "a", "b", "c", "d", "e"].map(String::from).to_vec();
        let shown = ShownTask { options, intruder: Some(1), ..ShownTask::default() };
        Question { task: Task::Words, item: 3, topic: 3, document: None, shown }
    }

    #[test]
    fn each_judge_has_an_order_and_places_of_their_own_and_always_the_same() {
        let orders: Vec<_> =
            ["ann", "bea"].map(|judge| topic_order(1, judge, Task::Words, 0, 30)).into();
        assert_ne!(orders[0], orders[1]);
        assert_eq!(orders[0], topic_order(1, "ann", Task::Words, 0, 30));
        assert_ne!(orders[0], topic_order(1, "ann", Task::Words, 1, 30));
        let mut sorted = orders[0].clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..30));
        let mut places = std::collections::BTreeSet::new();
        for judge in 0..100 {
            let seen = intrusion().shuffled_for(1, &judge.to_string());
            let place = seen.shown.intruder.expect("an intruder");
            assert_eq!(seen.shown.options[place as usize - 1], "stowaway");
            places.insert(place);
        }
        // A position occurs in none of 100 draws for 6 · (5/6)¹⁰⁰ < 1e-7 of seeds; this one is fixed.
        assert_eq!(places.len(), 6);
    }

    #[test]
    fn proportions_go_with_their_topics_when_choices_change_places() {
        let shown = ShownTask {
            options: ["w", "x", "y", "z"].map(String::from).to_vec(),
            intruder: Some(1),
            topics: vec![4, 5, 6, 7],
            shares: vec![0.04, 0.5, 0.06, 0.07],
        };
        let question = Question { task: Task::Topics, item: 0, topic: 5, document: Some(9), shown };
        let ShownTask { options, intruder, topics, shares } = question.shuffled_for(7, "ann").shown;
        assert_ne!(topics, [4, 5, 6, 7], "seed 7 moves some");
        for (at, topic) in topics.iter().enumerate() {
            let was = *topic as usize - 4;
            assert_eq!(options[at], ["w", "x", "y", "z"][was]);
            assert_eq!(shares[at], [0.04, 0.5, 0.06, 0.07][was]);
            assert_eq!(*topic == 4, intruder == Some(at as u32 + 1));
        }
    }

    #[test]
    fn what_cannot_have_been_answered_is_named() {
        let sound = Judgement {
            judge: "ann".into(),
            question: intrusion(),
            answer: Some(6),
            seconds: Some(2.5),
        };
        assert_eq!(sound.invalid_reason(4), None);
        type Damage = fn(&mut Judgement);
        let damages: [(Damage, &str); 10] = [
            (|it| it.judge.clear(), "name"),
            (|it| it.judge = "x".repeat(101), "name"),
            (|it| it.question.topic = 4, "topic"),
            (|it| it.question.item = 20, "number"),
            (|it| it.answer = Some(7), "answer"),
            (|it| it.answer = Some(0), "answer"),
            (|it| it.seconds = Some(f64::INFINITY), "time"),
            (|it| it.question.shown.options.truncate(5), "choices"),
            (|it| it.question.shown.intruder = None, "intruder"),
            (|it| it.question.shown.shares = vec![0.1], "proportions"),
        ];
        for (damage, named) in damages {
            let mut damaged = sound.clone();
            damage(&mut damaged);
            let wrong = damaged.invalid_reason(4).expect(named);
            assert!(wrong.contains(named), "{wrong}");
        }
    }
}
