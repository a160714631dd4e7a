//! Deleting documents (rows, blocks and frequencies together), runs and corpora.

use super::content_hash::DocumentsHash;
use super::term::TermIndex;
use crate::Store;
use crate::block::block_edits::Edits;
use crate::error::{Result, StoreError};
use crate::id::{CorpusId, DocumentId, RunId};
use crate::open::beside;
use crate::run::run_lock::RunLock;
use crate::search::Words;

const LOG: &str = "INSERT INTO deleted_document (corpus_id, document_id, key, deleted_at, tokens) \
    SELECT corpus_id, id, key, strftime('%Y-%m-%dT%H:%M:%fZ'), tokens FROM document \
    WHERE corpus_id = ?1 AND id = ?2";
const DELETE: &str = "DELETE FROM document WHERE corpus_id = ?1 AND id = ?2";
pub(crate) const CONTENT_HASH: &str = "SELECT content_hash FROM document WHERE id = ?1";
/// A document that lost a chunk differs from its source.
const FORGET_WHOLE: &str = "UPDATE parent_document SET content_hash = x'' \
    WHERE id = (SELECT parent_id FROM chunk WHERE document_id = ?1)";
const DELETE_PARENTS: &str = "DELETE FROM parent_document WHERE corpus_id = ?1 \
    AND content_hash = x'' \
    AND NOT EXISTS (SELECT 1 FROM chunk WHERE parent_id = parent_document.id)";
const TOKENS: &str = "SELECT tokens FROM document WHERE corpus_id = ?1 AND id = ?2";
const OF_RUN: &str = "SELECT (SELECT count(*) FROM topic WHERE run_id = ?1), \
    (SELECT coalesce(sum(json_array_length(probabilities)), 0) FROM topic_probabilities \
    WHERE run_id = ?1), \
    (SELECT count(*) FROM judgement WHERE run_id = ?1), \
    (SELECT count(*) FROM result WHERE run_id = ?1), \
    (SELECT count(*) FROM note WHERE run_id = ?1)";
const OF_CORPUS: &str = "SELECT (SELECT count(*) FROM vocabulary_name WHERE corpus_id = ?1), \
    (SELECT count(*) FROM run WHERE corpus_id = ?1), \
    (SELECT count(*) FROM note WHERE corpus_id = ?1)";
/// What joined tables say of a document; of chunks it stays with what they were cut from.
const FORGET_JOINED: &str = "DELETE FROM joined_fields WHERE corpus_id = ?1 \
    AND key = (SELECT key FROM document WHERE id = ?2)";
/// The document with a key, or all chunks of the parent with that key.
const OF_KEY: &str = "SELECT id FROM document WHERE corpus_id = ?1 AND key = ?2 UNION ALL \
    SELECT chunk.document_id FROM parent_document JOIN chunk \
    ON chunk.parent_id = parent_document.id WHERE corpus_id = ?1 AND key = ?2";
const NOT_FINISHED: &str =
    "SELECT id FROM ingest WHERE corpus_id = ?1 AND status <> 'finished' ORDER BY id";
const DELETE_RUNS: &str = "DELETE FROM run WHERE id IN (SELECT value FROM json_each(?1))";
const SERIES_OF_RUNS: &str = "SELECT DISTINCT series_id FROM run \
    WHERE id IN (SELECT value FROM json_each(?1)) AND series_id IS NOT NULL";
const TAKE_FROM_CORPUS: &str = "UPDATE corpus SET documents = documents - ?2, \
    tokens = tokens - ?3, nonzeros = nonzeros - ?4 WHERE id = ?1";

/// Documents deleted per transaction; other processes can write between two.
const DOCUMENTS_PER_TRANSACTION: usize = 5000;

/// A choice of documents to delete.
#[derive(Debug, Clone, Copy)]
pub enum DocumentChoice<'a> {
    /// Documents with these keys, or chunks of parents with these keys; each key must exist.
    Keys(&'a [String]),
    /// Documents for which this SQL expression over the columns of `document` is true.
    Where(&'a str),
}

/// How much was deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Deleted {
    /// Documents.
    pub documents: u64,
    /// Tokens of these documents.
    pub tokens: u64,
    /// (document, term) pairs of these documents.
    pub nonzeros: u64,
}

/// Contents of a run that are deleted with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct RunContents {
    /// Topics of its result.
    pub topics: u64,
    /// Probabilities of words of its topics.
    pub words: u64,
    /// Answers of judges about it.
    pub judgements: u64,
    /// Results that were kept of it.
    pub results: u64,
    /// Notes on it and its topics.
    pub notes: u64,
}

/// Contents of a corpus that are deleted with it, beside its documents and terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct CorpusContents {
    /// Named vocabularies.
    pub vocabularies: u64,
    /// Runs of any status.
    pub runs: u64,
    /// Notes, those on runs among them.
    pub notes: u64,
}

impl Store {
    /// Counts what is deleted with run `run`.
    pub fn count_run_contents(&self, run: RunId) -> Result<RunContents> {
        let read = |row: &rusqlite::Row<'_>| {
            Ok(RunContents {
                topics: row.get(0)?,
                words: row.get(1)?,
                judgements: row.get(2)?,
                results: row.get(3)?,
                notes: row.get(4)?,
            })
        };
        Ok(self.rows(OF_RUN, [run], read)?.remove(0))
    }

    /// Counts what is deleted with corpus `corpus`.
    pub fn count_corpus_contents(&self, corpus: CorpusId) -> Result<CorpusContents> {
        let read = |row: &rusqlite::Row<'_>| {
            Ok(CorpusContents { vocabularies: row.get(0)?, runs: row.get(1)?, notes: row.get(2)? })
        };
        Ok(self.rows(OF_CORPUS, [corpus], read)?.remove(0))
    }

    /// Number of tokens of the documents with these ids, from their rows.
    pub fn tokens_of(&self, corpus_id: CorpusId, ids: &[DocumentId]) -> Result<u64> {
        let tokens = |&id: &DocumentId| -> Result<u64> {
            Ok(self.rows(TOKENS, (corpus_id, id), |row| row.get(0))?.pop().unwrap_or(0))
        };
        ids.iter().map(tokens).sum()
    }

    /// Locks all unfinished ingests of a corpus. While the locks are held, none can resume.
    pub(crate) fn lock_ingests(&self, corpus_id: CorpusId) -> Result<Vec<RunLock>> {
        let ingests: Vec<i64> = self.rows(NOT_FINISHED, [corpus_id], |row| row.get(0))?;
        let hold = |&ingest: &i64| {
            self.lock_ingest(ingest)?.ok_or_else(|| {
                let name = self.scalar("SELECT name FROM corpus WHERE id = ?1", [corpus_id]);
                name.map_or_else(|e| e, |corpus| StoreError::BeingFilled { corpus })
            })
        };
        ingests.iter().map(hold).collect()
    }

    /// The ids of the selected documents of a corpus, ascending.
    ///
    /// # Errors
    /// [`StoreError::UnknownDocument`] if no document has a key; [`StoreError::Query`] if the expression is
    /// invalid.
    pub fn select_documents(
        &self,
        corpus: &str,
        selection: DocumentChoice<'_>,
    ) -> Result<Vec<DocumentId>> {
        match selection {
            DocumentChoice::Keys(keys) => match self.documents_with_keys(corpus, keys)? {
                (ids, unknown) if unknown.is_empty() => Ok(ids),
                (_, mut unknown) => Err(StoreError::UnknownDocument {
                    corpus: corpus.into(),
                    key: unknown.swap_remove(0),
                }),
            },
            DocumentChoice::Where(condition) => {
                let corpus_id = self.corpus(corpus)?.id;
                let mut ids: Vec<DocumentId> =
                    self.documents_where(corpus_id, condition)?.into_iter().collect();
                ids.sort_unstable();
                Ok(ids)
            }
        }
    }

    /// The ids of a corpus's documents with these keys, ascending, and the keys that no document has.
    pub fn documents_with_keys(
        &self,
        corpus: &str,
        keys: &[String],
    ) -> Result<(Vec<DocumentId>, Vec<String>)> {
        let corpus_id = self.corpus(corpus)?.id;
        let (mut ids, mut unknown) = (Vec::new(), Vec::new());
        for key in keys {
            let found: Vec<DocumentId> = self.rows(OF_KEY, (corpus_id, key), |row| row.get(0))?;
            if found.is_empty() {
                unknown.push(key.clone());
            }
            ids.extend(found);
        }
        ids.sort_unstable();
        ids.dedup();
        Ok((ids, unknown))
    }

    /// Deletes documents of a corpus by ascending ids, with their texts and triples, and updates the counts of
    /// terms and corpus.
    /// Terms stay, even without a document. Documents are deleted in batches of 5,000, and `allow` is called
    /// before each. If a batch fails, earlier ones stay deleted, and the same call deletes the rest. `words`
    /// are the words of the full-text index; without them the index is dropped.
    ///
    /// # Errors
    /// [`StoreError::BeingFilled`] while an ingest adds to the corpus; the error of `allow`.
    pub fn delete_documents<E: From<StoreError>>(
        &mut self,
        corpus_id: CorpusId,
        ids: &[DocumentId],
        words: Option<Words<'_>>,
        mut allow: impl FnMut(&Self) -> std::result::Result<(), E>,
    ) -> std::result::Result<Deleted, E> {
        let mut deleted = Deleted::default();
        let _locks = self.transaction(|store| store.lock_ingests(corpus_id))?;
        for ids in ids.chunks(DOCUMENTS_PER_TRANSACTION) {
            allow(self)?;
            let batch = self.transaction(|store| store.delete_batch(corpus_id, ids, words))?;
            deleted.documents += batch.documents;
            deleted.tokens += batch.tokens;
            deleted.nonzeros += batch.nonzeros;
        }
        self.give_back_log();
        Ok(deleted)
    }

    fn delete_batch(
        &self,
        corpus_id: CorpusId,
        ids: &[DocumentId],
        words: Option<Words<'_>>,
    ) -> Result<Deleted> {
        self.remove_retired_blocks(corpus_id)?;
        let mut terms = TermIndex::default();
        terms.catch_up(self, corpus_id)?;
        let mut edits = Edits::new();
        for &id in ids {
            // Another process may have deleted it since the ids were listed.
            if self.delete_document_row(corpus_id, id, words)? {
                edits.insert(id.0, None);
            }
        }
        let mut deleted = Deleted::default();
        self.edit_blocks(corpus_id, &edits, |_, positions, counts| {
            deleted.documents += 1;
            deleted.tokens += counts.iter().map(|&count| u64::from(count)).sum::<u64>();
            deleted.nonzeros += positions.len() as u64;
            terms.tally(positions.iter().copied().zip(counts.iter().copied()), -1);
        })?;
        terms.write(self, corpus_id)?;
        self.execute(DELETE_PARENTS, [corpus_id])?;
        let Deleted { documents, tokens, nonzeros } = deleted;
        let row = (corpus_id, documents, tokens, nonzeros);
        self.execute(TAKE_FROM_CORPUS, row)?;
        Ok(deleted)
    }

    /// Deletes a document's row and its dependent rows, and logs its key. Returns false if it does not exist.
    /// `words` are the words of the full-text index, see [`Store::unindex`].
    pub(crate) fn delete_document_row(
        &self,
        corpus_id: CorpusId,
        id: DocumentId,
        words: Option<Words<'_>>,
    ) -> Result<bool> {
        if self.execute(LOG, (corpus_id, id))? == 0 {
            return Ok(false);
        }
        let hash: Vec<u8> = self.scalar(CONTENT_HASH, [id])?;
        let mut gone = DocumentsHash::default();
        gone.remove(id, &hash);
        self.add_to_documents_hash(corpus_id, gone)?;
        self.unindex(corpus_id, id, words)?;
        self.execute(FORGET_WHOLE, [id])?;
        self.execute(FORGET_JOINED, (corpus_id, id))?;
        Ok(self.execute(DELETE, (corpus_id, id))? == 1)
    }

    /// Deletes runs with their results, all or none. Their vocabularies stay: other runs may use them.
    pub fn delete_runs(&mut self, runs: &[RunId]) -> Result<()> {
        let list = format!("[{}]", runs.iter().map(RunId::to_string).collect::<Vec<_>>().join(","));
        let delete = |store: &mut Self| {
            store.transaction(|store| {
                let series: Vec<i64> = store.rows(SERIES_OF_RUNS, [&list], |row| row.get(0))?;
                store.execute(DELETE_RUNS, [&list])?;
                series.into_iter().try_for_each(|series| store.tidy_series(series))
            })
        };
        let deleted = delete(self);
        if matches!(deleted, Err(StoreError::Full(_))) {
            // The log may fit into the file, which leaves room for the journal of the deletion.
            self.give_back_log();
            delete(self).map_err(|error| match error {
                StoreError::Full(path) => {
                    let log = std::fs::metadata(beside(&path, "-wal"));
                    StoreError::FullLog { path, bytes: log.map_or(0, |log| log.len()) }
                }
                other => other,
            })?;
        } else {
            deleted?;
        }
        self.give_back_log();
        Ok(())
    }

    /// Moves the log into the file and truncates it, unless others read from it. On a full disk its space is
    /// needed.
    pub(crate) fn give_back_log(&self) {
        let give = |connection: &rusqlite::Connection| {
            let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        };
        let _ = self.without_waiting(give);
    }

    /// Deletes a corpus with its documents, terms and runs. The file does not shrink: its space is reused.
    ///
    /// # Errors
    /// [`StoreError::BeingFilled`] while an ingest adds to it. Then nothing is deleted.
    pub fn delete_corpus(&mut self, corpus: CorpusId) -> Result<()> {
        // Within the transaction no ingest can begin its first batch, and none can resume until it ends.
        let _locks = self.transaction(|store| {
            let locks = store.lock_ingests(corpus)?;
            store.forget_search_index(corpus)?;
            store.execute("DELETE FROM corpus WHERE id = ?1", [corpus])?;
            Ok(locks)
        })?;
        self.give_back_log();
        Ok(())
    }
}
