//! dfr-browser: the `data` folder of Andrew Goldstone's browser of topic models.

use serde_json::{Map, Value, json};

use super::csv_tables::csv_line;
use super::error::ExportError;
use super::html_parts::escaped;
use super::output::{Folder, Output};
use super::saved_model::SavedModel;
use super::topic_plane::topic_plane;
use super::zip::Zip;

/// Words of a topic, as many as the browser shows on a topic's page.
const WORDS: usize = 50;
/// The column by which the browser draws how topics are spread.
const CONDITION: &str = "largest_topic";

/// Writes `info.json` (title, settings), `meta.csv.zip` (document, title where there
/// are any, largest_topic; a line of names), `dt.json.zip` (proportions of a hundredth and more, compressed by column), `tw.json` (α and
/// 50 words a topic with their probabilities) and `topic_scaled.csv` (a place in the plane a topic).
/// Topics keep their numbers, which the browser takes for ids and labels. In memory are all entries
/// of the documents' topics, 16 bytes each.
///
/// # Errors
/// When the run looked at no documents, the store cannot be read or a file cannot be written.
///
/// # Source
/// agoldst/dfr-browser 0.8.1-alpha, README, "Browser data file specifications"; metadata with a
/// line of names is its type `base`.
pub fn write(model: &SavedModel<'_>, output: Output) -> Result<std::path::PathBuf, ExportError> {
    if model.topics.iter().any(|topic| topic.alpha.is_none()) {
        return Err(ExportError::Missing {
            run: model.run.id,
            what: "topics of documents",
            format: "dfr-browser",
            remedy: "make a run without --no-documents",
        });
    }
    output.directory(|folder| {
        folder.file("info.json", |sink| sink.write(format!("{:#}\n", info(model))))?;
        folder.file("tw.json", |sink| sink.write(topic_words(model).to_string() + "\n"))?;
        folder.file("topic_scaled.csv", |sink| {
            let places = topic_plane(&model.topic_words());
            places.iter().try_for_each(|(x, y)| sink.write(format!("{x},{y}\n")))
        })?;
        documents(model, folder)
    })
}

/// The number of a topic with its name, as the browser shows it. Digits are filled up: it sorts
/// them as text.
fn label(model: &SavedModel<'_>, topic: usize) -> String {
    let width = (model.topics.len() - 1).to_string().len();
    format!("{topic:0width$} {}", model.name(topic))
}

fn info(model: &SavedModel<'_>) -> Value {
    let run = &model.run;
    let topics = 0..model.topics.len();
    // The browser's keys count from 1.
    let labels: Map<String, Value> =
        topics.clone().map(|t| ((t + 1).to_string(), json!(label(model, t)))).collect();
    let about = format!(
        "<h2>{}</h2><p>Run {} of topica {}: model {}, K = {}, seed {}.</p>",
        escaped(&run.corpus),
        run.id,
        escaped(&run.program_version),
        escaped(&run.model),
        run.k,
        run.seed
    );
    json!({
        "title": format!("{}, {} topics", run.corpus, model.topics.len()),
        "meta_info": about,
        "VIS": {
            "metadata": { "type": "base", "spec": { "date_field": [] } },
            "bib": { "type": "base" },
            "bib_view": { "major": "all", "minor": "raw" },
            "condition": {
                "type": "ordinal",
                "name": "largest topic",
                "spec": { "field": CONDITION },
            },
            // Rows do not quite sum to 1 without the proportions below a hundredth.
            "proper": true,
            "topic_ids": topics.map(|topic| topic.to_string()).collect::<Vec<_>>(),
            "topic_labels": labels,
        },
    })
}

fn topic_words(model: &SavedModel<'_>) -> Value {
    let alpha: Vec<f64> = model.topics.iter().filter_map(|topic| topic.alpha).collect();
    let topics = model.topics.iter().map(|topic| {
        let shown = topic.words.iter().take(WORDS);
        let (words, weights): (Vec<&str>, Vec<f64>) =
            shown.map(|&(word, p)| (model.words[word].as_str(), p)).unzip();
        json!({ "words": words, "weights": weights })
    });
    json!({ "alpha": alpha, "tw": topics.collect::<Vec<_>>() })
}

/// `meta.csv.zip` and `dt.json.zip`, in two passes over the documents.
fn documents(model: &SavedModel<'_>, folder: &Folder) -> Result<(), ExportError> {
    let mut columns: Vec<Vec<(u32, f64)>> = vec![Vec::new(); model.topics.len()];
    let mut has_titles = false;
    model.visit_documents(|document| {
        has_titles |= document.title.is_some();
        Ok(())
    })?;
    let mut meta = Zip::of("meta.csv");
    let mut line = |[document, title, topic]: [&str; 3]| {
        // The browser cites all columns one after the other: an empty one would show.
        let cells = if has_titles { vec![document, title, topic] } else { vec![document, topic] };
        meta.write(csv_line(&cells));
    };
    line(["document", "title", CONDITION]);
    let mut row = 0;
    model.visit_documents(|document| {
        for &(topic, proportion) in &document.topics {
            columns[topic as usize].push((row, proportion));
        }
        row += 1;
        // Of equal ones the first, as in the view document_top_topic.
        let top = document.topics.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1));
        let top = top.map(|&(topic, _)| label(model, topic as usize)).unwrap_or_default();
        let title = document.title.as_deref().unwrap_or_default();
        line([&document.key, title, &top]);
        Ok(())
    })?;
    zipped(folder, "meta.csv.zip", meta)?;
    let mut matrix = Zip::of("dt.json");
    let mut starts = vec![0];
    for column in &columns {
        starts.push(starts[starts.len() - 1] + column.len());
    }
    let entries = || columns.iter().flatten();
    array(&mut matrix, "{\"i\":[", entries().map(|entry| json!(entry.0)));
    array(&mut matrix, "],\"p\":[", starts.into_iter().map(Value::from));
    array(&mut matrix, "],\"x\":[", entries().map(|entry| json!(entry.1)));
    matrix.write("]}\n");
    zipped(folder, "dt.json.zip", matrix)
}

fn array(to: &mut Zip, head: &str, numbers: impl Iterator<Item = Value>) {
    to.write(head);
    let mut separator = "";
    for number in numbers {
        to.write(format!("{separator}{number}"));
        separator = ",";
    }
}

fn zipped(folder: &Folder, name: &'static str, zip: Zip) -> Result<(), ExportError> {
    let content = zip.finish().ok_or(ExportError::TooLong(name))?;
    folder.file(name, |sink| sink.write(content))
}
