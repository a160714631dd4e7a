//! Labels of topics from users.

use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::{RunId, TopicNumber};

impl Store {
    /// The labels of a run's topics, by topic number.
    pub fn topic_labels(&self, run: RunId) -> Result<Vec<Option<String>>> {
        let sql = "SELECT label FROM topic WHERE run_id = ?1 ORDER BY topic";
        self.rows(sql, [run], |row| row.get(0))
    }

    /// Sets or clears labels of topics, in one transaction.
    ///
    /// # Errors
    /// As [`Store::set_topic_label`].
    pub fn set_topic_labels(
        &mut self,
        run: RunId,
        labels: impl IntoIterator<Item = (TopicNumber, Option<String>)>,
    ) -> Result<()> {
        self.transaction(|store| {
            labels
                .into_iter()
                .try_for_each(|(topic, label)| store.set_topic_label(run, topic, label.as_deref()))
        })
    }

    /// Sets or clears the label of a topic.
    ///
    /// # Errors
    /// [`StoreError::UnknownTopic`].
    pub fn set_topic_label(
        &self,
        run: RunId,
        topic: TopicNumber,
        label: Option<&str>,
    ) -> Result<()> {
        let changed = self.execute(
            "UPDATE topic SET label = ?3 WHERE run_id = ?1 AND topic = ?2",
            (run, topic, label),
        )?;
        if changed == 0 {
            return Err(StoreError::UnknownTopic { run, topic });
        }
        Ok(())
    }
}
