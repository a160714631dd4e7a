//! Fitting the model of a run.

use ndarray::Array2;

use super::measure::{of_run, of_topics};
use crate::metric::co_occurrence::row_norms::RowNorms;
use crate::model::separable::{KeptSums, NothingKept};
use crate::model::topic_model::{Figure, Fit, Input};
use crate::model::{Model, ModelError};
use crate::progress::Progress;
use crate::run::request::{Origin, RunRequest, RunSettings};
use crate::store::result::metric::Metric;
use crate::stream::cooccurrence::CoOccurrence;

/// What is to be fitted: all that decides a run's topics beside its documents.
#[derive(Debug, Clone, Copy)]
pub struct FitTask<'a> {
    /// The model, or the file.
    pub origin: &'a Origin,
    /// Number of topics.
    pub k: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// What is not of the model: vocabulary, refining, threads.
    pub settings: &'a RunSettings,
    /// Eigenvectors of an earlier run to start from, W × columns; only for the model that can.
    pub start: Option<&'a Array2<f64>>,
    /// Topics of an earlier run, W × K, whose numbers its topics are to keep.
    pub numbered: Option<&'a Array2<f64>>,
    /// Sums that it adds to or keeps; only for the model that does.
    pub sums: Option<&'a dyn KeptSums>,
}

impl<'a> FitTask<'a> {
    /// The task of a request, which starts from nothing.
    pub fn of(request: &'a RunRequest) -> Self {
        let RunRequest { origin, k, seed, settings, .. } = request;
        Self { origin, k: *k, seed: *seed, settings, start: None, numbered: None, sums: None }
    }
}

/// Fits a model to a streamed co-occurrence.
///
/// # Errors
/// [`ModelError`].
pub fn fit(
    model: &Model,
    task: FitTask<'_>,
    c: &CoOccurrence<'_>,
    progress: &dyn Progress,
) -> Result<Fit, ModelError> {
    let input = Input {
        c,
        squared_norm: &|| Ok(RowNorms::of(c)?.sum()),
        k: task.k,
        seed: task.seed,
        factorise: task.settings.factorise,
        start: task.start,
        sums: task.sums.unwrap_or(&NothingKept),
    };
    model.any().fit(&input, progress)
}

/// What the model itself knows of its run, as metrics.
pub(super) fn metrics(figures: &[Figure]) -> Vec<Metric> {
    let metric = |figure: &Figure| match figure {
        Figure::OfRun(metric, value) => vec![of_run(metric, *value)],
        Figure::OfTopics(metric, values) => of_topics(metric, values.clone()),
    };
    figures.iter().flat_map(metric).collect()
}
