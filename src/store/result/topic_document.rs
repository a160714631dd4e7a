//! Which documents have much of a topic.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::finite;
use crate::store::Store;
use crate::store::corpus::document::Document;
use crate::store::error::Result;

/// Documents that have been deleted are passed over.
const OF_TOPIC: &str = "SELECT document.id, document.key, document.title, document.tokens, \
    document.source, about.proportion FROM topic_document AS about \
    CROSS JOIN document ON document.id = about.document_id \
    WHERE about.run_id = ?1 AND about.topic = ?2 \
    ORDER BY about.proportion DESC, about.document_id LIMIT ?3";
/// What of a topic is enough for a row of `topic_document`.
pub(crate) const LARGE: f64 = 0.1;

/// A document and how much of it is about a topic.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicDocument {
    /// The row of the document.
    pub document: Document,
    /// The topic's proportion in it, θ.
    pub share: f64,
}

impl Store {
    /// The `count` documents that have most of a topic, the largest proportion first, of equal
    /// ones the earlier document. One look-up each; a pass over the run's documents when fewer than
    /// `count` of them have a tenth of the topic.
    ///
    /// # Errors
    /// [`StoreError::DamagedRun`](crate::store::error::StoreError::DamagedRun); when the store cannot be read.
    pub fn documents_of_topic(
        &self,
        run: i64,
        topic: u64,
        count: usize,
    ) -> Result<Vec<TopicDocument>> {
        let largely = self.rows(OF_TOPIC, (run, topic as i64, count as i64), |row| {
            Ok(TopicDocument {
                document: crate::store::corpus::document::read(row)?,
                share: finite(row, "proportion")?,
            })
        })?;
        if largely.len() == count {
            Ok(largely)
        } else {
            self.documents_with_most(run, topic, count)
        }
    }

    fn documents_with_most(
        &self,
        run: i64,
        topic: u64,
        count: usize,
    ) -> Result<Vec<TopicDocument>> {
        let topic = usize::try_from(topic).unwrap_or(usize::MAX);
        // No proportion is below 0, and the bits of such numbers are in their order.
        let offered = |share: f64, id: i64| Reverse((share.to_bits(), Reverse(id)));
        let pieces = self.fold_proportions(run, BinaryHeap::new, |most, id, proportions| {
            let share = proportions.get(topic).copied().unwrap_or_default();
            if share > 0.0 {
                most.push(offered(share, id));
            }
            // Some may have been deleted since.
            if most.len() > 2 * count.max(1000) {
                most.pop();
            }
        })?;
        let mut most: Vec<_> = pieces.into_iter().flatten().collect();
        most.sort_unstable();
        let mut found = Vec::new();
        for Reverse((share, Reverse(id))) in most {
            if found.len() == count {
                break;
            }
            if let Some(document) = self.document(id)? {
                found.push(TopicDocument { document, share: f64::from_bits(share) });
            }
        }
        Ok(found)
    }

    /// Saves which documents have much of which topics: (topic, share, document).
    pub(super) fn insert_large(&self, run: i64, large: &mut Vec<(u32, f64, i64)>) -> Result<()> {
        in_order_of_the_table(large);
        let rows = large.drain(..).map(|(topic, share, document)| {
            [run.into(), topic.into(), share.into(), document.into()]
        });
        self.insert_rows("topic_document (run_id, topic, proportion, document_id)", rows)
    }
}

/// Sorts rows (topic, share, document) of `topic_document` as the table has them: topics one after the other, the
/// most first. Written like this they fill its pages in turn.
pub(in crate::store) fn in_order_of_the_table<T: Ord>(rows: &mut [(T, f64, i64)]) {
    rows.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::packed_documents::PackedDocument;
    use crate::ingest::{IngestRequest, NoProgress, ingest};
    use crate::store::Access;
    use crate::store::result::document_topic::SavedDocuments;
    use crate::store::result::topic::{SavedResult, SavedTopic};
    use crate::store::result::topic_shares::TopicShares;
    use crate::store::run::{NewRun, RunEnd, RunStatus};

    #[test]
    fn documents_with_little_of_a_topic_are_found_when_few_have_much() {
        let directory = tempfile::tempdir().expect("tempdir");
        let file = directory.path().join("lines.txt");
        std::fs::write(&file, "one word\n".repeat(5)).expect("write");
        let mut store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        ingest(&store, &IngestRequest::new("c", [file]), &NoProgress).expect("ingest");
        let run = NewRun { corpus_id: 1, model: "lr-jsmf", k: 2, seed: 1, settings: "{}" };
        let run = store.create_run(&run).expect("run");
        let (terms, characteristic) = (Vec::new(), Vec::new());
        let topic = SavedTopic {
            shares: TopicShares { document_share: 0.5, token_share: None },
            anchor_term_id: None,
            terms,
            characteristic,
        };
        let shares = [0.05, 0.4, 0.02, 0.1, 0.05];
        let mut documents = SavedDocuments { alpha: vec![0.1; 2], ..SavedDocuments::default() };
        for (id, share) in (1..).zip(shares) {
            let document = PackedDocument::new(id, &[1.0 - share, share], &documents.alpha);
            documents.packed.push(&document).expect("in memory");
        }
        let result = SavedResult { topics: vec![topic; 2], documents, ..SavedResult::default() };
        let end = || RunEnd::new(RunStatus::Finished);
        store.finish_run(run, &result, end).expect("save");
        let order = [2, 4, 1, 5, 3];
        for count in 0..=6 {
            let found = store.documents_of_topic(run, 1, count).expect("read");
            let ids: Vec<i64> = found.iter().map(|found| found.document.id).collect();
            assert_eq!(ids, order[..count.min(5)]);
        }
    }
}
