//! HTML: one self-contained page of a run, to read and to send.

mod charts;
pub mod comparison;
pub(crate) mod parts;

use std::fmt::Write;

use self::charts::{Series, heat_map, scatter, scree, spectrum_caption};
use self::parts::{escaped, figure, page};
use super::error::ExportError;
use super::output::Output;
use super::saved_model::SavedModel;
use super::topic_plane::topic_plane;

/// Words of a topic on the page.
const WORDS: usize = 12;
/// Writes the page: how the run was made, its topics with their words, where they stand to each
/// other, which occur together, the spectrum, and the metrics.
///
/// # Errors
/// When the file cannot be written.
pub fn write(model: &SavedModel<'_>, output: Output) -> Result<std::path::PathBuf, ExportError> {
    let run = &model.run;
    let title = format!("run {}: {} by {}, K = {}", run.id, run.corpus, run.model, run.k);
    let mut body = facts(model);
    body += &topics(model);
    body += &charts(model);
    body += &metrics(model);
    output.file(|sink| sink.write(page(&title, &body)))
}

fn facts(model: &SavedModel<'_>) -> String {
    let run = &model.run;
    let seconds = run.seconds.map(|seconds| format!(" in {} s", figure(seconds)));
    format!(
        "<p>Made {} with topoi {}{}, seed {}, from {} words. Settings: <code>{}</code></p>\n",
        escaped(run.finished_at.as_deref().and_then(|time| time.get(..10)).unwrap_or_default()),
        escaped(&run.program_version),
        seconds.unwrap_or_default(),
        run.seed,
        model.words.len(),
        escaped(&run.settings)
    )
}

fn topics(model: &SavedModel<'_>) -> String {
    let largest = model.topics.iter().map(|topic| topic.weight).fold(0.0, f64::max);
    let mut html = String::from(
        "<h2>Topics</h2>\n<table><tr><th class=\"n\">topic</th><th>name</th><th class=\"n\">\
         weight</th><th></th><th>most probable words</th></tr>\n",
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
            "<tr id=\"t{number}\"><td class=\"n\">{number}</td><td>{}</td><td class=\"n\">{:.1}%\
             </td><td><span class=\"bar\" style=\"width:{:.1}rem\"></span></td><td>{}</td></tr>",
            escaped(model.name(number)),
            100.0 * topic.weight,
            6.0 * topic.weight / largest,
            words.join(" ")
        );
    }
    html + "</table>\n"
}

fn charts(model: &SavedModel<'_>) -> String {
    let mut html = String::from("<div class=\"charts\">\n");
    let weights: Vec<f64> = model.topics.iter().map(|topic| topic.weight).collect();
    html += &scatter(&topic_plane(&model.topic_words()), &weights, |topic| model.name(topic));
    if let Some(lifts) = &model.lifts {
        html += &heat_map(lifts);
    }
    let values: Vec<f64> = model.spectrum.iter().map(|&(value, _)| value).collect();
    if values.len() > 1 {
        let series = [Series { name: String::new(), values }];
        html += &scree(&series, spectrum_caption(&model.run.model));
    }
    html + "</div>\n"
}

fn metrics(model: &SavedModel<'_>) -> String {
    let mut html = String::from(
        "<h2>Metrics</h2>\n<table><tr><th>metric</th><th class=\"n\">value</th></tr>\n",
    );
    for metric in model.metrics.iter().filter(|metric| metric.topic.is_none()) {
        let (name, value) = (escaped(&metric.name), figure(metric.value));
        let _ = writeln!(html, "<tr><td>{name}</td><td class=\"n\">{value}</td></tr>");
    }
    html + "</table>\n"
}
