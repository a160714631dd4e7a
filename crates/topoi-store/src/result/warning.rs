//! Warnings of finished runs. What they mean is not known here: `run::warning` derives them.

use std::collections::HashMap;

use rusqlite::Row;

use super::metric::Metric;
use crate::Store;
use crate::error::Result;

const INSERT: &str = "INSERT INTO run_warning (run_id, position, name, value, text) \
                      VALUES (?1, ?2, ?3, ?4, ?5)";

/// Why a run should not be trusted as it is.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Warning {
    /// The warning's name, such as "empty_topics".
    pub name: String,
    /// The figure it is raised for, a finite number.
    pub value: f64,
    /// What is wrong, and what to do: one line.
    pub text: String,
}

impl Warning {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { name: row.get("name")?, value: row.get("value")?, text: row.get("text")? })
    }
}

impl Store {
    /// The warnings of a run, the gravest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn warnings(&self, run: i64) -> Result<Vec<Warning>> {
        let sql = "SELECT name, value, text FROM run_warning WHERE run_id = ?1 ORDER BY position";
        self.rows(sql, [run], Warning::from_row)
    }

    /// The warnings of all runs that have any, by run.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn warnings_of_runs(&self) -> Result<HashMap<i64, Vec<Warning>>> {
        let sql = "SELECT run_id, name, value, text FROM run_warning ORDER BY run_id, position";
        let rows = self.rows(sql, [], |row| Ok((row.get("run_id")?, Warning::from_row(row)?)))?;
        let mut of_runs: HashMap<i64, Vec<Warning>> = HashMap::new();
        for (run, warning) in rows {
            of_runs.entry(run).or_default().push(warning);
        }
        Ok(of_runs)
    }

    /// Saves metrics of a run in place of those of the same names, and in place of all its warnings
    /// those that `warnings` finds in the metrics that it has then; in one transaction.
    ///
    /// # Errors
    /// When the store cannot be written; then the old ones are kept.
    pub fn replace_metrics(
        &mut self,
        run: i64,
        metrics: &[Metric],
        warnings: impl FnOnce(&[Metric]) -> Vec<Warning>,
    ) -> Result<()> {
        self.transaction(|store| {
            store.replace_metrics_alone(run, metrics)?;
            store.execute("DELETE FROM run_warning WHERE run_id = ?1", [run])?;
            store.insert_warnings(run, &warnings(&store.metrics(run)?))
        })
    }

    /// The positions of a run's warnings, ascending.
    pub(crate) fn warning_positions(&self, run: i64) -> Result<Vec<u64>> {
        let sql = "SELECT position FROM run_warning WHERE run_id = ?1 ORDER BY position";
        self.rows(sql, [run], |row| row.get(0))
    }

    pub(super) fn insert_warnings(&self, run: i64, warnings: &[Warning]) -> Result<()> {
        for (position, Warning { name, value, text }) in (1_i64..).zip(warnings) {
            self.execute(INSERT, (run, position, name, value, text))?;
        }
        Ok(())
    }
}
