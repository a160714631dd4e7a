//! Tables of metadata: rows of fields for documents that are there already, such as author and year by file name.

mod matching;
mod path_pattern;
mod table;

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

pub use self::matching::{Likeness, Match, RowsByKey};
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
    /// Documents of one name in several folders, whose row has no folder; they get none.
    pub sharing: CountedNames,
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
    let has_all_rows = table.rows.len() as u64 == corpus.documents;
    let (mut place, mut candidates) = (0, Vec::new());
    store.each_join_candidate(corpus.id, |document| {
        let found = match by {
            JoinBy::Key => by_key.find(document.key),
            JoinBy::Field(field) => match value_of(document.fields, field) {
                // Many documents can have the value.
                Some(value) => match by_key.find(&value) {
                    Match::Row(row, _) => Match::Row(row, Likeness::SAME),
                    other => other,
                },
                None => Match::None,
            },
            JoinBy::Row if has_all_rows => Match::Row(place, Likeness::SAME),
            JoinBy::Row => Match::None,
        };
        place += 1;
        let (id, key) = (document.id, document.key.to_string());
        candidates.push((JoinedDocument { id, key, row: None }, found, document.is_joined));
    })?;
    let owners = RowOwners::new(&candidates);
    let mut used = vec![false; table.rows.len()];
    let mut documents = Vec::new();
    for (document, found, is_joined) in candidates {
        let mut row = None;
        match found {
            Match::Row(at, likeness) => match owners.is_of(at, likeness) {
                Owner::This => {
                    row = Some(at);
                    used[at] = true;
                    summary.documents += 1;
                }
                Owner::Several => {
                    used[at] = true;
                    summary.sharing.add(&document.key);
                }
                Owner::Other => summary.without_row.add(&document.key),
            },
            Match::Several => summary.ambiguous.add(&document.key),
            Match::None => summary.without_row.add(&document.key),
        }
        if row.is_some() || is_joined {
            documents.push(JoinedDocument { row, ..document });
        }
    }
    let rows = JoinedTable { columns: &table.columns, rows: &table.rows };
    summary.changed = store.join_fields(corpus.id, rows, &documents, progress)?;
    let unused = used.iter().zip(&table.keys).filter(|(is_used, _)| !**is_used);
    unused.for_each(|(_, key)| summary.without_document.add(key));
    Ok(summary)
}

/// Which documents have which row, where several in other folders are of the same name.
struct RowOwners {
    /// By row: how alike its most alike document is, its key, and whether other keys are as alike.
    best: HashMap<usize, (Likeness, String, bool)>,
}

/// Whose a row is.
enum Owner {
    This,
    /// A document with a key that is more alike.
    Other,
    /// That of documents with keys that are as alike.
    Several,
}

impl RowOwners {
    fn new(candidates: &[(JoinedDocument, Match, bool)]) -> Self {
        let mut best: HashMap<usize, (Likeness, String, bool)> = HashMap::new();
        for (JoinedDocument { key, .. }, found, _) in candidates {
            let Match::Row(row, likeness) = found else { continue };
            let of_row = best.entry(*row).or_insert_with(|| (*likeness, key.clone(), false));
            match likeness.cmp(&of_row.0) {
                Ordering::Less => *of_row = (*likeness, key.clone(), false),
                // Chunks have the key of what they were cut from.
                Ordering::Equal => of_row.2 |= of_row.1 != *key,
                Ordering::Greater => {}
            }
        }
        Self { best }
    }

    fn is_of(&self, row: usize, likeness: Likeness) -> Owner {
        match self.best.get(&row) {
            Some((best, _, is_shared)) if likeness.is_without_folders() => {
                match (likeness > *best, is_shared) {
                    (true, _) => Owner::Other,
                    (false, true) => Owner::Several,
                    (false, false) => Owner::This,
                }
            }
            _ => Owner::This,
        }
    }
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
