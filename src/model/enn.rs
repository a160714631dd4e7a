//! ENN on the full co-occurrence: the eigenpairs of C in memory, ENN rectification, LAW.
//!
//! The same as `lr-jsmf` but for where the eigenpairs come from; it shows what streaming costs
//! (nothing, once the eigenpairs are converged).
//!
//! Source: Lee et al. 2021, algorithms 3 and 5.

use ndarray::Array2;

use super::error::ModelError;
use super::jsmf::{FACTORISE, Jsmf, Rectification, TOPICS};
use super::law::law;
use super::rectify::enn::{EnnSettings, enn};
use crate::linalg::block_krylov::{Eigenpairs, InMemory, KrylovSettings, block_krylov};
use crate::progress::Progress;
use crate::random::stream;

/// Topics of C (W × W) by ENN and LAW. Stages "factorise", "rectify" and "topics" are reported.
///
/// # Errors
/// On cancel, or when the rectified C has fewer than K independent rows.
///
/// # Source
/// Lee et al. 2021, algorithms 3 and 5.
pub fn enn_topics(
    c: &Array2<f64>,
    krylov: KrylovSettings,
    settings: EnnSettings,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Jsmf, ModelError> {
    progress.begin("factorise", krylov.max_passes as u64, FACTORISE);
    let mut rng = stream(seed, "enn krylov");
    let eigenpairs = block_krylov(&InMemory(c), krylov, &mut rng, progress)
        .unwrap_or_else(|never| match never {});
    enn_and_law(eigenpairs, settings, progress)
}

/// ENN from eigenpairs of C, and topics from what it makes of them.
pub(super) fn enn_and_law(
    eigenpairs: Eigenpairs,
    settings: EnnSettings,
    progress: &dyn Progress,
) -> Result<Jsmf, ModelError> {
    progress.begin(
        "rectify",
        settings.iterations as u64,
        "change of the correction E in an iteration, relative to E",
    );
    let rectified = enn(&eigenpairs.values, &eigenpairs.vectors, settings, progress)?;
    progress.begin("topics", 1, TOPICS);
    let topics = law(&rectified.y, settings.rank)?;
    progress.step(1, Some(topics.worst_gap));
    Ok(Jsmf {
        topics,
        eigenpairs: Some(eigenpairs),
        rectification: Some(Rectification {
            iterations: rectified.iterations,
            last_change: rectified.last_change,
            objective: None,
        }),
    })
}
