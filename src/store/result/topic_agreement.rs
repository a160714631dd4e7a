//! How far runs agree on their topics.

use crate::store::Store;
use crate::store::error::Result;

const INSERT: &str = "INSERT OR REPLACE INTO topic_agreement \
                      (run_id, topic, other_run_id, other_topic, words, jaccard, l1) \
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";

/// A topic of a run beside the matching one of another.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct TopicAgreement {
    /// The topic.
    pub topic: u64,
    /// The other run's topic; `None` where none is left for it.
    pub other: Option<u64>,
    /// The Jaccard index of their most probable words, from 0 to 1.
    pub jaccard: f64,
    /// The l1 distance of their word probabilities, from 0 to 2.
    pub l1: f64,
}

impl Store {
    /// Saves how far run `run` agrees with each of the runs in `others`, judged by so many `words`
    /// a topic, in place of what was there for the same runs; in one transaction.
    ///
    /// # Errors
    /// When the store cannot be written; then nothing changes.
    pub fn save_agreements(
        &mut self,
        run: i64,
        words: usize,
        others: &[(i64, Vec<TopicAgreement>)],
    ) -> Result<()> {
        self.transaction(|store| {
            for (other, agreements) in others {
                for &TopicAgreement { topic, other: match_, jaccard, l1 } in agreements {
                    let match_ = match_.map(|topic| topic as i64);
                    store.execute(
                        INSERT,
                        (run, topic as i64, other, match_, words as i64, jaccard, l1),
                    )?;
                }
            }
            Ok(())
        })
    }

    /// What was saved of how far run `run` agrees with others: by the other run, then by topic.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn agreements(&self, run: i64) -> Result<Vec<(i64, TopicAgreement)>> {
        self.rows(
            "SELECT other_run_id, topic, other_topic, jaccard, l1 FROM topic_agreement \
             WHERE run_id = ?1 ORDER BY other_run_id, topic",
            [run],
            |row| {
                let agreement = TopicAgreement {
                    topic: row.get("topic")?,
                    other: row.get("other_topic")?,
                    jaccard: row.get("jaccard")?,
                    l1: row.get("l1")?,
                };
                Ok((row.get("other_run_id")?, agreement))
            },
        )
    }
}
