//! ENN on the full co-occurrence: the eigenpairs of C in memory, ENN rectification, LAW.
//!
//! The same as `lr-jsmf` but for where the eigenpairs come from; it shows what streaming costs
//! (nothing, once the eigenpairs are converged).
//!
//! Source: Lee et al. 2021, algorithms 3 and 5.

use ndarray::Array2;

use super::checkpoint::{Rectified, once};
use super::error::ModelError;
use super::formed::Stoppable;
use super::jsmf::{Jsmf, Rectification, factorise_stage, topics_stage};
use super::law::law;
use super::rectify::enn::{EnnSettings, enn};
use crate::linalg::block_krylov::{Eigenpairs, KrylovSettings, block_krylov};
use crate::progress::Progress;
use crate::random::stream;

/// Topics of the C (W × W) that `form` gives, by ENN and LAW. Stages "factorise", "rectify" and
/// "topics" are reported, and are not done again where `progress` has what they came to.
///
/// # Errors
/// Those of `form`; on cancel, or when the rectified C has fewer than K independent rows.
///
/// # Source
/// Lee et al. 2021, algorithms 3 and 5.
pub fn enn_topics(
    form: impl Fn() -> Result<Array2<f64>, ModelError>,
    krylov: KrylovSettings,
    settings: EnnSettings,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Jsmf, ModelError> {
    let eigenpairs = once("factorise", progress, || {
        let c = form()?;
        let operator = Stoppable { matrix: &c, progress };
        let mut rng = stream(seed, "enn krylov");
        factorise_stage(progress, krylov.max_passes, || {
            block_krylov(&operator, krylov, &mut rng, progress)
        })
    })?;
    enn_and_law(eigenpairs, settings, progress)
}

/// ENN from eigenpairs of C, and topics from what it makes of them.
pub(super) fn enn_and_law(
    eigenpairs: Eigenpairs,
    settings: EnnSettings,
    progress: &dyn Progress,
) -> Result<Jsmf, ModelError> {
    let Rectified { y, rectification } = once("rectify", progress, || {
        let residual = "change of the correction E in an iteration, relative to E";
        progress.begin("rectify", settings.iterations as u64, residual);
        let found = enn(&eigenpairs.values, &eigenpairs.vectors, settings, progress)?;
        let rectification = Rectification {
            iterations: found.iterations,
            last_change: found.last_change,
            objective: None,
        };
        Ok(Rectified { y: found.y, rectification })
    })?;
    let topics = once("topics", progress, || topics_stage(progress, || law(&y, settings.rank)))?;
    Ok(Jsmf {
        topics,
        eigenpairs: Some(eigenpairs),
        rectification: Some(rectification),
        basis: None,
    })
}
