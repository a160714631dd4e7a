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

/// Letters of a note in a table of runs.
const NOTE_LETTERS: usize = 40;

/// A run in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRow {
    pub run: Run,
    pub vitality: Vitality,
    /// Progress of a run that is under way. Its `age` is in whole seconds.
    pub progress: Option<Progress>,
    /// Estimated remaining seconds of the whole run.
    pub seconds_left: Option<f64>,
    /// Seconds since the last heartbeat of its worker, if the worker may be stalled.
    pub silent_for: Option<u64>,
    /// Mean coherence of its topics.
    pub npmi: Option<f64>,
    /// Documents added to its corpus since, without those assigned to its topics; `None` where it does not say.
    pub added_since: Option<u64>,
    /// Warnings, most severe first.
    pub warnings: Vec<Warning>,
}

impl RunRow {
    /// The state of the run in one word.
    pub fn word(&self) -> &'static str {
        self.vitality.word(self.run.status)
    }

    /// The state with the number of warnings, if any, and a mark where documents came to the corpus since:
    /// "finished !2+".
    pub fn marked_word(&self) -> String {
        let unseen = if self.added_since.is_some_and(|added| added > 0) { "+" } else { "" };
        match self.warnings.len() {
            0 if unseen.is_empty() => self.word().into(),
            0 => format!("{} {unseen}", self.word()),
            count => format!("{} !{count}{unseen}", self.word()),
        }
    }

    /// Whether a worker may be working on it.
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
        Column::new("added_since", Kind::Count, |row: &Row| json!(row.added_since))
            .titled("unseen")
            .listed_from(112, Width::Cells(7)),
        Column::new("created_at", Kind::Time, |row: &Row| json!(row.run.created_at)),
        Column::new("settings", Kind::Text, |row: &Row| json!(row.run.settings)).not_printed(),
        Column::new("name", Kind::Text, |row: &Row| json!(row.run.name)),
        Column::new("note", Kind::Text, |row: &Row| json!(row.run.note))
            .printed_as(|row| beginning(row.run.note.as_deref().unwrap_or_default())),
        Column::new("error", Kind::Text, |row: &Row| json!(row.run.error)).not_printed(),
    ]
}

/// The first letters of a note.
fn beginning(note: &str) -> String {
    let begins: String = note.chars().take(NOTE_LETTERS).collect();
    if begins.len() < note.len() { begins + "…" } else { begins }
}

/// The corpus, with the share of its documents unless the run has all.
fn corpus(row: &RunRow) -> Option<String> {
    match RunSettings::share_of_documents(&row.run) {
        1.0 => None,
        share => Some(format!("{:.0}% {}", 100.0 * share, row.run.corpus)),
    }
}

/// The name or the rules of its vocabulary; `None` if its settings cannot be parsed.
fn vocabulary(run: &Run) -> Option<String> {
    let settings = RunSettings::from_run(run).ok()?;
    Some(match settings.vocabulary {
        Some(VocabularyChoice::Saved(name)) => name,
        _ => vocabulary_in_words(&settings),
    })
}

/// The name of its vocabulary, or a word for other rules than the best terms.
fn vocabulary_in_short(run: &Run) -> String {
    match RunSettings::from_run(run).ok().and_then(|settings| settings.vocabulary) {
        Some(VocabularyChoice::Saved(name)) => name,
        Some(VocabularyChoice::Rules(_)) => "rules".into(),
        Some(VocabularyChoice::Used(_) | VocabularyChoice::Without { .. }) => "of a run".into(),
        None => String::new(),
    }
}

pub fn names(warnings: &[Warning]) -> Vec<&str> {
    warnings.iter().map(|warning| warning.name.as_str()).collect()
}

/// The part of the corpus that a run is fitted to.
fn share(run: &Run) -> String {
    match RunSettings::share_of_documents(run) {
        1.0 => "all".into(),
        share => format!("{:.0}%", 100.0 * share),
    }
}

/// The request of a run in words. Settings of its model are listed if they differ from the defaults.
pub fn settings_in_words(run: &Run) -> Option<String> {
    let request = RunRequest::from_run(run).ok()?;
    let mut words: Vec<String> =
        RUN_SETTINGS.iter().filter_map(|setting| setting.in_words(&request)).collect();
    let usual = Preset::Usual.apply_to(request.clone()).origin;
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
