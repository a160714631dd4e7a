//! The documents' side of a factorisation, which runs do not keep: the model is fitted again.

use std::collections::HashMap;
use std::path::PathBuf;

use super::csv_tables::csv_line;
use super::error::ExportError;
use super::format::Format;
use super::output::Output;
use super::saved_model::SavedModel;
use crate::request::RunRequest;
use crate::work::recompute::{blocks_of_run, vocabulary};
use crate::work::work_error::WorkError;
use topoi_core::progress::Silent;
use topoi_core::stream::documents::Documents;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "document-side",
    help: "One CSV file of the documents' side of the factorisation, V of svd and H of r1d, which the model computes again",
    ending: "-document-side.csv",
    write: |model, output, options| write(model, output, options.raw),
    spreads: false,
    compare: None,
};

/// Writes a CSV file: document, and `topic_0` …: its numbers in the documents' side of the factorisation. Takes as
/// long as the run did to find its topics, and 8 bytes a document and topic.
fn write(model: &SavedModel<'_>, output: Output, raw: bool) -> Result<PathBuf, ExportError> {
    let (store, run) = (model.store(), &model.run);
    let missing =
        |what, remedy| ExportError::Missing { run: run.id, what, format: FORMAT.name, remedy };
    let request = RunRequest::from_run(run)?;
    let positions = vocabulary(store, run)?.positions;
    let settings = &request.settings;
    let blocks = blocks_of_run(store, run, &positions, settings, &Silent)?;
    let documents = Documents::new(&blocks, &positions, settings.min_tokens, &Silent)
        .with_sample(settings.sample);
    let own = request.origin.model();
    let side = own.map(|own| own.document_side(&documents, request.k, request.seed, &Silent));
    let side = side.transpose().map_err(WorkError::from)?.flatten();
    let no_side = || {
        missing("documents' side of a factorisation", "make a run with --model svd or --model r1d")
    };
    let side = side.ok_or_else(no_side)?;
    let mut keys = HashMap::new();
    model.visit_documents_with_ids(|id, document| {
        keys.insert(id.0, document.key.clone());
        Ok(())
    })?;
    if keys.is_empty() {
        return Err(missing("topics of documents", "make a run without --no-documents"));
    }
    output.file(|sink| {
        let topics = (0..request.k).map(|topic| format!("topic_{topic}"));
        let head: Vec<String> = std::iter::once("document".into()).chain(topics).collect();
        sink.write(csv_line(&head, raw))?;
        for (id, row) in side.ids.iter().zip(side.values.rows()) {
            let Some(key) = keys.remove(id) else { continue };
            let cells: Vec<String> =
                std::iter::once(key).chain(row.iter().map(f64::to_string)).collect();
            sink.write(csv_line(&cells, raw))?;
        }
        Ok(())
    })
}
