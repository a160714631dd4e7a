//! What a separable model found, as what any model finds.

use super::{Detector, Separable, SeparableSettings, separable_topics};
use crate::model::ModelError;
use crate::model::topic_model::{Figure, Fit, Input};
use crate::progress::Progress;

/// Topics of a model's documents by `settings`.
pub(in crate::model) fn fit(
    settings: &SeparableSettings,
    input: &Input<'_>,
    progress: &dyn Progress,
) -> Result<Fit, ModelError> {
    let documents = input.c.documents();
    let found = separable_topics(documents, settings, input.seed, input.sums, progress)?;
    let figures = Figure::of_run(figures(&found, settings.detector));
    let estimates = found.estimates.iter();
    Ok(Fit {
        topic_estimates: estimates.map(|found| (found.distance, found.topics as u64)).collect(),
        novel_words: found.novel_words,
        ..Fit::of(found.topics.into(), figures)
    })
}

fn figures(found: &Separable, detector: Detector) -> Vec<(&'static str, f64)> {
    let mut figures = vec![
        ("kkt_gap", found.topics.worst_gap),
        ("novel_words", found.novel_words.len() as f64),
        ("distance", found.distance),
    ];
    figures.extend(found.margin.map(|margin| ("margin", margin)));
    if let Some((topics, from, to)) = found.k_hat {
        figures.push(("k_hat", topics as f64));
        figures.push(("k_hat_from_distance", from));
        figures.push(("k_hat_to_distance", to));
    }
    if detector == Detector::SolidAngles {
        figures.push(("documents_projected", found.projected));
    }
    figures
}
