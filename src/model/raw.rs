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
use super::checkpoint::{Rectified, once};
use super::error::ModelError;
use super::formed::{Stoppable, WhenNeeded};
use super::jsmf::{Jsmf, Rectification, factorise_stage, topics_stage};
use super::rectify::alternating::{
    Alternated, AlternatingSettings, alternating_projections, projected,
};
use crate::linalg::block_krylov::block_krylov;
use crate::progress::Progress;
use crate::random::stream;

/// Topics of the C (W × W) that `form` gives, rectified by alternating projections. Stages
/// "factorise", "rectify" and "topics" are reported, and are not done again where `progress` has
/// what they came to.
///
/// # Errors
/// Those of `form`; on cancel, or when the rectified C has fewer than K independent rows.
///
/// # Source
/// Lee et al. 2021, algorithm 2.
pub fn rectified_anchor_words(
    form: impl Fn() -> Result<Array2<f64>, ModelError>,
    settings: &AlternatingSettings,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Jsmf, ModelError> {
    let krylov = settings.krylov;
    let mut c = WhenNeeded::new(form);
    let eigenpairs = once("factorise", progress, || {
        let operator = Stoppable { matrix: c.get()?, progress };
        let mut rng = stream(seed, "raw krylov");
        factorise_stage(progress, krylov.max_passes, || {
            block_krylov(&operator, krylov, &mut rng, progress)
        })
    })?;
    let Rectified { y, rectification } = once("rectify", progress, || {
        let c = c.get()?;
        let residual = "change of the co-occurrence in an iteration, relative to it";
        progress.begin("rectify", settings.iterations as u64, residual);
        let found = alternating_projections(c, &eigenpairs, settings, progress)?;
        let Alternated { y, iterations, last_change } = found;
        Ok(Rectified {
            y,
            rectification: Rectification { iterations, last_change, objective: None },
        })
    })?;
    let topics = once("topics", progress, || {
        let c = match rectification.iterations {
            0 => c.take()?,
            _ => {
                drop(c);
                projected(&y)
            }
        };
        topics_stage(progress, || anchor_words(c, settings.rank))
    })?;
    Ok(Jsmf {
        topics,
        eigenpairs: Some(eigenpairs),
        rectification: Some(rectification),
        basis: None,
    })
}
