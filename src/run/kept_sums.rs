//! The sums that `rp` adds to and keeps, in the store.

use std::ops::Range;
use std::path::PathBuf;

use ndarray::{Array2, ArrayView2, Axis, stack};

use super::material::Material;
use super::request::RunSettings;
use super::work_error::WorkError;
use crate::model::separable::{Detector, EarlierSums, KeptSums, SeparableSettings};
use crate::store::Store;
use crate::store::projection_sums::SummedDocuments;
use crate::store::run::Run;
use crate::stream::StreamError;
use crate::stream::split_cooccurrence::SplitSums;

/// The model that knows them.
pub(super) const MODEL: &str = "rp";

/// The sums of one run.
#[derive(Debug)]
pub struct RunSums {
    path: PathBuf,
    run: i64,
    /// The last document it is made from, where it keeps its sums.
    keeps: Option<i64>,
    /// The run whose sums it adds to.
    earlier: Option<(i64, EarlierSums)>,
}

impl RunSums {
    /// What `run`, made from `material`, adds to and keeps; `None` for one that does neither.
    ///
    /// # Errors
    /// As [`check_start`], or when the store cannot be read.
    pub fn of(
        store: &Store,
        run: &Run,
        settings: &RunSettings,
        material: &Material,
    ) -> Result<Option<Self>, WorkError> {
        if run.model != MODEL {
            return Ok(None);
        }
        let earlier = settings.start.map(|start| earlier(store, run, start, settings, material));
        let (path, earlier) = (store.path().to_path_buf(), earlier.transpose()?);
        let keeps = settings.separable.keep_sums.then_some(material.last_document);
        let is_used = keeps.is_some() || earlier.is_some();
        Ok(is_used.then_some(Self { path, run: run.id, keeps, earlier }))
    }

    /// The same, which keeps nothing.
    pub fn only_read(self) -> Self {
        Self { keeps: None, ..self }
    }

    fn store(&self) -> Result<Store, StreamError> {
        let store = Store::open(&self.path)?;
        store.wait_for_writers()?;
        Ok(store)
    }
}

impl KeptSums for RunSums {
    fn earlier(&self) -> Option<&EarlierSums> {
        self.earlier.as_ref().map(|(_, earlier)| earlier)
    }

    fn load(&self, which: Range<usize>) -> Result<Array2<f64>, StreamError> {
        let Some((run, earlier)) = &self.earlier else { return Ok(Array2::zeros((0, 0))) };
        Ok(self.store()?.projection_sums(*run, which, earlier.split.sums.len())?)
    }

    fn begin(&self, split: &SplitSums, scale: &SplitSums) -> Result<(), StreamError> {
        let Some(last_document) = self.keeps else { return Ok(()) };
        let shares = stack(Axis(0), &[split.sums.view(), scale.sums.view()]);
        let documents = SummedDocuments {
            last_document,
            kept: [split.kept, scale.kept],
            shares: shares.expect("both are of W words"),
        };
        Ok(self.store()?.save_summed_documents(self.run, &documents)?)
    }

    fn save(&self, first: usize, sums: ArrayView2<'_, f64>) -> Result<(), StreamError> {
        match self.keeps {
            Some(_) => Ok(self.store()?.save_projection_sums(self.run, first, sums)?),
            None => Ok(()),
        }
    }
}

/// Refuses sums of run `start` to which documents cannot just be added, as those that they are over
/// are not in the corpus any more as they were.
///
/// # Errors
/// [`WorkError::StartIsGone`], [`WorkError::SummedDocumentsChanged`], or when the store cannot be read.
pub fn check_start(
    store: &Store,
    run: i64,
    start: i64,
) -> Result<(Run, SummedDocuments), WorkError> {
    let gone = || WorkError::StartIsGone { run, start };
    let begun = store.run(start).map_err(|_| gone())?;
    let documents = store.summed_documents(start)?.ok_or_else(gone)?;
    let hash = store.corpus_hash_up_to(begun.corpus_id, documents.last_document)?;
    if begun.corpus_hash.as_ref() != Some(&hash) {
        return Err(WorkError::SummedDocumentsChanged { start, corpus: begun.corpus });
    }
    Ok((begun, documents))
}

fn earlier(
    store: &Store,
    run: &Run,
    start: i64,
    settings: &RunSettings,
    material: &Material,
) -> Result<(i64, EarlierSums), WorkError> {
    let (begun, documents) = check_start(store, run.id, start)?;
    let vocabulary = begun.vocabulary_id.map(|id| store.vocabulary(id)).transpose()?;
    let has_its_words = vocabulary.is_some_and(|own| own.term_ids == material.term_ids);
    if !has_its_words
        || what_decides(&begun, &RunSettings::of(&begun)?) != what_decides(run, settings)
    {
        return Err(WorkError::OtherSums { run: run.id, start });
    }
    let split =
        |row| SplitSums { kept: documents.kept[row], sums: documents.shares.row(row).to_owned() };
    let (split, scale) = (split(0), split(1));
    Ok((start, EarlierSums { last_document: documents.last_document, split, scale }))
}

/// What decides a run's halves of documents and its directions, beside its words.
fn what_decides(run: &Run, settings: &RunSettings) -> impl PartialEq + use<> {
    let RunSettings { min_tokens, sample, .. } = *settings;
    let own = SeparableSettings::new(Detector::SolidAngles, run.k as usize).projections;
    let projections = settings.separable.projections.unwrap_or(own);
    (run.corpus_id, run.model.clone(), run.seed, projections, min_tokens, sample)
}
