//! ENN on the full co-occurrence: eigenpairs of C in memory, ENN rectification, LAW.
//!
//! The same as `lr-jsmf` except for the source of the eigenpairs. A comparison shows the effect of
//! streaming: none, once the eigenpairs have converged.
//!
//! Source: Lee et al. 2021, algorithms 3 and 5.

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::linalg::block_krylov::{Eigenpairs, KrylovSettings, block_krylov};
use crate::model::checkpoint::RectifiedStage;
use crate::model::error::ModelError;
use crate::model::jsmf::compressed::NegativeEntries;
use crate::model::jsmf::rectify::enn::{EnnSettings, enn};
use crate::model::jsmf::{
    AnchorRequest, CancellableOperator, Jsmf, Rectification, factorise, form, krylov,
    rectified_topics,
};
use crate::model::plan::{Extent, PlannedStage};
use crate::model::setting::shared::{ITERATIONS, NEGATIVE_ENTRIES, ROWS, TOLERANCE};
use crate::model::setting::{Definition, Setting};
use crate::model::topic_model::{
    Card, Fit, Input, KeptFactor, Memory, RectificationEnd, Spectrum, TopicModel,
};
use crate::progress::{Progress, Quiet};
use crate::random::stream;

/// Settings of the model, with its defaults.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Residual at which the factorisation stops.
    pub tolerance: f64,
    /// Iterations of the rectification.
    pub iterations: usize,
    /// l, the number of rows whose negative entries are corrected; `None` for 10 K + 1000.
    pub rows: Option<usize>,
    /// What is done with negative entries of the rectified co-occurrence; the paper keeps them.
    pub negative_entries: NegativeEntries,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tolerance: 1e-4,
            iterations: 50,
            rows: None,
            negative_entries: NegativeEntries::Zeroed,
        }
    }
}

impl TopicModel for Settings {
    const CARD: Card = Card {
        memory: Memory { formed_matrices: 1, ..Memory::STREAMED },
        spectrum: Some(Spectrum::Eigenvalues),
        rectification: Some(RectificationEnd::AfterIterations),
        ..Card::streamed(
            "enn",
            "as lr-jsmf, but from the whole co-occurrence matrix in memory",
            "Lee, M., Cho, S., Dong, K., Mimno, D. and Bindel, D. (2021). On-the-fly \
                rectification for robust large-vocabulary topic inference. Proceedings of \
                the 38th International Conference on Machine Learning.",
        )
    };

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(TOLERANCE, |own| &mut own.tolerance),
        Setting::new(
            Definition { help: "iterations of the rectification at most", ..ITERATIONS },
            |own| &mut own.iterations,
        ),
        Setting::new(ROWS, |own| &mut own.rows),
        Setting::new(NEGATIVE_ENTRIES, |own| &mut own.negative_entries),
    ];

    fn as_in_paper() -> Self {
        Self { negative_entries: NegativeEntries::Kept, ..Self::default() }
    }

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        vec![
            size.form(),
            size.factorise_formed(self.tolerance),
            size.enn(self.iterations),
            size.law(self.iterations),
        ]
    }

    fn keeps_factor(&self, k: usize) -> Option<usize> {
        Some(krylov(k, self.tolerance).kept)
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        let settings = EnnSettings::new(input.k, self.iterations, self.rows);
        let krylov = krylov(input.k, self.tolerance);
        let settings = (settings, self.negative_entries);
        let found = enn_topics(|| form(input, progress), krylov, settings, input.seed, progress)?;
        Ok(found.into_fit(input.k))
    }
}

/// Topics by ENN and LAW from the C (W × W) that `form` returns. Reports the stages "factorise",
/// "rectify" and "topics", and skips those that `progress` recalls.
///
/// # Errors
/// Errors of `form`; [`ModelError::TooFewAnchors`] when the rectified C has fewer than K
/// independent rows; on cancel.
///
/// # Source
/// Lee et al. 2021, algorithms 3 and 5.
pub fn enn_topics(
    form: impl Fn() -> Result<Array2<f64>, ModelError>,
    krylov: KrylovSettings,
    (settings, negative_entries): (EnnSettings, NegativeEntries),
    seed: u64,
    progress: &dyn Progress,
) -> Result<Jsmf, ModelError> {
    let eigenpairs = factorise(progress, krylov, form, |c| {
        let operator = CancellableOperator { matrix: &c, progress };
        block_krylov(&operator, krylov, &mut stream(seed, "enn krylov"), progress)
    })?;
    let all: Vec<usize> = (0..eigenpairs.vectors.nrows()).collect();
    let rank = settings.rank;
    let wanted = AnchorRequest { rank, candidates: &all, seeds: &[], negative_entries };
    enn_and_law(eigenpairs, settings, wanted, progress)
}

/// ENN from eigenpairs of C, and topics from the result.
pub(super) fn enn_and_law(
    eigenpairs: Eigenpairs,
    settings: EnnSettings,
    wanted: AnchorRequest<'_>,
    progress: &dyn Progress,
) -> Result<Jsmf, ModelError> {
    let residual = "change of the correction E in an iteration, relative to E";
    let stage = (settings.iterations, residual);
    let found = rectified_topics(eigenpairs, wanted, stage, progress, |eigenpairs| {
        let found = enn(&eigenpairs.values, &eigenpairs.vectors, settings, progress)?;
        let rectification = Rectification {
            iterations: found.iterations,
            last_change: found.last_change,
            objective: None,
        };
        Ok(RectifiedStage { y: found.y, rectification })
    })?;
    let Some(pairs) = &found.eigenpairs else { return Ok(found) };
    // With all columns instead of K, so that shaping can add topics.
    let wide = EnnSettings { rank: pairs.values.len(), ..settings };
    let wide = enn(&pairs.values, &pairs.vectors, wide, &Quiet(progress))?;
    let y = wide.y.mapv(|entry| entry as f32);
    let candidates = wanted.candidates.to_vec();
    Ok(Jsmf { factor: Some(KeptFactor { y, candidates }), ..found })
}
