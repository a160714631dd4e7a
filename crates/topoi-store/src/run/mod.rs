//! Runs: one row per run, created before the work starts.

pub mod kept;
pub(crate) mod matrix;
pub mod progress;
pub mod queue;
pub mod run_lock;
pub(crate) mod runs_directory;

use super::Store;
use super::error::{Result, StoreError};
use crate::id::{CorpusId, RunId};
use crate::result::series::CorpusState;

/// All columns of a run, by the names that [`Run::from_row`] uses.
const RUNS: &str = "SELECT run.*, corpus.name AS corpus, vocabulary.terms, \
    (SELECT count(*) FROM result WHERE run_id = run.id) AS results, \
    (SELECT nullif(note_text, '') FROM note WHERE run_id = run.id AND about = 'run') AS run_note, \
    (SELECT count(*) FROM note WHERE run_id = run.id) AS notes \
    FROM run JOIN corpus ON corpus.id = run.corpus_id \
    LEFT JOIN vocabulary ON vocabulary.id = run.vocabulary_id";

/// The status of a run, as last written. It does not say whether the worker of a `Running` run is alive: its
/// kernel lock does ([`self::run_lock`]).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunStatus {
    /// Waiting.
    #[default]
    Queued,
    /// A worker is working on it.
    Running,
    /// Completed; its result is saved.
    Finished,
    /// Ended with an error, which is saved.
    Failed,
    /// Cancelled by a user.
    Cancelled,
    /// Its worker died or was shut down.
    Interrupted,
}

impl RunStatus {
    /// The word in the store and on screens.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether the run has ended, with or without a result.
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }

    fn from_word(word: &str) -> Self {
        match word {
            "queued" => Self::Queued,
            "running" => Self::Running,
            "finished" => Self::Finished,
            "failed" => Self::Failed,
            "cancelled" => Self::Cancelled,
            _ => Self::Interrupted,
        }
    }
}

/// A run's row.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Run {
    /// The run's number.
    pub id: RunId,
    /// Name of its corpus.
    pub corpus: String,
    /// Row id of its corpus.
    pub corpus_id: CorpusId,
    /// Row id of its vocabulary, once chosen.
    pub vocabulary_id: Option<i64>,
    /// Terms in its vocabulary, once chosen.
    pub terms: Option<u64>,
    /// The model's name on the command line.
    pub model: String,
    /// Number of topics.
    pub k: u64,
    /// Seed of all its random numbers.
    pub seed: u64,
    /// All further settings, as JSON.
    pub settings: String,
    /// Its status, as last written.
    pub status: RunStatus,
    /// When it was requested, UTC.
    pub created_at: String,
    /// When a worker first took it, UTC.
    pub started_at: Option<String>,
    /// When it ended, UTC.
    pub finished_at: Option<String>,
    /// Working time, summed over the workers that reported it; `None` if none did.
    pub seconds: Option<f64>,
    /// Peak resident memory of the worker, in bytes.
    pub peak_memory_bytes: Option<u64>,
    /// Version of the program that ran it.
    pub program_version: String,
    /// Hash of its documents: ids and contents.
    #[serde(serialize_with = "as_hex")]
    pub corpus_hash: Option<Vec<u8>>,
    /// Hash of the result, to the bit.
    #[serde(serialize_with = "as_hex")]
    pub result_hash: Option<Vec<u8>>,
    /// Hash of the saved result, with rounded proportions of documents.
    #[serde(skip)]
    pub saved_hash: Option<Vec<u8>>,
    /// Hash of the run's input, see `Store::request_hash`.
    #[serde(skip)]
    pub request_hash: Option<Vec<u8>>,
    /// The error message, if it failed.
    pub error: Option<String>,
    /// Its name from a user.
    pub name: Option<String>,
    /// A user's note.
    pub note: Option<String>,
    /// The run it was requested with: the first of its sweep, or the run that it is compared with to find
    /// stable topics.
    pub asked_with: Option<RunId>,
    /// The run whose topics were shaped into this run's.
    pub parent: Option<RunId>,
    /// Results that were kept of it.
    pub results: u64,
    /// Notes on it and its topics.
    pub notes: u64,
}

fn as_hex<S: serde::Serializer>(
    hash: &Option<Vec<u8>>,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    let hex = hash.as_ref().map(|hash| hash.iter().map(|b| format!("{b:02x}")).collect::<String>());
    serde::Serialize::serialize(&hex, serializer)
}

/// A run to be queued.
#[derive(Debug, Clone)]
pub struct NewRun<'a> {
    /// Row id of the corpus.
    pub corpus_id: CorpusId,
    /// The model's name.
    pub model: &'a str,
    /// Number of topics.
    pub k: u64,
    /// Seed of all its random numbers.
    pub seed: u64,
    /// All further settings, as JSON.
    pub settings: &'a str,
}

/// Values written to the row of a run that ends.
#[derive(Debug, Clone, Copy)]
pub struct RunEnd<'a> {
    /// Its final status, for which [`RunStatus::is_over`] is true.
    pub status: RunStatus,
    /// Working time of its worker; `None` if unknown.
    pub seconds: Option<f64>,
    /// Peak resident memory of the worker, in bytes, if the system reports it.
    pub peak_memory_bytes: Option<u64>,
    /// The error message, if it failed.
    pub error: Option<&'a str>,
}

impl RunEnd<'_> {
    /// An end with a status only.
    pub fn new(status: RunStatus) -> Self {
        Self { status, seconds: None, peak_memory_bytes: None, error: None }
    }
}

impl Run {
    fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let status: String = row.get("status")?;
        Ok(Self {
            id: row.get("id")?,
            corpus: row.get("corpus")?,
            corpus_id: row.get("corpus_id")?,
            vocabulary_id: row.get("vocabulary_id")?,
            terms: row.get("terms")?,
            model: row.get("model")?,
            k: row.get("k")?,
            seed: row.get::<_, i64>("seed")?.cast_unsigned(),
            settings: row.get("settings")?,
            status: RunStatus::from_word(&status),
            created_at: row.get("created_at")?,
            started_at: row.get("started_at")?,
            finished_at: row.get("finished_at")?,
            seconds: row.get("seconds")?,
            peak_memory_bytes: row.get("peak_memory_bytes")?,
            program_version: row.get("program_version")?,
            corpus_hash: row.get("corpus_hash")?,
            result_hash: row.get("result_hash")?,
            saved_hash: row.get("saved_hash")?,
            request_hash: row.get("request_hash")?,
            error: row.get("error")?,
            name: row.get("run_name")?,
            note: row.get("run_note")?,
            asked_with: row.get("asked_with")?,
            parent: row.get("parent")?,
            results: row.get("results")?,
            notes: row.get("notes")?,
        })
    }
}

impl Store {
    /// Creates a run with status `queued`; returns its number.
    pub fn create_run(&self, run: &NewRun<'_>) -> Result<RunId> {
        self.execute("INSERT INTO series (corpus_id) VALUES (?1)", [run.corpus_id])?;
        self.execute(
            "INSERT INTO run (corpus_id, model, k, seed, settings, status, created_at, queued_at, \
             program_version, command, series_id) VALUES (?1, ?2, ?3, ?4, ?5, 'queued', \
             strftime('%Y-%m-%dT%H:%M:%fZ'), strftime('%Y-%m-%dT%H:%M:%fZ'), ?6, ?7, \
             last_insert_rowid())",
            (
                run.corpus_id,
                run.model,
                run.k,
                run.seed.cast_signed(),
                run.settings,
                env!("CARGO_PKG_VERSION"),
                self.command_json(),
            ),
        )?;
        Ok(RunId(self.connection.last_insert_rowid()))
    }

    /// All runs, newest first.
    pub fn runs(&self) -> Result<Vec<Run>> {
        self.rows(&format!("{RUNS} ORDER BY run.id DESC"), [], Run::from_row)
    }

    /// The run with number `id`.
    ///
    /// # Errors
    /// [`StoreError::UnknownRun`].
    pub fn run(&self, id: RunId) -> Result<Run> {
        let sql = format!("{RUNS} WHERE run.id = ?1");
        self.rows(&sql, [id], Run::from_row)?.pop().ok_or(StoreError::UnknownRun(id))
    }

    /// Takes a queued run for this process and sets its status to `running`. Returns false if it is not queued.
    /// Exactly one caller gets true.
    pub fn take_run(&self, id: RunId) -> Result<bool> {
        let changed = self.execute(
            "UPDATE run SET status = 'running', program_version = ?2, \
             started_at = coalesce(started_at, strftime('%Y-%m-%dT%H:%M:%fZ')) \
             WHERE id = ?1 AND status = 'queued'",
            (id, env!("CARGO_PKG_VERSION")),
        )?;
        Ok(changed == 1)
    }

    /// Puts a run that ended without a result at the end of the queue. The output of its finished stages stays.
    /// Returns false if the run is not over or has a result.
    pub fn queue_again(&mut self, id: RunId) -> Result<bool> {
        self.transaction(|store| {
            let changed = store.execute(
                "UPDATE run SET status = 'queued', finished_at = NULL, error = NULL, \
                 queued_at = strftime('%Y-%m-%dT%H:%M:%fZ') \
                 WHERE id = ?1 AND status IN ('failed', 'cancelled', 'interrupted')",
                [id],
            )?;
            store.execute("DELETE FROM run_control WHERE run_id = ?1", [id])?;
            store.execute("DELETE FROM run_lease WHERE run_id = ?1", [id])?;
            store.execute("DELETE FROM run_progress WHERE run_id = ?1", [id])?;
            store.execute("DELETE FROM run_stage WHERE run_id = ?1", [id])?;
            store.execute(
                "DELETE FROM run_residual WHERE run_id = ?1 AND stage NOT IN \
                 (SELECT stage FROM run_checkpoint WHERE run_id = ?1)",
                [id],
            )?;
            Ok(changed == 1)
        })
    }

    /// Records the input of a run: its vocabulary, the hash of its documents, and how far the corpus was.
    pub fn set_run_material(
        &self,
        id: RunId,
        vocabulary_id: i64,
        corpus_hash: &[u8],
        seen: CorpusState,
    ) -> Result<()> {
        self.execute(
            "UPDATE run SET vocabulary_id = ?2, corpus_hash = ?3, last_document = ?4, last_ingest = ?5 \
             WHERE id = ?1",
            (id, vocabulary_id, corpus_hash, seen.last_document, seen.last_ingest),
        )?;
        Ok(())
    }

    /// Replaces the settings (JSON) of a run.
    pub fn set_run_settings(&self, id: RunId, settings: &str) -> Result<()> {
        self.execute("UPDATE run SET settings = ?2 WHERE id = ?1", (id, settings)).map(|_| ())
    }

    /// Sets or clears the name of a run.
    ///
    /// # Errors
    /// [`StoreError::UnknownRun`].
    pub fn name_run(&self, id: RunId, name: Option<&str>) -> Result<()> {
        match self.execute("UPDATE run SET run_name = ?2 WHERE id = ?1", (id, name))? {
            0 => Err(StoreError::UnknownRun(id)),
            _ => Ok(()),
        }
    }

    /// Records that a run was requested with another one.
    pub fn set_asked_with(&self, id: RunId, with: RunId) -> Result<()> {
        self.execute("UPDATE run SET asked_with = ?2 WHERE id = ?1", (id, with)).map(|_| ())
    }

    /// Records the run whose topics a run is shaped from.
    pub fn set_parent(&self, id: RunId, parent: RunId) -> Result<()> {
        self.execute("UPDATE run SET parent = ?2 WHERE id = ?1", (id, parent)).map(|_| ())
    }

    /// Ends a run. A run that is over already is not changed.
    pub fn end_run(&self, id: RunId, end: RunEnd<'_>) -> Result<()> {
        self.execute(
            "UPDATE run SET status = ?2, peak_memory_bytes = ?4, error = ?5, \
             seconds = CASE WHEN ?3 IS NULL THEN seconds ELSE coalesce(seconds, 0) + ?3 END, \
             finished_at = strftime('%Y-%m-%dT%H:%M:%fZ') \
             WHERE id = ?1 AND status IN ('queued', 'running')",
            (id, end.status.as_str(), end.seconds, end.peak_memory_bytes, end.error),
        )?;
        Ok(())
    }
}
