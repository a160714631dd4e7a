//! Tables of metadata: rows of fields for documents that are there already, such as author and year by file name.

mod matching;
mod path_pattern;
mod table;

use std::collections::BTreeSet;

use serde_json::Value;

pub use self::matching::{Match, RowsByKey};
pub use self::path_pattern::PathPattern;
pub(crate) use self::table::is_table_without_text;
pub use self::table::{MetadataTable, TableOptions};
use crate::error::Result;
pub use crate::request::RowKey;
use topoi_store::Store;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::joined::{JoinedDocument, JoinedTable};

/// Names of each kind that are kept for people.
const SHOWN: usize = 5;

/// What a row is found by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum JoinBy {
    /// The key of a document, or the path it is: with or without folders and ending.
    #[default]
    Key,
    /// The value of this field of a document.
    Field(String),
    /// Its place: the first row is of the first document.
    Row,
}

/// How many documents or rows there are of a kind, and the names of the first.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct CountedNames {
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub first: Vec<String>,
}

/// What a join did.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct JoinSummary {
    /// The column that rows were found by.
    pub key: String,
    /// The fields that the table gives.
    pub fields: Vec<String>,
    /// Documents with a row; chunks count each.
    pub documents: u64,
    /// Documents that have other fields than before.
    pub changed: u64,
    /// Documents without a row.
    pub without_row: CountedNames,
    /// Rows of no document.
    pub without_document: CountedNames,
    /// Documents that several rows could be of; they get none.
    pub ambiguous: CountedNames,
}

impl CountedNames {
    fn add(&mut self, name: &str) {
        self.count += 1;
        if self.first.len() < SHOWN {
            self.first.push(name.into());
        }
    }
}

/// Joins a table to the documents of a corpus. Calls `progress` with the number of documents that are done.
///
/// # Errors
/// Those of the store. By [`JoinBy::Row`], a table of another number of rows than the corpus has documents joins
/// nothing: all are without a row.
pub fn join(
    store: &mut Store,
    corpus: &Corpus,
    table: &MetadataTable,
    by: &JoinBy,
    progress: impl FnMut(u64),
) -> Result<JoinSummary> {
    let by_key = RowsByKey::new(&table.keys);
    let mut summary =
        JoinSummary { key: table.key.clone(), fields: table.columns.clone(), ..Default::default() };
    let mut used = vec![false; table.rows.len()];
    let has_all_rows = table.rows.len() as u64 == corpus.documents;
    let (mut place, mut documents) = (0, Vec::new());
    store.each_join_candidate(corpus.id, |document| {
        let found = match by {
            JoinBy::Key => by_key.find(document.key),
            JoinBy::Field(field) => match value_of(document.fields, field) {
                Some(value) => by_key.find(&value),
                None => Match::None,
            },
            JoinBy::Row if has_all_rows => Match::Row(place),
            JoinBy::Row => Match::None,
        };
        place += 1;
        match found {
            Match::Row(row) => {
                used[row] = true;
                summary.documents += 1;
            }
            Match::Several => summary.ambiguous.add(document.key),
            Match::None => summary.without_row.add(document.key),
        }
        let row = if let Match::Row(row) = found { Some(row) } else { None };
        if row.is_some() || document.is_joined {
            documents.push(JoinedDocument { id: document.id, key: document.key.into(), row });
        }
    })?;
    let rows = JoinedTable { columns: &table.columns, rows: &table.rows };
    summary.changed = store.join_fields(corpus.id, rows, &documents, progress)?;
    let unused = used.iter().zip(&table.keys).filter(|(is_used, _)| !**is_used);
    unused.for_each(|(_, key)| summary.without_document.add(key));
    Ok(summary)
}

/// Gives documents the fields that the paths they have as keys say, as [`join`] does those of a table.
///
/// # Errors
/// Those of the store.
pub fn join_paths(
    store: &mut Store,
    corpus: &Corpus,
    pattern: &PathPattern,
    progress: impl FnMut(u64),
) -> Result<JoinSummary> {
    let mut summary = JoinSummary {
        key: pattern.to_string(),
        fields: pattern.fields().to_vec(),
        ..JoinSummary::default()
    };
    let (mut rows, mut documents) = (Vec::new(), Vec::new());
    store.each_join_candidate(corpus.id, |document| {
        let row = pattern.row(document.key).map(|row| {
            rows.push(row);
            rows.len() - 1
        });
        match row {
            Some(_) => summary.documents += 1,
            None => summary.without_row.add(document.key),
        }
        if row.is_some() || document.is_joined {
            documents.push(JoinedDocument { id: document.id, key: document.key.into(), row });
        }
    })?;
    let table = JoinedTable { columns: &summary.fields, rows: &rows };
    summary.changed = store.join_fields(corpus.id, table, &documents, progress)?;
    Ok(summary)
}

/// The value of a field as text.
fn value_of(fields: Option<&str>, name: &str) -> Option<String> {
    let fields: Value = serde_json::from_str(fields?).ok()?;
    match fields.get(name)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The names of the fields of all rows, sorted.
fn columns_of(rows: &[String]) -> Vec<String> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for row in rows {
        if let Ok(Value::Object(fields)) = serde_json::from_str(row) {
            names.extend(fields.into_iter().map(|(name, _)| name));
        }
    }
    names.into_iter().collect()
}
