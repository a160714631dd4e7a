//! The finish: topics of any model, improved on the documents themselves by CVB0.
//!
//! A spectral start finds the right hill in a few passes over the co-occurrence; a few passes of
//! collapsed variational Bayes over the documents then climb it. From a random start the same
//! passes end far below.

mod expected;
mod state;

use ndarray::{Array1, Array2};

use self::expected::Expected;
use self::state::State;
use super::checkpoint::{Checkpoint, in_row_order, once, only_row, row, row_of};
use super::documents::cvb0::Cvb0;
use super::error::ModelError;
use super::topics::Topics;
use crate::progress::Progress;
use crate::stream::StreamError;
use crate::stream::cooccurrence::CoOccurrence;

/// Passes over the documents at most.
pub const PASSES: usize = 30;
/// It stops when a pass gains less, nats a token.
pub const GAIN: f64 = 0.004;
/// Σ_k α_k: estimated from expected counts it grows without bound.
const ALPHA_SUM: f64 = 1.0;
/// The first steps are annealed: γ to the power 1 − 2^−roots. Topics then end on higher hills (Ueda and
/// Nakano 1998, "Deterministic annealing EM algorithm"); more such steps would make them all alike.
const ROOTS: [usize; 3] = [1, 2, 3];
/// Sweeps over a document in a pass. Ten take twice the time, and over 21 pairs of corpus and K changed
/// NPMI by .0015 and agreement with labels by .0001.
const SWEEPS: usize = 5;
/// Nonzeros of a corpus that is gone through whole before topics follow; larger ones are dealt out.
const WHOLE_NONZEROS: u64 = 2_000_000;
/// Nonzeros of a mini-batch, about.
const BATCH_NONZEROS: u64 = 250_000;
/// Step t of mini-batches has the size (1 + t)^−κ.
const KAPPA: f64 = 0.7;
/// Mini-batches whose mean objective is compared with that of as many before, to see a gain.
pub(super) const WINDOW: usize = 16;

/// How long it goes on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RefineSettings {
    /// Passes over the documents at most, 1 or more.
    pub passes: usize,
    /// It stops when a pass gains less, nats a token.
    pub gain: f64,
}

/// Refined topics, and how it went.
#[derive(Debug, Clone)]
pub struct Refined {
    /// The topics; their anchors are those they came with and only label them. Without A.
    pub topics: Topics,
    /// The mean over tokens of −log p(token | the other tokens of its document, B), nats, of each
    /// pass or mini-batch, by the topics it began with.
    pub objectives: Vec<f64>,
    /// What the last pass gained, nats a token; NaN after a single one.
    pub gain: f64,
    /// How much of a document's tokens the last sweep of the last pass moved, on average.
    pub change: f64,
}

/// Improves `topics` on the documents of `c` by CVB0, but for those in `held`, whose words stay as they are. Within a document, B being given, every token
/// has a distribution γ over topics ([`Cvb0`]); a pass adds them up to `B_wk ∝ β + Σ_m x_wm γ_mwk`,
/// β = 0.01, α_k = 1/K. γ is not kept between passes, so that a pass is a sum over documents.
///
/// A large corpus is dealt out to mini-batches of about a quarter of a million nonzeros, every so many
/// blocks one, after each of which the counts take a step of size (1 + t)^−κ towards those of the
/// mini-batch, scaled to the corpus.
///
/// The first three passes or mini-batches, at most half of all, are annealed: γ is raised to the powers
/// 1/2, 3/4 and 7/8.
///
/// After them it stops when the objective falls by less than `settings.gain` a pass, or, in
/// mini-batches, from the mean of sixteen to that of the next sixteen.
///
/// # Source
/// Asuncion, Welling, Smyth and Teh 2009, "On smoothing and inference for topic models" (CVB0);
/// Ueda and Nakano 1998, "Deterministic annealing EM algorithm" (annealing); Foulds, Boyles, DuBois,
/// Smyth and Welling 2013, "Stochastic collapsed variational Bayesian inference for latent Dirichlet
/// allocation" (mini-batches).
///
/// # Cost
/// A pass takes 5 sweeps of 7·K flops a nonzero; memory for eight W × K matrices. The result does
/// not depend on the number of threads.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub fn refine(
    topics: &Topics,
    held: &[usize],
    c: &CoOccurrence<'_>,
    settings: RefineSettings,
    progress: &dyn Progress,
) -> Result<Refined, ModelError> {
    let left = once("refine", progress, || {
        climb((topics, held), c, settings, mini_batches(c)?, progress)
    })?;
    let mut refined = Topics::without_anchors(left.topics, left.weights);
    refined.anchors = topics.anchors.clone();
    let Climbed { objectives, gain, change, .. } = left;
    Ok(Refined { topics: refined, objectives, gain, change })
}

/// What the stage leaves.
struct Climbed {
    topics: Array2<f64>,
    weights: Array1<f64>,
    objectives: Vec<f64>,
    gain: f64,
    change: f64,
}

impl Checkpoint for Climbed {
    fn to_arrays(&self) -> Vec<Array2<f64>> {
        vec![
            in_row_order(&self.topics),
            row_of(&self.weights),
            row(&self.objectives),
            row(&[self.gain, self.change]),
        ]
    }

    fn from_arrays(arrays: Vec<Array2<f64>>) -> Option<Self> {
        let [topics, weights, objectives, numbers] = <[Array2<f64>; 4]>::try_from(arrays).ok()?;
        Some(Self {
            weights: only_row(weights)?,
            objectives: only_row(objectives)?.to_vec(),
            gain: *numbers.get((0, 0))?,
            change: *numbers.get((0, 1))?,
            topics,
        })
    }
}

fn climb(
    (topics, held): (&Topics, &[usize]),
    c: &CoOccurrence<'_>,
    settings: RefineSettings,
    batches: usize,
    progress: &dyn Progress,
) -> Result<Climbed, ModelError> {
    let documents = c.documents();
    let blocks = documents.block_sizes().len();
    let steps = settings.passes * batches;
    progress.begin("refine", steps as u64, "minus log probability of a token, nats");
    let mut state = State::of(topics, held, c);
    let k = state.rows.topics();
    let alpha = vec![ALPHA_SUM / k as f64; k];
    let mut left = Climbed {
        topics: Array2::zeros((0, 0)),
        weights: topics.weights.clone(),
        objectives: Vec::new(),
        gain: f64::NAN,
        change: f64::NAN,
    };
    let mut thetas = Array1::zeros(k);
    let annealed = ROOTS.len().min(steps / 2);
    let mut expected = Expected::new(state.rows.words(), k);
    for step in 0..steps {
        let some: Vec<usize> = (step % batches..blocks).step_by(batches).collect();
        let roots = ROOTS[ROOTS.len() - annealed..].get(step).copied().unwrap_or(0);
        let solver = Cvb0::new(&state.rows, &alpha, 0.0).at_most(SWEEPS).flattened(roots);
        let found = expected.pass(&solver, &some, documents)?;
        // Blocks may hold documents without a word of the vocabulary alone.
        if found.tokens == 0.0 {
            continue;
        }
        let size = if batches == 1 { 1.0 } else { libm::pow(step as f64 + 2.0, -KAPPA) };
        state.step(found, size);
        left.objectives.push(-found.log_probability / found.tokens);
        left.change = found.change / found.tokens;
        thetas = (1.0 - size) * thetas + size * &found.weights / found.documents;
        progress.step(step as u64 + 1, left.objectives.last().copied());
        left.gain = gain(&left.objectives, WINDOW.min(batches));
        if documents.decide(roots == 0 && left.gain < settings.gain) {
            break;
        }
    }
    left.weights = &thetas / thetas.sum();
    left.topics = state.rows.to_matrix();
    Ok(left)
}

/// Mini-batches that a pass is made of, the same on all parts of the corpus.
fn mini_batches(c: &CoOccurrence<'_>) -> Result<usize, StreamError> {
    let wanted = mini_batches_of(c.totals().nonzeros);
    if wanted == 1 {
        return Ok(1);
    }
    let blocks = c.documents().greatest(c.documents().block_sizes().len() as f64)?;
    Ok(wanted.clamp(1, (blocks as usize).max(1)))
}

/// Mini-batches that a pass over so many nonzeros is made of, where there are as many blocks.
pub fn mini_batches_of(nonzeros: u64) -> usize {
    match nonzeros {
        0..=WHOLE_NONZEROS => 1,
        more => more.div_ceil(BATCH_NONZEROS) as usize,
    }
}

/// How much the mean of the last `window` objectives is below that of as many before; NaN where
/// there are not so many yet.
fn gain(objectives: &[f64], window: usize) -> f64 {
    let mean = |some: &[f64]| some.iter().sum::<f64>() / some.len() as f64;
    match objectives.len().checked_sub(2 * window) {
        None => f64::NAN,
        Some(first) => {
            let (before, last) = objectives[first..].split_at(window);
            mean(before) - mean(last)
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Axis;
    use sprs::TriMat;

    use super::state::spread;
    use super::*;
    use crate::model::documents::cvb0::tests::plain;
    use crate::model::documents::test_corpus::small;
    use crate::progress::Silent;
    use crate::stream::documents::Documents;
    use crate::stream::memory::MatrixSource;

    const ONCE: RefineSettings = RefineSettings { passes: 1, gain: 0.0 };

    #[test]
    fn topics_come_nearer_to_the_true_ones_and_it_stops_when_little_is_gained() {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        // Zeros, and half of every topic spread over the words evenly.
        let mut start = b.mapv(|entry| if entry < 1e-4 { 0.0 } else { entry + 1.0 / 60.0 });
        let sums = start.sum_axis(Axis(0));
        start /= &sums;
        let weights = Array1::from_elem(3, 1.0 / 3.0);
        let start =
            Topics { anchors: Some(vec![4, 5, 6]), ..Topics::without_anchors(start, weights) };
        let error = |topics: &Array2<f64>| (topics - &b).mapv(f64::abs).sum();
        let settings = RefineSettings { passes: 100, gain: 1e-3 };
        // In mini-batches, as large corpora are.
        let longer = RefineSettings { gain: 1e-4, ..settings };
        let dealt = climb((&start, &[]), &c, longer, 4, &Silent).expect("in memory");
        assert!(error(&dealt.topics) < 0.4 * error(&start.topics), "{:?}", dealt.objectives);
        let refined = refine(&start, &[], &c, settings, &Silent).expect("in memory");
        let passes = refined.objectives.len();
        assert!((3..60).contains(&passes), "{passes}");
        assert!(refined.gain < 1e-3 && refined.change < 0.1, "{refined:?}");
        assert!(refined.objectives[passes - 1] < refined.objectives[0] - 0.05);
        assert!(error(&refined.topics.topics) < 0.4 * error(&start.topics));
        assert!(
            refined.topics.topics.sum_axis(Axis(0)).iter().all(|sum| (sum - 1.0).abs() < 1e-12)
        );
        assert!((refined.topics.weights.sum() - 1.0).abs() < 1e-12);
        assert_eq!(refined.topics.anchors, start.anchors);
        assert!(refined.topics.correlations.is_none());
    }

    #[test]
    fn a_pass_is_cvb0_written_out() {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        let even = Array1::from_elem(3, 1.0 / 3.0);
        let found = climb((&Topics::without_anchors(b.clone(), even), &[]), &c, ONCE, 1, &Silent);
        let smooth = spread(&Topics::without_anchors(b.clone(), Array1::from_elem(3, 1.0 / 3.0)));
        let mut expected = Array2::from_elem((60, 3), 0.01);
        documents
            .visit(0..documents.block_sizes().len(), |batch| {
                for document in batch.counts() {
                    let gamma = plain(&smooth, &[1.0 / 3.0; 3], document, SWEEPS, 1.0);
                    for (at, (&w, x)) in document.words.iter().zip(document.counts).enumerate() {
                        (0..3).for_each(|t| expected[(w as usize, t)] += x * gamma[(at, t)]);
                    }
                }
            })
            .expect("in memory");
        let sums = expected.sum_axis(Axis(0));
        expected /= &sums;
        let found = found.expect("in memory").topics;
        assert!((found - expected).iter().all(|difference| difference.abs() < 1e-6));
    }

    #[test]
    fn a_topic_that_is_held_keeps_its_words_and_the_others_move() {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        let start = b.mapv(|entry| 0.7 * entry + 0.3 / 60.0);
        let start = Topics::without_anchors(start, Array1::from_elem(3, 1.0 / 3.0));
        let settings = RefineSettings { passes: 6, gain: 0.0 };
        for batches in [1, 3] {
            let found = climb((&start, &[1]), &c, settings, batches, &Silent).expect("in memory");
            assert_eq!(found.topics.column(1), start.topics.column(1));
            let moved = (&found.topics - &start.topics).mapv(f64::abs).sum_axis(Axis(0));
            assert!(moved[0] > 0.1 && moved[2] > 0.1, "{moved}");
        }
    }

    #[test]
    fn what_the_stage_leaves_is_gone_on_from_and_threads_do_not_change_a_bit() {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        let start = Topics::without_anchors(b, Array1::from_elem(3, 1.0 / 3.0));
        let settings = RefineSettings { passes: 2, gain: 0.0 };
        for batches in [1, 3] {
            let with = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let work =
                    || climb((&start, &[]), &c, settings, batches, &Silent).expect("in memory");
                pool.expect("pool").install(work)
            };
            let (one, many) = (with(1).to_arrays(), with(5).to_arrays());
            assert_eq!(one, many);
            assert_eq!(Climbed::from_arrays(one.clone()).map(|left| left.to_arrays()), Some(one));
        }
    }

    #[test]
    fn mini_batches_without_a_token_are_passed_over() {
        let (b, _, positions) = small();
        let mut counts = TriMat::new((12, 60));
        (0..12).step_by(4).for_each(|document| counts.add_triplet(document, 7, 3u32));
        let source = MatrixSource::new(counts.to_csr(), 2);
        let documents = Documents::new(&source, &positions, 1, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        let start = Topics::without_anchors(b, Array1::from_elem(3, 1.0 / 3.0));
        let settings = RefineSettings { passes: 2, gain: 0.0 };
        let found = climb((&start, &[]), &c, settings, 6, &Silent).expect("in memory");
        assert!(found.topics.iter().chain(&found.weights).all(|entry| entry.is_finite()));
        assert!(found.objectives.iter().all(|objective| objective.is_finite()));
        assert_eq!(found.objectives.len(), 6, "half of the mini-batches have tokens");
    }

    #[test]
    fn a_gain_is_from_one_window_to_the_next() {
        assert!(gain(&[5.0], 1).is_nan() && gain(&[5.0, 4.0, 3.0], 2).is_nan());
        assert_eq!(gain(&[9.0, 5.0, 4.5], 1), 0.5);
        assert_eq!(gain(&[9.0, 5.0, 5.0, 4.0, 2.0], 2), 2.0);
    }
}
