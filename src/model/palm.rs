//! PALM: nonnegative rectification by proximal steps, then LAW.
//!
//! It needs products with C only, so C is streamed and never formed; each iteration takes two
//! passes. It converges slowly along the small eigenvalues: choose it to compare, not first.
//!
//! Source: Lee et al. 2021, algorithms 4 and 5.

use super::error::ModelError;
use super::jsmf::{FACTORISE, Jsmf, Rectification, TOPICS};
use super::law::law;
use super::rectify::palm::{PalmSettings, palm};
use crate::linalg::block_krylov::{KrylovSettings, SymmetricOperator, block_krylov};
use crate::progress::Progress;
use crate::random::stream;
use crate::stream::StreamError;

/// Topics of an operator C by PALM and LAW, `squared_norm` being ‖C‖²_F. Stages "factorise",
/// "rectify" and "topics" are reported.
///
/// # Errors
/// When C cannot be streamed, on cancel, or when Y has fewer than K independent rows.
///
/// # Source
/// Lee et al. 2021, algorithms 4 and 5.
pub fn palm_topics<O: SymmetricOperator<Error = StreamError>>(
    c: &O,
    squared_norm: f64,
    krylov: KrylovSettings,
    settings: &PalmSettings,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Jsmf, ModelError> {
    progress.begin("factorise", krylov.max_passes as u64, FACTORISE);
    let eigenpairs = block_krylov(c, krylov, &mut stream(seed, "palm krylov"), progress)?;
    progress.begin(
        "rectify",
        settings.iterations as u64,
        "change of Y in an iteration, relative to Y",
    );
    let found = palm(c, squared_norm, &eigenpairs, settings, progress)?;
    progress.begin("topics", 1, TOPICS);
    let topics = law(&found.y, settings.rank)?;
    progress.step(1, Some(topics.worst_gap));
    Ok(Jsmf {
        topics,
        eigenpairs: Some(eigenpairs),
        rectification: Some(Rectification {
            iterations: found.objectives.len(),
            last_change: found.last_change,
            objective: Some((found.objective(), found.largest_rise())),
        }),
    })
}
