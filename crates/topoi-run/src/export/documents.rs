//! Documents with their fields and topics, one per line, for R and pandas.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::csv_tables::csv_line;
use super::error::ExportError;
use super::format::Format;
use super::output::Output;
use super::saved_model::SavedModel;
use topoi_core::fields::values::{all, text};
use topoi_store::result::document_topic::DocumentTopics;

/// A table of documents.
pub(super) const CSV: Format = Format {
    name: "documents-csv",
    help: "One CSV file of documents with their fields and the proportions of all topics",
    ending: "-documents.csv",
    write: |model, output, options| write_csv(model, output, options.raw),
    spreads: false,
    compare: None,
};

/// Documents as JSON Lines.
pub(super) const JSON_LINES: Format = Format {
    name: "documents-jsonl",
    help: "The same as JSON Lines",
    ending: "-documents.jsonl",
    write: |model, output, _| write_json_lines(model, output),
    spreads: false,
    compare: None,
};

/// Columns of every document; a field with such a name gets the suffix `_field`.
pub(super) const OWN: [&str; 4] = ["document", "title", "tokens", "left_out"];
/// Columns of chunks.
const OF_CHUNKS: [&str; 2] = ["parent", "position"];

/// Writes a CSV file: document, title, tokens, the reason why the run left it out (empty for other documents), a
/// column for each field by name, and the proportions `topic_0`, `topic_1` … (empty for documents left out). Cells
/// that a spreadsheet would evaluate as formulas are prefixed by `'`, unless `raw`.
fn write_csv(
    model: &SavedModel<'_>,
    output: Output,
    raw: bool,
) -> Result<std::path::PathBuf, ExportError> {
    let columns = FieldColumns::new(model)?;
    output.file(|sink| {
        let topics = (0..model.topics.len()).map(|topic| format!("topic_{topic}"));
        let head = OWN.map(String::from).into_iter().chain(columns.names().cloned()).chain(topics);
        sink.write(csv_line(&head.collect::<Vec<_>>(), raw))?;
        model.visit_all_documents(|document, left_out| {
            let title = document.title.clone().unwrap_or_default();
            let reason = left_out.unwrap_or_default().to_string();
            let mut cells = vec![document.key.clone(), title, document.tokens.to_string(), reason];
            cells.extend(columns.cells(model, document)?);
            cells.extend(document.topics.iter().map(f64::to_string));
            cells.resize(OWN.len() + columns.names().len() + model.topics.len(), String::new());
            sink.write(csv_line(&cells, raw))
        })
    })
}

/// Writes JSON Lines: an object per document with the same keys. It contains the fields of the document, and topics
/// unless the run left it out.
fn write_json_lines(
    model: &SavedModel<'_>,
    output: Output,
) -> Result<std::path::PathBuf, ExportError> {
    let has_chunks = model.has_chunks()?;
    output.file(|sink| {
        model.visit_all_documents(|document, left_out| {
            let fields = fields(model, document, has_chunks)?;
            sink.write(format!("{}\n", Value::Object(object(document, left_out, fields))))
        })
    })
}

fn object(
    document: &DocumentTopics,
    left_out: Option<&str>,
    fields: Map<String, Value>,
) -> Map<String, Value> {
    let DocumentTopics { key, title, tokens, .. } = document;
    let own = [json!(key), json!(title), json!(tokens), json!(left_out)];
    let own = OWN.into_iter().zip(own);
    let own = own.map(|(name, value)| (name.to_string(), value));
    let topics = document.topics.iter().enumerate();
    let topics = topics.map(|(topic, share)| (format!("topic_{topic}"), json!(share)));
    own.chain(fields).chain(topics).collect()
}

/// The columns of all fields of a run's documents, in a table.
pub(super) struct FieldColumns {
    names: Vec<String>,
    has_chunks: bool,
}

impl FieldColumns {
    /// The columns by name.
    pub(super) fn new(model: &SavedModel<'_>) -> Result<Self, ExportError> {
        let has_chunks = model.has_chunks()?;
        let mut names = BTreeSet::new();
        model.visit_all_documents(|document, _| {
            for (name, _) in fields(model, document, has_chunks)? {
                if !names.contains(&name) {
                    names.insert(name);
                }
            }
            Ok(())
        })?;
        Ok(Self { names: names.into_iter().collect(), has_chunks })
    }

    /// Their names.
    pub(super) fn names(&self) -> impl ExactSizeIterator<Item = &String> {
        self.names.iter()
    }

    /// The cells of a document; empty where it has no value.
    pub(super) fn cells(
        &self,
        model: &SavedModel<'_>,
        document: &DocumentTopics,
    ) -> Result<Vec<String>, ExportError> {
        let fields = fields(model, document, self.has_chunks)?;
        let cell = |name: &String| fields.get(name).and_then(text).unwrap_or_default();
        Ok(self.names.iter().map(cell).collect())
    }
}

/// The fields of a document by column; for a chunk also its parent and its position.
pub(super) fn fields(
    model: &SavedModel<'_>,
    document: &DocumentTopics,
    has_chunks: bool,
) -> Result<Map<String, Value>, ExportError> {
    let fields = all(document.fields.as_deref()).into_iter();
    let mut fields: Map<_, _> =
        fields.map(|(name, value)| (column(&name, has_chunks), value)).collect();
    let place = if has_chunks { model.place_of(document)? } else { None };
    if let Some((parent, position)) = place {
        fields
            .extend(OF_CHUNKS.map(String::from).into_iter().zip([json!(parent), json!(position)]));
    }
    Ok(fields)
}

/// The column of a field.
fn column(name: &str, has_chunks: bool) -> String {
    if OWN.contains(&name) || has_chunks && OF_CHUNKS.contains(&name) || name.starts_with("topic_")
    {
        format!("{name}_field")
    } else {
        name.into()
    }
}
