//! Reports of a running run: stages, progress, residuals and lease; and requests to cancel it.

use rusqlite::Row;

use crate::Store;
use crate::error::Result;
use crate::id::RunId;

/// Seconds since 1970, with fraction.
const NOW: &str = "unixepoch('subsec')";

/// A stage of a run.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Stage {
    /// Its name, such as "factorise".
    pub name: String,
    /// Duration in seconds; `None` while it runs.
    pub seconds: Option<f64>,
    /// Number of steps (passes, iterations, words), if it has steps.
    pub steps: Option<u64>,
    /// Final measure of convergence, if it has one.
    pub residual: Option<f64>,
    /// Name of the residual.
    pub note: Option<String>,
}

/// Progress of a running run.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Progress {
    /// The current stage.
    pub stage: String,
    /// Steps done in the stage.
    pub step: u64,
    /// Maximum number of steps of the stage.
    pub total: u64,
    /// The latest measure of convergence.
    pub residual: Option<f64>,
    /// Resident memory, in bytes.
    pub memory_bytes: Option<u64>,
    /// Elapsed share of the whole run's time, 0 to 1; `None` if unknown.
    pub share: Option<f64>,
    /// Estimated seconds left of the whole run when this was written.
    pub seconds_left: Option<f64>,
    /// Seconds since this was written.
    pub age: f64,
}

/// The process working on a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// Name of the host that the worker runs on.
    pub host: String,
    /// The kernel's boot id: process ids are reused after a reboot.
    pub boot_id: String,
    /// Process id on that host.
    pub pid: u32,
}

impl Stage {
    pub(super) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            name: row.get("name")?,
            seconds: row.get("seconds")?,
            steps: row.get("steps")?,
            residual: row.get("residual")?,
            note: row.get("note")?,
        })
    }
}

impl Progress {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            stage: row.get("stage")?,
            step: row.get("step")?,
            total: row.get("total")?,
            residual: row.get("residual")?,
            memory_bytes: row.get("memory_bytes")?,
            share: row.get("share")?,
            seconds_left: row.get("seconds_left")?,
            age: row.get("age")?,
        })
    }

    /// Estimated seconds left of the whole run now; 0 if it is overdue.
    pub fn left_now(&self) -> Option<f64> {
        self.seconds_left.map(|left| (left - self.age).max(0.0))
    }
}

impl Lease {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { host: row.get("host")?, boot_id: row.get("boot_id")?, pid: row.get("pid")? })
    }
}

impl Store {
    /// Records that stage `position` (0, 1, …) of a run has begun.
    pub fn begin_stage(&self, run: RunId, position: usize, name: &str) -> Result<()> {
        self.execute(
            "INSERT OR REPLACE INTO run_stage (run_id, position, name, started_at) \
             VALUES (?1, ?2, ?3, strftime('%Y-%m-%dT%H:%M:%fZ'))",
            (run, position, name),
        )?;
        Ok(())
    }

    /// Records the end of stage `position`.
    pub fn end_stage(&self, run: RunId, position: usize, stage: &Stage) -> Result<()> {
        self.execute(
            "UPDATE run_stage SET seconds = ?3, steps = ?4, residual = ?5, note = ?6 \
             WHERE run_id = ?1 AND position = ?2",
            (run, position, stage.seconds, stage.steps, stage.residual, &stage.note),
        )?;
        Ok(())
    }

    /// The stages of a run, in order.
    pub fn stages(&self, run: RunId) -> Result<Vec<Stage>> {
        self.rows(
            "SELECT name, seconds, steps, residual, note FROM run_stage \
             WHERE run_id = ?1 ORDER BY position",
            [run],
            Stage::from_row,
        )
    }

    /// Writes the progress of a run, with the residuals since the last call.
    pub fn write_progress(
        &mut self,
        run: RunId,
        progress: &Progress,
        residuals: &[(String, u64, f64)],
    ) -> Result<()> {
        self.transaction(|store| {
            store.execute(
                &format!(
                    "INSERT OR REPLACE INTO run_progress \
                     (run_id, stage, step, total, residual, memory_bytes, share, seconds_left, \
                     updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, {NOW})"
                ),
                (
                    run,
                    &progress.stage,
                    progress.step,
                    progress.total,
                    progress.residual,
                    progress.memory_bytes,
                    progress.share,
                    progress.seconds_left,
                ),
            )?;
            for (stage, step, residual) in residuals {
                store.execute(
                    "INSERT OR REPLACE INTO run_residual (run_id, stage, step, residual) \
                     VALUES (?1, ?2, ?3, ?4)",
                    (run, stage, step, residual),
                )?;
            }
            store.execute(
                &format!("UPDATE run_lease SET heartbeat_at = {NOW} WHERE run_id = ?1"),
                [run],
            )?;
            Ok(())
        })
    }

    /// The progress of a run; `None` before its worker has reported.
    pub fn progress(&self, run: RunId) -> Result<Option<Progress>> {
        let sql =
            format!("SELECT *, {NOW} - updated_at AS age FROM run_progress WHERE run_id = ?1");
        Ok(self.rows(&sql, [run], Progress::from_row)?.pop())
    }

    /// The residuals of a run: (stage, step, residual) in the order of stages.
    pub fn residuals(&self, run: RunId) -> Result<Vec<(String, u64, f64)>> {
        self.rows(
            "SELECT run_residual.stage, run_residual.step, run_residual.residual \
             FROM run_residual JOIN run_stage ON run_stage.run_id = run_residual.run_id \
             AND run_stage.name = run_residual.stage WHERE run_residual.run_id = ?1 \
             ORDER BY run_stage.position, run_residual.step",
            [run],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
    }

    /// Records the process working on a run.
    pub fn write_lease(&self, run: RunId, lease: &Lease) -> Result<()> {
        self.execute(
            &format!(
                "INSERT OR REPLACE INTO run_lease (run_id, host, boot_id, pid, heartbeat_at) \
                 VALUES (?1, ?2, ?3, ?4, {NOW})"
            ),
            (run, &lease.host, &lease.boot_id, lease.pid),
        )?;
        Ok(())
    }

    /// The process working on a run, and the seconds since its last report.
    pub fn lease(&self, run: RunId) -> Result<Option<(Lease, f64)>> {
        let sql = format!("SELECT *, {NOW} - heartbeat_at AS age FROM run_lease WHERE run_id = ?1");
        let read = |row: &Row<'_>| Ok((Lease::from_row(row)?, row.get("age")?));
        Ok(self.rows(&sql, [run], read)?.pop())
    }

    /// Requests cancellation of a run; its worker notices within a second.
    pub fn ask_to_cancel(&self, run: RunId) -> Result<()> {
        self.execute(
            &format!(
                "INSERT OR REPLACE INTO run_control (run_id, want, requested_at) \
                 VALUES (?1, 'cancel', {NOW})"
            ),
            [run],
        )?;
        Ok(())
    }

    /// Whether cancellation of a run was requested.
    pub fn wants_cancel(&self, run: RunId) -> Result<bool> {
        self.scalar("SELECT EXISTS (SELECT 1 FROM run_control WHERE run_id = ?1)", [run])
    }
}
