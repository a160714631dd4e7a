//! Simplex least squares of 15,000 words on K = 100 vertices, at three levels of noise.
//!
//! The rows are those of a separable model as `model::jsmf::law` sees it: mixtures with Dirichlet(0.1)
//! weights of vertices that share a direction, as rows of co-occurrence share the corpus's, plus
//! normal noise. Prints the median seconds of five rounds, the worst KKT gap (which must be at
//! most 1e-8), active-set steps and positive weights a row, and how far the weights are from
//! those the rows were made with. The goal is 2 seconds on two cores.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::time::Instant;

use ndarray::{Array1, Array2, Axis};
use rand::RngExt;
use rand_chacha::ChaCha12Rng;
use topoi_core::linalg::dense::product;
use topoi_core::linalg::simplex_least_squares::{SimplexFit, simplex_least_squares};
use topoi_core::random::{standard_normal, stream};

const WORDS: usize = 15_000;
const TOPICS: usize = 100;
const CONCENTRATION: f64 = 0.1;
/// Length of the noise of a row; vertices are about √2 apart.
const NOISE: [f64; 3] = [0.02, 0.1, 0.5];
const LARGEST_GAP: f64 = 1e-8;
const ROUNDS: usize = 5;

/// Gamma(shape, 1) for a shape below 1, by Marsaglia and Tsang 2000.
fn gamma(shape: f64, rng: &mut ChaCha12Rng) -> f64 {
    let d = shape + 1.0 - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = standard_normal(rng);
        let v = (1.0 + c * x).powi(3);
        let u = 1.0 - rng.random::<f64>();
        if v > 0.0 && u.ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v * (1.0 - rng.random::<f64>()).powf(1.0 / shape);
        }
    }
}

fn vertices() -> Array2<f64> {
    let mut rng = stream(1, "benchmark vertices");
    let length = (TOPICS as f64).sqrt();
    let shared = Array1::from_shape_simple_fn(TOPICS, || standard_normal(&mut rng) / length);
    let own = Array2::from_shape_simple_fn((TOPICS, TOPICS), || standard_normal(&mut rng) / length);
    own + &shared
}

fn mixtures() -> Array2<f64> {
    let mut rng = stream(1, "benchmark weights");
    let mut weights =
        Array2::from_shape_simple_fn((WORDS, TOPICS), || gamma(CONCENTRATION, &mut rng));
    for mut row in weights.axis_iter_mut(Axis(0)) {
        let sum = row.sum();
        row /= sum;
    }
    weights
}

fn noisy(clean: &Array2<f64>, noise: f64) -> Array2<f64> {
    let mut rng = stream(1, "benchmark noise");
    let scale = noise / (TOPICS as f64).sqrt();
    clean.mapv(|x| x + scale * standard_normal(&mut rng))
}

fn main() {
    let (vertices, truth) = (vertices(), mixtures());
    let clean = product(&truth, &vertices);
    println!("simplex: {WORDS} rows, {TOPICS} vertices, {} threads", rayon::current_num_threads());
    for noise in NOISE {
        let x = noisy(&clean, noise);
        let mut rounds: Vec<(f64, SimplexFit)> = (0..ROUNDS)
            .map(|_| {
                let start = Instant::now();
                let fit = simplex_least_squares(&x, &vertices);
                (start.elapsed().as_secs_f64(), fit)
            })
            .collect();
        rounds.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (seconds, fit) = &rounds[ROUNDS / 2];
        let positive = fit.weights.iter().filter(|&&w| w > 0.0).count();
        let miss = (&fit.weights - &truth).mapv(f64::abs).sum() / WORDS as f64;
        let steps = fit.steps as f64 / WORDS as f64;
        println!(
            "noise {noise:4}: {seconds:6.3} s, worst gap {:.1e}, {steps:.1} steps and {:.1} \
             positive weights a row, l1 error {miss:.3}",
            fit.worst_gap,
            positive as f64 / WORDS as f64,
        );
        assert!(fit.worst_gap <= LARGEST_GAP, "a row was not solved");
    }
}
