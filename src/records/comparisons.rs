//! Compared runs: pairs of topics, and metrics by run.

use serde_json::{Value, json};

use super::column::{Column, First, Kind, Width};
use topoi_run::saved::compare::{Better, ComparedMetric, Comparison, WEAK, exchange};
use topoi_store::id::RunId;
use topoi_store::result::topic::Topic;

/// A topic of the first run and its match in another run; one of the two may be missing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairRow<'a> {
    /// The numbers of the two runs.
    pub runs: (RunId, RunId),
    pub first: Option<&'a Topic>,
    pub other: Option<&'a Topic>,
    /// Cosine similarity; `None` for unmatched topics.
    pub similarity: Option<f64>,
}

impl PairRow<'_> {
    /// Whether the two are matched only for lack of a better match.
    pub fn is_weak(&self) -> bool {
        self.similarity.is_some_and(|similarity| similarity < WEAK)
    }
}

/// The columns of pairs, with `words` words of a topic.
pub fn pairs<'a>(words: usize) -> Vec<Column<PairRow<'a>>> {
    type Row<'a> = PairRow<'a>;
    let of_topic =
        move |topic: &Topic| line(topic.words.iter().map(|word| word.word.as_str()).take(words));
    let both = |row: &PairRow<'a>| row.first.zip(row.other);
    vec![
        Column::new("run", Kind::Number, |row: &Row<'_>| json!(row.runs.0)),
        Column::new("topic", Kind::Number, |row: &Row<'_>| json!(row.first.map(|it| it.topic))),
        Column::new("other_run", Kind::Number, |row: &Row<'_>| json!(row.runs.1)),
        Column::new("other_topic", Kind::Number, |row: &Row<'_>| {
            json!(row.other.map(|it| it.topic))
        }),
        Column::new("similarity", Kind::Measure, |row: &Row<'_>| json!(row.similarity)),
        Column::new("label", Kind::Text, |row: &Row<'_>| {
            let mut topics = row.first.into_iter().chain(row.other);
            json!(topics.find_map(|topic| topic.label.as_ref()))
        }),
        Column::new("words", Kind::Text, move |row: &Row<'_>| json!(row.first.map(of_topic))),
        Column::new("gained", Kind::Text, move |row: &Row<'a>| match (both(row), row.other) {
            (Some((first, other)), _) => {
                line(exchange(first, other).gained.into_iter().take(words))
            }
            (None, other) => json!(other.map(of_topic)),
        }),
        Column::new("lost", Kind::Text, move |row: &Row<'a>| {
            let lost = |(first, other)| exchange(first, other).lost.into_iter().take(words);
            json!(both(row).map(|both| line(lost(both))))
        }),
    ]
}

fn line<'a>(words: impl Iterator<Item = &'a str>) -> Value {
    Value::String(words.collect::<Vec<_>>().join(" "))
}

/// The columns of the metrics of these runs.
pub fn metrics(runs: impl IntoIterator<Item = RunId>) -> Vec<Column<ComparedMetric>> {
    type Row = ComparedMetric;
    let names: Vec<String> = runs.into_iter().map(|run| format!("run {run}")).collect();
    let mut columns = vec![
        Column::new("metric", Kind::Text, |row: &Row| json!(row.name))
            .listed(Width::Cells(24))
            .sorted(First::Smallest),
    ];
    columns.extend(names.iter().enumerate().map(|(at, name)| {
        Column::new(name.clone(), Kind::Measure, move |row: &Row| json!(row.values[at]))
            .listed(Width::Cells(10))
            .with_error(move |row| row.standard_errors[at])
    }));
    columns.push(
        Column::new("uncertainty", Kind::Measure, |row: &Row| json!(row.uncertainty))
            .not_printed()
            .titled("noise")
            .listed(Width::Cells(8)),
    );
    columns.push(
        Column::new("better", Kind::Text, move |row: &Row| json!(row.best.map(|at| &names[at])))
            .listed(Width::Share(1))
            // The list marks the best run; this column has the better direction.
            .listed_as(|row| Some(direction(row.better).into())),
    );
    columns
}

/// The columns of standard errors, for runs that have estimates.
pub fn errors(found: &Comparison) -> impl Iterator<Item = Column<ComparedMetric>> {
    let runs = found.runs.iter().enumerate();
    let is_estimate =
        |at: usize| found.metrics.iter().any(|metric| metric.standard_errors[at].is_some());
    runs.filter(move |(at, _)| is_estimate(*at)).map(|(at, run)| {
        let error = move |row: &ComparedMetric| json!(row.standard_errors[at]);
        Column::new(format!("run {} error", run.run.id), Kind::Measure, error)
    })
}

fn direction(better: Option<Better>) -> &'static str {
    match better {
        Some(Better::Larger) => "larger",
        Some(Better::Smaller) => "smaller",
        Some(Better::NearOne) => "near 1",
        None => "",
    }
}
