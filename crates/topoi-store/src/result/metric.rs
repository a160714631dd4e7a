//! Metrics of runs and of their topics.

use std::collections::HashMap;

use super::finite;
use crate::Store;
use crate::error::Result;

const INSERT: &str =
    "INSERT INTO metric (run_id, topic, name, value, settings) VALUES (?1, ?2, ?3, ?4, ?5)";

/// One value: of a topic, or of the whole run where `topic` is `None`.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Metric {
    /// The topic, or `None`.
    pub topic: Option<u64>,
    /// The metric's name, such as "npmi".
    pub name: String,
    /// The value, never NaN or infinite.
    pub value: f64,
    /// What its meaning depends on, as JSON, for metrics that come in variants.
    pub settings: Option<String>,
}

impl Metric {
    /// The standard error of a value that was estimated; `None` of one that was computed.
    pub fn standard_error(&self) -> Option<f64> {
        let settings: serde_json::Value = serde_json::from_str(self.settings.as_deref()?).ok()?;
        settings["standard_error"].as_f64()
    }
}

impl Store {
    /// The metrics of a run, those of the whole run first, then by name and topic.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn metrics(&self, run: i64) -> Result<Vec<Metric>> {
        self.rows(
            "SELECT topic, name, value, settings FROM metric WHERE run_id = ?1 \
             ORDER BY topic IS NOT NULL, name, topic",
            [run],
            |row| {
                Ok(Metric {
                    topic: row.get("topic")?,
                    name: row.get("name")?,
                    value: finite(row, "value")?,
                    settings: row.get("settings")?,
                })
            },
        )
    }

    /// One metric of a whole run, if it has it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn run_metric(&self, run: i64, name: &str) -> Result<Option<f64>> {
        let found = self.rows(
            "SELECT value FROM metric WHERE run_id = ?1 AND name = ?2 AND topic IS NULL",
            (run, name),
            |row| finite(row, 0),
        )?;
        Ok(found.first().copied())
    }

    /// One metric of all whole runs that have it, by run.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn metric_of_runs(&self, name: &str) -> Result<HashMap<i64, f64>> {
        // All three columns of the index: a pass over the metrics of all topics would take longer.
        let sql = "SELECT run.id, metric.value FROM run CROSS JOIN metric \
                   ON run_id = run.id AND name = ?1 AND coalesce(topic, -1) = -1";
        Ok(self.rows(sql, [name], |row| Ok((row.get(0)?, finite(row, 1)?)))?.into_iter().collect())
    }

    /// Saves metrics of a run in place of those of the same names.
    pub(super) fn replace_metrics_alone(&self, run: i64, metrics: &[Metric]) -> Result<()> {
        for metric in metrics {
            self.execute(
                "DELETE FROM metric WHERE run_id = ?1 AND name = ?2",
                (run, &metric.name),
            )?;
        }
        self.insert_metrics(run, metrics)
    }

    /// A value that is no finite number, such as a share of nothing, is left out.
    pub(crate) fn insert_metrics(&self, run: i64, metrics: &[Metric]) -> Result<()> {
        for metric in metrics.iter().filter(|metric| metric.value.is_finite()) {
            let Metric { topic, name, value, settings } = metric;
            self.execute(INSERT, (run, topic, name, value, settings))?;
        }
        Ok(())
    }
}
