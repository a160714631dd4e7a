//! A cache of intermediate results, shared by consecutive runs of a worker.
//!
//! It does not affect results: a run is the same to the bit with and without it.

use std::sync::{Arc, Mutex, MutexGuard};

use ndarray::{Array2, ArrayView2};

use super::material::Material;
use crate::request::RunRequest;
use topoi_core::metric::co_occurrence::row_norms::RowNorms;
use topoi_core::model::topic_model::SharedFactorisation;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::error::Result;
use topoi_store::id::RunId;
use topoi_store::run::kept::Checkpoint;
use topoi_store::run::progress::Stage;

/// Holds the results for one co-occurrence and one factorisation at a time.
#[derive(Debug, Default)]
pub struct WorkerCache(Mutex<Contents>);

#[derive(Debug, Default)]
struct Contents {
    cooccurrence: Option<CoOccurrenceKey>,
    row_norms: Option<Arc<RowNorms>>,
    factorisation: Option<FactorisationKey>,
    factorised: Option<(RunId, Arc<Checkpoint>)>,
    run: RunId,
}

/// The settings that determine the co-occurrence C.
#[derive(Debug, Clone, PartialEq)]
struct CoOccurrenceKey {
    corpus_hash: Vec<u8>,
    vocabulary_hash: Vec<u8>,
    documents: String,
    exact_norms: bool,
    seed: u64,
}

/// The further settings that determine the factorisation of C.
#[derive(Debug, Clone, PartialEq)]
struct FactorisationKey {
    seed: u64,
    shared: SharedFactorisation,
    factorise: usize,
}

impl FactorisationKey {
    fn from_request(request: &RunRequest) -> Option<Self> {
        let shared = request.origin.shares_factorisation()?;
        let factorise = request.settings.factorise?;
        Some(Self { seed: request.seed, shared, factorise })
    }
}

impl Contents {
    /// Whether this stage computes the shared factorisation.
    fn shares(&self, stage: &str) -> bool {
        self.factorisation.as_ref().is_some_and(|key| key.shared.stage == stage)
    }
}

impl WorkerCache {
    /// Drops what run `run` on `material` cannot use.
    pub fn retain_for(&self, request: &RunRequest, material: &Material, run: RunId) {
        let settings = &request.settings;
        let cooccurrence = CoOccurrenceKey {
            corpus_hash: material.corpus_hash.clone(),
            vocabulary_hash: material.vocabulary_hash.clone(),
            documents: format!("{} {:?}", settings.min_tokens, settings.sample),
            exact_norms: settings.exact_norms,
            seed: request.seed,
        };
        let factorisation = FactorisationKey::from_request(request);
        let mut contents = self.contents();
        if contents.cooccurrence.as_ref() != Some(&cooccurrence) {
            *contents = Contents { cooccurrence: Some(cooccurrence), ..Contents::default() };
        }
        if contents.factorisation != factorisation {
            (contents.factorisation, contents.factorised) = (factorisation, None);
        }
        contents.run = run;
    }

    /// The norms of C's rows, or the data to estimate them from, and C times `more` columns; see
    /// [`RowNorms::with_product`].
    pub fn row_norms(
        &self,
        c: &CoOccurrence<'_>,
        exact: bool,
        seed: u64,
        more: ArrayView2<'_, f64>,
    ) -> Result<(Arc<RowNorms>, Array2<f64>)> {
        let known = self.contents().row_norms.clone();
        if let Some(norms) = known {
            return Ok((norms, c.apply(more)?));
        }
        let (norms, images) = RowNorms::with_product(c, exact, seed, more)?;
        let norms = Arc::new(norms);
        self.contents().row_norms = Some(Arc::clone(&norms));
        Ok((norms, images))
    }

    /// Keeps the checkpoint of a stage that other runs can use.
    pub(crate) fn put(&self, stage: &str, checkpoint: &Arc<Checkpoint>) {
        let mut contents = self.contents();
        if contents.shares(stage) {
            contents.factorised = Some((contents.run, Arc::clone(checkpoint)));
        }
    }

    /// The checkpoint of a stage that an earlier run computed.
    pub(crate) fn take(&self, stage: &str) -> Option<(Stage, Vec<Array2<f64>>)> {
        let contents = self.contents();
        let (run, found) = contents.factorised.as_ref().filter(|_| contents.shares(stage))?;
        let note = Some(format!("computed by run {run}"));
        let stage = Stage { seconds: Some(0.0), note, ..found.stage.clone() };
        Some((stage, found.arrays.clone()))
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_stage_left_is_shared_with_who_saves_it_and_not_copied() {
        let shared = SharedFactorisation { stage: "factorise", tolerance: 1e-4 };
        let key = FactorisationKey { seed: 1, shared, factorise: 5 };
        let contents = Contents { factorisation: Some(key), run: RunId(7), ..Contents::default() };
        let cache = WorkerCache(Mutex::new(contents));
        let (name, note) = (shared.stage.to_string(), None);
        let stage = Stage { name, seconds: Some(1.0), steps: None, residual: None, note };
        let left = Arc::new(Checkpoint { stage, arrays: vec![Array2::ones((3, 2))] });
        cache.put("rectify", &left);
        assert_eq!(Arc::strong_count(&left), 1);
        cache.put(shared.stage, &left);
        assert_eq!(Arc::strong_count(&left), 2);
        let (stage, arrays) = cache.take(shared.stage).expect("there");
        assert_eq!((stage.note.as_deref(), &arrays), (Some("computed by run 7"), &left.arrays));
    }
}
