//! RAW: rectified anchor words on the full co-occurrence, the reference for the faster models.
//!
//! Alternating projections make C satisfy the constraints of the model; then the anchor word
//! algorithm follows. It needs C in memory (8·W² bytes, twice) and W²·K flops for each iteration.
//! `lr-jsmf` gives nearly the same topics from the streamed corpus in a fraction of the time.
//!
//! Source: Lee et al. 2015; Lee et al. 2021, algorithm 2.

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::linalg::block_krylov::block_krylov;
use crate::model::aw::anchor_words;
use crate::model::checkpoint::RectifiedStage;
use crate::model::error::ModelError;
use crate::model::jsmf::rectify::alternating::{
    AlternatingResult, AlternatingSettings, SETTLED, alternating_projections, projected,
};
use crate::model::jsmf::{
    CancellableOperator, Jsmf, Rectification, factorise, form, krylov, rectify, topics,
};
use crate::model::plan::{Convergence, ConvergenceMeasure, Extent, PlannedStage};
use crate::model::setting::shared::{ITERATIONS, TOLERANCE};
use crate::model::setting::{Definition, Setting};
use crate::model::topic_model::{Card, Fit, Input, Memory, RectificationEnd, Spectrum, TopicModel};
use crate::progress::Progress;
use crate::random::stream;

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
        Self { tolerance: 1e-4, iterations: 1000 }
    }
}

impl TopicModel for Settings {
    const CARD: Card = Card {
        memory: Memory { formed_matrices: 2, ..Memory::STREAMED },
        spectrum: Some(Spectrum::Eigenvalues),
        rectification: Some(RectificationEnd::Settled(SETTLED)),
        ..Card::streamed(
            "raw",
            "rectified by alternating projections of the whole matrix: the slow reference",
            "Lee, M., Bindel, D. and Mimno, D. (2015). Robust spectral inference for \
                joint stochastic matrix factorization. Advances in Neural Information \
                Processing Systems 28.",
        )
    };

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(
            Definition {
                help: "residual of every iteration's eigenpairs, relative to the K-th eigenvalue",
                ..TOLERANCE
            },
            |own| &mut own.tolerance,
        ),
        Setting::new(
            Definition {
                help: "iterations at most; it ends earlier when one changes C by less than 1e-6 of it",
                ..ITERATIONS
            },
            |own| &mut own.iterations,
        ),
    ];

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        let until = Convergence {
            usual: 400.0,
            most: self.iterations as f64,
            trusted_after: 10.0,
            watched: ConvergenceMeasure::Power,
            below: SETTLED,
        };
        let step = (2.5e-9 + 9e-11 * size.k) * size.words * size.words;
        vec![
            size.form(),
            size.factorise_formed(self.tolerance),
            PlannedStage::until("rectify", until, step),
            size.anchor_words(),
        ]
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        let krylov = krylov(input.k, self.tolerance);
        let settings = AlternatingSettings::new(input.k, self.iterations, krylov);
        let form = || form(input, progress);
        let found = rectified_anchor_words(form, &settings, input.seed, progress)?;
        Ok(found.into_fit(input.k))
    }
}

/// Topics from the C (W × W) that `form` returns, rectified by alternating projections. Reports the
/// stages "factorise", "rectify" and "topics", and skips those that `progress` recalls.
///
/// # Errors
/// Errors of `form`; [`ModelError::TooFewAnchors`] when the rectified C has fewer than K
/// independent rows; on cancel.
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
    let mut c = LazyMatrix::new(form);
    let eigenpairs = factorise(
        progress,
        krylov,
        || c.get(),
        |c| {
            let operator = CancellableOperator { matrix: c, progress };
            block_krylov(&operator, krylov, &mut stream(seed, "raw krylov"), progress)
        },
    )?;
    let residual = "change of the co-occurrence in an iteration, relative to it";
    let stage = (settings.iterations, residual);
    let RectifiedStage { y, rectification } = rectify(
        progress,
        stage,
        || c.get(),
        |c| {
            let found = alternating_projections(c, &eigenpairs, settings, progress)?;
            let AlternatingResult { y, iterations, last_change } = found;
            let rectification = Rectification { iterations, last_change, objective: None };
            Ok(RectifiedStage { y, rectification })
        },
    )?;
    let rectified = || match rectification.iterations {
        0 => c.take(),
        _ => {
            drop(c);
            Ok(projected(&y))
        }
    };
    let topics = topics(progress, rectified, |c| anchor_words(c, settings.rank))?;
    Ok(Jsmf::new(topics, eigenpairs, rectification))
}

/// C (W × W), formed when a stage first needs it. A run that resumes after those stages never forms
/// it.
struct LazyMatrix<F> {
    form: F,
    formed: Option<Array2<f64>>,
}

impl<F: Fn() -> Result<Array2<f64>, ModelError>> LazyMatrix<F> {
    fn new(form: F) -> Self {
        Self { form, formed: None }
    }

    fn get(&mut self) -> Result<&mut Array2<f64>, ModelError> {
        let formed = match self.formed.take() {
            Some(formed) => formed,
            None => (self.form)()?,
        };
        Ok(self.formed.insert(formed))
    }

    fn take(mut self) -> Result<Array2<f64>, ModelError> {
        self.formed.take().map_or_else(self.form, Ok)
    }
}
