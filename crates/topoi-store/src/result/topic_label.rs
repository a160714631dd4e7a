//! The names that users give topics.

use crate::Store;
use crate::error::{Result, StoreError};
use crate::integer::saturated;

impl Store {
    /// The names users gave a run's topics, by number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn topic_labels(&self, run: i64) -> Result<Vec<Option<String>>> {
        let sql = "SELECT label FROM topic WHERE run_id = ?1 ORDER BY topic";
        self.rows(sql, [run], |row| row.get(0))
    }

    /// Names topics, or takes their names away: all of them or none.
    ///
    /// # Errors
    /// As [`Store::set_topic_label`].
    pub fn set_topic_labels(
        &mut self,
        run: i64,
        labels: impl IntoIterator<Item = (u64, Option<String>)>,
    ) -> Result<()> {
        self.transaction(|store| {
            labels
                .into_iter()
                .try_for_each(|(topic, label)| store.set_topic_label(run, topic, label.as_deref()))
        })
    }

    /// Names a topic, or takes its name away.
    ///
    /// # Errors
    /// [`StoreError::UnknownTopic`] when the run has no such topic; when the store cannot be
    /// written.
    pub fn set_topic_label(&self, run: i64, topic: u64, label: Option<&str>) -> Result<()> {
        let changed = self.execute(
            "UPDATE topic SET label = ?3 WHERE run_id = ?1 AND topic = ?2",
            (run, saturated(topic), label),
        )?;
        if changed == 0 {
            return Err(StoreError::UnknownTopic { run, topic });
        }
        Ok(())
    }
}
