//! The run in the stores of parts that have the only copies of their documents: each saves it with the topics of its own
//! documents, and the store of the whole has topics and words alone.

use serde::{Deserialize, Serialize};

use super::card::OpenPart;
use super::compute::Computed;
use super::outline::SharedTask;
use super::prepared::hash_of_parts;
use topoi_core::stream::parts::{Parts, share_failure, share_made};
use topoi_run::request::RunRequest;
use topoi_run::work::result::result_in_terms;
use topoi_run::work::work_error::WorkError;
use topoi_store::id::TermId;
use topoi_store::part::run::RunOfPart;
use topoi_store::result::document_topic::SavedDocuments;
use topoi_store::result::result_hash;
use topoi_store::result::topic::SavedResult;
use topoi_store::result::warning::Warning;
use topoi_store::run::NewRun;
use topoi_store::{Access, Store};

/// What the parts save of the result of the whole beside what they have computed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct WholeResult {
    /// Identifies the result to the bit; by it the run of a part is found.
    hash: Vec<u8>,
    warnings: Vec<Warning>,
    /// What the run is called.
    name: Option<String>,
}

impl WholeResult {
    /// Of the result of the whole, which gets its hash here, and the hashes of the parts' documents.
    pub(super) fn new(
        result: &mut SavedResult,
        documents: &[Vec<u8>],
        name: Option<String>,
    ) -> Self {
        let all = std::iter::once(&result.hash).chain(documents);
        result.hash = hash_of_parts(all);
        Self { hash: result.hash.clone(), warnings: result.warnings.clone(), name }
    }
}

/// The run as the store of this part is to have it.
pub(super) struct PartResult {
    store: Store,
    term_ids: Vec<TermId>,
    result: SavedResult,
    /// The hash of the documents of each part.
    pub(super) documents: Vec<Vec<u8>>,
}

impl PartResult {
    /// Takes the documents out of `computed`, and sends all parts their hash.
    pub(super) fn new(
        outline: &SharedTask<RunRequest>,
        part: &OpenPart,
        parts: &dyn Parts,
        computed: &mut Computed,
    ) -> Result<Self, WorkError> {
        let made = Self::alone(outline, part, computed);
        let (made, hash) = made.map_err(|error| share_failure(parts, error))?;
        let documents = share_made::<_, WorkError>(parts, Ok(hash))?;
        Ok(Self { documents, ..made })
    }

    fn alone(
        outline: &SharedTask<RunRequest>,
        part: &OpenPart,
        Computed { completed, measured, novel, revises }: &mut Computed,
    ) -> Result<(Self, Vec<u8>), WorkError> {
        let mut store = Store::open(&part.path, Access::Write)?;
        let term_ids = outline.own_terms(&mut store, part.corpus_id)?;
        let mut result = result_in_terms(completed, measured, &term_ids);
        let own = &mut completed.documents;
        let packed = std::mem::take(&mut own.packed);
        result.documents =
            SavedDocuments { alpha: own.alpha.clone(), packed, ids_from: part.ids_from };
        let left_out = std::mem::take(&mut completed.left_out).into_iter();
        result.left_out =
            left_out.map(|(id, tokens)| (id.shifted(-part.ids_from), tokens)).collect();
        result.novelty.unexplained = std::mem::take(&mut novel.unexplained);
        result.revises = revises.take();
        let hash = result_hash(&[], &[], &result.documents)?;
        Ok((Self { store, term_ids, result, documents: Vec::new() }, hash))
    }

    /// Saves the run in the store of this part, and waits until all parts have. `whole` is the result of the whole in part 0.
    pub(super) fn save(
        mut self,
        outline: &SharedTask<RunRequest>,
        part: &OpenPart,
        parts: &dyn Parts,
        whole: Option<WholeResult>,
    ) -> Result<(), WorkError> {
        let whole = share_made::<_, WorkError>(parts, Ok(whole))?.swap_remove(0);
        let saved = match whole {
            Some(whole) => self.save_alone(outline, part, whole),
            None => Ok(()),
        };
        share_made(parts, saved)?;
        Ok(())
    }

    fn save_alone(
        &mut self,
        outline: &SharedTask<RunRequest>,
        part: &OpenPart,
        WholeResult { hash, warnings, name }: WholeResult,
    ) -> Result<(), WorkError> {
        (self.result.hash, self.result.warnings) = (hash, warnings);
        let RunRequest { origin, k, seed, .. } = &outline.request;
        let mut request = outline.request.clone();
        if part.continues.is_some() {
            request.settings.start = part.continues;
        }
        self.store.save_run_of_part(&RunOfPart {
            run: NewRun {
                corpus_id: part.corpus_id,
                model: origin.name(),
                k: *k as u64,
                seed: *seed,
                settings: &request.saved_settings(),
            },
            name: name.as_deref(),
            rules: &outline.rules,
            term_ids: &self.term_ids,
            corpus_hash: &part.corpus_hash,
            seen: part.seen,
            result: &self.result,
        })?;
        Ok(())
    }
}
