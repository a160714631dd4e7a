//! What came and what went with an update: topics it added, topics that the added documents have left, and those they have
//! come back to.

use std::collections::BTreeMap;

use topoi_core::metric::revision::{
    ADDED_LOG_PROBABILITY, ADDED_SHARE, DOCUMENTS_ADDED, UNEXPLAINED_SHARE, UNKNOWN_SHARE,
};
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::result::novelty::{RisingWord, UnexplainedDocument};
use topoi_store::result::series::TopicInSeries;
use topoi_store::{Store, StoreError};

/// Updates that are looked at together.
const UPDATES: u32 = 3;
/// A topic has faded if the added documents have less than this part of what all documents have of it.
const FADED: f64 = 0.25;
/// Documents of a topic that have to be expected among the added ones to tell. If they have as much of it as all
/// documents, fewer than a quarter of 20 come with a chance of one in ten thousand (Poisson).
const FEWEST_EXPECTED: f64 = 20.0;

/// The news of an update. Empty for other runs.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct News {
    /// Topics that the run before does not have.
    pub topics_added: Vec<TopicNews>,
    /// Topics that the documents of the last three updates have less than a quarter as much of as all documents, since
    /// this update.
    pub topics_faded: Vec<TopicNews>,
    /// Topics of which that was so until this update.
    pub topics_back: Vec<TopicNews>,
    /// Words that clearly more of the added documents have than of those before, the clearest first.
    pub rising_words: Vec<RisingWord>,
    /// Share of the tokens of the added documents that are not in the vocabulary of the run before.
    pub unknown_share: Option<f64>,
    /// Share of the added documents that the topics of the run before explain worse than the frequencies of words alone do.
    pub unexplained_share: Option<f64>,
    /// Some of them, the least explained first.
    pub unexplained_documents: Vec<UnexplainedDocument>,
    /// Mean log probability of a token of the added documents by the topics of the run before, nats.
    pub added_log_probability: Option<f64>,
    /// The same at the update before.
    pub added_log_probability_before: Option<f64>,
}

/// A topic that came or went.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct TopicNews {
    pub topic: TopicNumber,
    /// Its mean proportion in the documents that the last updates added.
    pub added_share: f64,
    /// Its mean proportion in all documents.
    pub document_share: f64,
    /// Of a topic that was added, the topic before that is most like it: what it split from, if it is much alike.
    pub nearest: Option<NearestTopic>,
}

/// A topic of the run before and its cosine with another.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct NearestTopic {
    pub topic: TopicNumber,
    pub cosine: f64,
}

impl News {
    /// The news of `run`.
    pub fn from_run(store: &Store, run: RunId) -> Result<Self, StoreError> {
        let rows = store.metric_in_series(run, UPDATES, ADDED_SHARE.id, DOCUMENTS_ADDED.id)?;
        let (now, before) = (shares(&rows, 0), shares(&rows, 1));
        let added = store.added_topics(run)?;
        let mut news = Self {
            added_log_probability: store.run_metric(run, ADDED_LOG_PROBABILITY.id)?,
            added_log_probability_before: log_probability_before(store, run)?,
            rising_words: store.rising_words(run)?,
            unknown_share: store.run_metric(run, UNKNOWN_SHARE.id)?,
            unexplained_share: store.run_metric(run, UNEXPLAINED_SHARE.id)?,
            unexplained_documents: store.unexplained_documents(run)?,
            ..Self::default()
        };
        for (topic, share) in &now {
            let had_faded = before.get(topic).is_some_and(Shares::has_faded);
            let list = if added.contains(topic) {
                &mut news.topics_added
            } else if share.has_faded() && !had_faded && before.contains_key(topic) {
                &mut news.topics_faded
            } else if had_faded && !share.has_faded() {
                &mut news.topics_back
            } else {
                continue;
            };
            list.push(share.news(*topic));
        }
        Ok(news)
    }
}

/// The log probability of added documents at the update before.
fn log_probability_before(store: &Store, run: RunId) -> Result<Option<f64>, StoreError> {
    match store.previous_in_series(run)? {
        Some(before) => store.run_metric(before, ADDED_LOG_PROBABILITY.id),
        None => Ok(None),
    }
}

/// A topic's documents among those that some updates added.
#[derive(Debug, Clone, Copy)]
struct Shares {
    /// Σ mean proportion · added documents.
    found: f64,
    added: f64,
    document_share: f64,
}

impl Shares {
    fn has_faded(&self) -> bool {
        let expected = self.document_share * self.added;
        expected >= FEWEST_EXPECTED && self.found < FADED * expected
    }

    fn news(&self, topic: TopicNumber) -> TopicNews {
        let added_share = self.found / self.added.max(1.0);
        TopicNews { topic, added_share, document_share: self.document_share, nearest: None }
    }
}

/// Topics in three updates, of which the newest is `back` revisions before.
fn shares(rows: &[TopicInSeries], back: u32) -> BTreeMap<TopicNumber, Shares> {
    let mut shares = BTreeMap::new();
    for row in rows.iter().filter(|row| (back..back + UPDATES).contains(&row.back)) {
        // Rows are newest first.
        let known = shares.entry(row.topic).or_insert(Shares {
            found: 0.0,
            added: 0.0,
            document_share: row.document_share,
        });
        known.found += row.value * row.of_run;
        known.added += row.of_run;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(back: u32, value: f64, document_share: f64) -> TopicInSeries {
        TopicInSeries { back, topic: TopicNumber(0), value, of_run: 400.0, document_share }
    }

    #[test]
    fn a_topic_fades_when_three_updates_have_little_of_it_and_enough_was_expected() {
        let faded = |rows: &[TopicInSeries]| shares(rows, 0)[&TopicNumber(0)].has_faded();
        let little = [row(0, 0.002, 0.03), row(1, 0.003, 0.03), row(2, 0.001, 0.03)];
        assert!(faded(&little));
        assert!(!faded(&[row(0, 0.002, 0.03), row(1, 0.003, 0.03), row(2, 0.04, 0.03)]));
        assert!(!faded(&[row(0, 0.0, 0.01), row(1, 0.0, 0.01)]), "8 documents are expected");
        assert!(!shares(&[row(0, 0.0, 0.03), row(1, 0.03, 0.03)], 1)[&TopicNumber(0)].has_faded());
    }
}
