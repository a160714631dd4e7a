//! NumPy's arrays: the matrices of a run, which `np.load` opens without reading them.

use super::error::ExportError;
use super::format::Format;
use super::output::{ExportFolder, Output, Sink};
use super::saved_model::SavedModel;
use topoi_core::npy::{Number, header};

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "npy",
    help: "A folder of NumPy arrays with the names of their rows and columns",
    ending: "-npy",
    write: |model, output, _| write(model, output),
    spreads: false,
    compare: None,
};

/// File names, of which `topoi import --from npy` reads the first two.
pub const TOPIC_WORDS: &str = "topic_words.npy";
/// The words of the columns of [`TOPIC_WORDS`].
pub const WORDS: &str = "words.json";

/// Writes `topic_words.npy` (K × W), `document_topics.npy` (M × K) and, if the run has it, `topic_correlations.npy`
/// (K × K), with the names in `words.json` and `documents.json`, arrays of JSON with a name a line. Proportions of
/// documents are saved in seven digits, which an `f32` holds; the others are `f64`.
fn write(model: &SavedModel<'_>, output: Output) -> Result<std::path::PathBuf, ExportError> {
    output.directory(|folder| {
        folder.file(WORDS, |sink| {
            let mut names = Names::new(sink);
            model.words.iter().try_for_each(|word| names.push(word))?;
            names.end()
        })?;
        folder.file(TOPIC_WORDS, |sink| topic_words(model, sink))?;
        folder.file("documents.json", |names| documents(model, folder, names))?;
        let Some(a) = &model.correlations else { return Ok(()) };
        folder.file("topic_correlations.npy", |sink| {
            sink.write(header(Number::F64, [a.nrows() as u64, a.ncols() as u64]))?;
            a.iter().try_for_each(|joint| sink.write(joint.to_le_bytes()))
        })
    })
}

/// A document's proportion of a topic.
#[allow(clippy::cast_possible_truncation, reason = "saved in seven digits, which an f32 holds")]
pub(super) fn share_bytes(share: f64) -> [u8; 4] {
    (share as f32).to_le_bytes()
}

/// An array of JSON that is written name by name.
struct Names<'a> {
    sink: &'a mut Sink,
    separator: &'static str,
}

impl<'a> Names<'a> {
    fn new(sink: &'a mut Sink) -> Self {
        Self { sink, separator: "[\n" }
    }

    fn push(&mut self, name: &str) -> Result<(), ExportError> {
        self.sink.write(std::mem::replace(&mut self.separator, ",\n"))?;
        self.sink.write(serde_json::Value::from(name).to_string())
    }

    fn end(self) -> Result<(), ExportError> {
        self.sink.write(if self.separator == "[\n" { "[]\n" } else { "\n]\n" })
    }
}

fn topic_words(model: &SavedModel<'_>, sink: &mut Sink) -> Result<(), ExportError> {
    sink.write(header(Number::F64, [model.topics.len() as u64, model.words.len() as u64]))?;
    for topic in &model.topics {
        let row = model.row_of_words(topic);
        row.iter().try_for_each(|probability| sink.write(probability.to_le_bytes()))?;
    }
    Ok(())
}

/// The proportions beside their keys, so that rows and names are of one reading of the store.
fn documents(
    model: &SavedModel<'_>,
    folder: &ExportFolder,
    names: &mut Sink,
) -> Result<(), ExportError> {
    let shape = |rows| header(Number::F32, [rows, model.topics.len() as u64]);
    folder.file("document_topics.npy", |sink| {
        sink.write(shape(0))?;
        let (mut rows, mut names, mut row) = (0, Names::new(names), Vec::new());
        model.visit_documents(|document| {
            rows += 1;
            row.clear();
            row.extend(document.topics.iter().flat_map(|&share| share_bytes(share)));
            sink.write(&row)?;
            names.push(&document.key)
        })?;
        names.end()?;
        sink.replace_start(&shape(rows))
    })
}
