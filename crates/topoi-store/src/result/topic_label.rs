//! Labels of topics from users.

use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::{RunId, TopicNumber};
use topoi_core::model::topic_model::TopicLabel;

impl Store {
    /// The labels of a run's topics, by topic number.
    pub fn topic_labels(&self, run: RunId) -> Result<Vec<Option<TopicLabel>>> {
        let sql = "SELECT label, labelled_by FROM topic WHERE run_id = ?1 ORDER BY topic";
        self.rows(sql, [run], |row| {
            let text: Option<String> = row.get(0)?;
            let by = row.get(1)?;
            Ok(text.map(|text| TopicLabel { text, by }))
        })
    }

    /// Sets or clears labels of topics, in one transaction.
    ///
    /// # Errors
    /// As [`Store::set_topic_label`].
    pub fn set_topic_labels(
        &mut self,
        run: RunId,
        labels: impl IntoIterator<Item = (TopicNumber, Option<TopicLabel>)>,
    ) -> Result<()> {
        self.transaction(|store| {
            labels
                .into_iter()
                .try_for_each(|(topic, label)| store.set_topic_label(run, topic, label.as_ref()))
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
        label: Option<&TopicLabel>,
    ) -> Result<()> {
        let (text, by) =
            (label.map(|label| &label.text), label.and_then(|label| label.by.as_ref()));
        let changed = self.execute(
            "UPDATE topic SET label = ?3, labelled_by = ?4 WHERE run_id = ?1 AND topic = ?2",
            (run, topic, text, by),
        )?;
        if changed == 0 {
            return Err(StoreError::UnknownTopic { run, topic });
        }
        Ok(())
    }
}
