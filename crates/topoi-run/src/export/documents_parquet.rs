//! Documents with their fields and topics as a Parquet table.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::documents::{OWN, fields};
use super::error::ExportError;
use super::format::Format;
use super::output::Output;
use super::saved_model::SavedModel;
use topoi_core::fields::values::text;
use topoi_store::result::document_topic::DocumentTopics;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "documents-parquet",
    help: "The same as a table of Parquet",
    ending: "-documents.parquet",
    write: |model, output, _| write(model, output),
    spreads: false,
    compare: None,
};

/// Rows per row group.
const ROWS: usize = 1 << 14;

/// Writes a Parquet file with the columns of the CSV. Topics, and fields that are numbers in all documents, are
/// numeric columns; missing values are null. Compressed by Snappy.
fn write(model: &SavedModel<'_>, output: Output) -> Result<PathBuf, ExportError> {
    let has_chunks = model.has_chunks()?;
    let columns = columns(model, has_chunks)?;
    let schema = schema(&columns, model.topics.len());
    output.file(|sink| {
        let place = sink.place().to_path_buf();
        let wrong =
            |error: ParquetError| ExportError::Write { path: place.clone(), source: error.into() };
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = ArrowWriter::try_new(sink, Arc::clone(&schema), Some(properties));
        let mut writer = writer.map_err(wrong)?;
        let mut rows = Rows::new(&columns, model.topics.len());
        model.visit_all_documents(|document, left_out| {
            rows.push(document, left_out, &fields(model, document, has_chunks)?, &columns);
            if rows.count == ROWS {
                rows.write(&schema, &mut writer).map_err(wrong)?;
            }
            Ok(())
        })?;
        rows.write(&schema, &mut writer).map_err(wrong)?;
        writer.close().map(drop).map_err(wrong)
    })
}

/// The columns of all fields, and whether all their values are numbers.
fn columns(
    model: &SavedModel<'_>,
    has_chunks: bool,
) -> Result<BTreeMap<String, bool>, ExportError> {
    let mut columns = BTreeMap::new();
    model.visit_all_documents(|document, _| {
        for (name, value) in fields(model, document, has_chunks)? {
            *columns.entry(name).or_insert(true) &= value.is_number() || value.is_null();
        }
        Ok(())
    })?;
    Ok(columns)
}

fn schema(fields: &BTreeMap<String, bool>, topics: usize) -> SchemaRef {
    let [document, title, tokens, left_out] = OWN;
    let of_field = |(name, is_number): (&String, &bool)| {
        let kind = if *is_number { DataType::Float64 } else { DataType::Utf8 };
        Field::new(name, kind, true)
    };
    let of_topic = |topic| Field::new(format!("topic_{topic}"), DataType::Float64, true);
    let own = [
        Field::new(document, DataType::Utf8, false),
        Field::new(title, DataType::Utf8, true),
        Field::new(tokens, DataType::Int64, false),
        Field::new(left_out, DataType::Utf8, true),
    ];
    let columns = own.into_iter().chain(fields.iter().map(of_field));
    Arc::new(Schema::new(columns.chain((0..topics).map(of_topic)).collect::<Vec<_>>()))
}

/// Buffered rows, by column.
struct Rows {
    count: usize,
    documents: StringBuilder,
    titles: StringBuilder,
    tokens: Int64Builder,
    left_out: StringBuilder,
    fields: Vec<Cells>,
    topics: Vec<Float64Builder>,
}

/// The values of a field.
enum Cells {
    Numbers(Float64Builder),
    Texts(StringBuilder),
}

impl Rows {
    fn new(fields: &BTreeMap<String, bool>, topics: usize) -> Self {
        let cells = |is_number: &bool| match is_number {
            true => Cells::Numbers(Float64Builder::new()),
            false => Cells::Texts(StringBuilder::new()),
        };
        Self {
            count: 0,
            documents: StringBuilder::new(),
            titles: StringBuilder::new(),
            tokens: Int64Builder::new(),
            left_out: StringBuilder::new(),
            fields: fields.values().map(cells).collect(),
            topics: (0..topics).map(|_| Float64Builder::new()).collect(),
        }
    }

    fn push(
        &mut self,
        document: &DocumentTopics,
        left_out: Option<&str>,
        values: &serde_json::Map<String, serde_json::Value>,
        columns: &BTreeMap<String, bool>,
    ) {
        self.count += 1;
        self.documents.append_value(&document.key);
        self.titles.append_option(document.title.as_deref());
        self.tokens.append_value(i64::try_from(document.tokens).unwrap_or(i64::MAX));
        self.left_out.append_option(left_out);
        for (cells, name) in self.fields.iter_mut().zip(columns.keys()) {
            let value = values.get(name);
            match cells {
                Cells::Numbers(numbers) => numbers.append_option(value.and_then(|x| x.as_f64())),
                Cells::Texts(texts) => texts.append_option(value.and_then(text)),
            }
        }
        for (topic, column) in self.topics.iter_mut().enumerate() {
            column.append_option(document.topics.get(topic).copied());
        }
    }

    /// Writes the buffered rows as a row group.
    fn write<W: std::io::Write + Send>(
        &mut self,
        schema: &SchemaRef,
        writer: &mut ArrowWriter<W>,
    ) -> Result<(), ParquetError> {
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.documents.finish()),
            Arc::new(self.titles.finish()),
            Arc::new(self.tokens.finish()),
            Arc::new(self.left_out.finish()),
        ];
        columns.extend(self.fields.iter_mut().map(|cells| match cells {
            Cells::Numbers(numbers) => Arc::new(numbers.finish()) as ArrayRef,
            Cells::Texts(texts) => Arc::new(texts.finish()),
        }));
        let topics = self.topics.iter_mut().map(|topic| Arc::new(topic.finish()) as ArrayRef);
        columns.extend(topics);
        self.count = 0;
        writer.write(&RecordBatch::try_new(Arc::clone(schema), columns)?)?;
        writer.flush()
    }
}
