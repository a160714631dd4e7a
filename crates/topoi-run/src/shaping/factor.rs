//! The factorisation that anchors need, computed for a run that did not keep it.

use crate::outlook::{Outlook, plan_by_experience};
use crate::request::{Origin, RunRequest, RunSettings};
use crate::work::in_threads;
use crate::work::recompute::{blocks_of_run, vocabulary};
use crate::work::work_error::WorkError;
use topoi_core::metric::co_occurrence::row_norms::squared_norm;
use topoi_core::model::plan::PlannedStage;
use topoi_core::model::separable::NothingKept;
use topoi_core::model::topic_model::Input;
use topoi_core::model::{Model, ModelError};
use topoi_core::progress::Progress;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::documents::Documents;
use topoi_store::Store;
use topoi_store::id::RunId;
use topoi_store::run::Run;
use topoi_store::run::kept::SavedFactor;

/// The cost of [`make_factor`].
#[derive(Debug, Clone, PartialEq)]
pub struct FactorCost {
    /// Row id of the run.
    pub run: RunId,
    /// Its stages, from which an [`Outlook`] estimates progress.
    pub stages: Vec<PlannedStage>,
    /// Bytes added to the store.
    pub bytes: u64,
}

impl FactorCost {
    /// The cost of the factorisation for `run`.
    pub fn new(store: &Store, run: &Run) -> Result<Self, WorkError> {
        let request = RunRequest::from_run(run)?;
        let (model, columns) = factor_model(&request);
        let settings = RunSettings {
            refine: Some(0),
            documents: false,
            held_out: None,
            ..request.settings.clone()
        };
        let request = RunRequest { origin: Origin::Model(model), settings, ..request };
        let model = request.origin.name().into();
        let plan = plan_by_experience(store, &request, &Run { model, ..run.clone() })?;
        // This work ends before the measures of a run.
        let stages = plan.into_iter().take_while(|stage| stage.name != "measure").collect();
        let bytes = run.terms.unwrap_or_default() * columns as u64 * size_of::<f32>() as u64;
        Ok(Self { run: run.id, stages, bytes })
    }

    /// Estimated seconds.
    pub fn seconds(&self) -> f64 {
        Outlook::new(self.stages.clone()).left(0.0).seconds
    }
}

/// The model that computes the factorisation, and its number of columns.
fn factor_model(request: &RunRequest) -> (Model, usize) {
    match &request.origin {
        Origin::Model(model) => model.for_factor(request.k),
        Origin::Import(_) | Origin::Shaped(_) => Model::default().for_factor(request.k),
    }
}

/// Computes and saves the factorisation that anchors of `run` need, from the documents that the run was fitted to:
/// that of their co-occurrence, rectified as in [`Model::for_factor`].
pub fn make_factor(store: &mut Store, run: &Run, progress: &dyn Progress) -> Result<(), WorkError> {
    let request = RunRequest::from_run(run)?;
    request.check_saved(store, run)?;
    let settings = &request.settings;
    let (model, _) = factor_model(&request);
    let vocabulary = vocabulary(store, run)?;
    progress.begin("prepare", 0, "");
    let positions = &vocabulary.positions;
    let blocks = blocks_of_run(store, run, positions, settings, progress)?;
    let found = in_threads(settings.threads, || {
        let documents = Documents::new(&blocks, positions, settings.min_tokens, progress)
            .with_sample(settings.sample);
        let c = CoOccurrence::new(&documents)?;
        let input = Input {
            c: &c,
            squared_norm: &|| squared_norm(&c, request.seed),
            k: request.k,
            seed: request.seed,
            factorise: None,
            start: None,
            sums: &NothingKept,
            seeds: &[],
        };
        Ok(model.any().fit(&input, progress)?)
    })?;
    let none = || ModelError::TooFewAnchors { found: 0, asked: request.k };
    let kept = found.factor.ok_or_else(none)?;
    let factor = SavedFactor { y: kept.y, candidates: kept.candidates };
    store.save_factor(run.id, &factor)?;
    Ok(())
}
