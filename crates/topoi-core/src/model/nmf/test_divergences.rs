//! Updates for every divergence and prior, compared with the formulas of the paper on dense
//! matrices.

use ndarray::{Array1, Array2, Axis};

use super::divergence::ABSENT;
use super::test_iterate::{assert_adds_the_same, begun, counts, fitted, found};
use super::{Divergence, NmfSettings, Norm, Prior};
use crate::model::nmf_ard;
use crate::model::setting::Choices;

/// Tan and Févotte 2013, algorithms 1 (ℓ2) and 2 (ℓ1), with φ = 1.
struct DenseNmf {
    v: Array2<f64>,
    w: Array2<f64>,
    h: Array2<f64>,
    beta: f64,
    norm: Norm,
    b: f64,
    c: f64,
    scales: Array1<f64>,
}

impl DenseNmf {
    fn new(x: &Array2<u32>, settings: &NmfSettings, w: Array2<f64>) -> Self {
        let Prior::Relevance { shape, norm } = settings.prior else { panic!("a prior") };
        let beta = match settings.divergence {
            Divergence::ItakuraSaito => 0.0,
            Divergence::Kl => 1.0,
            Divergence::Euclidean => 2.0,
        };
        let x = x.mapv(f64::from);
        let (k, (words, documents)) = (settings.topics as f64, x.dim());
        let (lengths, weight) = (x.sum_axis(Axis(0)), w.column(0).sum());
        let h =
            Array2::from_shape_fn((settings.topics, documents), |(_, j)| lengths[j] / k / weight);
        let (all, mean) = ((words + documents) as f64, x.sum() / (words * documents) as f64);
        let (b, c) = match norm {
            Norm::L1 => (((shape - 1.0) * (shape - 2.0) * mean / k).sqrt(), all + shape + 1.0),
            Norm::L2 => {
                (std::f64::consts::PI * (shape - 1.0) * mean / (2.0 * k), all / 2.0 + shape + 1.0)
            }
        };
        let v = if beta == 0.0 { x.mapv(|x| x.max(ABSENT)) } else { x };
        let even = h.sum_axis(Axis(1)).mapv(|sum| sum * sum / documents as f64 / 2.0);
        let mut plain = Self { v, w, h, beta, norm, b, c, scales: Array1::zeros(0) };
        plain.scales = (plain.norms() + b) / c;
        if norm == Norm::L2 {
            // The initial λ assumes equally long documents.
            let of_w = plain.w.mapv(|w| w * w / 2.0).sum_axis(Axis(0));
            plain.scales = (of_w + even + b) / c;
        }
        plain
    }

    fn norms(&self) -> Array1<f64> {
        let f = |x: &f64| if self.norm == Norm::L1 { *x } else { x * x / 2.0 };
        self.w.map(f).sum_axis(Axis(0)) + self.h.map(f).sum_axis(Axis(1))
    }

    fn power(&self) -> f64 {
        match (self.norm, self.beta < 1.0) {
            (Norm::L1, true) => 1.0 / (2.0 - self.beta),
            (Norm::L1, false) => 1.0,
            (Norm::L2, _) => 1.0 / (3.0 - self.beta),
        }
    }

    fn updated(
        &self,
        factor: &Array2<f64>,
        [up, down]: [Array2<f64>; 2],
        by_row: bool,
    ) -> Array2<f64> {
        Array2::from_shape_fn(factor.dim(), |at| {
            let scale = self.scales[if by_row { at.0 } else { at.1 }];
            let own = if self.norm == Norm::L1 { 1.0 } else { factor[at] };
            factor[at] * (up[at] / (down[at] + own / scale)).powf(self.power())
        })
    }

    fn objective(&self) -> f64 {
        let y = self.w.dot(&self.h);
        let divergence = self.v.iter().zip(&y).map(|(&v, &y)| match self.beta {
            0.0 => v / y - (v / y).ln() - 1.0,
            1.0 => {
                if v > 0.0 {
                    v * (v / y).ln() - v + y
                } else {
                    y
                }
            }
            _ => (v - y).powi(2) / 2.0,
        });
        let prior = (self.norms() + self.b) / &self.scales + self.scales.mapv(f64::ln) * self.c;
        divergence.sum::<f64>() + prior.sum()
    }

    fn iterate(&mut self, updates: usize) -> f64 {
        let terms = |w: &Array2<f64>, h: &Array2<f64>| {
            // A word in no document stays at 0.
            let y = w.dot(h).mapv(|y| y.max(1e-300));
            [y.mapv(|y| y.powf(self.beta - 2.0)) * &self.v, y.mapv(|y| y.powf(self.beta - 1.0))]
        };
        let mut h = self.h.clone();
        for _ in 0..updates {
            let both = terms(&self.w, &h).map(|term| self.w.t().dot(&term));
            h = self.updated(&h, both, true);
        }
        let both = terms(&self.w, &h).map(|term| term.dot(&h.t()));
        self.h = h;
        let objective = self.objective();
        self.w = self.updated(&self.w, both, false);
        self.scales = (self.norms() + self.b) / self.c;
        objective
    }
}

fn all_rules(topics: usize) -> impl Iterator<Item = NmfSettings> {
    Divergence::ALL.iter().flat_map(move |&divergence| {
        Norm::ALL.iter().map(move |&prior| {
            nmf_ard::Settings { prior, divergence, shape: 5.0, ..Default::default() }
                .for_topics(topics)
        })
    })
}

#[test]
fn iterations_of_every_divergence_and_prior_are_those_of_the_formulas() {
    let x = counts(13, 40, 4, 1);
    for topics in [3, 8, 11] {
        for settings in all_rules(topics) {
            let settings = NmfSettings { tolerance: 0.0, iterations: 12, ..settings };
            let mut plain = DenseNmf::new(&x, &settings, begun(&x, &settings).w);
            let state = fitted(&x, settings);
            for &objective in &state.objectives {
                let expected = plain.iterate(settings.updates);
                let off = (objective / expected - 1.0).abs();
                assert!(off < 1e-9, "{settings:?}: {objective} {expected}");
            }
            assert_adds_the_same(&state, &plain.w, &plain.h);
        }
    }
}

#[test]
fn no_objective_rises_and_topics_that_are_not_needed_vanish() {
    // Counts of four topics; the seeds are fixed.
    let x = counts(60, 300, 4, 20);
    for settings in all_rules(9) {
        let settings = NmfSettings { iterations: 400, tolerance: 1e-8, ..settings };
        let found = found(&x, &settings, 1);
        let is_rise = |pair: &[f64]| pair[1] > pair[0] + 1e-9 * pair[0].abs();
        assert!(!found.objectives.windows(2).any(is_rise), "{settings:?}");
        let relevant = found.relevant_topics.expect("of nmf-ard");
        assert!((4..=6).contains(&relevant), "{settings:?}: {relevant}");
    }
}

#[test]
fn a_larger_shape_keeps_more_topics() {
    let x = counts(60, 300, 4, 21);
    let relevant = |shape| {
        let settings =
            nmf_ard::Settings { shape, iterations: 1500, ..Default::default() }.for_topics(12);
        found(&x, &settings, 1).relevant_topics.expect("of nmf-ard")
    };
    assert!(relevant(3.0) < relevant(3000.0), "{} {}", relevant(3.0), relevant(3000.0));
}
