//! The metrics of every run; coherence scores with their settings.

use ndarray::{Array1, Array2};
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
use topoi_store::id::TopicNumber;
use topoi_store::result::metric::Metric;

/// The data that topics are measured on.
#[derive(Clone, Copy)]
pub struct Reference<'a> {
    /// The co-occurrence that the topics are from.
    pub c: &'a CoOccurrence<'a>,
    /// Measures of the co-occurrence by an earlier run of this worker.
    pub cache: &'a WorkerCache,
    /// Whether everything that can be computed is not estimated.
    pub exact_norms: bool,
    /// The run's seed.
    pub seed: u64,
    /// The texts of the documents, if they have any.
    pub texts: Option<&'a dyn TokenSequences>,
}

/// Metrics and further results of measuring a run.
#[derive(Debug)]
pub struct MeasuredRun {
    /// Metrics of the run and of its topics.
    pub metrics: Vec<Metric>,
    /// C̄_Sᵀ (W × K) for the characteristic words; `None` for topics without anchors.
    pub anchor_rows: Option<Array2<f64>>,
    /// The words in the plane of the anchors; `None` for topics without anchors.
    pub map: Option<WordMap>,
}

/// Seed of the random hulls that volumes are compared with. It is the same for all runs, so that they are comparable.
const RANDOM_HULLS: u64 = 1;

/// Measures the topics of a run, with coherence by each of `variants`; anchors and A too, if there are any.
pub fn measure(
    reference: Reference<'_>,
    topics: &Topics,
    variants: &[&CoherenceVariant],
    progress: &dyn Progress,
) -> Result<MeasuredRun, WorkError> {
    progress.begin("measure", 0, "");
    let mut metrics = Vec::new();
    let (mut anchor_rows, mut map) = (None, None);
    if topics.anchors.is_some() || topics.correlations.is_some() {
        let c = reference.c;
        let space = topics.anchors.as_ref().map(|anchors| AnchorSpace::new(c, anchors));
        let space = space.transpose()?;
        let plane = space.as_ref().map(|space| Plane::new(&space.anchor_rows));
        let none = Array2::zeros((c.words(), 0));
        // The columns of the plane share a pass with those that norms are estimated from.
        let axes = plane.as_ref().map_or(none.view(), |plane| plane.axes.view());
        let Reference { cache, exact_norms, seed, .. } = reference;
        let (norms, images) = cache.row_norms(c, exact_norms, seed, axes)?;
        if let Some(a) = &topics.correlations {
            metrics.extend(correlation_metrics(c, &norms, topics, a)?);
        }
        if let (Some(anchors), Some(space), Some(plane)) = (&topics.anchors, space, plane) {
            metrics.extend(anchors_in_space(c, &norms, topics, &space)?);
            let words = plane.words(space.normalised(images), anchors, c.row_sums());
            metrics.push(metric_for_run(&WORD_MAP_VARIANCE, words.explained.iter().sum()));
            (anchor_rows, map) = (Some(space.anchor_rows), Some(words));
        }
    }
    metrics.extend(measure_words(reference, topics, variants, progress)?);
    Ok(MeasuredRun { metrics, anchor_rows, map })
}

/// Metrics of the topics together with A (K × K).
fn correlation_metrics(
    c: &CoOccurrence<'_>,
    norms: &RowNorms,
    topics: &Topics,
    a: &Array2<f64>,
) -> Result<Vec<Metric>, WorkError> {
    let approximation = relative_approximation(c, norms, &topics.topics, a)?;
    let mut metrics = vec![
        by_norms(norms, &RELATIVE_APPROXIMATION, approximation),
        metric_for_run(&RELATIVE_DOMINANCY, relative_dominancy(a)),
        metric_for_run(&LEGALITY, legality(a)),
    ];
    if let Some(conditions) = topic_conditions(a, &topics.weights) {
        metrics.push(metric_for_run(&SIMPLICIAL, conditions.simplicial));
        metrics.push(metric_for_run(&AFFINE_INDEPENDENCE, conditions.affine_independence));
    }
    Ok(metrics)
}

/// The metrics of the topics of every model, with coherence by each of `variants`.
fn measure_words(
    reference: Reference<'_>,
    topics: &Topics,
    variants: &[&CoherenceVariant],
    progress: &dyn Progress,
) -> Result<Vec<Metric>, WorkError> {
    let c = reference.c;
    let mut metrics = vec![
        metric_for_run(&DOCUMENTS_USED, c.totals().documents as f64),
        metric_for_run(&DOCUMENTS_LEFT_OUT, c.totals().too_short as f64),
        metric_for_run(&NONZEROS_USED, c.totals().nonzeros as f64),
        metric_for_run(&TOKENS_USED, c.totals().tokens as f64),
        metric_for_run(&LENGTH_UNEVENNESS, c.totals().length_unevenness()),
    ];
    metrics.extend(measure_topics(topics, c.row_sums()));
    progress.begin("coherence", c.totals().documents, "");
    let counted_in = CoherenceReference::run_documents(c.documents(), reference.texts);
    metrics.extend(coherence(&topics.topics, &counted_in, variants)?);
    Ok(metrics)
}

/// The metrics that follow from the topics and the probabilities of words alone.
pub fn measure_topics(topics: &Topics, word_probabilities: &Array1<f64>) -> Vec<Metric> {
    let mut metrics = Vec::new();
    for (metric, values) in metrics_of_topics(&MetricInput { topics, word_probabilities }) {
        match values {
            Values::OfRun(value) => metrics.push(metric_for_run(metric, value)),
            Values::OfTopics(values) => metrics.extend(metrics_for_topics(metric, values)),
        }
    }
    let most = DIVERSITIES.iter().map(|&(_, words)| words).max().unwrap_or(0);
    metrics.extend(diversity(&top_words_of_topics(&topics.topics, most)));
    metrics
}

/// The number of different words in lists of the first words of topics.
pub fn diversity(lists: &[Vec<usize>]) -> Vec<Metric> {
    let measured = DIVERSITIES.map(|(metric, words)| Metric {
        settings: Some(format!("{{\"top_words\":{words}}}")),
        ..metric_for_run(metric, diversity_of_lists(lists, words))
    });
    measured.into()
}

/// Metrics of the position of anchors in the co-occurrence space, and of the reconstruction from them.
fn anchors_in_space(
    c: &CoOccurrence<'_>,
    norms: &RowNorms,
    topics: &Topics,
    space: &AnchorSpace,
) -> Result<Vec<Metric>, WorkError> {
    let recovery = space.relative_recovery(c, norms, &topics.topics_of_words)?;
    let mut metrics = vec![by_norms(norms, &RELATIVE_RECOVERY, recovery)];
    let incoherence = mst_incoherence(c, &topics.topics, &space.anchor_rows)?;
    metrics.extend(metrics_for_topics(&MST_INCOHERENCE, incoherence));
    let volume = log_relative_volume(&space.anchor_rows, RANDOM_HULLS);
    metrics.extend(volume.map(|volume| metric_for_run(&LOG_RELATIVE_VOLUME, volume)));
    Ok(metrics)
}

/// A metric that has its standard error in the settings if it is an estimate.
fn by_norms(norms: &RowNorms, metric: &MetricDef, found: Estimate) -> Metric {
    let settings = match norms {
        RowNorms::Exact(_) => None,
        RowNorms::Sketched(sketch) => {
            let how = json!({"standard_error": found.error, "projections": sketch.draws()});
            Some(how.to_string())
        }
    };
    Metric { settings, ..metric_for_run(metric, found.value) }
}

/// A metric of the whole run.
pub fn metric_for_run(metric: &MetricDef, value: f64) -> Metric {
    Metric { topic: None, name: metric.id.into(), value, settings: None }
}

/// A metric of every topic, with its mean as that of the run.
pub fn metrics_for_topics(metric: &MetricDef, values: Vec<f64>) -> Vec<Metric> {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let each = (0u64..).zip(values).map(|(topic, value)| Metric {
        topic: Some(TopicNumber(topic)),
        ..metric_for_run(metric, value)
    });
    std::iter::once(metric_for_run(metric, mean)).chain(each).collect()
}

/// The documents that co-occurrence of words is counted in for coherence.
pub struct CoherenceReference<'a> {
    documents: &'a Documents<'a>,
    /// Windows are counted in these; without texts, documents are the windows.
    texts: Option<&'a dyn TokenSequences>,
    /// What is saved with a score as its reference.
    name: String,
}

impl<'a> CoherenceReference<'a> {
    /// All documents of the run.
    pub fn run_documents(
        documents: &'a Documents<'a>,
        texts: Option<&'a dyn TokenSequences>,
    ) -> Self {
        Self::every_block(documents, texts, 1)
    }

    /// The documents of every `step`-th block of the run's.
    pub fn every_block(
        documents: &'a Documents<'a>,
        texts: Option<&'a dyn TokenSequences>,
        step: usize,
    ) -> Self {
        let all = "the run's documents";
        let name = if step == 1 { all.into() } else { format!("every {step}th block of {all}") };
        Self { documents, texts, name }
    }
}

/// The scores of `variants` for the topics B (W × K): a row per topic, and their mean for the run.
pub fn coherence(
    topics: &Array2<f64>,
    reference: &CoherenceReference<'_>,
    variants: &[&CoherenceVariant],
) -> Result<Vec<Metric>, StreamError> {
    let top = top_words_of_topics(topics, most_words(variants));
    coherence_of_lists(&top, topics.nrows(), reference, variants)
}

/// Number of words per topic that the longest of `variants` needs.
pub fn most_words(variants: &[&CoherenceVariant]) -> usize {
    variants.iter().map(|variant| variant.top_words).max().unwrap_or(0)
}

/// [`coherence`] of lists of words (below `words`) in order of rank, with [`most_words`] words each.
pub fn coherence_of_lists(
    top: &[Vec<usize>],
    words: usize,
    reference: &CoherenceReference<'_>,
    variants: &[&CoherenceVariant],
) -> Result<Vec<Metric>, StreamError> {
    let &CoherenceReference { documents, texts, ref name } = reference;
    let pairs = WordPairs::from_topics(top, words);
    let by_document = document_frequencies(documents, &pairs)?;
    let rules = if texts.is_some() { distinct_windows(variants) } else { Vec::new() };
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
        let settings = settings(variant, window.and(variant.window), counts, name);
        let of_variant = metrics_for_topics(variant.measure, variant.scores(top, counts));
        metrics.extend(of_variant.into_iter().map(|metric| Metric {
            name: variant.name(),
            settings: Some(settings.clone()),
            ..metric
        }));
    }
    Ok(metrics)
}

/// The distinct windows to count.
fn distinct_windows(variants: &[&CoherenceVariant]) -> Vec<WindowRule> {
    let mut rules = Vec::new();
    for rule in variants.iter().filter_map(|variant| variant.window) {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    rules
}

/// The settings that a score depends on, as saved; `docs/reference/metrics.md` explains the fields.
fn settings(
    variant: &CoherenceVariant,
    window: Option<WindowRule>,
    counts: &PairCounts<'_>,
    reference: &str,
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
        "reference": reference,
    });
    settings.to_string()
}
