//! A run of a corpus in parts, from the request to the saved result.

use std::path::Path;
use std::sync::Arc;

use ndarray::Array2;

use super::card::{Contents, OpenPart, join};
use super::error::PartsError;
use super::outline::{Outline, Whole, told};
use super::progress::{Following, Leading};
use crate::progress::Progress;
use crate::run::fit::Order;
use crate::run::in_parts::InParts;
use crate::run::life::resume_if;
use crate::run::material::Material;
use crate::run::measure::of_run;
use crate::run::models::model_card;
use crate::run::request::{RunRequest, RunSettings};
use crate::run::result::saved_result;
use crate::run::shelf::Shelf;
use crate::run::sources::{Sources, Texts};
use crate::run::update::start_of;
use crate::run::work::{in_threads, topics_with_measures};
use crate::run::work_error::WorkError;
use crate::run::worker::{Attempt, Place, work_on};
use crate::store::checkpoint::{pack, unpack};
use crate::store::run::{Run, RunStatus};
use crate::store::{Store, StoreError};
use crate::stream::StreamError;
use crate::stream::parts::Parts;

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// A new run; its settings say where the parts are.
    New(RunRequest),
    /// An old one is to go on.
    Resumed {
        /// The run.
        run: i64,
        /// Where the parts are now; `None` where they were.
        pattern: Option<String>,
    },
}

/// Does a run on all parts, of which each calls this with the same arguments but its own `parts`.
/// Part 0, which has the store of the whole at `path`, saves the run and hears its number from
/// `begun`; the others return when it is over.
///
/// # Errors
/// [`PartsError`] where the work could not begin; a run that fails later is not an error here: its
/// row says why.
pub fn work(
    path: &Path,
    wanted: &Wanted,
    parts: &dyn Parts,
    begun: impl FnOnce(i64),
) -> Result<(), PartsError> {
    if parts.number() > 0 {
        return follow(parts);
    }
    let prepared = Store::open_existing(path)
        .map_err(PartsError::from)
        .and_then(|_| Ok(Store::open(path)?))
        .and_then(|store| Prepared::of(store, wanted, parts.count()));
    let (prepared, outline) = match prepared {
        Ok((prepared, outline)) => (Some(prepared), told(parts, Ok(Some(outline)))?),
        Err(error) => (None, told(parts, Err(error))?),
    };
    let (part, contents) = join(parts, &place_of(&outline, parts)?, &outline.whole)?;
    let begins = prepared.ok_or(PartsError::Told).and_then(|prepared| prepared.begin(&contents));
    let begins = match begins {
        Ok(begins) => told(parts, Ok(Some(begins.run))).map(|_: i64| begins)?,
        Err(error) => return told::<i64>(parts, Err(error)).map(drop),
    };
    begun(begins.run);
    begins.lead(&outline, &part, parts)
}

/// The store of the part that is here.
fn place_of(outline: &Outline, parts: &dyn Parts) -> Result<std::path::PathBuf, PartsError> {
    let settings = outline.settings.parts.as_ref();
    settings.map(|own| own.path(parts.number())).ok_or(PartsError::NoPattern)
}

/// The eigenvectors to start from, which part 0 has, on all parts.
fn started(
    parts: &dyn Parts,
    own: Option<Array2<f64>>,
) -> Result<Option<Array2<f64>>, StreamError> {
    let bytes = own.as_ref().map(|own| pack(std::slice::from_ref(own)));
    let all = parts.share(bytes.unwrap_or_default())?;
    Ok(all.first().and_then(|bytes| unpack(bytes)?.pop()))
}

/// What the parts after part 0 do.
fn follow(parts: &dyn Parts) -> Result<(), PartsError> {
    let outline: Outline = told(parts, Ok(None))?;
    let (part, _) = join(parts, &place_of(&outline, parts)?, &outline.whole)?;
    let _: i64 = told(parts, Ok(None))?;
    let start = started(parts, None)?;
    let card = model_card(&outline.model).ok_or(PartsError::Told)?;
    let Outline { k, seed, settings, .. } = &outline;
    let order = Order { card, k: *k, seed: *seed, settings, start: start.as_ref() };
    let progress = Following { parts };
    // Part 0 has met the same error and tells of it.
    let _ = in_threads(settings.threads, || {
        topics_with_measures(order, &sources(&outline, &part, parts), &Shelf::default(), &progress)
    });
    Ok(())
}

fn sources<'a>(outline: &'a Outline, part: &'a OpenPart, parts: &'a dyn Parts) -> Sources<'a> {
    let OpenPart { path, corpus_id, ids_from, blocks } = part;
    Sources {
        blocks,
        parts,
        positions: &outline.positions,
        words: &outline.words,
        texts: Texts { path, corpus_id: *corpus_id, ids_from: *ids_from },
    }
}

/// A run that part 0 is ready to begin.
struct Prepared {
    store: Store,
    task: Task,
    settings: RunSettings,
    /// Whether the store of the whole has its documents too.
    has_documents: bool,
    material: Material,
}

/// What makes the row: a request that was checked, or an old row.
enum Task {
    New(RunRequest),
    Old(i64),
}

impl Prepared {
    fn of(store: Store, wanted: &Wanted, count: usize) -> Result<(Self, Outline), PartsError> {
        let (row, settings, task) = match wanted {
            Wanted::New(request) => {
                let request = counted(request.clone(), count)?;
                let (row, settings) = new_run(&store, &request)?;
                (row, settings, Task::New(request))
            }
            Wanted::Resumed { run, pattern } => {
                let (row, settings) = old_run(&store, *run, pattern.as_deref(), count)?;
                (row, settings, Task::Old(*run))
            }
        };
        let corpus = store.corpus_by_id(row.corpus_id)?;
        let material = Material::of(&store, &row, &settings)?;
        let outline = Outline::of(Whole::of(&store, &corpus)?, &row, &settings, &material);
        let has_documents = store.parts_elsewhere(corpus.id)?.is_none();
        Ok((Self { store, task, settings, has_documents, material }, outline))
    }

    /// Makes or reopens the run's row and takes it.
    fn begin(mut self, contents: &[Contents]) -> Result<Begun, PartsError> {
        if !self.has_documents {
            self.material.corpus_hash = hash_of_parts(contents);
        }
        let run = match self.task {
            Task::New(request) => request.submit(&self.store)?,
            Task::Old(run) => {
                let row = self.store.run(run)?;
                let (material, settings) = (&self.material, &self.settings);
                resume_if(&mut self.store, &row, |store, row| {
                    material.check_against(store, row)?;
                    Ok(store.set_run_settings(row.id, &settings.to_json())?)
                })?;
                run
            }
        };
        let busy = || StoreError::Busy(self.store.path().into());
        let lock = self.store.lock_run(run)?.ok_or_else(busy)?;
        if !self.store.take_run(run)? {
            return Err(busy().into());
        }
        let row = self.store.run(run)?;
        let start = start_of(&self.store, &row, &self.settings, &self.material)?;
        self.material.save(&mut self.store, &row)?;
        let place = Place::outside(lock);
        Ok(Begun { store: self.store, material: self.material, start, run, place })
    }
}

/// The documents of parts that have no whole: BLAKE3 of their hashes in order.
fn hash_of_parts(contents: &[Contents]) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    for part in contents {
        hasher.update(&part.corpus_hash);
    }
    hasher.finalize().as_bytes()[..16].to_vec()
}

/// A new run as it would be, checked but not saved.
fn new_run(store: &Store, request: &RunRequest) -> Result<(Run, RunSettings), PartsError> {
    let corpus = store.corpus(&request.corpus)?;
    request.check_for(store, &corpus)?;
    let row = Run {
        id: 0,
        corpus: corpus.name,
        corpus_id: corpus.id,
        vocabulary_id: None,
        model: request.model.clone(),
        k: request.k as u64,
        seed: request.seed,
        settings: String::new(),
        status: RunStatus::Queued,
        created_at: String::new(),
        started_at: None,
        finished_at: None,
        seconds: None,
        peak_memory_bytes: None,
        program_version: String::new(),
        corpus_hash: None,
        result_hash: None,
        error: None,
    };
    Ok((row, request.settings_with_iterations()))
}

/// A run that is to go on, with the parts as they are now.
fn old_run(
    store: &Store,
    run: i64,
    pattern: Option<&str>,
    count: usize,
) -> Result<(Run, RunSettings), PartsError> {
    let row = store.run(run)?;
    let saved = RunSettings::of(&row)?;
    let old = saved.parts.as_ref().map(|parts| parts.pattern.as_str());
    let pattern = pattern.or(old).ok_or(PartsError::NoPattern)?;
    let parts = checked(InParts { pattern: pattern.into(), count })?;
    Ok((row, RunSettings { parts: Some(parts), ..saved }))
}

/// The request, of as many parts as there are processes.
fn counted(mut request: RunRequest, count: usize) -> Result<RunRequest, PartsError> {
    let pattern = request.settings.parts.take().ok_or(PartsError::NoPattern)?.pattern;
    request.settings.parts = Some(checked(InParts { pattern, count })?);
    Ok(request)
}

fn checked(parts: InParts) -> Result<InParts, PartsError> {
    match parts.count > 1 && !parts.pattern.contains("{rank}") {
        true => Err(PartsError::OnePath(parts.pattern)),
        false => Ok(parts),
    }
}

/// A run that part 0 has taken.
struct Begun {
    store: Store,
    material: Material,
    /// What it starts from.
    start: Option<Array2<f64>>,
    run: i64,
    place: Place,
}

impl Begun {
    /// Does part 0's share, saves the result and ends the row.
    fn lead(
        mut self,
        outline: &Outline,
        part: &OpenPart,
        parts: &dyn Parts,
    ) -> Result<(), PartsError> {
        let shelf = Arc::new(Shelf::default());
        let material = &self.material;
        let start = started(parts, self.start.take())?;
        work_on(&mut self.store, self.run, &self.place, &shelf, |attempt, store| {
            lead_work(attempt, store, (material, start.as_ref()), outline, part, parts)
        })?;
        Ok(())
    }
}

fn lead_work(
    attempt: &Attempt,
    store: &mut Store,
    (material, start): (&Material, Option<&Array2<f64>>),
    outline: &Outline,
    part: &OpenPart,
    parts: &dyn Parts,
) -> Result<(), WorkError> {
    let (row, settings) = (store.run(attempt.run)?, &outline.settings);
    let reporter = &attempt.reporter;
    let sources = sources(outline, part, parts);
    let (completed, mut measured) = in_threads(settings.threads, || {
        reporter.begin("prepare", 0, "");
        reporter.shelf().open_for(&row, settings, material);
        let progress = Leading { own: reporter, parts };
        let order = Order { start, ..Order::of(&row, settings)? };
        topics_with_measures(order, &sources, reporter.shelf(), &progress)
    })?;
    let traffic = parts.traffic();
    measured.metrics.extend([
        of_run("parts", parts.count() as f64),
        of_run("exchange_seconds", traffic.seconds),
        of_run("exchange_bytes", traffic.bytes as f64),
    ]);
    attempt.save(store, &saved_result(completed, measured, &material.term_ids))
}
