//! Bounds on the number of topics of LDA.

use ndarray::Array1;
use strum::VariantArray;

use super::error::{BoundError, positive, probability};
use super::second_moment::{deviation, mean_pair_rate};
use super::spectrum::{Eigengap, MomentSpectrum, eigengap, least_eigenvalue, participation_ratio};
use super::topic_spectrum::{Bounded, Coefficients, Prior, TopicSpectrum};
use crate::progress::Progress;
use crate::stream::cooccurrence::CoOccurrence;

/// Assumptions of the bounds, and how often they may fail.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LdaSettings {
    /// α, the prior of each topic in a document.
    pub alpha: f64,
    /// β, the prior of each word in a topic.
    pub beta: f64,
    /// δ: the lower bound is wrong at most this often.
    pub delta: f64,
    /// Seed of the random start of the eigensolver.
    pub seed: u64,
}

impl Default for LdaSettings {
    /// The setting of the paper's experiments.
    fn default() -> Self {
        Self { alpha: 1.0, beta: 0.1, delta: 0.1, seed: 1 }
    }
}

impl LdaSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`BoundError::OutOfRange`].
    pub fn check(&self) -> Result<(), BoundError> {
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
pub struct Upper {
    /// The choice of theorem 2.4's coefficients.
    pub coefficients: Coefficients,
    /// The largest K that the corpus allows; `None` where it allows as many as there are words.
    pub topics: Option<usize>,
    /// The true K lies between the lower bound and this one with at least this probability; 0 where the
    /// theorem says nothing.
    pub probability: f64,
}

/// Bounds on K, from the second moment of a corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicBounds {
    /// K is at least this, with probability 1 − δ.
    pub lower: usize,
    /// Whether the lower bound may be too low because not all values above the threshold were computed.
    pub is_cut_off: bool,
    /// Upper bounds on K, one for every choice of coefficients, the default first.
    pub uppers: Vec<Upper>,
    /// δ_R, the threshold.
    pub threshold: f64,
    /// L, the common length that has the same effect as the documents' own lengths.
    pub length: f64,
    /// σ̲_K for K the lower bound: a lower bound on σ_K(M₂), with the default coefficients.
    pub smallest: f64,
    /// The largest eigenvalues of M̂₂ for α₀ = lower·α, largest first, with their residuals.
    pub spectrum: Vec<(f64, f64)>,
    /// The least eigenvalue of M̂₂. Below −δ_R the corpus is not from the model, or it is one of the share
    /// δ of corpora for which the bound fails.
    pub least: f64,
    /// The largest gap of the spectrum.
    pub eigengap: Option<Eigengap>,
    /// (Σσ)²/Σσ² of the values above the threshold: an effective number of topics.
    pub participation_ratio: Option<f64>,
}

/// Bounds on the number of topics K behind a corpus, for documents from LDA.
///
/// As α₀ = Kα is part of M̂₂, every K is compared with its own M̂₂: K is possible when at most K
/// of its eigenvalues are above δ_R, and when its largest is at most σ̄₁(K) + δ_R. The bounds are
/// the least and the largest K that are possible; the true one is, when ‖M̂₂ − M₂‖ ≤ δ_R and
/// σ₁(M₂) ≤ σ̄₁. Negative eigenvalues are not counted: as M₂ has none, none is below −δ_R then.
///
/// # Cost
/// That of [`MomentSpectrum::above`], some passes for the least eigenvalue, and an eigenproblem
/// of its size for every K that is nearly possible.
///
/// # Errors
/// [`BoundError::OutOfRange`]; when the corpus cannot be read, or on cancel.
///
/// # Source
/// Cheng et al. 2015, section 2.5; unequal lengths and unknown α₀ are ours (`papers/cheng2015.md`).
pub fn topic_bounds(
    c: &CoOccurrence<'_>,
    settings: &LdaSettings,
    progress: &dyn Progress,
) -> Result<TopicBounds, BoundError> {
    settings.check()?;
    progress.begin("lengths", 0, "");
    let rate = mean_pair_rate(c.documents())?;
    let threshold = deviation(c.totals().documents, c.words(), rate, settings.delta);
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

/// The least K ≥ 1 for which at most K eigenvalues are above the threshold.
fn lower(spectrum: &MomentSpectrum, settings: &LdaSettings, threshold: f64) -> usize {
    // All of m mᵀ taken away there are fewest, and there is at most one more for any α₀.
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
) -> Upper {
    // The least that σ₁ can be for any α₀, which rules most K out without an eigenproblem.
    let least = spectrum.values(f64::INFINITY)[0];
    let is_possible = |&topics: &usize| {
        let most = theory.largest(topics).value + threshold;
        least <= most && spectrum.values(settings.alpha_0(topics))[0] <= most
    };
    let found = (1..=theory.words).rev().find(is_possible);
    let topics = found.filter(|&topics| topics < theory.words);
    let Bounded { failure, .. } = theory.largest(found.unwrap_or(1));
    let probability = (1.0 - settings.delta - failure).clamp(0.0, 1.0);
    Upper { coefficients: theory.coefficients, topics, probability }
}
