//! Bounds on the number of topics of corpora, with the spectra they were read from.

use super::finite;
use crate::Store;
use crate::error::Result;

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

/// Bounds on the number of topics of a corpus, with how they were computed.
#[derive(Debug, Clone, PartialEq)]
pub struct KBound {
    /// Row id of the corpus.
    pub corpus_id: i64,
    /// Row id of the vocabulary it was seen through.
    pub vocabulary_id: i64,
    /// Where the bounds come from, such as "cheng2015".
    pub method: String,
    /// There are at least so many topics.
    pub lower: u64,
    /// There are at most so many; `None` where there is no bound below the number of terms.
    pub upper: Option<u64>,
    /// The lower bound may be too low, as the spectrum was cut off.
    pub is_cut_off: bool,
    /// The lower bound holds at least this often, for corpora from the model.
    pub lower_probability: f64,
    /// Both bounds hold at least this often; `None` without an upper bound.
    pub upper_probability: Option<f64>,
    /// What the eigenvalues are held against.
    pub threshold: f64,
    /// What was assumed, as JSON.
    pub settings: String,
    /// What else was found, as JSON.
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
    /// When they were saved, UTC.
    pub created_at: String,
    /// The bounds, and what they were computed from.
    pub bound: KBound,
}

/// How many topics a run estimates by the solid angles of its extreme words.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct KEstimate {
    /// Row id of the run.
    pub run: i64,
    /// Name of its model, as on the command line.
    #[serde(skip)]
    pub model: String,
    /// The number of topics it was asked for.
    pub k: u64,
    /// The estimate, K̂.
    pub k_hat: f64,
}

impl Store {
    /// Saves bounds; returns them as saved.
    ///
    /// # Errors
    /// When the store cannot be written.
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

    /// The bounds of a corpus that were saved last, if there are any.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn newest_k_bound(&self, corpus_id: i64) -> Result<Option<SavedKBound>> {
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

    /// The estimates of the finished runs on a corpus that have one, the newest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn k_estimates(&self, corpus_id: i64) -> Result<Vec<KEstimate>> {
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
