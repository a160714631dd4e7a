//! A run of a corpus in parts, from the request to the saved result.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ndarray::Array2;

use super::card::{Contents, OpenPart, join};
use super::compute::{Computed, StartsFrom, compute};
use super::error::PartsError;
use super::outline::{SharedTask, broadcast};
use super::part_run::{PartResult, WholeResult};
use super::prepared::Prepared;
use super::progress::{FollowerProgress, LeaderProgress};
use super::watch::{StopSignal, end_part, in_time, overdue, watched};
use topoi_core::metric::run_process::{EXCHANGE_BYTES, EXCHANGE_SECONDS, EXCHANGES, PARTS};
use topoi_core::progress::Progress;
use topoi_core::stream::parts::{Parts, share_failure};
use topoi_run::life::worker::{Attempt, WorkerSlot, stop_flag, work_on};
use topoi_run::request::RunRequest;
use topoi_run::request::start::NumberedTopics;
use topoi_run::work::in_threads;
use topoi_run::work::kept_sums::RunSums;
use topoi_run::work::material::Material;
use topoi_run::work::measure::metric_for_run;
use topoi_run::work::result::saved_result;
use topoi_run::work::revision::labels_of;
use topoi_run::work::work_error::WorkError;
use topoi_run::work::worker_cache::WorkerCache;
use topoi_store::id::RunId;
use topoi_store::result::series::Revises;
use topoi_store::result::topic::SavedResult;
use topoi_store::{Access, Store};

/// A run to do on all parts, and the stores of the parts.
#[derive(Debug, Clone, PartialEq)]
pub struct PartsRun {
    pub run: RunChoice,
    /// Path of the parts' stores, with `{rank}` for the number of the part.
    pub pattern: String,
    /// How long the other parts may take in an exchange; the default depends on the work of this one.
    pub timeout: Option<Duration>,
}

/// A new run, an update or a run to resume.
#[derive(Debug, Clone, PartialEq)]
pub enum RunChoice {
    /// A new run with this request, and what it is called.
    New { request: Box<RunRequest>, name: Option<String> },
    /// An update of the run with this number: its model is fitted again, or its topics are continued.
    Update { of: RunId, refit: bool },
    /// The run with this number, to be resumed.
    Resumed(RunId),
}

/// Does a run on all parts. Each part calls this with the same arguments except its own `parts`. Part 0 has the store
/// of the whole corpus at `path`, saves the run, and calls `begun` with its number. All parts return at the end of
/// the run.
///
/// # Errors
/// [`PartsError`] if the work cannot begin. A run that fails later is not an error here: its row in the store has
/// the message.
pub fn work(
    path: &Path,
    wanted: &PartsRun,
    parts: &dyn Parts,
    begun: impl FnOnce(RunId),
) -> Result<(), PartsError> {
    if parts.number() > 0 {
        return follow(parts, wanted.timeout);
    }
    let (started, outline, part) = in_time(parts, wanted.timeout, || begin(path, wanted, parts))?;
    begun(started.run);
    started.lead(&outline, &part, parts, wanted.timeout)
}

/// Checks the run with all parts, and begins it in part 0.
fn begin(
    path: &Path,
    wanted: &PartsRun,
    parts: &dyn Parts,
) -> Result<(StartedRun, SharedTask<RunRequest>, OpenPart), PartsError> {
    let prepared = Store::open(path, Access::Write)
        .map_err(PartsError::from)
        .and_then(|store| Prepared::new(store, wanted, parts.count()));
    let (prepared, outline) = match prepared {
        Ok((prepared, outline)) => (Some(prepared), broadcast(parts, Ok(Some(outline)))?),
        Err(error) => (None, broadcast(parts, Err(error))?),
    };
    let (part, contents) = join_as(parts, &outline)?;
    let begins = prepared.ok_or(PartsError::Told).and_then(|prepared| prepared.begin(&contents));
    match begins {
        Ok(started) => {
            let _: RunId = broadcast(parts, Ok(Some(started.run)))?;
            Ok((started, outline, part))
        }
        Err(error) => broadcast::<RunId>(parts, Err(error)).and(Err(PartsError::Told)),
    }
}

fn join_as(
    parts: &dyn Parts,
    outline: &SharedTask<RunRequest>,
) -> Result<(OpenPart, Vec<Contents>), PartsError> {
    let path = outline.parts.path(parts.number());
    let (part, contents) = join(parts, &path, &outline.whole, &outline.summed_up_to)?;
    let part = match &outline.continued {
        Some(run) => part.continuing(run.open(parts)?.1.id),
        None => part,
    };
    Ok((part, contents))
}

/// The work of all parts except part 0.
fn follow(parts: &dyn Parts, timeout: Option<Duration>) -> Result<(), PartsError> {
    let mut signal = StopSignal::new(stop_flag());
    let wrong = || signal.reason().or_else(|| overdue(parts, timeout));
    watched(wrong, |reason| end_part(parts, &reason), || follow_work(parts))
}

fn follow_work(parts: &dyn Parts) -> Result<(), PartsError> {
    let outline: SharedTask<RunRequest> = broadcast(parts, Ok(None))?;
    let (part, _) = join_as(parts, &outline)?;
    let run: RunId = broadcast(parts, Ok(None))?;
    let from = StartsFrom::shared(parts, None, None, None)?;
    let progress = FollowerProgress { parts };
    // Part 0 has the same errors and reports them.
    let found = in_threads(outline.request.settings.threads, || {
        compute(&from, run, &outline, &part, parts, &WorkerCache::default(), &progress)
    });
    if let Ok(mut computed) = found
        && outline.whole.documents_apart
    {
        let _ = PartResult::new(&outline, &part, parts, &mut computed)
            .and_then(|own| own.save(&outline, &part, parts, None));
    }
    Ok(())
}

/// A run that part 0 has begun. Its row is saved and locked.
pub(super) struct StartedRun {
    /// The store of the whole.
    pub store: Store,
    pub material: Material,
    /// Eigenvectors of an earlier run to start from.
    pub start: Option<Array2<f64>>,
    /// Topics of an earlier run whose numbers are kept.
    pub numbered: Option<NumberedTopics>,
    /// The sums that the run extends or keeps.
    pub sums: Option<RunSums>,
    /// Number of the run.
    pub run: RunId,
    /// The lock on the run.
    pub place: WorkerSlot,
}

impl StartedRun {
    /// Does the work of part 0, saves the result and ends the run.
    fn lead(
        mut self,
        outline: &SharedTask<RunRequest>,
        part: &OpenPart,
        parts: &dyn Parts,
        timeout: Option<Duration>,
    ) -> Result<(), PartsError> {
        let cache = Arc::new(WorkerCache::default());
        let (start, numbered, sums) = (self.start.take(), self.numbered.take(), self.sums.take());
        let shared = || StartsFrom::shared(parts, start, numbered, sums);
        let from = in_time(parts, timeout, shared)?;
        let material = &self.material;
        work_on(&mut self.store, self.run, &self.place, &cache, stop_flag(), |attempt, store| {
            watched(
                || overdue(parts, timeout),
                |reason| attempt.interrupt(reason),
                || lead_work(attempt, store, (&from, material), outline, part, parts),
            )
        })?;
        Ok(())
    }
}

fn lead_work(
    attempt: &Attempt,
    store: &mut Store,
    (from, material): (&StartsFrom<'_>, &Material),
    outline: &SharedTask<RunRequest>,
    part: &OpenPart,
    parts: &dyn Parts,
) -> Result<(), WorkError> {
    let request = &outline.request;
    let reporter = &attempt.reporter;
    let mut computed = in_threads(request.settings.threads, || {
        reporter.begin("prepare", 0, "");
        reporter.cache().retain_for(request, material, attempt.run);
        let progress = LeaderProgress { own: reporter, parts };
        compute(from, attempt.run, outline, part, parts, reporter.cache(), &progress)
    })?;
    reporter.begin("save", 0, "");
    let traffic = parts.traffic();
    computed.measured.metrics.extend([
        metric_for_run(&PARTS, parts.count() as f64),
        metric_for_run(&EXCHANGES, traffic.exchanges as f64),
        metric_for_run(&EXCHANGE_SECONDS, traffic.seconds),
        metric_for_run(&EXCHANGE_BYTES, traffic.bytes as f64),
    ]);
    let own = match outline.whole.documents_apart {
        true => Some(PartResult::new(outline, part, parts, &mut computed)?),
        false => None,
    };
    let result = result_of_whole(store, attempt.run, outline, material, computed);
    let Some(own) = own else { return attempt.save(store, &result?) };
    let made = result.and_then(|mut result| {
        let name = store.run(attempt.run)?.name;
        let whole = WholeResult::new(&mut result, &own.documents, name);
        Ok((result, whole))
    });
    let (result, whole) = made.map_err(|error| share_failure(parts, error))?;
    // The whole comes last: a finished run has the topics of all documents.
    own.save(outline, part, parts, Some(whole))?;
    attempt.save(store, &result)
}

/// What the store of the whole saves.
fn result_of_whole(
    store: &Store,
    run: RunId,
    outline: &SharedTask<RunRequest>,
    material: &Material,
    computed: Computed,
) -> Result<SavedResult, WorkError> {
    let request = &outline.request;
    let Computed { mut completed, measured, novel, .. } = computed;
    let continues = request.settings.start.filter(|_| request.settings.revises);
    if let Some(start) = continues {
        completed.fitted.labels = labels_of(store, start)?;
    }
    let term_ids = &material.term_ids;
    let mut result = saved_result(store, run, request, completed, measured, term_ids)?;
    if let Some(start) = continues {
        let corpus = store.run(run)?.corpus_id;
        result.novelty.rising = novel.words.rising(store, corpus)?;
        // It has no document.
        result.revises = Some(Revises { run: start, documents: Some(Vec::new()) });
    }
    Ok(result)
}
