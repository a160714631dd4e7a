//! The models there are: what each is called and needs, and how a run calls it.

use super::measure::of_run;
use super::request::RunSettings;
use crate::model::ModelError;
use crate::model::anchor_topics::AnchorTopics;
use crate::model::lr_jsmf::{LrJsmfSettings, lr_jsmf};
use crate::progress::Progress;
use crate::store::metric::Metric;
use crate::stream::cooccurrence::CoOccurrence;

/// A model as people choose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelCard {
    /// Its name on the command line and in the store.
    pub name: &'static str,
    /// One line on what it is and when to choose it.
    pub help: &'static str,
    /// Iterations it makes unless told otherwise; 0 where it does not iterate.
    pub iterations: usize,
}

/// The models, the default first.
pub const MODELS: &[ModelCard] = &[ModelCard {
    name: "lr-jsmf",
    help: "rectified anchor words, streamed; the fastest (Lee et al. 2021)",
    iterations: 50,
}];

/// The card of the model called `name`.
pub fn model_card(name: &str) -> Option<&'static ModelCard> {
    MODELS.iter().find(|card| card.name == name)
}

/// What any model returns to its run.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The topics.
    pub topics: AnchorTopics,
    /// (eigenvalue, residual norm) of the co-occurrence, largest first; empty where the model
    /// computes none.
    pub spectrum: Vec<(f64, f64)>,
    /// How far from converged it stopped: metrics of the run.
    pub convergence: Vec<Metric>,
}

/// Fits the model called `name` with K = `k` topics to a streamed co-occurrence.
///
/// # Errors
/// [`ModelError`].
///
/// # Panics
/// When there is no such model; requests are checked before they are saved.
pub fn fit(
    name: &str,
    k: usize,
    seed: u64,
    settings: &RunSettings,
    c: &CoOccurrence<'_>,
    progress: &dyn Progress,
) -> Result<Fitted, ModelError> {
    let card = model_card(name).expect("requests are checked");
    let iterations = settings.iterations.unwrap_or(card.iterations);
    match card.name {
        "lr-jsmf" => fit_lr_jsmf(k, seed, settings, iterations, c, progress),
        other => unreachable!("{other} has a card and no way to be fitted"),
    }
}

fn fit_lr_jsmf(
    k: usize,
    seed: u64,
    settings: &RunSettings,
    iterations: usize,
    c: &CoOccurrence<'_>,
    progress: &dyn Progress,
) -> Result<Fitted, ModelError> {
    let settings = LrJsmfSettings {
        tolerance: settings.tolerance,
        enn_iterations: iterations,
        ..LrJsmfSettings::new(k)
    };
    let found = lr_jsmf(c, &settings, seed, progress)?;
    let pairs = found.eigenpairs.values.iter().zip(&found.eigenpairs.residuals);
    Ok(Fitted {
        spectrum: pairs.take(k).map(|(&value, &residual)| (value, residual)).collect(),
        convergence: vec![
            of_run("factorisation_residual", found.eigenpairs.relative_residual),
            of_run("rectification_change", found.rectified.last_change),
            of_run("kkt_gap", found.topics.worst_gap),
        ],
        topics: found.topics,
    })
}
