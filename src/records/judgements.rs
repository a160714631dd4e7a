//! Scores of human judgements of a run's topics.

use serde_json::json;

use super::column::{Column, First, Kind, Width};
use topoi_core::judge::scores::{Score, TaskScores};
use topoi_core::metric::coherence::variants::NPMI;
use topoi_store::id::TopicNumber;
use topoi_store::result::metric::Metric;
use topoi_store::result::topic::Topic;

/// Number of words that describe a topic.
const WORDS: usize = 8;

/// A score of a topic, or of the run.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreRow {
    pub task: &'static str,
    pub topic: Option<TopicNumber>,
    pub score: f64,
    pub interval: Option<(f64, f64)>,
    pub answers: u64,
    pub judges: u64,
    /// Krippendorff's α of the run.
    pub agreement: Option<f64>,
    /// Coherence of the topic, or of the run.
    pub npmi: Option<f64>,
    /// The label of the topic, or its first words.
    pub name: String,
}

/// By task, the score of the run, then those of its topics.
pub fn rows(scores: &[TaskScores], topics: &[Topic], metrics: &[Metric]) -> Vec<ScoreRow> {
    let npmi = |topic: Option<TopicNumber>| {
        let is_it = |metric: &&Metric| metric.topic == topic && metric.name == NPMI.id;
        metrics.iter().find(is_it).map(|metric| metric.value)
    };
    let name = |topic: Option<TopicNumber>| {
        let found = topics.iter().find(|of| Some(of.topic) == topic)?;
        let words = found.words.iter().take(WORDS).map(|word| word.word.as_str());
        Some(found.label.clone().unwrap_or_else(|| words.collect::<Vec<_>>().join(" ")))
    };
    let row = |of: &TaskScores, score: &Score| ScoreRow {
        task: of.task.name(),
        topic: score.topic.map(TopicNumber),
        score: score.value,
        interval: score.interval,
        answers: score.answers,
        judges: score.judges,
        agreement: of.agreement.filter(|_| score.topic.is_none()),
        npmi: npmi(score.topic.map(TopicNumber)),
        name: name(score.topic.map(TopicNumber)).unwrap_or_else(|| "all topics".into()),
    };
    let of_task = |of: &TaskScores| {
        let all = std::iter::once(&of.whole).chain(&of.topics);
        all.map(|score| row(of, score)).collect::<Vec<_>>()
    };
    scores.iter().flat_map(of_task).collect()
}

pub fn columns() -> Vec<Column<ScoreRow>> {
    type Row = ScoreRow;
    let low = |row: &Row| row.interval.map(|(low, _)| low);
    let high = |row: &Row| row.interval.map(|(_, high)| high);
    vec![
        Column::new("task", Kind::Text, |row: &Row| json!(row.task))
            .listed(Width::Cells(7))
            .sorted(First::Smallest),
        Column::new("topic", Kind::Number, |row: &Row| json!(row.topic))
            .listed(Width::Cells(6))
            .sorted(First::Smallest),
        Column::new("score", Kind::Measure, |row: &Row| json!(row.score))
            .listed(Width::Cells(7))
            .sorted(First::Smallest),
        Column::new("low", Kind::Measure, move |row: &Row| json!(low(row))).listed(Width::Cells(7)),
        Column::new("high", Kind::Measure, move |row: &Row| json!(high(row)))
            .listed(Width::Cells(7)),
        Column::new("answers", Kind::Count, |row: &Row| json!(row.answers)).listed(Width::Cells(7)),
        Column::new("judges", Kind::Count, |row: &Row| json!(row.judges))
            .listed_from(100, Width::Cells(6)),
        Column::new("agreement", Kind::Measure, |row: &Row| json!(row.agreement))
            .listed_from(100, Width::Cells(9)),
        Column::new("npmi", Kind::Measure, |row: &Row| json!(row.npmi))
            .listed(Width::Cells(8))
            .sorted(First::Largest),
        Column::new("name", Kind::Text, |row: &Row| json!(row.name)).listed(Width::Share(1)),
    ]
}
