//! Warnings: why a run should not be trusted as it is. Each is defined once, in the file of its subject, and
//! derived from what the run is saved with: its settings, metrics and topics.

pub mod convergence;
mod definition;
pub mod documents;
pub mod fit;
pub mod imported;
pub mod language;
pub mod stability;
#[cfg(test)]
mod test_evidence;
pub mod topics;

pub use self::definition::{Evidence, WarningDef};
use crate::number;
use crate::request::RunRequest;
use crate::work::work_error::WorkError;
use topoi_store::result::metric::Metric;
use topoi_store::result::warning::Warning;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// All warnings, the gravest first: in this order they are saved and shown.
pub const WARNINGS: &[&WarningDef] = &[
    &language::OTHER_LANGUAGE,
    &imported::WORDS_OUTSIDE,
    &topics::EMPTY_TOPICS,
    &topics::DOMINANT_TOPIC,
    &topics::DUPLICATE_TOPICS,
    &fit::POOR_APPROXIMATION,
    &fit::SUM_OF_CORRELATIONS,
    &stability::NO_STABILITY,
    &documents::MANY_LEFT_OUT,
    &documents::UNEVEN_LENGTHS,
    &convergence::REFINING_UNFINISHED,
    &convergence::FACTORISATION_UNFINISHED,
    &convergence::RECTIFICATION_UNFINISHED,
    &convergence::TOPICS_UNSETTLED,
    &convergence::CLUSTERS_UNSETTLED,
    &convergence::INEXACT_MIXTURES,
];

/// The warnings that a run gives reason for, the gravest first.
///
/// # Errors
/// When the store cannot be read.
pub fn warnings(evidence: &Evidence<'_>) -> Result<Vec<Warning>, StoreError> {
    WARNINGS.iter().filter_map(|warning| warning.evaluate(evidence).transpose()).collect()
}

/// Saves metrics of a finished run in place of those of the same names, and the warnings that it gives
/// reason for with them, in one transaction.
///
/// # Errors
/// [`WorkError`]; then the old ones are kept.
pub fn replace_metrics(store: &mut Store, run: &Run, metrics: &[Metric]) -> Result<(), WorkError> {
    let request = RunRequest::from_run(run)?;
    let topics = store.saved_topics(run.id)?;
    let words = number::size(run.terms.unwrap_or_default());
    let of = |store: &Store, metrics: &[Metric]| {
        let (request, topics, unsaved) = (&request, &topics[..], None);
        warnings(&Evidence { store, run: run.id, request, words, metrics, topics, unsaved })
    };
    Ok(store.replace_metrics(run.id, metrics, of)?)
}
