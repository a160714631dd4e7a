//! A run of a corpus in parts, from the request to the saved result.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ndarray::Array2;

use super::card::{Contents, OpenPart, join};
use super::error::PartsError;
use super::matrices::{pack, unpack};
use super::outline::{SharedTask, broadcast};
use super::part_run::{PartResult, WholeResult};
use super::prepared::Prepared;
use super::progress::{FollowerProgress, LeaderProgress};
use super::sums::SharedSums;
use super::watch::{StopSignal, end_part, in_time, overdue, watched};
use topoi_core::metric::run_process::{EXCHANGE_BYTES, EXCHANGE_SECONDS, EXCHANGES, PARTS};
use topoi_core::progress::Progress;
use topoi_core::stream::StreamError;
use topoi_core::stream::parts::{Parts, share_failure};
use topoi_run::life::worker::{Attempt, WorkerSlot, stop_flag, work_on};
use topoi_run::request::RunRequest;
use topoi_run::request::start::NumberedTopics;
use topoi_run::work::fit::FitTask;
use topoi_run::work::kept_sums::RunSums;
use topoi_run::work::material::{Material, Sources, Texts};
use topoi_run::work::measure::metric_for_run;
use topoi_run::work::result::saved_result;
use topoi_run::work::work_error::WorkError;
use topoi_run::work::worker_cache::WorkerCache;
use topoi_run::work::{in_threads, topics_with_measures};
use topoi_store::id::RunId;
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

/// A new run or one to resume.
#[derive(Debug, Clone, PartialEq)]
pub enum RunChoice {
    /// A new run with this request, and what it is called.
    New { request: Box<RunRequest>, name: Option<String> },
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
    join(parts, &path, &outline.whole, &outline.summed_up_to)
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

/// The work of all parts except part 0.
fn follow(parts: &dyn Parts, timeout: Option<Duration>) -> Result<(), PartsError> {
    let mut signal = StopSignal::new(stop_flag());
    let wrong = || signal.reason().or_else(|| overdue(parts, timeout));
    watched(wrong, |reason| end_part(parts, &reason), || follow_work(parts))
}

fn follow_work(parts: &dyn Parts) -> Result<(), PartsError> {
    let outline: SharedTask<RunRequest> = broadcast(parts, Ok(None))?;
    let (part, _) = join_as(parts, &outline)?;
    let _: RunId = broadcast(parts, Ok(None))?;
    let start = share_matrix(parts, None)?;
    let numbered = share_matrix(parts, None)?;
    let numbered = numbered.map(|directions| NumberedTopics { directions, labels: Vec::new() });
    let sums = SharedSums::new(parts, None)?;
    let sums = sums.as_ref().map(|sums| sums as _);
    let (start, numbered) = (start.as_ref(), numbered.as_ref());
    let keeps_own_documents = outline.whole.documents_apart;
    let task = FitTask {
        start,
        numbered,
        sums,
        keeps_own_documents,
        ..FitTask::from_request(&outline.request)
    };
    let progress = FollowerProgress { parts };
    // Part 0 has the same errors and reports them.
    let found = in_threads(task.settings.threads, || {
        let sources = sources(&outline, &part, parts);
        topics_with_measures(task, &sources, &WorkerCache::default(), &progress)
    });
    if let Ok((mut completed, measured)) = found
        && outline.whole.documents_apart
    {
        let _ = PartResult::new(&outline, &part, parts, &mut completed, &measured)
            .and_then(|own| own.save(&outline, &part, parts, None));
    }
    Ok(())
}

fn sources<'a>(
    outline: &'a SharedTask<RunRequest>,
    part: &'a OpenPart,
    parts: &'a dyn Parts,
) -> Sources<'a> {
    let OpenPart { path, corpus_id, ids_from, blocks } = part;
    Sources {
        blocks,
        parts,
        positions: &outline.positions,
        words: &outline.words,
        texts: Texts { path, corpus_id: *corpus_id, ids_from: *ids_from },
    }
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
        let (start, numbered, sums) = in_time(parts, timeout, || self.share(parts))?;
        let from = RunInputs {
            material: &self.material,
            start: start.as_ref(),
            numbered: numbered.as_ref(),
            sums: sums.as_ref(),
        };
        work_on(&mut self.store, self.run, &self.place, &cache, stop_flag(), |attempt, store| {
            watched(
                || overdue(parts, timeout),
                |reason| attempt.interrupt(reason),
                || lead_work(attempt, store, &from, outline, part, parts),
            )
        })?;
        Ok(())
    }

    /// Sends all parts what the run starts from.
    fn share<'a>(&mut self, parts: &'a dyn Parts) -> Result<StartsFrom<'a>, StreamError> {
        let start = share_matrix(parts, self.start.take())?;
        let (directions, labels) =
            self.numbered.take().map(|earlier| (earlier.directions, earlier.labels)).unzip();
        let numbered = share_matrix(parts, directions)?
            .map(|directions| NumberedTopics { directions, labels: labels.unwrap_or_default() });
        Ok((start, numbered, SharedSums::new(parts, self.sums.take())?))
    }
}

/// Eigenvectors, numbered topics and sums of an earlier run.
type StartsFrom<'a> = (Option<Array2<f64>>, Option<NumberedTopics>, Option<SharedSums<'a>>);

struct RunInputs<'a> {
    material: &'a Material,
    start: Option<&'a Array2<f64>>,
    numbered: Option<&'a NumberedTopics>,
    sums: Option<&'a SharedSums<'a>>,
}

fn lead_work(
    attempt: &Attempt,
    store: &mut Store,
    &RunInputs { material, start, numbered, sums }: &RunInputs<'_>,
    outline: &SharedTask<RunRequest>,
    part: &OpenPart,
    parts: &dyn Parts,
) -> Result<(), WorkError> {
    let request = &outline.request;
    let reporter = &attempt.reporter;
    let sources = sources(outline, part, parts);
    let (mut completed, mut measured) = in_threads(request.settings.threads, || {
        reporter.begin("prepare", 0, "");
        reporter.cache().retain_for(request, material, attempt.run);
        let progress = LeaderProgress { own: reporter, parts };
        let sums = sums.map(|sums| sums as _);
        let keeps_own_documents = outline.whole.documents_apart;
        let task = FitTask {
            start,
            numbered,
            sums,
            keeps_own_documents,
            ..FitTask::from_request(request)
        };
        topics_with_measures(task, &sources, reporter.cache(), &progress)
    })?;
    reporter.begin("save", 0, "");
    let traffic = parts.traffic();
    measured.metrics.extend([
        metric_for_run(&PARTS, parts.count() as f64),
        metric_for_run(&EXCHANGES, traffic.exchanges as f64),
        metric_for_run(&EXCHANGE_SECONDS, traffic.seconds),
        metric_for_run(&EXCHANGE_BYTES, traffic.bytes as f64),
    ]);
    let own = match outline.whole.documents_apart {
        true => Some(PartResult::new(outline, part, parts, &mut completed, &measured)?),
        false => None,
    };
    let term_ids = &material.term_ids;
    let result = saved_result(store, attempt.run, request, completed, measured, term_ids);
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
