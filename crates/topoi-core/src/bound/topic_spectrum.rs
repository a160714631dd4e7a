//! Bounds on the spectrum of the true second moment for K topics drawn from a Dirichlet
//! distribution.

use strum::{IntoStaticStr, VariantArray};

/// The prior of LDA: a symmetric Dirichlet on the topics of a document and on the words of a topic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prior {
    /// α of each topic; α₀ = Kα.
    pub alpha: f64,
    /// β of each word.
    pub beta: f64,
}

/// A choice of the free coefficients of theorem 2.4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Coefficients {
    /// Appendix A.1's alternative: δ′ = 0.1, c₁ = 4·log(KV)/√β, c₂ = √(2·log(K/δ)).
    Appendix,
    /// δ′ as printed in theorem 2.4, with δ₁ = δ₂ = δ₃ = δ.
    Theorem,
    /// The smallest δ′ for which the matrix Chernoff term is δ₃ = δ. The theorem's δ′ approximates
    /// it; only this choice holds with the probability that the theorem states.
    Solved,
}

impl Coefficients {
    /// The name in the store and in reports.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A bound that fails with a probability of at most `failure`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProbableBound {
    /// The value of the bound.
    pub value: f64,
    /// Upper bound on the probability that the bound fails; may be above 1.
    pub failure: f64,
}

/// The spectrum for K topics drawn from Dirichlet(β, …, β) over V words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TopicSpectrum {
    /// α and β.
    pub prior: Prior,
    /// V, the number of words.
    pub words: usize,
    /// The choice of theorem 2.4's coefficients.
    pub coefficients: Coefficients,
    /// δ, the allowed probability that the lower bound fails.
    pub delta: f64,
}

impl TopicSpectrum {
    /// σ̄₁, an upper bound on σ₁(M₂); infinite where the theorem gives none.
    ///
    /// # Source
    /// Cheng et al. 2015, theorem 2.4 (1). The probability follows the general statement in
    /// appendix A.1, which the printed settings round.
    pub fn largest(&self, topics: usize) -> ProbableBound {
        let Prior { alpha, beta } = self.prior;
        let (k, mass) = (topics as f64, self.words as f64 * beta);
        let c_2 = (2.0 * self.log_of_topics(k)).sqrt();
        let slack = self.slack(k);
        let shortest = (mass - c_2 * mass.sqrt()).max(0.0);
        let squares = (1.0 + slack) * mass * (1.0 + k * beta);
        let value = squares / (shortest * shortest) / (k * (k * alpha + 1.0));
        let lengths = k * (-c_2 * c_2 / 2.0).exp();
        let failure = lengths + self.entries(k) + k * (-self.rate(k) * excess(slack)).exp();
        ProbableBound { value, failure }
    }

    /// σ̲_K, a lower bound on σ_K(M₂); 0 where the theorem gives none.
    ///
    /// # Source
    /// Cheng et al. 2015, theorem 2.4 (2); the probability as for [`Self::largest`]. c₂ =
    /// 2·log(K/δ) as in the printed bound (the list before it has 2·√log(K/δ)), and √(Vβ) as in
    /// lemma C.4 (appendix A.1 prints Vβ).
    pub fn smallest(&self, topics: usize) -> ProbableBound {
        let Prior { alpha, beta } = self.prior;
        let (k, mass) = (topics as f64, self.words as f64 * beta);
        let c_2 = 2.0 * self.log_of_topics(k);
        let slack = self.slack(k);
        let longest = mass + c_2 * mass.sqrt();
        let squares = (1.0 - slack).max(0.0) * mass;
        let value = squares / (longest * longest) / (k * (k * alpha + 1.0));
        let lengths = k * (-c_2 / 2.0 * (c_2 / 2.0).min(mass.sqrt())).exp();
        // excess(−δ′) is the exponent of the lower tail. From δ′ = 1 on the bound is 0 anyway.
        let chernoff = if slack < 1.0 { (-self.rate(k) * excess(-slack)).exp() } else { 0.0 };
        ProbableBound { value, failure: lengths + self.entries(k) + k * chernoff }
    }

    fn log_of_topics(&self, k: f64) -> f64 {
        (k / self.delta).ln()
    }

    /// c₁. The topics' entries before normalisation are at most β + c₁√β.
    fn c_1(&self, k: f64) -> f64 {
        let (beta, entries) = (self.prior.beta, k * self.words as f64);
        match self.coefficients {
            Coefficients::Appendix => 4.0 * entries.ln() / beta.sqrt(),
            Coefficients::Theorem => 2.0 * (entries / self.delta).ln() / beta.sqrt(),
            Coefficients::Solved => {
                let log = (entries / self.delta).ln();
                if log >= beta { 2.0 * log / beta.sqrt() } else { 2.0 * log.sqrt() }
            }
        }
    }

    /// Upper bound on the probability that some entry is larger.
    fn entries(&self, k: f64) -> f64 {
        let c_1 = self.c_1(k);
        let exponent = c_1 / 2.0 * (c_1 / 2.0).min(self.prior.beta.sqrt());
        k * self.words as f64 * (-exponent).exp()
    }

    /// The exponent Vβ/(K(β + c₁√β)²) of the matrix Chernoff bound.
    fn rate(&self, k: f64) -> f64 {
        let beta = self.prior.beta;
        let largest = beta + self.c_1(k) * beta.sqrt();
        self.words as f64 * beta / (k * largest * largest)
    }

    /// δ′.
    fn slack(&self, k: f64) -> f64 {
        let (beta, log) = (self.prior.beta, self.log_of_topics(k));
        match self.coefficients {
            Coefficients::Appendix => 0.1,
            Coefficients::Theorem => {
                let mass = self.words as f64 * beta;
                (log * k * (beta + 2.0 * log).powi(2) / mass).sqrt()
            }
            Coefficients::Solved => excess_inverse(log / self.rate(k)),
        }
    }
}

/// (1 + x)·ln(1 + x) − x for x > −1, the exponent of the matrix Chernoff bound (Tropp 2012).
fn excess(x: f64) -> f64 {
    (1.0 + x) * x.ln_1p() - x
}

/// The x ≥ 0 with [`excess`] `wanted`, by bisection.
fn excess_inverse(wanted: f64) -> f64 {
    let mut high = 1.0;
    while excess(high) < wanted {
        high *= 2.0;
    }
    let mut low = 0.0;
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if excess(middle) < wanted { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spectrum(words: usize, coefficients: Coefficients) -> TopicSpectrum {
        TopicSpectrum { prior: Prior { alpha: 1.0, beta: 0.1 }, words, coefficients, delta: 0.1 }
    }

    #[test]
    fn the_appendix_setting_is_the_printed_formula() {
        let found = spectrum(1000, Coefficients::Appendix).largest(24);
        let root = (2.0 * 100.0 * (240.0_f64).ln()).sqrt();
        let by_hand = 1.1 / (24.0 * 25.0) * 1000.0 * (0.1 + 24.0 * 0.01) / (100.0 - root).powi(2);
        assert!((found.value / by_hand - 1.0).abs() < 1e-12);
        let found = spectrum(1000, Coefficients::Appendix).smallest(10);
        let root = 2.0 * 10.0 * (100.0_f64).ln();
        let by_hand = 0.9 / 110.0 * 100.0 / (100.0 + root).powi(2);
        assert!((found.value / by_hand - 1.0).abs() < 1e-12);
    }

    #[test]
    fn at_ordinary_sizes_only_the_solved_coefficients_hold_for_certain() {
        // The other two rest on a Chernoff term that is above 1 there.
        assert!(spectrum(1000, Coefficients::Appendix).largest(10).failure > 1.0);
        assert!(spectrum(1000, Coefficients::Theorem).largest(10).failure > 1.0);
        let solved = spectrum(1000, Coefficients::Solved).largest(10);
        assert!((solved.failure - 0.3).abs() < 1e-6, "{}", solved.failure);
        // With very many words the appendix's setting holds too.
        let many = spectrum(2_000_000_000, Coefficients::Appendix).largest(10);
        assert!(many.failure < 0.2, "{}", many.failure);
    }

    #[test]
    fn where_lengths_of_topics_can_vanish_the_theorem_says_nothing() {
        // Vβ = 10 < 2·log(K/δ) from K = 15 on.
        let found = spectrum(100, Coefficients::Appendix);
        assert!(found.largest(14).value.is_finite() && found.largest(15).value.is_infinite());
    }

    #[test]
    fn excess_is_inverted() {
        for x in [1e-3, 0.1, 1.0, 75.0] {
            assert!((excess_inverse(excess(x)) / x - 1.0).abs() < 1e-9, "{x}");
        }
    }
}
