//! What a separable model found, as what any model finds.

use super::{Detector, Separable, SeparableSettings, separable_topics};
use crate::formula::metric_def::MetricDef;
use crate::model::ModelError;
use crate::model::figures::{
    DISTANCE, DOCUMENTS_PROJECTED, K_HAT, K_HAT_FROM_DISTANCE, K_HAT_TO_DISTANCE, KKT_GAP, MARGIN,
    NOVEL_WORDS,
};
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

fn figures(found: &Separable, detector: Detector) -> Vec<(&'static MetricDef, f64)> {
    let mut figures = vec![
        (&KKT_GAP, found.topics.worst_gap),
        (&NOVEL_WORDS, found.novel_words.len() as f64),
        (&DISTANCE, found.distance),
    ];
    figures.extend(found.margin.map(|margin| (&MARGIN, margin)));
    if let Some((topics, from, to)) = found.k_hat {
        figures.push((&K_HAT, topics as f64));
        figures.push((&K_HAT_FROM_DISTANCE, from));
        figures.push((&K_HAT_TO_DISTANCE, to));
    }
    if detector == Detector::SolidAngles {
        figures.push((&DOCUMENTS_PROJECTED, found.projected));
    }
    figures
}
