//! The finish: topics of any model, improved on the documents themselves by CVB0.
//!
//! A spectral start finds the right hill in a few passes over the co-occurrence; a few passes of
//! collapsed variational Bayes over the documents then climb it. From a random start the same
//! passes end far below.

mod deal;
mod expected;
mod state;

pub use self::deal::Deal;
pub(super) use self::deal::WINDOW;

use ndarray::{Array1, Array2};
use rayon::prelude::*;

use self::expected::{Expected, Sums};
use self::state::State;
use super::checkpoint::{Checkpoint, in_row_order, once, only_row, row, row_of};
use super::documents::cvb0::Cvb0;
use super::documents::topic_rows::Counts;
use super::error::ModelError;
use super::topics::Topics;
use crate::progress::Progress;
use crate::stream::StreamError;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::documents::Batch;

/// Passes over the documents at most.
pub const PASSES: usize = 30;
/// It stops when a pass gains less, nats a token.
pub const GAIN: f64 = 0.004;
/// Σ_k α_k: estimated from expected counts it grows without bound.
const ALPHA_SUM: f64 = 1.0;
/// Step t of mini-batches has the size (1 + t)^−κ.
const KAPPA: f64 = 0.7;

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
    /// pass, by the topics that each of its steps began with, or mini-batch.
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
/// A pass has four steps, of every fourth document each, after which the topics follow: the counts of a step take the
/// place of those that its documents had a pass before (or of their share of what the start has). Documents go on
/// from θ as the pass before left it, three sweeps each.
///
/// A large corpus is dealt out to mini-batches of about a quarter of a million nonzeros, every so many
/// blocks one, after each of which the counts take a step of size (1 + t)^−κ towards those of the
/// mini-batch, scaled to the corpus. Documents begin with what each word says, five sweeps each.
///
/// The first three passes or mini-batches, at most half of all, are annealed: γ is raised to the powers
/// 1/2, 3/4 and 7/8.
///
/// After them it stops when the objective falls by less than `settings.gain` a pass, or, in
/// mini-batches, from the mean of sixteen to that of the next sixteen.
///
/// # Source
/// Asuncion, Welling, Smyth and Teh 2009, "On smoothing and inference for topic models" (CVB0); Neal and Hinton
/// 1998, "A view of the EM algorithm that justifies incremental, sparse, and other variants" (turns);
/// Ueda and Nakano 1998, "Deterministic annealing EM algorithm" (annealing); Foulds, Boyles, DuBois,
/// Smyth and Welling 2013, "Stochastic collapsed variational Bayesian inference for latent Dirichlet
/// allocation" (mini-batches).
///
/// # Cost
/// A pass takes 3 sweeps of 7·K flops a nonzero, in mini-batches 5; memory for eight W × K matrices, in turns four more,
/// θ and the documents, of two million nonzeros at most. The result does not depend on the number of threads.
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
        let deal = Deal::of_corpus(c, topics.topics.ncols())?;
        climb((topics, held), c, settings, deal, progress)
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
    deal: Deal,
    progress: &dyn Progress,
) -> Result<Climbed, ModelError> {
    let documents = c.documents();
    let blocks = documents.block_sizes().len();
    let in_pass = deal.steps();
    let steps = settings.passes * in_pass;
    let told_after = deal.told_after();
    progress.begin("refine", (steps / told_after) as u64, "minus log probability of a token, nats");
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
    let mut shares = Array1::zeros(k);
    let mut expected = Expected::new(state.rows.words(), k);
    // θ of the documents of each step of a pass, and what these said last.
    let mut thetas = vec![Vec::new(); in_pass];
    let mut said = vec![Sums::none(k); in_pass];
    let read = |some: Vec<usize>| {
        let read = some.into_par_iter().map(|block| {
            let mut read = Batch::default();
            documents.visit(block..block + 1, |batch| read = batch.clone())?;
            Ok(read)
        });
        documents.agree(read.collect::<Result<Vec<Batch>, _>>())
    };
    let mut batches = match deal {
        Deal::Turns(_) => read((0..blocks).collect())?,
        Deal::MiniBatches(_) => Vec::new(),
    };
    for step in 0..steps {
        let turn = step % in_pass;
        let roots = deal.roots(step, settings.passes);
        let solver = Cvb0::new(&state.rows, &alpha, 0.0).at_most(deal.sweeps()).flattened(roots);
        let here: Vec<Counts<'_>> = match deal {
            Deal::Turns(_) => {
                let all = batches.iter().flat_map(|batch| batch.ids.iter().zip(batch.counts()));
                all.filter(|(id, _)| deal.has(step, **id)).map(|(_, document)| document).collect()
            }
            Deal::MiniBatches(_) => {
                batches = read((turn..blocks).step_by(in_pass).collect())?;
                batches.iter().flat_map(Batch::counts).collect()
            }
        };
        if progress.cancelled() {
            return Err(StreamError::Cancelled.into());
        }
        expected.find(&solver, &here, &mut thetas[turn], documents)?;
        // Blocks may hold documents without a word of the vocabulary alone.
        let has_tokens = expected.sums.tokens > 0.0;
        let (sums, size) = match deal {
            Deal::Turns(_) => {
                if has_tokens {
                    state.replace(turn, in_pass, &expected);
                    said[turn] = expected.sums.clone();
                }
                (Sums::of_all(said.iter()), 1.0)
            }
            Deal::MiniBatches(_) => {
                thetas[turn] = Vec::new();
                let size = libm::pow(step as f64 + 2.0, -KAPPA);
                if has_tokens {
                    state.step(&expected, size);
                }
                (expected.sums.clone(), size)
            }
        };
        if sums.tokens == 0.0 || (step + 1) % told_after != 0 {
            continue;
        }
        left.objectives.push(-sums.log_probability / sums.tokens);
        left.change = sums.change / sums.tokens;
        shares = (1.0 - size) * shares + size * sums.weights / sums.documents;
        progress.step(((step + 1) / told_after) as u64, left.objectives.last().copied());
        left.gain = deal.gain(&left.objectives);
        if documents.decide(roots == 0 && left.gain < settings.gain) {
            break;
        }
    }
    left.weights = &shares / shares.sum();
    left.topics = state.rows.to_matrix();
    Ok(left)
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
        let longer = RefineSettings { gain: 1e-4, ..settings };
        for deal in [Deal::MiniBatches(4), Deal::Turns(4)] {
            let dealt = climb((&start, &[]), &c, longer, deal, &Silent).expect("in memory");
            assert!(error(&dealt.topics) < 0.4 * error(&start.topics), "{:?}", dealt.objectives);
        }
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
        let found = climb(
            (&Topics::without_anchors(b.clone(), even), &[]),
            &c,
            ONCE,
            Deal::Turns(1),
            &Silent,
        );
        let smooth = spread(&Topics::without_anchors(b.clone(), Array1::from_elem(3, 1.0 / 3.0)));
        let mut expected = Array2::from_elem((60, 3), 0.01);
        documents
            .visit(0..documents.block_sizes().len(), |batch| {
                for document in batch.counts() {
                    let gamma = plain(&smooth, &[1.0 / 3.0; 3], document, 3, 1.0);
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
        for deal in [Deal::Turns(1), Deal::Turns(3), Deal::MiniBatches(3)] {
            let found = climb((&start, &[1]), &c, settings, deal, &Silent).expect("in memory");
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
        for deal in [Deal::Turns(1), Deal::Turns(3), Deal::MiniBatches(3)] {
            let with = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let work = || climb((&start, &[]), &c, settings, deal, &Silent).expect("in memory");
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
        let found =
            climb((&start, &[]), &c, settings, Deal::MiniBatches(6), &Silent).expect("in memory");
        assert!(found.topics.iter().chain(&found.weights).all(|entry| entry.is_finite()));
        assert!(found.objectives.iter().all(|objective| objective.is_finite()));
        assert_eq!(found.objectives.len(), 6, "half of the mini-batches have tokens");
    }
}
