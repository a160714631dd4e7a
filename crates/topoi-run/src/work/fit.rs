//! Fitting the model of a run.

use ndarray::{Array2, s};

use super::measure::{metric_for_run, metrics_for_topics};
use crate::request::document_topics::AssignedDocuments;
use crate::request::start::{ALIKE, NumberedTopics, matches, topic_cosines};
use crate::request::{Origin, RunRequest, RunSettings};
use topoi_core::metric::co_occurrence::row_norms::squared_norm;
use topoi_core::model::jsmf::compressed::Anchor;
use topoi_core::model::separable::{KeptSums, NothingKept};
use topoi_core::model::topic_model::{Figure, Fit, Input, TopicLabel};
use topoi_core::model::{Model, ModelError};
use topoi_core::progress::Progress;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_store::result::metric::Metric;

/// The input of a fit beside the documents: all that determines the topics of a run.
#[derive(Debug, Clone, Copy)]
pub struct FitTask<'a> {
    /// The model, or the file of topics.
    pub origin: &'a Origin,
    /// Number of topics.
    pub k: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Settings that are not of the model: vocabulary, refining, threads.
    pub settings: &'a RunSettings,
    /// Eigenvectors of an earlier run to start from, W × columns; for models that can.
    pub start: Option<&'a Array2<f64>>,
    /// Topics of an earlier run, whose numbers the new topics keep.
    pub numbered: Option<&'a NumberedTopics>,
    /// Sums to add to or to keep; for models that can.
    pub sums: Option<&'a dyn KeptSums>,
    /// Anchors of the first topics; for models that take them.
    pub seeds: &'a [Anchor],
    /// The topics of a shaped run.
    pub shaped: Option<&'a Fit>,
    /// The topics of documents that an imported table has.
    pub assigned: Option<&'a AssignedDocuments>,
    /// Whether each part of a corpus in parts keeps θ of its own documents; else part 0 gets θ of all.
    pub keeps_own_documents: bool,
}

impl<'a> FitTask<'a> {
    /// The task of a request that starts from nothing.
    pub fn from_request(request: &'a RunRequest) -> Self {
        let RunRequest { origin, k, seed, settings, .. } = request;
        Self {
            origin,
            k: *k,
            seed: *seed,
            settings,
            start: None,
            numbered: None,
            sums: None,
            seeds: &[],
            shaped: None,
            assigned: None,
            keeps_own_documents: false,
        }
    }
}

/// Fits a model to a streamed co-occurrence. Topics get the numbers of earlier ones here, if they keep them, as
/// refining sums over topics in their order, which affects the last bits.
pub fn fit(
    model: &Model,
    task: FitTask<'_>,
    c: &CoOccurrence<'_>,
    progress: &dyn Progress,
) -> Result<Fit, ModelError> {
    let input = Input {
        c,
        squared_norm: &|| squared_norm(c, task.seed),
        k: task.k,
        seed: task.seed,
        factorise: task.settings.factorise,
        start: task.start,
        sums: task.sums.unwrap_or(&NothingKept),
        seeds: task.seeds,
    };
    let fitted = model.any().fit(&input, progress)?;
    Ok(with_numbers(fitted, &task))
}

/// Renumbers the topics to match earlier ones, if requested. Seeded topics are numbered by their seeds.
pub(super) fn with_numbers(fitted: Fit, task: &FitTask<'_>) -> Fit {
    let Some(earlier) = task.numbered else { return fitted };
    let seeded = task.settings.seeds.as_ref().map_or(0, |seeds| seeds.0.len());
    let order = order(&topic_cosines(&earlier.directions, &fitted.topics.topics), seeded);
    fitted.in_order(&order)
}

/// The order in which topics have the numbers of the earlier ones that they are matched with, from cosines (K₀ × K).
/// The first `seeded` topics keep their numbers, and unmatched topics follow.
fn order(cosines: &Array2<f64>, seeded: usize) -> Vec<usize> {
    let seeded = seeded.min(cosines.nrows()).min(cosines.ncols());
    let others = cosines.slice(s![seeded.., seeded..]).to_owned();
    let matched = matches(&others).into_iter().flatten().map(|topic| seeded + topic);
    let mut order: Vec<usize> = (0..seeded).chain(matched).collect();
    let mut is_left = vec![true; cosines.ncols()];
    order.iter().for_each(|&topic| is_left[topic] = false);
    order.extend((0..cosines.ncols()).filter(|&topic| is_left[topic]));
    order
}

/// The labels of those of `topics` (W × K) that are alike to the earlier topic of the same number.
pub(super) fn labels_kept(
    topics: &Array2<f64>,
    earlier: &NumberedTopics,
) -> Vec<(usize, TopicLabel)> {
    let cosines = topic_cosines(&earlier.directions, topics);
    let is_same = |number: usize| cosines.get((number, number)).is_some_and(|&c| c >= ALIKE);
    let labels = earlier.labels.iter().enumerate().filter(|&(number, _)| is_same(number));
    labels.filter_map(|(number, label)| Some((number, label.clone()?))).collect()
}

/// The model's own figures as metrics.
pub(super) fn metrics(figures: &[Figure]) -> Vec<Metric> {
    let metric = |figure: &Figure| match figure {
        Figure::OfRun(metric, value) => vec![metric_for_run(metric, *value)],
        Figure::WithSettings(metric, value, settings) => {
            vec![Metric { settings: Some(settings.clone()), ..metric_for_run(metric, *value) }]
        }
        Figure::OfTopics(metric, values) => metrics_for_topics(metric, values.clone()),
    };
    figures.iter().flat_map(metric).collect()
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::request::start::directions;

    fn cosines(earlier: &Array2<f64>, topics: &Array2<f64>) -> Array2<f64> {
        topic_cosines(&directions(earlier), topics)
    }

    #[test]
    fn every_topic_gets_the_number_of_the_one_it_is_most_like() {
        let earlier = array![[0.8, 0.1, 0.0], [0.2, 0.9, 0.1], [0.0, 0.0, 0.9]];
        let topics = array![[0.1, 0.0, 0.9], [0.8, 0.2, 0.1], [0.1, 0.8, 0.0]];
        assert_eq!(order(&cosines(&earlier, &topics), 0), [2, 0, 1]);
        assert_eq!(order(&cosines(&earlier, &earlier), 0), [0, 1, 2]);
        assert_eq!(order(&cosines(&earlier, &topics), 1), [0, 2, 1]);
    }

    #[test]
    fn topics_of_another_number_are_all_there() {
        let earlier = array![[0.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
        let three = array![[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
        assert_eq!(order(&cosines(&earlier, &three), 0), [2, 1, 0]);
        assert_eq!(order(&cosines(&three, &earlier), 0).len(), 2);
        assert_eq!(order(&cosines(&earlier, &Array2::zeros((3, 2))), 3).len(), 2);
    }

    fn labelled(topics: Array2<f64>, labels: &[&str]) -> NumberedTopics {
        let labels = labels.iter().map(|text| Some(label(text))).collect();
        NumberedTopics { directions: directions(&topics), labels }
    }

    /// The labels of `topics` after renumbering, with their topics.
    fn label(text: &str) -> TopicLabel {
        TopicLabel { text: text.into(), by: Some("Ann".into()) }
    }

    fn carried(topics: &Array2<f64>, earlier: &NumberedTopics) -> Vec<(usize, TopicLabel)> {
        let order = order(&topic_cosines(&earlier.directions, topics), 0);
        let kept = labels_kept(&topics.select(ndarray::Axis(1), &order), earlier);
        kept.into_iter().map(|(number, label)| (order[number], label)).collect()
    }

    #[test]
    fn a_label_follows_its_topic_and_goes_to_no_other() {
        let earlier = array![[0.9, 0.0, 0.1], [0.1, 0.9, 0.0], [0.0, 0.1, 0.9]];
        let earlier = labelled(earlier, &["law", "sea", "war"]);
        let permuted = earlier.directions.select(ndarray::Axis(1), &[2, 0, 1]);
        let found = carried(&permuted, &earlier);
        assert_eq!(found, [(1, label("law")), (2, label("sea")), (0, label("war"))]);
        // The label of a topic that vanished is dropped.
        let without = array![[0.9, 0.1, 0.6], [0.1, 0.0, 0.2], [0.0, 0.9, 0.2]];
        assert_eq!(carried(&without, &earlier), [(0, label("law")), (1, label("war"))]);
        assert_eq!(carried(&Array2::zeros((3, 3)), &earlier), []);
        // The small overlap on words that remain makes it similar to none.
        let gone =
            NumberedTopics { directions: array![[0.3], [0.0]], labels: vec![Some(label("law"))] };
        assert_eq!(carried(&array![[1.0], [0.0]], &gone), []);
    }

    #[test]
    fn a_topic_that_split_gives_its_label_to_the_part_that_has_most_of_it_or_to_none() {
        let earlier = labelled(array![[0.5], [0.5], [0.0]], &["law"]);
        // Two parts without common words cannot both be alike: 0.8² + 0.8² > 1.
        const { assert!(2.0 * ALIKE * ALIKE > 1.0) };
        let halves = array![[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]];
        assert_eq!(carried(&halves, &earlier), []);
        let uneven = array![[0.0, 0.6], [0.3, 0.4], [0.7, 0.0]];
        assert_eq!(carried(&uneven, &earlier), [(1, label("law"))]);
    }

    #[test]
    fn a_topic_that_is_alike_is_not_given_up_for_two_that_are_not() {
        // The other two together have the larger sum.
        let cosines = array![[0.82, 0.5], [0.5, 0.0]];
        assert_eq!(order(&cosines, 0), [0, 1]);
        let cosines = array![[0.7, 0.5], [0.5, 0.0]];
        assert_eq!(order(&cosines, 0), [1, 0]);
    }
}
