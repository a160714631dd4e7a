//! RAW: rectified anchor words on a full co-occurrence, the reference the faster models are
//! compared with.
//!
//! Alternating projections make C what the model says it must be; then the anchor word algorithm.
//! Needs C in memory (8·W² bytes, twice) and W²·K flops an iteration; `lr-jsmf` gives nearly the
//! same topics from the streamed corpus in a fraction of the time.
//!
//! Source: Lee et al. 2015; Lee et al. 2021, algorithm 2.

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::linalg::block_krylov::block_krylov;
use crate::model::aw::anchor_words;
use crate::model::checkpoint::Rectified;
use crate::model::error::ModelError;
use crate::model::jsmf::rectify::alternating::{
    Alternated, AlternatingSettings, SETTLED, alternating_projections, projected,
};
use crate::model::jsmf::{
    Jsmf, Rectification, Stoppable, factorise, form, krylov, rectify, topics,
};
use crate::model::plan::{Extent, PlannedStage, Until, Watched};
use crate::model::setting::shared::{ITERATIONS, TOLERANCE};
use crate::model::setting::{Definition, Setting};
use crate::model::topic_model::{Card, Fit, Input, Memory, RectificationEnd, Spectrum, TopicModel};
use crate::progress::Progress;
use crate::random::stream;

/// Settings of the model, with its own defaults.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The residual at which the factorisation stops.
    pub tolerance: f64,
    /// Iterations at most.
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
        let until = Until {
            usual: 400.0,
            most: self.iterations as f64,
            trusted_after: 10.0,
            watched: Watched::Power,
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

/// Topics of the C (W × W) that `form` gives, rectified by alternating projections. Stages
/// "factorise", "rectify" and "topics" are reported, and are skipped where `progress` recalls
/// their results.
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
    let eigenpairs = factorise(
        progress,
        krylov,
        || c.get(),
        |c| {
            let operator = Stoppable { matrix: c, progress };
            block_krylov(&operator, krylov, &mut stream(seed, "raw krylov"), progress)
        },
    )?;
    let residual = "change of the co-occurrence in an iteration, relative to it";
    let stage = (settings.iterations, residual);
    let Rectified { y, rectification } = rectify(
        progress,
        stage,
        || c.get(),
        |c| {
            let found = alternating_projections(c, &eigenpairs, settings, progress)?;
            let Alternated { y, iterations, last_change } = found;
            let rectification = Rectification { iterations, last_change, objective: None };
            Ok(Rectified { y, rectification })
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
    Ok(Jsmf::of(topics, eigenpairs, rectification))
}

/// C (W × W), formed by `form` when a stage first needs it: a run that is resumed after those stages
/// never forms it.
struct WhenNeeded<F> {
    form: F,
    formed: Option<Array2<f64>>,
}

impl<F: Fn() -> Result<Array2<f64>, ModelError>> WhenNeeded<F> {
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
