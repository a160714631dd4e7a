//! How a run calls its model, and what any model returns.

use crate::metric::of_models::{
    DISTANCE, DOCUMENTS_PROJECTED, FACTORISATION_PASSES, FACTORISATION_RESIDUAL, K_HAT,
    K_HAT_FROM_DISTANCE, K_HAT_TO_DISTANCE, KKT_GAP, MARGIN, NOVEL_WORDS, OBJECTIVE,
    OBJECTIVE_RISE, RECTIFICATION_CHANGE, RECTIFICATION_ITERATIONS,
};
use ndarray::Array2;

use super::measure::of_run;
use super::work_error::WorkError;
use crate::linalg::block_krylov::KrylovSettings;
use crate::metric::co_occurrence::row_norms::RowNorms;
use crate::model::ModelError;
use crate::model::aw::anchor_words_of;
use crate::model::enn::enn_topics;
use crate::model::jsmf::Jsmf;
use crate::model::lr_jsmf::{LrJsmfSettings, lr_jsmf};
use crate::model::nmf::NmfSettings;
use crate::model::palm::palm_topics;
use crate::model::raw::rectified_anchor_words;
use crate::model::rectify::alternating::AlternatingSettings;
use crate::model::rectify::enn::EnnSettings;
use crate::model::rectify::palm::PalmSettings;
use crate::model::separable::{
    Detector, KeptSums, NothingKept, NovelWord, Separable, SeparableSettings, separable_topics,
};
use crate::model::topics::Topics;
use crate::progress::Progress;
use crate::run::request::RunSettings;
use crate::run::request::models::{ModelCard, model_card};
use crate::store::result::metric::Metric;
use crate::store::run::Run;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::formed::formed_cooccurrence;

/// What any model returns to its run.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The topics.
    pub topics: Topics,
    /// (eigenvalue, residual norm) of the co-occurrence, or (singular value, residual norm) of the
    /// counts, largest first; empty where the model computes none.
    pub spectrum: Vec<(f64, f64)>,
    /// How far from converged it stopped, and what it chose: metrics of the run.
    pub convergence: Vec<Metric>,
    /// Words that may be novel, best first; empty where the model looks for none.
    pub novel_words: Vec<NovelWord>,
    /// (ζ, K̂); empty where the model knows no solid angles.
    pub topic_estimates: Vec<(f64, u64)>,
    /// Eigenvectors that a later run can start from; `None` for models that cannot.
    pub basis: Option<Array2<f32>>,
}

/// A model to fit: what of a run's row decides its topics.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
    /// The model's card.
    pub card: &'a ModelCard,
    /// K.
    pub k: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Everything else.
    pub settings: &'a RunSettings,
    /// Eigenvectors of an earlier run to start from, W × columns; only for the model that can.
    pub start: Option<&'a Array2<f64>>,
    /// Sums that it adds to or keeps; only for the model that does.
    pub sums: Option<&'a dyn KeptSums>,
}

/// Fits a model to a streamed co-occurrence.
///
/// # Errors
/// [`ModelError`].
pub fn fit(
    order: Order<'_>,
    c: &CoOccurrence<'_>,
    progress: &dyn Progress,
) -> Result<Fitted, ModelError> {
    let k = order.k;
    let found = match order.card.name {
        "lr-jsmf" => {
            let settings = order.lr_jsmf();
            return Ok(updatable(lr_jsmf(c, &settings, order.start, order.seed, progress)?, k));
        }
        "enn" => {
            enn_topics(|| form(c, progress), order.krylov(), order.enn(), order.seed, progress)?
        }
        "palm" => {
            let squared_norm = || Ok(RowNorms::of(c)?.sum());
            palm_topics(c, squared_norm, order.krylov(), &order.palm(), order.seed, progress)?
        }
        "raw" => {
            let settings = order.alternating();
            rectified_anchor_words(|| form(c, progress), &settings, order.seed, progress)?
        }
        "aw" => anchor_words_of(|| form(c, progress), k, progress)?,
        "rp" => return order.separable(Detector::SolidAngles, c, progress),
        "ddp" => return order.separable(Detector::DataDependent, c, progress),
        "rp-doc" => return order.separable(Detector::DocumentProjections, c, progress),
        "binning" => return order.separable(Detector::Bins, c, progress),
        "svd" => return order.svd(c, progress),
        "r1d" => return order.r1d(c, progress),
        "nmf-kl" => return order.nmf(NmfSettings::kl(k), c, progress),
        "nmf-ard" => return order.nmf(NmfSettings::ard(k), c, progress),
        "lda-gibbs" => return order.lda_gibbs(c, progress),
        other => unreachable!("{other} has a card and no way to be fitted"),
    };
    Ok(fitted(found, k))
}

impl<'a> Order<'a> {
    /// What the row of `run` decides.
    ///
    /// # Errors
    /// [`WorkError::UnknownModel`].
    pub fn of(run: &Run, settings: &'a RunSettings) -> Result<Self, WorkError> {
        let card = model_card(&run.model)
            .ok_or_else(|| WorkError::UnknownModel { run: run.id, model: run.model.clone() })?;
        Ok(Self { card, k: run.k as usize, seed: run.seed, settings, start: None, sums: None })
    }
}

impl Order<'_> {
    /// Iterations at most.
    pub(crate) fn iterations(&self) -> usize {
        self.settings.iterations.unwrap_or(self.card.iterations)
    }

    fn lr_jsmf(&self) -> LrJsmfSettings {
        LrJsmfSettings {
            tolerance: self.settings.tolerance,
            enn: self.enn(),
            factorised: self.settings.factorise.unwrap_or(self.k).max(self.k),
            ..LrJsmfSettings::new(self.k)
        }
    }

    fn enn(&self) -> EnnSettings {
        let own = EnnSettings::new(self.k, self.iterations());
        EnnSettings { large_rows: self.settings.rows.unwrap_or(own.large_rows), ..own }
    }

    fn krylov(&self) -> KrylovSettings {
        LrJsmfSettings { factorised: self.k, ..self.lr_jsmf() }.krylov()
    }

    fn palm(&self) -> PalmSettings {
        PalmSettings { iterations: self.iterations(), ..PalmSettings::new(self.k) }
    }

    fn alternating(&self) -> AlternatingSettings {
        AlternatingSettings {
            iterations: self.iterations(),
            ..AlternatingSettings::new(self.k, self.krylov())
        }
    }
}

impl Order<'_> {
    fn separable(
        &self,
        detector: Detector,
        c: &CoOccurrence<'_>,
        progress: &dyn Progress,
    ) -> Result<Fitted, ModelError> {
        let own = SeparableSettings::new(detector, self.k);
        let asked = &self.settings.separable;
        let by_paper = asked.distance.map(|_| SeparableSettings::paper_clustering(detector));
        let settings = SeparableSettings {
            clustering: asked.clustering.or(by_paper).unwrap_or(own.clustering),
            distance: asked.distance,
            margin: asked.margin,
            least_angle: asked.least_angle,
            projections: asked.projections.unwrap_or(own.projections),
            ..own
        };
        let sums = self.sums.unwrap_or(&NothingKept);
        let found = separable_topics(c.documents(), &settings, self.seed, sums, progress)?;
        let projected = (detector == Detector::SolidAngles).then_some(found.projected);
        let mut fitted = separable_fitted(found);
        fitted.convergence.extend(projected.map(|count| of_run(&DOCUMENTS_PROJECTED, count)));
        Ok(fitted)
    }
}

fn separable_fitted(found: Separable) -> Fitted {
    let mut convergence = vec![
        of_run(&KKT_GAP, found.topics.worst_gap),
        of_run(&NOVEL_WORDS, found.novel_words.len() as f64),
        of_run(&DISTANCE, found.distance),
    ];
    convergence.extend(found.margin.map(|margin| of_run(&MARGIN, margin)));
    if let Some((topics, from, to)) = found.k_hat {
        convergence.push(of_run(&K_HAT, topics as f64));
        convergence.push(of_run(&K_HAT_FROM_DISTANCE, from));
        convergence.push(of_run(&K_HAT_TO_DISTANCE, to));
    }
    convergence.retain(|metric| metric.value.is_finite());
    let estimates = found.estimates.iter();
    Fitted {
        topics: found.topics.into(),
        spectrum: Vec::new(),
        convergence,
        novel_words: found.novel_words,
        topic_estimates: estimates.map(|found| (found.distance, found.topics as u64)).collect(),
        basis: None,
    }
}

/// C in memory, as a stage of its own.
fn form(c: &CoOccurrence<'_>, progress: &dyn Progress) -> Result<Array2<f64>, ModelError> {
    progress.begin("form", 0, "");
    Ok(formed_cooccurrence(c)?)
}

/// A fitted model that a later run can start from.
fn updatable(mut found: Jsmf, k: usize) -> Fitted {
    let basis = found.basis.take();
    let passes = found.eigenpairs.as_ref().map(|pairs| pairs.passes as f64);
    let mut fitted = Fitted { basis, ..fitted(found, k) };
    fitted.convergence.extend(passes.map(|passes| of_run(&FACTORISATION_PASSES, passes)));
    fitted
}

fn fitted(found: Jsmf, k: usize) -> Fitted {
    let mut convergence = vec![of_run(&KKT_GAP, found.topics.worst_gap)];
    let mut spectrum = Vec::new();
    if let Some(pairs) = found.eigenpairs {
        convergence.push(of_run(&FACTORISATION_RESIDUAL, pairs.relative_residual));
        spectrum = pairs.values.into_iter().zip(pairs.residuals).take(k).collect();
    }
    if let Some(rectification) = found.rectification {
        convergence.push(of_run(&RECTIFICATION_ITERATIONS, rectification.iterations as f64));
        convergence.push(of_run(&RECTIFICATION_CHANGE, rectification.last_change));
        if let Some((objective, rise)) = rectification.objective {
            convergence.push(of_run(&OBJECTIVE, objective));
            convergence.push(of_run(&OBJECTIVE_RISE, rise));
        }
    }
    convergence.retain(|metric| metric.value.is_finite());
    let (novel_words, topic_estimates, basis) = Default::default();
    let topics = found.topics.into();
    Fitted { topics, spectrum, convergence, novel_words, topic_estimates, basis }
}
