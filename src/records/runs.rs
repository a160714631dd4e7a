//! Runs.

use serde_json::json;

use super::column::{Column, First, Kind, Width};
use topoi_core::metric::coherence::variants::NPMI;
use topoi_run::life::Vitality;
use topoi_run::request::presets::Preset;
use topoi_run::request::settings::RUN_SETTINGS;
use topoi_run::request::{Origin, RunRequest, RunSettings};
use topoi_run::vocabulary::choice::VocabularyChoice;
use topoi_run::vocabulary::in_words::vocabulary_in_words;
use topoi_store::result::warning::Warning;
use topoi_store::run::progress::Progress;
use topoi_store::run::{Run, RunStatus};

/// A run in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRow {
    pub run: Run,
    pub vitality: Vitality,
    /// How far it is, while it is under way. Its `age` is whole seconds.
    pub progress: Option<Progress>,
    /// Seconds that the whole run has left, where anything tells.
    pub seconds_left: Option<f64>,
    /// Seconds since its worker was heard of, where that matters.
    pub silent_for: Option<u64>,
    /// The mean coherence of its topics.
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
            .listed(Width::Share(1))
            .listed_from(72, Width::Cells(10))
            .listed_from(100, Width::Share(2))
            .listed_as(corpus)
            .sorted(First::Smallest),
        Column::new("model", Kind::Text, |row: &Row| json!(row.run.model))
            .listed(Width::Cells(9))
            .sorted(First::Smallest),
        Column::new("k", Kind::Number, |row: &Row| json!(row.run.k))
            .listed(Width::Cells(6))
            .sorted(First::Largest),
        Column::new("terms", Kind::Count, |row: &Row| json!(row.run.terms))
            .listed_from(120, Width::Cells(7)),
        Column::new("vocabulary", Kind::Text, |row: &Row| json!(vocabulary(&row.run)))
            .listed_from(128, Width::Cells(10))
            .listed_as(|row| Some(vocabulary_in_short(&row.run))),
        Column::new("seed", Kind::Number, |row: &Row| json!(row.run.seed))
            .listed_from(130, Width::Cells(4)),
        Column::new("status", Kind::Text, |row: &Row| json!(row.word()))
            .titled("state")
            .listed(Width::Cells(12))
            .sorted(First::Smallest),
        Column::new("progress", Kind::Drawn, |row: &Row| {
            json!(row.progress.as_ref().and_then(|progress| progress.share))
        })
        .listed_from(72, Width::Share(1))
        .listed_from(100, Width::Share(3))
        .not_printed()
        .not_exported(),
        Column::new("left", Kind::Seconds, |row: &Row| json!(row.seconds_left))
            .listed_from(72, Width::Cells(5))
            .listed_as(|row| {
                let is_unknown = row.is_under_way() && row.seconds_left.is_none();
                is_unknown.then(|| "?".into())
            })
            .sorted(First::Smallest)
            .not_printed()
            .not_exported(),
        Column::new("seconds", Kind::Seconds, |row: &Row| json!(row.run.seconds)),
        Column::new("memory_mb", Kind::Measure, |row: &Row| {
            json!(row.run.peak_memory_bytes.map(|bytes| bytes as f64 / 1e6))
        }),
        Column::new(NPMI.id, Kind::Measure, |row: &Row| json!(row.npmi))
            .listed(Width::Cells(7))
            .sorted(First::Largest)
            .not_exported(),
        Column::new("warnings", Kind::Text, |row: &Row| json!(names(&row.warnings)))
            .printed_as(|row| names(&row.warnings).join(" ")),
        Column::new("documents", Kind::Text, |row: &Row| json!(share(&row.run))),
        Column::new("created_at", Kind::Time, |row: &Row| json!(row.run.created_at)),
        Column::new("settings", Kind::Text, |row: &Row| json!(row.run.settings)).not_printed(),
        Column::new("name", Kind::Text, |row: &Row| json!(row.run.name)).not_printed(),
        Column::new("note", Kind::Text, |row: &Row| json!(row.run.note)).not_printed(),
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

/// The name of its vocabulary, or by which rules its terms are chosen; `None` where its settings do not say.
fn vocabulary(run: &Run) -> Option<String> {
    let settings = RunSettings::of(run).ok()?;
    Some(match settings.vocabulary {
        Some(VocabularyChoice::Saved(name)) => name,
        _ => vocabulary_in_words(&settings),
    })
}

/// The name of its vocabulary, or a word where it has none and is not made of the best terms alone.
fn vocabulary_in_short(run: &Run) -> String {
    match RunSettings::of(run).ok().and_then(|settings| settings.vocabulary) {
        Some(VocabularyChoice::Saved(name)) => name,
        Some(VocabularyChoice::Rules(_)) => "rules".into(),
        Some(VocabularyChoice::Used(_) | VocabularyChoice::Without { .. }) => "of a run".into(),
        None => String::new(),
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

/// How a run was asked for, in words; settings of its model only where they are not the usual ones.
pub fn settings_in_words(run: &Run) -> Option<String> {
    let request = RunRequest::of(run).ok()?;
    let mut words: Vec<String> =
        RUN_SETTINGS.iter().filter_map(|setting| setting.in_words(&request)).collect();
    let usual = Preset::Usual.of(request.clone()).origin;
    if let (Origin::Model(model), Origin::Model(usual)) = (&request.origin, &usual) {
        let changed: Vec<String> = model
            .any()
            .settings()
            .into_iter()
            .zip(usual.any().settings())
            .filter(|((_, own), (_, usual))| own != usual)
            .map(|((own, value), (_, usual))| format!("{} {value}, usually {usual}", own.name))
            .collect();
        words.push(match changed.is_empty() {
            true => format!("{} as usual", model.name()),
            false => format!("{} with {}", model.name(), changed.join("; ")),
        });
    }
    Some(words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_told_in_words_and_those_of_a_model_only_where_they_are_unusual() {
        let mut request = RunRequest::new("c", 20);
        let run = |request: &RunRequest| Run {
            model: request.origin.name().into(),
            settings: request.saved_settings(),
            ..Run::default()
        };
        assert_eq!(
            settings_in_words(&run(&request)).as_deref(),
            Some(
                "the 5,000 best terms, documents of 5 tokens or more, finished by up to 30 passes, \
                 lr-jsmf as usual"
            )
        );
        request.settings.documents = false;
        let run_of_50 = |run: Run| {
            let settings = run.settings.replace("\"iterations\":3", "\"iterations\":50");
            Run { settings, ..run }
        };
        let words = settings_in_words(&run_of_50(run(&request))).expect("words");
        assert!(words.ends_with("documents, lr-jsmf with iterations 50, usually 3"), "{words}");
        assert_eq!(settings_in_words(&Run { settings: "no JSON".into(), ..Run::default() }), None);
    }
}
