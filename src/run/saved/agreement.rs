//! How far two runs agree on their topics.

use std::collections::{HashMap, HashSet};

use super::align::align;
use super::compare::CompareError;
use crate::store::Store;
use crate::store::result::topic::SavedTopic;
use crate::store::result::topic_agreement::TopicAgreement;
use crate::store::run::Run;

/// For every topic of `run` the topic of `other` it is matched with (as [`align`] does it), and how
/// much the two agree: the Jaccard index of their `words` most probable words, and the l1 distance
/// of their word probabilities, from 0 to 2. A topic that no other is left for agrees with none:
/// index 0, distance 2. By topic.
///
/// # Errors
/// As [`align`].
pub fn agreement(
    store: &Store,
    run: &Run,
    other: &Run,
    words: usize,
) -> Result<Vec<TopicAgreement>, CompareError> {
    let pairs = align(store, run, other)?.pairs;
    let (ours, theirs) = (store.saved_topics(run.id)?, store.saved_topics(other.id)?);
    let agree = |topic: usize| {
        let pair = pairs.iter().find(|(own, _, _)| *own == topic as u64);
        let Some(&(_, match_, _)) = pair else {
            let topic = topic as u64;
            return TopicAgreement { topic, other: None, jaccard: 0.0, l1: 2.0 };
        };
        let (own, their) = (&ours[topic], &theirs[match_ as usize]);
        TopicAgreement {
            topic: topic as u64,
            other: Some(match_),
            jaccard: jaccard(own, their, words),
            l1: l1(own, their),
        }
    };
    Ok((0..ours.len()).map(agree).collect())
}

/// |A ∩ B| / |A ∪ B| of the `words` most probable words of two topics.
fn jaccard(a: &SavedTopic, b: &SavedTopic, words: usize) -> f64 {
    let top = |topic: &SavedTopic| -> HashSet<i64> {
        topic.terms.iter().take(words).map(|&(term, _)| term).collect()
    };
    let (a, b) = (top(a), top(b));
    let all = a.union(&b).count();
    if all == 0 { 0.0 } else { a.intersection(&b).count() as f64 / all as f64 }
}

/// Σ_i |p_i − q_i| over the words of either topic, summed in the order of the first's words and
/// then of the second's.
fn l1(a: &SavedTopic, b: &SavedTopic) -> f64 {
    let of = |topic: &SavedTopic| -> HashMap<i64, f64> { topic.terms.iter().copied().collect() };
    let (of_a, of_b) = (of(a), of(b));
    let first = a.terms.iter().map(|(term, p)| (p - of_b.get(term).unwrap_or(&0.0)).abs());
    let rest = b.terms.iter().filter(|(term, _)| !of_a.contains_key(term)).map(|&(_, q)| q);
    first.chain(rest).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic(terms: &[(i64, f64)]) -> SavedTopic {
        let (anchor_term_id, characteristic) = (None, Vec::new());
        SavedTopic { weight: 1.0, anchor_term_id, terms: terms.to_vec(), characteristic }
    }

    #[test]
    fn agreement_is_that_of_words_and_of_probabilities() {
        let a = topic(&[(1, 0.5), (2, 0.3), (3, 0.2)]);
        let b = topic(&[(2, 0.6), (4, 0.4)]);
        assert_eq!(jaccard(&a, &b, 2), 1.0 / 3.0);
        assert!((l1(&a, &b) - (0.5 + 0.3 + 0.2 + 0.4)).abs() < 1e-15);
        assert_eq!((jaccard(&a, &a, 10), l1(&a, &a)), (1.0, 0.0));
        assert_eq!(jaccard(&topic(&[]), &topic(&[]), 5), 0.0);
    }
}
