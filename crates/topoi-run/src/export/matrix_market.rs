//! Matrix Market: the matrices of a run, for MATLAB, Julia, R and SciPy.

use super::error::ExportError;
use super::format::Format;
use super::output::{ExportFolder, Output, Sink};
use super::saved_model::SavedModel;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "matrix-market",
    help: "A folder of matrices with the names of their rows and columns",
    ending: "-matrix-market",
    write: |model, output, _| write(model, output),
    spreads: false,
    compare: None,
};

/// Writes `topic_words.mtx` (K × W, B transposed), `document_topics.mtx` (M × K) and `topic_correlations.mtx` (K × K,
/// array format, if the run has it), with the names of rows and columns in `words.txt`, `documents.txt` and
/// `topics.txt`, one per line.
fn write(model: &SavedModel<'_>, output: Output) -> Result<std::path::PathBuf, ExportError> {
    output.directory(|folder| {
        names(folder, "words.txt", model.words.iter().map(String::as_str))?;
        let topics = 0..model.topics.len();
        names(folder, "topics.txt", topics.map(|topic| model.name(topic)))?;
        folder.file("topic_words.mtx", |sink| topic_words(model, sink))?;
        documents(model, folder)?;
        let Some(a) = &model.correlations else { return Ok(()) };
        folder.file("topic_correlations.mtx", |sink| {
            sink.write("%%MatrixMarket matrix array real general\n")?;
            sink.write(format!("{} {}\n", a.nrows(), a.ncols()))?;
            // Column-major, as the format requires.
            a.t().iter().try_for_each(|joint| sink.write(format!("{joint:?}\n")))
        })
    })
}

fn names<'a>(
    folder: &ExportFolder,
    file: &str,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), ExportError> {
    folder.file(file, |sink| {
        for name in names {
            sink.write(one_line(name) + "\n")?;
        }
        Ok(())
    })
}

fn one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn head(sink: &mut Sink, rows: usize, columns: usize, entries: usize) -> Result<(), ExportError> {
    sink.write("%%MatrixMarket matrix coordinate real general\n")?;
    sink.write(format!("{rows} {columns} {entries}\n"))
}

fn topic_words(model: &SavedModel<'_>, sink: &mut Sink) -> Result<(), ExportError> {
    let entries = model.topics.iter().map(|topic| topic.words.len()).sum();
    head(sink, model.topics.len(), model.words.len(), entries)?;
    for (row, topic) in (1..).zip(&model.topics) {
        let mut words = topic.words.clone();
        words.sort_unstable_by_key(|&(word, _)| word);
        for (word, probability) in words {
            sink.write(format!("{row} {} {probability:?}\n", word + 1))?;
        }
    }
    Ok(())
}

fn documents(model: &SavedModel<'_>, folder: &ExportFolder) -> Result<(), ExportError> {
    let (mut rows, mut entries) = (0, 0);
    folder.file("documents.txt", |sink| {
        model.visit_documents(|document| {
            rows += 1;
            entries += document.topics.len();
            sink.write(one_line(&document.key) + "\n")
        })
    })?;
    folder.file("document_topics.mtx", |sink| {
        head(sink, rows, model.topics.len(), entries)?;
        let mut row = 0;
        model.visit_documents(|document| {
            row += 1;
            for (topic, proportion) in document.topics.iter().enumerate() {
                sink.write(format!("{row} {} {proportion:?}\n", topic + 1))?;
            }
            Ok(())
        })
    })
}
