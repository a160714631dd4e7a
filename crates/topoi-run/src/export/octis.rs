//! OCTIS: the output of a model, as its metrics and `load_model_output` take it.

use std::io::{Seek, Write};

use serde_json::{Map, Value};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::error::ExportError;
use super::format::Format;
use super::npy::share_bytes;
use super::output::Output;
use super::saved_model::SavedModel;
use topoi_core::npy::{Order, header_of};

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "octis",
    help: "A folder with the model output and the vocabulary of OCTIS",
    ending: "-octis",
    write: |model, output, _| write(model, output),
    spreads: false,
    compare: None,
};

/// Words of a topic, where all topics have as many.
const WORDS: usize = 30;

/// Writes `output.npz` with the arrays `topics` (K × 30 words), `topic-word-matrix` (K × W) and `topic-document-matrix`
/// (K × M), and `vocabulary.json`, an object of the words by the numbers of their columns.
///
/// # Source
/// Terragni et al. 2021, "OCTIS: Comparing and Optimizing Topic Models is Simple!"; `save_model_output` of OCTIS 1.14.
fn write(model: &SavedModel<'_>, output: Output) -> Result<std::path::PathBuf, ExportError> {
    output.directory(|folder| {
        folder.file("vocabulary.json", |sink| {
            let words = model.words.iter().enumerate();
            let words = words.map(|(at, word)| (at.to_string(), word.as_str().into()));
            sink.write(Value::Object(words.collect::<Map<_, _>>()).to_string() + "\n")
        })?;
        folder.file("output.npz", |sink| {
            let place = sink.place().to_path_buf();
            // The number of columns is written before them: both passes see the same documents.
            model.store().at_one_moment(|_| {
                let mut columns = 0;
                model.visit_documents(|_| {
                    columns += 1;
                    Ok(())
                })?;
                let mut archive = Archive { zip: ZipWriter::new(sink), place };
                topics(model, &mut archive)?;
                topic_words(model, &mut archive)?;
                topic_documents(model, columns, &mut archive)?;
                archive.finish()
            })
        })
    })
}

/// An archive of arrays that is being written.
struct Archive<W: Write + Seek> {
    zip: ZipWriter<W>,
    place: std::path::PathBuf,
}

impl<W: Write + Seek> Archive<W> {
    /// Begins an array.
    fn begin(
        &mut self,
        name: &str,
        (type_name, order): (&str, Order),
        shape: [u64; 2],
    ) -> Result<(), ExportError> {
        // Dated 1980-01-01, so that the same run gives the same bytes. Arrays of more than 4 GB are possible.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(DateTime::default())
            .large_file(true);
        let begun = self.zip.start_file(format!("{name}.npy"), options);
        begun.map_err(|error| self.failed(error))?;
        self.write(&header_of(type_name, order, shape))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), ExportError> {
        self.zip.write_all(bytes).map_err(|error| self.failed(error))
    }

    fn finish(self) -> Result<(), ExportError> {
        let Self { zip, place } = self;
        let finished = zip.finish();
        finished.map(drop).map_err(|error| ExportError::Write { path: place, source: error.into() })
    }

    fn failed(&self, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ExportError {
        ExportError::Write { path: self.place.clone(), source: error.into() }
    }
}

/// The most probable words, as texts of one length in UTF-32.
fn topics<W: Write + Seek>(
    model: &SavedModel<'_>,
    archive: &mut Archive<W>,
) -> Result<(), ExportError> {
    let count = model.topics.iter().map(|topic| topic.words.len()).min().unwrap_or(0).min(WORDS);
    let words = || model.topics.iter().flat_map(|topic| &topic.words[..count]);
    let letters = words().map(|&(word, _)| model.words[word].chars().count()).max();
    let letters = letters.unwrap_or(0).max(1);
    let shape = [model.topics.len() as u64, count as u64];
    archive.begin("topics", (&format!("<U{letters}"), Order::Rows), shape)?;
    for &(word, _) in words() {
        let padded = model.words[word].chars().map(u32::from).chain(std::iter::repeat(0));
        let bytes: Vec<u8> = padded.take(letters).flat_map(u32::to_le_bytes).collect();
        archive.write(&bytes)?;
    }
    Ok(())
}

fn topic_words<W: Write + Seek>(
    model: &SavedModel<'_>,
    archive: &mut Archive<W>,
) -> Result<(), ExportError> {
    let shape = [model.topics.len() as u64, model.words.len() as u64];
    archive.begin("topic-word-matrix", ("<f8", Order::Rows), shape)?;
    for topic in &model.topics {
        let bytes: Vec<u8> =
            model.row_of_words(topic).into_iter().flat_map(f64::to_le_bytes).collect();
        archive.write(&bytes)?;
    }
    Ok(())
}

fn topic_documents<W: Write + Seek>(
    model: &SavedModel<'_>,
    columns: u64,
    archive: &mut Archive<W>,
) -> Result<(), ExportError> {
    let shape = [model.topics.len() as u64, columns];
    archive.begin("topic-document-matrix", ("<f4", Order::Columns), shape)?;
    let mut column = Vec::new();
    model.visit_documents(|document| {
        column.clear();
        column.extend(document.topics.iter().flat_map(|&share| share_bytes(share)));
        archive.write(&column)
    })
}
