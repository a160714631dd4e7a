//! θ of one document.

pub use super::problem::Found;
use super::problem::{FIRST_STEPS, LEAVING, Problem, State};
use super::topic_rows::{Counts, TopicRows};

/// How often the topics in doubt are looked at alone, at most.
const NARROWINGS: usize = 12;
/// They are looked at alone where they are at most this share of all.
const FEW: f64 = 0.6;
/// They alone are brought to so much less than the tolerance.
const CLOSER: f64 = 0.25;

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
/// EM, extrapolated by SQUAREM (Varadhan and Roland 2008, scheme S3). A step that would lower f
/// gives way to the step of EM, which never does. Topics on their way out go to their stationary
/// point α_k / (n + α₀ − g_k) at once, g the gradient of the first term, and stay there while the
/// few topics in doubt are solved for alone; then all are looked at again. Where that comes to no
/// end, all topics are solved for together.
///
/// It stops at a certificate over all topics: by concavity f(best) − f(θ) ≤ max_k f′_k − (n + α₀),
/// and it stops when that is at most `tolerance` nats a token.
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
    all: State,
    few: State,
    /// The topics in doubt, and their α and rows.
    chosen: Vec<usize>,
    alpha: Vec<f64>,
    rows: TopicRows,
    /// What the other topics give each word, and the document's words by number.
    base: Vec<f64>,
    numbers: Vec<u32>,
}

impl Work {
    /// θ, K numbers that sum to 1 (zeros beyond).
    pub fn theta(&self) -> &[f64] {
        &self.all.theta
    }

    /// p(word) = Σ_k B_wk θ_k of each word of the document.
    pub fn shares(&self) -> &[f64] {
        &self.all.shares
    }
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
        let (rows, tolerance) = (self.rows, self.tolerance);
        let all = Problem { rows, base: &[], alpha: &self.alpha, room: 1.0, tolerance };
        work.all.resize(document.words.len(), rows.width());
        work.all.theta.iter_mut().zip(&self.alpha).for_each(|(to, a)| *to = a / self.total);
        let mut found = all.begin(document, FIRST_STEPS, &mut work.all);
        for _ in 0..NARROWINGS {
            if found.gap <= tolerance {
                return found;
            }
            let Some(sweeps) = self.settle_few(document, work) else { break };
            let before = found.sweeps + sweeps;
            found = all.begin(document, 0, &mut work.all);
            found.sweeps += before;
        }
        all.extrapolate(document, found, &mut work.all)
    }

    /// Puts the topics on their way out where their prior holds them and solves for the others
    /// alone; returns the sweeps it took. `None`, and nothing changed, where the others are not few.
    fn settle_few(&self, document: Counts<'_>, work: &mut Work) -> Option<usize> {
        let Work { all, few, chosen, alpha, rows, base, numbers } = work;
        let k = self.rows.topics();
        let slope = document.tokens() + self.total;
        chosen.clear();
        chosen.extend((0..k).filter(|&topic| all.gradient[topic] >= LEAVING * slope));
        if chosen.is_empty() || chosen.len() as f64 > FEW * k as f64 {
            return None;
        }
        let held = |topic: usize| self.alpha[topic] / (slope - all.gradient[topic]);
        let is_chosen = |topic: usize| all.gradient[topic] >= LEAVING * slope;
        let gone: f64 = (0..k).filter(|&topic| !is_chosen(topic)).map(held).sum();
        let room = 1.0 - gone;
        if room <= 0.0 {
            return None;
        }
        self.rows.only(document.words, chosen, rows);
        few.resize(document.words.len(), rows.width());
        few.theta.fill(0.0);
        alpha.clear();
        alpha.resize(rows.width(), 0.0);
        let sum: f64 = chosen.iter().map(|&topic| all.theta[topic]).sum();
        for (at, &topic) in chosen.iter().enumerate() {
            few.theta[at] = all.theta[topic] * room / sum;
            alpha[at] = self.alpha[topic];
        }
        for topic in 0..k {
            all.theta[topic] = if is_chosen(topic) { 0.0 } else { held(topic) };
        }
        base.resize(document.words.len(), 0.0);
        self.rows.shares(document.words, &all.theta, base);
        numbers.clear();
        numbers.extend(0..document.words.len() as u32);
        let own = Counts { words: numbers, counts: document.counts };
        let tolerance = CLOSER * self.tolerance;
        let problem = Problem { rows, base, alpha, room, tolerance };
        let start = problem.begin(own, 0, few);
        let found = problem.extrapolate(own, start, few);
        chosen.iter().zip(&few.theta).for_each(|(&topic, &share)| all.theta[topic] = share);
        Some(found.sweeps)
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
            rows.sweep(document, &[], &best, &mut shares, &mut gradient);
            let alpha = [&alpha[..], &[0.0; 3]].concat();
            let (base, room) = (&[][..], 1.0);
            let problem = Problem { rows: &rows, base, alpha: &alpha, room, tolerance };
            let missing = problem.objective(document, &best, &shares) - found.objective;
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
