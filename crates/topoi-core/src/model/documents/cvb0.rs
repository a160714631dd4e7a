//! CVB0: θ of one document and the topics of its words.

use pulp::Arch;

use super::single_lanes::LANES;
pub(in crate::model) use super::token_sweep::to_single;
use super::token_sweep::{TokenSweep, WORDS};
use super::topic_rows::{DocumentCounts, TopicRows};
use crate::stream::aligned::Aligned;

/// Default limit on sweeps over a document.
pub const MAX_SWEEPS: usize = 200;

/// Infers θ of documents, one at a time, by collapsed variational inference of zeroth order.
///
/// Every token of word w has a distribution γ_w over topics, and N_k = Σ_w x_w γ_wk is the expected
/// number of the document's tokens of topic k. Sweeps update
///
/// `γ_wk ∝ (N_k − γ_wk + α_k) B_wk`.
///
/// A token's update uses the other tokens of its document and not itself: its own share would make
/// short documents ever sharper. N is updated after every four words, so that one sweep gains as
/// much as two that update N only at the end. Finally `θ_k = (N_k + α_k) / (n + α₀)`.
///
/// γ and B are in single precision, which halves the memory traffic. N and all sums over words and
/// documents are in double precision, so that errors do not accumulate.
///
/// Starts from the words alone (N proportional to α). Stops when a sweep moves N by at most
/// `tolerance · n` in total, or after the largest number of sweeps.
///
/// # Source
/// Asuncion, Welling, Smyth and Teh 2009, "On smoothing and inference for topic models", §2.4, with
/// B given.
#[derive(Debug, Clone)]
pub struct Cvb0<'a> {
    rows: &'a TopicRows,
    /// Padded with zeros.
    alpha: Vec<f64>,
    single_alpha: Aligned<f32>,
    total: f64,
    tolerance: f64,
    most: usize,
    roots: usize,
}

/// Buffers reused from document to document. They contain the result of the last inference.
#[derive(Debug, Default, Clone)]
pub struct Cvb0Buffers {
    theta: Vec<f64>,
    /// N + α.
    mass: Vec<f64>,
    before: Vec<f64>,
    /// N + α in single precision, as used by a sweep, and its change.
    rough: Aligned<f32>,
    joint: Aligned<f32>,
    gamma: Aligned<f32>,
    shares: Vec<f64>,
}

impl Cvb0Buffers {
    /// θ: K numbers that sum to 1, padded with zeros.
    pub fn theta(&self) -> &[f64] {
        &self.theta
    }

    /// γ, a row of [`Cvb0::width`] numbers for each word of the document. Rows sum to 1.
    pub fn gamma(&self) -> &[f32] {
        &self.gamma
    }
}

/// Convergence of the inference of θ.
#[derive(Debug, Clone, Copy)]
pub struct Cvb0Fit {
    /// Σ over tokens of log p(token | the other tokens of the document, B, α) in nats, from the
    /// last sweep.
    pub log_probability: f64,
    /// Σ_k |ΔN_k| / n of the last sweep.
    pub change: f64,
    /// Number of sweeps.
    pub sweeps: usize,
}

impl<'a> Cvb0<'a> {
    /// An inference with the topics `rows`, α (K numbers above 0) and the relative change at which
    /// it stops.
    pub fn new(rows: &'a TopicRows, alpha: &[f64], tolerance: f64) -> Self {
        let mut padded = alpha.to_vec();
        padded.resize(Self::width_of(rows.topics()), 0.0);
        let mut single_alpha = Aligned::zeros(padded.len());
        to_single(&padded, &mut single_alpha);
        Self {
            rows,
            alpha: padded,
            single_alpha,
            total: alpha.iter().sum(),
            tolerance,
            most: MAX_SWEEPS,
            roots: 0,
        }
    }

    /// Limits the number of sweeps over a document, at least 1.
    pub fn with_max_sweeps(self, sweeps: usize) -> Self {
        Self { most: sweeps, ..self }
    }

    /// Flattens γ: `γ_wk ∝ ((N_k − γ_wk + α_k) B_wk)^(1 − 2^−roots)` for `roots` ≥ 1. This power
    /// needs square roots alone and has the same bits on every machine.
    pub fn with_roots(self, roots: usize) -> Self {
        Self { roots, ..self }
    }

    /// The topics.
    pub fn rows(&self) -> &'a TopicRows {
        self.rows
    }

    /// The length of θ and of rows of γ.
    pub fn width(&self) -> usize {
        self.alpha.len()
    }

    /// The width for K topics: K rounded up to whole lanes.
    pub fn width_of(topics: usize) -> usize {
        topics.next_multiple_of(LANES)
    }

    pub(super) fn alpha(&self) -> &[f64] {
        &self.alpha[..self.rows.topics()]
    }

    /// α₀ = Σ_k α_k.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// The starting guess for documents: α, [`Cvb0::width`] numbers.
    pub(in crate::model) fn first_guess(&self) -> &[f32] {
        &self.single_alpha
    }

    /// Infers θ of `document` into `work`. A document without tokens has θ = α/α₀.
    pub fn infer(&self, document: DocumentCounts<'_>, work: &mut Cvb0Buffers) -> Cvb0Fit {
        self.infer_from(document, self.first_guess(), work)
    }

    /// [`Self::infer`] that starts from θ proportional to `guess` ([`Cvb0::width`] numbers). Tokens
    /// start from the product of guess and B, without subtraction of their own share.
    pub(in crate::model) fn infer_from(
        &self,
        document: DocumentCounts<'_>,
        guess: &[f32],
        work: &mut Cvb0Buffers,
    ) -> Cvb0Fit {
        let (width, tokens) = (self.width(), document.tokens());
        for array in [&mut work.theta, &mut work.before] {
            array.resize(width, 0.0);
        }
        work.rough.reserve(width);
        work.joint.reserve(WORDS * width);
        work.shares.resize(document.words.len(), 0.0);
        work.gamma.reserve(document.words.len() * width);
        work.mass.clear();
        work.mass.extend_from_slice(&self.alpha);
        let (mut sweeps, mut change) = (0, if tokens > 0.0 { f64::INFINITY } else { 0.0 });
        while sweeps < self.most && change > self.tolerance {
            work.before.copy_from_slice(&work.mass);
            let Cvb0Buffers { mass, rough, joint, gamma, shares, .. } = work;
            let (rows, roots) = (self.rows.single(), self.roots);
            let is_first = sweeps == 0;
            let sweep = TokenSweep {
                rows,
                document,
                guess,
                roots,
                is_first,
                mass,
                rough,
                joint,
                gamma,
                shares,
            };
            Arch::new().dispatch(sweep);
            sweeps += 1;
            change = distance(&work.mass, &work.before) / tokens;
        }
        let all: f64 = work.mass.iter().sum();
        work.theta.iter_mut().zip(&work.mass).for_each(|(to, mass)| *to = mass / all);
        let others = if sweeps == 1 { self.total } else { tokens + self.total - 1.0 };
        let logs = document.counts.iter().zip(&work.shares).map(|(x, s)| x * libm::log(s / others));
        Cvb0Fit { log_probability: logs.sum(), change, sweeps }
    }
}

/// Σ |a − b| over whole lanes, summed lane by lane.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += (a - b).abs();
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
pub(in crate::model) mod tests {
    use super::*;
    use ndarray::Array2;
    use proptest::prelude::*;
    use pulp::WithSimd;

    /// γ (words × K) by plain loops after `sweeps` sweeps, with a power.
    pub(in crate::model) fn plain(
        b: &Array2<f64>,
        alpha: &[f64],
        document: DocumentCounts<'_>,
        sweeps: usize,
        power: f64,
    ) -> Array2<f64> {
        let k = alpha.len();
        let mut gamma = Array2::<f64>::zeros((document.words.len(), k));
        for sweep in 0..sweeps {
            let mut counted = vec![0.0; k];
            for at in 0..document.words.len() {
                // Four words use the same counts; the remaining words at the end use their own.
                let whole = document.words.len() / WORDS * WORDS;
                if at >= whole || at % WORDS == 0 {
                    for (t, counted) in counted.iter_mut().enumerate() {
                        let column = gamma.column(t);
                        *counted = column.iter().zip(document.counts).map(|(g, x)| g * x).sum();
                    }
                }
                let row = b.row(document.words[at] as usize);
                let others = |t: usize| if sweep == 0 { 0.0 } else { counted[t] - gamma[(at, t)] };
                let joint: Vec<f64> =
                    (0..k).map(|t| ((others(t) + alpha[t]) * row[t]).powf(power)).collect();
                let sum: f64 = joint.iter().sum();
                (0..k).for_each(|t| gamma[(at, t)] = joint[t] / sum);
            }
        }
        gamma
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn it_is_cvb0_written_out_and_its_end_is_a_fixed_point(
            // Numbers of topics for each specialised number of groups, and one without.
            k in prop::sample::select(vec![5, 30, 45, 60, 80]),
            entries in prop::collection::vec(0.0f64..1.0, 12 * 80),
            alpha in prop::collection::vec(0.05f64..2.0, 80),
            counts in prop::collection::vec(1u32..9, 12),
            sweeps in 1usize..6, roots in 0usize..4,
        ) {
            let alpha = &alpha[..k];
            let mut b = Array2::from_shape_fn((12, k), |(w, t)| entries[w * 80 + t]);
            b.mapv_inplace(|entry| entry.powi(6) + 1e-4);
            b.columns_mut().into_iter().for_each(|mut column| column /= column.sum());
            let words: Vec<u32> = (0..12).collect();
            let counts: Vec<f64> = counts.into_iter().map(f64::from).collect();
            let document = DocumentCounts { words: &words, counts: &counts };
            let rows = TopicRows::new(&b);
            let mut work = Cvb0Buffers::default();
            let solver = Cvb0::new(&rows, alpha, 0.0).with_max_sweeps(sweeps).with_roots(roots);
            prop_assert_eq!(solver.infer(document, &mut work).sweeps, sweeps);
            let power = if roots == 0 { 1.0 } else { 1.0 - 0.5f64.powi(roots as i32) };
            let expected = plain(&b, alpha, document, sweeps, power);
            for (row, gamma) in expected.rows().into_iter().zip(work.gamma().chunks_exact(solver.width())) {
                for (a, &b) in row.iter().zip(gamma) {
                    prop_assert!((a - f64::from(b)).abs() < 2e-5, "{a} {b}");
                }
            }
            let solver = Cvb0::new(&rows, alpha, 1e-6);
            let found = solver.infer(document, &mut work);
            prop_assert!(found.change <= 1e-6 || found.sweeps == MAX_SWEEPS);
            prop_assert!((work.theta()[..k].iter().sum::<f64>() - 1.0).abs() < 1e-12);
            if found.sweeps < MAX_SWEEPS {
                // The limit satisfies its defining equations.
                let n: f64 = counts.iter().sum();
                let mass: Vec<f64> =
                    (0..k).map(|t| work.theta()[t] * (n + alpha.iter().sum::<f64>())).collect();
                for (at, gamma) in work.gamma().chunks_exact(solver.width()).enumerate() {
                    let gamma: Vec<f64> = gamma.iter().copied().map(f64::from).collect();
                    let joint: Vec<f64> =
                        (0..k).map(|t| (mass[t] - gamma[t]) * b[(at, t)]).collect();
                    let sum: f64 = joint.iter().sum();
                    for t in 0..k {
                        prop_assert!((joint[t] / sum - gamma[t]).abs() < 1e-4);
                    }
                }
            }
        }

        #[test]
        fn every_processor_finds_the_same_bits(
            k in 1usize..20, entries in prop::collection::vec(0.01f64..1.0, 11 * 20),
            counts in prop::collection::vec(1u32..9, 11), is_first in any::<bool>(),
            roots in 0usize..4,
        ) {
            let b = Array2::from_shape_fn((11, k), |(w, t)| entries[w * 20 + t]);
            let (rows, words) = (TopicRows::new(&b), Vec::from_iter(0..11));
            let counts: Vec<f64> = counts.into_iter().map(f64::from).collect();
            let width = rows.single().width();
            let mut alpha = vec![0.3; width];
            alpha[k..].fill(0.0);
            let found = [false, true].map(|is_scalar| {
                let mut mass = vec![0.0; width];
                mass[..k].fill(7.3);
                let mut joint = vec![0.0; WORDS * width];
                let mut rough = vec![0.0; width];
                let mut gamma = vec![0.0; 11 * width];
                let mut shares = vec![0.0; 11];
                let sweep = TokenSweep {
                    rows: rows.single(),
                    document: DocumentCounts { words: &words, counts: &counts },
                    guess: &alpha,
                    roots,
                    is_first,
                    mass: &mut mass,
                    rough: &mut rough,
                    joint: &mut joint,
                    gamma: &mut gamma,
                    shares: &mut shares,
                };
                if is_scalar {
                    sweep.with_simd(pulp::Scalar);
                } else {
                    Arch::new().dispatch(sweep);
                }
                (mass, gamma, shares)
            });
            prop_assert_eq!(&found[0], &found[1]);
        }
    }

    #[test]
    fn a_document_without_tokens_is_about_what_documents_are_about() {
        let b = Array2::from_shape_vec((2, 2), vec![0.5, 0.1, 0.5, 0.9]).expect("2 × 2");
        let rows = TopicRows::new(&b);
        let mut work = Cvb0Buffers::default();
        let solver = Cvb0::new(&rows, &[0.3, 0.1], 1e-6);
        let found = solver.infer(DocumentCounts { words: &[], counts: &[] }, &mut work);
        assert!((work.theta()[0] - 0.75).abs() < 1e-12);
        assert_eq!((found.sweeps, found.log_probability), (0, 0.0));
    }

    #[test]
    fn a_token_alone_sees_only_what_the_word_says() {
        // One token: γ ∝ α B after any number of sweeps, and θ = (γ + α) / (1 + α₀).
        let b = Array2::from_shape_vec((2, 2), vec![0.8, 0.2, 0.2, 0.8]).expect("2 × 2");
        let rows = TopicRows::new(&b);
        let mut work = Cvb0Buffers::default();
        let found = Cvb0::new(&rows, &[0.5, 0.5], 1e-9)
            .infer(DocumentCounts { words: &[0], counts: &[1.0] }, &mut work);
        assert!((work.theta()[0] - (0.8 + 0.5) / 2.0).abs() < 1e-7);
        assert!((found.log_probability - 0.5f64.ln()).abs() < 1e-6);
    }
}
