//! Keeping what a command computes in the store, under a name.

use serde_json::Value;

use crate::cli::messages::say;
use crate::cli::output::list_as_json;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::Column;
use crate::shown::shown;
use topoi_store::id::RunId;
use topoi_store::result::saved_result::ResultContent;
use topoi_store::{Access, Store, StoreError};

/// Whether, and as what, the result is kept.
#[derive(Debug, Clone, clap::Args)]
pub struct SaveArgument {
    /// Keep the result in the store under this name, with the command; `topoi results` lists them
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    save: Option<String>,
}

impl SaveArgument {
    /// Whether the result is kept.
    pub fn is_wanted(&self) -> bool {
        self.save.is_some()
    }

    /// Opens the store as far as is needed. Fails before any work if the name is taken.
    pub fn open(&self, path: &StorePath) -> anyhow::Result<Store> {
        let Some(name) = &self.save else { return path.open(Access::Read) };
        let store = path.open(Access::Write)?;
        match store.result(name) {
            Ok(_) => Err(StoreError::ResultExists(name.clone()).into()),
            Err(StoreError::UnknownResult(_)) => Ok(store),
            Err(error) => Err(error.into()),
        }
    }

    /// Saves a table, if that is wanted: an answer as JSON whose list `list` has rows of `columns`.
    pub fn save_table<R>(
        &self,
        store: &Store,
        run: RunId,
        title: &str,
        (mut answer, list, columns, rows): (Value, &str, &[Column<R>], &[R]),
    ) -> anyhow::Result<()> {
        if self.save.is_none() {
            return Ok(());
        }
        answer[list] = list_as_json(columns, rows);
        let names = columns.iter().filter(|column| column.is_printed);
        let columns = names.map(|column| column.name.to_string()).collect();
        let content = ResultContent::Table { answer, list: list.into(), columns };
        self.save(store, run, title, &content)
    }

    /// Saves a result, if that is wanted.
    pub fn save(
        &self,
        store: &Store,
        run: RunId,
        title: &str,
        content: &ResultContent,
    ) -> anyhow::Result<()> {
        let Some(name) = &self.save else { return Ok(()) };
        store.save_result(run, (name, title), content)?;
        say(&shown!("kept as result {name:?}; `topoi results` lists them"));
        Ok(())
    }
}
