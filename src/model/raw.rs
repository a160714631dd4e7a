//! RAW: rectified anchor words on a full co-occurrence, the reference the faster models are
//! compared with.
//!
//! Alternating projections make C what the model says it must be; then the anchor word algorithm.
//! Needs C in memory (8·W² bytes, twice) and W²·K flops an iteration; `lr-jsmf` gives nearly the
//! same topics from the streamed corpus in a fraction of the time.
//!
//! Source: Lee et al. 2015; Lee et al. 2021, algorithm 2.

use ndarray::Array2;

use super::aw::anchor_words;
use super::error::ModelError;
use super::jsmf::{Jsmf, Rectification, TOPICS};
use super::rectify::alternating::{AlternatingSettings, alternating_projections};
use crate::progress::Progress;

/// Topics of C (W × W), rectified by alternating projections. Stages "factorise", "rectify" and
/// "topics" are reported.
///
/// # Errors
/// On cancel, or when the rectified C has fewer than K independent rows.
///
/// # Source
/// Lee et al. 2021, algorithm 2.
pub fn rectified_anchor_words(
    c: Array2<f64>,
    settings: &AlternatingSettings,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Jsmf, ModelError> {
    let found = alternating_projections(c, settings, seed, progress)?;
    progress.begin("topics", 1, TOPICS);
    let topics = anchor_words(found.cooccurrence, settings.rank)?;
    progress.step(1, Some(topics.worst_gap));
    Ok(Jsmf {
        topics,
        eigenpairs: Some(found.eigenpairs),
        rectification: Some(Rectification {
            iterations: found.iterations,
            last_change: found.last_change,
            objective: None,
        }),
    })
}
