//! What the sampler is told.

use super::Settings;

/// α is learnt after every so many sweeps, as tomotopy does.
pub(super) const LEARN_EVERY: usize = 10;

/// Settings of LDA by Gibbs sampling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LdaGibbsSettings {
    /// K, the number of topics, at most 65,535.
    pub topics: usize,
    /// Sweeps over all tokens.
    pub iterations: usize,
    /// α each document weighs each topic with before it is seen; where it is learnt, at first.
    pub alpha: f64,
    /// β each topic weighs each word with.
    pub beta: f64,
    /// Learn α, one for each topic, after every so many sweeps from a quarter of them on; 0 leaves
    /// it.
    pub learn_every: usize,
}

impl LdaGibbsSettings {
    /// α from 0.1 on and learnt every 10 sweeps, β = 0.01, as tomotopy has them.
    pub fn new(topics: usize) -> Self {
        let Settings { iterations, alpha, beta, .. } = Settings::default();
        Self { topics, iterations, alpha, beta, learn_every: LEARN_EVERY }
    }

    /// Whether α is learnt after the sweep with this number, from 1: not in the first quarter of the
    /// sweeps, as documents look as if they had many topics before topics are apart.
    pub(super) fn learns(&self, sweep: usize) -> bool {
        let every = self.learn_every;
        every > 0 && sweep.is_multiple_of(every) && sweep > self.iterations / 4
    }

    /// Sweeps that topics are averaged over: the last tenth, at least one.
    pub(super) fn averaged(&self) -> usize {
        (self.iterations / 10).max(1)
    }

    /// Whether topics are averaged over the sweep with this number, from 1.
    pub(super) fn averages(&self, sweep: usize) -> bool {
        sweep + self.averaged() > self.iterations
    }
}
