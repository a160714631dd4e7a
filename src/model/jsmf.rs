//! What the models of the JSMF family return: topics, and the way to them.

use super::anchor_topics::AnchorTopics;
use crate::linalg::block_krylov::Eigenpairs;

/// What the residual of stage "factorise" measures.
pub(super) const FACTORISE: &str =
    "largest residual of an eigenpair, relative to the K-th eigenvalue";
/// What the residual of stage "topics" measures.
pub(super) const TOPICS: &str = "largest KKT gap of a word's simplex least squares";

/// Topics of joint stochastic matrix factorisation, C ≈ B·A·Bᵀ, and how they were come by.
#[derive(Debug, Clone)]
pub struct Jsmf {
    /// The topics.
    pub topics: AnchorTopics,
    /// The largest eigenpairs of C, unrectified; `None` for a model that needs none.
    pub eigenpairs: Option<Eigenpairs>,
    /// How rectification went; `None` for a model without.
    pub rectification: Option<Rectification>,
}

/// How a rectification went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rectification {
    /// Iterations done.
    pub iterations: usize,
    /// The relative change in the last of them, of what the stage's residual says.
    pub last_change: f64,
    /// The objective at the end and the largest relative rise of it in an iteration, for the
    /// method that has one (PALM).
    pub objective: Option<(f64, f64)>,
}
