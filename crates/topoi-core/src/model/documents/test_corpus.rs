//! Corpora with known topics, for tests of this module.

use ndarray::Array2;
use rand::RngExt;
use rand_chacha::ChaCha12Rng;
use sprs::{CsMat, TriMat};

use crate::random::{standard_normal, stream};
use crate::stream::memory::MatrixSource;

/// A Dirichlet draw by Marsaglia and Tsang's gamma variates.
pub(crate) fn dirichlet(rng: &mut ChaCha12Rng, alpha: &[f64]) -> Vec<f64> {
    let mut draw = |a: f64| {
        let boost = if a < 1.0 { rng.random::<f64>().powf(1.0 / a) } else { 1.0 };
        let d = if a < 1.0 { a + 2.0 / 3.0 } else { a - 1.0 / 3.0 };
        loop {
            let x = standard_normal(rng);
            let v = (1.0 + x / (9.0 * d).sqrt()).powi(3);
            if v > 0.0 && (1.0 - rng.random::<f64>()).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
                return (boost * d * v).max(1e-300);
            }
        }
    };
    let gammas: Vec<f64> = alpha.iter().map(|&a| draw(a)).collect();
    let sum: f64 = gammas.iter().sum();
    gammas.into_iter().map(|gamma| gamma / sum).collect()
}

/// Draws an index with the probabilities `chances`.
pub(crate) fn one_of(rng: &mut ChaCha12Rng, chances: impl Iterator<Item = f64>) -> usize {
    let mut left: f64 = rng.random();
    let mut last = 0;
    for (number, chance) in chances.enumerate() {
        last = number;
        left -= chance;
        if left < 0.0 {
            break;
        }
    }
    last
}

/// Documents of `length` tokens from the topics B (W × K), with θ ~ Dirichlet(α).
pub(crate) fn drawn(
    b: &Array2<f64>,
    alpha: &[f64],
    documents: usize,
    tokens: usize,
    rng: &mut ChaCha12Rng,
) -> CsMat<u32> {
    let mut counts = TriMat::new((documents, b.nrows()));
    for document in 0..documents {
        let theta = dirichlet(rng, alpha);
        for _ in 0..tokens {
            let topic = one_of(rng, theta.iter().copied());
            counts.add_triplet(document, one_of(rng, b.column(topic).iter().copied()), 1);
        }
    }
    counts.to_csr()
}

/// Topics over W words; every column is drawn from Dirichlet(0.05).
pub(crate) fn random_topics(words: usize, k: usize, rng: &mut ChaCha12Rng) -> Array2<f64> {
    let columns: Vec<Vec<f64>> = (0..k).map(|_| dirichlet(rng, &vec![0.05; words])).collect();
    Array2::from_shape_fn((words, k), |(word, topic)| columns[topic][word])
}

/// Three topics over 60 words, 400 documents of 30 tokens from them, and the positions of all
/// words.
pub(crate) fn small() -> (Array2<f64>, MatrixSource, Vec<u32>) {
    let mut rng = stream(11, "small test corpus");
    let b = random_topics(60, 3, &mut rng);
    let counts = drawn(&b, &[0.2, 0.4, 0.1], 400, 30, &mut rng);
    (b, MatrixSource::new(counts, 30), (0..60).collect())
}
