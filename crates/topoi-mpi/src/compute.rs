//! What all parts of a corpus compute together for a run: its topics, and those of the documents of each part.

use ndarray::Array2;

use super::card::OpenPart;
use super::matrices::{pack, unpack};
use super::outline::SharedTask;
use super::sums::SharedSums;
use topoi_core::progress::Progress;
use topoi_core::stream::StreamError;
use topoi_core::stream::parts::{Parts, all_made};
use topoi_run::request::RunRequest;
use topoi_run::request::start::NumberedTopics;
use topoi_run::work::about_documents::Completed;
use topoi_run::work::fit::FitTask;
use topoi_run::work::kept_sums::RunSums;
use topoi_run::work::material::{Sources, Texts};
use topoi_run::work::measure::MeasuredRun;
use topoi_run::work::revision::measured::measure_revision;
use topoi_run::work::revision::novelty::NovelDocuments;
use topoi_run::work::revision::{Continued, Revision, revise_run};
use topoi_run::work::topics_with_measures;
use topoi_run::work::work_error::WorkError;
use topoi_run::work::worker_cache::WorkerCache;
use topoi_store::id::RunId;
use topoi_store::result::series::Revises;
use topoi_store::{Access, Store};

/// What a run starts from, in all parts: of an earlier run its eigenvectors, the topics whose numbers are kept, and its sums.
pub(super) struct StartsFrom<'a> {
    start: Option<Array2<f64>>,
    numbered: Option<NumberedTopics>,
    sums: Option<SharedSums<'a>>,
}

impl<'a> StartsFrom<'a> {
    /// Sends what part 0 has to all parts, but for labels.
    pub(super) fn shared(
        parts: &'a dyn Parts,
        start: Option<Array2<f64>>,
        numbered: Option<NumberedTopics>,
        sums: Option<RunSums>,
    ) -> Result<Self, StreamError> {
        let start = share_matrix(parts, start)?;
        let (directions, labels) =
            numbered.map(|earlier| (earlier.directions, earlier.labels)).unzip();
        let numbered = share_matrix(parts, directions)?
            .map(|directions| NumberedTopics { directions, labels: labels.unwrap_or_default() });
        Ok(Self { start, numbered, sums: SharedSums::new(parts, sums)? })
    }

    fn task<'t>(&'t self, outline: &'t SharedTask<RunRequest>) -> FitTask<'t> {
        FitTask {
            start: self.start.as_ref(),
            numbered: self.numbered.as_ref(),
            sums: self.sums.as_ref().map(|sums| sums as _),
            keeps_own_documents: outline.whole.documents_apart,
            ..FitTask::from_request(&outline.request)
        }
    }
}

/// Sends a matrix of an earlier run from part 0 to all parts.
fn share_matrix(
    parts: &dyn Parts,
    own: Option<Array2<f64>>,
) -> Result<Option<Array2<f64>>, StreamError> {
    let bytes = own.as_ref().map(|own| pack(std::slice::from_ref(own)));
    let all = parts.share(bytes.unwrap_or_default())?;
    Ok(all.first().and_then(|bytes| unpack(bytes)?.pop()))
}

/// What a part has computed: topics and metrics of all documents, and the topics of those that it keeps.
pub(super) struct Computed {
    pub completed: Completed,
    pub measured: MeasuredRun,
    /// What is new in the documents that an update adds.
    pub novel: NovelDocuments,
    /// What an update changes in the store of this part.
    pub revises: Option<Revises>,
}

/// The topics of `run`, which all parts compute together.
pub(super) fn compute(
    from: &StartsFrom<'_>,
    run: RunId,
    outline: &SharedTask<RunRequest>,
    part: &OpenPart,
    parts: &dyn Parts,
    cache: &WorkerCache,
    progress: &dyn Progress,
) -> Result<Computed, WorkError> {
    let OpenPart { path, corpus_id, ids_from, blocks, .. } = part;
    let sources = Sources {
        blocks,
        parts,
        positions: &outline.positions,
        words: &outline.words,
        texts: Texts { path, corpus_id: *corpus_id, ids_from: *ids_from },
    };
    let Some(start) = part.continues else {
        let (completed, measured) =
            topics_with_measures(from.task(outline), &sources, cache, progress)?;
        return Ok(Computed {
            completed,
            measured,
            novel: NovelDocuments::default(),
            revises: None,
        });
    };
    let opened = Store::open(path, Access::Write).map_err(WorkError::from).and_then(|mut store| {
        let term_ids = outline.own_terms(&mut store, *corpus_id)?;
        Ok((store, term_ids))
    });
    let (store, term_ids) = all_made(parts, opened)?;
    let continued = Continued {
        store: &store,
        corpus_id: *corpus_id,
        start,
        run,
        term_ids: &term_ids,
        positions: &outline.positions,
        all_terms: outline.whole.terms.0,
        blocks,
        parts,
    };
    let Revision { completed, novel, revises } =
        revise_run(&continued, &outline.request, progress)?;
    let measured = measure_revision(&completed, &sources, &outline.request, progress)?;
    Ok(Computed { completed, measured, novel, revises: Some(revises) })
}
