//! θ of one document, and the topics of its words, by CVB0.

use pulp::{Arch, Simd, WithSimd};

use super::lanes::{LANES, Lanes, of, of_mut, sum, vectors};
use super::topic_rows::{Counts, TopicRows};

/// Sweeps over a document at most, where no fewer are asked for.
pub const MOST_SWEEPS: usize = 200;

/// Finds θ of documents, one at a time.
///
/// Collapsed variational inference of zeroth order: every token of the word w has a distribution
/// γ_w over topics, and N_k = Σ_w x_w γ_wk counts the document's tokens of topic k. They are found
/// by sweeps of
///
/// `γ_wk ∝ (N_k − γ_wk + α_k) B_wk`,
///
/// in which a token sees the others of its document, but not itself: left in, its own share makes
/// short documents sharper and sharper. N follows every word at once, so that a sweep gains what two
/// do that wait for each other. Then `θ_k = (N_k + α_k) / (n + α₀)`.
///
/// It begins with what each word says alone (N in proportion to α) and stops when a sweep moves N
/// by at most `tolerance · n` in all, or after `most` sweeps.
///
/// # Source
/// Asuncion, Welling, Smyth and Teh 2009, "On smoothing and inference for topic models", §2.4,
/// with B given.
#[derive(Debug, Clone)]
pub struct Cvb0<'a> {
    rows: &'a TopicRows,
    alpha: Vec<f64>,
    total: f64,
    tolerance: f64,
    most: usize,
}

/// Arrays that are reused from document to document; holds what was found last.
#[derive(Debug, Default, Clone)]
pub struct Work {
    theta: Vec<f64>,
    /// N.
    topic_tokens: Vec<f64>,
    before: Vec<f64>,
    joint: Vec<f64>,
    gamma: Vec<f64>,
    shares: Vec<f64>,
}

impl Work {
    /// θ, K numbers that sum to 1 (zeros beyond).
    pub fn theta(&self) -> &[f64] {
        &self.theta
    }

    /// γ, a row of [`TopicRows::width`] numbers for each word of the document; a row sums to 1.
    pub fn gamma(&self) -> &[f64] {
        &self.gamma
    }
}

/// How θ was found.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    /// Σ over tokens of log p(token | the other tokens of the document, B, α), nats, as the last
    /// sweep saw it.
    pub log_probability: f64,
    /// Σ_k |ΔN_k| / n of the last sweep.
    pub change: f64,
    /// Sweeps over the document it took.
    pub sweeps: usize,
}

impl<'a> Cvb0<'a> {
    /// For topics `rows` and α (K numbers above 0).
    pub fn new(rows: &'a TopicRows, alpha: &[f64], tolerance: f64) -> Self {
        let mut padded = alpha.to_vec();
        padded.resize(rows.width(), 0.0);
        Self { rows, alpha: padded, total: alpha.iter().sum(), tolerance, most: MOST_SWEEPS }
    }

    /// The same with at most so many sweeps over a document, 1 or more.
    pub fn at_most(self, sweeps: usize) -> Self {
        Self { most: sweeps, ..self }
    }

    /// α₀ = Σ_k α_k.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// Finds θ of `document`; `work` holds it afterwards. A document without tokens has θ = α/α₀.
    pub fn find(&self, document: Counts<'_>, work: &mut Work) -> Found {
        let (width, tokens) = (self.rows.width(), document.tokens());
        let size = document.words.len() * width;
        for array in [&mut work.theta, &mut work.topic_tokens, &mut work.before, &mut work.joint] {
            array.resize(width, 0.0);
        }
        work.shares.resize(document.words.len(), 0.0);
        work.gamma.resize(size.max(work.gamma.len()), 0.0);
        work.gamma.truncate(size);
        work.topic_tokens.fill(0.0);
        let (mut sweeps, mut change) = (0, f64::INFINITY);
        while sweeps < self.most && change > self.tolerance && tokens > 0.0 {
            work.before.copy_from_slice(&work.topic_tokens);
            let Work { topic_tokens, joint, gamma, shares, .. } = work;
            let (rows, alpha) = (self.rows, &self.alpha);
            let first = sweeps == 0;
            Arch::new().dispatch(Sweep {
                rows,
                document,
                alpha,
                first,
                topic_tokens,
                joint,
                gamma,
                shares,
            });
            sweeps += 1;
            let moved = work.topic_tokens.iter().zip(&work.before).map(|(a, b)| (a - b).abs());
            change = moved.sum::<f64>() / tokens;
        }
        let mass = tokens + self.total;
        let counted = work.topic_tokens.iter().zip(&self.alpha);
        work.theta.iter_mut().zip(counted).for_each(|(to, (n, a))| *to = (n + a) / mass);
        let others = if sweeps == 1 { self.total } else { mass - 1.0 };
        let logs = document.counts.iter().zip(&work.shares).map(|(x, s)| x * libm::log(s / others));
        Found { log_probability: logs.sum(), change, sweeps }
    }
}

/// γ of every word of a document after another, and N with it.
struct Sweep<'a, 'd> {
    rows: &'a TopicRows,
    document: Counts<'d>,
    alpha: &'a [f64],
    /// Whether γ and N are still to be found.
    first: bool,
    topic_tokens: &'a mut [f64],
    joint: &'a mut [f64],
    gamma: &'a mut [f64],
    /// Σ_k (N_k − γ_wk + α_k) B_wk.
    shares: &'a mut [f64],
}

impl WithSimd for Sweep<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<D: Simd>(self, simd: D) {
        let width = self.rows.width();
        let zero = simd.splat_f64s(0.0);
        let alpha = of::<D>(self.alpha);
        let tokens = of_mut::<D>(self.topic_tokens);
        let joint = of_mut::<D>(&mut self.joint[..width]);
        let words = self.document.words.iter().zip(self.document.counts);
        for ((&word, &count), (gamma, share)) in
            words.zip(self.gamma.chunks_exact_mut(width).zip(self.shares))
        {
            let row = of::<D>(self.rows.padded_row(word));
            let gamma = of_mut::<D>(gamma);
            let mut sums: Lanes<D> = [zero; LANES];
            if self.first {
                for group in (0..row.len()).step_by(vectors::<D>()) {
                    for lane in 0..vectors::<D>() {
                        let at = group + lane;
                        joint[at] = simd.mul_f64s(alpha[at], row[at]);
                        gamma[at] = zero;
                        sums[lane] = simd.add_f64s(sums[lane], joint[at]);
                    }
                }
            } else {
                for group in (0..row.len()).step_by(vectors::<D>()) {
                    for lane in 0..vectors::<D>() {
                        let at = group + lane;
                        let others = simd.max_f64s(simd.sub_f64s(tokens[at], gamma[at]), zero);
                        joint[at] = simd.mul_f64s(simd.add_f64s(others, alpha[at]), row[at]);
                        sums[lane] = simd.add_f64s(sums[lane], joint[at]);
                    }
                }
            }
            *share = sum::<D>(sums);
            let (scale, count) = (simd.splat_f64s(1.0 / *share), simd.splat_f64s(count));
            for at in 0..row.len() {
                let new = simd.mul_f64s(joint[at], scale);
                let moved = simd.mul_f64s(count, simd.sub_f64s(new, gamma[at]));
                tokens[at] = simd.add_f64s(tokens[at], moved);
                gamma[at] = new;
            }
        }
    }
}
