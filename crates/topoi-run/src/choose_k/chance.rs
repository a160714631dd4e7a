//! The agreement expected by chance: the topics' words are redistributed at random.

use std::collections::{BTreeMap, HashMap};

use rand::RngExt;

use topoi_core::random::stream;
use topoi_store::id::TermId;
use topoi_store::result::topic::SavedTopic;

/// Number of random redistributions.
const SHUFFLES: usize = 10;

/// The expected mean Jaccard index of the `words` most probable words if those of the topics of each of `others` were
/// redistributed to its topics at random. Topics are matched greedily, which is nearly optimal for lists with little
/// in common. The mean is over ten redistributions and all of `others`.
///
/// # Cost
/// A few operations for every pair of topics with a word in common, ten times for each other run.
pub(super) fn by_chance(
    ours: &[SavedTopic],
    others: &[Vec<SavedTopic>],
    words: usize,
    seed: u64,
) -> f64 {
    let ours = lists(ours, words);
    let mut rng = stream(seed, "stability by chance");
    let mut sum = 0.0;
    for other in others {
        let lists = lists(other, words);
        let mut all = lists.concat();
        for _ in 0..SHUFFLES {
            for at in (1..all.len()).rev() {
                all.swap(at, rng.random_range(0..=at));
            }
            let mut rest = &all[..];
            let dealt = lists.iter().map(|list| {
                let (own, after) = rest.split_at(list.len());
                rest = after;
                own.to_vec()
            });
            sum += agreement(&ours, &dealt.collect::<Vec<_>>());
        }
    }
    sum / (SHUFFLES * others.len()).max(1) as f64
}

fn lists(topics: &[SavedTopic], words: usize) -> Vec<Vec<TermId>> {
    let list = |topic: &SavedTopic| topic.terms.iter().take(words).map(|&(term, _)| term).collect();
    topics.iter().map(list).collect()
}

/// The mean Jaccard index of our lists and their matches; 0 for an unmatched list. A word that a list got twice
/// counts once.
fn agreement(ours: &[Vec<TermId>], theirs: &[Vec<TermId>]) -> f64 {
    let mut with_word: HashMap<TermId, Vec<usize>> = HashMap::new();
    for (list, words) in ours.iter().enumerate() {
        words.iter().for_each(|&word| with_word.entry(word).or_default().push(list));
    }
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (other, words) in theirs.iter().enumerate() {
        let mut words = words.clone();
        words.sort_unstable();
        words.dedup();
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for list in words.iter().filter_map(|word| with_word.get(word)).flatten() {
            *shared.entry(*list).or_default() += 1;
        }
        pairs.extend(shared.into_iter().map(|(list, shared)| {
            (shared as f64 / (ours[list].len() + words.len() - shared) as f64, list, other)
        }));
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut is_free, mut is_left) = (vec![true; ours.len()], vec![true; theirs.len()]);
    let mut sum = 0.0;
    for (jaccard, list, other) in pairs {
        if is_free[list] && is_left[other] {
            (is_free[list], is_left[other]) = (false, false);
            sum += jaccard;
        }
    }
    sum / ours.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_store::result::topic_shares::TopicShares;

    fn topic(words: std::ops::Range<i64>) -> SavedTopic {
        let terms = words.map(|word| (TermId(word), 0.1)).collect();
        SavedTopic {
            shares: TopicShares { document_share: 0.5, token_share: None },
            anchor_term_id: None,
            terms,
            characteristic: Vec::new(),
        }
    }

    #[test]
    fn lists_are_matched_best_first_and_one_that_none_is_left_for_counts_as_0() {
        let lists = |lists: &[&[i64]]| -> Vec<Vec<TermId>> {
            lists.iter().map(|list| list.iter().copied().map(TermId).collect()).collect()
        };
        let ours = lists(&[&[1, 2, 3], &[3, 4, 5], &[9]]);
        let theirs = lists(&[&[3, 4, 1, 1], &[1, 2, 3]]);
        assert!((agreement(&ours, &theirs) - (1.0 + 2.0 / 4.0) / 3.0).abs() < 1e-15);
        assert_eq!(agreement(&[], &theirs), 0.0);
    }

    #[test]
    fn chance_gives_little_to_many_topics_and_much_to_two_and_is_the_same_every_time() {
        let topics = |count: i64| -> Vec<SavedTopic> {
            (0..count).map(|at| topic(10 * at..10 * at + 10)).collect()
        };
        let of = |count| by_chance(&topics(count), &[topics(count), topics(count)], 10, 1);
        // Two random lists of ten share five words on average, and slightly more after matching.
        assert!((0.33..0.55).contains(&of(2)), "{}", of(2));
        assert!((0.03..0.2).contains(&of(40)), "{}", of(40));
        assert_eq!(of(40), of(40));
        assert_eq!(by_chance(&topics(3), &[], 10, 1), 0.0);
        assert_eq!(by_chance(&[topic(0..0)], &[vec![topic(0..0)]], 10, 1), 0.0);
    }
}
