//! The metrics every run is saved with.

use super::work::WorkError;
use crate::metric::coherence::{COHERENCE_WORDS, npmi, umass};
use crate::metric::document_frequencies::DocumentFrequencies;
use crate::metric::reconstruction::{Reconstruction, reconstruction};
use crate::metric::top_words::top_words_of_topics;
use crate::metric::topic_shape::{dissimilarity, legality, relative_dominancy, specificity};
use crate::model::anchor_topics::AnchorTopics;
use crate::store::metric::Metric;
use crate::stream::cooccurrence::CoOccurrence;

/// What measuring a run gives: rows for the store, and what else it found on the way.
#[derive(Debug)]
pub struct Measured {
    /// Metrics of the run and of its topics.
    pub metrics: Vec<Metric>,
    /// How well the topics explain C, with C̄_Sᵀ for the characteristic words.
    pub explained: Reconstruction,
}

/// Measures the topics of a run against the co-occurrence they came from.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub fn measure(c: &CoOccurrence<'_>, topics: &AnchorTopics) -> Result<Measured, WorkError> {
    let explained = reconstruction(c, topics)?;
    let top = top_words_of_topics(&topics.topics, COHERENCE_WORDS);
    let shared = DocumentFrequencies::count(c.documents(), top.iter().flatten().copied())?;
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
        ("npmi", top.iter().map(|words| npmi(words, &shared)).collect()),
        ("umass", top.iter().map(|words| umass(words, &shared)).collect()),
    ];
    for (name, values) in by_topic {
        metrics.extend(of_topics(name, values));
    }
    Ok(Measured { metrics, explained })
}

/// A metric of the whole run.
pub fn of_run(name: &str, value: f64) -> Metric {
    Metric { topic: None, name: name.into(), value }
}

/// A metric of every topic, and its mean as that of the run.
fn of_topics(name: &str, values: Vec<f64>) -> Vec<Metric> {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let each = (0u64..).zip(values).map(|(topic, value)| Metric {
        topic: Some(topic),
        name: name.into(),
        value,
    });
    std::iter::once(of_run(name, mean)).chain(each).collect()
}
