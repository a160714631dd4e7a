//! Runs.

use serde_json::json;

use super::column::{Column, First, Kind, Width};
use topoi::metric::coherence::variants::NPMI;
use topoi::run::life::Vitality;
use topoi::run::request::RunSettings;
use topoi::store::result::warning::Warning;
use topoi::store::run::progress::Progress;
use topoi::store::run::{Run, RunStatus};

/// A run in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRow {
    pub run: Run,
    pub vitality: Vitality,
    /// How far it is, while it is under way. Its `age` is whole seconds.
    pub progress: Option<Progress>,
    /// Seconds left in the stage, where its pace tells.
    pub seconds_left: Option<f64>,
    /// Seconds since its worker was heard of, where that matters.
    pub silent_for: Option<u64>,
    /// The mean coherence of its topics, for lists that are printed.
    pub npmi: Option<f64>,
    /// Why it should not be trusted as it is, the gravest first.
    pub warnings: Vec<Warning>,
}

impl RunRow {
    /// The word for how the run fares; the same word everywhere.
    pub fn word(&self) -> &'static str {
        self.vitality.word(self.run.status)
    }

    /// The word, and how many warnings there are, where there are any: "finished !2".
    pub fn marked_word(&self) -> String {
        match self.warnings.len() {
            0 => self.word().into(),
            count => format!("{} !{count}", self.word()),
        }
    }

    /// Whether a worker may still be working on it.
    pub fn is_under_way(&self) -> bool {
        self.run.status == RunStatus::Running && self.vitality != Vitality::Lost
    }
}

pub fn columns() -> Vec<Column<RunRow>> {
    type Row = RunRow;
    vec![
        Column::new("run", Kind::Number, |row: &Row| json!(row.run.id))
            .listed(Width::Cells(5))
            .sorted(First::Smallest),
        Column::new("corpus", Kind::Text, |row: &Row| json!(row.run.corpus))
            .listed(Width::Cells(8))
            .listed_from(72, Width::Cells(10))
            .listed_from(100, Width::Share(1))
            .listed_as(corpus)
            .sorted(First::Smallest),
        Column::new("model", Kind::Text, |row: &Row| json!(row.run.model))
            .listed_from(100, Width::Cells(9))
            .sorted(First::Smallest),
        Column::new("k", Kind::Number, |row: &Row| json!(row.run.k))
            .listed(Width::Cells(4))
            .sorted(First::Largest),
        Column::new("terms", Kind::Count, |row: &Row| json!(row.run.terms))
            .listed_from(100, Width::Cells(7)),
        Column::new("seed", Kind::Number, |row: &Row| json!(row.run.seed)),
        Column::new("status", Kind::Text, |row: &Row| json!(row.word()))
            .titled("state")
            .listed(Width::Cells(11))
            .sorted(First::Smallest),
        Column::new("progress", Kind::Drawn, |row: &Row| {
            let share = |p: &Progress| p.step as f64 / p.total.max(1) as f64;
            json!(row.progress.as_ref().map(share))
        })
        .listed(Width::Share(2))
        .not_printed()
        .not_exported(),
        Column::new("left", Kind::Seconds, |row: &Row| json!(row.seconds_left))
            .listed(Width::Cells(6))
            .listed_as(|row| {
                let is_unknown = row.is_under_way() && row.seconds_left.is_none();
                is_unknown.then(|| "?".into())
            })
            .sorted(First::Smallest)
            .not_printed()
            .not_exported(),
        Column::new("residual", Kind::Measure, |row: &Row| {
            json!(row.progress.as_ref().and_then(|progress| progress.residual))
        })
        .listed_from(72, Width::Cells(8))
        .not_printed()
        .not_exported(),
        Column::new("seconds", Kind::Seconds, |row: &Row| json!(row.run.seconds)),
        Column::new("memory_mb", Kind::Measure, |row: &Row| {
            json!(row.run.peak_memory_bytes.map(|bytes| bytes as f64 / 1e6))
        }),
        Column::new(NPMI.id, Kind::Measure, |row: &Row| json!(row.npmi)).not_exported(),
        Column::new("warnings", Kind::Text, |row: &Row| json!(names(&row.warnings)))
            .printed_as(|row| names(&row.warnings).join(" ")),
        Column::new("documents", Kind::Text, |row: &Row| json!(share(&row.run))),
        Column::new("created_at", Kind::Time, |row: &Row| json!(row.run.created_at)),
        Column::new("settings", Kind::Text, |row: &Row| json!(row.run.settings)).not_printed(),
        Column::new("error", Kind::Text, |row: &Row| json!(row.run.error)).not_printed(),
    ]
}

/// The corpus, and the share of its documents where those are not all.
fn corpus(row: &RunRow) -> Option<String> {
    match RunSettings::share_of_documents(&row.run) {
        1.0 => None,
        share => Some(format!("{:.0}% {}", 100.0 * share, row.run.corpus)),
    }
}

pub fn names(warnings: &[Warning]) -> Vec<&str> {
    warnings.iter().map(|warning| warning.name.as_str()).collect()
}

/// Which part of the corpus a run is made from.
fn share(run: &Run) -> String {
    match RunSettings::share_of_documents(run) {
        1.0 => "all".into(),
        share => format!("{:.0}%", 100.0 * share),
    }
}
