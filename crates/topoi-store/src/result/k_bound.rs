//! Bounds on the number of topics of a corpus, with the spectra they were derived from.

use super::finite;
use crate::Store;
use crate::error::Result;
use crate::id::{CorpusId, RunId};

const INSERT: &str = "INSERT INTO k_bound (corpus_id, vocabulary_id, method, lower, upper, \
    is_cut_off, lower_probability, upper_probability, threshold, settings, details, corpus_hash, \
    created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, \
    strftime('%Y-%m-%dT%H:%M:%fZ'))";
const NEWEST: &str = "SELECT id, corpus_id, vocabulary_id, method, lower, upper, is_cut_off, \
    lower_probability, upper_probability, threshold, settings, details, corpus_hash, created_at \
    FROM k_bound WHERE corpus_id = ?1 ORDER BY id DESC LIMIT 1";
const ESTIMATES: &str = "SELECT run.id, run.model, run.k, metric.value FROM run \
    JOIN metric ON metric.run_id = run.id AND metric.topic IS NULL AND metric.name = 'k_hat' \
    WHERE run.corpus_id = ?1 AND run.status = 'finished' \
    ORDER BY run.id DESC";

/// Bounds on the number of topics of a corpus, and how they were computed.
#[derive(Debug, Clone, PartialEq)]
pub struct KBound {
    /// Row id of the corpus.
    pub corpus_id: CorpusId,
    /// Row id of the vocabulary that was used.
    pub vocabulary_id: i64,
    /// Method, such as "cheng2015".
    pub method: String,
    /// Lower bound.
    pub lower: u64,
    /// Upper bound; `None` if it is not below the number of terms.
    pub upper: Option<u64>,
    /// Whether the spectrum was cut off, so that the lower bound may be too low.
    pub is_cut_off: bool,
    /// Probability with which the lower bound holds, for corpora drawn from the model.
    pub lower_probability: f64,
    /// Probability with which both bounds hold; `None` without an upper bound.
    pub upper_probability: Option<f64>,
    /// Threshold for the eigenvalues.
    pub threshold: f64,
    /// Assumptions, as JSON.
    pub settings: String,
    /// Further results, as JSON.
    pub details: String,
    /// Hash of the documents and their order.
    pub corpus_hash: Vec<u8>,
    /// (eigenvalue, residual norm), largest first.
    pub spectrum: Vec<(f64, f64)>,
}

/// Bounds on the number of topics, as a row of the store.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedKBound {
    /// Row id in the store.
    pub id: i64,
    /// When it was saved, UTC.
    pub created_at: String,
    /// The saved bounds.
    pub bound: KBound,
}

/// How many topics a run estimates by the solid angles of its extreme words.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct KEstimate {
    /// Row id of the run.
    pub run: RunId,
    /// Name of its model, as on the command line.
    #[serde(skip)]
    pub model: String,
    /// The number of topics it was asked for.
    pub k: u64,
    /// The estimate, K̂.
    pub k_hat: f64,
}

impl Store {
    /// Saves bounds; returns them with id and time.
    pub fn save_k_bound(&mut self, bound: KBound) -> Result<SavedKBound> {
        let id = self.transaction(|store| store.insert_k_bound(&bound))?;
        let created_at = self.scalar("SELECT created_at FROM k_bound WHERE id = ?1", [id])?;
        Ok(SavedKBound { id, created_at, bound })
    }

    fn insert_k_bound(&self, bound: &KBound) -> Result<i64> {
        self.execute(
            INSERT,
            rusqlite::params![
                bound.corpus_id,
                bound.vocabulary_id,
                bound.method,
                bound.lower,
                bound.upper,
                bound.is_cut_off,
                bound.lower_probability,
                bound.upper_probability,
                bound.threshold,
                bound.settings,
                bound.details,
                bound.corpus_hash,
            ],
        )?;
        let id = self.connection.last_insert_rowid();
        for (position, (value, residual)) in bound.spectrum.iter().enumerate() {
            self.execute(
                "INSERT INTO k_bound_sigma (k_bound_id, position, value, residual) \
                 VALUES (?1, ?2, ?3, ?4)",
                (id, position, value, residual),
            )?;
        }
        Ok(id)
    }

    /// The latest bounds of a corpus, if there are any.
    pub fn newest_k_bound(&self, corpus_id: CorpusId) -> Result<Option<SavedKBound>> {
        let Some(mut saved) = self.rows(NEWEST, [corpus_id], read)?.pop() else {
            return Ok(None);
        };
        saved.bound.spectrum = self.rows(
            "SELECT value, residual FROM k_bound_sigma WHERE k_bound_id = ?1 ORDER BY position",
            [saved.id],
            |row| Ok((finite(row, 0)?, finite(row, 1)?)),
        )?;
        Ok(Some(saved))
    }

    /// The estimates of the finished `rp` runs on a corpus, newest first.
    pub fn k_estimates(&self, corpus_id: CorpusId) -> Result<Vec<KEstimate>> {
        self.rows(ESTIMATES, [corpus_id], |row| {
            Ok(KEstimate {
                run: row.get(0)?,
                model: row.get(1)?,
                k: row.get(2)?,
                k_hat: finite(row, 3)?,
            })
        })
    }
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<SavedKBound> {
    Ok(SavedKBound {
        id: row.get("id")?,
        created_at: row.get("created_at")?,
        bound: KBound {
            corpus_id: row.get("corpus_id")?,
            vocabulary_id: row.get("vocabulary_id")?,
            method: row.get("method")?,
            lower: row.get("lower")?,
            upper: row.get("upper")?,
            is_cut_off: row.get("is_cut_off")?,
            lower_probability: finite(row, "lower_probability")?,
            upper_probability: row.get("upper_probability")?,
            threshold: finite(row, "threshold")?,
            settings: row.get("settings")?,
            details: row.get("details")?,
            corpus_hash: row.get("corpus_hash")?,
            spectrum: Vec::new(),
        },
    })
}
