//! A run of a corpus in parts before it begins: the checks that part 0 can do alone.

use super::card::Contents;
use super::error::PartsError;
use super::outline::{SharedTask, WholeCorpus, part_paths};
use super::run_in_parts::RunInParts;
use super::work::{PartsRun, RunChoice, StartedRun};
use topoi_core::model::topic_model::StartsFrom;
use topoi_run::life::resume_if;
use topoi_run::life::worker::WorkerSlot;
use topoi_run::request::RunRequest;
use topoi_run::request::start::{numbered_topics, start_of};
use topoi_run::request::update::{UpdateError, refitting, revising};
use topoi_run::work::kept_sums::{RunSums, check_start, current_documents_hash};
use topoi_run::work::material::Material;
use topoi_run::work::work_error::WorkError;
use topoi_store::id::{CorpusId, RunId};
use topoi_store::run::Run;
use topoi_store::run::kept::SummedDocuments;
use topoi_store::{Store, StoreError};

/// A run that part 0 is ready to begin.
pub(super) struct Prepared {
    store: Store,
    request: RunRequest,
    /// Number of the resumed run; `None` for a new run.
    row: Option<RunId>,
    /// What a new run is called.
    name: Option<String>,
    /// Whether the store of the whole corpus has the documents too.
    has_documents: bool,
    material: Material,
}

impl Prepared {
    /// Checks a run in `count` parts against the store of the whole corpus. Also returns the task for the other parts.
    ///
    /// # Errors
    /// [`PartsError`] if the request is invalid or does not fit the corpus.
    pub(super) fn new(
        store: Store,
        wanted: &PartsRun,
        count: usize,
    ) -> Result<(Self, SharedTask<RunRequest>), PartsError> {
        let parts = part_paths(&wanted.pattern, count)?;
        let (mut request, row, name) = match &wanted.run {
            RunChoice::New { request, name } => (RunRequest::clone(request), None, name.clone()),
            RunChoice::Update { of, refit } => {
                let of = store.run(*of)?;
                let request = if *refit { refitting(&store, &of) } else { revising(&store, &of) };
                (request?, None, None)
            }
            RunChoice::Resumed(run) => (RunRequest::from_run(&store.run(*run)?)?, Some(*run), None),
        };
        request.settings.parts = Some(parts.clone());
        let corpus = store.corpus(&request.corpus)?;
        request.check_for(&store, &corpus)?;
        let material = Material::from_store(&store, corpus.id, &request.settings)?;
        let whole = WholeCorpus::from_store(&store, &corpus, &material)?;
        let has_documents = !whole.documents_apart;
        let summed = match request.settings.start.filter(|_| whole.documents_apart) {
            Some(start) => store.summed_documents(start)?,
            None => None,
        };
        let continued = match request.settings.start.filter(|_| request.settings.revises) {
            Some(start) => {
                let earlier = store.run(start)?;
                Some(RunInParts::new(&store, &earlier, &wanted.pattern, count)?)
            }
            None => None,
        };
        let outline = SharedTask {
            continued,
            whole,
            request: request.clone(),
            parts,
            positions: material.positions.clone(),
            words: material.words.clone(),
            rules: material.rules.clone(),
            summed_up_to: summed.map(|summed| summed.last_documents).unwrap_or_default(),
        };
        Ok((Self { store, request, row, name, has_documents, material }, outline))
    }

    /// Saves the run as queued or resumed, and locks it.
    ///
    /// # Errors
    /// [`PartsError`] if the corpus has changed; [`StoreError::Busy`] if another process has the run.
    pub(super) fn begin(mut self, contents: &[Contents]) -> Result<StartedRun, PartsError> {
        if !self.has_documents {
            self.material.corpus_hash =
                hash_of_parts(contents.iter().map(|part| &part.corpus_hash));
            self.material.last_documents = contents.iter().map(|part| part.last_document).collect();
        }
        let run = match self.row {
            None => {
                self.check_sums(contents)?;
                self.check_changed()?;
                let run = self.request.submit(&self.store)?;
                self.store.name_run(run, self.name.as_deref())?;
                run
            }
            Some(run) => {
                let row = self.store.run(run)?;
                let (material, settings) = (&self.material, self.request.saved_settings());
                resume_if(&mut self.store, &row, |store, row| {
                    material.check_against(store, row)?;
                    Ok(store.set_run_settings(row.id, &settings)?)
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
        let (start, numbered, sums) = match self.request.settings.revises {
            // Parts have what an update continues.
            true => (None, None, None),
            false => (
                start_of(&self.store, &row, &self.request, &self.material)?,
                numbered_topics(&self.store, &row, &self.request, &self.material)?,
                self.sums(&row, contents)?,
            ),
        };
        self.material.save(&mut self.store, &row)?;
        let place = WorkerSlot::outside(lock);
        Ok(StartedRun {
            store: self.store,
            material: self.material,
            start,
            numbered,
            sums,
            run,
            place,
        })
    }

    /// Refuses a new run that would extend sums of other documents, before its row is saved.
    fn check_sums(&self, contents: &[Contents]) -> Result<(), PartsError> {
        let adds_to_sums = self.request.origin.card().starts_from == StartsFrom::Sums;
        let Some(start) = self.request.settings.start.filter(|_| adds_to_sums) else {
            return Ok(());
        };
        let corpus_id = self.store.run(start)?.corpus_id;
        let hash_of = |documents: &_| self.hash_of(corpus_id, contents, documents);
        check_start(&self.store, start, start, hash_of)?;
        Ok(())
    }

    /// Refuses an update of a run that has seen all documents, before its row is saved.
    fn check_changed(&self) -> Result<(), PartsError> {
        let settings = &self.request.settings;
        let Some(start) = settings.start.filter(|_| settings.revises) else { return Ok(()) };
        let earlier = self.store.run(start)?;
        match earlier.corpus_hash.as_ref() == Some(&self.material.corpus_hash) {
            true => Err(UpdateError::NothingNew { run: start, corpus: earlier.corpus }.into()),
            false => Ok(()),
        }
    }

    /// The sums that the run extends or keeps.
    fn sums(&self, row: &Run, contents: &[Contents]) -> Result<Option<RunSums>, PartsError> {
        let hash_of = |documents: &_| self.hash_of(row.corpus_id, contents, documents);
        Ok(RunSums::new(&self.store, row, &self.request, &self.material, hash_of)?)
    }

    /// Current hash of the summed documents.
    fn hash_of(
        &self,
        corpus_id: CorpusId,
        contents: &[Contents],
        documents: &SummedDocuments,
    ) -> Result<Vec<u8>, WorkError> {
        match self.has_documents {
            true => current_documents_hash(&self.store, corpus_id, documents),
            false => Ok(hash_of_parts(contents.iter().flat_map(|part| &part.summed_hash))),
        }
    }
}

/// The hash of a corpus whose documents are in parts only: 16 bytes of the BLAKE3 hash of the parts' hashes in order.
pub(super) fn hash_of_parts<'h>(hashes: impl Iterator<Item = &'h Vec<u8>>) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    for hash in hashes {
        hasher.update(hash);
    }
    hasher.finalize().as_bytes()[..16].to_vec()
}
