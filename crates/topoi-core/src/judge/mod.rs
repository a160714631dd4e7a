//! What people say of topics: the tasks that are drawn from a run's topics, and scores of the answers.
//!
//! Three tasks, as published: word intrusion and topic intrusion (Chang, Boyd-Graber, Gerrish, Wang and Blei
//! 2009, "Reading Tea Leaves"), and ratings from 1 to 3 (Newman, Lau, Grieser and Baldwin 2010; Hoyle et al.
//! 2021). A run's tasks are the same for all who judge, so that they can be held against each other; each
//! sees them in an order of their own, and the choices of each task too. Knows no store.

pub mod agreement;
pub mod deck;
pub mod scores;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::random::{ShortStream, key};

/// What people are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[derive(EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Task {
    /// Which of six words is not of the topic.
    Words,
    /// Which of four topics is not of the document.
    Topics,
    /// How well ten words of the topic go together.
    Ratings,
}

/// What the ratings 1, 2 and 3 mean.
pub const RATINGS: [&str; 3] = ["not related", "somewhat related", "very related"];

/// How often each topic comes up in the tasks of intrusion. Ratings come once.
const ROUNDS: u64 = 5;

/// The longest name of one who judges, in bytes.
pub const LONGEST_NAME: usize = 100;
/// The longest choice, in bytes: eight words, the longest that there are.
const LONGEST_OPTION: usize = 1 << 14;

impl Task {
    /// Its name on the command line and in the store.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What is asked.
    pub fn asks(self) -> &'static str {
        match self {
            Self::Words => "Which word does not belong with the others?",
            Self::Topics => "Which topic does not belong to the document?",
            Self::Ratings => "How related are these words to each other?",
        }
    }

    /// The number of answers to choose among.
    pub fn choices(self) -> u32 {
        match self {
            Self::Words => 6,
            Self::Topics => 4,
            Self::Ratings => 3,
        }
    }

    /// How often each of `k` topics comes up.
    pub fn rounds(self) -> u64 {
        match self {
            Self::Ratings => 1,
            Self::Words | Self::Topics => ROUNDS,
        }
    }
}

/// What somebody saw, in the order in which they saw it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// What there was to choose among: words, or the words of topics; of a rating, the words that are rated.
    pub options: Vec<String>,
    /// The intruder's place among them, from 1; none of a rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intruder: Option<u32>,
    /// Of topic intrusion the numbers of the topics,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub topics: Vec<u64>,
    /// and their proportions in the document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<f64>,
}

/// A task that was drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What a person is asked.
    pub task: Task,
    /// Its number among those of the run and kind, the same for all who judge.
    pub item: u64,
    /// The topic that is judged: of topic intrusion the document's largest.
    pub topic: u64,
    /// Of topic intrusion, the id of the document.
    pub document: Option<i64>,
    /// What is seen of it.
    pub shown: Shown,
}

/// What somebody answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Name of the person who answered.
    pub judge: String,
    /// What they were asked.
    pub question: Question,
    /// The place of their choice, from 1, or their rating; `None` where they passed.
    pub answer: Option<u32>,
    /// How long they took.
    pub seconds: Option<f64>,
}

impl Judgement {
    /// What no answer to a task of a run of `k` topics can be: rows come with stores from anybody.
    pub fn what_is_wrong(&self, k: u64) -> Option<&'static str> {
        let Question { task, item, topic, shown, .. } = &self.question;
        let places = 1..=task.choices();
        let is_share = |share: &f64| (0.0..=1.0 + 1e-9).contains(share);
        let of_topics = if *task == Task::Topics { shown.options.len() } else { 0 };
        let wrong = [
            (self.judge.is_empty() || self.judge.len() > LONGEST_NAME, "who judged has no name"),
            (*topic >= k || shown.topics.iter().any(|of| *of >= k), "a topic of it is none"),
            (*item >= k.saturating_mul(task.rounds()), "its number is too large"),
            (shown.options.iter().any(|of| of.len() > LONGEST_OPTION), "a choice is too long"),
            (self.answer.is_some_and(|answer| !places.contains(&answer)), "its answer is none"),
            (
                self.seconds.is_some_and(|seconds| !seconds.is_finite() || seconds < 0.0),
                "its time is none",
            ),
            (
                match task {
                    Task::Ratings => shown.options.is_empty() || shown.options.len() > deck::TOP,
                    _ => shown.options.len() != task.choices() as usize,
                },
                "it has not the choices of its task",
            ),
            (
                match task {
                    Task::Ratings => shown.intruder.is_some(),
                    _ => !shown.intruder.is_some_and(|place| places.contains(&place)),
                },
                "its intruder is none of the choices",
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
pub fn order(seed: u64, judge: &str, task: Task, round: u64, k: usize) -> Vec<u64> {
    let mut random = ShortStream::of(key(seed, &format!("judge order {}", of(judge, task))), round);
    let mut order: Vec<u64> = (0..k as u64).collect();
    shuffle(&mut order, &mut random);
    order
}

impl Question {
    /// The same with its choices in the order in which `judge` gets them. Words that are rated stay as they are.
    #[must_use]
    pub fn seen_by(mut self, seed: u64, judge: &str) -> Self {
        if self.task == Task::Ratings {
            return self;
        }
        let stream = key(seed, &format!("judge choices {}", of(judge, self.task)));
        let mut random = ShortStream::of(stream, self.item);
        let mut places: Vec<usize> = (0..self.shown.options.len()).collect();
        shuffle(&mut places, &mut random);
        let Shown { options, intruder, topics, shares } = std::mem::take(&mut self.shown);
        let place = |old: u32| places.iter().position(|&from| from as u32 + 1 == old);
        self.shown = Shown {
            intruder: intruder.and_then(place).map(|new| new as u32 + 1),
            topics: places.iter().copied().filter_map(|from| topics.get(from).copied()).collect(),
            shares: places.iter().copied().filter_map(|from| shares.get(from).copied()).collect(),
            options: places.iter().map(|&from| options[from].clone()).collect(),
        };
        self
    }
}

/// Neither name can be taken for a part of the other.
fn of(judge: &str, task: Task) -> String {
    format!("{} {judge}", task.name())
}

/// Fisher and Yates.
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
        let shown = Shown { options, intruder: Some(1), ..Shown::default() };
        Question { task: Task::Words, item: 3, topic: 3, document: None, shown }
    }

    #[test]
    fn each_judge_has_an_order_and_places_of_their_own_and_always_the_same() {
        let orders: Vec<_> = ["ann", "bea"].map(|judge| order(1, judge, Task::Words, 0, 30)).into();
        assert_ne!(orders[0], orders[1]);
        assert_eq!(orders[0], order(1, "ann", Task::Words, 0, 30));
        assert_ne!(orders[0], order(1, "ann", Task::Words, 1, 30));
        let mut sorted = orders[0].clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..30));
        let mut places = std::collections::BTreeSet::new();
        for judge in 0..100 {
            let seen = intrusion().seen_by(1, &judge.to_string());
            let place = seen.shown.intruder.expect("an intruder");
            assert_eq!(seen.shown.options[place as usize - 1], "stowaway");
            places.insert(place);
        }
        // That a place is among none of 100 draws: 6 · (5/6)¹⁰⁰ < 1e-7, of seeds; this one is fixed.
        assert_eq!(places.len(), 6);
    }

    #[test]
    fn proportions_go_with_their_topics_when_choices_change_places() {
        let shown = Shown {
            options: ["w", "x", "y", "z"].map(String::from).to_vec(),
            intruder: Some(1),
            topics: vec![4, 5, 6, 7],
            shares: vec![0.04, 0.5, 0.06, 0.07],
        };
        let question = Question { task: Task::Topics, item: 0, topic: 5, document: Some(9), shown };
        let Shown { options, intruder, topics, shares } = question.seen_by(7, "ann").shown;
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
        assert_eq!(sound.what_is_wrong(4), None);
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
            let wrong = damaged.what_is_wrong(4).expect(named);
            assert!(wrong.contains(named), "{wrong}");
        }
    }
}
