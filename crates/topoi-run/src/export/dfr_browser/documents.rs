//! dfr-browser: the metadata of documents, and their topics.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::document_date::year_of;
use super::metadata::{Columns, Metadata, Spread};
use crate::export::csv_tables::csv_line;
use crate::export::dfr_browser::{label, number};
use crate::export::error::ExportError;
use crate::export::output::ExportFolder;
use crate::export::output::zip::Zip;
use crate::export::saved_model::SavedModel;
use crate::number;
use topoi_core::formula::packed_documents::LEAST_PROPORTION;
use topoi_core::plot::text::escaped;
use topoi_store::result::document_topic::{DocumentTopics, top_topic};

/// Maximum number of topics whose names fit below a chart.
const NAMED: usize = 12;

/// `meta.csv.zip` and `dt.json.zip`, in a pass over the documents. The browser holds all proportions that it
/// gets: those below a hundredth are left out.
pub(super) fn documents(
    model: &SavedModel<'_>,
    columns: &Columns,
    by: Option<&str>,
    folder: &ExportFolder,
    raw: bool,
) -> Result<(), ExportError> {
    let mut topics: Vec<Vec<(u32, f64)>> = vec![Vec::new(); model.topics.len()];
    let mut categories = Categories::default();
    let largest = largest_topics(model);
    let mut meta = Zip::new("meta.csv");
    meta.write(csv_line(&names(columns), raw));
    let mut row = 0;
    model.visit_documents(|document| {
        for (entries, &proportion) in topics.iter_mut().zip(&document.topics) {
            if proportion >= LEAST_PROPORTION {
                entries.push((row, proportion));
            }
        }
        row += 1;
        let metadata = Metadata::new(document, by);
        let category = category(document, &metadata, columns.spread, &largest);
        meta.write(csv_line(&cells(columns, document, &metadata, &category), raw));
        categories.add(category);
        Ok(())
    })?;
    zipped(folder, "meta.csv.zip", meta)?;
    // The browser's ordinal scale needs two categories, its time scale one date.
    let needed = if matches!(columns.spread, Spread::Time(..)) { 1 } else { 2 };
    topics.iter_mut().for_each(|entries| categories.fill(entries, needed));
    zipped(folder, "dt.json.zip", matrix(&topics))
}

/// Categories for the largest topic of a document: by number and name if all fit side by side and into an address,
/// which the browser builds from them; else by number.
fn largest_topics(model: &SavedModel<'_>) -> Vec<String> {
    let topics = 0..model.topics.len();
    let labels: Vec<String> = topics.clone().map(|topic| label(model, topic)).collect();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " -.,".contains(c);
    if labels.len() <= NAMED && labels.iter().all(|label| label.chars().all(is_plain)) {
        return labels;
    }
    topics.map(|topic| number(model, topic)).collect()
}

fn category(
    document: &DocumentTopics,
    metadata: &Metadata,
    spread: Spread,
    largest: &[String],
) -> String {
    let or = |text: &str, missing: &str| if text.is_empty() { missing.into() } else { text.into() };
    match spread {
        Spread::Time(..) => metadata.date.map(|date| date.to_string()).unwrap_or_default(),
        Spread::Year => or(&metadata.date.map(year_of).unwrap_or_default(), "undated"),
        Spread::Group => or(&escaped(&metadata.group), "none"),
        Spread::LargestTopic => {
            let top = top_topic(&document.topics).and_then(|(topic, _)| largest.get(topic));
            top.cloned().unwrap_or_default()
        }
    }
}

fn names(columns: &Columns) -> Vec<&'static str> {
    let spread = match columns.spread {
        Spread::Time(..) => "date",
        Spread::Year => "year",
        Spread::Group => "group",
        Spread::LargestTopic => "largest_topic",
    };
    present_columns(columns, ["author", "title", "source", "published"])
        .into_iter()
        .chain(["document", spread])
        .collect()
}

/// The browser joins all columns and inserts them into its page as HTML, so that empty columns are left out and `<`
/// is escaped.
fn cells(
    columns: &Columns,
    document: &DocumentTopics,
    metadata: &Metadata,
    category: &str,
) -> Vec<String> {
    let title = document.title.as_deref().unwrap_or_default();
    let Metadata { author, source, published, .. } = metadata;
    let mut cells: Vec<String> = present_columns(columns, [author, title, source, published])
        .into_iter()
        .chain([document.key.as_str()])
        .map(escaped)
        .collect();
    cells.push(category.into());
    cells
}

fn present_columns<'a>(columns: &Columns, all: [&'a str; 4]) -> Vec<&'a str> {
    let has = [columns.has_authors, columns.has_titles, columns.has_sources, columns.has_published];
    all.into_iter().zip(has).filter(|pair| pair.1).map(|pair| pair.0).collect()
}

/// The category of each document.
#[derive(Debug, Default)]
struct Categories {
    numbers: BTreeMap<String, u32>,
    /// Category by row.
    of: Vec<u32>,
    /// First row by category.
    first: Vec<u32>,
}

impl Categories {
    fn add(&mut self, category: String) {
        let next = number::next(self.first.len());
        let number = *self.numbers.entry(category).or_insert(next);
        if number == next {
            self.first.push(number::next(self.of.len()));
        }
        self.of.push(number);
    }

    /// Adds proportions of 0 to a topic that occurs in documents of fewer than `needed` categories, as the browser
    /// fails to draw fewer.
    fn fill(&self, entries: &mut Vec<(u32, f64)>, needed: usize) {
        let has = |entry: &(u32, f64)| self.of[entry.0 as usize];
        let mut there: BTreeSet<u32> = BTreeSet::new();
        for number in entries.iter().map(has) {
            there.insert(number);
            if there.len() >= needed {
                return;
            }
        }
        let missing = self.first.iter().zip(0..).filter(|pair| !there.contains(&pair.1));
        entries.extend(missing.take(needed - there.len()).map(|(&row, _)| (row, 0.0)));
        entries.sort_unstable_by_key(|entry| entry.0);
    }
}

fn matrix(topics: &[Vec<(u32, f64)>]) -> Zip {
    let mut matrix = Zip::new("dt.json");
    let mut starts = vec![0];
    for entries in topics {
        starts.push(starts[starts.len() - 1] + entries.len());
    }
    let entries = || topics.iter().flatten();
    array(&mut matrix, "{\"i\":[", entries().map(|entry| json!(entry.0)));
    array(&mut matrix, "],\"p\":[", starts.into_iter().map(Value::from));
    array(&mut matrix, "],\"x\":[", entries().map(|entry| json!(entry.1)));
    matrix.write("]}\n");
    matrix
}

fn array(to: &mut Zip, head: &str, numbers: impl Iterator<Item = Value>) {
    to.write(head);
    let mut separator = "";
    for number in numbers {
        to.write(format!("{separator}{number}"));
        separator = ",";
    }
}

fn zipped(folder: &ExportFolder, name: &'static str, zip: Zip) -> Result<(), ExportError> {
    let content = zip.finish().ok_or(ExportError::TooLong(name))?;
    folder.file(name, |sink| sink.write(content))
}
