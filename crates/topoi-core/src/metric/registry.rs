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
    against_field, anchors, co_occurrence, coherence, held_out, judged, of_models, of_the_work,
    words,
};
use crate::model::topics::Topics;

/// What a metric that needs no more than the topics is computed from.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// B (W × K), weights, and whatever else the model gives.
    pub topics: &'a Topics,
    /// p(word), W numbers.
    pub word_probabilities: &'a Array1<f64>,
}

impl<'a> Given<'a> {
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

type Measure = fn(&Given<'_>) -> Values;

/// Makes the list of the metrics, and that of those whose rows say how they are computed.
macro_rules! metrics {
    (@measure $metric:expr) => { None };
    (@measure $metric:expr, $measure:expr) => { Some(($metric, $measure)) };
    ($($($part:ident)::+ $(=> $measure:expr)?),+ $(,)?) => {
        /// Every metric that runs have, in the order in which lists show them; names in a store
        /// that are not among these are of another version, and are listed without a direction.
        pub const METRICS: &[&MetricDef] = &[$(&$($part)::+),+];

        const MEASURES: &[Option<(&MetricDef, Measure)>] =
            &[$(metrics!(@measure &$($part)::+ $(, $measure)?)),+];
    };
}

// A metric is a definition beside its function, and its row here. What needs no more than the topics
// says so in its row; the others are computed where the rest is known, in `run::work::measure`.
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
    of_the_work::DOCUMENTS_USED,
    of_the_work::DOCUMENTS_LEFT_OUT,
    of_the_work::NONZEROS_USED,
    of_the_work::TOKENS_USED,
    of_the_work::LENGTH_UNEVENNESS,
    of_the_work::TOKEN_LOG_PROBABILITY,
    of_the_work::DOCUMENT_TOPICS_RESIDUAL,
    of_the_work::DOCUMENT_TOPICS_SWEEPS,
    of_the_work::ALPHA_SUM,
    of_the_work::ALPHA_CHANGE,
    of_the_work::WEIGHTS_FROM_DOCUMENTS,
    of_the_work::REFINE_LOG_PROBABILITY,
    of_the_work::REFINE_STEPS,
    of_the_work::REFINE_GAIN,
    of_the_work::REFINE_RESIDUAL,
    of_models::KKT_GAP,
    of_models::FACTORISATION_RESIDUAL,
    of_models::FACTORISATION_PASSES,
    of_models::RECTIFICATION_CHANGE,
    of_models::RECTIFICATION_ITERATIONS,
    of_models::OBJECTIVE,
    of_models::OBJECTIVE_RISE,
    of_models::KL_DIVERGENCE,
    of_models::ITERATIONS,
    of_models::RELEVANT_TOPICS,
    of_models::OBJECTIVE_FALL,
    of_models::UNSTABLE_TOPICS,
    of_models::RANK_ONE_VALUE,
    of_models::RANK_ONE_RESIDUAL,
    of_models::WORDS_OF_A_TOPIC,
    of_models::LOG_LIKELIHOOD,
    of_models::GIBBS_ALPHA_SUM,
    of_models::NOVEL_WORDS,
    of_models::DISTANCE,
    of_models::MARGIN,
    of_models::K_HAT,
    of_models::K_HAT_FROM_DISTANCE,
    of_models::K_HAT_TO_DISTANCE,
    of_models::DOCUMENTS_PROJECTED,
    of_models::OUTSIDE_VOCABULARY,
    of_the_work::PARTS,
    of_the_work::EXCHANGE_SECONDS,
    of_the_work::EXCHANGE_BYTES,
}

/// The metrics whose rows say how they are computed, with their values.
pub fn measured(given: &Given<'_>) -> Vec<(&'static MetricDef, Values)> {
    MEASURES.iter().flatten().map(|(metric, measure)| (*metric, measure(given))).collect()
}

impl MetricDef {
    /// The metric that is saved as `name`; a variant (`npmi@gensim`) belongs to its measure (`npmi`). `None`
    /// for names that this version does not know.
    pub fn named(name: &str) -> Option<&'static Self> {
        let id = name.split('@').next().unwrap_or(name);
        METRICS.iter().copied().find(|metric| metric.id == id)
    }

    /// The metrics with this tag.
    pub fn tagged(tag: Tag) -> impl Iterator<Item = &'static Self> {
        METRICS.iter().copied().filter(move |metric| metric.tags.contains(&tag))
    }
}

impl ValueRange {
    /// The values that the metric saved as `name` can have; `None` for names of other versions.
    pub fn of(name: &str) -> Option<Self> {
        MetricDef::named(name).map(|metric| metric.range)
    }
}

impl Better {
    /// The direction of the metric saved as `name`; `None` for metrics without one, and for names that
    /// this version does not know.
    pub fn of(name: &str) -> Option<Self> {
        MetricDef::named(name)?.better
    }
}
