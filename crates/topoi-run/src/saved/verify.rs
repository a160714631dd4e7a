//! Recomputation of a finished run, to check that it is the same to the bit.

use crate::request::RunRequest;
use crate::request::document_topics::AssignedDocuments;
use crate::request::start::{numbered_topics, start_of};
use crate::shaping::origin::shaped_topics;
use crate::work::fit::FitTask;
use crate::work::kept_sums::{RunSums, current_documents_hash};
use crate::work::material::Material;
use crate::work::result::result_hash_of;
use crate::work::revision::{Continued, revise_run};
use crate::work::work_error::WorkError;
use crate::work::{completed, in_threads};
use topoi_core::metric::anchors::anchor_space::AnchorSpace;
use topoi_core::progress::Progress;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::documents::lanes::parts_of_lanes;
use topoi_store::Store;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::run::Run;

/// A part of a run, as saved and as recomputed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashComparison {
    /// "corpus", "vocabulary" or "result".
    pub what: &'static str,
    /// The hash in the store; `None` if it is missing.
    pub saved: Option<Vec<u8>>,
    /// The recomputed hash.
    pub recomputed: Vec<u8>,
}

impl HashComparison {
    /// Whether both hashes are present and equal.
    pub fn is_same(&self) -> bool {
        self.saved.as_ref() == Some(&self.recomputed)
    }
}

/// Repeats run `run` with all its stages from its saved settings and the corpus as it is now, and compares corpus,
/// vocabulary and result. Saves nothing.
///
/// # Cost
/// The same as the run, without its coherence scores.
///
/// # Errors
/// [`WorkError::NoTopics`] for a run without a result; otherwise the errors of a run.
pub fn verify(
    store: &Store,
    run: &Run,
    progress: &dyn Progress,
) -> Result<[HashComparison; 3], WorkError> {
    if run.result_hash.is_none() {
        return Err(WorkError::NoTopics { run: run.id });
    }
    let request = RunRequest::from_run(run)?;
    let settings = &request.settings;
    if let Some(parts) = settings.parts.as_ref().map(|parts| parts.count) {
        let sizes: Vec<u32> = CorpusBlocks::open(store, run.corpus_id)?.sizes().collect();
        if parts_of_lanes(&sizes, parts).is_none() {
            return Err(WorkError::WasInParts { run: run.id, parts });
        }
    }
    request.check_saved(store, run)?;
    progress.begin("prepare", 0, "");
    let material = Material::from_store(store, run.corpus_id, settings)?;
    let saved_vocabulary = run.vocabulary_id.map(|id| store.vocabulary_hash(id)).transpose()?;
    if settings.revises {
        let from = Continued::whole(store, run, &request, &material)?;
        let revision = revise_run(&from, &request, progress)?;
        let result = result_hash_of(&revision.completed, None, &material.term_ids)?;
        return Ok(compared(run, saved_vocabulary, material, result));
    }
    let start = start_of(store, run, &request, &material)?;
    let sums = RunSums::new(store, run, &request, &material, |documents| {
        current_documents_hash(store, run.corpus_id, documents)
    })?;
    let sums = sums.map(RunSums::only_read);
    let sums = sums.as_ref().map(|sums| sums as _);
    let numbered = numbered_topics(store, run, &request, &material)?;
    let shaped = shaped_topics(store, run, &request, &material)?;
    let assigned = AssignedDocuments::from_request(store, &request, progress)?;
    let (start, numbered, shaped) = (start.as_ref(), numbered.as_ref(), shaped.as_ref());
    let assigned = assigned.as_ref();
    let task =
        FitTask { start, numbered, sums, shaped, assigned, ..FitTask::from_request(&request) };
    let result = in_threads(settings.threads, || recomputed(task, &material, progress))?;
    Ok(compared(run, saved_vocabulary, material, result))
}

fn compared(
    run: &Run,
    vocabulary: Option<Vec<u8>>,
    material: Material,
    result: Vec<u8>,
) -> [HashComparison; 3] {
    let compare = |what, saved, recomputed| HashComparison { what, saved, recomputed };
    [
        compare("corpus", run.corpus_hash.clone(), material.corpus_hash),
        compare("vocabulary", vocabulary, material.vocabulary_hash),
        compare("result", run.result_hash.clone(), result),
    ]
}

/// The hash of the result.
fn recomputed(
    task: FitTask<'_>,
    material: &Material,
    progress: &dyn Progress,
) -> Result<Vec<u8>, WorkError> {
    let settings = task.settings;
    let Material { blocks, positions, words, term_ids, .. } = material;
    let documents = Documents::new(blocks, positions, settings.min_tokens, progress)
        .with_sample(settings.sample);
    let c = CoOccurrence::new(&documents)?;
    let completed = completed(task, words, &c, progress)?;
    progress.begin("measure", 0, "");
    let anchors = completed.fitted.topics.anchors.as_ref();
    let space = anchors.map(|anchors| AnchorSpace::new(&c, anchors)).transpose()?;
    Ok(result_hash_of(&completed, space.as_ref().map(|space| &space.anchor_rows), term_ids)?)
}
