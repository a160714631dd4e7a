//! Separable topic discovery in three steps: detect novel words, group them, estimate topics.

use ndarray::Array2;

use super::detect::kept_sums::KeptSums;
use super::detect::leaders::Leaders;
use super::detect::projections::added;
use super::detect::solid_angles::{Counting, PAPER_ZETA};
use super::detect::{Candidates, NovelWordDetector, Search};
use super::distances::Distances;
use super::estimate;
use super::group::components::{components, threshold_for as components_threshold};
use super::group::pooled::pooled;
use super::group::ranked::{ranked, threshold_for as ranked_threshold};
use super::group::spectral::spectral;
use super::group::{WordGroups, threshold_between};
use super::number_of_topics::{Count, TopicEstimate, by_angle, most_stable, solid_angles};
use super::settings::{Clustering, Settings};
use crate::formula::metric_def::MetricDef;
use crate::model::ModelError;
use crate::model::checkpoint::{Checkpoint, only_row, recall_or_compute, row, row_of};
use crate::model::figures::{
    DISTANCE, DOCUMENTS_PROJECTED, K_HAT, K_HAT_FROM_DISTANCE, K_HAT_TO_DISTANCE, KKT_GAP, MARGIN,
    NOVEL_WORDS,
};
use crate::model::jsmf::{self, AnchorTopics};
use crate::model::topic_model::{Figure, Fit, Input};
use crate::progress::Progress;
use crate::stream::StreamError;
use crate::stream::documents::Documents;
use crate::stream::split::between::cooccurrence_between;
use crate::stream::split::{SplitCoOccurrence, SplitSums, split_sums};

/// Topics of a separable model, and the novel words they are estimated from.
#[derive(Debug, Clone)]
pub struct Separable {
    /// The topics; anchors are the best novel words of each.
    pub topics: AnchorTopics,
    /// Words that may be novel, best first.
    pub novel_words: Vec<NovelWord>,
    /// ζ or d: what was given, or the largest at which all topics are distinct.
    pub distance: f64,
    /// γ, for the detector that has one.
    pub margin: Option<f64>,
    /// K̂ for one ζ after another, where solid angles are known.
    pub estimates: Vec<TopicEstimate>,
    /// The most stable K̂ ≥ 2, or that of one ζ, with the least and the largest ζ that show it.
    pub k_hat: Option<(usize, f64, f64)>,
    /// Number of documents that were projected: all, or those that the kept sums lacked.
    pub projected: f64,
}

/// A word that may be novel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NovelWord {
    /// Its number in the vocabulary.
    pub word: usize,
    /// Its solid angle (`rp`), the share of directions (`rp-doc`) or bins (`binning`) it wins, or
    /// its margin (`ddp`).
    pub score: f64,
    /// The topic it is a novel word of; `None` where it was not grouped with any.
    pub topic: Option<usize>,
}

/// Finds K topics in `documents`. Stages "split", "project", "between" and "topics" are reported, and
/// are skipped where `progress` recalls their results. The same documents, settings and seed give the
/// same bits for any number of threads.
///
/// [`SolidAngles`](super::SolidAngles) adds to the sums of an earlier run, where `kept` has some, and saves its own
/// there. The earlier sums must be of the same words, seed, P and directions, over the first of the documents.
///
/// # Errors
/// When the corpus cannot be streamed, on cancel, or when there are fewer than K groups of novel
/// words.
pub fn separable_topics<D: NovelWordDetector>(
    documents: &Documents<'_>,
    settings: &Settings<D>,
    topics: usize,
    seed: u64,
    kept: &dyn KeptSums,
    progress: &dyn Progress,
) -> Result<Separable, ModelError> {
    let earlier = kept.earlier();
    let sums = recall_or_compute("split", progress, || {
        progress.begin("split", 0, "");
        Ok(split_sums(&added(documents, earlier), seed, earlier.map(|earlier| &earlier.split))?)
    })?;
    let split = SplitCoOccurrence::new(documents, seed, sums);
    let mut candidates = recall_or_compute("project", progress, || {
        D::detect(settings, &Search { split: &split, topics, seed, kept, progress })
    })?;
    if candidates.words.is_empty() {
        return Err(ModelError::TooFewNovelWords { words: 0, groups: 0, asked: topics });
    }
    let mut distances = recall_or_compute("between", progress, || {
        progress.begin("between", 0, "");
        Ok(Distances { cooccurrence: cooccurrence_between(&split, &candidates.words)? })
    })?;
    let projected = split.kept() - earlier.map_or(0.0, |earlier| earlier.split.kept);
    let grouping = Grouping::new(&candidates, &distances, &split, topics);
    let (mut groups, distance) = grouping.groups(settings, seed);
    if groups.len() < topics && settings.clustering() == Clustering::Ranked {
        let others = grouping.next_by_rank(&groups, &split, distance)?;
        if !others.is_empty() {
            groups.extend(others.into_iter().map(|word| vec![candidates.position_of(word)]));
            distances =
                Distances { cooccurrence: cooccurrence_between(&split, &candidates.words)? };
        }
    }
    let grouping = Grouping::new(&candidates, &distances, &split, topics);
    if groups.len() < topics {
        return Err(ModelError::TooFewNovelWords {
            words: candidates.words.len(),
            groups: groups.len(),
            asked: topics,
        });
    }
    let topics = jsmf::topics(
        progress,
        || Ok(()),
        |()| {
            let words: WordGroups = groups
                .iter()
                .map(|group| group.iter().map(|&at| candidates.words[at]).collect())
                .collect();
            let scores = groups.iter().map(|group| candidates.scores[group[0]]).collect();
            Ok(estimate::topics_of(&split, &words, scores, settings.estimate)?)
        },
    )?;
    let counting = settings.detector.counting();
    let (scores, (estimates, k_hat)) = match candidates.leaders.as_ref().zip(counting) {
        Some((leaders, counting)) => (
            solid_angles(&candidates, leaders, &distances, distance),
            grouping.counted(leaders, counting, settings.distance),
        ),
        None => (candidates.scores.clone(), (Vec::new(), None)),
    };
    let novel_words = novel_words(&candidates, &scores, &groups);
    let margin = candidates.margin;
    Ok(Separable { topics, novel_words, distance, margin, estimates, k_hat, projected })
}

/// The candidates with a score or a topic, best first.
fn novel_words(candidates: &Candidates, scores: &[f64], groups: &WordGroups) -> Vec<NovelWord> {
    let words = &candidates.words;
    let mut topic_of = vec![None; words.len()];
    for (topic, group) in groups.iter().enumerate() {
        group.iter().for_each(|&at| topic_of[at] = Some(topic));
    }
    let mut novel_words: Vec<NovelWord> = (0..words.len())
        .map(|at| NovelWord { word: words[at], score: scores[at], topic: topic_of[at] })
        .filter(|novel| novel.score > 0.0 || novel.topic.is_some())
        .collect();
    novel_words.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.word.cmp(&b.word)));
    novel_words
}

/// K̂ of every ζ that was tried; the K̂ that is reported, with the least and the largest ζ that show it.
type Counted = (Vec<TopicEstimate>, Option<(usize, f64, f64)>);

/// Words without a score that are looked at in one pass over the corpus.
const OTHERS: usize = 1000;

struct Grouping<'a> {
    candidates: &'a Candidates,
    distances: &'a Distances,
    /// The candidates' shares of tokens.
    weights: Vec<f64>,
    /// K.
    topics: usize,
}

impl<'a> Grouping<'a> {
    fn new(
        candidates: &'a Candidates,
        distances: &'a Distances,
        split: &SplitCoOccurrence<'_>,
        topics: usize,
    ) -> Self {
        let weights = candidates.words.iter().map(|&word| split.sums()[word]).collect();
        Self { candidates, distances, weights, topics }
    }

    /// The words that the printed loop takes after those with a score until it has K: words without one, which are
    /// equal in rank, by their numbers, each if it is at D ≥ ζ/2 from all that were taken. Fewer where the
    /// vocabulary ends. A pass over the corpus for every [`OTHERS`] words that are looked at.
    ///
    /// # Source
    /// Ding et al. 2015, algorithm 2, lines 14 to 21; Ding et al. 2013, algorithm 3, lines 12 to 20.
    fn next_by_rank(
        &self,
        groups: &WordGroups,
        split: &SplitCoOccurrence<'_>,
        threshold: f64,
    ) -> Result<Vec<usize>, StreamError> {
        let words = &self.candidates.words;
        let mut is_left: Vec<bool> = split.sums().iter().map(|&sum| sum > 0.0).collect();
        self.by_rank(threshold).iter().for_each(|&at| is_left[words[at]] = false);
        let left: Vec<usize> = (0..split.words()).filter(|&word| is_left[word]).collect();
        let mut taken: Vec<usize> = groups.iter().map(|group| words[group[0]]).collect();
        for some in left.chunks(OTHERS) {
            if taken.len() == self.topics {
                break;
            }
            let among: Vec<usize> = taken.iter().chain(some).copied().collect();
            let distances = Distances { cooccurrence: cooccurrence_between(split, &among)? };
            let is_near = |i, j| distances.between(i, j) < threshold / 2.0;
            let mut before: Vec<usize> = (0..taken.len()).collect();
            for at in taken.len()..among.len() {
                if before.len() < self.topics && !before.iter().any(|&other| is_near(at, other)) {
                    before.push(at);
                }
            }
            taken = before.into_iter().map(|at| among[at]).collect();
        }
        Ok(taken.split_off(groups.len()))
    }

    /// The groups, as positions among the candidates, and the threshold.
    fn groups<D: NovelWordDetector>(&self, settings: &Settings<D>, seed: u64) -> (WordGroups, f64) {
        let (distances, topics) = (self.distances, self.topics);
        let groupable = self.groupable();
        match settings.clustering() {
            Clustering::Pooled => {
                let weights = &self.weights[..groupable.len()];
                let groups = pooled(&groupable.cooccurrence, weights, topics);
                self.with_threshold(groups, settings.distance)
            }
            Clustering::Spectral => {
                let groups = spectral(&groupable, topics, settings.sigma, seed);
                self.with_threshold(groups, settings.distance)
            }
            Clustering::Components => {
                let found = || components_threshold(&groupable, topics);
                let threshold = settings.distance.unwrap_or_else(found);
                (components(&self.candidates.scores, &groupable, threshold, topics), threshold)
            }
            Clustering::Ranked => {
                let threshold = settings.distance.unwrap_or_else(|| {
                    ranked_threshold(|threshold| self.by_rank(threshold), distances, topics)
                });
                (ranked(&self.by_rank(threshold), distances, threshold, topics), threshold)
            }
        }
    }

    /// Positions by solid angle for a threshold ζ, or by score where there are no solid angles.
    fn by_rank(&self, threshold: f64) -> Vec<usize> {
        match &self.candidates.leaders {
            Some(leaders) => {
                by_angle(&solid_angles(self.candidates, leaders, self.distances, threshold), 0.0)
            }
            None => (0..self.candidates.words.len()).collect(),
        }
    }

    /// The distances between the candidates that are grouped: those that win some direction, or all where
    /// these are fewer than the topics, as some topic's words only come close.
    fn groupable(&self) -> Distances {
        let winners = self.candidates.scores.partition_point(|&score| score > 0.0);
        self.distances.first(if winners < self.topics { self.distances.len() } else { winners })
    }

    fn with_threshold(&self, groups: WordGroups, given: Option<f64>) -> (WordGroups, f64) {
        let found = || threshold_between(self.distances, &self.weights, &groups);
        let threshold = given.unwrap_or_else(found);
        (groups, threshold)
    }

    /// K̂ for one ζ after another, and the one that is reported with the ζ it holds for. `given` is the ζ of the
    /// settings.
    fn counted(
        &self,
        leaders: &Leaders,
        (counting, least_angle): (Counting, f64),
        given: Option<f64>,
    ) -> Counted {
        match counting {
            Counting::Steady => {
                let count =
                    Count::beyond_noise(self.candidates, leaders, self.distances, &self.weights);
                let estimates = count.estimates(least_angle);
                let k_hat = most_stable(&estimates);
                (estimates, k_hat)
            }
            Counting::Paper => {
                let count = Count::as_printed(self.candidates, leaders, self.distances);
                let zeta = given.unwrap_or(PAPER_ZETA);
                let k_hat = (count.topics(zeta, least_angle), zeta, zeta);
                (count.estimates(least_angle), Some(k_hat))
            }
        }
    }
}

impl Checkpoint for SplitSums {
    fn to_arrays(&self) -> Vec<Array2<f64>> {
        vec![row(&[self.kept]), row_of(&self.sums)]
    }

    fn from_arrays(arrays: Vec<Array2<f64>>) -> Option<Self> {
        let [kept, sums] = <[Array2<f64>; 2]>::try_from(arrays).ok()?;
        Some(Self { kept: *kept.first()?, sums: only_row(sums)? })
    }
}

/// Fits a separable model with these settings.
pub(super) fn fit<D: NovelWordDetector>(
    settings: &Settings<D>,
    input: &Input<'_>,
    progress: &dyn Progress,
) -> Result<Fit, ModelError> {
    let documents = input.c.documents();
    let found = separable_topics(documents, settings, input.k, input.seed, input.sums, progress)?;
    let figures = Figure::for_run(figures(&found, settings.detector.counting().is_some()));
    let estimates = found.estimates.iter();
    Ok(Fit {
        topic_estimates: estimates.map(|found| (found.distance, found.topics as u64)).collect(),
        novel_words: found.novel_words,
        ..Fit::new(found.topics.into(), figures)
    })
}

fn figures(found: &Separable, has_solid_angles: bool) -> Vec<(&'static MetricDef, f64)> {
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
    if has_solid_angles {
        figures.push((&DOCUMENTS_PROJECTED, found.projected));
    }
    figures
}
