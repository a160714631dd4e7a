//! Small groups by simulation: how often a difference by chance is called significant.

use std::collections::BTreeMap;

use rand::RngExt;
use rayon::prelude::*;

use super::design::{Design, FieldValues};
use super::estimate::{Estimate, Posteriors, StandardErrors, estimate};
use super::expression::Expression;
use crate::progress::Silent;
use crate::random::{dirichlet::dirichlet, stream};

const TOPICS: usize = 8;
const DOCUMENTS: usize = 240;
const TOKENS: usize = 60;
/// Words that only one topic has; each topic also has every word of the next.
const WORDS: usize = 3;
/// Share of a topic's words that are its own.
const OWN: f64 = 0.8;

/// Posteriors estimated from simulated words: shares are drawn, words are drawn from them, and the
/// shares are estimated again.
struct Read(Vec<[f64; TOPICS]>);

impl Posteriors for Read {
    fn topics(&self) -> usize {
        TOPICS
    }

    fn parameters(&self, document: usize, into: &mut [f64]) {
        into.copy_from_slice(&self.0[document]);
    }
}

/// α plus the expected tokens of each topic, after 20 steps of expectation maximisation over the
/// words.
fn read(counts: &[f64]) -> [f64; TOPICS] {
    let mut shares = [1.0 / TOPICS as f64; TOPICS];
    let probability = |word: usize, topic: usize| match word / WORDS {
        of if of == topic => OWN / WORDS as f64,
        of if of == (topic + 1) % TOPICS => (1.0 - OWN) / WORDS as f64,
        _ => 0.0,
    };
    let mut expected = [0.0; TOPICS];
    for _ in 0..20 {
        expected = [0.1; TOPICS];
        for (word, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
            let topics = [word / WORDS, (word / WORDS + TOPICS - 1) % TOPICS];
            let each = topics.map(|topic| shares[topic] * probability(word, topic));
            let all: f64 = each.iter().sum();
            topics.iter().zip(each).for_each(|(topic, own)| expected[*topic] += count * own / all);
        }
        let all: f64 = expected.iter().sum();
        shares = expected.map(|own| own / all);
    }
    expected
}

/// Documents with shares from one distribution. With `clusters`, the documents of a cluster lean to
/// one topic.
fn corpus(number: u64, clusters: Option<&[u32]>) -> Read {
    let mut rng = stream(number, "documents of small groups");
    let document = |at: usize| {
        let mut shares = [0.1; TOPICS];
        if let Some(clusters) = clusters {
            shares[clusters[at] as usize % TOPICS] += 0.3;
        }
        dirichlet(&mut rng, &mut shares);
        let mut counts = [0.0; TOPICS * WORDS];
        for _ in 0..TOKENS {
            let mut left = rng.random::<f64>();
            let topic = shares.iter().position(|share| {
                left -= share;
                left < 0.0
            });
            let topic = topic.unwrap_or(TOPICS - 1);
            let of = if rng.random::<f64>() < OWN { topic } else { (topic + 1) % TOPICS };
            counts[of * WORDS + rng.random_range(0..WORDS)] += 1.0;
        }
        read(&counts)
    };
    Read((0..DOCUMENTS).map(document).collect())
}

fn effects_of_group(read: &Read, size: usize, errors: &StandardErrors) -> Vec<Estimate> {
    let name = |at: usize| Some(if at < size { "z" } else { "a" }.to_string());
    let group = FieldValues::Category((0..DOCUMENTS).map(name).collect());
    let fields = BTreeMap::from([("g".to_string(), group)]);
    let expression = Expression::parse("~ g").expect("an expression");
    let design = Design::new(&expression, &fields, DOCUMENTS).expect("a design");
    let effects = estimate(&design, read, errors, (3, 1), &[], &Silent).expect("effects");
    (0..TOPICS).map(|topic| effects.coefficient(topic, 1)).collect()
}

/// Percentage of topics, over many corpora, that are called different at the 5% level.
fn false_alarms(size: usize, clusters: Option<&[u32]>) -> f64 {
    let errors = clusters
        .map_or(StandardErrors::Robust, |clusters| StandardErrors::Clustered(clusters.to_vec()));
    let corpora = 100;
    let alarms = |number: u64| {
        let found = effects_of_group(&corpus(number, clusters), size, &errors);
        found.iter().filter(|one| one.p.expect("a p") < 0.05).count()
    };
    let alarms: usize = (0..corpora).into_par_iter().map(alarms).sum();
    100.0 * alarms as f64 / (corpora as usize * TOPICS) as f64
}

#[test]
fn one_document_or_one_cluster_has_no_interval_and_no_p() {
    let one = effects_of_group(&corpus(1, None), 1, &StandardErrors::Robust);
    assert!(one.iter().all(|one| one.p.is_none() && one.interval.is_none() && one.error.is_none()));
    // Ten documents of one cluster are one cluster, too.
    let clusters: Vec<u32> = (0..DOCUMENTS as u32).map(|at| at / 10).collect();
    let errors = StandardErrors::Clustered(clusters.clone());
    let one = effects_of_group(&corpus(1, Some(&clusters)), 10, &errors);
    assert!(one.iter().all(|one| one.p.is_none() && one.interval.is_none()));
}

/// Words are drawn from topics, and no group differs. At a false alarm rate of 5%, more than 8% of
/// 800 tests would be false for fewer than one seed in a thousand, even if tests of one corpus were
/// as dependent as 400 tests (the seeds are fixed).
#[test]
fn groups_of_2_to_40_documents_are_called_different_in_at_most_8_percent() {
    for size in [2, 3, 5, 10, 20, 40] {
        let found = false_alarms(size, None);
        assert!(found <= 8.0, "{size} documents: {found}%");
    }
}

/// The same for groups of 2 to 20 clusters of 5 documents that lean to a topic.
#[test]
fn groups_of_2_to_20_clusters_are_called_different_in_at_most_8_percent() {
    let mut rng = stream(3, "order of clusters");
    let mut order: Vec<u32> = (0..DOCUMENTS as u32 / 5).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, rng.random_range(0..=at));
    }
    let clusters: Vec<u32> = (0..DOCUMENTS).map(|at| order[at / 5]).collect();
    for size in [2, 3, 5, 10, 20] {
        let found = false_alarms(5 * size, Some(&clusters));
        assert!(found <= 8.0, "{size} clusters: {found}%");
    }
}
