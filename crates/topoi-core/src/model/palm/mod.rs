//! PALM: nonnegative rectification by proximal steps, then LAW.
//!
//! It uses products with C only, so C is streamed and never formed; each iteration takes two
//! passes. It converges slowly along the small eigenvectors: use it for comparison.
//!
//! Source: Lee et al. 2021, algorithms 4 and 5.

use serde::{Deserialize, Serialize};

use crate::linalg::block_krylov::{KrylovSettings, SymmetricOperator, block_krylov};
use crate::model::checkpoint::RectifiedStage;
use crate::model::error::ModelError;
use crate::model::jsmf::compressed::NegativeEntries;
use crate::model::jsmf::rectify::palm::{PalmSettings, SETTLED, palm};
use crate::model::jsmf::{AnchorRequest, Jsmf, Rectification, factorise, krylov, rectified_topics};
use crate::model::plan::{Extent, PlannedStage};
use crate::model::setting::shared::{ITERATIONS, TOLERANCE};
use crate::model::setting::{Definition, Setting};
use crate::model::topic_model::{Card, Fit, Input, RectificationEnd, Spectrum, TopicModel};
use crate::progress::Progress;
use crate::random::stream;
use crate::stream::StreamError;

/// Settings of the model, with its defaults.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Residual at which the factorisation stops.
    pub tolerance: f64,
    /// Largest number of iterations.
    pub iterations: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-4, iterations: 500 }
    }
}

impl TopicModel for Settings {
    const CARD: Card = Card {
        spectrum: Some(Spectrum::Eigenvalues),
        rectification: Some(RectificationEnd::Settled(SETTLED)),
        ..Card::streamed(
            "palm",
            "rectified by nonnegative proximal steps, streamed; slow to converge",
            "Lee, M., Cho, S., Dong, K., Mimno, D. and Bindel, D. (2021). On-the-fly \
                rectification for robust large-vocabulary topic inference. Proceedings of \
                the 38th International Conference on Machine Learning.",
        )
    };

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(TOLERANCE, |own| &mut own.tolerance),
        Setting::new(
            Definition {
                help: "proximal steps at most; it ends earlier when one changes Y by less than 1e-5 of it",
                ..ITERATIONS
            },
            |own| &mut own.iterations,
        ),
    ];

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        let step = 1.03e-9 * size.nonzeros * size.k + 3e-9 * size.words * size.k * size.k;
        let rectify = PlannedStage::steps("rectify", self.iterations, step);
        vec![size.factorise(self.tolerance), rectify, size.law(0)]
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        let settings = PalmSettings::new(input.k, self.iterations);
        let (norm, krylov) = (input.squared_norm, krylov(input.k, self.tolerance));
        let found = palm_topics(input.c, norm, krylov, &settings, input.seed, progress)?;
        Ok(found.into_fit(input.k))
    }
}

/// Topics of an operator C by PALM and LAW; `squared_norm` computes ‖C‖²_F. Reports the stages
/// "factorise", "rectify" and "topics", and skips those that `progress` recalls.
///
/// # Errors
/// [`ModelError::Stream`]; [`ModelError::TooFewAnchors`] when Y has fewer than K independent rows.
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
    let eigenpairs = factorise(
        progress,
        krylov,
        || Ok(()),
        |()| block_krylov(c, krylov, &mut stream(seed, "palm krylov"), progress),
    )?;
    let stage = (settings.iterations, "change of Y in an iteration, relative to Y");
    let all: Vec<usize> = (0..eigenpairs.vectors.nrows()).collect();
    // Y has no negative entries, so nothing is to be set to zero.
    let negative_entries = NegativeEntries::Zeroed;
    let rank = settings.rank;
    let wanted = AnchorRequest { rank, candidates: &all, seeds: &[], negative_entries };
    rectified_topics(eigenpairs, wanted, stage, progress, |eigenpairs| {
        let found = palm(c, squared_norm()?, eigenpairs, settings, progress)?;
        let rectification = Rectification {
            iterations: found.objectives.len(),
            last_change: found.last_change,
            objective: Some((found.objective(), found.largest_rise())),
        };
        Ok(RectifiedStage { y: found.y, rectification })
    })
}
