//! What a job will do and cost, shown before it starts. Nothing is written.

use std::path::PathBuf;

use super::form::{JobForm, expanded};
use super::kind::JobKind;
use crate::cli::remedy::explained;
use crate::tui::question::{Question, QuestionContext};
use crate::tui::view::text;
use topoi_core::numbers::{counted, thousands};
use topoi_ingest::IngestRequest;
use topoi_ingest::reading::{DryDocument, dry_run};
use topoi_run::export::drawing::FigureFormat;
use topoi_run::export::format::Format;
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Store, StoreError};

/// Documents of each source that are shown.
const DOCUMENTS: usize = 2;
/// Documents that are shown in all.
const SHOWN: usize = 4;
/// Words of a document that are shown.
const WORDS: usize = 8;

/// What a job would do, in lines for people, or why it cannot run.
pub type Estimate = Result<Vec<String>, String>;

/// What the job of this form would do.
#[derive(Debug, Clone, PartialEq)]
pub struct EstimateQuestion {
    pub form: JobForm,
}

impl Question for EstimateQuestion {
    type Answer = Estimate;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Estimate, StoreError> {
        let (store, form) = (asking.store, &self.form);
        Ok(match form.kind {
            JobKind::Ingest => ingest(store, form),
            JobKind::Delete => delete(store, form),
            JobKind::Export => export(store, form),
            JobKind::Figure => figure(store, form),
            JobKind::HeldOut => held_out(store, form),
        })
    }
}

fn ingest(store: &Store, form: &JobForm) -> Estimate {
    let files = PathBuf::from(expanded(form.value("files")));
    let table = form.value("table");
    let metadata = (!table.is_empty()).then(|| PathBuf::from(expanded(table)));
    let request = IngestRequest { metadata, ..IngestRequest::new(form.value("corpus"), [files]) };
    let (files, bytes) = request.size().map_err(|error| explained(&error))?;
    let found = dry_run(Some(store), &request, DOCUMENTS).map_err(|error| explained(&error))?;
    let known = store.corpora().map_err(|error| explained(&error))?;
    let there = known.iter().find(|corpus| corpus.name == request.corpus);
    let mut lines = vec![match there {
        Some(corpus) => {
            format!("adds to {}, which has {} documents", corpus.name, thousands(corpus.documents))
        }
        None => format!("makes the corpus {}", request.corpus),
    }];
    let format = found.first().map_or("nothing", |document| document.format.name());
    lines.push(format!(
        "{} of {}, read as {format}; the first documents:",
        counted(files, "file"),
        size(bytes)
    ));
    lines.extend(found.iter().take(SHOWN).map(of_document));
    lines.push("It can be watched here: documents appear as they are saved.".into());
    Ok(lines)
}

fn of_document(document: &DryDocument) -> String {
    match &document.problem {
        Some(problem) => format!("{}: left out, {problem}", document.key),
        None => {
            let words: Vec<&str> = document.tokens.iter().take(WORDS).map(String::as_str).collect();
            format!("{}: {} …", document.key, words.join(" "))
        }
    }
}

fn delete(store: &Store, form: &JobForm) -> Estimate {
    let corpus = store.corpus(form.value("corpus")).map_err(|error| explained(&error))?;
    let of = store.count_corpus_contents(corpus.id).map_err(|error| explained(&error))?;
    Ok(vec![
        format!(
            "{} with {}, {} and {} would be gone.",
            corpus.name,
            counted(corpus.documents, "document"),
            counted(corpus.tokens, "token"),
            counted(of.runs, "run"),
        ),
        "It cannot be undone; `topoi backup` copies the store first.".into(),
    ])
}

fn finished(store: &Store, form: &JobForm) -> Result<Run, String> {
    let number = form.value("run");
    let id = number.parse().map_err(|_| format!("run is {number:?}, but must be a number"))?;
    let run = store.run(id).map_err(|error| explained(&error))?;
    match run.status {
        RunStatus::Finished => Ok(run),
        _ => Err(format!("run {id} is {}; only finished runs have topics", run.status.as_str())),
    }
}

fn export(store: &Store, form: &JobForm) -> Estimate {
    let run = finished(store, form)?;
    let name = form.value("as");
    let format = Format::named(name).ok_or_else(|| format!("there is no format {name:?}"))?;
    let place = match form.value("into") {
        "" => format.default_path(run.id),
        into => PathBuf::from(expanded(into)),
    };
    let place = std::path::absolute(&place).unwrap_or(place);
    if place.exists() {
        return Err(format!("{} is there already; give another place", place.display()));
    }
    let documents = store.corpus_by_id(run.corpus_id).map_err(|error| explained(&error))?.documents;
    Ok(vec![
        format!("writes {}", place.display()),
        format!(
            "{} of {} terms, and what {} of {} are about",
            counted(run.k, "topic"),
            thousands(run.terms.unwrap_or_default()),
            counted(documents, "document"),
            run.corpus,
        ),
    ])
}

fn figure(store: &Store, form: &JobForm) -> Estimate {
    let run = finished(store, form)?;
    let (into, name) = (form.value("into"), form.value("keep as"));
    let mut lines = Vec::new();
    if !into.is_empty() || name.is_empty() {
        let usual = format!("run-{}.svg", run.id);
        let place = PathBuf::from(if into.is_empty() { usual } else { expanded(into) });
        FigureFormat::from_path(&place).map_err(|error| explained(&error))?;
        let place = std::path::absolute(&place).unwrap_or(place);
        if place.exists() {
            return Err(format!("{} is there already; give another place", place.display()));
        }
        lines.push(format!("writes {}", place.display()));
    }
    if !name.is_empty() {
        match store.result(name) {
            Err(StoreError::UnknownResult(_)) => lines.push(format!("keeps it as result {name}")),
            Ok(_) => return Err(format!("there is a result {name:?} already")),
            Err(error) => return Err(explained(&error)),
        }
    }
    Ok(lines)
}

fn held_out(store: &Store, form: &JobForm) -> Estimate {
    let run = finished(store, form)?;
    let splits: u64 =
        form.value("splits").parse().map_err(|_| "splits is a whole number".to_string())?;
    let share: f64 = form.value("share").parse().map_err(|_| "share is a number".to_string())?;
    if !(share > 0.0 && share < 1.0 && (1..=1000).contains(&splits)) {
        return Err("share is above 0 and below 1, splits from 1 to 1000".into());
    }
    let documents = store.corpus_by_id(run.corpus_id).map_err(|error| explained(&error))?.documents;
    let left = (documents as f64 * (1.0 - share)).round() as u64;
    let mut lines = vec![format!(
        "{} like run {} ({}, k {}), each of {} and scored by {} others",
        counted(splits, "run"),
        run.id,
        run.model,
        run.k,
        counted(left, "document"),
        thousands(documents - left),
    )];
    lines.push(match run.seconds {
        Some(seconds) => format!(
            "about {}: run {} took {}",
            text::duration(seconds * splits as f64),
            run.id,
            text::duration(seconds)
        ),
        None => "how long they take is not known".into(),
    });
    Ok(lines)
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => counted(bytes, "byte"),
        1_000..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}
