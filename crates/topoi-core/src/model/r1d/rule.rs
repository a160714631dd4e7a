//! The membership rule of a topic, for both words and documents.

use super::Settings;

/// How members may change in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MembershipChange {
    /// Members join and leave.
    Free,
    /// Members only join.
    Grow,
    /// Members only leave.
    Shrink,
}

impl MembershipChange {
    /// Whether a member belongs after the step. `did` says whether it belonged before, `gains`
    /// whether it raises the objective.
    #[inline]
    pub(super) fn allows(self, did: bool, gains: bool) -> bool {
        match self {
            Self::Free => gains,
            Self::Grow => did || gains,
            Self::Shrink => did && gains,
        }
    }
}

/// The membership rule of one topic.
#[derive(Debug, Clone, Copy)]
pub(super) struct MembershipRule {
    gamma: f64,
    gamma_bar: f64,
    /// ρ.
    rho: f64,
    /// How M may change.
    pub words: MembershipChange,
    /// How N may change.
    pub documents: MembershipChange,
}

impl MembershipRule {
    /// The rule for a topic that starts with one document of squared norm `squares` and all of the
    /// W words.
    pub(super) fn from_document(settings: &Settings, squares: f64, words: usize) -> Self {
        let own = Self::new(settings, squares, words);
        match settings.monotone {
            true => {
                Self { words: MembershipChange::Shrink, documents: MembershipChange::Grow, ..own }
            }
            false => own,
        }
    }

    /// The rule for a topic that starts with one word of squared norm `squares` and all documents.
    pub(super) fn from_word(settings: &Settings, squares: f64, documents: usize) -> Self {
        let own = Self::new(settings, squares, documents);
        match settings.monotone {
            true => {
                Self { words: MembershipChange::Grow, documents: MembershipChange::Shrink, ..own }
            }
            false => own,
        }
    }

    /// The rule for a start with `others` words or documents on the other side. The paper prints ρ
    /// = η̄(γ̄ − 1)σ²/m. That is ρ̄ = ρ/(γ − 1) if the penalty is to be the share η̄ of the other
    /// terms, as stated before.
    fn new(settings: &Settings, squares: f64, others: usize) -> Self {
        let gamma_bar = settings.gamma / (settings.gamma - 1.0);
        // (γ − 1)·(γ̄ − 1) = 1.
        let rho = settings.rho * squares / others as f64;
        let (words, documents) = (MembershipChange::Free, MembershipChange::Free);
        Self { gamma: settings.gamma, gamma_bar, rho, words, documents }
    }

    /// Whether a row or column raises the objective: γ̄·projection² − squares − ρ̄·|other side| >
    /// 0. `projection` is its product with the other side's unit vector, `squares` its squared norm
    /// there.
    ///
    /// # Source
    /// Biggs et al. 2008, lemma 1 and the end of section 2.
    #[inline]
    pub(super) fn gains(&self, projection: f64, squares: f64, other_side: usize) -> bool {
        let penalty = self.rho / (self.gamma - 1.0) * other_side as f64;
        self.gamma_bar * projection * projection - squares - penalty > 0.0
    }

    /// The contribution of a row or column to the objective, (1) and (6) of the paper.
    #[inline]
    pub(super) fn gain(&self, projection: f64, squares: f64, other_side: usize) -> f64 {
        self.gamma * projection * projection
            - (self.gamma - 1.0) * squares
            - self.rho * other_side as f64
    }
}
