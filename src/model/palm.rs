//! PALM: nonnegative rectification by proximal steps, then LAW.
//!
//! It needs products with C only, so C is streamed and never formed; each iteration takes two
//! passes. It converges slowly along the small eigenvalues: choose it to compare, not first.
//!
//! Source: Lee et al. 2021, algorithms 4 and 5.

use super::checkpoint::{Rectified, once};
use super::error::ModelError;
use super::jsmf::{Jsmf, Rectification, factorise_stage, topics_stage};
use super::law::law;
use super::rectify::palm::{PalmSettings, palm};
use crate::linalg::block_krylov::{KrylovSettings, SymmetricOperator, block_krylov};
use crate::progress::Progress;
use crate::random::stream;
use crate::stream::StreamError;

/// Topics of an operator C by PALM and LAW; `squared_norm` gives ‖C‖²_F. Stages "factorise",
/// "rectify" and "topics" are reported, and are not done again where `progress` has what they
/// came to.
///
/// # Errors
/// When C cannot be streamed, on cancel, or when Y has fewer than K independent rows.
///
/// # Source
/// Lee et al. 2021, algorithms 4 and 5.
pub fn palm_topics<O: SymmetricOperator<Error = StreamError>>(
    c: &O,
    squared_norm: impl FnOnce() -> Result<f64, StreamError>,
    krylov: KrylovSettings,
    settings: &PalmSettings,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Jsmf, ModelError> {
    let eigenpairs = once("factorise", progress, || {
        let mut rng = stream(seed, "palm krylov");
        factorise_stage(progress, krylov.max_passes, || block_krylov(c, krylov, &mut rng, progress))
    })?;
    let Rectified { y, rectification } = once("rectify", progress, || {
        let residual = "change of Y in an iteration, relative to Y";
        progress.begin("rectify", settings.iterations as u64, residual);
        let found = palm(c, squared_norm()?, &eigenpairs, settings, progress)?;
        let rectification = Rectification {
            iterations: found.objectives.len(),
            last_change: found.last_change,
            objective: Some((found.objective(), found.largest_rise())),
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
