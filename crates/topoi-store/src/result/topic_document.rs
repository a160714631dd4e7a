//! The documents with the largest proportions of a topic.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::finite;
use super::series::PlaceInSeries;
use crate::Store;
use crate::corpus::document::Document;
use crate::error::Result;
use crate::id::{DocumentId, RunId, TopicNumber};
use crate::integer::saturated;

/// Deleted documents are skipped.
const OF_TOPIC: &str = "SELECT document.id, document.key, document.title, document.tokens, \
    document.source, about.proportion FROM topic_document AS about \
    CROSS JOIN document ON document.id = about.document_id \
    WHERE about.run_id = ?1 AND about.topic = ?2 \
    ORDER BY about.proportion DESC, about.document_id LIMIT ?3";
/// Smallest proportion that has a row in `topic_document`.
pub(crate) const LARGE: f64 = 0.1;

/// A document and its proportion of a topic.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicDocument {
    /// The document's row.
    pub document: Document,
    /// Its proportion θ of the topic.
    pub share: f64,
}

impl Store {
    /// The `count` documents with the largest proportions of a topic, in descending order; ties go to the
    /// earlier document.
    /// One look-up per document. If fewer than `count` documents have a proportion of 0.1, all documents of the
    /// run are read.
    ///
    /// # Errors
    /// [`StoreError::DamagedRun`](crate::error::StoreError::DamagedRun).
    pub fn documents_of_topic(
        &self,
        run: RunId,
        topic: TopicNumber,
        count: usize,
    ) -> Result<Vec<TopicDocument>> {
        let largely = self.rows(OF_TOPIC, (run, topic, saturated(count)), |row| {
            Ok(TopicDocument {
                document: crate::corpus::document::read(row)?,
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
        run: RunId,
        topic: TopicNumber,
        count: usize,
    ) -> Result<Vec<TopicDocument>> {
        let topic = topic.index();
        // Proportions are not negative, so their bits are in the same order.
        let offered = |share: f64, id: DocumentId| Reverse((share.to_bits(), Reverse(id)));
        let pieces = self.fold_proportions(run, BinaryHeap::new, |most, id, proportions| {
            let share = proportions.get(topic).copied().unwrap_or_default();
            if share > 0.0 {
                most.push(offered(share, id));
            }
            // Surplus entries replace documents that have been deleted since.
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

    /// Saves the large proportions: (topic, share, document).
    pub(super) fn insert_large(
        &self,
        place: PlaceInSeries,
        large: &mut Vec<(u32, f64, DocumentId)>,
    ) -> Result<()> {
        sort_as_in_table(large);
        let rows = large.drain(..).map(|(topic, share, document)| {
            let [series, revision] = place.keys();
            [series, topic.into(), share.into(), document.into(), revision]
        });
        let columns = "(series_id, topic, proportion, document_id, first_revision)";
        self.insert_rows(&format!("series_topic_document {columns}"), rows)
    }
}

/// Sorts rows (topic, share, document) in the order of the table `topic_document`: by topic, then by descending
/// share. Inserted in this order, they fill its pages one by one.
pub(crate) fn sort_as_in_table<T: Ord>(rows: &mut [(T, f64, DocumentId)]) {
    rows.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
}
