//! The documents behind a figure: those of a group, by how much they are of a topic.

use super::fields::{Part, Rule};
use crate::work::work_error::WorkError;
use topoi_core::fields::values::MissingMarks;
use topoi_store::Store;
use topoi_store::id::{DocumentId, TopicNumber};
use topoi_store::result::topic_document::TopicDocument;
use topoi_store::run::Run;

/// The group of documents for which a field makes this of a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Members {
    /// Name of the field that makes the groups.
    pub field: String,
    /// How it makes groups.
    pub rule: Rule,
    /// What documents of the group have there.
    pub part: Part,
}

/// The documents of a group that are most about a topic, the largest share first and `most` at most. One pass over
/// what the run saved of its documents.
///
/// # Errors
/// When the store cannot be read.
pub fn members(
    store: &Store,
    run: &Run,
    group: &Members,
    topic: TopicNumber,
    most: usize,
) -> Result<Vec<TopicDocument>, WorkError> {
    let names = std::slice::from_ref(&group.field);
    let missing = MissingMarks::new(&store.corpus_by_id(run.corpus_id)?.missing);
    let first = Vec::new;
    let pieces = store.fold_fields_and_proportions(run.id, first, |to, id, json, _, theta| {
        let mut values = Vec::new();
        missing.some(json, names, &mut values);
        let value = values.pop().flatten();
        let is_in = value.and_then(|value| group.rule.part(&value)).as_ref() == Some(&group.part);
        if let Some(&share) = theta.get(topic.index()).filter(|_| is_in) {
            to.push((share, id));
        }
    })?;
    let mut found: Vec<(f64, DocumentId)> = pieces.into_iter().flatten().collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found.truncate(most);
    let mut documents = Vec::new();
    for (share, id) in found {
        documents.extend(store.document(id)?.map(|document| TopicDocument { document, share }));
    }
    Ok(documents)
}
