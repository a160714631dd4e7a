//! θ of one document.

use super::steps::{Point, Prior, Slopes};
use super::topic_rows::{Counts, TopicRows};

/// Plain steps of EM before extrapolation starts.
const FIRST_STEPS: usize = 1;
/// How many times a step of EM is extrapolated at most.
const FARTHEST: f64 = 64.0;
/// Sweeps over a document at most; those of real corpora need fewer than a tenth.
const MOST_SWEEPS: usize = 1000;

/// Finds θ of documents, one at a time.
///
/// The estimator is the maximum of the posterior under θ ~ Dirichlet(α + 1),
///
/// `f(θ) = Σ_w x_w log Σ_k B_wk θ_k + Σ_k α_k log θ_k`  over θ ≥ 0, Σ_k θ_k = 1,
///
/// which in the softmax basis is the one under Dirichlet(α). Its fixed point is
/// `θ_k ∝ α_k + Σ_w x_w B_wk θ_k / Σ_l B_wl θ_l`: α_k tokens and the expected ones. f is strictly
/// concave, so that there is one maximum, whatever the start, and a document's θ depends on
/// nothing but B, α and its counts.
///
/// # Method
/// EM, extrapolated by SQUAREM (Varadhan and Roland 2008, scheme S3). Topics on their way out go to
/// their stationary point α_k / (n + α₀ − g_k) at once, g the gradient of the first term. A step to
/// θ′ that lowers f gives way to the step of EM, which never does; whether it does is told by the
/// slopes at its ends, f(θ′) − f(θ) ≈ ½ (f′(θ) + f′(θ′)) · (θ′ − θ), which needs no logarithms.
///
/// It stops at a certificate: by concavity f(best) − f(θ) ≤ max_k f′_k − (n + α₀), and it stops
/// when that is at most `tolerance` nats a token.
///
/// # Source
/// The fixed point is Asuncion et al. 2009, "On smoothing and inference for topic models",
/// equation 4 with its hyperparameters greater by 1 (they find the same θ as CVB0's then).
#[derive(Debug, Clone)]
pub struct Proportions<'a> {
    rows: &'a TopicRows,
    alpha: Vec<f64>,
    total: f64,
    tolerance: f64,
}

/// Arrays that are reused from document to document; holds what was found last.
#[derive(Debug, Default, Clone)]
pub struct Work {
    theta: Vec<f64>,
    once: Vec<f64>,
    twice: Vec<f64>,
    gradient: Vec<f64>,
    shares: Vec<f64>,
}

impl Work {
    /// θ, K numbers that sum to 1 (zeros beyond).
    pub fn theta(&self) -> &[f64] {
        &self.theta
    }

    /// p(word) = Σ_k B_wk θ_k of each word of the document.
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }
}

/// How well θ was found.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    /// f(θ), nats.
    pub objective: f64,
    /// f is at most this many nats a token below its maximum.
    pub gap: f64,
    /// Sweeps over the document it took.
    pub sweeps: usize,
}

impl<'a> Proportions<'a> {
    /// For topics `rows`, α (K numbers above 0) and a tolerance in nats a token.
    pub fn new(rows: &'a TopicRows, alpha: &[f64], tolerance: f64) -> Self {
        let mut padded = alpha.to_vec();
        padded.resize(rows.width(), 0.0);
        Self { rows, alpha: padded, total: alpha.iter().sum(), tolerance }
    }

    /// α₀ = Σ_k α_k.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// Finds θ of `document`; `work` holds it afterwards. A document without tokens has θ = α/α₀.
    pub fn find(&self, document: Counts<'_>, work: &mut Work) -> Found {
        let prior = Prior { alpha: &self.alpha, mass: document.tokens() + self.total };
        work.shares.resize(document.words.len(), 0.0);
        for array in [&mut work.theta, &mut work.once, &mut work.twice, &mut work.gradient] {
            array.resize(self.rows.width(), 0.0);
        }
        work.theta.iter_mut().zip(&self.alpha).for_each(|(to, a)| *to = a / self.total);
        for _ in 0..FIRST_STEPS {
            let Work { theta, once, gradient, shares, .. } = work;
            self.rows.sweep(document, theta, shares, gradient);
            prior.step(Point { theta, gradient }, once);
            std::mem::swap(theta, once);
        }
        let (gap, sweeps) = self.climb(document, prior, work);
        let objective = self.objective(document, &work.theta, &work.shares);
        Found { objective, gap, sweeps: FIRST_STEPS + sweeps }
    }

    /// Goes on from θ until it is found; the gap, and the sweeps it took.
    fn climb(&self, document: Counts<'_>, prior: Prior<'_>, work: &mut Work) -> (f64, usize) {
        let Work { theta, once, twice, gradient, shares } = work;
        let gap = |slopes: Slopes| (slopes.steepest - prior.mass) / document.tokens().max(1.0);
        let mut evaluate = |theta: &[f64], along: &[f64], gradient: &mut [f64]| {
            self.rows.sweep(document, theta, shares, gradient);
            prior.slopes(Point { theta, gradient }, along)
        };
        let mut slopes = evaluate(theta, theta, gradient);
        let (mut sweeps, mut reach) = (1, FARTHEST);
        while gap(slopes) > self.tolerance && sweeps < MOST_SWEEPS {
            prior.step(Point { theta, gradient }, once);
            slopes = evaluate(once, once, gradient);
            sweeps += 1;
            if gap(slopes) <= self.tolerance {
                std::mem::swap(theta, once);
                break;
            }
            let forward = prior.leap(Point { theta: once, gradient }, reach, theta, twice);
            slopes = evaluate(theta, once, gradient);
            sweeps += 1;
            reach = (1.5 * reach).min(FARTHEST);
            // Σ_k θ_k f′_k is n + α₀ at every θ, so that this is the sign of the estimate.
            if forward < slopes.along {
                std::mem::swap(theta, twice);
                slopes = evaluate(theta, theta, gradient);
                sweeps += 1;
                reach = (reach / 3.0).max(1.0);
            }
        }
        (gap(slopes), sweeps)
    }

    fn objective(&self, document: Counts<'_>, theta: &[f64], shares: &[f64]) -> f64 {
        let words: f64 = document.counts.iter().zip(shares).map(|(x, s)| x * libm::log(*s)).sum();
        let topics = self.alpha.iter().zip(theta).take(self.rows.topics());
        words + topics.map(|(a, t)| a * libm::log(*t)).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;
    use proptest::prelude::*;

    /// EM alone, for a very long time.
    fn plain(b: &Array2<f64>, alpha: &[f64], words: &[u32], counts: &[f64]) -> Vec<f64> {
        let k = alpha.len();
        let mut theta = vec![1.0 / k as f64; k];
        for _ in 0..20_000 {
            let mut next = alpha.to_vec();
            for (&w, x) in words.iter().zip(counts) {
                let row = b.row(w as usize);
                let s: f64 = row.iter().zip(&theta).map(|(b, t)| b * t).sum();
                (0..k).for_each(|t| next[t] += x * row[t] * theta[t] / s);
            }
            let sum: f64 = next.iter().sum();
            theta = next.into_iter().map(|t| t / sum).collect();
        }
        theta
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn theta_is_the_limit_of_em_and_the_gap_bounds_what_is_missing(
            entries in prop::collection::vec(0.0f64..1.0, 12 * 5),
            alpha in prop::collection::vec(0.05f64..2.0, 5),
            counts in prop::collection::vec(1u32..9, 12),
            tolerance in prop::sample::select(vec![1e-1, 1e-3, 1e-9]),
        ) {
            let mut b = Array2::from_shape_vec((12, 5), entries).expect("12 × 5");
            b.mapv_inplace(|entry| entry.powi(6) + 1e-4);
            b.columns_mut().into_iter().for_each(|mut column| column /= column.sum());
            let words: Vec<u32> = (0..12).collect();
            let counts: Vec<f64> = counts.into_iter().map(f64::from).collect();
            let rows = TopicRows::exact(&b);
            let solver = Proportions::new(&rows, &alpha, tolerance);
            let mut work = Work::default();
            let document = Counts { words: &words, counts: &counts };
            let found = solver.find(document, &mut work);
            prop_assert!(found.gap <= tolerance);
            prop_assert!((work.theta()[..5].iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let mut best = plain(&b, &alpha, &words, &counts);
            if tolerance == 1e-9 {
                for (a, b) in best.iter().zip(work.theta()) {
                    prop_assert!((a - b).abs() < 1e-4, "{a} {b}");
                }
            }
            best.resize(8, 0.0);
            let (mut shares, mut gradient) = (vec![0.0; 12], vec![0.0; 8]);
            rows.sweep(document, &best, &mut shares, &mut gradient);
            let missing = solver.objective(document, &best, &shares) - found.objective;
            prop_assert!(missing <= found.gap * document.tokens() + 1e-9, "{missing}");
        }
    }

    #[test]
    fn a_document_without_tokens_is_about_what_documents_are_about() {
        let b = Array2::from_shape_vec((2, 2), vec![0.5, 0.1, 0.5, 0.9]).expect("2 × 2");
        let rows = TopicRows::exact(&b);
        let mut work = Work::default();
        let solver = Proportions::new(&rows, &[0.3, 0.1], 1e-6);
        solver.find(Counts { words: &[], counts: &[] }, &mut work);
        assert!((work.theta()[0] - 0.75).abs() < 1e-12);
    }

    #[test]
    fn a_single_word_of_a_single_topic() {
        // f = 3 log θ₀ + 0.5 log θ₀ + 0.5 log θ₁, with its maximum at θ₀ = 3.5/4.
        let b = Array2::from_shape_vec((2, 2), vec![1.0, 1e-300, 1e-300, 1.0]).expect("2 × 2");
        let rows = TopicRows::exact(&b);
        let mut work = Work::default();
        let solver = Proportions::new(&rows, &[0.5, 0.5], 1e-12);
        solver.find(Counts { words: &[0], counts: &[3.0] }, &mut work);
        assert!((work.theta()[0] - 0.875).abs() < 1e-9);
    }
}
