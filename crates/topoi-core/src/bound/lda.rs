//! Bounds on the number of topics of LDA.

use ndarray::Array1;
use strum::VariantArray;

use super::error::{SpectralBoundError, positive, probability};
use super::second_moment::{deviation, mean_pair_rate};
use super::spectrum::{Eigengap, MomentSpectrum, eigengap, least_eigenvalue, participation_ratio};
use super::topic_spectrum::{Coefficients, Prior, ProbableBound, TopicSpectrum};
use crate::progress::Progress;
use crate::stream::cooccurrence::CoOccurrence;

/// Assumptions of the bounds, and their probability of failure.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LdaSettings {
    /// α, the prior of each topic in a document.
    pub alpha: f64,
    /// β, the prior of each word in a topic.
    pub beta: f64,
    /// δ, the largest probability that the lower bound is wrong.
    pub delta: f64,
    /// Seed of the random start of the eigensolver.
    pub seed: u64,
}

impl Default for LdaSettings {
    /// The settings of the paper's experiments.
    fn default() -> Self {
        Self { alpha: 1.0, beta: 0.1, delta: 0.1, seed: 1 }
    }
}

impl LdaSettings {
    /// Checks that all settings are in their ranges.
    ///
    /// # Errors
    /// [`SpectralBoundError::OutOfRange`].
    pub fn check(&self) -> Result<(), SpectralBoundError> {
        positive("alpha", self.alpha)?;
        positive("beta", self.beta)?;
        probability("delta", self.delta)
    }

    fn alpha_0(&self, topics: usize) -> f64 {
        topics as f64 * self.alpha
    }
}

/// An upper bound on K.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct UpperBound {
    /// The choice of theorem 2.4's coefficients.
    pub coefficients: Coefficients,
    /// The largest K compatible with the corpus; `None` where it is not below the number of words.
    pub topics: Option<usize>,
    /// Lower bound on the probability that the true K lies between the lower bound and this one; 0
    /// where the theorem gives none.
    pub probability: f64,
}

/// Bounds on K, from the second moment of a corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicBounds {
    /// Lower bound on K; holds with probability 1 − δ.
    pub lower: usize,
    /// Whether the lower bound may be too low because not all eigenvalues above the threshold were
    /// computed.
    pub is_cut_off: bool,
    /// Upper bounds on K, one for each choice of coefficients, the default first.
    pub uppers: Vec<UpperBound>,
    /// δ_R, the threshold.
    pub threshold: f64,
    /// L, the document length at which equally long documents would give the same threshold.
    pub length: f64,
    /// σ̲_K, a lower bound on σ_K(M₂), with K the lower bound and the default coefficients.
    pub smallest: f64,
    /// The largest eigenvalues of M̂₂ for α₀ = lower·α, largest first, with their residuals.
    pub spectrum: Vec<(f64, f64)>,
    /// The smallest eigenvalue of M̂₂. Below −δ_R the corpus does not follow the model, or is among
    /// the share δ of corpora for which the bound fails.
    pub least: f64,
    /// The largest gap of the spectrum.
    pub eigengap: Option<Eigengap>,
    /// (Σσ)²/Σσ² of the eigenvalues above the threshold: an effective number of topics.
    pub participation_ratio: Option<f64>,
}

/// Bounds on the number of topics K behind a corpus, for documents from LDA.
///
/// M̂₂ depends on α₀ = Kα, so every K is compared with its own M̂₂. K is possible when at most K of
/// its eigenvalues are above δ_R and its largest is at most σ̄₁(K) + δ_R. The bounds are the
/// smallest and the largest possible K. The true K is possible when ‖M̂₂ − M₂‖ ≤ δ_R and σ₁(M₂) ≤
/// σ̄₁. Negative eigenvalues are not counted: M₂ has none, so none of M̂₂ is then below −δ_R.
///
/// # Cost
/// That of [`MomentSpectrum::above`], some passes for the smallest eigenvalue, and an eigenproblem
/// of its size for every K that is nearly possible.
///
/// # Errors
/// [`SpectralBoundError::OutOfRange`]; [`SpectralBoundError::Stream`] when a block cannot be read, or on cancel.
///
/// # Source
/// Cheng et al. 2015, section 2.5. Unequal lengths and unknown α₀ are our extension
/// (`papers/cheng2015.md`).
pub fn topic_bounds(
    c: &CoOccurrence<'_>,
    settings: &LdaSettings,
    progress: &dyn Progress,
) -> Result<TopicBounds, SpectralBoundError> {
    settings.check()?;
    progress.begin("lengths", 0, "");
    let rate = mean_pair_rate(c.documents())?;
    let threshold = deviation(c.totals().with_pairs, c.words(), rate, settings.delta);
    let spectrum = MomentSpectrum::above(c, threshold, settings.seed, progress)?;
    let lower = lower(&spectrum, settings, threshold);
    let alpha_0 = settings.alpha_0(lower);
    let least = least_eigenvalue(c, alpha_0, threshold, settings.seed, progress)?;
    let shown = spectrum.values_with_residuals(alpha_0);
    let values: Vec<f64> = shown.iter().map(|&(value, _)| value).collect();
    let counted = values.iter().filter(|&&value| value > threshold).count();
    let uppers = Coefficients::VARIANTS.iter().map(|&coefficients| {
        let theory = theory(settings, c.words(), coefficients);
        upper(&spectrum, settings, &theory, threshold)
    });
    Ok(TopicBounds {
        lower,
        is_cut_off: !spectrum.is_complete(),
        uppers: uppers.collect(),
        threshold,
        length: rate.powf(-0.5),
        smallest: theory(settings, c.words(), Coefficients::VARIANTS[0]).smallest(lower).value,
        spectrum: shown,
        least,
        eigengap: eigengap(&values, counted),
        participation_ratio: participation_ratio(&values[..counted]),
    })
}

fn theory(settings: &LdaSettings, words: usize, coefficients: Coefficients) -> TopicSpectrum {
    let prior = Prior { alpha: settings.alpha, beta: settings.beta };
    TopicSpectrum { prior, words, coefficients, delta: settings.delta }
}

fn above(values: &Array1<f64>, threshold: f64) -> usize {
    values.iter().filter(|&&value| value > threshold).count()
}

/// The smallest K ≥ 1 for which at most K eigenvalues are above the threshold.
fn lower(spectrum: &MomentSpectrum, settings: &LdaSettings, threshold: f64) -> usize {
    // The count is smallest with all of m mᵀ subtracted; any α₀ has at most one eigenvalue more.
    let fewest = above(&spectrum.values(f64::INFINITY), threshold).max(1);
    let counted = above(&spectrum.values(settings.alpha_0(fewest)), threshold);
    if counted <= fewest { fewest } else { counted }
}

/// The largest K for which σ₁ is not too large.
fn upper(
    spectrum: &MomentSpectrum,
    settings: &LdaSettings,
    theory: &TopicSpectrum,
    threshold: f64,
) -> UpperBound {
    // The smallest σ₁ for any α₀ rules out most K without an eigenproblem.
    let least = spectrum.values(f64::INFINITY)[0];
    let is_possible = |&topics: &usize| {
        let most = theory.largest(topics).value + threshold;
        least <= most && spectrum.values(settings.alpha_0(topics))[0] <= most
    };
    let found = (1..=theory.words).rev().find(is_possible);
    let topics = found.filter(|&topics| topics < theory.words);
    let ProbableBound { failure, .. } = theory.largest(found.unwrap_or(1));
    let probability = (1.0 - settings.delta - failure).clamp(0.0, 1.0);
    UpperBound { coefficients: theory.coefficients, topics, probability }
}
