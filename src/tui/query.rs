//! Asking the store what a screen shows.

use std::time::Instant;

use super::data::{ChoiceOfK, Data, Query, RunDetail, RunMore, RunRow, RunSheet, RunView};
use super::pace::Pace;
use super::query_corpus;
use super::recall::Recall;
use super::state::run::WORDS;
use crate::records::corpora::corpora;
use topoi::run::choose_k::bounds::newest_bounds;
use topoi::run::choose_k::recommendation::recommendation;
use topoi::run::choose_k::sweep::sweep;
use topoi::run::life::{Vitality, vitality};
use topoi::run::request::RunSettings;
use topoi::run::saved::anchor_map::anchor_map;
use topoi::run::saved::compare::newest_two;
use topoi::run::saved::topic_images::topic_images;
use topoi::run::saved::topic_lifts::topic_lifts;
use topoi::store::run::{Run, RunStatus};
use topoi::store::{Store, StoreError};

/// What was found, and what was noticed on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The answer.
    pub data: Data,
    /// Number of runs that are queued or running.
    pub active: usize,
    /// Runs whose worker has died and that nobody has marked so yet.
    pub lost: Vec<i64>,
}

/// Answers a question. Writes nothing.
///
/// # Errors
/// When the store cannot be read.
pub fn ask(store: &Store, query: &Query, recall: &mut Recall) -> Result<Found, StoreError> {
    let runs = store.runs()?;
    let active = runs.iter().filter(|run| !run.status.is_over()).count();
    let lost = lost(store, &runs)?;
    let data = match query {
        Query::Corpora => Data::Corpora(corpora(store, &runs)?),
        Query::Corpus(asked) => {
            Data::Corpus(query_corpus::corpus(store, asked, recall)?.map(Box::new))
        }
        Query::Document { corpus, id, run } => {
            let found = query_corpus::document(store, &runs, *corpus, *id, *run, recall)?;
            Data::Document(found.map(Box::new))
        }
        Query::Sql => Data::Sql(store.table_columns()?),
        Query::Launch => Data::Launch { corpora: store.corpora()?, runs },
        Query::Runs { selected } => list_of_runs(store, runs, *selected, &mut recall.pace)?,
        Query::Run { id, view } => {
            Data::Run(sheet(store, &runs, *id, *view, recall)?.map(Box::new))
        }
        Query::Compare { runs: marked } => {
            let numbers = if marked.is_empty() { newest_two(&runs) } else { marked.clone() };
            let is_enough = !marked.is_empty() || numbers.len() == 2;
            let found = is_enough.then(|| recall.comparer.compare(store, &numbers)).transpose();
            Data::Compare(found.map(|found| found.map(Box::new)).map_err(|error| error.to_string()))
        }
        Query::ChooseK { corpus, run } => {
            Data::ChooseK(Box::new(choice_of_k(store, &runs, *corpus, *run)?))
        }
    };
    Ok(Found { data, active, lost })
}

fn lost(store: &Store, runs: &[Run]) -> Result<Vec<i64>, StoreError> {
    let mut lost = Vec::new();
    for run in runs.iter().filter(|run| run.status == RunStatus::Running) {
        if vitality(store, run)? == Vitality::Lost {
            lost.push(run.id);
        }
    }
    Ok(lost)
}

fn list_of_runs(
    store: &Store,
    runs: Vec<Run>,
    selected: Option<i64>,
    pace: &mut Pace,
) -> Result<Data, StoreError> {
    let rows = runs.into_iter().map(|run| row(store, run, pace));
    let rows: Vec<RunRow> = rows.collect::<Result<_, _>>()?;
    let found = rows.iter().find(|row| Some(row.run.id) == selected).or(rows.first());
    let detail = found.map(|row| detail(store, row.run.id)).transpose()?;
    Ok(Data::Runs { detail: detail.map(Box::new), runs: rows })
}

fn row(store: &Store, run: Run, pace: &mut Pace) -> Result<RunRow, StoreError> {
    let vitality = vitality(store, &run)?;
    let mut row =
        RunRow { run, vitality, progress: None, seconds_left: None, silent_for: None, npmi: None };
    if row.run.status == RunStatus::Running {
        row.progress = store.progress(row.run.id)?;
        if let Some(progress) = &mut row.progress {
            row.seconds_left = pace.seconds_left(row.run.id, progress, Instant::now());
            // A number that grows by itself would count as news at every look.
            progress.age = 0.0;
        }
    }
    if matches!(vitality, Vitality::Stalled | Vitality::OtherHost) {
        row.silent_for = store.lease(row.run.id)?.map(|(_, age)| age as u64);
    }
    Ok(row)
}

fn detail(store: &Store, run: i64) -> Result<RunDetail, StoreError> {
    let residuals = store.residuals(run)?;
    let last = residuals.last().map(|(stage, ..)| stage.clone());
    let of_last = residuals.iter().filter(|(stage, ..)| Some(stage) == last.as_ref());
    let metrics = store.metrics(run)?.into_iter().filter(|metric| metric.topic.is_none());
    Ok(RunDetail {
        run,
        stages: store.stages(run)?,
        metrics: metrics.collect(),
        residuals: of_last.map(|(.., residual)| *residual).collect(),
        residuals_of: last,
    })
}

/// The residuals of the stage that has most, the first of equals, and its name.
fn longest_curve(store: &Store, run: i64) -> Result<(Option<String>, Vec<f64>), StoreError> {
    let mut curves: Vec<(String, Vec<f64>)> = Vec::new();
    for (stage, _, residual) in store.residuals(run)? {
        match curves.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, curve)) => curve.push(residual),
            None => curves.push((stage, vec![residual])),
        }
    }
    let longest = curves.into_iter().reduce(|a, b| if b.1.len() > a.1.len() { b } else { a });
    Ok(longest.map_or_else(Default::default, |(stage, curve)| (Some(stage), curve)))
}

/// The run of this number, else the newest of its corpus, else the newest; only finished ones.
fn finished(runs: &[Run], id: Option<i64>) -> Option<&Run> {
    let asked = runs.iter().find(|run| Some(run.id) == id);
    let finished = || runs.iter().filter(|run| run.status == RunStatus::Finished);
    let of_corpus = || finished().find(|run| asked.is_some_and(|a| a.corpus_id == run.corpus_id));
    finished().find(|run| Some(run.id) == id).or_else(of_corpus).or_else(|| finished().next())
}

/// What K of a corpus is chosen by; without a corpus, of that of the run, else of the first.
fn choice_of_k(
    store: &Store,
    runs: &[Run],
    corpus: Option<i64>,
    run: Option<i64>,
) -> Result<ChoiceOfK, StoreError> {
    let of_corpus = |run: &&Run| corpus.is_none_or(|corpus| run.corpus_id == corpus);
    let own: Vec<Run> = runs.iter().filter(of_corpus).cloned().collect();
    // Runs of halves of the documents say something of a run, not of K, unless they are asked for.
    let tells =
        |other: &&Run| RunSettings::share_of_documents(other) > 0.5 || Some(other.id) == run;
    let telling: Vec<Run> = own.iter().filter(tells).cloned().collect();
    let run = finished(&telling, run).or_else(|| finished(&own, run));
    let corpora = store.corpora()?;
    let id = corpus.or(run.map(|run| run.corpus_id));
    let corpus = corpora.into_iter().find(|corpus| id.is_none_or(|id| corpus.id == id));
    let Some(corpus) = corpus else { return Ok(ChoiceOfK::default()) };
    let sweep = run.map(|run| sweep(store, runs, run)).transpose()?.flatten();
    let bounds = newest_bounds(store, corpus.id)?;
    let advice = sweep.as_ref().and_then(|sweep| recommendation(sweep, bounds.as_ref()));
    Ok(ChoiceOfK { corpus: Some(corpus.name), sweep, bounds, advice })
}

fn sheet(
    store: &Store,
    runs: &[Run],
    id: Option<i64>,
    view: RunView,
    recall: &mut Recall,
) -> Result<Option<RunSheet>, StoreError> {
    let wanted = |run: &&Run| match id {
        Some(id) => run.id == id,
        None => run.status == RunStatus::Finished,
    };
    let Some(run) = runs.iter().find(wanted) else { return Ok(None) };
    Ok(Some(RunSheet {
        row: row(store, run.clone(), &mut recall.pace)?,
        topics: recall.topics(store, run, WORDS)?,
        metrics: store.metrics(run.id)?,
        more: match view {
            RunView::Topics | RunView::Topic => RunMore::Images(topic_images(store, run)?),
            RunView::Correlations => RunMore::Lifts(topic_lifts(store, run.id)?),
            RunView::Map => RunMore::Map(anchor_map(store, run.id)?),
            RunView::Facts => {
                let (residuals_of, residuals) = longest_curve(store, run.id)?;
                let detail = detail(store, run.id)?;
                RunMore::Facts(RunDetail { residuals_of, residuals, ..detail })
            }
        },
    }))
}
