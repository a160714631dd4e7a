//! Updates compared with a direct implementation on dense matrices.

use ndarray::{Array2, Axis};
use rand::RngExt;
use sprs::TriMat;

use super::coordinates::improved_coordinate;
use super::iterate::{State, Updates, start};
use super::relevance::DataSize;
use super::{Nmf, NmfSettings, Prior, nmf};
use crate::progress::Silent;
use crate::random::stream;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::documents::Documents;
use crate::stream::memory::MatrixSource;

/// Counts (words × documents) around W·H of `rank` topics; every document has at least two tokens.
pub(super) fn counts(words: usize, documents: usize, rank: usize, seed: u64) -> Array2<u32> {
    let mut rng = stream(seed, "nmf counts");
    let mut draw = |rows, columns| {
        // Most entries are small, so topics differ strongly.
        Array2::from_shape_simple_fn((rows, columns), || 6.0 * rng.random::<f64>().powi(6))
    };
    let (w, h) = (draw(words, rank), draw(rank, documents));
    let mut x = w.dot(&h).mapv(|mean| mean.round() as u32);
    x.row_mut(0).mapv_inplace(|count| count + 2);
    x
}

fn source(x: &Array2<u32>) -> MatrixSource {
    let mut entries = TriMat::new((x.ncols(), x.nrows()));
    for ((word, document), &count) in x.indexed_iter().filter(|(_, count)| **count > 0) {
        entries.add_triplet(document, word, count);
    }
    MatrixSource::new(entries.to_csr(), 7)
}

/// W, H and λ of the direct implementation, on dense matrices.
struct DenseNmf {
    x: Array2<f64>,
    w: Array2<f64>,
    h: Array2<f64>,
    b: f64,
    c: f64,
    scales: Option<Vec<f64>>,
    before: Array2<f64>,
    objectives: Vec<f64>,
}

impl DenseNmf {
    fn new(x: &Array2<u32>, settings: &NmfSettings, w: Array2<f64>) -> Self {
        let x = x.mapv(f64::from);
        let (words, documents) = x.dim();
        let k = settings.topics;
        let weight = w.column(0).sum();
        let lengths = x.sum_axis(Axis(0));
        let h = Array2::from_shape_fn((k, documents), |(_, j)| lengths[j] / k as f64 / weight);
        let before = w.clone();
        let objectives = Vec::new();
        let mut plain = Self { x, w, h, b: 0.0, c: 0.0, scales: None, before, objectives };
        if let Prior::Relevance { shape, .. } = settings.prior {
            let mean = plain.x.sum() / (words * documents) as f64;
            plain.b = ((shape - 1.0) * (shape - 2.0) * mean / k as f64).sqrt();
            plain.c = (words + documents) as f64 + shape + 1.0;
            plain.scales = Some(plain.best_scales());
        }
        plain
    }

    fn best_scales(&self) -> Vec<f64> {
        let (w, h) = (self.w.sum_axis(Axis(0)), self.h.sum_axis(Axis(1)));
        w.iter().zip(&h).map(|(w, h)| (w + h + self.b) / self.c).collect()
    }

    fn penalty(&self, topic: usize) -> f64 {
        self.scales.as_ref().map_or(0.0, |scales| 1.0 / scales[topic])
    }

    /// x/(WH), 0 where x is.
    fn ratios(&self) -> Array2<f64> {
        let p = self.w.dot(&self.h);
        let ratio = |at| if self.x[at] > 0.0 { self.x[at] / p[at] } else { 0.0 };
        Array2::from_shape_fn(self.x.dim(), ratio)
    }

    fn objective(&self) -> f64 {
        let p = self.w.dot(&self.h);
        let each = self.x.iter().zip(&p).map(|(&x, &p)| {
            let cross = if x > 0.0 { x * (x / p).ln() } else { 0.0 };
            cross - x + p
        });
        let (w, h) = (self.w.sum_axis(Axis(0)), self.h.sum_axis(Axis(1)));
        let prior = self
            .scales
            .iter()
            .flatten()
            .enumerate()
            .map(|(topic, scale)| (w[topic] + h[topic] + self.b) / scale + self.c * scale.ln());
        each.sum::<f64>() + prior.sum::<f64>()
    }

    /// Iterations since the last rise of the objective.
    fn falls(&self) -> usize {
        let rise = self.objectives.windows(2).rposition(|pair| pair[1] > pair[0]);
        self.objectives.len() - rise.map_or(0, |at| at + 2)
    }

    /// An iteration of `nmf-kl`, with extrapolation of W and coordinate descent on h.
    fn iterate_flat(&mut self, updates: usize) -> f64 {
        let power =
            [0.0, 0.5, 0.75][usize::from(self.falls() > 0) + usize::from(self.falls() > 10)];
        let extrapolated =
            |(&now, &before): (&f64, &f64)| now * (now / before).clamp(0.1, 10.0).powf(power);
        let further = self.w.iter().zip(&self.before).map(extrapolated).collect();
        let further = Array2::from_shape_vec(self.w.dim(), further).expect("as many entries");
        self.before = std::mem::replace(&mut self.w, further);
        let sums = self.w.sum_axis(Axis(0));
        let gradient = self.w.t().dot(&self.ratios());
        // Topics of weight 0 that the gradient does not raise are left out.
        let is_active = Array2::from_shape_fn(self.h.dim(), |(k, j)| {
            self.h[(k, j)] > 0.0 || gradient[(k, j)] > sums[k]
        });
        for _ in 0..updates {
            for j in 0..self.x.ncols() {
                for k in (0..sums.len()).filter(|&k| is_active[(k, j)]) {
                    let p = self.w.dot(&self.h.column(j));
                    let shares = &self.w.column(k) / &p;
                    let pull = self.x.column(j).dot(&shares);
                    let curvature = self.x.column(j).dot(&(&shares * &shares));
                    self.h[(k, j)] = improved_coordinate(self.h[(k, j)], pull, curvature, sums[k]);
                }
            }
        }
        self.objectives.push(self.objective());
        let products = self.ratios().dot(&self.h.t());
        self.w = &self.w * &products / self.h.sum_axis(Axis(1));
        self.w.mapv_inplace(|entry| entry.max(1e-60));
        let scale = self.w.sum_axis(Axis(0));
        self.w = &self.w / &scale;
        self.h = &self.h * &scale.insert_axis(Axis(1));
        self.objectives[self.objectives.len() - 1]
    }

    fn iterate(&mut self, updates: usize) -> f64 {
        match self.scales {
            Some(_) => self.iterate_multiplicative(updates),
            None => self.iterate_flat(updates),
        }
    }

    fn iterate_multiplicative(&mut self, updates: usize) -> f64 {
        for _ in 0..updates {
            let products = self.w.t().dot(&self.ratios());
            let sums = self.w.sum_axis(Axis(0));
            let old = self.h.clone();
            self.h = Array2::from_shape_fn(old.dim(), |(k, j)| {
                old[(k, j)] * products[(k, j)] / (sums[k] + self.penalty(k))
            });
        }
        let objective = self.objective();
        let products = self.ratios().dot(&self.h.t());
        let sums = self.h.sum_axis(Axis(1));
        let old = self.w.clone();
        self.w = Array2::from_shape_fn(old.dim(), |(i, k)| {
            old[(i, k)] * products[(i, k)] / (sums[k] + self.penalty(k))
        });
        if self.scales.is_some() {
            self.scales = Some(self.best_scales());
        }
        objective
    }
}

#[test]
fn iterations_are_those_of_the_plain_updates() {
    let x = counts(13, 40, 4, 1);
    for topics in [3, 8, 11] {
        for settings in [NmfSettings::kl(topics), NmfSettings::ard(topics)] {
            for updates in [1, 3] {
                let settings = NmfSettings { updates, tolerance: 0.0, iterations: 12, ..settings };
                let mut plain = DenseNmf::new(&x, &settings, begun(&x, &settings).w);
                let state = fitted(&x, settings);
                for &objective in &state.objectives {
                    let expected = plain.iterate(updates);
                    assert!((objective / expected - 1.0).abs() < 1e-9, "{objective} {expected}");
                }
                assert_adds_the_same(&state, &plain.w, &plain.h);
            }
        }
    }
}

/// Asserts that each topic of `state` contributes what that of W and H does. Vanishing topics are
/// not compared by their words, which the floor of 10⁻⁶⁰ decides.
pub(super) fn assert_adds_the_same(state: &State, w: &Array2<f64>, h: &Array2<f64>) {
    let (ours, expected) = (&state.w * &state.sums, w * &h.sum_axis(Axis(1)));
    let off = (&ours - &expected).iter().fold(0.0f64, |most, off| most.max(off.abs()));
    assert!(off < 1e-9 * expected.sum(), "{off}");
}

pub(super) fn found(x: &Array2<u32>, settings: &NmfSettings, seed: u64) -> Nmf {
    let source = source(x);
    let positions: Vec<u32> = (0..x.nrows() as u32).collect();
    let documents = Documents::new(&source, &positions, 2, &Silent);
    let totals = CoOccurrence::new(&documents).expect("in memory").totals();
    nmf(&documents, totals, settings, seed, &Silent).expect("topics")
}

#[test]
fn the_objective_never_rises_without_extrapolation_nor_twice_in_a_row_with_it() {
    for seed in 0..5 {
        let x = counts(30, 120, 6, seed);
        for settings in [NmfSettings::kl(9), NmfSettings::ard(9)] {
            let found = found(&x, &NmfSettings { tolerance: 0.0, ..settings }, seed);
            assert_eq!(found.objectives.len(), settings.iterations);
            let is_rise = |pair: &[f64]| pair[1] > pair[0] * (1.0 + 1e-12);
            let rises: Vec<bool> = found.objectives.windows(2).map(is_rise).collect();
            match settings.prior {
                Prior::Flat => assert!(!rises.windows(2).any(|two| two == [true, true])),
                Prior::Relevance { .. } => assert!(!rises.contains(&true)),
            }
            assert!(found.objectives[20] < found.objectives[0]);
            let sums = found.topics.topics.sum_axis(Axis(0));
            assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-9));
        }
    }
}

#[test]
fn topics_that_are_not_needed_are_not_relevant() {
    // Counts of four topics, and a word of its own in every document; the seeds are fixed.
    for seed in 0..4 {
        let x = counts(60, 300, 4, 20 + seed);
        let settings = NmfSettings { iterations: 3000, tolerance: 1e-9, ..NmfSettings::ard(12) };
        let relevant = found(&x, &settings, seed).relevant_topics.expect("of nmf-ard");
        assert!((4..=6).contains(&relevant), "{relevant}");
    }
    assert_eq!(found(&counts(20, 30, 2, 1), &NmfSettings::kl(3), 1).relevant_topics, None);
}

fn extent_of(x: &Array2<u32>) -> DataSize {
    DataSize { words: x.nrows(), documents: x.ncols(), tokens: f64::from(x.sum()) }
}

pub(super) fn begun(x: &Array2<u32>, settings: &NmfSettings) -> State {
    start(settings, extent_of(x), 3)
}

pub(super) fn fitted(x: &Array2<u32>, settings: NmfSettings) -> State {
    let source = source(x);
    let positions: Vec<u32> = (0..x.nrows() as u32).collect();
    let documents = Documents::new(&source, &positions, 2, &Silent);
    let mut updates = Updates::new(&documents, settings, extent_of(x), begun(x, &settings));
    updates.run_until(settings.iterations, &Silent).expect("in memory");
    updates.into_state()
}

#[test]
fn the_end_satisfies_the_conditions_of_an_optimum() {
    let x = counts(20, 60, 4, 8);
    let settings = NmfSettings { iterations: 4000, tolerance: 1e-12, ..NmfSettings::kl(4) };
    let state = fitted(&x, settings);
    let rows: Vec<_> = state.h.iter().map(|h| h.view()).collect();
    let h = ndarray::concatenate(Axis(0), &rows).expect("K columns") * &state.scale;
    let p = state.w.dot(&h.t());
    let ratios = Array2::from_shape_fn(x.dim(), |at| f64::from(x[at]) / p[at]);
    // An entry's gain per unit over its cost: 1 where the entry is not zero, at most 1 elsewhere.
    let of_w = ratios.dot(&h) / h.sum_axis(Axis(0));
    let of_h = ratios.t().dot(&state.w) / state.w.sum_axis(Axis(0));
    for (factor, gain) in [(&state.w, of_w), (&h, of_h)] {
        let all = factor.sum();
        for (entry, gain) in factor.iter().zip(&gain) {
            assert!(*gain < 1.0 + 1e-3, "{entry}: {gain}");
            assert!((entry * (gain - 1.0)).abs() < 1e-6 * all, "{entry}: {gain}");
        }
    }
}

#[test]
fn extrapolation_and_coordinate_descent_get_further_than_multiplicative_updates() {
    let x = counts(60, 300, 8, 11);
    let settings = NmfSettings { iterations: 40, tolerance: 0.0, ..NmfSettings::kl(8) };
    let ours = fitted(&x, settings);
    let mut plain = DenseNmf::new(&x, &settings, begun(&x, &settings).w);
    let mut last = f64::INFINITY;
    for _ in 0..40 {
        last = plain.iterate_multiplicative(2);
    }
    assert!(ours.objectives[39] < last, "{} {last}", ours.objectives[39]);
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let x = counts(40, 90, 5, 13);
    let of = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let settings = NmfSettings { iterations: 30, tolerance: 0.0, ..NmfSettings::kl(6) };
        pool.expect("threads").install(|| fitted(&x, settings))
    };
    let (one, three) = (of(1), of(3));
    assert_eq!(one.w, three.w);
    assert_eq!(one.h, three.h);
    assert_eq!(one.objectives, three.objectives);
}
