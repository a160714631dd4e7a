//! Fields that a table of metadata gives to documents, over those of their sources.
//!
//! `document.fields` are the fields that count: those of the source, and over them those of the table. The source's own
//! stay in `document.own_fields`, of which the content hash is; what the table says of a key stays in `joined_fields`,
//! for later versions of the document.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::{CorpusId, DocumentId};

const EACH: &str = "SELECT document.id, coalesce(parent.key, document.key), document.fields, \
    document.own_fields IS NOT NULL FROM document \
    LEFT JOIN chunk ON chunk.document_id = document.id \
    LEFT JOIN parent_document AS parent ON parent.id = chunk.parent_id \
    WHERE +document.corpus_id = ?1 ORDER BY document.id";
const OF_DOCUMENT: &str = "SELECT fields, own_fields FROM document WHERE id = ?1";
const UPDATE: &str = "UPDATE document SET fields = ?2, own_fields = ?3 WHERE id = ?1";
const JOINED: &str = "SELECT fields FROM joined_fields WHERE corpus_id = ?1 AND key = ?2";
const JOIN: &str =
    "INSERT OR REPLACE INTO joined_fields (corpus_id, key, fields) VALUES (?1, ?2, ?3)";
const PART: &str = "DELETE FROM joined_fields WHERE corpus_id = ?1 AND key = ?2";
/// Chunks have the fields of what they were cut from.
const OF_PARENTS: &str = "UPDATE parent_document SET fields = (SELECT document.fields FROM chunk \
    JOIN document ON document.id = chunk.document_id WHERE chunk.parent_id = parent_document.id LIMIT 1) \
    WHERE corpus_id = ?1 AND EXISTS (SELECT 1 FROM chunk WHERE parent_id = parent_document.id)";
const HAS_JOINED: &str = "SELECT EXISTS (SELECT 1 FROM joined_fields WHERE corpus_id = ?1)";
const NO_FIELDS: &str = "null";

/// A document that a row of a table may be of.
#[derive(Debug, Clone, Copy)]
pub struct JoinCandidate<'d> {
    /// Row id.
    pub id: DocumentId,
    /// Its key; of a chunk that of the document it was cut from.
    pub key: &'d str,
    /// Its fields, a JSON object.
    pub fields: Option<&'d str>,
    /// Whether it has fields of a table already.
    pub is_joined: bool,
}

/// A document and the row that it gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinedDocument {
    /// Row id.
    pub id: DocumentId,
    /// As in [`JoinCandidate`].
    pub key: String,
    /// The place of its row; `None` for a document that has none any more.
    pub row: Option<usize>,
}

/// A table to join.
#[derive(Debug, Clone, Copy)]
pub struct JoinedTable<'t> {
    /// Names of the fields that it gives.
    pub columns: &'t [String],
    /// The fields of each row, a JSON object without those that are missing.
    pub rows: &'t [String],
}

type Fields<'j> = BTreeMap<String, &'j RawValue>;

impl Store {
    /// Calls `visit` with every document of a corpus, in their order.
    pub fn each_join_candidate(
        &self,
        corpus_id: CorpusId,
        mut visit: impl FnMut(JoinCandidate<'_>),
    ) -> Result<()> {
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(EACH)?;
            let mut rows = statement.query([corpus_id])?;
            while let Some(row) = rows.next()? {
                visit(JoinCandidate {
                    id: row.get(0)?,
                    key: &row.get::<_, String>(1)?,
                    fields: row.get::<_, Option<String>>(2)?.as_deref(),
                    is_joined: row.get(3)?,
                });
            }
            Ok(())
        };
        read().map_err(|source| self.error(source))
    }

    /// Gives documents the fields of their rows. Fields of the table that a document has from an earlier join and that its
    /// row does not have are the source's again. One transaction; returns how many documents have other fields now.
    /// Calls `progress` with the number of those that are done.
    ///
    /// # Errors
    /// [`StoreError::DamagedCorpus`] if fields of a document are no JSON object.
    pub fn join_fields(
        &mut self,
        corpus_id: CorpusId,
        table: JoinedTable<'_>,
        documents: &[JoinedDocument],
        mut progress: impl FnMut(u64),
    ) -> Result<u64> {
        self.transaction(|store| {
            let mut changed = 0;
            for (done, JoinedDocument { id, key, row }) in (1..).zip(documents) {
                let row = row.and_then(|place| table.rows.get(place)).map(String::as_str);
                changed += u64::from(store.join_row(corpus_id, (*id, key), table.columns, row)?);
                progress(done);
            }
            if changed > 0 {
                store.execute(OF_PARENTS, [corpus_id])?;
                store.forget_search_index(corpus_id)?;
            }
            Ok(changed)
        })
    }

    /// Joins one row, or none; whether the document has other fields now.
    fn join_row(
        &self,
        corpus_id: CorpusId,
        (id, key): (DocumentId, &str),
        columns: &[String],
        row: Option<&str>,
    ) -> Result<bool> {
        let damaged = |_| StoreError::DamagedCorpus {
            corpus: format!("corpus {corpus_id}"),
            what: format!("the fields of document {key:?} are no JSON object"),
        };
        let (fields, own): (Option<String>, Option<String>) = self
            .rows(OF_DOCUMENT, [id], |row| Ok((row.get(0)?, row.get(1)?)))?
            .pop()
            .unwrap_or_default();
        let before: Option<String> = self.joined_fields(corpus_id, key)?;
        let mut over = parsed(before.as_deref()).map_err(damaged)?;
        over.retain(|name, _| !columns.contains(name));
        over.extend(parsed(row).map_err(damaged)?);
        let over = written(&over);
        match &over {
            Some(over) => self.execute(JOIN, (corpus_id, key, over))?,
            None => self.execute(PART, (corpus_id, key))?,
        };
        let own = own.or_else(|| fields.clone());
        let own = own.as_deref().filter(|own| *own != NO_FIELDS);
        let now = match &over {
            Some(over) => merged(own, over).map_err(damaged)?,
            None => own.map(String::from),
        };
        let kept = over.is_some().then(|| own.unwrap_or(NO_FIELDS));
        self.execute(UPDATE, (id, &now, kept))?;
        Ok(now != fields)
    }

    /// What joined tables say of a key.
    pub(crate) fn joined_fields(&self, corpus_id: CorpusId, key: &str) -> Result<Option<String>> {
        Ok(self.rows(JOINED, (corpus_id, key), |row| row.get(0))?.pop())
    }

    /// Whether a table is joined to documents of a corpus.
    pub(crate) fn has_joined_fields(&self, corpus_id: CorpusId) -> Result<bool> {
        self.scalar(HAS_JOINED, [corpus_id])
    }
}

/// Fields of a source with those of a table over them, and the source's own to be kept.
///
/// # Errors
/// If either is no JSON object.
pub(crate) fn with_joined(
    own: Option<&str>,
    over: &str,
) -> serde_json::Result<(Option<String>, String)> {
    Ok((merged(own, over)?, own.unwrap_or(NO_FIELDS).to_string()))
}

fn merged(own: Option<&str>, over: &str) -> serde_json::Result<Option<String>> {
    let mut fields = parsed(own)?;
    fields.extend(parsed(Some(over))?);
    Ok(written(&fields))
}

fn parsed(json: Option<&str>) -> serde_json::Result<Fields<'_>> {
    json.map_or(Ok(Fields::new()), serde_json::from_str)
}

/// `None` without a field.
fn written(fields: &Fields<'_>) -> Option<String> {
    if fields.is_empty() {
        return None;
    }
    let members = fields.iter().map(|(name, value)| format!("{}:{value}", serde_json::json!(name)));
    Some(format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_table_are_over_those_of_the_source_digit_by_digit() {
        let own = r#"{"a":1.10,"b":"x"}"#;
        let (fields, kept) = with_joined(Some(own), r#"{"b":2,"c":[1, 2]}"#).expect("objects");
        assert_eq!(fields.as_deref(), Some(r#"{"a":1.10,"b":2,"c":[1, 2]}"#));
        assert_eq!(kept, own);
        let (fields, kept) = with_joined(None, "{}").expect("objects");
        assert_eq!((fields, kept.as_str()), (None, "null"));
        assert!(with_joined(Some("[1]"), "{}").is_err());
    }
}
