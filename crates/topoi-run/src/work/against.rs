//! Comparison of the topics of a run's documents with a field of the documents.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::measure::metric_for_run;
use super::work_error::WorkError;
use crate::warning::replace_metrics;
use topoi_core::fields::values::{MissingMarks, all};
use topoi_core::metric::against_field::{AMI, Contingency, DOCUMENTS_WITH, NMI, PURITY, VALUES_OF};
use topoi_store::Store;
use topoi_store::id::RunId;
use topoi_store::result::document_topic::{DocumentTopics, top_topic};
use topoi_store::result::metric::Metric;
use topoi_store::run::Run;

/// Minimum number of documents for a comparison.
pub const FEWEST_DOCUMENTS: u64 = 10;

/// Why topics cannot be compared with a field.
#[derive(Debug, thiserror::Error)]
pub enum AgainstError {
    /// The run saved no topics of documents, or the store could not be read or written.
    #[error("{0}")]
    Work(#[from] WorkError),
    /// No document has the field.
    #[error("no document of run {run} has a field {field:?}; {there}")]
    NoField {
        /// Row id of the run.
        run: RunId,
        /// The requested field.
        field: String,
        /// A description of the fields that exist.
        there: String,
    },
    /// Too few documents have a value of the field.
    #[error(
        "{with} of the {documents} documents of run {run} have a value of {field:?}; \
         it takes {FEWEST_DOCUMENTS} or more"
    )]
    Few {
        /// Row id of the run.
        run: RunId,
        field: String,
        /// Documents that have a value.
        with: u64,
        /// Documents of the run.
        documents: u64,
    },
    /// All documents have the same value.
    #[error(
        "all {with} documents of run {run} with a value of {field:?} have the same; \
         it takes two or more"
    )]
    OneValue {
        /// Row id of the run.
        run: RunId,
        field: String,
        /// Documents that have the value.
        with: u64,
    },
    /// No two documents share a value.
    #[error(
        "each of the {with} documents of run {run} with a value of {field:?} has another; \
         it takes values that documents share"
    )]
    AllDiffer {
        /// Row id of the run.
        run: RunId,
        field: String,
        /// Documents that have a value.
        with: u64,
    },
}

/// The comparison of topics with a field.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreement {
    /// Metrics of the run, named `METRIC@FIELD`.
    pub metrics: Vec<Metric>,
    /// Documents with a value of the field.
    pub with: u64,
    /// All documents of the run that are still in the store.
    pub documents: u64,
}

/// Compares the largest topic of every document of run `run` with its value of `field`. Saves NMI, AMI and purity
/// with the numbers of documents and of values, in place of earlier ones for the field. Of topics with equal
/// proportions the first is the largest. Documents without a value are left out.
///
/// # Cost
/// A pass over the topics of the run's documents; the values and the pairs of topics and values are in memory.
///
/// # Errors
/// [`AgainstError`]; then nothing is saved.
pub fn measure_against(
    store: &mut Store,
    run: &Run,
    field: &str,
) -> Result<Agreement, AgainstError> {
    let missing =
        MissingMarks::new(&store.corpus_by_id(run.corpus_id).map_err(WorkError::from)?.missing);
    let found = FieldCounts::from_run(store, run.id, field, &missing)?;
    let with = found.table.documents();
    let (run_id, field) = (run.id, field.to_string());
    if found.documents == 0 {
        return Err(WorkError::NoDocuments { run: run_id }.into());
    }
    if !found.fields.contains(&field) {
        let names = found.fields.into_iter().collect::<Vec<_>>().join(", ");
        let there = if names.is_empty() {
            "its documents have none".into()
        } else {
            format!("there are: {names}")
        };
        return Err(AgainstError::NoField { run: run_id, field, there });
    }
    if with < FEWEST_DOCUMENTS {
        let documents = found.documents;
        return Err(AgainstError::Few { run: run_id, field, with, documents });
    }
    match found.table.values() as u64 {
        1 => return Err(AgainstError::OneValue { run: run_id, field, with }),
        values if values == with => {
            return Err(AgainstError::AllDiffer { run: run_id, field, with });
        }
        _ => {}
    }
    let metrics = metrics(&found.table, &field);
    replace_metrics(store, run, &metrics)?;
    Ok(Agreement { metrics, with, documents: found.documents })
}

fn metrics(table: &Contingency, field: &str) -> Vec<Metric> {
    let settings = json!({
        "field": field,
        "unit": "document",
        "units": table.documents(),
        "values": table.values(),
    });
    let values = [
        (&NMI, table.nmi()),
        (&AMI, table.ami()),
        (&PURITY, table.purity()),
        (&DOCUMENTS_WITH, table.documents() as f64),
        (&VALUES_OF, table.values() as f64),
    ];
    let named = |(metric, value)| {
        let metric_for_run = metric_for_run(metric, value);
        let name = format!("{}@{field}", metric_for_run.name);
        Metric { name, settings: Some(settings.to_string()), ..metric_for_run }
    };
    values.map(named).into()
}

/// Counts of a pass over the documents.
#[derive(Default)]
struct FieldCounts {
    table: Contingency,
    /// Numbers of the values, in the order of their first occurrence.
    numbers: BTreeMap<String, usize>,
    /// The names of all fields.
    fields: BTreeSet<String>,
    documents: u64,
}

impl FieldCounts {
    fn from_run(
        store: &Store,
        run: RunId,
        field: &str,
        missing: &MissingMarks,
    ) -> Result<Self, WorkError> {
        let mut found = Self::default();
        store.visit_document_topics(run, &mut |document| {
            found.add(document, field, missing);
            Ok::<_, WorkError>(())
        })?;
        Ok(found)
    }

    fn add(&mut self, document: &DocumentTopics, field: &str, missing: &MissingMarks) {
        self.documents += 1;
        let fields = all(document.fields.as_deref());
        let value = fields.get(field).and_then(|value| missing.text(value));
        let new = |name: &String| !self.fields.contains(name);
        let names: Vec<String> = fields.keys().filter(|name| new(name)).cloned().collect();
        self.fields.extend(names);
        let Some(((topic, _), value)) = top_topic(&document.topics).zip(value) else { return };
        let next = self.numbers.len();
        let number = *self.numbers.entry(value).or_insert(next);
        self.table.add(topic as u64, number);
    }
}
