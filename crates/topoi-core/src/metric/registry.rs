//! The list of all metrics.

use ndarray::{Array1, Array2};

use self::Values::{OfRun, OfTopics};
use super::better::Better;
use super::definition::{MetricDef, Tag, ValueRange};
use super::words::exclusivity::exclusivity;
use super::words::frex::exclusivity_stm;
use super::words::topic_diversity::inverted_rank_biased_overlap;
use super::words::topic_shape::{dissimilarity, specificity};
use super::{
    against_field, anchors, co_occurrence, coherence, held_out, judged, model_figures, revision,
    run_process, words,
};
use crate::model::topics::Topics;

/// The input of metrics that are computed from the topics alone.
#[derive(Debug, Clone, Copy)]
pub struct MetricInput<'a> {
    /// B (W × K), weights, and the model's other results.
    pub topics: &'a Topics,
    /// p(word), W numbers.
    pub word_probabilities: &'a Array1<f64>,
}

impl<'a> MetricInput<'a> {
    fn b(&self) -> &'a Array2<f64> {
        &self.topics.topics
    }
}

/// The values of a metric.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    OfRun(f64),
    /// A value for each topic.
    OfTopics(Vec<f64>),
}

type Measure = fn(&MetricInput<'_>) -> Values;

/// Defines the list of all metrics, and the functions of those whose rows name one.
macro_rules! metrics {
    (@measure $metric:expr) => { None };
    (@measure $metric:expr, $measure:expr) => { Some(($metric, $measure)) };
    ($($($part:ident)::+ $(=> $measure:expr)?),+ $(,)?) => {
        /// All metrics of runs, in the order in which lists show them. Names in a store that are
        /// not among these come from another version and are listed without a direction.
        pub const METRICS: &[&MetricDef] = &[$(&$($part)::+),+];

        const MEASURES: &[Option<(&MetricDef, Measure)>] =
            &[$(metrics!(@measure &$($part)::+ $(, $measure)?)),+];
    };
}

// A metric is a definition next to its function, and a row here. The row of a metric that needs the
// topics alone names its function; the others are computed in `run::work::measure`.
metrics! {
    coherence::variants::NPMI,
    coherence::variants::UMASS,
    coherence::variants::UCI,
    coherence::variants::CV,
    words::topic_diversity::INVERTED_RBO => |of| OfRun(inverted_rank_biased_overlap(of.b())),
    words::topic_diversity::TOPIC_DIVERSITY,
    words::topic_diversity::TOPIC_DIVERSITY_10,
    words::exclusivity::EXCLUSIVITY => |of| OfTopics(exclusivity(of.b())),
    words::frex::FREX => |of| OfTopics(exclusivity_stm(of.b())),
    words::stability::STABILITY,
    words::stability::STABILITY_BY_CHANCE,
    words::stability::STABILITY_L1,
    against_field::NMI,
    against_field::AMI,
    against_field::PURITY,
    against_field::DOCUMENTS_WITH,
    against_field::VALUES_OF,
    judged::WORD_INTRUSION,
    judged::TOPIC_LOG_ODDS,
    judged::TOPIC_RATING,
    co_occurrence::approximation::RELATIVE_APPROXIMATION,
    anchors::anchor_space::RELATIVE_RECOVERY,
    words::topic_shape::SPECIFICITY => |of| OfTopics(specificity(of.b(), of.word_probabilities)),
    words::topic_shape::DISSIMILARITY => |of| OfTopics(dissimilarity(of.b())),
    words::topic_shape::RELATIVE_DOMINANCY,
    words::topic_shape::LEGALITY,
    co_occurrence::topic_conditions::SIMPLICIAL,
    co_occurrence::topic_conditions::AFFINE_INDEPENDENCE,
    anchors::mst_incoherence::MST_INCOHERENCE,
    anchors::log_relative_volume::LOG_RELATIVE_VOLUME,
    anchors::word_map::WORD_MAP_VARIANCE,
    held_out::HELD_OUT_LOG_PROBABILITY,
    held_out::HELD_OUT_LOG_PROBABILITY_ERROR,
    held_out::DOCUMENT_COMPLETION,
    held_out::DOCUMENT_COMPLETION_ERROR,
    held_out::HELD_OUT_DOCUMENTS,
    held_out::HELD_OUT_SUBSAMPLED,
    run_process::DOCUMENTS_USED,
    run_process::DOCUMENTS_LEFT_OUT,
    run_process::NONZEROS_USED,
    run_process::TOKENS_USED,
    run_process::LENGTH_UNEVENNESS,
    run_process::TOKEN_LOG_PROBABILITY,
    run_process::DOCUMENT_TOPICS_RESIDUAL,
    run_process::DOCUMENT_TOPICS_SWEEPS,
    run_process::ALPHA_SUM,
    run_process::ALPHA_CHANGE,
    run_process::WEIGHTS_FROM_DOCUMENTS,
    run_process::REFINE_LOG_PROBABILITY,
    run_process::REFINE_STEPS,
    run_process::SWEEPS,
    run_process::SWEEPS_LOG_LIKELIHOOD,
    run_process::REFINE_GAIN,
    run_process::REFINE_RESIDUAL,
    revision::DRIFT,
    revision::ADDED_SHARE,
    revision::UNKNOWN_SHARE,
    revision::UNEXPLAINED_SHARE,
    revision::TOPICS_ADDED,
    revision::DOCUMENTS_ADDED,
    revision::DOCUMENTS_READ_AGAIN,
    revision::DOCUMENTS_GONE,
    revision::DOCUMENTS_AT_FULL_READING,
    revision::ADDED_LOG_PROBABILITY,
    model_figures::KKT_GAP,
    model_figures::FACTORISATION_RESIDUAL,
    model_figures::FACTORISATION_PASSES,
    model_figures::RECTIFICATION_CHANGE,
    model_figures::RECTIFICATION_ITERATIONS,
    model_figures::OBJECTIVE,
    model_figures::OBJECTIVE_RISE,
    model_figures::KL_DIVERGENCE,
    model_figures::ITERATIONS,
    model_figures::RELEVANT_TOPICS,
    model_figures::OBJECTIVE_FALL,
    model_figures::UNSTABLE_TOPICS,
    model_figures::RANK_ONE_VALUE,
    model_figures::RANK_ONE_RESIDUAL,
    model_figures::WORDS_OF_A_TOPIC,
    model_figures::LOG_LIKELIHOOD,
    model_figures::GIBBS_ALPHA_SUM,
    model_figures::NOVEL_WORDS,
    model_figures::DISTANCE,
    model_figures::MARGIN,
    model_figures::K_HAT,
    model_figures::K_HAT_FROM_DISTANCE,
    model_figures::K_HAT_TO_DISTANCE,
    model_figures::DOCUMENTS_PROJECTED,
    model_figures::OUTSIDE_VOCABULARY,
    model_figures::CLUSTER_COSINE,
    model_figures::CLUSTER_CHANGE,
    run_process::PARTS,
    run_process::EXCHANGES,
    run_process::EXCHANGE_SECONDS,
    run_process::EXCHANGE_BYTES,
}

/// Computes the metrics whose rows name a function.
pub fn metrics_of_topics(given: &MetricInput<'_>) -> Vec<(&'static MetricDef, Values)> {
    MEASURES.iter().flatten().map(|(metric, measure)| (*metric, measure(given))).collect()
}

impl MetricDef {
    /// The metric saved as `name`. A variant (`npmi@gensim`) belongs to its measure (`npmi`).
    /// `None` for names that this version does not know.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        let id = name.split('@').next().unwrap_or(name);
        METRICS.iter().copied().find(|metric| metric.id == id)
    }

    /// The metrics with this tag.
    pub fn tagged(tag: Tag) -> impl Iterator<Item = &'static Self> {
        METRICS.iter().copied().filter(move |metric| metric.tags.contains(&tag))
    }
}

impl ValueRange {
    /// The range of the metric saved as `name`; `None` for names that this version does not know.
    pub fn for_metric(name: &str) -> Option<Self> {
        MetricDef::from_name(name).map(|metric| metric.range)
    }
}

impl Better {
    /// The direction of the metric saved as `name`; `None` for metrics without one and for names
    /// that this version does not know.
    pub fn for_metric(name: &str) -> Option<Self> {
        MetricDef::from_name(name)?.better
    }
}
