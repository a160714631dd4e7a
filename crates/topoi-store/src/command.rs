//! The command that a row was made by, so that others can give it again.

use rusqlite::types::Type;
use rusqlite::{Row, RowIndex};

use crate::Store;
use crate::error::Result;
use crate::id::{CorpusId, RunId};

const OF_RUN: &str = "SELECT command FROM run WHERE id = ?1";
const OF_INGESTS: &str = "SELECT source, command, documents, replaced FROM ingest \
    WHERE corpus_id = ?1 AND id <= ?2 AND status = 'finished' ORDER BY id";
const LAST_INGEST: &str = "SELECT coalesce(last_ingest, 0) FROM run WHERE id = ?1";

const HAS_JOINED: &str = "SELECT EXISTS (SELECT 1 FROM joined_fields WHERE corpus_id = ?1)";
const HAS_KINDS: &str = "SELECT EXISTS (SELECT 1 FROM field_kind WHERE corpus_id = ?1)";
const HAS_DELETED: &str = "SELECT EXISTS (SELECT 1 FROM deleted_document WHERE corpus_id = ?1)";

/// What can be done to a corpus that no command is kept of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CorpusChange {
    /// Fields of a table or of paths were joined.
    JoinedFields,
    /// Somebody has said what fields are.
    FieldKinds,
    /// Documents were deleted.
    DeletedDocuments,
}

/// Words of a command after the program's name, without the store.
pub type CommandWords = Vec<String>;

/// An ingest that is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedIngest {
    /// What was read.
    pub source: String,
    /// The command; `None` where none was typed.
    pub command: Option<CommandWords>,
    /// Documents that it added or changed.
    pub documents: u64,
}

/// Reads the words of a command.
pub(crate) fn command_words(
    row: &Row<'_>,
    column: impl RowIndex,
) -> rusqlite::Result<Option<CommandWords>> {
    let Some(json) = row.get::<_, Option<String>>(column)? else { return Ok(None) };
    serde_json::from_str(&json)
        .map(Some)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error.into()))
}

/// Words of a command as they are saved.
pub(crate) fn as_json(command: &[String]) -> String {
    serde_json::Value::from(command).to_string()
}

impl Store {
    /// Has what is made from here on be of this command.
    pub fn set_command(&mut self, command: Option<CommandWords>) {
        self.command = command;
    }

    /// The command that what is made now is of, as it is saved.
    pub(crate) fn command_json(&self) -> Option<String> {
        self.command.as_deref().map(as_json)
    }

    /// The command that a run was made by; `None` where none was typed.
    pub fn command_of_run(&self, run: RunId) -> Result<Option<CommandWords>> {
        let mut found = self.rows(OF_RUN, [run], |row| command_words(row, 0))?;
        Ok(found.pop().flatten())
    }

    /// What was done to a corpus that no command is kept of. Tables that were joined at an ingest are in its command, too.
    pub fn changes_without_command(&self, corpus: CorpusId) -> Result<Vec<CorpusChange>> {
        let all = [
            (HAS_JOINED, CorpusChange::JoinedFields),
            (HAS_KINDS, CorpusChange::FieldKinds),
            (HAS_DELETED, CorpusChange::DeletedDocuments),
        ];
        let mut found = Vec::new();
        for (sql, change) in all {
            if self.scalar(sql, [corpus])? {
                found.push(change);
            }
        }
        Ok(found)
    }

    /// The ingests of a corpus that a run has the documents of, in their order.
    pub fn ingests_of_run(&self, corpus: CorpusId, run: RunId) -> Result<Vec<FinishedIngest>> {
        let last: i64 = self.scalar(LAST_INGEST, [run])?;
        self.rows(OF_INGESTS, (corpus, last), |row| {
            Ok(FinishedIngest {
                source: row.get("source")?,
                command: command_words(row, "command")?,
                documents: row.get::<_, u64>("documents")? + row.get::<_, u64>("replaced")?,
            })
        })
    }
}
