//! The metrics every run is saved with.

use super::coherence::coherence;
use super::work::WorkError;
use crate::metric::coherence_variants::CoherenceVariant;
use crate::metric::reconstruction::{Reconstruction, reconstruction};
use crate::metric::token_sequences::TokenSequences;
use crate::metric::topic_shape::{dissimilarity, legality, relative_dominancy, specificity};
use crate::model::anchor_topics::AnchorTopics;
use crate::progress::Progress;
use crate::store::metric::Metric;
use crate::stream::cooccurrence::CoOccurrence;

/// What topics are measured against.
#[derive(Clone, Copy)]
pub struct Reference<'a> {
    /// The co-occurrence they came from.
    pub c: &'a CoOccurrence<'a>,
    /// The texts of its documents, where they have any.
    pub texts: Option<&'a dyn TokenSequences>,
}

/// What measuring a run gives: rows for the store, and what else it found on the way.
#[derive(Debug)]
pub struct Measured {
    /// Metrics of the run and of its topics.
    pub metrics: Vec<Metric>,
    /// How well the topics explain C, with C̄_Sᵀ for the characteristic words.
    pub explained: Reconstruction,
}

/// Measures the topics of a run, coherence by each of `variants`.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub fn measure(
    reference: Reference<'_>,
    topics: &AnchorTopics,
    variants: &[&CoherenceVariant],
    progress: &dyn Progress,
) -> Result<Measured, WorkError> {
    let c = reference.c;
    progress.begin("measure", 0, "");
    let explained = reconstruction(c, topics)?;
    let mut metrics = vec![
        of_run("relative_recovery", explained.relative_recovery),
        of_run("relative_approximation", explained.relative_approximation),
        of_run("relative_dominancy", relative_dominancy(&topics.correlations)),
        of_run("legality", legality(&topics.correlations)),
        of_run("documents_used", c.totals().documents as f64),
        of_run("nonzeros_used", c.totals().nonzeros as f64),
        of_run("tokens_used", c.totals().tokens as f64),
    ];
    let by_topic = [
        ("specificity", specificity(&topics.topics, c.row_sums())),
        ("dissimilarity", dissimilarity(&topics.topics)),
    ];
    for (name, values) in by_topic {
        metrics.extend(of_topics(name, values));
    }
    progress.begin("coherence", c.totals().documents, "");
    metrics.extend(coherence(&topics.topics, c.documents(), reference.texts, variants)?);
    Ok(Measured { metrics, explained })
}

/// A metric of the whole run.
pub fn of_run(name: &str, value: f64) -> Metric {
    Metric { topic: None, name: name.into(), value, settings: None }
}

/// A metric of every topic, and its mean as that of the run.
pub fn of_topics(name: &str, values: Vec<f64>) -> Vec<Metric> {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let each = (0u64..)
        .zip(values)
        .map(|(topic, value)| Metric { topic: Some(topic), ..of_run(name, value) });
    std::iter::once(of_run(name, mean)).chain(each).collect()
}
