//! The uncertainty of topics, from topics of runs on random halves of the documents.
//!
//! Estimates are made again with the topics of each half, on all documents. Half of the documents
//! without replacement have topics whose variance around those of all is that of all: V(n/2) − V(n) =
//! V(n). So the mean of the products of deviations is the covariance that uncertain topics add.

use ndarray::{Array2, Axis};

use super::documents::RunDocuments;
use crate::choose_k::stability::finished_halves;
use crate::groups::shares::ShareReader;
use crate::saved::align::align;
use crate::work::work_error::WorkError;
use topoi_core::effects::EffectsError;
use topoi_core::effects::regression::Regression;
use topoi_store::Store;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::run::Run;

/// Adds what uncertain topics add to the covariances of `regression`, and returns the runs on halves. `own` has the
/// shares of the documents that are `used`, and `regress` makes the regression again of others.
///
/// # Errors
/// [`WorkError::NoHalves`] also when a topic has no counterpart in a half.
pub(super) fn add(
    (store, run): (&Store, &Run),
    (documents, reader): (&RunDocuments, &ShareReader),
    (used, own): (&[usize], &Array2<f32>),
    regression: &mut Regression,
    regress: &dyn Fn(Array2<f32>) -> Result<Regression, EffectsError>,
) -> Result<Vec<RunId>, WorkError> {
    let halves = finished_halves(store, run).unwrap_or_default();
    if halves.is_empty() {
        return Err(WorkError::NoHalves { run: run.id });
    }
    let size = regression.names.len();
    let mut covariances = vec![Array2::<f64>::zeros((size, size)); reader.topics.len()];
    for &half in &halves {
        let half = store.run(half)?;
        let alignment =
            align(store, run, &half).map_err(|_| WorkError::NoHalves { run: run.id })?;
        let counterpart = |topic: TopicNumber| {
            let pair = alignment.pairs.iter().find(|(own, ..)| *own == topic);
            pair.map(|(_, other, _)| *other).ok_or(WorkError::NoHalves { run: run.id })
        };
        let topics =
            reader.topics.iter().map(|&topic| counterpart(topic)).collect::<Result<Vec<_>, _>>()?;
        let theirs = ShareReader::new(store, &half, reader.estimate, &topics)?;
        let other = regress(documents.shares_by((store, run), &theirs, (used, own))?)?;
        for (topic, covariance) in covariances.iter_mut().enumerate() {
            let off = &other.coefficients.row(topic) - &regression.coefficients.row(topic);
            let off = off.insert_axis(Axis(1));
            *covariance += &(off.dot(&off.t()) / halves.len() as f64);
        }
    }
    regression.add_topic_uncertainty(&covariances);
    Ok(halves)
}
