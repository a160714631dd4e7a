//! Joint stochastic matrix factorisation, C ≈ B·A·Bᵀ: the stages shared by the models of this
//! family (factorise, [`rectify`](mod@rectify), topics by [`law`](mod@law)), and their results.

pub mod compressed;
pub mod law;
pub mod rectify;

use ndarray::{Array1, Array2, ArrayView2};

use self::compressed::{Anchor, NegativeEntries};
use self::law::law_with;
use super::checkpoint::{RectifiedStage, recall_or_compute};
use super::error::ModelError;
use super::topic_model::{Figure, Fit, Input, KeptFactor};
use crate::linalg::accuracy::Accuracy;
use crate::linalg::block_krylov::{DenseOperator, Eigenpairs, KrylovSettings, SymmetricOperator};
use crate::model::figures::{
    FACTORISATION_RESIDUAL, KKT_GAP, OBJECTIVE, OBJECTIVE_RISE, RECTIFICATION_CHANGE,
    RECTIFICATION_ITERATIONS,
};
use crate::progress::Progress;
use crate::random::{standard_normal, stream};
use crate::stream::StreamError;
use crate::stream::cooccurrence::formed::formed_cooccurrence;

/// Columns in a block of a factorisation.
pub const BLOCK: usize = 32;
/// Largest number of passes of a factorisation.
pub(super) const MAX_PASSES: usize = 60;

/// Settings of the eigenproblem for K topics: K pairs to the tolerance, and ten more columns that
/// rectification starts with.
pub fn krylov(topics: usize, tolerance: f64) -> KrylovSettings {
    KrylovSettings {
        pairs: topics,
        kept: topics + 10,
        block: BLOCK,
        accuracy: Accuracy::Relative(tolerance),
        max_passes: MAX_PASSES,
    }
}

/// The Gaussian block, W × min([`BLOCK`], W), that a factorisation of the streamed C starts with.
/// Metrics of C are estimated from it as well.
pub fn first_block(words: usize, seed: u64) -> Array2<f64> {
    let mut rng = stream(seed, "lr-jsmf krylov");
    Array2::from_shape_simple_fn((words, BLOCK.min(words)), || standard_normal(&mut rng))
}

/// The stage "form": C in memory.
pub(super) fn form(input: &Input<'_>, progress: &dyn Progress) -> Result<Array2<f64>, ModelError> {
    progress.begin("form", 0, "");
    Ok(formed_cooccurrence(input.c)?)
}

/// A matrix in memory as an operator that can be cancelled between products.
pub(super) struct CancellableOperator<'a> {
    /// The matrix, n × n.
    pub matrix: &'a Array2<f64>,
    /// Checked before every product.
    pub progress: &'a dyn Progress,
}

impl SymmetricOperator for CancellableOperator<'_> {
    type Error = StreamError;

    fn size(&self) -> usize {
        self.matrix.nrows()
    }

    fn multiply(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>, StreamError> {
        if self.progress.cancelled() {
            return Err(StreamError::Cancelled);
        }
        DenseOperator(self.matrix).multiply(v).map_err(|never| match never {})
    }
}

/// The stage "factorise": the largest eigenpairs of the C that `prepare` returns.
///
/// In all stages `prepare` is called only if the stage was not completed before. It may be a stage
/// of its own.
pub(super) fn factorise<P>(
    progress: &dyn Progress,
    krylov: KrylovSettings,
    prepare: impl FnOnce() -> Result<P, ModelError>,
    work: impl FnOnce(P) -> Result<Eigenpairs, StreamError>,
) -> Result<Eigenpairs, ModelError> {
    recall_or_compute("factorise", progress, || {
        let prepared = prepare()?;
        let residual = "largest residual of an eigenpair, relative to the K-th eigenvalue";
        progress.begin("factorise", krylov.max_passes as u64, residual);
        Ok(work(prepared)?)
    })
}

/// The stage "rectify" with at most `iterations` iterations.
pub(super) fn rectify<P>(
    progress: &dyn Progress,
    (iterations, residual): (usize, &'static str),
    prepare: impl FnOnce() -> Result<P, ModelError>,
    work: impl FnOnce(P) -> Result<RectifiedStage, ModelError>,
) -> Result<RectifiedStage, ModelError> {
    recall_or_compute("rectify", progress, || {
        let prepared = prepare()?;
        progress.begin("rectify", iterations as u64, residual);
        work(prepared)
    })
}

/// The stage "topics": anchors and topics.
pub(super) fn topics<P>(
    progress: &dyn Progress,
    prepare: impl FnOnce() -> Result<P, ModelError>,
    work: impl FnOnce(P) -> Result<AnchorTopics, ModelError>,
) -> Result<AnchorTopics, ModelError> {
    recall_or_compute("topics", progress, || {
        let prepared = prepare()?;
        progress.begin("topics", 1, "largest KKT gap of a word's simplex least squares");
        let topics = work(prepared)?;
        progress.step(1, Some(topics.worst_gap));
        Ok(topics)
    })
}

/// The anchors requested.
#[derive(Debug, Clone, Copy)]
pub struct AnchorRequest<'a> {
    /// K, the number of topics.
    pub rank: usize,
    /// Words that may become anchors, ascending.
    pub candidates: &'a [usize],
    /// The given anchors of the first topics.
    pub seeds: &'a [Anchor],
    /// What is done with negative entries of the rectified co-occurrence.
    pub negative_entries: NegativeEntries,
}

/// The stages "rectify" (`work` computes Y from eigenpairs) and "topics" (by LAW).
pub(super) fn rectified_topics(
    eigenpairs: Eigenpairs,
    wanted: AnchorRequest<'_>,
    stage: (usize, &'static str),
    progress: &dyn Progress,
    work: impl FnOnce(&Eigenpairs) -> Result<RectifiedStage, ModelError>,
) -> Result<Jsmf, ModelError> {
    let RectifiedStage { y, rectification } =
        rectify(progress, stage, || Ok(()), |()| work(&eigenpairs))?;
    let topics = topics(progress, || Ok(()), |()| law_with(&y, wanted))?;
    Ok(Jsmf::new(topics, eigenpairs, rectification))
}

/// The topics of joint stochastic matrix factorisation, C ≈ B·A·Bᵀ, and intermediate results.
#[derive(Debug, Clone)]
pub struct Jsmf {
    /// B, A and the anchors.
    pub topics: AnchorTopics,
    /// The largest eigenpairs of C before rectification; `None` for a model without.
    pub eigenpairs: Option<Eigenpairs>,
    /// Iterations and convergence of the rectification; `None` for a model without.
    pub rectification: Option<Rectification>,
    /// The 2K largest Ritz vectors, W × columns, from which the factorisation of a similar
    /// co-occurrence can start. Single precision matches their accuracy. `None` for a model that
    /// cannot start from them.
    pub basis: Option<Array2<f32>>,
    /// Y, from which topics of other anchors can be computed; `None` for a model that stores C
    /// itself.
    pub factor: Option<KeptFactor>,
}

/// Iterations and convergence of a rectification.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rectification {
    /// Number of iterations.
    pub iterations: usize,
    /// The relative change in the last iteration. The stage's residual names the quantity.
    pub last_change: f64,
    /// The final objective and its largest relative rise in an iteration, for the method that has
    /// one (PALM).
    pub objective: Option<(f64, f64)>,
}

impl Jsmf {
    /// The result of a model that cannot start from an earlier run.
    pub(super) fn new(
        topics: AnchorTopics,
        eigenpairs: Eigenpairs,
        rectification: Rectification,
    ) -> Self {
        let (eigenpairs, rectification) = (Some(eigenpairs), Some(rectification));
        Self { topics, eigenpairs, rectification, basis: None, factor: None }
    }

    /// The result as a [`Fit`] whose spectrum are the first K eigenpairs.
    pub(super) fn into_fit(self, k: usize) -> Fit {
        let mut figures = vec![(&KKT_GAP, self.topics.worst_gap)];
        let mut spectrum = Vec::new();
        if let Some(pairs) = self.eigenpairs {
            figures.push((&FACTORISATION_RESIDUAL, pairs.relative_residual));
            spectrum = pairs.values.into_iter().zip(pairs.residuals).take(k).collect();
        }
        if let Some(rectification) = self.rectification {
            figures.push((&RECTIFICATION_ITERATIONS, rectification.iterations as f64));
            figures.push((&RECTIFICATION_CHANGE, rectification.last_change));
            if let Some((objective, rise)) = rectification.objective {
                figures.push((&OBJECTIVE, objective));
                figures.push((&OBJECTIVE_RISE, rise));
            }
        }
        let (basis, factor) = (self.basis, self.factor);
        Fit { spectrum, basis, factor, ..Fit::new(self.topics.into(), Figure::for_run(figures)) }
    }
}

/// Topics with anchors: C ≈ B·A·Bᵀ.
#[derive(Debug, Clone)]
pub struct AnchorTopics {
    /// S, K word numbers. Word `anchors[k]` is exclusive to topic k.
    pub anchors: Vec<usize>,
    /// Score of each anchor when it was chosen: |R_kk| of the pivoted QR, or a novel word's score.
    pub anchor_distances: Vec<f64>,
    /// B: W × K, column k is p(word | topic k) and sums to 1.
    pub topics: Array2<f64>,
    /// B̆ᵀ: W × K, row i is p(topic | word i) and sums to 1.
    pub topics_of_words: Array2<f64>,
    /// A, K × K, symmetric: the joint probability of the topics of two tokens of a document.
    pub correlations: Array2<f64>,
    /// p(topic), K numbers that sum to 1.
    pub weights: Array1<f64>,
    /// The largest KKT gap of the W simplex least squares, relative to the largest squared vertex.
    pub worst_gap: f64,
}

impl AnchorTopics {
    /// B, p(topic) and A by Bayes' rule from B̆ᵀ, the word probabilities d (W, positive) and the
    /// co-occurrence C_SS of the anchors (K × K): `B_ik ∝ B̆_ki d_i`, `A = B_S⁻¹ C_SS B_S⁻¹`. B_S
    /// is diagonal because an anchor is exclusive to its topic.
    ///
    /// # Source
    /// Lee et al. 2021, algorithm 1, the last two lines.
    pub(crate) fn by_bayes(
        anchors: Vec<usize>,
        anchor_distances: Vec<f64>,
        mut topics_of_words: Array2<f64>,
        worst_gap: f64,
        d: &Array1<f64>,
        anchor_cooccurrence: &Array2<f64>,
    ) -> Self {
        for (topic, &word) in anchors.iter().enumerate() {
            topics_of_words.row_mut(word).fill(0.0);
            topics_of_words[(word, topic)] = 1.0;
        }
        let (topics, weights) = Self::bayes(&topics_of_words, d);
        let own: Array1<f64> =
            anchors.iter().enumerate().map(|(topic, &word)| topics[(word, topic)]).collect();
        let scale = Array2::from_shape_fn((own.len(), own.len()), |(k, l)| own[k] * own[l]);
        let correlations = anchor_cooccurrence / &scale;
        Self {
            anchors,
            anchor_distances,
            topics,
            topics_of_words,
            correlations,
            weights,
            worst_gap,
        }
    }

    /// B (W × K) and p(topic) by Bayes' rule from p(topic | word) (W × K) and the word
    /// probabilities d (W).
    pub(crate) fn bayes(
        topics_of_words: &Array2<f64>,
        d: &Array1<f64>,
    ) -> (Array2<f64>, Array1<f64>) {
        let joint = topics_of_words * &d.view().insert_axis(ndarray::Axis(1));
        let mass = joint.sum_axis(ndarray::Axis(0));
        (&joint / &mass, &mass / mass.sum())
    }

    /// The same topics as distributions. Where d has a negative number, which [`NegativeEntries::Kept`] allows, Bayes'
    /// rule gives negative probabilities: they become 0, and the others are divided by their sum.
    pub(super) fn into_distributions(mut self) -> Self {
        let clip = |x: f64| if x > 0.0 { x } else { 0.0 };
        for mut topic in self.topics.columns_mut() {
            if topic.iter().any(|&probability| probability < 0.0) {
                topic.mapv_inplace(clip);
                let sum = topic.sum();
                topic /= sum;
            }
        }
        if self.weights.iter().any(|&weight| weight < 0.0) {
            self.weights.mapv_inplace(clip);
            self.weights /= self.weights.sum();
        }
        self
    }
}
