//! What anchors need, made for a run that did not keep it.

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
use topoi_store::run::Run;
use topoi_store::run::kept::SavedFactor;

/// What [`make_factor`] will take.
#[derive(Debug, Clone, PartialEq)]
pub struct FactorCost {
    /// Row id of the run.
    pub run: i64,
    /// Its stages, from which an [`Outlook`] tells how far it is.
    pub stages: Vec<PlannedStage>,
    /// Bytes that the store grows by.
    pub bytes: u64,
}

impl FactorCost {
    /// What it takes to make what anchors of `run` need.
    ///
    /// # Errors
    /// When the settings of the run, or the store, cannot be read.
    pub fn of(store: &Store, run: &Run) -> Result<Self, WorkError> {
        let request = RunRequest::of(run)?;
        let (model, columns) = maker(&request);
        let settings = RunSettings {
            refine: Some(0),
            documents: false,
            held_out: None,
            ..request.settings.clone()
        };
        let request = RunRequest { origin: Origin::Model(model), settings, ..request };
        let model = request.origin.name().into();
        let plan = plan_by_experience(store, &request, &Run { model, ..run.clone() })?;
        // A run goes on with measures, and this does not.
        let stages = plan.into_iter().take_while(|stage| stage.name != "measure").collect();
        let bytes = run.terms.unwrap_or_default() * columns as u64 * size_of::<f32>() as u64;
        Ok(Self { run: run.id, stages, bytes })
    }

    /// Seconds that it will take.
    pub fn seconds(&self) -> f64 {
        Outlook::new(self.stages.clone()).left(0.0).seconds
    }
}

/// The model that makes the factor, and the columns of it.
fn maker(request: &RunRequest) -> (Model, usize) {
    match &request.origin {
        Origin::Model(model) => model.for_factor(request.k),
        Origin::Import(_) | Origin::Shaped(_) => Model::default().for_factor(request.k),
    }
}

/// Makes and saves what anchors of `run` need, from the documents it was made from: a factorisation of
/// their co-occurrence, rectified as [`Model::for_factor`] does.
///
/// # Errors
/// When no run can have its settings, the documents are no longer there as they were, the store cannot be written,
/// or on cancel.
pub fn make_factor(store: &mut Store, run: &Run, progress: &dyn Progress) -> Result<(), WorkError> {
    let request = RunRequest::of(run)?;
    request.check_saved(store, run)?;
    let settings = &request.settings;
    let (model, _) = maker(&request);
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
