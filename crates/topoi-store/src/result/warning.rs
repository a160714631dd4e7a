//! Warnings of finished runs. The crate `topoi-run` derives them.

use std::collections::HashMap;

use rusqlite::Row;

use super::metric::Metric;
use crate::Store;
use crate::error::Result;
use crate::id::RunId;

const INSERT: &str = "INSERT INTO run_warning (run_id, position, name, value, text) \
                      VALUES (?1, ?2, ?3, ?4, ?5)";

/// A reason not to trust a run as it is.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Warning {
    /// The warning's name, such as "empty_topics".
    pub name: String,
    /// The value that raised it; finite.
    pub value: f64,
    /// The problem and its remedy, in one line.
    pub text: String,
}

impl Warning {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { name: row.get("name")?, value: row.get("value")?, text: row.get("text")? })
    }
}

impl Store {
    /// The warnings of a run, gravest first.
    pub fn warnings(&self, run: RunId) -> Result<Vec<Warning>> {
        let sql = "SELECT name, value, text FROM run_warning WHERE run_id = ?1 ORDER BY position";
        self.rows(sql, [run], Warning::from_row)
    }

    /// The warnings of all runs that have any, by run.
    pub fn warnings_of_runs(&self) -> Result<HashMap<RunId, Vec<Warning>>> {
        let sql = "SELECT run_id, name, value, text FROM run_warning ORDER BY run_id, position";
        let rows = self.rows(sql, [], |row| Ok((row.get("run_id")?, Warning::from_row(row)?)))?;
        let mut of_runs: HashMap<RunId, Vec<Warning>> = HashMap::new();
        for (run, warning) in rows {
            of_runs.entry(run).or_default().push(warning);
        }
        Ok(of_runs)
    }

    /// Replaces metrics of a run that have the same names, and all its warnings, in one transaction. `warnings`
    /// derives the new warnings from all metrics and from this store.
    ///
    /// # Errors
    /// Those of `warnings`; if the store cannot be written. Then nothing changes.
    pub fn replace_metrics(
        &mut self,
        run: RunId,
        metrics: &[Metric],
        warnings: impl FnOnce(&Self, &[Metric]) -> Result<Vec<Warning>>,
    ) -> Result<()> {
        self.transaction(|store| {
            store.replace_metrics_alone(run, metrics)?;
            store.execute("DELETE FROM run_warning WHERE run_id = ?1", [run])?;
            store.insert_warnings(run, &warnings(store, &store.metrics(run)?)?)
        })
    }

    /// The positions of a run's warnings, ascending.
    pub(crate) fn warning_positions(&self, run: RunId) -> Result<Vec<u64>> {
        let sql = "SELECT position FROM run_warning WHERE run_id = ?1 ORDER BY position";
        self.rows(sql, [run], |row| row.get(0))
    }

    pub(super) fn insert_warnings(&self, run: RunId, warnings: &[Warning]) -> Result<()> {
        for (position, Warning { name, value, text }) in (1_i64..).zip(warnings) {
            self.execute(INSERT, (run, position, name, value, text))?;
        }
        Ok(())
    }
}
