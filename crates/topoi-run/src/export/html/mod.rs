//! HTML: one self-contained page of a run, to read and to send.

mod by_field;
mod charts;
pub mod comparison;
mod documents;

use std::fmt::Write;

use serde_json::Value;

use self::charts::{figures, lifts, scatter, scree, spectrum, spectrum_caption};
use super::error::ExportError;
use super::figures::{Named, shares};
use super::format::Format;
use super::output::Output;
use super::saved_model::SavedModel;
use super::topic_plane::topic_plane;
use crate::coverage::Coverage;
use crate::judging::scores::{interval, metric_of};
use topoi_core::judge::scores::TaskScores;
use topoi_core::metric::MetricDef;
use topoi_core::metric::definition::Tag;
use topoi_core::numbers::two_digits;
use topoi_core::plot::text::{escaped, figure};
use topoi_store::result::metric::Metric;
use topoi_store::result::topic_shares::TopicShares;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "html",
    help: "One page that needs nothing else; of several runs, one that compares them",
    ending: ".html",
    write: |model, output, _| write(model, output),
    spreads: false,
    compare: Some(comparison::write),
};

/// Words of a topic on the page.
const WORDS: usize = 12;
/// Words below the name of a topic in a figure.
const NAME_WORDS: usize = 3;

/// Writes the page: how the run was made, why not to trust it, its topics with their words, where they stand to each
/// other, which occur together, the spectrum, the documents that have most of each, their shares by date and by
/// category, and the metrics.
///
/// # Errors
/// When the file cannot be written.
fn write(model: &SavedModel<'_>, output: Output) -> Result<std::path::PathBuf, ExportError> {
    let run = &model.run;
    let title = format!("run {}: {} by {}, K = {}", run.id, run.corpus, run.model, run.k);
    let mut body = facts(model);
    body += &warnings(model.warnings.iter().map(|warning| warning.text.as_str()));
    body += &topics(model);
    let named: Vec<Named> =
        (0..model.topics.len()).map(|topic| model.named(topic, NAME_WORDS)).collect();
    body += "<h2>Shares and neighbours</h2>\n";
    body += &figures(&[(shares("Shares of the topics", &named), "")]);
    body += &charts(model);
    body += &documents::documents(model)?;
    body += &by_field::by_field(model, &named)?;
    body += &metrics(model);
    output.file(|sink| sink.write(page(&title, &body)))
}

fn facts(model: &SavedModel<'_>) -> String {
    let run = &model.run;
    let seconds = run.seconds.map(|seconds| format!(" in {} s", figure(seconds)));
    let coverage =
        model.coverage.iter().map(|of| format!("<p>{}.</p>\n", escaped(&first_large(of))));
    let coverage: String = coverage.collect();
    format!(
        "<p>Made {} with topoi {}{}, seed {}, from {} words.</p>\n{coverage}{}",
        escaped(run.finished_at.as_deref().and_then(|time| time.get(..10)).unwrap_or_default()),
        escaped(&run.program_version),
        seconds.unwrap_or_default(),
        run.seed,
        model.words.len(),
        settings(&run.settings)
    )
}

/// What a run was asked for, by name, to be unfolded.
fn settings(json: &str) -> String {
    let mut rows = String::new();
    add_settings("", &serde_json::from_str(json).unwrap_or_default(), &mut rows);
    folded("Settings", &format!("<table>{rows}</table>\n"))
}

fn add_settings(name: &str, value: &Value, rows: &mut String) {
    match value {
        Value::Null => {}
        Value::Object(entries) => {
            for (key, value) in entries {
                let dot = if name.is_empty() { "" } else { "." };
                add_settings(&format!("{name}{dot}{key}"), value, rows);
            }
        }
        value => {
            let shown = value.as_str().map_or_else(|| value.to_string(), String::from);
            // Writing to a string does not fail.
            let _ =
                writeln!(rows, "<tr><td>{}</td><td>{}</td></tr>", escaped(name), escaped(&shown));
        }
    }
}

fn folded(summary: &str, html: &str) -> String {
    format!("<details><summary>{summary}</summary>\n{html}</details>\n")
}

fn first_large(coverage: &Coverage) -> String {
    let text = coverage.to_string();
    text[..1].to_uppercase() + &text[1..]
}

/// A list of warnings, where there are any.
pub(super) fn warnings(texts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let line = |text: &str| format!("<li>{}</li>\n", escaped(text));
    let lines: String = texts.into_iter().map(|text| line(text.as_ref())).collect();
    match lines.as_str() {
        "" => lines,
        _ => format!("<h2>Warnings</h2>\n<ul class=\"warnings\">\n{lines}</ul>\n"),
    }
}

fn topics(model: &SavedModel<'_>) -> String {
    let largest = model.topics.iter().map(|topic| topic.shares.size()).fold(0.0, f64::max);
    let head = |of: &TaskScores| format!("<th class=\"n\">{}</th>", metric_of(of.task).id);
    let said: String = model.judgements.iter().map(head).collect();
    let mut html = format!(
        "<h2>Topics</h2>\n<p class=\"q\">The share of documents is p(topic) of a document drawn evenly: the mean of what \
         each document has of the topic where topics are refined or the model gives no correlations, else what the \
         model itself says.</p>\n<table><tr><th class=\"n\">topic</th><th>name</th><th class=\"n\">share of tokens</th>\
         <th></th><th class=\"n\">share of documents</th>{said}<th>most probable words</th></tr>\n",
    );
    for (number, topic) in model.topics.iter().enumerate() {
        let words: Vec<String> = topic
            .words
            .iter()
            .take(WORDS)
            .map(|&(word, p)| {
                format!("<span title=\"{}\">{}</span>", figure(p), escaped(&model.words[word]))
            })
            .collect();
        // Writing to a string does not fail.
        let _ = writeln!(
            html,
            "<tr id=\"t{number}\"><td class=\"n\">{number}</td><td>{}</td><td class=\"n\">{}\
             </td><td><span class=\"bar\" style=\"width:{:.1}rem\"></span></td>\
             <td class=\"n\">{:.1}%</td>{}<td>{}</td></tr>",
            escaped(model.name(number)),
            topic.shares.token_share.map_or("–".into(), |share| format!("{:.1}%", 100.0 * share)),
            6.0 * topic.shares.size() / largest,
            100.0 * topic.shares.document_share,
            model.judgements.iter().map(|of| said_of(of, number as u64)).collect::<String>(),
            words.join(" ")
        );
    }
    html + "</table>\n"
}

/// The cell of what people said of a topic; its interval when pointed at.
fn said_of(of: &TaskScores, topic: u64) -> String {
    let Some(score) = of.topics.iter().find(|score| score.topic == Some(topic)) else {
        return "<td></td>".into();
    };
    let interval =
        score.interval.map(|(low, high)| format!("{} to {}, ", figure(low), figure(high)));
    let (interval, answers) = (interval.unwrap_or_default(), score.answers);
    format!("<td class=\"n\" title=\"{interval}{answers} answers\">{}</td>", figure(score.value))
}

fn charts(model: &SavedModel<'_>) -> String {
    let shares: Vec<TopicShares> = model.topics.iter().map(|topic| topic.shares).collect();
    let mut html = scatter(&topic_plane(&model.topic_words()), &shares, |topic| model.name(topic));
    if let Some(found) = &model.lifts {
        html += &lifts(found);
    }
    let values: Vec<f64> = model.spectrum.iter().map(|&(value, _)| value).collect();
    if values.len() > 1 {
        let series = vec![spectrum(String::new(), &values)];
        html += &scree(series, spectrum_caption(&model.run.model));
    }
    html
}

fn metrics(model: &SavedModel<'_>) -> String {
    let of_run = model.metrics.iter().filter(|metric| metric.topic.is_none());
    let is_first =
        |metric: &&Metric| MetricDef::tagged(Tag::Summary).any(|def| def.id == metric.name);
    let (first, others): (Vec<_>, Vec<_>) = of_run.partition(is_first);
    let folded = folded(&format!("{} others", others.len()), &metric_table(&others));
    format!("<h2>Metrics</h2>\n{}{folded}", metric_table(&first))
}

/// A value; an estimate with its standard error.
fn estimate(value: f64, error: Option<f64>) -> String {
    let error = error.map(|error| format!(" ± {}", two_digits(error)));
    figure(value) + &error.unwrap_or_default()
}

fn metric_table(metrics: &[&Metric]) -> String {
    let mut html = String::from("<table><tr><th>metric</th><th class=\"n\">value</th></tr>\n");
    for metric in metrics {
        let within =
            interval(metric).map(|(low, high)| format!(" ({} to {})", figure(low), figure(high)));
        let (name, value) = (
            escaped(&metric.name),
            estimate(metric.value, metric.standard_error()) + &within.unwrap_or_default(),
        );
        let _ = writeln!(html, "<tr><td>{name}</td><td class=\"n\">{value}</td></tr>");
    }
    html + "</table>\n"
}

/// The style of the page: no fonts, scripts or pictures from elsewhere.
const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;color:#222;max-width:70rem;\
    margin:2rem auto;padding:0 1rem}h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}\
    table{border-collapse:collapse;width:100%}th{text-align:left;font-weight:600;\
    border-bottom:2px solid #444}td,th{padding:.2rem .6rem .2rem 0;vertical-align:top}\
    td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}tr+tr td{border-top:1px solid #ddd}\
    .bar{background:#4477aa;height:.55rem;display:inline-block}.q{color:#666}.warnings{color:#8a3000}\
    code{overflow-wrap:anywhere}td ul{margin:0;padding-left:1rem}svg{max-width:100%;height:auto}figure{margin:1.5rem 0;max-width:48rem}.plane{max-width:36rem}table+table{margin-top:1rem}figcaption{color:#555}\
    .new{font-weight:600;text-decoration:underline dotted}.scroll{overflow-x:auto}\
    td.best{font-weight:600}";

pub(super) fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n{body}</body></html>\n"
    )
}
