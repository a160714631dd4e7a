//! The sums over documents that a model keeps in the store and adds to.

use std::ops::Range;
use std::path::PathBuf;

use ndarray::{Array2, ArrayView2, Axis, stack};

use super::material::Material;
use super::work_error::WorkError;
use crate::request::{RunRequest, RunSettings};
use topoi_core::model::separable::{EarlierSums, KeptSums};
use topoi_core::model::topic_model::SumsSettings;
use topoi_core::stream::StreamError;
use topoi_core::stream::split::SplitSums;
use topoi_store::id::{CorpusId, DocumentId, RunId};
use topoi_store::run::Run;
use topoi_store::run::kept::SummedDocuments;
use topoi_store::{Access, Store, StoreError};

/// The sums of a run.
#[derive(Debug)]
pub struct RunSums {
    path: PathBuf,
    run: RunId,
    /// The last documents of the run, if it keeps its sums.
    keeps: Option<Vec<DocumentId>>,
    /// The run whose sums are added to.
    earlier: Option<Earlier>,
}

/// An earlier run's sums.
#[derive(Debug)]
struct Earlier {
    run: RunId,
    summed: SummedDocuments,
    /// The earlier sums as part 0 has them.
    seen: EarlierSums,
}

impl RunSums {
    /// The sums that `run`, on `material`, adds to and keeps; `None` if it does neither. `hash_of` is the current
    /// hash of the documents that earlier sums are over.
    ///
    /// # Errors
    /// As [`check_start`].
    pub fn new(
        store: &Store,
        run: &Run,
        request: &RunRequest,
        material: &Material,
        hash_of: impl Fn(&SummedDocuments) -> Result<Vec<u8>, WorkError>,
    ) -> Result<Option<Self>, WorkError> {
        let Some(own) = sums_of(request) else { return Ok(None) };
        let start = request.settings.start;
        let earlier = start.map(|start| earlier(store, run, start, request, material, hash_of));
        let (path, earlier) = (store.path().to_path_buf(), earlier.transpose()?);
        let keeps = own.are_kept.then(|| material.last_documents.clone());
        let is_used = keeps.is_some() || earlier.is_some();
        Ok(is_used.then_some(Self { path, run: run.id, keeps, earlier }))
    }

    /// The same sums without keeping any.
    pub fn only_read(self) -> Self {
        Self { keeps: None, ..self }
    }

    /// The documents of the earlier sums; `None` if the sums start from zero.
    pub fn summed(&self) -> Option<&SummedDocuments> {
        self.earlier.as_ref().map(|earlier| &earlier.summed)
    }

    fn writer(&self) -> Result<Store, StreamError> {
        let store = Store::open(&self.path, Access::Write)?;
        store.wait_for_writers()?;
        Ok(store)
    }
}

impl KeptSums for RunSums {
    fn earlier(&self) -> Option<&EarlierSums> {
        self.earlier.as_ref().map(|earlier| &earlier.seen)
    }

    fn load(&self, which: Range<usize>) -> Result<Array2<f64>, StreamError> {
        let Some(earlier) = &self.earlier else { return Ok(Array2::zeros((0, 0))) };
        let words = earlier.summed.shares.ncols();
        Ok(Store::open(&self.path, Access::Read)?.projection_sums(earlier.run, which, words)?)
    }

    fn begin(&self, split: &SplitSums, scale: &SplitSums) -> Result<(), StreamError> {
        let Some(last_documents) = self.keeps.clone() else { return Ok(()) };
        let shares = stack(Axis(0), &[split.sums.view(), scale.sums.view()]);
        let documents = SummedDocuments {
            last_documents,
            kept: [split.kept, scale.kept],
            shares: shares.expect("both are of W words"),
            by_number: true,
        };
        Ok(self.writer()?.save_summed_documents(self.run, &documents)?)
    }

    fn save(&self, first: usize, sums: ArrayView2<'_, f64>) -> Result<(), StreamError> {
        match &self.keeps {
            Some(_) => Ok(self.writer()?.save_projection_sums(self.run, first, sums)?),
            None => Ok(()),
        }
    }
}

/// The current hash of the documents of earlier sums, in a store with all documents.
pub fn current_documents_hash(
    store: &Store,
    corpus_id: CorpusId,
    documents: &SummedDocuments,
) -> Result<Vec<u8>, WorkError> {
    let last = documents.last_documents.last().copied().unwrap_or(DocumentId(0));
    Ok(store.corpus_hash_up_to(corpus_id, last)?)
}

/// Refuses the sums of run `start` if documents of them were deleted or replaced.
///
/// # Errors
/// [`WorkError::StartIsGone`], [`WorkError::SummedDocumentsChanged`].
pub fn check_start(
    store: &Store,
    run: RunId,
    start: RunId,
    hash_of: impl Fn(&SummedDocuments) -> Result<Vec<u8>, WorkError>,
) -> Result<(Run, SummedDocuments), WorkError> {
    let gone = || WorkError::StartIsGone { run, start };
    let begun = store.run(start).map_err(|_| gone())?;
    let documents = store.summed_documents(start)?.ok_or_else(gone)?;
    if begun.corpus_hash != Some(hash_of(&documents)?) {
        return Err(WorkError::SummedDocumentsChanged { start, corpus: begun.corpus });
    }
    Ok((begun, documents))
}

fn earlier(
    store: &Store,
    run: &Run,
    start: RunId,
    request: &RunRequest,
    material: &Material,
    hash_of: impl Fn(&SummedDocuments) -> Result<Vec<u8>, WorkError>,
) -> Result<Earlier, WorkError> {
    let (begun, documents) = check_start(store, run.id, start, hash_of)?;
    let is_whole = documents.shares.ncols() == material.term_ids.len()
        && documents.shares.iter().chain(&documents.kept).all(|number| number.is_finite());
    if !is_whole {
        return Err(StoreError::DamagedSums { run: start }.into());
    }
    let vocabulary = begun.vocabulary_id.map(|id| store.vocabulary(id)).transpose()?;
    let has_its_words = vocabulary.is_some_and(|own| own.term_ids == material.term_ids);
    let decides = sum_directions(run.corpus_id, request);
    if !has_its_words || sum_directions(begun.corpus_id, &RunRequest::from_run(&begun)?) != decides
    {
        return Err(WorkError::OtherSums { run: run.id, start });
    }
    // Where numbers are ids, both rules split the documents in the same way.
    let numbers = material.blocks.numbers();
    let is_own_number = |id: &DocumentId| u64::try_from(id.0) == Ok(numbers.number_of(id.0));
    if !documents.by_number && !documents.last_documents.iter().all(is_own_number) {
        return Err(WorkError::SumsByRow { start });
    }
    let seen = seen_from(&documents, 0);
    Ok(Earlier { run: start, summed: documents, seen })
}

/// The earlier sums as part `number` has them. A part outside of them has new documents only.
pub fn seen_from(documents: &SummedDocuments, number: usize) -> EarlierSums {
    let split =
        |row| SplitSums { kept: documents.kept[row], sums: documents.shares.row(row).to_owned() };
    let last_document = match &documents.last_documents[..] {
        [of_all] => *of_all,
        of_parts => of_parts.get(number).copied().unwrap_or(DocumentId(i64::MIN)),
    };
    EarlierSums { last_document: last_document.0, split: split(0), scale: split(1) }
}

/// The settings that determine the halves of documents and the directions, beside the words.
fn sum_directions(corpus_id: CorpusId, request: &RunRequest) -> impl PartialEq + use<> {
    let RunSettings { min_tokens, sample, .. } = request.settings;
    let sums = sums_of(request).map(|own| (own.projections, own.directions));
    (corpus_id, request.seed, sums, min_tokens, sample)
}

fn sums_of(request: &RunRequest) -> Option<SumsSettings> {
    request.origin.model()?.keeps_sums(request.k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_core::model::Model;
    use topoi_core::model::setting::Value;

    #[test]
    fn sums_along_other_directions_cannot_be_added_to() {
        let request = |name, value| {
            let mut rp = Model::from_name("rp").expect("a model");
            rp.any_mut().set(name, value).expect("its own setting");
            RunRequest { origin: rp.into(), ..RunRequest::new("c", 4) }
        };
        let is_same = |name, value| {
            let usual = request("keep-sums", Value::Flag(true));
            sum_directions(CorpusId(1), &request(name, value))
                == sum_directions(CorpusId(1), &usual)
        };
        assert!(is_same("k-hat", Value::Choice("paper")));
        assert!(is_same("projections", Value::Count(600)));
        assert!(!is_same("projections", Value::Count(601)));
        assert!(!is_same("directions", Value::Choice("isotropic")));
    }
}
