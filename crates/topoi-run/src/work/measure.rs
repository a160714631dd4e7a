//! The metrics every run is saved with; coherence scores with the settings they were computed by.

use ndarray::Array2;
use serde_json::json;

use super::work_error::WorkError;
use super::worker_cache::WorkerCache;
use topoi_core::metric::anchors::anchor_space::{AnchorSpace, RELATIVE_RECOVERY};
use topoi_core::metric::anchors::log_relative_volume::{LOG_RELATIVE_VOLUME, log_relative_volume};
use topoi_core::metric::anchors::mst_incoherence::{MST_INCOHERENCE, mst_incoherence};
use topoi_core::metric::anchors::word_map::{Plane, WORD_MAP_VARIANCE, WordMap};
use topoi_core::metric::co_occurrence::approximation::{
    RELATIVE_APPROXIMATION, relative_approximation,
};
use topoi_core::metric::co_occurrence::row_norms::RowNorms;
use topoi_core::metric::co_occurrence::sketch::Estimate;
use topoi_core::metric::co_occurrence::topic_conditions::{
    AFFINE_INDEPENDENCE, SIMPLICIAL, topic_conditions,
};
use topoi_core::metric::coherence::pair_counts::{PairCounts, document_frequencies};
use topoi_core::metric::coherence::variants::CoherenceVariant;
use topoi_core::metric::coherence::windows::TokenSequences;
use topoi_core::metric::coherence::windows::{WindowRule, window_frequencies};
use topoi_core::metric::coherence::word_pairs::WordPairs;
use topoi_core::metric::run_process::{
    DOCUMENTS_LEFT_OUT, DOCUMENTS_USED, LENGTH_UNEVENNESS, NONZEROS_USED, TOKENS_USED,
};
use topoi_core::metric::words::top_words::top_words_of_topics;
use topoi_core::metric::words::topic_diversity::{DIVERSITIES, diversity_of_lists};
use topoi_core::metric::words::topic_shape::{
    LEGALITY, RELATIVE_DOMINANCY, legality, relative_dominancy,
};
use topoi_core::metric::{MetricDef, MetricInput, Values, metrics_of_topics};
use topoi_core::model::topics::Topics;
use topoi_core::progress::Progress;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::error::StreamError;
use topoi_store::result::metric::Metric;

/// What topics are measured against.
#[derive(Clone, Copy)]
pub struct Reference<'a> {
    /// The co-occurrence they came from.
    pub c: &'a CoOccurrence<'a>,
    /// What an earlier run of this worker measured of the co-occurrence.
    pub cache: &'a WorkerCache,
    /// Whether nothing is estimated that can be computed.
    pub exact_norms: bool,
    /// The run's seed.
    pub seed: u64,
    /// The texts of its documents, where they have any.
    pub texts: Option<&'a dyn TokenSequences>,
}

/// What measuring a run gives: rows for the store, and what else it found on the way.
#[derive(Debug)]
pub struct Measured {
    /// Metrics of the run and of its topics.
    pub metrics: Vec<Metric>,
    /// C̄_Sᵀ (W × K) for the characteristic words; `None` for topics without anchors.
    pub anchor_rows: Option<Array2<f64>>,
    /// The words in the plane of the anchors; `None` for topics without anchors.
    pub map: Option<WordMap>,
}

/// Seed of the random hulls that volumes are compared with: the same for all runs, so that they
/// compare with each other.
const RANDOM_HULLS: u64 = 1;

/// Measures the topics of a run, coherence by each of `variants`; of anchors and of A where it has
/// them.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub fn measure(
    reference: Reference<'_>,
    topics: &Topics,
    variants: &[&CoherenceVariant],
    progress: &dyn Progress,
) -> Result<Measured, WorkError> {
    progress.begin("measure", 0, "");
    let mut metrics = Vec::new();
    let (mut anchor_rows, mut map) = (None, None);
    if topics.anchors.is_some() || topics.correlations.is_some() {
        let c = reference.c;
        let space = topics.anchors.as_ref().map(|anchors| AnchorSpace::new(c, anchors));
        let space = space.transpose()?;
        let plane = space.as_ref().map(|space| Plane::new(&space.anchor_rows));
        let none = Array2::zeros((c.words(), 0));
        // The plane's columns go along with those that norms are estimated from.
        let axes = plane.as_ref().map_or(none.view(), |plane| plane.axes.view());
        let Reference { cache, exact_norms, seed, .. } = reference;
        let (norms, images) = cache.row_norms(c, exact_norms, seed, axes)?;
        if let Some(a) = &topics.correlations {
            metrics.extend(of_correlations(c, &norms, topics, a)?);
        }
        if let (Some(anchors), Some(space), Some(plane)) = (&topics.anchors, space, plane) {
            metrics.extend(anchors_in_space(c, &norms, topics, &space)?);
            let words = plane.words(space.normalised(images), anchors, c.row_sums());
            metrics.push(of_run(&WORD_MAP_VARIANCE, words.explained.iter().sum()));
            (anchor_rows, map) = (Some(space.anchor_rows), Some(words));
        }
    }
    metrics.extend(measure_words(reference, topics, variants, progress)?);
    Ok(Measured { metrics, anchor_rows, map })
}

/// Measures of the topics together with A (K × K).
fn of_correlations(
    c: &CoOccurrence<'_>,
    norms: &RowNorms,
    topics: &Topics,
    a: &Array2<f64>,
) -> Result<Vec<Metric>, WorkError> {
    let approximation = relative_approximation(c, norms, &topics.topics, a)?;
    let mut metrics = vec![
        by_norms(norms, &RELATIVE_APPROXIMATION, approximation),
        of_run(&RELATIVE_DOMINANCY, relative_dominancy(a)),
        of_run(&LEGALITY, legality(a)),
    ];
    if let Some(conditions) = topic_conditions(a, &topics.weights) {
        metrics.push(of_run(&SIMPLICIAL, conditions.simplicial));
        metrics.push(of_run(&AFFINE_INDEPENDENCE, conditions.affine_independence));
    }
    Ok(metrics)
}

/// The metrics that topics of every model have, coherence by each of `variants`.
fn measure_words(
    reference: Reference<'_>,
    topics: &Topics,
    variants: &[&CoherenceVariant],
    progress: &dyn Progress,
) -> Result<Vec<Metric>, WorkError> {
    let c = reference.c;
    let mut metrics = vec![
        of_run(&DOCUMENTS_USED, c.totals().documents as f64),
        of_run(&DOCUMENTS_LEFT_OUT, c.totals().too_short as f64),
        of_run(&NONZEROS_USED, c.totals().nonzeros as f64),
        of_run(&TOKENS_USED, c.totals().tokens as f64),
        of_run(&LENGTH_UNEVENNESS, c.totals().length_unevenness()),
    ];
    for (metric, values) in
        metrics_of_topics(&MetricInput { topics, word_probabilities: c.row_sums() })
    {
        match values {
            Values::OfRun(value) => metrics.push(of_run(metric, value)),
            Values::OfTopics(values) => metrics.extend(of_topics(metric, values)),
        }
    }
    let most = DIVERSITIES.iter().map(|&(_, words)| words).max().unwrap_or(0);
    metrics.extend(diversity(&top_words_of_topics(&topics.topics, most)));
    progress.begin("coherence", c.totals().documents, "");
    metrics.extend(coherence(&topics.topics, c.documents(), reference.texts, variants)?);
    Ok(metrics)
}

/// How many different words lists of a topic's first words have.
pub fn diversity(lists: &[Vec<usize>]) -> Vec<Metric> {
    let measured = DIVERSITIES.map(|(metric, words)| Metric {
        settings: Some(format!("{{\"top_words\":{words}}}")),
        ..of_run(metric, diversity_of_lists(lists, words))
    });
    measured.into()
}

/// Measures of where the anchors stand in the co-occurrence space, and of what they recover.
fn anchors_in_space(
    c: &CoOccurrence<'_>,
    norms: &RowNorms,
    topics: &Topics,
    space: &AnchorSpace,
) -> Result<Vec<Metric>, WorkError> {
    let recovery = space.relative_recovery(c, norms, &topics.topics_of_words)?;
    let mut metrics = vec![by_norms(norms, &RELATIVE_RECOVERY, recovery)];
    let incoherence = mst_incoherence(c, &topics.topics, &space.anchor_rows)?;
    metrics.extend(of_topics(&MST_INCOHERENCE, incoherence));
    let volume = log_relative_volume(&space.anchor_rows, RANDOM_HULLS);
    metrics.extend(volume.map(|volume| of_run(&LOG_RELATIVE_VOLUME, volume)));
    Ok(metrics)
}

/// A metric that says so where it is an estimate, and how far it may be off.
fn by_norms(norms: &RowNorms, metric: &MetricDef, found: Estimate) -> Metric {
    let settings = match norms {
        RowNorms::Exact(_) => None,
        RowNorms::Sketched(sketch) => {
            let how = json!({"standard_error": found.error, "projections": sketch.draws()});
            Some(how.to_string())
        }
    };
    Metric { settings, ..of_run(metric, found.value) }
}

/// A metric of the whole run.
pub fn of_run(metric: &MetricDef, value: f64) -> Metric {
    Metric { topic: None, name: metric.id.into(), value, settings: None }
}

/// A metric of every topic, and its mean as that of the run.
pub fn of_topics(metric: &MetricDef, values: Vec<f64>) -> Vec<Metric> {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let each = (0u64..)
        .zip(values)
        .map(|(topic, value)| Metric { topic: Some(topic), ..of_run(metric, value) });
    std::iter::once(of_run(metric, mean)).chain(each).collect()
}

/// The scores of `variants` for the topics B (W × K): a row a topic and their mean for the run.
/// Windows are counted in `texts` where there are any, documents where not.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub fn coherence(
    topics: &Array2<f64>,
    documents: &Documents<'_>,
    texts: Option<&dyn TokenSequences>,
    variants: &[&CoherenceVariant],
) -> Result<Vec<Metric>, StreamError> {
    let top = top_words_of_topics(topics, most_words(variants));
    coherence_of_lists(&top, topics.nrows(), documents, texts, variants)
}

/// How many words of a topic the longest of `variants` looks at.
pub fn most_words(variants: &[&CoherenceVariant]) -> usize {
    variants.iter().map(|variant| variant.top_words).max().unwrap_or(0)
}

/// [`coherence`] of lists of words (below `words`), the first of a topic first, [`most_words`] of each.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub fn coherence_of_lists(
    top: &[Vec<usize>],
    words: usize,
    documents: &Documents<'_>,
    texts: Option<&dyn TokenSequences>,
    variants: &[&CoherenceVariant],
) -> Result<Vec<Metric>, StreamError> {
    let pairs = WordPairs::from_topics(top, words);
    let by_document = document_frequencies(documents, &pairs)?;
    let rules = if texts.is_some() { rules_of(variants) } else { Vec::new() };
    let by_window = match texts {
        Some(texts) if !rules.is_empty() => {
            let here = documents.agree(window_frequencies(texts, &pairs, &rules))?;
            here.into_iter()
                .map(|counts| counts.over_parts(documents))
                .collect::<Result<_, StreamError>>()?
        }
        _ => Vec::new(),
    };
    let mut metrics = Vec::new();
    for variant in variants {
        let window = variant.window.and_then(|rule| rules.iter().position(|&other| other == rule));
        let counts = window.map_or(&by_document, |at| &by_window[at]);
        let settings = settings(variant, window.and(variant.window), counts);
        let of_variant = of_topics(variant.measure, variant.scores(top, counts));
        metrics.extend(of_variant.into_iter().map(|metric| Metric {
            name: variant.name(),
            settings: Some(settings.clone()),
            ..metric
        }));
    }
    Ok(metrics)
}

/// The windows that have to be counted, each once.
fn rules_of(variants: &[&CoherenceVariant]) -> Vec<WindowRule> {
    let mut rules = Vec::new();
    for rule in variants.iter().filter_map(|variant| variant.window) {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    rules
}

/// What a score's meaning depends on, as saved; `docs/reference/metrics.md` explains the fields.
fn settings(
    variant: &CoherenceVariant,
    window: Option<WindowRule>,
    counts: &PairCounts<'_>,
) -> String {
    let unit = if window.is_some() { "window" } else { "document" };
    let settings = json!({
        "variant": variant.variant,
        "top_words": variant.top_words,
        "epsilon": variant.epsilon,
        "window": window.map(|rule| rule.width),
        "unit": unit,
        "units": counts.units(),
        "aggregation": variant.aggregation(),
        "reference": "the run's documents",
    });
    settings.to_string()
}
