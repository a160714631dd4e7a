//! The stages of a whole run: those of the model, and those of every run.

use crate::request::{Origin, RunRequest, RunSettings};
use crate::work::revision::changed::{ChangedDocuments, read_again_of};
use crate::work::revision::measured::COHERENCE_DOCUMENTS;
use crate::work::work_error::WorkError;
use topoi_core::metric::MetricDef;
use topoi_core::metric::revision::{
    DOCUMENTS_ADDED, DOCUMENTS_AT_FULL_READING, DOCUMENTS_READ_AGAIN,
};
use topoi_core::metric::run_process::DOCUMENTS_USED;
use topoi_core::model::plan::{Extent, PlannedStage, Steps};
use topoi_ingest::CorpusSettings;
use topoi_store::corpus::Corpus;
use topoi_store::run::progress::Stage;
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Store, StoreError};

/// The plan of `run`, corrected by the times of the newest finished run of the same model on the same corpus; that of an
/// update by those of the newest update.
pub fn plan_by_experience(
    store: &Store,
    request: &RunRequest,
    run: &Run,
) -> Result<Vec<PlannedStage>, WorkError> {
    let corpus = store.corpus_by_id(run.corpus_id)?;
    let own = match request.settings.start.filter(|_| request.settings.revises) {
        Some(start) => {
            let documents = corpus.documents as f64;
            let changed = ChangedDocuments::since(store, run.id, start, documents)?;
            plan_update(request, &corpus, Reading::next(&changed, &corpus))
        }
        None => plan(request, &corpus),
    };
    let is_like = |other: &&Run| {
        other.status == RunStatus::Finished
            && (other.corpus_id, &other.model) == (run.corpus_id, &run.model)
            && RunSettings::is_update(other) == request.settings.revises
            && !RunSettings::is_half(other)
    };
    let runs = store.runs()?;
    let known = runs.iter().find(is_like);
    let Some((known, earlier)) = known.and_then(|run| Some((run, RunRequest::from_run(run).ok()?)))
    else {
        return Ok(own);
    };
    let planned = match earlier.settings.revises {
        true => plan_update(&earlier, &corpus, Reading::finished(store, known)?),
        false => plan(&earlier, &corpus),
    };
    Ok(corrected(own, &planned, &store.stages(known.id)?))
}

/// The documents that an update reads.
#[derive(Debug, Clone, Copy)]
struct Reading {
    documents: f64,
    is_full: bool,
}

impl Reading {
    fn next(changed: &ChangedDocuments, corpus: &Corpus) -> Self {
        let all = corpus.documents as f64;
        let added = (all + changed.gone.len() as f64 - changed.documents_before).max(0.0);
        let documents = changed.selection.ids.len() as f64 + read_again_of(all) + added;
        let is_full = changed.is_full_reading;
        Self { documents: if is_full { all } else { documents.min(all) }, is_full }
    }

    /// What a finished update read.
    fn finished(store: &Store, run: &Run) -> Result<Self, StoreError> {
        let saved = |metric: &MetricDef| store.run_metric(run.id, metric.id);
        let number = |metric| Ok::<f64, StoreError>(saved(metric)?.unwrap_or(0.0));
        let documents = number(&DOCUMENTS_ADDED)? + number(&DOCUMENTS_READ_AGAIN)?;
        let is_full = saved(&DOCUMENTS_AT_FULL_READING)? == saved(&DOCUMENTS_USED)?;
        Ok(Self { documents, is_full })
    }
}

/// The stages of an update that reads this much of `corpus`, with their planned times.
fn plan_update(request: &RunRequest, corpus: &Corpus, reading: Reading) -> Vec<PlannedStage> {
    let all = whole_extent(request, corpus);
    let read = all.scaled(reading.documents / all.documents.max(1.0));
    let topics = match request.settings.refinement(&request.origin) {
        Some(refinement) if reading.is_full => read.refine_again(refinement),
        _ => vec![read.revise()],
    };
    let some = all.scaled(COHERENCE_DOCUMENTS as f64 / all.documents.max(1.0));
    let some = if some.documents < all.documents { some } else { all };
    let before = [prepare(corpus), read.births()].into_iter();
    let after = [read.documents(1.0), coherence(corpus, some), save(all, read.documents)];
    before.chain(topics).chain(after).collect()
}

/// Minimum seconds of a stage that corrects a plan.
const MIN_SECONDS: f64 = 0.05;

/// A plan, corrected by the ratio of actual to planned times of `earlier`.
fn corrected(
    mut plan: Vec<PlannedStage>,
    earlier: &[PlannedStage],
    taken: &[Stage],
) -> Vec<PlannedStage> {
    for stage in &mut plan {
        let Some(planned) = earlier.iter().find(|own| own.name == stage.name) else { continue };
        let legs = || taken.iter().filter(|own| stage.includes(&own.name));
        let took: f64 = legs().filter_map(|leg| leg.seconds).sum();
        let steps = legs().filter_map(|leg| leg.steps).max().unwrap_or(0) as f64;
        if took < MIN_SECONDS {
            continue;
        }
        match &mut stage.steps {
            Steps::UntilConverged(until) if steps > 0.0 && planned.seconds > 0.0 => {
                stage.seconds *= took / steps / planned.seconds;
                (until.usual, until.trusted_after) = (steps, steps.max(until.trusted_after));
            }
            _ if planned.total() > 0.0 => stage.seconds *= took / planned.total(),
            _ => {}
        }
    }
    plan
}

/// The stages of a run of `request` on `corpus`, with their planned times.
pub fn plan(request: &RunRequest, corpus: &Corpus) -> Vec<PlannedStage> {
    let settings = &request.settings;
    let share = settings.sample.map_or(1.0, |sample| sample.share());
    let size = whole_extent(request, corpus).scaled(share);
    let Extent { words, documents, nonzeros, tokens, k } = size;
    let whole = PlannedStage::whole;
    let mut stages = vec![prepare(corpus)];
    let mut of_documents = size.documents(1.0);
    let refinement = settings.refinement(&request.origin);
    if let Origin::Model(model) = &request.origin {
        stages.extend(model.any().plan(size));
        if refinement.is_none() {
            of_documents = model.any().documents(size);
        }
    }
    if let Some(refinement) = refinement {
        stages.extend(size.refine(refinement, share));
    }
    if settings.documents {
        stages.push(of_documents);
    }
    if let Some(held_out) = settings.held_out {
        stages.push(whole("held-out", 1e-6 * held_out / (1.0 - held_out) * tokens * k));
    }
    let measure = 0.04 + 5e-8 * nonzeros + 4e-6 * documents + 2e-9 * words * k * k;
    stages.push(whole("measure", measure));
    stages.push(coherence(corpus, size));
    stages.push(save(size, if settings.documents { documents } else { 0.0 }));
    stages
}

/// All of `corpus`, with the vocabulary and topics of `request`.
fn whole_extent(request: &RunRequest, corpus: &Corpus) -> Extent {
    Extent {
        words: (request.settings.terms as u64).min(corpus.terms) as f64,
        documents: corpus.documents as f64,
        nonzeros: corpus.nonzeros as f64,
        tokens: corpus.tokens as f64,
        k: request.k as f64,
    }
}

fn prepare(corpus: &Corpus) -> PlannedStage {
    PlannedStage::whole("prepare", 0.01 + 1.5e-8 * corpus.nonzeros as f64)
}

/// Coherence counted in `size` of the corpus; windows are counted in the texts if it has them.
fn coherence(corpus: &Corpus, size: Extent) -> PlannedStage {
    let read = match serde_json::from_str::<CorpusSettings>(&corpus.settings) {
        Ok(CorpusSettings::Text { .. }) => 2.3e-7 * size.tokens,
        _ => 0.0,
    };
    PlannedStage::whole("coherence", 0.01 + 1e-8 * size.nonzeros + read)
}

/// Saving topics, and the topics of this many documents.
fn save(size: Extent, documents: f64) -> PlannedStage {
    let Extent { words, k, .. } = size;
    PlannedStage::whole("save", 0.05 + 5e-7 * words * k + 1.8e-7 * documents * k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_core::model::plan::{Convergence, ConvergenceMeasure};

    #[test]
    fn what_an_earlier_run_took_corrects_the_plan() {
        let until = Convergence {
            usual: 100.0,
            most: 500.0,
            trusted_after: 10.0,
            watched: ConvergenceMeasure::Power,
            below: 1e-6,
        };
        let plan = vec![
            PlannedStage::until("iterate", until, 0.1),
            PlannedStage::whole("measure", 2.0),
            PlannedStage::whole("save", 1.0),
        ];
        let took = |name: &str, seconds, steps| Stage {
            name: name.into(),
            seconds: Some(seconds),
            steps,
            residual: None,
            note: None,
        };
        let taken = [
            took("iterate", 6.0, Some(20)),
            took("iterate-2", 6.0, Some(40)),
            took("measure", 1.0, None),
            took("save", 0.01, None),
        ];
        let found = corrected(plan.clone(), &plan, &taken);
        let Steps::UntilConverged(iterate) = found[0].steps else { panic!("until") };
        assert_eq!((iterate.usual, iterate.trusted_after), (40.0, 40.0));
        // 12 s for 40 steps.
        assert!((found[0].seconds - 0.3).abs() < 1e-12, "{}", found[0].seconds);
        assert_eq!((found[1].seconds, found[2].seconds), (1.0, 1.0));
    }
}
