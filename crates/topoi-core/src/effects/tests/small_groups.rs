//! Small groups and few clusters by simulation: how often a difference by chance is called
//! significant.

use rayon::prelude::*;

use super::corpora::{TOPICS, World};
use crate::effects::regression::Dependence;
use crate::fields::sums::{GroupSums, PooledSpread};

const CORPORA: u64 = 400;
/// Most that is allowed, in percent. At a false alarm rate of 5% in 3,200 tests, which count as 1,600
/// independent ones at least, it is passed by chance for fewer than one seed in a thousand (the seeds
/// are fixed).
const MOST: f64 = 7.0;

/// Percentage of tests at the level of 5% that call a difference significant where there is none: of a
/// group of `size` of the units among `units`, documents or clusters of `per_cluster` documents.
fn false_alarms(size: usize, units: usize, per_cluster: usize, lengths: [usize; 4]) -> f64 {
    let world = World::new();
    let documents = units * per_cluster;
    let categories: Vec<&str> =
        (0..documents).map(|at| if at / per_cluster < size { "z" } else { "a" }).collect();
    let clusters: Vec<u32> = (0..documents).map(|at| (at / per_cluster) as u32).collect();
    let dependence = match per_cluster {
        1 => Dependence::Independent,
        _ => Dependence::Clustered(clusters),
    };
    let of_corpus = |seed: u64| {
        let mut order: Vec<usize> = (0..units).collect();
        let mut rng = crate::random::stream(seed, "order of units");
        for at in (1..units).rev() {
            order.swap(at, rand::RngExt::random_range(&mut rng, 0..=at));
        }
        let corpus = world.corpus(seed, documents, |at| {
            let mut parameters = [0.1; TOPICS];
            if per_cluster > 1 {
                parameters[order[at / per_cluster] % TOPICS] += 0.3;
            }
            (parameters, lengths[at % 4])
        });
        let fit = corpus.regress(&world, &categories, &dependence);
        let is_alarm = |topic: &usize| fit.coefficient(*topic, 1).p.is_some_and(|p| p < 0.05);
        (0..TOPICS).filter(is_alarm).count()
    };
    let alarms: usize = (0..CORPORA).into_par_iter().map(of_corpus).sum();
    100.0 * alarms as f64 / (CORPORA as usize * TOPICS) as f64
}

fn assert_few(what: &[(String, f64)]) {
    let many: Vec<_> = what.iter().filter(|(_, found)| *found > MOST).collect();
    assert!(many.is_empty(), "{many:?}");
}

/// Documents of 12 to 200 tokens.
const MIXED: [usize; 4] = [12, 30, 60, 200];

#[test]
fn groups_of_1_to_40_documents() {
    let of = |size: usize| (format!("{size} documents"), false_alarms(size, 240, 1, MIXED));
    assert_few(&[1, 2, 3, 5, 10, 20, 40].map(of));
}

#[test]
fn four_to_forty_clusters_of_which_half_are_a_group() {
    let of = |count: usize| (format!("{count} clusters"), false_alarms(count / 2, count, 6, MIXED));
    assert_few(&[4, 6, 10, 20, 40].map(of));
}

#[test]
fn groups_of_1_to_20_of_40_clusters() {
    let of = |size: usize| (format!("{size} of 40 clusters"), false_alarms(size, 40, 5, MIXED));
    assert_few(&[1, 2, 3, 5, 10, 20].map(of));
}

/// The intervals of differences of groups, for groups of documents that are shorter than others, too.
#[test]
fn differences_of_groups_of_1_to_40_documents() {
    let world = World::new();
    for short in [false, true] {
        let alarms = |size: usize| {
            let of_corpus = |seed: u64| {
                let corpus = world.corpus(seed, 240, |at| {
                    let tokens = if short && at < size { 12 } else { MIXED[at % 4] };
                    ([0.1; TOPICS], tokens)
                });
                let mut groups = [GroupSums::new(TOPICS), GroupSums::new(TOPICS)];
                for (at, shares) in corpus.shares.outer_iter().enumerate() {
                    let shares: Vec<f64> = shares.iter().map(|share| f64::from(*share)).collect();
                    let group = &mut groups[usize::from(at < size)];
                    group.add(&shares, 1.0, corpus.inverse_tokens[at]);
                }
                let pooled =
                    PooledSpread::new(TOPICS, groups.iter(), world.linear.token_variances());
                let is_alarm = |topic: &usize| {
                    let [rest, own] = [0, 1].map(|at| pooled.share(&groups[at], *topic));
                    let difference = own.expect("a share").minus(rest.expect("a share"));
                    difference.interval.is_some_and(|(low, high)| low > 0.0 || high < 0.0)
                };
                (0..TOPICS).filter(is_alarm).count()
            };
            let all: usize = (0..CORPORA).into_par_iter().map(of_corpus).sum();
            let share = 100.0 * all as f64 / (CORPORA as usize * TOPICS) as f64;
            (format!("{size} documents, short {short}"), share)
        };
        assert_few(&[1, 2, 3, 5, 10, 20, 40].map(alarms));
    }
}

#[test]
fn one_document_or_one_cluster_has_no_interval_and_no_p() {
    let world = World::new();
    let corpus = world.corpus(1, 240, |at| ([0.1; TOPICS], MIXED[at % 4]));
    let fit = |size: usize, dependence: &Dependence| {
        let categories: Vec<&str> = (0..240).map(|at| if at < size { "z" } else { "a" }).collect();
        let fit = corpus.regress(&world, &categories, dependence);
        (0..TOPICS).map(|topic| fit.coefficient(topic, 1)).collect::<Vec<_>>()
    };
    let one = fit(1, &Dependence::Independent);
    assert!(one.iter().all(|one| one.p.is_none() && one.interval.is_none() && one.error.is_none()));
    // Ten documents of one cluster are one cluster, too.
    let one = fit(10, &Dependence::Clustered((0..240).map(|at| at / 10).collect()));
    assert!(one.iter().all(|one| one.p.is_none() && one.interval.is_none()));
    // Where each cluster has a coefficient, their residuals tell nothing of how clusters differ.
    let categories: Vec<String> = (0..240).map(|at| format!("g{}", at / 60)).collect();
    let categories: Vec<&str> = categories.iter().map(String::as_str).collect();
    let clusters: Vec<u32> = (0..240).map(|at| at / 60).collect();
    let second: Vec<u32> = (0..240).map(|at| at % 7).collect();
    for dependence in
        [Dependence::Clustered(clusters.clone()), Dependence::TwoWay([clusters, second])]
    {
        let fit = corpus.regress(&world, &categories, &dependence);
        assert!((1..4).all(|at| fit.coefficient(0, at).p.is_none()));
        assert!(fit.joint(1..4).iter().all(Option::is_none));
    }
}
