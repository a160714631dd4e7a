//! Results that were computed of a run and kept under a name: tables of effects and shares, and figures.

use rusqlite::types::Type;
use serde_json::Value;

use crate::Store;
use crate::command::{CommandWords, as_json, command_words};
use crate::error::{Result, StoreError};
use crate::id::RunId;

/// Maximum bytes of an answer.
const MAX_ANSWER_BYTES: u64 = 1 << 28;

const COLUMNS: &str = "SELECT id, run_id, result_name, title, command, list, columns, \
    program_version, made_at, octet_length(answer) AS bytes FROM result";
const ANSWER: &str = "SELECT answer FROM result WHERE id = ?1";
const INSERT: &str = "INSERT INTO result \
    (run_id, result_name, title, command, list, columns, answer, program_version, made_at) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, strftime('%Y-%m-%dT%H:%M:%fZ'))";
const DELETE: &str = "DELETE FROM result WHERE result_name = ?1";

/// What a result is.
#[derive(Debug, Clone, PartialEq)]
pub enum ResultContent {
    /// Rows of a JSON object.
    Table {
        /// The whole answer.
        answer: Value,
        /// The key of its list of rows.
        list: String,
        /// Keys of a row, in their order.
        columns: Vec<String>,
    },
    /// SVG.
    Figure(String),
}

/// The kind of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultKind {
    /// A table.
    Table,
    /// A figure.
    Figure,
}

/// A saved result, without its content.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedResult {
    /// Row id.
    pub id: i64,
    /// The run it was computed of.
    pub run: RunId,
    /// Its name, which no other result of the store has.
    pub name: String,
    /// What it is, in words.
    pub title: String,
    /// What kind of content it has.
    pub kind: ResultKind,
    /// The command that made it.
    pub command: CommandWords,
    /// Version of the program that made it.
    pub program_version: String,
    /// When, UTC.
    pub made_at: String,
    list: Option<String>,
    columns: Option<Vec<String>>,
    bytes: u64,
}

impl Store {
    /// All results, or those of a run, newest first.
    pub fn results(&self, run: Option<RunId>) -> Result<Vec<SavedResult>> {
        let sql = format!("{COLUMNS} WHERE ?1 IS NULL OR run_id = ?1 ORDER BY id DESC");
        self.rows(&sql, [run], SavedResult::from_row)
    }

    /// The result of this name.
    ///
    /// # Errors
    /// [`StoreError::UnknownResult`].
    pub fn result(&self, name: &str) -> Result<SavedResult> {
        let sql = format!("{COLUMNS} WHERE result_name = ?1");
        let found = self.rows(&sql, [name], SavedResult::from_row)?.pop();
        found.ok_or_else(|| StoreError::UnknownResult(name.into()))
    }

    /// What a result has.
    ///
    /// # Errors
    /// [`StoreError::DamagedRun`] if it is no table or figure as they are saved.
    pub fn result_content(&self, of: &SavedResult) -> Result<ResultContent> {
        let damaged = |what: &str| StoreError::DamagedRun {
            run: of.run,
            what: format!("its result {:?} {what}", of.name),
        };
        if of.bytes > MAX_ANSWER_BYTES {
            return Err(damaged(&format!("has {} bytes", of.bytes)));
        }
        let answer: String = self.scalar(ANSWER, [of.id])?;
        let Some(list) = &of.list else {
            return match answer.starts_with("<svg ") {
                true => Ok(ResultContent::Figure(answer)),
                false => Err(damaged("is no SVG")),
            };
        };
        let columns = of.columns.clone().ok_or_else(|| damaged("has no columns"))?;
        let answer: Value = serde_json::from_str(&answer).map_err(|_| damaged("is no JSON"))?;
        match answer.get(list).and_then(Value::as_array) {
            Some(rows) if rows.iter().all(Value::is_object) => {}
            _ => return Err(damaged(&format!("has no rows {list:?}"))),
        }
        Ok(ResultContent::Table { answer, list: list.clone(), columns })
    }

    /// Saves a result of a run, as made by the command of this store ([`Store::set_command`]).
    ///
    /// # Errors
    /// [`StoreError::ResultExists`] if there is one of this name.
    pub fn save_result(
        &self,
        run: RunId,
        (name, title): (&str, &str),
        content: &ResultContent,
    ) -> Result<()> {
        if self.result(name).is_ok() {
            return Err(StoreError::ResultExists(name.into()));
        }
        let (answer, list, columns) = match content {
            ResultContent::Figure(svg) => (svg.clone(), None, None),
            ResultContent::Table { answer, list, columns } => {
                (answer.to_string(), Some(list), Some(as_json(columns)))
            }
        };
        let version = env!("CARGO_PKG_VERSION");
        let command = self.command_json().unwrap_or_else(|| "[]".into());
        self.execute(INSERT, (run, name, title, command, list, columns, answer, version)).map(drop)
    }

    /// Deletes the results of these names, in one transaction.
    ///
    /// # Errors
    /// [`StoreError::UnknownResult`]; then none is deleted.
    pub fn delete_results(&mut self, names: &[String]) -> Result<()> {
        self.transaction(|store| {
            names.iter().try_for_each(|name| match store.execute(DELETE, [name])? {
                0 => Err(StoreError::UnknownResult(name.into())),
                _ => Ok(()),
            })
        })
    }
}

impl SavedResult {
    fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let list: Option<String> = row.get("list")?;
        let columns: Option<String> = row.get("columns")?;
        let columns =
            columns.map(|json| serde_json::from_str(&json)).transpose().map_err(|error| {
                rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error.into())
            })?;
        Ok(Self {
            id: row.get("id")?,
            run: row.get("run_id")?,
            name: row.get("result_name")?,
            title: row.get("title")?,
            kind: if list.is_some() { ResultKind::Table } else { ResultKind::Figure },
            command: command_words(row, "command")?.unwrap_or_default(),
            program_version: row.get("program_version")?,
            made_at: row.get("made_at")?,
            list,
            columns,
            bytes: row.get("bytes")?,
        })
    }
}

impl ResultContent {
    /// The rows of a table, each an object; none of a figure.
    pub fn rows(&self) -> &[Value] {
        let Self::Table { answer, list, .. } = self else { return &[] };
        answer.get(list).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }
}
