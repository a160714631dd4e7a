//! Effects in corpora of words: that they are unbiased, and that intervals hold the truth.

use rayon::prelude::*;

use super::corpora::{TOPICS, World};
use crate::effects::regression::Dependence;
use crate::random::{dirichlet::dirichlet, stream};

const CORPORA: u64 = 1000;

/// Dirichlet parameters of documents of both kinds: topic 0 grows, topic 1 shrinks.
fn parameters(is_second: bool) -> [f64; TOPICS] {
    let mut parameters = [0.15; TOPICS];
    if is_second {
        parameters[0] = 0.35;
        parameters[1] = 0.05;
    }
    parameters
}

/// The difference of both kinds' mean shares of topic 0, 1 and 2.
fn truth() -> [f64; 3] {
    let mean = |is_second: bool, topic: usize| {
        let parameters = parameters(is_second);
        parameters[topic] / parameters.iter().sum::<f64>()
    };
    [0, 1, 2].map(|topic| mean(true, topic) - mean(false, topic))
}

/// Which documents of a simulated corpus depend on each other.
#[derive(Debug, Clone, Copy)]
enum Corpora {
    /// 160 documents, none.
    Independent,
    /// 160 documents in 40 clusters of 4, each of one kind. A cluster has mean shares of its own.
    Clusters,
    /// 576 documents of 24 authors, each of one kind, and 24 venues: mean shares are half those of the author, half
    /// those of the venue.
    TwoWays,
}

impl Corpora {
    fn documents(self) -> usize {
        if matches!(self, Self::TwoWays) { 576 } else { 160 }
    }

    /// The cluster of a document that its kind is of.
    fn cluster(self, document: usize) -> usize {
        match self {
            Self::Independent => document,
            Self::Clusters => document / 4,
            Self::TwoWays => document / 24,
        }
    }

    fn dependence(self) -> Dependence {
        let clusters = |of: &dyn Fn(usize) -> usize| {
            (0..self.documents()).map(|document| of(document) as u32).collect()
        };
        match self {
            Self::Independent => Dependence::Independent,
            Self::Clusters => Dependence::Clustered(clusters(&|at| self.cluster(at))),
            Self::TwoWays => {
                Dependence::TwoWay([clusters(&|at| self.cluster(at)), clusters(&|at| at % 24)])
            }
        }
    }

    /// The faults of effects over 1,000 corpora of documents with `tokens` tokens: a mean that is off by
    /// more than 3% of a truth that is not nearly 0, or intervals that hold it in fewer than 93% or more
    /// than 97%.
    fn faults(self, tokens: usize) -> Vec<String> {
        let world = World::new();
        let kind = |document: usize| if self.is_second(document) { "b" } else { "a" };
        let kinds: Vec<&str> = (0..self.documents()).map(kind).collect();
        let dependence = self.dependence();
        let estimates = |seed: u64| {
            let means = self.means(seed);
            let corpus = world.corpus(seed, self.documents(), |at| (means[at], tokens));
            let fit = corpus.regress(&world, &kinds, &dependence);
            [0, 1, 2].map(|topic| {
                let one = fit.coefficient(topic, 1);
                (one.value, one.interval.expect("an interval"))
            })
        };
        let found: Vec<[(f64, (f64, f64)); 3]> =
            (0..CORPORA).into_par_iter().map(estimates).collect();
        let part = if matches!(self, Self::TwoWays) { 0.5 } else { 1.0 };
        let truth = truth().map(|truth| part * truth);
        let mut faults = Vec::new();
        for topic in 0..3 {
            let mean = found.iter().map(|corpus| corpus[topic].0).sum::<f64>() / CORPORA as f64;
            let held = found.iter().filter(|corpus| {
                let (low, high) = corpus[topic].1;
                (low..=high).contains(&truth[topic])
            });
            let held = held.count();
            let of_truth = mean / truth[topic];
            if truth[topic].abs() > 0.05 && (of_truth - 1.0).abs() > 0.03 {
                faults
                    .push(format!("{self:?}, {tokens}, topic {topic}: {of_truth:.3} of the truth"));
            }
            if !(930..=970).contains(&held) {
                faults.push(format!("{self:?}, {tokens}, topic {topic}: {held} of 1000 hold"));
            }
        }
        faults
    }

    fn is_second(self, document: usize) -> bool {
        !self.cluster(document).is_multiple_of(2)
    }

    /// The Dirichlet parameters of every document.
    fn means(self, seed: u64) -> Vec<[f64; TOPICS]> {
        let mut rng = stream(seed, "mean shares of clusters");
        let mut drawn = |is_second: bool| {
            let mut shares = parameters(is_second).map(|parameter| 4.0 * parameter);
            dirichlet(&mut rng, &mut shares);
            shares
        };
        let clusters: Vec<[f64; TOPICS]> =
            (0..self.documents()).map(|at| drawn(!at.is_multiple_of(2))).collect();
        let venues: Vec<[f64; TOPICS]> = (0..24).map(|_| drawn(false)).collect();
        let mean = |document: usize| {
            let own = clusters[self.cluster(document)];
            match self {
                Self::Independent => parameters(self.is_second(document)),
                Self::Clusters => own.map(|share| 1.5 * share + 1e-6),
                Self::TwoWays => {
                    let venue = venues[document % 24];
                    std::array::from_fn(|topic| 0.75 * (own[topic] + venue[topic]) + 1e-6)
                }
            }
        };
        (0..self.documents()).map(mean).collect()
    }
}

/// Where intervals are exact a count outside of 930 to 970 comes by chance in four of a thousand
/// seeds (the seeds are fixed).
#[test]
fn effects_are_unbiased_and_intervals_hold_at_12_60_and_200_tokens() {
    for tokens in [12, 60, 200] {
        assert_eq!(Corpora::Independent.faults(tokens), Vec::<String>::new());
    }
}

#[test]
fn they_hold_for_documents_in_clusters() {
    for tokens in [12, 60] {
        assert_eq!(Corpora::Clusters.faults(tokens), Vec::<String>::new());
    }
}

#[test]
fn they_hold_for_documents_in_clusters_of_two_ways() {
    assert_eq!(Corpora::TwoWays.faults(60), Vec::<String>::new());
}
