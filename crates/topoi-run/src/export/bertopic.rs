//! BERTopic: a table of topics and one of documents, as `get_topic_info` and `get_document_info` give them.

use std::collections::HashSet;

use serde_json::json;

use super::csv_tables::csv_line;
use super::error::ExportError;
use super::format::Format;
use super::output::{Output, Sink};
use super::saved_model::SavedModel;
use topoi_store::id::{DocumentId, TopicNumber};
use topoi_store::result::document_topic::top_topic;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "bertopic",
    help: "A folder with the tables of BERTopic's get_topic_info and get_document_info",
    ending: "-bertopic",
    write: |model, output, options| write(model, output, options.raw),
    spreads: false,
    compare: None,
};

/// Words of a topic, as BERTopic's default.
const WORDS: usize = 10;
/// Words of a topic's name.
const NAME: usize = 4;
/// Typical documents of a topic, as BERTopic has them.
const DOCUMENTS: usize = 3;

/// What the tables say of a topic.
struct TopicInfo {
    name: String,
    label: String,
    /// The most probable words as a list of Python, of which JSON's is one.
    words: String,
    /// The same, as `Top_n_words`.
    top_words: String,
    documents: String,
    typical: HashSet<String>,
    count: u64,
}

/// Writes `topic_info.csv` (Topic, Count, Name, CustomName, Representation, Representative_Docs) and `document_info.csv`
/// (id, Document, Topic, Name, CustomName, Representation, Representative_Docs, Top_n_words, Probability,
/// Representative_document). A document is of the topic with its largest proportion, which is its probability. `Document`
/// is its text; of documents without texts the title, else the key.
///
/// # Source
/// BERTopic 0.17.4.
fn write(
    model: &SavedModel<'_>,
    output: Output,
    raw: bool,
) -> Result<std::path::PathBuf, ExportError> {
    let topics = (0..model.topics.len()).map(|topic| topic_info(model, topic));
    let mut topics = topics.collect::<Result<Vec<_>, _>>()?;
    output.directory(|folder| {
        folder.file("document_info.csv", |sink| documents(model, &mut topics, sink, raw))?;
        folder.file("topic_info.csv", |sink| {
            let head =
                ["Topic", "Count", "Name", "CustomName", "Representation", "Representative_Docs"];
            sink.write(csv_line(&head, raw))?;
            for (number, of) in topics.iter().enumerate() {
                let (number, count) = (number.to_string(), of.count.to_string());
                let cells = [&number, &count, &of.name, &of.label, &of.words, &of.documents];
                sink.write(csv_line(&cells, raw))?;
            }
            Ok(())
        })
    })
}

fn topic_info(model: &SavedModel<'_>, number: usize) -> Result<TopicInfo, ExportError> {
    let topic = &model.topics[number];
    let words: Vec<&str> =
        topic.words.iter().take(WORDS).map(|&(word, _)| model.words[word].as_str()).collect();
    let store = model.store();
    let typical =
        store.documents_of_topic(model.run.id, TopicNumber::from_index(number), DOCUMENTS)?;
    let texts = typical.iter().map(|found| {
        let of = &found.document;
        text(model, of.id, of.title.as_deref(), &of.key)
    });
    Ok(TopicInfo {
        name: std::iter::once(number.to_string())
            .chain(words.iter().take(NAME).map(|word| (*word).to_string()))
            .collect::<Vec<_>>()
            .join("_"),
        label: topic.label.clone().unwrap_or_default(),
        words: json!(words).to_string(),
        top_words: words.join(" - "),
        documents: json!(texts.collect::<Result<Vec<_>, _>>()?).to_string(),
        typical: typical.into_iter().map(|found| found.document.key).collect(),
        count: 0,
    })
}

/// The text of a document, or else what names it.
fn text(
    model: &SavedModel<'_>,
    id: DocumentId,
    title: Option<&str>,
    key: &str,
) -> Result<String, ExportError> {
    let text = model.store().document_text(id)?;
    Ok(text.unwrap_or_else(|| title.unwrap_or(key).to_string()))
}

/// Writes the documents and counts those of each topic.
fn documents(
    model: &SavedModel<'_>,
    topics: &mut [TopicInfo],
    sink: &mut Sink,
    raw: bool,
) -> Result<(), ExportError> {
    let head = [
        "id",
        "Document",
        "Topic",
        "Name",
        "CustomName",
        "Representation",
        "Representative_Docs",
        "Top_n_words",
        "Probability",
        "Representative_document",
    ];
    sink.write(csv_line(&head, raw))?;
    model.visit_documents_with_ids(|id, document| {
        let Some((topic, share)) = top_topic(&document.topics) else { return Ok(()) };
        let of = &mut topics[topic];
        of.count += 1;
        let typical = if of.typical.contains(&document.key) { "True" } else { "False" };
        let text = text(model, id, document.title.as_deref(), &document.key)?;
        let (topic, share) = (topic.to_string(), share.to_string());
        sink.write(csv_line(
            &[
                &document.key,
                &text,
                &topic,
                &of.name,
                &of.label,
                &of.words,
                &of.documents,
                &of.top_words,
                &share,
                typical,
            ],
            raw,
        ))
    })
}
