//! Warnings of single topics: those without words, those with all, those that are there twice.

use std::collections::{BTreeMap, HashMap};

use super::definition::{Evidence, Finding, warning_def};
use crate::metric::of_the_work::TOKENS_USED;
use crate::store::result::topic::SavedTopic;

warning_def! {
    /// topics that hold nothing of the corpus: without a word, or with less than a token of it, or without
    /// a word that is their own
    pub const EMPTY_TOPICS {
        id: "empty_topics",
        condition: "a topic without words, of a weight × `tokens_used` below 1, or whose most probable \
                    word has at most {}/W",
        limit: 2.0,
        reason: "every word has 1/W in a topic of smoothing alone; a word twice as probable in a \
                 corpus' rarest real topic is still one of thousands",
        remedy: "use fewer topics",
        find: empty_topics,
    }
}

warning_def! {
    /// one topic holds most of the text, and the others share out the rest
    pub const DOMINANT_TOPIC {
        id: "dominant_topic",
        condition: "a topic's weight above {}, and above 1.5/K",
        limit: 0.5,
        reason: "with more than half of all tokens it says what most text is like, not what some of it is \
                 about. One of two topics always has half: there 0.75",
        remedy: "leave out words that most documents have (--max-documents), or use more topics",
        find: dominant_topic,
    }
}

warning_def! {
    /// pairs of topics with nearly the same ten most probable words (of fewer where topics have fewer)
    pub const DUPLICATE_TOPICS {
        id: "duplicate_topics",
        condition: "two topics with {} or more of their ten most probable words in common",
        limit: 8.0,
        reason: "ten words are what people read of a topic: lists that differ in two say the same. \
                 Default runs of the sample corpora have none",
        remedy: "use fewer topics",
        find: duplicate_topics,
    }
}

/// The most probable words that topics are compared by.
const TOP_WORDS: usize = 10;
/// So many topics, or pairs of them, are named.
const NAMED: usize = 3;

fn empty_topics(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let empty: Vec<String> = (0..)
        .zip(evidence.topics)
        .filter(|(_, topic)| is_empty(topic, evidence, limit))
        .map(|(number, _): (usize, _)| number.to_string())
        .collect();
    let (count, k) = (empty.len(), evidence.topics.len());
    let what = format!("{count} of {k} topics are empty ({})", some(&empty));
    (count > 0).then_some(Finding { value: count as f64, what })
}

fn is_empty(topic: &SavedTopic, evidence: &Evidence<'_>, limit: f64) -> bool {
    let Some(&(_, most)) = topic.terms.first() else { return true };
    let tokens = evidence.metric(&TOKENS_USED).map(|tokens| tokens * topic.weight);
    tokens.is_some_and(|tokens| tokens < 1.0) || most * evidence.words as f64 <= limit
}

fn dominant_topic(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let (topic, value) = (0..).zip(evidence.weights()).max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let _: usize = topic;
    let even = 1.0 / evidence.topics.len() as f64;
    let what = format!("topic {topic} alone has {:.0}% of all tokens", 100.0 * value);
    (value > limit.max(1.5 * even)).then_some(Finding { value, what })
}

fn duplicate_topics(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let pairs: Vec<String> = shared_words(evidence.topics)
        .into_iter()
        .filter(|&((a, b), shared)| {
            let length = |topic: usize| evidence.topics[topic].terms.len().min(TOP_WORDS);
            // Lists of fewer than ten words have as large a share in common.
            (shared * TOP_WORDS) as f64 >= limit * length(a).max(length(b)) as f64
        })
        .map(|((a, b), _)| format!("{a} and {b}"))
        .collect();
    let count = pairs.len();
    let what = match count {
        1 => format!("topics {} have nearly the same words", pairs[0]),
        _ => format!("{count} pairs of topics have nearly the same words ({})", some(&pairs)),
    };
    (count > 0).then_some(Finding { value: count as f64, what })
}

/// How many of their ten most probable words two topics have in common, for those that have any.
fn shared_words(topics: &[SavedTopic]) -> BTreeMap<(usize, usize), usize> {
    let mut topics_of: HashMap<i64, Vec<usize>> = HashMap::new();
    let mut shared = BTreeMap::new();
    for (topic, saved) in topics.iter().enumerate() {
        for (term, _) in saved.terms.iter().take(TOP_WORDS) {
            let earlier = topics_of.entry(*term).or_default();
            earlier.iter().for_each(|&other| *shared.entry((other, topic)).or_default() += 1);
            earlier.push(topic);
        }
    }
    shared
}

/// The first few, and how many more there are.
fn some(names: &[String]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names[..names.len().min(NAMED)].join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::test_evidence::{Case, topic};
    use super::*;

    #[test]
    fn a_topic_without_words_or_weight_or_a_word_of_its_own_is_empty() {
        assert_eq!(Case::default().text(&EMPTY_TOPICS), None);
        let even =
            SavedTopic { terms: (0..100).map(|word| (word, 0.01)).collect(), ..topic(0.1, []) };
        let case = Case::of(vec![topic(0.5, 0..10), topic(0.4, []), even, topic(0.0, 20..30)]);
        let text = case.text(&EMPTY_TOPICS).expect("a warning");
        assert_eq!(text, "2 of 4 topics are empty (1, 2); use fewer topics");
        let text = case.and(&TOKENS_USED, 1e6).text(&EMPTY_TOPICS).expect("a warning");
        assert!(text.starts_with("3 of 4 topics are empty (1, 2, 3);"), "{text}");
        let none = Case::of(vec![topic(0.2, []); 5]).text(&EMPTY_TOPICS).expect("a warning");
        assert!(none.contains("(0, 1, 2 and 2 more)"), "{none}");
    }

    #[test]
    fn a_topic_with_more_than_half_of_three_or_three_quarters_of_two_is_dominant() {
        let text = |weights: &[f64]| {
            let topics = weights.iter().map(|&weight| topic(weight, 0..10)).collect();
            Case::of(topics).text(&DOMINANT_TOPIC)
        };
        assert_eq!((text(&[0.5, 0.3, 0.2]), text(&[0.3, 0.7])), (None, None));
        let raised = text(&[0.2, 0.62, 0.18]).expect("a warning");
        assert!(raised.starts_with("topic 1 alone has 62% of all tokens; leave out"), "{raised}");
        assert!(text(&[0.2, 0.8]).is_some());
    }

    #[test]
    fn topics_with_eight_of_ten_words_in_common_are_duplicates() {
        let text = |topics| Case::of(topics).text(&DUPLICATE_TOPICS);
        assert_eq!(text(vec![topic(0.5, 0..10), topic(0.5, 3..13)]), None);
        let raised = text(vec![topic(0.3, 30..40), topic(0.3, 0..10), topic(0.4, 2..12)]);
        assert_eq!(
            raised.as_deref(),
            Some("topics 1 and 2 have nearly the same words; use fewer topics")
        );
        let raised = text(vec![topic(0.25, 0..10); 4]).expect("a warning");
        assert!(
            raised.starts_with("6 pairs of topics have nearly the same words (0 and 1, 0 and 2, ")
        );
        // Topics of few words.
        assert!(text(vec![topic(0.5, 0..3), topic(0.5, 0..3)]).is_some());
        assert_eq!(text(vec![topic(0.5, 0..3), topic(0.5, 0..10)]), None);
        assert_eq!(text(vec![topic(0.5, []), topic(0.5, [])]), None);
    }
}
