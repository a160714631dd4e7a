//! Generates the tasks of a run: which words and topics are shown, before they are ordered for a
//! judge.

use std::collections::BTreeSet;

use super::{Question, ShownTask, Task, shuffle};
use crate::random::{ShortStream, key};

/// Top words of a topic from which its words are drawn, and which are rated.
pub const TOP_WORDS: usize = 10;
/// Words of the topic in a word intrusion task.
const OWN_WORDS: usize = 5;
/// An intruding word is among this many top words of another topic.
const INTRUDER_WORDS: usize = 5;
/// An intruding word is not among this many top words of the topic itself.
pub const COMMON_WORDS: usize = 50;
/// Words that represent a topic in topic intrusion.
const WORDS_PER_TOPIC: usize = 8;
/// Topics of the document in a topic intrusion task.
const TOPICS_PER_DOCUMENT: usize = 3;

/// Generates tasks from the topics of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskGenerator {
    seed: u64,
    topics: Vec<Vec<String>>,
}

impl TaskGenerator {
    /// A generator for topics given by their [`COMMON_WORDS`] most probable words, most probable
    /// first. Each seed gives other tasks.
    pub fn new(seed: u64, topics: Vec<Vec<String>>) -> Self {
        Self { seed, topics }
    }

    /// Number of topics.
    pub fn k(&self) -> usize {
        self.topics.len()
    }

    /// The topic of a task; in topic intrusion the document decides it.
    fn topic(&self, item: u64) -> usize {
        (item % self.topics.len().max(1) as u64) as usize
    }

    /// A word intrusion task: the intruder, then five of the topic's ten most probable words. The
    /// intruder is one of the five top words of another topic and not among the topic's top fifty,
    /// or its top ten where all are among the fifty. `None` where there is no such word, or the
    /// topic has fewer than five.
    ///
    /// # Source
    /// Chang et al. 2009, section 3.1, and the survey of Hoyle et al. 2021 (fifty, ten, and five of
    /// another topic). Both show the five most probable words; drawing five of ten gives more than
    /// one task for each topic.
    pub fn word_intrusion(&self, item: u64) -> Option<Question> {
        let topic = self.topic(item);
        let own = self.topics.get(topic)?;
        let mut first = distinct(own.iter().take(TOP_WORDS));
        let mut random = self.random(Task::Words, item);
        shuffle(&mut first, &mut random);
        let first = first.get(..OWN_WORDS)?;
        let mut others: Vec<usize> = (0..self.k()).filter(|other| *other != topic).collect();
        shuffle(&mut others, &mut random);
        let intruder = [COMMON_WORDS, TOP_WORDS].into_iter().find_map(|common| {
            let common: BTreeSet<&String> = own.iter().take(common).collect();
            others.iter().find_map(|&other| {
                let probable = self.topics[other].iter().take(INTRUDER_WORDS);
                let strange: Vec<&String> =
                    probable.filter(|word| !common.contains(word)).collect();
                let at = random.below(strange.len().max(1) as u64) as usize;
                strange.get(at).copied()
            })
        })?;
        let options = std::iter::once(intruder).chain(first.iter().copied()).cloned().collect();
        let shown = ShownTask { options, intruder: Some(1), ..ShownTask::default() };
        Some(Question { task: Task::Words, item, topic: topic as u64, document: None, shown })
    }

    /// A topic intrusion task: the intruder, then the document's three largest topics. The intruder
    /// is one of the smaller half of the document's other topics. `None` where it is not smaller
    /// than the three, or there are fewer than four topics.
    ///
    /// # Source
    /// Chang et al. 2009, section 3.2. Topics are shown by their eight most probable words.
    pub fn topic_intrusion(&self, item: u64, document: i64, shares: &[f64]) -> Option<Question> {
        let mut order: Vec<usize> = (0..self.k().min(shares.len())).collect();
        order.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]).then(a.cmp(&b)));
        let (first, rest) = order.split_at_checked(TOPICS_PER_DOCUMENT)?;
        let least = shares[first[TOPICS_PER_DOCUMENT - 1]];
        let low: Vec<usize> =
            rest[rest.len() / 2..].iter().copied().filter(|&of| shares[of] < least).collect();
        let mut random = self.random(Task::Topics, item);
        let intruder = *low.get(random.below(low.len().max(1) as u64) as usize)?;
        let all: Vec<usize> = std::iter::once(intruder).chain(first.iter().copied()).collect();
        let line = |&of: &usize| {
            let words = self.topics[of].iter().take(WORDS_PER_TOPIC);
            words.map(String::as_str).collect::<Vec<_>>().join(", ")
        };
        let shown = ShownTask {
            options: all.iter().map(line).collect(),
            intruder: Some(1),
            topics: all.iter().map(|&of| of as u64).collect(),
            shares: all.iter().map(|&of| shares[of]).collect(),
        };
        let (task, document, topic) = (Task::Topics, Some(document), first[0] as u64);
        Some(Question { task, item, topic, document, shown })
    }

    /// A rating task with the topic's ten most probable words. `None` where it has none.
    pub fn rating(&self, item: u64) -> Option<Question> {
        let topic = self.topic(item);
        let words = distinct(self.topics.get(topic)?.iter().take(TOP_WORDS));
        let options: Vec<String> = words.into_iter().cloned().collect();
        let shown = ShownTask { options, ..ShownTask::default() };
        let question =
            Question { task: Task::Ratings, item, topic: topic as u64, document: None, shown };
        (!question.shown.options.is_empty()).then_some(question)
    }

    /// The random stream of a task.
    pub fn random(&self, task: Task, item: u64) -> ShortStream {
        ShortStream::new(key(self.seed, &format!("judge {}", task.name())), item)
    }
}

/// The words without repetitions, because two terms can have the same display text.
fn distinct<'a>(words: impl Iterator<Item = &'a String>) -> Vec<&'a String> {
    let mut seen = BTreeSet::new();
    words.filter(|word| seen.insert(*word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Topics with the words `3-0`, `3-1` and so on; they share their last words.
    fn generator(k: usize, own: usize, shared: usize) -> TaskGenerator {
        let topic = |topic: usize| {
            let own = (0..own).map(|rank| format!("{topic}-{rank}"));
            own.chain((0..shared).map(|rank| format!("all-{rank}"))).collect()
        };
        TaskGenerator::new(5, (0..k).map(topic).collect())
    }

    #[test]
    fn an_intruding_word_is_probable_elsewhere_and_not_in_the_topic() {
        let generator = generator(6, 20, 40);
        let mut tasks = BTreeSet::new();
        for item in 0..60 {
            let question = generator.word_intrusion(item).expect("a task");
            assert_eq!((question.topic, question.shown.intruder), (item % 6, Some(1)));
            let (intruder, own) = question.shown.options.split_first().expect("words");
            let (of, rank) = intruder.split_once('-').expect("a word");
            assert_ne!(of, question.topic.to_string());
            assert!(rank.parse::<usize>().expect("a rank") < 5, "{intruder}");
            assert_eq!(own.iter().collect::<BTreeSet<_>>().len(), 5);
            for word in own {
                let (of, rank) = word.split_once('-').expect("a word");
                assert_eq!(of, question.topic.to_string());
                assert!(rank.parse::<usize>().expect("a rank") < 10, "{word}");
            }
            tasks.insert(question.shown.options);
            assert_eq!(generator.word_intrusion(item), generator.word_intrusion(item));
        }
        assert_eq!(tasks.len(), 60, "no topic gets one task twice");
    }

    #[test]
    fn where_all_words_are_common_they_need_only_be_none_of_the_first_ten() {
        // The words of each topic: its own 0 to 9, then those of the others.
        let word = |topic: usize, rank: usize| format!("{topic}-{rank}");
        let own = |topic: usize| (0..10).map(move |rank| word(topic, rank));
        let topics = vec![own(0).chain(own(1)).collect(), own(1).chain(own(0)).collect()];
        let question = TaskGenerator::new(1, topics).word_intrusion(0).expect("a task");
        assert!(question.shown.options[0].starts_with("1-"), "{:?}", question.shown.options);
        // Where no such word exists, there is no task.
        let same: Vec<String> = own(0).collect();
        assert_eq!(TaskGenerator::new(1, vec![same.clone(), same]).word_intrusion(0), None);
        assert_eq!(self::generator(6, 4, 0).word_intrusion(0), None, "four words are too few");
        assert_eq!(TaskGenerator::new(1, Vec::new()).word_intrusion(0), None);
    }

    #[test]
    fn an_intruding_topic_is_one_of_those_that_the_document_has_little_of() {
        let generator = generator(8, 20, 0);
        let shares = [0.02, 0.3, 0.01, 0.25, 0.03, 0.2, 0.15, 0.04];
        let mut intruders = BTreeSet::new();
        for item in 0..50 {
            let question = generator.topic_intrusion(item, 9, &shares).expect("a task");
            assert_eq!((question.topic, question.document), (1, Some(9)));
            assert_eq!(question.shown.topics[1..], [1, 3, 5]);
            assert_eq!(question.shown.shares[1..], [0.3, 0.25, 0.2]);
            assert_eq!(question.shown.options[1], "1-0, 1-1, 1-2, 1-3, 1-4, 1-5, 1-6, 1-7");
            intruders.insert(question.shown.topics[0]);
        }
        // Shares are in the order of topics 6, 7, 4, 0, 2; the intruder is one of the last three.
        assert_eq!(intruders, [0, 2, 4].into());
        // All but two are equal, so no topic is the intruder.
        assert_eq!(
            generator.topic_intrusion(0, 9, &[0.3, 0.4, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05]),
            None
        );
        assert_eq!(self::generator(3, 20, 0).topic_intrusion(0, 9, &[0.5, 0.3, 0.2]), None);
    }

    #[test]
    fn ten_words_are_rated_each_once() {
        let mut topics = vec![vec!["x".to_string(); 3]];
        topics.push((0..20).map(|rank| rank.to_string()).collect());
        topics.push(Vec::new());
        let generator = TaskGenerator::new(1, topics);
        assert_eq!(generator.rating(0).expect("a task").shown.options, ["x"]);
        assert_eq!(generator.rating(1).expect("a task").shown.options.len(), 10);
        assert_eq!(generator.rating(2), None);
    }
}
