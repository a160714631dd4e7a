//! Runs that differ in K alone, to choose K by.

use crate::metric::better::Better;
use crate::run::request::RunSettings;
use crate::store::run::{Run, RunStatus};
use crate::store::{Store, StoreError};

/// How long a run took, which is a metric of a sweep though none is saved under this name.
pub const SECONDS: &str = "seconds";

/// The finished runs of one model, vocabulary and set of documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The runs by K, then by number.
    pub runs: Vec<Run>,
    /// Every metric of whole runs that is better one way or the other, by name.
    pub metrics: Vec<SweptMetric>,
    /// The run whose spectrum is the longest, of equals the newest.
    pub spectrum_of: i64,
    /// (eigenvalue, residual norm) of that run, largest first; empty for models without them.
    pub spectrum: Vec<(f64, Option<f64>)>,
}

/// A metric over the runs of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct SweptMetric {
    /// Its name.
    pub name: String,
    /// Which way it is better.
    pub better: Better,
    /// Its value in every run of the sweep, in the order of the runs.
    pub values: Vec<Option<f64>>,
}

impl SweptMetric {
    /// The position of the run with the best value, the first of those that are equal but for
    /// rounding.
    pub fn best(&self) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for (run, value) in self.values.iter().enumerate() {
            let value = value.filter(|value| value.is_finite());
            let is_better = |&value: &f64| best.is_none_or(|(_, b)| self.better.prefers(value, b));
            if let Some(value) = value.filter(is_better) {
                best = Some((run, value));
            }
        }
        best.map(|(run, _)| run)
    }
}

/// The sweep that `run` belongs to: the finished runs of its model, vocabulary and documents. `runs`
/// are all runs of the store. Seconds are a metric here. `None` where it is not finished.
///
/// # Errors
/// When the store cannot be read.
pub fn sweep(store: &Store, runs: &[Run], run: &Run) -> Result<Option<Sweep>, StoreError> {
    let sample = |run: &Run| RunSettings::of(run).ok().and_then(|settings| settings.sample);
    let own_sample = sample(run);
    let belongs = |other: &&Run| {
        other.status == RunStatus::Finished
            && other.corpus_id == run.corpus_id
            && other.model == run.model
            && other.vocabulary_id == run.vocabulary_id
            && other.corpus_hash == run.corpus_hash
            && sample(other) == own_sample
    };
    let mut runs: Vec<Run> = runs.iter().filter(belongs).cloned().collect();
    runs.sort_by_key(|run| (run.k, run.id));
    if !runs.iter().any(|other| other.id == run.id) {
        return Ok(None);
    }
    let mut spectrum = Vec::new();
    let mut spectrum_of = run.id;
    let mut metrics: Vec<SweptMetric> = Vec::new();
    for (position, run) in runs.iter().enumerate() {
        let own = store.spectrum(run.id)?;
        if own.len() >= spectrum.len() {
            (spectrum, spectrum_of) = (own, run.id);
        }
        for metric in store.metrics(run.id)?.into_iter().filter(|m| m.topic.is_none()) {
            let Some(better) = Better::of(&metric.name) else { continue };
            let known = metrics.iter().position(|known| known.name == metric.name);
            let at = known.unwrap_or_else(|| {
                let values = vec![None; runs.len()];
                metrics.push(SweptMetric { name: metric.name.clone(), better, values });
                metrics.len() - 1
            });
            metrics[at].values[position] = Some(metric.value);
        }
    }
    let values = runs.iter().map(|run| run.seconds).collect();
    metrics.push(SweptMetric { name: SECONDS.into(), better: Better::Smaller, values });
    metrics.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Some(Sweep { runs, metrics, spectrum_of, spectrum }))
}
