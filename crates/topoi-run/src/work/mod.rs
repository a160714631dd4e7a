//! The work of a run: vocabulary → streamed model → metrics → result.

pub mod about_documents;
pub mod against;
pub mod assign;
pub mod fit;
pub mod held_out;
pub mod kept_sums;
pub mod material;
pub mod measure;
pub mod memory;
pub mod recompute;
pub mod reporter;
pub mod result;
pub mod revision;
#[cfg(test)]
pub(crate) mod test_parts;
pub mod text_sequences;
pub mod work_error;
pub mod worker_cache;

use self::about_documents::{Completed, complete};
use self::fit::{FitTask, fit, labels_kept};
use self::held_out::held_out_metrics;
use self::kept_sums::{RunSums, current_documents_hash};
use self::material::{Material, Sources};
use self::measure::{MeasuredRun, Reference, measure};
use self::reporter::Reporter;
use self::result::saved_result;
use self::revision::measured::measure_revision;
use self::revision::{Continued, Revision, revise_run};
use self::work_error::WorkError;
use self::worker_cache::WorkerCache;
use super::outlook::plan_by_experience;
use super::request::document_topics::AssignedDocuments;
use super::request::start::{numbered_topics, start_of};
use super::request::{Origin, RunRequest};
use super::shaping::origin::shaped_topics;
use topoi_core::metric::coherence::variants::default_variants;
use topoi_core::model::Model;
use topoi_core::model::topic_model::{Fit, TopicLabel};
use topoi_core::progress::Progress;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_store::Store;
use topoi_store::id::RunId;
use topoi_store::result::novelty::Novelty;
use topoi_store::result::topic::SavedResult;
use topoi_store::run::{Run, RunEnd};

/// Does the work of `run`, saves its result and ends its row as `end` returns at the last moment. The caller holds
/// the run's lock. Stages that `reporter` recalls are not repeated.
///
/// # Errors
/// [`WorkError`]; then nothing of a result is saved and the row is not ended.
pub fn do_work<'a>(
    store: &mut Store,
    run: &Run,
    reporter: &Reporter,
    end: impl FnOnce() -> RunEnd<'a> + Send,
) -> Result<(), WorkError> {
    let request = RunRequest::from_run(run)?;
    request.check_saved(store, run)?;
    let settings = &request.settings;
    in_threads(settings.threads, || {
        reporter.expect(plan_by_experience(store, &request, run)?);
        reporter.begin("prepare", 0, "");
        let material = Material::from_store(store, run.corpus_id, settings)?;
        material.check_against(store, run)?;
        material.save(store, run)?;
        reporter.cache().retain_for(&request, &material, run.id);
        let result = result_of(store, run, &request, &material, reporter)?;
        reporter.begin("save", 0, "");
        Ok(store.finish_run(run.id, &result, end)?)
    })?;
    reporter.finish();
    Ok(())
}

/// Maximum number of threads per core. More would only take memory, and results do not depend on them.
const MOST_A_CORE: usize = 4;

/// The number of threads for a request of `threads`: at most four per core, and one per core for 0.
fn threads_used(threads: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if threads == 0 { cores } else { threads.min(MOST_A_CORE * cores) }
}

/// Does `work` in this number of threads: at most four per core, and one per core for 0.
pub fn in_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, WorkError> + Send,
) -> Result<T, WorkError> {
    let threads = threads_used(threads);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|e| WorkError::Threads { threads, source: e.into() })?.install(work)
}

fn result_of(
    store: &Store,
    run: &Run,
    request: &RunRequest,
    material: &Material,
    reporter: &Reporter,
) -> Result<SavedResult, WorkError> {
    if request.settings.revises {
        return revised_result(store, run, request, material, reporter);
    }
    let start = start_of(store, run, request, material)?;
    let sums = RunSums::new(store, run, request, material, |documents| {
        current_documents_hash(store, run.corpus_id, documents)
    })?;
    let sums = sums.as_ref().map(|sums| sums as _);
    let numbered = numbered_topics(store, run, request, material)?;
    let shaped = shaped_topics(store, run, request, material)?;
    let assigned = AssignedDocuments::from_request(store, request, reporter)?;
    let (start, numbered, shaped) = (start.as_ref(), numbered.as_ref(), shaped.as_ref());
    let assigned = assigned.as_ref();
    let task =
        FitTask { start, numbered, sums, shaped, assigned, ..FitTask::from_request(request) };
    let sources = Sources::whole(store, run.corpus_id, material);
    let (completed, measured) = topics_with_measures(task, &sources, reporter.cache(), reporter)?;
    Ok(saved_result(store, run.id, request, completed, measured, &material.term_ids)?)
}

fn revised_result(
    store: &Store,
    run: &Run,
    request: &RunRequest,
    material: &Material,
    reporter: &Reporter,
) -> Result<SavedResult, WorkError> {
    let from = Continued::whole(store, run, request, material)?;
    let Revision { completed, novel, revises } = revise_run(&from, request, reporter)?;
    let rising = novel.words.rising(store, run.corpus_id)?;
    let novelty = Novelty { rising, unexplained: novel.unexplained };
    let sources = Sources::whole(store, run.corpus_id, material);
    let measured = measure_revision(&completed, &sources, request, reporter)?;
    let result = saved_result(store, run.id, request, completed, measured, &material.term_ids)?;
    Ok(SavedResult { revises: Some(revises), novelty, ..result })
}

/// The topics of a run and their metrics. All parts of a corpus in parts run this together, and only the result of
/// part 0 is used: it has the topics of all documents.
pub fn topics_with_measures(
    task: FitTask<'_>,
    sources: &Sources<'_>,
    cache: &WorkerCache,
    progress: &dyn Progress,
) -> Result<(Completed, MeasuredRun), WorkError> {
    let settings = task.settings;
    let documents = sources.documents(settings, progress).with_sample(settings.sample);
    let c = CoOccurrence::new(&documents)?;
    let completed = completed(task, sources.words, &c, progress)?;
    let held_out = held_out_metrics(&completed, &c, task, sources, progress)?;
    let texts = sources.sequences(&documents, progress)?;
    let texts = texts.as_ref().map(|texts| texts as _);
    let (exact_norms, seed) = (settings.exact_norms, task.seed);
    let reference = Reference { c: &c, cache, exact_norms, seed, texts };
    let mut measured = measure(reference, &completed.fitted.topics, &default_variants(), progress)?;
    measured.metrics.extend(held_out);
    Ok((completed, measured))
}

/// The topics of a run from its model or its file, refined if requested, and the topics of documents.
pub(crate) fn completed(
    task: FitTask<'_>,
    words: &[String],
    c: &CoOccurrence<'_>,
    progress: &dyn Progress,
) -> Result<Completed, WorkError> {
    let fitted = match task.origin {
        Origin::Import(import) => match task.assigned {
            Some(assigned) => assigned.fit(c.documents())?,
            None => import.topics(words)?,
        },
        Origin::Model(model) => fit_with_seeds(model, task, words, c, progress)?,
        Origin::Shaped(shaping) => {
            let gone = WorkError::StartIsGone { run: RunId(0), start: shaping.parent };
            task.shaped.cloned().ok_or(gone)?
        }
    };
    let mut completed = complete(fitted, task, c, progress)?;
    if let Some(earlier) = task.numbered {
        let kept = labels_kept(&completed.fitted.topics.topics, earlier);
        let labels = &mut completed.fitted.labels;
        labels.retain(|(topic, _)| kept.iter().all(|(other, _)| other != topic));
        labels.extend(kept);
    }
    Ok(completed)
}

/// The model's topics, the first of them anchored by the seed words of the settings.
fn fit_with_seeds(
    model: &Model,
    task: FitTask<'_>,
    words: &[String],
    c: &CoOccurrence<'_>,
    progress: &dyn Progress,
) -> Result<Fit, WorkError> {
    let Some(seeds) = &task.settings.seeds else { return Ok(fit(model, task, c, progress)?) };
    let anchor = |(topic, anchor): (usize, Option<_>)| anchor.ok_or(WorkError::Seeds { topic });
    let anchors: Vec<_> =
        seeds.numbers(words).into_iter().enumerate().map(anchor).collect::<Result<_, _>>()?;
    let fitted = fit(model, FitTask { seeds: &anchors, ..task }, c, progress)?;
    let labels = seeds.labels().into_iter();
    let labels = labels.map(|(topic, text)| (topic, TopicLabel { text, by: None })).collect();
    Ok(Fit { labels, ..fitted })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_of_threads_starts_more_than_four_a_core() {
        let started = |threads| in_threads(threads, || Ok(rayon::current_num_threads()));
        let cores = std::thread::available_parallelism().expect("known").get();
        assert_eq!(started(1_000_000).expect("threads"), MOST_A_CORE * cores);
        assert_eq!(started(0).expect("threads"), cores);
        assert_eq!(started(1).expect("threads"), 1);
    }
}
