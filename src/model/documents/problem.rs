//! A document's proportions of some of the topics, when those of the others stay as they are.

use super::topic_rows::{Counts, TopicRows};

/// Plain steps of EM before extrapolation starts.
pub(super) const FIRST_STEPS: usize = 3;
/// How many times a step of EM is extrapolated at most.
const FARTHEST: f64 = 64.0;
/// A topic whose gradient is below this share of what the solution's topics have is on its way
/// out, and goes to where its prior alone holds it.
pub(super) const LEAVING: f64 = 0.7;
/// No topic loses more than this factor at an extrapolation unless it is leaving.
const MOST_LOST: f64 = 0.1;
/// Shares below this count as this in the length of a step.
const SMALL: f64 = 1e-3;
/// Sweeps over a document at most; those of real corpora need fewer than a tenth.
const MOST_SWEEPS: usize = 1000;

/// The maximum of `f(v) = Σ_w x_w log (c_w + Σ_k B_wk v_k) + Σ_k α_k log v_k` over v ≥ 0 of sum R,
/// which is strictly concave.
#[derive(Debug, Clone, Copy)]
pub(super) struct Problem<'a> {
    /// B.
    pub rows: &'a TopicRows,
    /// c, as long as the document, or empty for zeros.
    pub base: &'a [f64],
    /// α, as long as a row of B; only its first K count.
    pub alpha: &'a [f64],
    /// R.
    pub room: f64,
    /// f may be so many nats a token below its maximum.
    pub tolerance: f64,
}

/// Arrays that are reused from document to document.
#[derive(Debug, Default, Clone)]
pub(super) struct State {
    /// v.
    pub theta: Vec<f64>,
    /// Σ_w x_w B_wk / s_w.
    pub gradient: Vec<f64>,
    /// s_w = c_w + Σ_k B_wk v_k.
    pub shares: Vec<f64>,
    once: Vec<f64>,
    twice: Vec<f64>,
}

impl State {
    /// Makes room for a document of so many words and rows of so many numbers.
    pub fn resize(&mut self, words: usize, width: usize) {
        self.shares.resize(words, 0.0);
        for array in [&mut self.theta, &mut self.once, &mut self.twice, &mut self.gradient] {
            array.resize(width, 0.0);
        }
    }
}

/// How well v was found.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    /// f(v), nats.
    pub objective: f64,
    /// f is at most this many nats a token below its maximum.
    pub gap: f64,
    /// Sweeps over the document it took, over those of its topics that were in doubt.
    pub sweeps: usize,
}

impl Problem<'_> {
    /// Goes on from `state` by so many plain steps.
    pub fn begin(&self, document: Counts<'_>, steps: usize, state: &mut State) -> Found {
        for _ in 0..steps {
            let State { theta, once, shares, gradient, .. } = &mut *state;
            self.rows.sweep(document, self.base, theta, shares, gradient);
            self.step(theta, gradient, once);
            std::mem::swap(theta, once);
        }
        let State { theta, shares, gradient, .. } = state;
        let gap = self.evaluate(document, theta, shares, gradient);
        let objective = self.objective(document, theta, shares);
        Found { objective, gap, sweeps: steps + 1 }
    }

    /// Goes on from `state`, of which `found` and the gradient are told, by extrapolated EM.
    pub fn extrapolate(&self, document: Counts<'_>, mut found: Found, state: &mut State) -> Found {
        let State { theta, once, twice, gradient, shares } = state;
        let mut reach = FARTHEST;
        while found.gap > self.tolerance && found.sweeps < MOST_SWEEPS {
            self.step(theta, gradient, once);
            let gap = self.evaluate(document, once, shares, gradient);
            found.sweeps += 1;
            if gap <= self.tolerance {
                std::mem::swap(theta, once);
                return Found { objective: self.objective(document, theta, shares), gap, ..found };
            }
            self.step(once, gradient, twice);
            self.leap([&*once, &*twice], gradient, reach, theta);
            let mut gap = self.evaluate(document, theta, shares, gradient);
            let mut objective = self.objective(document, theta, shares);
            found.sweeps += 1;
            reach = (1.5 * reach).min(FARTHEST);
            if objective < found.objective {
                std::mem::swap(theta, twice);
                gap = self.evaluate(document, theta, shares, gradient);
                objective = self.objective(document, theta, shares);
                found.sweeps += 1;
                reach = (reach / 3.0).max(1.0);
            }
            (found.gap, found.objective) = (gap, objective);
        }
        found
    }

    /// Shares and gradient at v; how much more a token could have at most, in nats: by concavity
    /// f(best) − f(v) ≤ R max_k f′_k − Σ_k v_k f′_k.
    pub fn evaluate(
        &self,
        document: Counts<'_>,
        theta: &[f64],
        shares: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        self.rows.sweep(document, self.base, theta, shares, gradient);
        let slopes = gradient.iter().zip(theta).zip(self.alpha).take(self.rows.topics());
        let steepest = slopes.map(|((g, t), a)| g + a / t).fold(0.0, f64::max);
        (self.room * steepest - self.mass(theta, gradient)) / document.tokens().max(1.0)
    }

    pub fn objective(&self, document: Counts<'_>, theta: &[f64], shares: &[f64]) -> f64 {
        let words: f64 = document.counts.iter().zip(shares).map(|(x, s)| x * s.ln()).sum();
        let topics = self.alpha.iter().zip(theta).take(self.rows.topics());
        words + topics.map(|(a, t)| a * t.ln()).sum::<f64>()
    }

    /// Σ_k v_k f′_k: the tokens that are of these topics, and α₀.
    pub fn mass(&self, theta: &[f64], gradient: &[f64]) -> f64 {
        let topics = theta.iter().zip(gradient).zip(self.alpha).take(self.rows.topics());
        topics.map(|((t, g), a)| t * g + a).sum()
    }

    /// A step of EM.
    fn step(&self, theta: &[f64], gradient: &[f64], to: &mut [f64]) {
        let scale = self.room / self.mass(theta, gradient);
        let topics = theta.iter().zip(gradient).zip(self.alpha);
        for (to, ((t, g), a)) in to.iter_mut().zip(topics) {
            *to = (t * g + a) * scale;
        }
    }

    /// Extrapolates the steps from `theta` to `once` and on to `twice`, into `theta`. `gradient`
    /// is that at `once`.
    fn leap(&self, [once, twice]: [&[f64]; 2], gradient: &[f64], reach: f64, theta: &mut [f64]) {
        let slope = self.mass(once, gradient) / self.room;
        let (mut first, mut change) = (0.0, 0.0);
        for ((t, o), w) in theta.iter().zip(once).zip(twice) {
            let (r, v) = (o - t, w - 2.0 * o + t);
            first += r * r / o.max(SMALL);
            change += v * v / o.max(SMALL);
        }
        let length = if change > 0.0 { (first / change).sqrt().clamp(1.0, reach) } else { 1.0 };
        let mut sum = 0.0;
        for topic in 0..self.rows.topics() {
            let (t, o, w, g) = (theta[topic], once[topic], twice[topic], gradient[topic]);
            theta[topic] = if g < LEAVING * slope {
                (self.alpha[topic] / (slope - g)).min(w)
            } else {
                let leapt = t + 2.0 * length * (o - t) + length * length * (w - 2.0 * o + t);
                leapt.max(MOST_LOST * w)
            };
            sum += theta[topic];
        }
        theta.iter_mut().for_each(|share| *share *= self.room / sum);
    }
}
