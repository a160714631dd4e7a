//! JSON: the whole run in one object.

use serde_json::{Map, Value, json};

use super::error::ExportError;
use super::format::Format;
use super::output::Output;
use super::saved_model::SavedModel;
use topoi_store::id::TopicNumber;
use topoi_store::result::metric::Metric;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "json",
    help: "One JSON object with all of it",
    ending: ".json",
    write: |model, output, _| write(model, output),
    spreads: false,
    compare: None,
};

/// Writes one object: `run` (its row), `topics` (topic, label, anchor, document_share, token_share, alpha, words with
/// probabilities, metrics), `metrics`, `standard_errors` of the metrics that are estimates, `judgements` (scores of
/// human judgements) and `warnings` of the run, `topic_correlations` (K rows, or null), `spectrum`, and `documents`
/// (document, title, all topics with their proportions), one document per line.
fn write(model: &SavedModel<'_>, output: Output) -> Result<std::path::PathBuf, ExportError> {
    output.file(|sink| {
        let head = json!({
            "run": model.run,
            "topics": (0..model.topics.len()).map(|topic| topic_object(model, topic)).collect::<Vec<_>>(),
            "metrics": metrics(model, None),
            "standard_errors": standard_errors(model),
            "judgements": model.judgements,
            "made_from": model.coverage,
            "warnings": model.warnings,
            "topic_correlations": model.correlations.as_ref().map(|a| {
                a.rows().into_iter().map(|row| row.to_vec()).collect::<Vec<_>>()
            }),
            "spectrum": model.spectrum.iter().map(|&(value, residual)| {
                json!({ "value": value, "residual": residual })
            }).collect::<Vec<_>>(),
        });
        let head = head.to_string();
        // Documents are written one by one, as there may be millions.
        sink.write(head.strip_suffix('}').unwrap_or(&head))?;
        sink.write(",\"documents\":[")?;
        let mut separator = "\n";
        let has_chunks = model.has_chunks()?;
        model.visit_documents(|document| {
            let topics = document.topics.iter().enumerate().map(|(topic, proportion)| {
                json!({ "topic": topic, "proportion": proportion })
            });
            let mut object = json!({
                "document": document.key,
                "title": document.title,
                "topics": topics.collect::<Vec<_>>(),
            });
            let place = if has_chunks { model.place_of(document)? } else { None };
            if let Some((parent, position)) = place {
                object["parent"] = parent.into();
                object["position"] = position.into();
            }
            sink.write(std::mem::replace(&mut separator, ",\n"))?;
            sink.write(object.to_string())
        })?;
        sink.write("\n]}\n")
    })
}

/// JSON that can be embedded in an HTML page: no text in it can end the script or begin a tag or comment.
pub(super) fn for_pages(json: &str) -> String {
    // JSON has none of these characters outside of strings.
    let escapes = [
        ('<', "\\u003c"),
        ('>', "\\u003e"),
        ('&', "\\u0026"),
        ('\u{2028}', "\\u2028"),
        ('\u{2029}', "\\u2029"),
    ];
    escapes.into_iter().fold(json.into(), |json: String, (c, escape)| json.replace(c, escape))
}

fn topic_object(model: &SavedModel<'_>, number: usize) -> Value {
    let topic = &model.topics[number];
    let word = |&(word, probability): &(usize, f64)| json!({ "word": model.words[word], "probability": probability });
    json!({
        "topic": number,
        "label": topic.label,
        "anchor": topic.anchor.map(|word| &model.words[word]),
        "document_share": topic.shares.document_share,
        "token_share": topic.shares.token_share,
        "alpha": topic.alpha,
        "metrics": metrics(model, Some(TopicNumber::from_index(number))),
        "words": topic.words.iter().map(word).collect::<Vec<_>>(),
    })
}

/// Standard errors of the run's metrics that are estimates.
fn standard_errors(model: &SavedModel<'_>) -> Map<String, Value> {
    let of_run = model.metrics.iter().filter(|metric| metric.topic.is_none());
    let error = |metric: &Metric| Some((metric.name.clone(), json!(metric.standard_error()?)));
    of_run.filter_map(error).collect()
}

/// The metrics of a topic, or of the run.
fn metrics(model: &SavedModel<'_>, topic: Option<TopicNumber>) -> Map<String, Value> {
    let own = model.metrics.iter().filter(|metric| metric.topic == topic);
    own.map(|metric| (metric.name.clone(), json!(metric.value))).collect()
}
