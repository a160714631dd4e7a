//! Settings of the sampler.

use super::Settings;

/// Sweeps between two updates of α, as in tomotopy.
pub(super) const LEARN_EVERY: usize = 10;

/// Settings of LDA by Gibbs sampling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LdaGibbsSettings {
    /// K, the number of topics, at most 65,535.
    pub topics: usize,
    /// Sweeps over all tokens.
    pub iterations: usize,
    /// α, the prior weight of each topic in a document; the initial value where α is learnt.
    pub alpha: f64,
    /// β, the prior weight of each word in a topic.
    pub beta: f64,
    /// Sweeps between two updates of α (one value for each topic), after the first quarter of the
    /// sweeps; 0 keeps α fixed.
    pub learn_every: usize,
}

impl LdaGibbsSettings {
    /// Initial α = 0.1, learnt every 10 sweeps, and β = 0.01, as in tomotopy.
    pub fn new(topics: usize) -> Self {
        let Settings { iterations, alpha, beta, .. } = Settings::default();
        Self { topics, iterations, alpha, beta, learn_every: LEARN_EVERY }
    }

    /// Whether α is learnt after sweep number `sweep`, from 1. It is not in the first quarter of
    /// the sweeps: documents seem to have many topics before topics have separated.
    pub(super) fn learns(&self, sweep: usize) -> bool {
        let every = self.learn_every;
        every > 0 && sweep.is_multiple_of(every) && sweep > self.iterations / 4
    }

    /// Number of sweeps that topics are averaged over: the last tenth, at least one.
    pub(super) fn averaged(&self) -> usize {
        (self.iterations / 10).max(1)
    }

    /// Whether topics are averaged over sweep number `sweep`, from 1.
    pub(super) fn averages(&self, sweep: usize) -> bool {
        sweep + self.averaged() > self.iterations
    }
}
