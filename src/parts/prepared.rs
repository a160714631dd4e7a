//! A run of a corpus in parts before it begins: everything that part 0 can check by itself.

use super::card::Contents;
use super::error::PartsError;
use super::outline::{Outline, Whole};
use super::work::{Begun, Wanted};
use crate::run::in_parts::InParts;
use crate::run::life::resume_if;
use crate::run::material::Material;
use crate::run::request::{RunRequest, RunSettings};
use crate::run::update::start_of;
use crate::run::worker::Place;
use crate::store::run::{Run, RunStatus};
use crate::store::{Store, StoreError};

/// A run that part 0 is ready to begin.
pub(super) struct Prepared {
    store: Store,
    task: Task,
    settings: RunSettings,
    /// Whether the store of the whole has its documents too.
    has_documents: bool,
    material: Material,
}

/// What makes the row: a request that was checked, or an old row.
enum Task {
    New(Box<RunRequest>),
    Old(i64),
}

impl Prepared {
    /// What `wanted` asks for, checked against the store of the whole, for so many parts; and what the
    /// other parts are told of it.
    ///
    /// # Errors
    /// [`PartsError`].
    pub fn of(store: Store, wanted: &Wanted, count: usize) -> Result<(Self, Outline), PartsError> {
        let (row, settings, task) = match wanted {
            Wanted::New(request) => {
                let request = Box::new(counted((**request).clone(), count)?);
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
    ///
    /// # Errors
    /// When the corpus is another one by now, someone else has the run, or the store cannot be written.
    pub fn begin(mut self, contents: &[Contents]) -> Result<Begun, PartsError> {
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
