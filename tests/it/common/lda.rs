//! Corpora drawn from LDA, with known topics.
use ndarray::Array2;
use rand::RngExt;
use rand_chacha::ChaCha12Rng;
use sprs::CsMat;
use topoi_core::random::standard_normal;

/// ln of a Gamma(shape, 1) variate (Marsaglia and Tsang 2000; below shape 1 their section 6). The
/// logarithm, as variates of small shapes underflow.
fn ln_gamma(rng: &mut ChaCha12Rng, shape: f64) -> f64 {
    if shape < 1.0 {
        let uniform: f64 = 1.0 - rng.random::<f64>();
        return ln_gamma(rng, shape + 1.0) + uniform.ln() / shape;
    }
    let d = shape - 1.0 / 3.0;
    loop {
        let x = standard_normal(rng);
        let v = (1.0 + x / (9.0 * d).sqrt()).powi(3);
        let uniform: f64 = 1.0 - rng.random::<f64>();
        if v > 0.0 && uniform.ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return (d * v).ln();
        }
    }
}

/// A draw from the Dirichlet distribution of `size` equal parameters.
pub fn dirichlet(rng: &mut ChaCha12Rng, size: usize, parameter: f64) -> Vec<f64> {
    let logs: Vec<f64> = (0..size).map(|_| ln_gamma(rng, parameter)).collect();
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// Topics in the columns of V × K, each drawn from Dirichlet(β).
pub fn topics(rng: &mut ChaCha12Rng, words: usize, k: usize, beta: f64) -> Array2<f64> {
    let mut topics = Array2::zeros((words, k));
    for mut topic in topics.columns_mut() {
        topic.iter_mut().zip(dirichlet(rng, words, beta)).for_each(|(p, weight)| *p = weight);
    }
    topics
}

fn draw(rng: &mut ChaCha12Rng, cumulative: &[f64]) -> usize {
    let uniform = rng.random::<f64>() * cumulative[cumulative.len() - 1];
    cumulative.partition_point(|&c| c <= uniform).min(cumulative.len() - 1)
}

fn cumulative(weights: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sum = 0.0;
    weights
        .map(|weight| {
            sum += weight;
            sum
        })
        .collect()
}

/// Documents of these lengths over `topics`, mixed by Dirichlet(α): counts, documents × V.
pub fn documents(
    rng: &mut ChaCha12Rng,
    topics: &Array2<f64>,
    alpha: f64,
    lengths: impl Iterator<Item = usize>,
) -> CsMat<u32> {
    let (words, k) = topics.dim();
    let of_topic: Vec<Vec<f64>> =
        topics.columns().into_iter().map(|topic| cumulative(topic.iter().copied())).collect();
    let (mut starts, mut indices, mut data) = (vec![0], Vec::new(), Vec::new());
    let mut counts = vec![0u32; words];
    for length in lengths {
        let mixed = cumulative(dirichlet(rng, k, alpha).into_iter());
        for _ in 0..length {
            let topic = draw(rng, &mixed);
            counts[draw(rng, &of_topic[topic])] += 1;
        }
        for (word, count) in counts.iter_mut().enumerate().filter(|(_, count)| **count > 0) {
            indices.push(word);
            data.push(std::mem::take(count));
        }
        starts.push(indices.len());
    }
    CsMat::new((starts.len() - 1, words), starts, indices, data)
}

/// The true second moment, `Σ_k α/(α₀(α₀+1)) μ_k μ_kᵀ`.
pub fn second_moment(topics: &Array2<f64>, alpha: f64) -> Array2<f64> {
    let k = topics.ncols() as f64;
    topics.dot(&topics.t()) / (k * (k * alpha + 1.0))
}

/// A corpus as the command line reads it: Matrix Market, rows are documents.
pub fn as_matrix_market(counts: &CsMat<u32>) -> String {
    let (rows, columns) = counts.shape();
    let mut text = format!(
        "%%MatrixMarket matrix coordinate integer general\n{rows} {columns} {}\n",
        counts.nnz()
    );
    for (&count, (row, column)) in counts.iter() {
        text.push_str(&format!("{} {} {count}\n", row + 1, column + 1));
    }
    text
}
