//! Metrics of runs and of their topics.

use std::collections::HashMap;

use super::finite;
use crate::Store;
use crate::error::Result;
use crate::id::{RunId, TopicNumber};

const INSERT: &str =
    "INSERT INTO metric (run_id, topic, name, value, settings) VALUES (?1, ?2, ?3, ?4, ?5)";

/// A value of a metric, for a topic or a whole run.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Metric {
    /// The topic; `None` for the whole run.
    pub topic: Option<TopicNumber>,
    /// The metric's name, such as "npmi".
    pub name: String,
    /// The value, never NaN or infinite.
    pub value: f64,
    /// Parameters of the metric's variant, as JSON.
    pub settings: Option<String>,
}

impl Metric {
    /// The standard error of an estimated value; `None` for a computed one.
    pub fn standard_error(&self) -> Option<f64> {
        let settings: serde_json::Value = serde_json::from_str(self.settings.as_deref()?).ok()?;
        settings["standard_error"].as_f64()
    }
}

impl Store {
    /// The metrics of a run: first those of the whole run, then by name and topic.
    pub fn metrics(&self, run: RunId) -> Result<Vec<Metric>> {
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

    /// A metric of a whole run, if it exists.
    pub fn run_metric(&self, run: RunId, name: &str) -> Result<Option<f64>> {
        let found = self.rows(
            "SELECT value FROM metric WHERE run_id = ?1 AND name = ?2 AND topic IS NULL",
            (run, name),
            |row| finite(row, 0),
        )?;
        Ok(found.first().copied())
    }

    /// A metric of all runs that have it, by run.
    pub fn metric_of_runs(&self, name: &str) -> Result<HashMap<RunId, f64>> {
        // The index has all three columns; scanning the metrics of all topics would take longer.
        let sql = "SELECT run.id, metric.value FROM run CROSS JOIN metric \
                   ON run_id = run.id AND name = ?1 AND coalesce(topic, -1) = -1";
        Ok(self.rows(sql, [name], |row| Ok((row.get(0)?, finite(row, 1)?)))?.into_iter().collect())
    }

    /// Replaces the metrics of a run that have the same names.
    pub(super) fn replace_metrics_alone(&self, run: RunId, metrics: &[Metric]) -> Result<()> {
        for metric in metrics {
            self.execute(
                "DELETE FROM metric WHERE run_id = ?1 AND name = ?2",
                (run, &metric.name),
            )?;
        }
        self.insert_metrics(run, metrics)
    }

    /// Inserts metrics. Values that are not finite, such as a share of zero, are left out.
    pub(crate) fn insert_metrics(&self, run: RunId, metrics: &[Metric]) -> Result<()> {
        for metric in metrics.iter().filter(|metric| metric.value.is_finite()) {
            let Metric { topic, name, value, settings } = metric;
            self.execute(INSERT, (run, topic, name, value, settings))?;
        }
        Ok(())
    }
}
