//! Fitting the model of a run.

use ndarray::Array2;

use super::measure::{of_run, of_topics};
use crate::linalg::assignment::assignment;
use crate::linalg::dense::transposed_product;
use crate::metric::co_occurrence::row_norms::squared_norm;
use crate::model::jsmf::compressed::Anchor;
use crate::model::separable::{KeptSums, NothingKept};
use crate::model::topic_model::{Figure, Fit, Input};
use crate::model::{Model, ModelError};
use crate::progress::Progress;
use crate::run::request::start::{ALIKE, Numbered};
use crate::run::request::{Origin, RunRequest, RunSettings};
use crate::store::result::metric::Metric;
use crate::stream::cooccurrence::CoOccurrence;

/// What is to be fitted: all that decides a run's topics beside its documents.
#[derive(Debug, Clone, Copy)]
pub struct FitTask<'a> {
    /// The model, or the file.
    pub origin: &'a Origin,
    /// Number of topics.
    pub k: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// What is not of the model: vocabulary, refining, threads.
    pub settings: &'a RunSettings,
    /// Eigenvectors of an earlier run to start from, W × columns; only for the model that can.
    pub start: Option<&'a Array2<f64>>,
    /// Topics of an earlier run, whose numbers its topics are to keep.
    pub numbered: Option<&'a Numbered>,
    /// Sums that it adds to or keeps; only for the model that does.
    pub sums: Option<&'a dyn KeptSums>,
    /// Anchors of the first topics; only for models that take them.
    pub seeds: &'a [Anchor],
    /// The topics of a run that was shaped from another.
    pub shaped: Option<&'a Fit>,
}

impl<'a> FitTask<'a> {
    /// The task of a request, which starts from nothing.
    pub fn of(request: &'a RunRequest) -> Self {
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
        }
    }
}

/// Fits a model to a streamed co-occurrence. Where topics keep the numbers of earlier ones, each has that of
/// the one it is most like.
///
/// # Errors
/// [`ModelError`].
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
    let order = task.numbered.map(|earlier| order(&fitted.topics.topics, &earlier.topics));
    Ok(match order {
        Some(order) => fitted.in_order(&order),
        None => fitted,
    })
}

/// The order in which `topics` (W × K) have the numbers of those of `earlier` (W × K₀) that they are matched
/// with, one to one, so that the sum of the cosines of their probabilities is largest. Topics that
/// are left over follow.
fn order(topics: &Array2<f64>, earlier: &Array2<f64>) -> Vec<usize> {
    let cosines = transposed_product(&directions(earlier), &directions(topics));
    let mut order: Vec<usize> = assignment(&cosines).into_iter().flatten().collect();
    let mut is_left = vec![true; topics.ncols()];
    order.iter().for_each(|&topic| is_left[topic] = false);
    order.extend((0..topics.ncols()).filter(|&topic| is_left[topic]));
    order
}

/// The labels of those of `topics` (W × K) that are what they were under the same number.
pub(super) fn labels_kept(topics: &Array2<f64>, earlier: &Numbered) -> Vec<(usize, String)> {
    let (now, before) = (directions(topics), directions(&earlier.topics));
    let is_same = |number: usize| {
        number < now.ncols() && now.column(number).dot(&before.column(number)) >= ALIKE
    };
    let labels = earlier.labels.iter().enumerate().filter(|&(number, _)| is_same(number));
    labels.filter_map(|(number, label)| Some((number, label.clone()?))).collect()
}

/// The columns, scaled to length 1; zero for a topic without words.
fn directions(topics: &Array2<f64>) -> Array2<f64> {
    let mut found = topics.clone();
    for mut column in found.columns_mut() {
        let length = column.dot(&column).sqrt();
        if length > 0.0 {
            column /= length;
        }
    }
    found
}

/// What the model itself knows of its run, as metrics.
pub(super) fn metrics(figures: &[Figure]) -> Vec<Metric> {
    let metric = |figure: &Figure| match figure {
        Figure::OfRun(metric, value) => vec![of_run(metric, *value)],
        Figure::WithSettings(metric, value, settings) => {
            vec![Metric { settings: Some(settings.clone()), ..of_run(metric, *value) }]
        }
        Figure::OfTopics(metric, values) => of_topics(metric, values.clone()),
    };
    figures.iter().flat_map(metric).collect()
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn every_topic_gets_the_number_of_the_one_it_is_most_like() {
        let earlier = array![[0.8, 0.1, 0.0], [0.2, 0.9, 0.1], [0.0, 0.0, 0.9]];
        let topics = array![[0.1, 0.0, 0.9], [0.8, 0.2, 0.1], [0.1, 0.8, 0.0]];
        assert_eq!(order(&topics, &earlier), [2, 0, 1]);
        assert_eq!(order(&earlier, &earlier), [0, 1, 2]);
    }

    #[test]
    fn topics_of_another_number_are_all_there() {
        let earlier = array![[0.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
        let three = array![[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
        assert_eq!(order(&three, &earlier), [2, 1, 0]);
        assert_eq!(order(&earlier, &three).len(), 2);
        assert_eq!(order(&Array2::zeros((3, 2)), &earlier).len(), 2);
    }
}
