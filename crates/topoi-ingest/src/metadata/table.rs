//! Reading a table of metadata.

use std::path::Path;

use super::columns_of;
use crate::batches::{Batch, Item};
use crate::error::{IngestError, InputLocation, Mistake, Result};
use crate::formats::opening::Context;
use crate::plan::{Planned, plan};
use crate::preparer::Preparer;
use crate::request::{IngestRequest, Names, RowKey};
use crate::settings::CorpusSettings;
use crate::source::encoding::Encoding;
use crate::source::printable;

/// How a table is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// The column with keys of documents; without one `key`, `id`, `filename` and their like, or the first.
    pub key: Option<String>,
    /// Whether the documents of rows are known by a column or by their place.
    pub row_key: RowKey,
    /// The sheet of a spreadsheet; without one the only one that is filled.
    pub sheet: Option<String>,
    /// The encoding; without one it is recognised.
    pub encoding: Option<Encoding>,
}

/// A table of metadata.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MetadataTable {
    /// The column of keys.
    pub key: String,
    /// Names of the fields that it gives.
    pub columns: Vec<String>,
    /// The key of each row.
    pub keys: Vec<String>,
    /// The fields of each row, a JSON object; empty cells are missing.
    pub rows: Vec<String>,
    /// Remarks about how it was read.
    pub remarks: Vec<String>,
}

impl MetadataTable {
    /// Reads a table: CSV, TSV, a spreadsheet, JSON Lines; Parquet where the program is built for it.
    ///
    /// # Errors
    /// If it is none, or a row cannot be read.
    pub fn read(path: &Path, options: &TableOptions) -> Result<Self> {
        Self::read_rows(path, options, false)
    }

    /// All rows, or those of the first batch.
    fn read_rows(path: &Path, options: &TableOptions, is_first_batch: bool) -> Result<Self> {
        let names = Names {
            id: options.key.clone(),
            sheet: options.sheet.clone(),
            metadata: Some(options.row_key),
            ..Names::default()
        };
        let request = IngestRequest {
            names,
            encoding: options.encoding,
            ..IngestRequest::new("metadata", [path.to_path_buf()])
        };
        request.check()?;
        let mut planned = plan(&request)?;
        let (Some(source), None) = (planned.pop(), planned.pop()) else {
            return Err(not_a_table(path));
        };
        read(source, &request, is_first_batch)
    }
}

fn not_a_table(path: &Path) -> IngestError {
    let place = InputLocation { file: printable(path).into(), line: 0 };
    let remedy = "give a CSV, TSV, XLSX, ODS or JSON Lines file with a row for each document";
    Mistake::source(place, "no table of metadata", remedy).into()
}

fn read(
    mut source: Planned,
    request: &IngestRequest,
    is_first_batch: bool,
) -> Result<MetadataTable> {
    if !source.format.is_table() {
        return Err(not_a_table(&source.path));
    }
    let preparer = Preparer::new(&CorpusSettings::Counts)?;
    let context = Context::new(request, &preparer);
    let mut table = MetadataTable::default();
    let mut no_words = |_: &[String]| Ok(Vec::new());
    if let Some(mut batches) = context.open(&mut source, &mut no_words, None)? {
        loop {
            let Batch { items, is_last, .. } = batches.next_batch();
            for item in items {
                match item {
                    Item::Document(_, row) => {
                        table.keys.push(row.key);
                        table.rows.push(row.fields.unwrap_or_else(|| "{}".into()));
                    }
                    Item::Mistake(mistake) => return Err(mistake.into()),
                    _ => {}
                }
            }
            if is_last || is_first_batch {
                break;
            }
        }
    }
    table.columns = columns_of(&table.rows);
    table.key = source.key_column.take().unwrap_or_else(|| request.names.id().to_string());
    table.remarks = source.remarks;
    Ok(table)
}

/// Names of what documents are made of in tables of documents.
const CONTENT: [&str; 2] = ["tokens", "counts"];

/// Whether a file is a table whose records have neither text nor tokens: facts about documents that are elsewhere.
pub(crate) fn is_table_without_text(path: &Path, request: &IngestRequest) -> bool {
    let options = TableOptions {
        key: request.names.id.clone(),
        row_key: RowKey::Column,
        sheet: request.names.sheet.clone(),
        encoding: request.encoding,
    };
    let is_text = |name: &String| name == request.names.text() || CONTENT.contains(&name.as_str());
    MetadataTable::read_rows(path, &options, true).is_ok_and(|table| {
        !request.names.headerless && !table.rows.is_empty() && !table.columns.iter().any(is_text)
    })
}
