//! A run of a corpus in parts in the store of a part that has the only copy of its documents: with their topics.

use std::collections::HashMap;

use crate::Store;
use crate::corpus::vocabulary::hash_vocabulary;
use crate::error::Result;
use crate::id::{CorpusId, RunId, TermId};
use crate::open::{LARGE_CACHE, USUAL_CACHE};
use crate::result::series::CorpusState;
use crate::result::topic::SavedResult;
use crate::run::{NewRun, RunEnd, RunStatus};

const TERM_IDS: &str = "SELECT text, id FROM term WHERE corpus_id = ?1";
const NEXT_POSITION: &str = "SELECT coalesce(max(position) + 1, 0) FROM term WHERE corpus_id = ?1";
const ADD_TERM: &str = "INSERT INTO term (corpus_id, position, text) VALUES (?1, ?2, ?3)";
const ADD_POSITION: &str =
    "INSERT INTO part_term (corpus_id, position, whole_position) VALUES (?1, ?2, ?3)";
const COUNT_TERMS: &str = "UPDATE corpus SET terms = terms + ?2 WHERE id = ?1";
const OF_HASH: &str = "SELECT id FROM run WHERE corpus_id = ?1 AND result_hash = ?2 \
    AND status = 'finished' ORDER BY id DESC LIMIT 1";

/// A finished run of the whole corpus, to be saved in the store of a part.
#[derive(Debug)]
pub struct RunOfPart<'a> {
    /// The run.
    pub run: NewRun<'a>,
    /// Its name, if it has one.
    pub name: Option<&'a str>,
    /// The rules of its vocabulary, as JSON.
    pub rules: &'a str,
    /// The terms of its vocabulary as [`Store::terms_of_whole`] has them.
    pub term_ids: &'a [TermId],
    /// The hash of the documents that it read here, and how far the corpus was.
    pub corpus_hash: &'a [u8],
    pub seen: CorpusState,
    /// Its result, with the topics of the part's documents. The hash is that of the whole's result.
    pub result: &'a SavedResult,
}

impl Store {
    /// Row ids of terms of the whole corpus, given by their positions and texts there, in the store of a part. Terms that no
    /// document of the part has had are added.
    pub fn terms_of_whole<'t>(
        &mut self,
        corpus_id: CorpusId,
        terms: impl Iterator<Item = (u32, &'t str)>,
    ) -> Result<Vec<TermId>> {
        self.transaction(|store| {
            let known = store.rows(TERM_IDS, [corpus_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let known: HashMap<String, TermId> = known.into_iter().collect();
            let first: i64 = store.scalar(NEXT_POSITION, [corpus_id])?;
            let mut next = first;
            let mut ids = Vec::new();
            for (whole_position, text) in terms {
                if let Some(id) = known.get(text) {
                    ids.push(*id);
                    continue;
                }
                store.execute(ADD_TERM, (corpus_id, next, text))?;
                ids.push(TermId(store.connection.last_insert_rowid()));
                store.execute(ADD_POSITION, (corpus_id, next, whole_position))?;
                next += 1;
            }
            store.execute(COUNT_TERMS, (corpus_id, next - first))?;
            Ok(ids)
        })
    }

    /// The newest finished run of a corpus with this result.
    pub fn run_with_result(&self, corpus_id: CorpusId, hash: &[u8]) -> Result<Option<RunId>> {
        Ok(self.rows(OF_HASH, (corpus_id, hash), |row| row.get(0))?.pop())
    }

    /// Saves a run in the store of a part, in one transaction; returns its number here. A run with the same result that is
    /// already here stays as it is.
    pub fn save_run_of_part(&mut self, of: &RunOfPart<'_>) -> Result<RunId> {
        let RunOfPart { run, name, rules, term_ids, corpus_hash, seen, result } = of;
        if let Some(saved) = self.run_with_result(run.corpus_id, &result.hash)? {
            return Ok(saved);
        }
        let mut sorted = term_ids.to_vec();
        sorted.sort_unstable();
        let hash = hash_vocabulary(&sorted);
        let vocabulary = self.save_vocabulary(run.corpus_id, rules, &hash, &sorted)?;
        self.execute_batch(LARGE_CACHE)?;
        let saved = self.transaction(|store| {
            let id = store.create_run(run)?;
            store.take_run(id)?;
            store.name_run(id, *name)?;
            store.set_run_material(id, vocabulary, corpus_hash, *seen)?;
            store.insert_result(id, result)?;
            store.end_run(id, RunEnd::new(RunStatus::Finished))?;
            Ok(id)
        })?;
        self.execute_batch(USUAL_CACHE)?;
        Ok(saved)
    }
}
