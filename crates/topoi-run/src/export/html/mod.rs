//! HTML: one page of a run, which a browser opens without a server.
//!
//! Text enters a page through [`html!`], which escapes it. Only the style and the figures, which escape their own texts,
//! are inserted as they are, and the JSON of `search`, in which no text can end its script.

mod by_field;
mod charts;
pub mod comparison;
mod names;
mod search;
mod topic_sections;
mod typical_documents;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use super::error::ExportError;
use super::format::Format;
use super::output::Output;
use super::saved_model::{ExportedTopic, SavedModel};
use crate::coverage::Coverage;
use crate::judging::scores::{interval, metric_of};
use names::TopicName;
use topoi_core::judge::scores::TaskScores;
use topoi_core::metric::MetricDef;
use topoi_core::metric::definition::Tag;
use topoi_core::numbers::{four_digits, with_error};
use topoi_core::plot::text::is_unsafe;
use topoi_store::id::TopicNumber;
use topoi_store::result::metric::Metric;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "html",
    help: "One page to read, search and print; of several runs, one that compares them",
    ending: ".html",
    write: |model, output, _| write(model, output),
    spreads: false,
    compare: Some(comparison::write),
};

/// Words of a topic on the page.
const WORDS: usize = 12;

/// A run with what its page calls the topics.
struct RunPage<'a> {
    model: &'a SavedModel<'a>,
    names: Vec<TopicName>,
}

/// Writes the page: provenance and settings of the run, warnings, a search, topics with their words, shares, the plane of
/// topics, topics that occur together, the spectrum, topics by date and category, a section for each topic with its
/// documents, and metrics. Documents that are not in the page's search are in the folder beside it.
///
/// # Errors
/// When the store cannot be read or a file cannot be written.
fn write(model: &SavedModel<'_>, output: Output) -> Result<std::path::PathBuf, ExportError> {
    let run = &model.run;
    let title = format!("run {}: {} by {}, K = {}", run.id, run.corpus, run.model, run.k);
    let of_run = RunPage { model, names: TopicName::all(model)? };
    let (by_field, figures) = by_field::by_field(model)?;
    let body = html! {
        (facts(model))
        (warnings(model.warnings.iter().map(|warning| &warning.text)))
        (search::form())
        (topics(&of_run))
        h2 { "Shares and neighbours" }
        (charts::charts(&of_run)?)
        (by_field)
        (topic_sections::topic_sections(&of_run, &figures)?)
        (metrics(model))
    };
    search::write(model, &page(&title, &body), output)
}

fn facts(model: &SavedModel<'_>) -> Markup {
    let run = &model.run;
    let day = run.finished_at.as_deref().and_then(|time| time.get(..10)).unwrap_or_default();
    html! {
        p {
            "Made " (day) " with topoi " (run.program_version)
            @if let Some(seconds) = run.seconds { " in " (four_digits(seconds)) " s" }
            ", seed " (run.seed) ", from " (model.words.len()) " words."
        }
        @if let Some(coverage) = &model.coverage { p { (sentence(coverage)) "." } }
        (settings(&run.settings))
    }
}

/// The saved settings by name, folded.
fn settings(json: &str) -> Markup {
    let mut rows = Vec::new();
    add_settings("", &serde_json::from_str(json).unwrap_or_default(), &mut rows);
    let table = html! {
        table { @for (name, value) in &rows { tr { td { (name) } td { (value) } } } }
    };
    folded("Settings", &table)
}

/// Adds the settings in `value`, with the names of nested ones joined by dots; null is left out.
fn add_settings(name: &str, value: &Value, rows: &mut Vec<(String, String)>) {
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
            rows.push((name.into(), shown));
        }
    }
}

fn folded(summary: &str, content: &Markup) -> Markup {
    html! { details { summary { (summary) } (content) } }
}

/// The coverage with a capital letter.
fn sentence(coverage: &Coverage) -> String {
    let text = coverage.to_string();
    text[..1].to_uppercase() + &text[1..]
}

/// A list of warnings; empty without any.
pub(super) fn warnings<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Markup {
    let mut texts = texts.into_iter().peekable();
    html! {
        @if texts.peek().is_some() {
            h2 { "Warnings" }
            ul.warnings { @for text in texts { li { (text.as_ref()) } } }
        }
    }
}

/// A table with a row for each topic, which links to its section.
fn topics(page: &RunPage<'_>) -> Markup {
    let model = page.model;
    let largest = model.topics.iter().map(|topic| topic.shares.size()).fold(0.0, f64::max);
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    let has_proposed = page.names.iter().any(|name| matches!(name, TopicName::Proposed(_)));
    html! {
        h2 id="topics" { "Topics" }
        p.q {
            "The share of documents is p(topic) of a document drawn evenly: the mean of what each document has of the \
             topic where topics are refined or the model gives no correlations, else what the model itself says."
            @if has_proposed {
                " A name marked as proposed is a phrase that sets the topic's clearest documents apart; nobody has given \
                 it to the topic."
            }
        }
        div.scroll {
            table.topics {
                tr {
                    th.n { "topic" } th { "name" } th.n { "share of tokens" } th {} th.n { "share of documents" }
                    @for scores in &model.judgements { th.n { (metric_of(scores.task).id) } }
                    th { "most probable words" }
                }
                @for (number, (topic, name)) in model.topics.iter().zip(&page.names).enumerate() {
                    tr data-topic={ "t" (number) } {
                        td.n { (number) }
                        td { a href={ "#t" (number) } { (name.markup()) } }
                        td.n.wide { (topic.shares.token_share.map_or("–".into(), percent)) }
                        td.wide {
                            span.bar style=(format!("width:{:.1}rem", 6.0 * topic.shares.size() / largest)) {}
                        }
                        td.n { (percent(topic.shares.document_share)) }
                        @for scores in &model.judgements { (judged(scores, TopicNumber::from_index(number))) }
                        td {
                            @for &(word, _) in topic.words.iter().take(WORDS) { (model.words[word]) " " }
                        }
                    }
                }
            }
        }
    }
}

/// The cell with people's score of a topic; its tooltip has the interval and the number of answers.
fn judged(scores: &TaskScores, topic: TopicNumber) -> Markup {
    let Some(score) = scores.topics.iter().find(|score| score.topic == Some(topic.0)) else {
        return html! { td.wide {} };
    };
    let interval = score
        .interval
        .map(|(low, high)| format!("{} to {}, ", four_digits(low), four_digits(high)));
    let (interval, answers) = (interval.unwrap_or_default(), score.answers);
    html! { td.n.wide title={ (interval) (answers) " answers" } { (four_digits(score.value)) } }
}

fn metrics(model: &SavedModel<'_>) -> Markup {
    let of_run = model.metrics.iter().filter(|metric| metric.topic.is_none());
    let is_first =
        |metric: &&Metric| MetricDef::tagged(Tag::Summary).any(|def| def.id == metric.name);
    let (first, others): (Vec<_>, Vec<_>) = of_run.partition(is_first);
    html! {
        h2 { "Metrics" }
        (metric_table(&first))
        (folded(&format!("{} others", others.len()), &metric_table(&others)))
    }
}

fn metric_table(metrics: &[&Metric]) -> Markup {
    html! {
        table {
            tr { th { "metric" } th.n { "value" } }
            @for metric in metrics {
                tr {
                    td { (metric.name) }
                    td.n {
                        (with_error(metric.value, metric.standard_error()))
                        @if let Some((low, high)) = interval(metric) { " (" (four_digits(low)) " to " (four_digits(high)) ")" }
                    }
                }
            }
        }
    }
}

/// The style of the page: no fonts or pictures from elsewhere.
const STYLE: &str = include_str!("style.css");

/// The whole page. Control characters and those that reverse the direction of text are blanks in it, wherever they
/// come from.
pub(super) fn page(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { h1 { (title) } (body) }
        }
    };
    page.into_string().replace(|c: char| c != '\n' && is_unsafe(c), " ") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_a_page_becomes_markup_or_turns_the_direction_of_what_follows() {
        let hostile = "<script>alert(\"1\")</script> & \u{202e}'\u{0}\u{1b}[1m";
        let found = page(hostile, &html! { p title=(hostile) { (hostile) } (warnings([hostile])) });
        assert!(!found.contains("<script") && !found.contains(['\u{202e}', '\u{0}', '\u{1b}']));
        let shown = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp;  '  [1m";
        assert!(found.contains(&format!("<title>{shown}</title>")), "{found}");
        assert!(found.contains(&format!("<p title=\"{shown}\">{shown}</p>")), "{found}");
        assert!(found.contains(&format!("<li>{shown}</li>")), "{found}");
    }
}
