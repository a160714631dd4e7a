//! Vocabularies: choices of a corpus's terms, made when a run starts.

use crate::Store;
use crate::corpus::Corpus;
use crate::corpus::content_hash::first_16_bytes;
use crate::error::{Result, StoreError};
use crate::id::{CorpusId, RunId, TermId};

const NAMED: &str = "SELECT vocabulary_name.name, vocabulary.id, vocabulary.terms, \
    vocabulary.settings, vocabulary_name.created_at FROM vocabulary_name \
    JOIN vocabulary ON vocabulary.id = vocabulary_id \
    WHERE vocabulary_name.corpus_id = ?1 ORDER BY vocabulary_name.name";

/// The terms of a vocabulary, and whether its corpus contains each.
const TERMS: &str = "SELECT v.term_id, term.corpus_id IS vocabulary.corpus_id AS is_there \
    FROM vocabulary_term AS v JOIN vocabulary ON vocabulary.id = v.vocabulary_id \
    LEFT JOIN term ON term.id = v.term_id WHERE v.vocabulary_id = ?1 ORDER BY v.position";

/// A vocabulary: the terms of a corpus that runs use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedVocabulary {
    /// Row id in the store.
    pub id: i64,
    /// Term row ids in vocabulary order (ascending position in the corpus).
    pub term_ids: Vec<TermId>,
}

/// A vocabulary with a name.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct NamedVocabulary {
    /// Its name, unique in the corpus.
    pub name: String,
    /// Row id in the store.
    pub id: i64,
    /// Number of its terms.
    pub terms: u64,
    /// Its rules, as JSON.
    pub settings: String,
    /// When the name was given, UTC.
    pub created_at: String,
}

/// Sixteen bytes that identify the terms of a vocabulary, by row ids, and their order.
pub fn hash_vocabulary(term_ids: &[TermId]) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    for id in term_ids {
        hasher.update(&id.0.to_le_bytes());
    }
    first_16_bytes(hasher.finalize()).to_vec()
}

impl Store {
    /// Saves a vocabulary, or returns the id of an existing one with the same settings and terms. `hash`
    /// identifies the ordered term ids.
    pub fn save_vocabulary(
        &mut self,
        corpus_id: CorpusId,
        settings: &str,
        hash: &[u8],
        term_ids: &[TermId],
    ) -> Result<i64> {
        self.transaction(|store| {
            let there = store.rows(
                "SELECT id FROM vocabulary WHERE corpus_id = ?1 AND settings = ?2 AND hash = ?3",
                (corpus_id, settings, hash),
                |row| row.get(0),
            )?;
            if let Some(&id) = there.first() {
                return Ok(id);
            }
            store.execute(
                "INSERT INTO vocabulary (corpus_id, settings, terms, hash, created_at) \
                 VALUES (?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%fZ'))",
                (corpus_id, settings, term_ids.len(), hash),
            )?;
            let id = store.connection.last_insert_rowid();
            for (position, term_id) in term_ids.iter().enumerate() {
                store.execute(
                    "INSERT INTO vocabulary_term (vocabulary_id, position, term_id) \
                     VALUES (?1, ?2, ?3)",
                    (id, position, term_id),
                )?;
            }
            Ok(id)
        })
    }

    /// The tokens of a run's corpus that are terms of its vocabulary; 0 for a run without one.
    pub fn tokens_of_vocabulary(&self, run: RunId) -> Result<u64> {
        let sql = "SELECT coalesce(sum(term.total_count), 0) FROM run \
            JOIN vocabulary_term AS own ON own.vocabulary_id = run.vocabulary_id \
            JOIN term ON term.id = own.term_id WHERE run.id = ?1";
        self.scalar(sql, [run])
    }

    /// The rules of the vocabulary with row id `id`, as JSON.
    pub fn vocabulary_rules(&self, id: i64) -> Result<String> {
        self.scalar("SELECT settings FROM vocabulary WHERE id = ?1", [id])
    }

    /// The vocabulary with row id `id`.
    ///
    /// # Errors
    /// [`StoreError::DamagedCorpus`] if terms of it are missing or belong to another corpus.
    pub fn vocabulary(&self, id: i64) -> Result<SavedVocabulary> {
        let terms: i64 = self.scalar("SELECT terms FROM vocabulary WHERE id = ?1", [id])?;
        let mut is_whole = true;
        let term_ids: Vec<TermId> = self.rows(TERMS, [id], |row| {
            is_whole &= row.get::<_, bool>("is_there")?;
            row.get("term_id")
        })?;
        is_whole &=
            usize::try_from(terms) == Ok(term_ids.len()) && term_ids.is_sorted_by(|a, b| a < b);
        if !is_whole {
            let corpus = format!("vocabulary {id}");
            return Err(StoreError::DamagedCorpus { corpus, what: "terms of it are gone".into() });
        }
        Ok(SavedVocabulary { id, term_ids })
    }

    /// Names a vocabulary. A vocabulary that had the name loses it.
    pub fn name_vocabulary(&self, corpus_id: CorpusId, name: &str, id: i64) -> Result<()> {
        self.execute(
            "INSERT OR REPLACE INTO vocabulary_name (corpus_id, name, vocabulary_id, created_at) \
             VALUES (?1, ?2, ?3, strftime('%Y-%m-%dT%H:%M:%fZ'))",
            (corpus_id, name, id),
        )?;
        Ok(())
    }

    /// The named vocabularies of a corpus, by name.
    pub fn named_vocabularies(&self, corpus_id: CorpusId) -> Result<Vec<NamedVocabulary>> {
        self.rows(NAMED, [corpus_id], |row| {
            Ok(NamedVocabulary {
                name: row.get("name")?,
                id: row.get("id")?,
                terms: row.get("terms")?,
                settings: row.get("settings")?,
                created_at: row.get("created_at")?,
            })
        })
    }

    /// The vocabulary of `corpus` called `name`.
    ///
    /// # Errors
    /// [`StoreError::UnknownVocabulary`], with the known names.
    pub fn named_vocabulary(&self, corpus: &Corpus, name: &str) -> Result<NamedVocabulary> {
        let all = self.named_vocabularies(corpus.id)?;
        let known = all.iter().map(|vocabulary| vocabulary.name.clone()).collect();
        all.into_iter().find(|vocabulary| vocabulary.name == name).ok_or_else(|| {
            let (corpus, name) = (corpus.name.clone(), name.to_string());
            StoreError::UnknownVocabulary { corpus, name, known }
        })
    }

    /// The hash a vocabulary was saved with.
    pub fn vocabulary_hash(&self, id: i64) -> Result<Vec<u8>> {
        self.scalar("SELECT hash FROM vocabulary WHERE id = ?1", [id])
    }
}
