//! Which topics occur together more often than by chance.

use std::collections::HashMap;

use topoi_store::id::RunId;
use topoi_store::result::topic::Topic;
use topoi_store::{Store, StoreError};

/// Lower bound of lifts in the clustering.
const LEAST_LIFT: f64 = 1.0 / 16.0;

/// Lift of two topics: how much more often than by chance two tokens of a document are of them.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicLifts {
    /// K × K in row-major order: A_kl·ΣA / (Σ_l A_kl · Σ_k A_kl). 1 is chance; the diagonal is how much a topic
    /// occurs with itself.
    pub lifts: Vec<f64>,
    /// All topics, ordered so that those that occur together are adjacent.
    pub order: Vec<usize>,
}

impl TopicLifts {
    /// The lift of two topics.
    pub fn lift(&self, a: usize, b: usize) -> f64 {
        self.lifts[a * self.order.len() + b]
    }
}

/// The lifts of run `run`; `None` for models without topic correlations. O(K³) for the order.
pub fn topic_lifts(store: &Store, run: RunId) -> Result<Option<TopicLifts>, StoreError> {
    let joint = store.saved_correlations(run)?;
    let k = joint.len().isqrt();
    Ok((k > 0 && k * k == joint.len()).then(|| lifts(&joint, k)))
}

/// Positions of the topics in an order in which those with the same words are adjacent, by their overlap over the
/// words they are given with. O(K³).
pub fn order_by_words(topics: &[Topic]) -> Vec<usize> {
    let k = topics.len();
    let mut of_word: HashMap<&str, Vec<(usize, f64)>> = HashMap::new();
    let mut shared = vec![0.0; k * k];
    for (at, topic) in topics.iter().enumerate() {
        let all: f64 = topic.words.iter().map(|word| word.probability).sum();
        for word in &topic.words {
            let own = word.probability / all.max(f64::MIN_POSITIVE);
            let others = of_word.entry(&word.word).or_default();
            for &(other, its) in others.iter() {
                shared[at * k + other] += own.min(its);
                shared[other * k + at] += own.min(its);
            }
            others.push((at, own));
        }
    }
    neighbours(&shared, k)
}

fn lifts(joint: &[f64], k: usize) -> TopicLifts {
    let sums: Vec<f64> = joint.chunks(k).map(|row| row.iter().sum()).collect();
    let total: f64 = sums.iter().sum();
    let lift = |at: usize| {
        let chance = sums[at / k] * sums[at % k];
        if chance > 0.0 { joint[at] * total / chance } else { 0.0 }
    };
    let lifts: Vec<f64> = (0..joint.len()).map(lift).collect();
    let order = neighbours(&lifts, k);
    TopicLifts { lifts, order }
}

/// An order in which topics that occur together are adjacent: the leaves of average-linkage clustering on log lifts
/// (Sokal and Michener 1958). Each cluster is turned so that the touching topics are the most similar of the four
/// ways.
fn neighbours(lifts: &[f64], k: usize) -> Vec<usize> {
    let alike =
        |a: usize, b: usize| (lifts[a * k + b] + lifts[b * k + a]).max(2.0 * LEAST_LIFT).ln();
    let mut clusters: Vec<Vec<usize>> = (0..k).map(|topic| vec![topic]).collect();
    let mut between: Vec<Vec<f64>> =
        (0..k).map(|a| (0..k).map(|b| alike(a, b)).collect()).collect();
    while clusters.len() > 1 {
        let pairs = (0..clusters.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let nearest = pairs.reduce(|best, pair| {
            if between[pair.0][pair.1] > between[best.0][best.1] { pair } else { best }
        });
        let Some((a, b)) = nearest else { break };
        let (size_a, size_b) = (clusters[a].len() as f64, clusters[b].len() as f64);
        let mean = |(of_a, of_b): (&f64, &f64)| (size_a * of_a + size_b * of_b) / (size_a + size_b);
        let means: Vec<f64> = between[a].iter().zip(&between[b]).map(mean).collect();
        for (row, mean) in between.iter_mut().zip(&means) {
            row[a] = *mean;
        }
        between[a] = means;
        let second = clusters.remove(b);
        between.remove(b);
        for row in &mut between {
            row.remove(b);
        }
        let first = std::mem::take(&mut clusters[a]);
        clusters[a] = joined(first, second, alike);
    }
    clusters.pop().unwrap_or_default()
}

fn joined(
    mut first: Vec<usize>,
    mut second: Vec<usize>,
    alike: impl Fn(usize, usize) -> f64,
) -> Vec<usize> {
    let ends = |cluster: &[usize]| (cluster[0], cluster[cluster.len() - 1]);
    let ((a, b), (c, d)) = (ends(&first), ends(&second));
    let ways = [(b, c), (b, d), (a, c), (a, d)].map(|(one, other)| alike(one, other));
    let best = (0..4).fold(0, |best, way| if ways[way] > ways[best] { way } else { best });
    if best >= 2 {
        first.reverse();
    }
    if best % 2 == 1 {
        second.reverse();
    }
    first.extend(second);
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_store::id::TopicNumber;
    use topoi_store::result::topic::Word;
    use topoi_store::result::topic_shares::TopicShares;

    #[test]
    fn independent_topics_have_a_lift_of_one() {
        let p = [0.5, 0.3, 0.2];
        // Unnormalised, as a run's A need not sum to 1.
        let joint: Vec<f64> = (0..9).map(|at| 1.07 * p[at / 3] * p[at % 3]).collect();
        let found = lifts(&joint, 3);
        assert!(found.lifts.iter().all(|lift| (lift - 1.0).abs() < 1e-12));
        assert_eq!(found.order.len(), 3);
    }

    #[test]
    fn topics_that_occur_together_stand_together() {
        let group = [0, 1, 0, 2, 1, 0, 2, 1];
        let joint: Vec<f64> =
            (0..64).map(|at| if group[at / 8] == group[at % 8] { 0.05 } else { 0.001 }).collect();
        let found = lifts(&joint, 8);
        let mut sorted = found.order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..8).collect::<Vec<_>>());
        let changes = found.order.windows(2).filter(|w| group[w[0]] != group[w[1]]).count();
        assert_eq!(changes, 2, "{:?}", found.order);
    }

    #[test]
    fn topics_with_the_same_words_stand_together() {
        let topic = |(number, words): (u64, &str)| Topic {
            topic: TopicNumber(number),
            shares: TopicShares { document_share: 0.2, token_share: None },
            anchor: None,
            label: None,
            labelled_by: None,
            words: words
                .split(' ')
                .map(|word| Word { word: word.into(), probability: 0.2 })
                .collect(),
            characteristic: Vec::new(),
        };
        let words = ["a b c", "x y z", "b c d", "y z w", "p q r"];
        let topics: Vec<Topic> = (0..).zip(words).map(topic).collect();
        let order = order_by_words(&topics);
        let place = |topic: usize| order.iter().position(|&at| at == topic).expect("all are there");
        assert_eq!((place(0).abs_diff(place(2)), place(1).abs_diff(place(3))), (1, 1), "{order:?}");
        assert!(order_by_words(&[]).is_empty());
    }

    #[test]
    fn topics_without_weight_have_no_lift() {
        let found = lifts(&[0.5, 0.0, 0.0, 0.0], 2);
        assert_eq!(found.lifts, [1.0, 0.0, 0.0, 0.0]);
    }
}
