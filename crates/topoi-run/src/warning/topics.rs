//! Warnings of single topics: those without words, those with all, those that are there twice.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::definition::{Evidence, Finding, warning_def};
use topoi_core::metric::run_process::TOKENS_USED;
use topoi_store::id::TermId;
use topoi_store::result::metric::Metric;
use topoi_store::result::topic::{SavedTopic, Topic};

warning_def! {
    /// topics that hold nothing of the corpus: without a word, or with less than a token of it, or without
    /// a word that is their own
    pub const EMPTY_TOPICS {
        id: "empty_topics",
        condition: "a topic without words, of a share of tokens × `tokens_used` below 1, or whose most probable \
                    word has at most {}/W",
        limit: 1.5,
        reason: "every word has 1/W in a topic of smoothing alone; where half of the words of a small vocabulary \
                 are a topic's, and equally frequent, they have 2/W",
        remedy: "use fewer topics",
        find: empty_topics,
    }
}

warning_def! {
    /// one topic holds most of the text, and the others share out the rest
    pub const DOMINANT_TOPIC {
        id: "dominant_topic",
        condition: "a topic's share of tokens above {}, and above 1.5/K",
        limit: 0.5,
        reason: "with more than half of all tokens it says what most text is like, not what some of it is \
                 about. One of two topics always has half: there 0.75",
        remedy: "leave out words that most documents have (--max-documents), cut long documents (ingest --chunk) \
                 or use more topics",
        find: dominant_topic,
    }
}

warning_def! {
    /// pairs of topics with nearly the same ten most probable words (of fewer where topics have fewer, or the vocabulary
    /// has not twice as many)
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
/// How many words of each topic are compared, of a vocabulary of this size: the first ten of ten words are the same in
/// all topics.
fn compared(words: usize) -> usize {
    TOP_WORDS.min(words / 2).max(1)
}

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
    let most = topic.terms.first().map(|&(_, most)| most);
    let tokens = evidence.metric(&TOKENS_USED).zip(topic.shares.token_share);
    has_nothing(most, tokens.map(|(used, share)| used * share), evidence.words, limit)
}

/// Whether a topic holds nothing of the corpus: by the probability of its first word, and how many tokens
/// it has where that is known.
fn has_nothing(most: Option<f64>, tokens: Option<f64>, words: usize, limit: f64) -> bool {
    tokens.is_some_and(|tokens| tokens < 1.0)
        || most.is_none_or(|most| most * words as f64 <= limit)
}

fn dominant_topic(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let shares = evidence.topics.iter().filter_map(|topic| topic.shares.token_share).enumerate();
    let (topic, value) = shares.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let what = format!("topic {topic} alone has {:.0}% of all tokens", 100.0 * value);
    is_dominant(value, evidence.topics.len(), limit).then_some(Finding { value, what })
}

fn is_dominant(token_share: f64, topics: usize, limit: f64) -> bool {
    token_share > limit.max(1.5 / topics as f64)
}

fn duplicate_topics(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let compared = compared(evidence.words);
    let first = |topic: &SavedTopic| {
        topic.terms.iter().take(compared).map(|(term, _)| *term).collect::<Vec<TermId>>()
    };
    let pairs = pairs_alike(&evidence.topics.iter().map(first).collect::<Vec<_>>(), limit);
    let pairs: Vec<String> = pairs.into_iter().map(|(a, b)| format!("{a} and {b}")).collect();
    let count = pairs.len();
    let what = match count {
        1 => format!("topics {} have nearly the same words", pairs[0]),
        _ => format!("{count} pairs of topics have nearly the same words ({})", some(&pairs)),
    };
    (count > 0).then_some(Finding { value: count as f64, what })
}

/// The pairs of topics with nearly the same ten most probable words.
fn pairs_alike<T: Hash + Eq + Copy>(first: &[Vec<T>], limit: f64) -> Vec<(usize, usize)> {
    let mut topics_of: HashMap<T, Vec<usize>> = HashMap::new();
    let mut shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (topic, terms) in first.iter().enumerate() {
        for term in terms {
            let earlier = topics_of.entry(*term).or_default();
            earlier.iter().for_each(|&other| *shared.entry((other, topic)).or_default() += 1);
            earlier.push(topic);
        }
    }
    // Lists of fewer than ten words have as large a share in common.
    let longer = |(a, b): (usize, usize)| first[a].len().max(first[b].len());
    let alike = |&(pair, shared): &((usize, usize), usize)| {
        (shared * TOP_WORDS) as f64 >= limit * longer(pair) as f64
    };
    shared.into_iter().filter(alike).map(|(pair, _)| pair).collect()
}

/// Why each of a run's topics should not be trusted, in words; `None` where nothing is wrong with it. By
/// the limits of the warnings above; `words` is the size of the vocabulary.
pub fn doubts(topics: &[Topic], metrics: &[Metric], words: usize) -> Vec<Option<String>> {
    let used = metrics.iter().find(|m| m.topic.is_none() && m.name == TOKENS_USED.id);
    let lists: Vec<Vec<&str>> =
        topics.iter().map(|topic| first_words(topic, compared(words))).collect();
    let pairs = pairs_alike(&lists, DUPLICATE_TOPICS.limit);
    let doubt = |(number, topic): (usize, &Topic)| {
        let most = topic.words.first().map(|word| word.probability);
        let tokens = used.zip(topic.shares.token_share).map(|(used, share)| used.value * share);
        if has_nothing(most, tokens, words, EMPTY_TOPICS.limit) {
            return Some("it is empty: it holds nothing of the corpus".to_string());
        }
        let dominant = |share: &f64| is_dominant(*share, topics.len(), DOMINANT_TOPIC.limit);
        if let Some(share) = topic.shares.token_share.filter(dominant) {
            return Some(format!("it alone has {:.0}% of all tokens", 100.0 * share));
        }
        let other =
            |&(a, b): &(usize, usize)| (a == number).then_some(b).or((b == number).then_some(a));
        let twins: Vec<String> =
            pairs.iter().filter_map(other).map(|other| topics[other].topic.to_string()).collect();
        (!twins.is_empty()).then(|| format!("it has nearly the words of topic {}", some(&twins)))
    };
    topics.iter().enumerate().map(doubt).collect()
}

fn first_words(topic: &Topic, count: usize) -> Vec<&str> {
    topic.words.iter().take(count).map(|word| word.word.as_str()).collect()
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
    use topoi_store::id::TopicNumber;
    use topoi_store::result::topic::Word;
    use topoi_store::result::topic_shares::TopicShares;

    #[test]
    fn a_topic_without_words_or_tokens_or_a_word_of_its_own_is_empty() {
        assert_eq!(Case::default().text(&EMPTY_TOPICS), None);
        let even = SavedTopic {
            terms: (0..100).map(|word| (TermId(word), 0.01)).collect(),
            ..topic(0.1, [])
        };
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
        let text = |shares: &[f64]| {
            let topics = shares.iter().map(|&share| topic(share, 0..10)).collect();
            Case::of(topics).text(&DOMINANT_TOPIC)
        };
        assert_eq!((text(&[0.5, 0.3, 0.2]), text(&[0.3, 0.7])), (None, None));
        let raised = text(&[0.2, 0.62, 0.18]).expect("a warning");
        assert!(raised.starts_with("topic 1 alone has 62% of all tokens; leave out"), "{raised}");
        assert!(text(&[0.2, 0.8]).is_some());
        // Documents may be mostly of a topic that has little of the text: its tokens count.
        let of = |token_share| {
            let shares = TopicShares { document_share: 0.8, token_share };
            SavedTopic { shares, ..topic(0.0, 0..10) }
        };
        for share in [Some(0.2), None] {
            assert_eq!(Case::of(vec![of(share); 3]).text(&DOMINANT_TOPIC), None);
        }
    }

    #[test]
    fn each_topic_that_a_warning_is_about_says_why() {
        let topic =
            |topic: TopicNumber, share: f64, words: std::ops::Range<u64>, most: f64| Topic {
                topic,
                shares: TopicShares { document_share: 0.1, token_share: Some(share) },
                anchor: None,
                label: None,
                labelled_by: None,
                words: words
                    .map(|word| Word { word: format!("w{word}"), probability: most })
                    .collect(),
                characteristic: Vec::new(),
            };
        let topics = [
            topic(TopicNumber(0), 0.6, 0..10, 0.1),
            topic(TopicNumber(1), 0.2, 20..30, 0.1),
            topic(TopicNumber(2), 0.1, 21..31, 0.1),
            topic(TopicNumber(3), 0.09, 40..50, 0.1),
            topic(TopicNumber(4), 0.01, 60..70, 0.001),
            topic(TopicNumber(5), 0.0, 0..0, 0.0),
        ];
        let found = doubts(&topics, &[], 1000);
        assert_eq!(found[0].as_deref(), Some("it alone has 60% of all tokens"));
        assert_eq!(found[1].as_deref(), Some("it has nearly the words of topic 2"));
        assert_eq!(found[2].as_deref(), Some("it has nearly the words of topic 1"));
        assert_eq!(found[3], None);
        let empty = Some("it is empty: it holds nothing of the corpus");
        assert_eq!((found[4].as_deref(), found[5].as_deref()), (empty, empty));
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

    #[test]
    fn two_topics_that_share_out_ten_words_are_neither_empty_nor_the_same() {
        let of = |own: std::ops::Range<i64>| {
            let others =
                (0..10).filter(|word| !own.contains(word)).map(|word| (TermId(word), 1e-4));
            let terms = own.clone().map(|word| (TermId(word), 0.1999)).chain(others).collect();
            SavedTopic { terms, ..topic(0.5, []) }
        };
        let case = || Case { words: 10, ..Case::of(vec![of(0..5), of(5..10)]) };
        assert_eq!(case().text(&EMPTY_TOPICS), None);
        assert_eq!(case().text(&DUPLICATE_TOPICS), None);
        let same = Case { words: 10, ..Case::of(vec![of(0..5), of(0..5)]) };
        assert!(same.text(&DUPLICATE_TOPICS).is_some());
    }
}
