//! CSV: one file per table, for spreadsheets, R and pandas.

use super::error::ExportError;
use super::format::Format;
use super::output::{ExportFolder, Output, Sink};
use super::saved_model::SavedModel;
use topoi_core::csv_cell::for_spreadsheets;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "csv",
    help: "A folder of CSV tables: topics, words, documents, correlations, metrics",
    ending: "",
    write: |model, output, options| write(model, output, options.raw),
    spreads: false,
    compare: None,
};

/// Writes `topics.csv` (topic, label, anchor, document_share, token_share, alpha), `topic_words.csv` (topic, rank,
/// word, probability), `document_topics.csv` (document, title, topic, proportion; all topics of all documents),
/// `topic_correlations.csv` (topic_a, topic_b, joint), `metrics.csv` (topic, metric, value, standard_error of an
/// estimate; metrics of the run have no topic), and for a run with human judgements `judgements.csv` (task, topic,
/// score, low, high, answers, judges, agreement). Topics keep their numbers, from 0; numbers have all their digits.
/// Cells that a spreadsheet would evaluate as formulas are prefixed by `'`, unless `raw`.
fn write(
    model: &SavedModel<'_>,
    output: Output,
    raw: bool,
) -> Result<std::path::PathBuf, ExportError> {
    output.directory(|folder| {
        folder.file("topics.csv", |sink| topics(model, &mut Table { sink, raw }))?;
        folder.file("topic_words.csv", |sink| topic_words(model, &mut Table { sink, raw }))?;
        folder
            .file("document_topics.csv", |sink| document_topics(model, &mut Table { sink, raw }))?;
        correlations(model, folder)?;
        judgements(model, folder)?;
        folder.file("metrics.csv", |sink| metrics(model, &mut Table { sink, raw }))
    })
}

/// A CSV record (RFC 4180) with its line break.
pub(super) fn csv_line(cells: &[impl AsRef<str>], raw: bool) -> Vec<u8> {
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = writer.write_record(cells.iter().map(|cell| {
        match raw {
            true => cell.as_ref().into(),
            false => for_spreadsheets(cell.as_ref()),
        }
        .into_owned()
    }));
    writer.into_inner().unwrap_or_default()
}

/// A file of records.
struct Table<'a> {
    sink: &'a mut Sink,
    raw: bool,
}

fn record(table: &mut Table<'_>, cells: &[&str]) -> Result<(), ExportError> {
    table.sink.write(csv_line(cells, table.raw))
}

fn topics(model: &SavedModel<'_>, table: &mut Table<'_>) -> Result<(), ExportError> {
    record(table, &["topic", "label", "anchor", "document_share", "token_share", "alpha"])?;
    for (number, topic) in model.topics.iter().enumerate() {
        let anchor = topic.anchor.map_or("", |word| &model.words[word]);
        let alpha = topic.alpha.map(|alpha| alpha.to_string()).unwrap_or_default();
        let label = topic.label.as_deref().unwrap_or_default();
        let number = number.to_string();
        let of_documents = topic.shares.document_share.to_string();
        let of_tokens = topic.shares.token_share.map(|share| share.to_string()).unwrap_or_default();
        record(table, &[&number, label, anchor, &of_documents, &of_tokens, &alpha])?;
    }
    Ok(())
}

fn topic_words(model: &SavedModel<'_>, table: &mut Table<'_>) -> Result<(), ExportError> {
    record(table, &["topic", "rank", "word", "probability"])?;
    for (number, topic) in model.topics.iter().enumerate() {
        for (rank, &(word, probability)) in (1u64..).zip(&topic.words) {
            let (number, rank) = (number.to_string(), rank.to_string());
            record(table, &[&number, &rank, &model.words[word], &probability.to_string()])?;
        }
    }
    Ok(())
}

fn document_topics(model: &SavedModel<'_>, table: &mut Table<'_>) -> Result<(), ExportError> {
    let has_chunks = model.has_chunks()?;
    let of_chunks = if has_chunks { &["parent", "position"][..] } else { &[] };
    record(table, &[&["document", "title", "topic", "proportion"], of_chunks].concat())?;
    model.visit_documents(|document| {
        let title = document.title.as_deref().unwrap_or_default();
        let place = if has_chunks { model.place_of(document)? } else { None };
        let place = place.map(|(parent, position)| (parent, position.to_string()));
        for (topic, proportion) in document.topics.iter().enumerate() {
            let (topic, proportion) = (topic.to_string(), proportion.to_string());
            let mut row = vec![document.key.as_str(), title, &topic, &proportion];
            if has_chunks {
                let place = place.as_ref();
                row.extend(place.map_or(["", ""], |(parent, position)| [parent, position]));
            }
            record(table, &row)?;
        }
        Ok(())
    })
}

fn correlations(model: &SavedModel<'_>, folder: &ExportFolder) -> Result<(), ExportError> {
    let Some(a) = &model.correlations else { return Ok(()) };
    folder.file("topic_correlations.csv", |sink| {
        let table = &mut Table { sink, raw: true };
        record(table, &["topic_a", "topic_b", "joint"])?;
        for ((one, other), joint) in a.indexed_iter() {
            record(table, &[&one.to_string(), &other.to_string(), &joint.to_string()])?;
        }
        Ok(())
    })
}

fn judgements(model: &SavedModel<'_>, folder: &ExportFolder) -> Result<(), ExportError> {
    if model.judgements.is_empty() {
        return Ok(());
    }
    folder.file("judgements.csv", |sink| {
        let table = &mut Table { sink, raw: true };
        let head = ["task", "topic", "score", "low", "high", "answers", "judges", "agreement"];
        record(table, &head)?;
        let text =
            |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
        for of in &model.judgements {
            for score in std::iter::once(&of.whole).chain(&of.topics) {
                let topic = score.topic.map(|topic| topic.to_string()).unwrap_or_default();
                let (low, high) = score.interval.unzip();
                let agreement = of.agreement.filter(|_| score.topic.is_none());
                let numbers = [Some(score.value), low, high].map(text);
                let [value, low, high] = &numbers;
                let (answers, judges) = (score.answers.to_string(), score.judges.to_string());
                let name = of.task.name();
                record(
                    table,
                    &[name, &topic, value, low, high, &answers, &judges, &text(agreement)],
                )?;
            }
        }
        Ok(())
    })
}

fn metrics(model: &SavedModel<'_>, table: &mut Table<'_>) -> Result<(), ExportError> {
    record(table, &["topic", "metric", "value", "standard_error"])?;
    for metric in &model.metrics {
        let topic = metric.topic.map(|topic| topic.to_string()).unwrap_or_default();
        let error = metric.standard_error().map(|error| error.to_string()).unwrap_or_default();
        record(table, &[&topic, &metric.name, &metric.value.to_string(), &error])?;
    }
    Ok(())
}
