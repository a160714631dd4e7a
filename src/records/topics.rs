//! Topics of a run.

use serde_json::{Value, json};

use super::column::{Column, First, Kind, Width};
use topoi_core::metric::MetricDef;
use topoi_core::metric::definition::Tag;
use topoi_run::saved::same_topic::TopicElsewhere;
use topoi_store::result::metric::Metric;
use topoi_store::result::topic::{Topic, Word};

/// Width of a metric's column in the workbench.
const METRIC: Width = Width::Cells(11);
/// Minimum width of a list with one column of metrics; each further one needs `FURTHER_METRIC` cells more. In
/// narrower lists the words get the space.
const FIRST_METRIC: u16 = 120;
const FURTHER_METRIC: u16 = 40;
/// Title of a topic's share of the tokens in the workbench.
pub const TOKEN_SHARE: &str = "of tokens";
/// Width of a percentage after a short bar.
const SHARE_CELLS: usize = 10;
/// Maximum number of columns of metrics in the workbench.
const MOST_METRICS: u16 = 3;

/// A topic in a list, with all metrics of its run.
#[derive(Debug, Clone, Copy)]
pub struct TopicRow<'a> {
    pub topic: &'a Topic,
    pub metrics: &'a [Metric],
    /// A name that nobody has given it.
    pub proposed: Option<&'a str>,
}

/// The columns of a run's topics, with one for each metric that topics have.
pub fn columns<'a>(metrics: &[Metric]) -> Vec<Column<TopicRow<'a>>> {
    let mut columns = vec![
        Column::new("topic", Kind::Number, |row: &TopicRow<'_>| json!(row.topic.topic))
            .listed(Width::Cells(6))
            .sorted(First::Smallest),
        Column::new("token_share", Kind::Share, |row: &TopicRow<'_>| {
            json!(row.topic.shares.token_share)
        })
        .titled(TOKEN_SHARE)
        .listed(Width::Cells(SHARE_CELLS))
        .listed_from(100, Width::Cells(SHARE_CELLS + 4))
        .sorted(First::Largest),
        Column::new("document_share", Kind::Share, |row: &TopicRow<'_>| {
            json!(row.topic.shares.document_share)
        })
        .titled("of documents")
        .listed_from(100, Width::Cells(12)),
        Column::new("anchor", Kind::Text, |row: &TopicRow<'_>| json!(row.topic.anchor)),
        Column::new("label", Kind::Text, |row: &TopicRow<'_>| json!(row.topic.label)).not_printed(),
        Column::new("labelled_by", Kind::Text, |row: &TopicRow<'_>| json!(row.topic.labelled_by))
            .not_printed(),
        Column::new("words", Kind::Text, |row: &TopicRow<'_>| line(&row.topic.words))
            .listed(Width::Share(1))
            .listed_as(labelled),
    ];
    columns.extend(metric_names(metrics).into_iter().zip(0..).map(metric));
    columns.push(
        Column::new("characteristic", Kind::Text, |row: &TopicRow<'_>| {
            line(&row.topic.characteristic)
        })
        .not_exported(),
    );
    columns
}

fn line(words: &[Word]) -> Value {
    Value::String(words.iter().map(|word| word.word.as_str()).collect::<Vec<_>>().join(" "))
}

/// The names of the metrics of topics, most important first.
fn metric_names(metrics: &[Metric]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for metric in metrics.iter().filter(|metric| metric.topic.is_some()) {
        if !names.contains(&metric.name) {
            names.push(metric.name.clone());
        }
    }
    // The most important metrics come first.
    let first: Vec<&str> = MetricDef::tagged(Tag::TopicList).map(|metric| metric.id).collect();
    let rank = |name: &String| first.iter().position(|first| first == name);
    names.sort_by_key(|name| rank(name).unwrap_or(first.len()));
    names
}

fn metric<'a>((name, place): (String, u16)) -> Column<TopicRow<'a>> {
    let title = name.clone();
    let value = move |row: &TopicRow<'_>| {
        let is_it = |metric: &&Metric| metric.topic == Some(row.topic.topic) && metric.name == name;
        json!(row.metrics.iter().find(is_it).map(|metric| metric.value))
    };
    let column = Column::new(title, Kind::Measure, value).sorted(First::Largest).not_printed();
    if place >= MOST_METRICS {
        return column;
    }
    column.listed_from(FIRST_METRIC + place * FURTHER_METRIC, METRIC)
}
/// The counterpart of a topic in another run.
pub fn elsewhere() -> Vec<Column<TopicElsewhere>> {
    type Row = TopicElsewhere;
    vec![
        Column::new("run", Kind::Number, |row: &Row| json!(row.run.id)).listed(Width::Cells(5)),
        Column::new("model", Kind::Text, |row: &Row| json!(row.run.model))
            .listed_from(60, Width::Cells(10)),
        Column::new("k", Kind::Number, |row: &Row| json!(row.run.k)).listed(Width::Cells(4)),
        Column::new("overlap", Kind::Measure, |row: &Row| json!(row.overlap))
            .listed(Width::Cells(8))
            .sorted(First::Largest),
        Column::new("topic", Kind::Number, |row: &Row| json!(row.topic.topic))
            .listed(Width::Cells(6)),
        Column::new("label", Kind::Text, |row: &Row| json!(row.topic.label)),
        Column::new("words", Kind::Text, |row: &Row| line(&row.topic.words))
            .listed(Width::Share(1))
            .listed_as(|row| {
                labelled(&TopicRow { topic: &row.topic, metrics: &[], proposed: None })
            }),
    ]
}

/// The label that a user gave the topic.
fn labelled(row: &TopicRow<'_>) -> Option<String> {
    let words = line(&row.topic.words);
    let words = words.as_str().unwrap_or_default();
    match (&row.topic.label, row.proposed) {
        (Some(label), _) => Some(format!("\"{label}\" {words}")),
        (None, Some(proposed)) => Some(format!("{} {words}", as_proposed(proposed))),
        (None, None) => None,
    }
}

/// A proposed name, marked as such.
pub fn as_proposed(name: &str) -> String {
    format!("({name}?)")
}
