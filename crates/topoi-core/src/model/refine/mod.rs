//! Refinement: topics of any model, improved on the documents themselves by CVB0.
//!
//! A spectral start is near a good optimum after a few passes over the co-occurrence, and a few
//! passes of collapsed variational Bayes over the documents then reach it. From a random start the
//! same passes end at a much lower likelihood.

pub mod birth;
mod expected;
pub mod revise;
mod schedule;
mod state;
mod sweeps;

pub use self::schedule::Schedule;
pub(super) use self::schedule::WINDOW;

use std::ops::Range;

use ndarray::{Array1, Array2};
use rayon::prelude::*;

use self::expected::{ExpectedCounts, StepSums};
use self::state::State;
pub use self::sweeps::BETA;
use self::sweeps::{swept, usual_sweeps};
use super::checkpoint::{Checkpoint, in_row_order, only_row, recall_or_compute, row, row_of};
use super::documents::cvb0::Cvb0;
use super::documents::topic_rows::DocumentCounts;
use super::error::ModelError;
use super::topics::Topics;
use crate::progress::Progress;
use crate::stream::StreamError;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::documents::Batch;

/// Largest number of passes over the documents.
pub const PASSES: usize = 30;
/// Gain of a pass at which it stops, in nats a token.
pub const GAIN: f64 = 0.004;
/// Sweeps at most from the topics of an earlier run.
pub const MOST_SWEEPS_AGAIN: usize = 40;
/// Σ_k α_k. It is fixed, because an estimate from expected counts grows without bound.
const ALPHA_SUM: f64 = 1.0;
/// κ; step t of mini-batches has the size (1 + t)^−κ.
const KAPPA: f64 = 0.7;

/// Settings of the refinement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RefineSettings {
    /// Largest number of passes over the documents.
    pub passes: usize,
    /// Gain of a pass at which it stops, in nats a token.
    pub gain: f64,
    /// Sweeps of the sampler after them; `None` for the usual number, or none without passes.
    pub sweeps: Option<usize>,
}

impl RefineSettings {
    /// Sweeps over these documents; none where topics are held.
    fn sweeps_over(&self, c: &CoOccurrence<'_>, schedule: Schedule, held: &[usize]) -> usize {
        // Halves of a corpus end as the whole does, to be compared with it.
        let tokens = c.totals().tokens as f64 / c.documents().sampled_share();
        if held.is_empty() { self.sweeps_by_size(schedule, tokens) } else { 0 }
    }

    /// Sweeps over a corpus of this schedule and number of tokens, also of a part of its documents.
    pub(super) fn sweeps_by_size(&self, schedule: Schedule, tokens: f64) -> usize {
        let usual = || if self.passes > 0 { usual_sweeps(schedule, tokens) } else { 0 };
        self.sweeps.unwrap_or_else(usual)
    }
}

/// Refined topics, and the convergence.
#[derive(Debug, Clone)]
pub struct Refined {
    /// The topics, without A. Anchors are those of the start and are labels only.
    pub topics: Topics,
    /// For each pass (or mini-batch), the mean over tokens of −log p(token | the other tokens of
    /// its document, B) in nats, by the topics at the start of each step.
    pub objectives: Vec<f64>,
    /// Gain of the last pass in nats a token; NaN after a single pass.
    pub gain: f64,
    /// Mean share of a document's tokens that the last sweep of the last pass moved.
    pub change: f64,
    /// Sweeps of the sampler.
    pub sweeps: usize,
    /// ln p(w, z | α, β) of a token after the last of them; NaN without sweeps.
    pub log_likelihood: f64,
}

/// Improves `topics` on the documents of `c` by CVB0. The words of the topics `held` do not change.
///
/// Within a document, with B given, every token has a distribution γ over topics ([`Cvb0`]). A pass
/// sums these to `B_wk ∝ β + Σ_m x_wm γ_mwk`, with β = 0.01 and α_k = 1/K. γ is not kept between
/// passes, so that a pass is a sum over documents.
///
/// A pass has four steps, each with every fourth document, after which topics are updated. The
/// counts of a step replace those that its documents had a pass before (or their share of the
/// start). Documents continue from θ of the last pass, with three sweeps each.
///
/// A large corpus is divided into mini-batches of about 250,000 nonzeros, to which blocks are
/// assigned cyclically. After each, the counts move by a step of size (1 + t)^−κ towards those of
/// the mini-batch, scaled to the corpus. Documents start from their words alone, with five sweeps
/// each.
///
/// The first three passes or mini-batches, at most half of all, are annealed: γ is raised to the
/// powers 1/2, 3/4 and 7/8.
///
/// After them it stops when the objective falls by less than `settings.gain` in a pass, or, for
/// mini-batches, from the mean of sixteen to that of the next sixteen. Where it rises, as on titles
/// of a few words, it stops whatever `settings.gain` is: further passes fit single documents.
///
/// The topics then start a Gibbs sampler with β = 0.05, unless topics are held; its last sweeps are
/// averaged.
///
/// # Source
/// Asuncion, Welling, Smyth and Teh 2009, "On smoothing and inference for topic models" (CVB0); Neal and Hinton
/// 1998, "A view of the EM algorithm that justifies incremental, sparse, and other variants" (turns);
/// Ueda and Nakano 1998, "Deterministic annealing EM algorithm" (annealing); Foulds, Boyles, DuBois,
/// Smyth and Welling 2013, "Stochastic collapsed variational Bayesian inference for latent Dirichlet
/// allocation" (mini-batches).
///
/// # Cost
/// A pass takes 3 sweeps of 7·K flops for each nonzero, with mini-batches 5. Memory for twelve W × K
/// matrices; with incremental steps four more, θ, and the documents (at most two million nonzeros).
/// The result does not depend on the number of threads.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
pub fn refine(
    topics: &Topics,
    held: &[usize],
    c: &CoOccurrence<'_>,
    settings: RefineSettings,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Refined, ModelError> {
    let schedule = Schedule::for_corpus(c, topics.topics.ncols())?;
    let left = match settings.passes {
        0 => RefineResult::unchanged(topics),
        _ => recall_or_compute("refine", progress, || {
            run_passes((topics, held), c, settings, schedule, progress)
        })?,
    };
    let mut refined = Topics::without_anchors(left.topics, left.weights);
    refined.anchors = topics.anchors.clone();
    let sweeps = settings.sweeps_over(c, schedule, held);
    let (topics, log_likelihood) = match sweeps {
        0 => (refined, f64::NAN),
        _ => swept(refined, c, sweeps, seed, progress)?,
    };
    let RefineResult { objectives, gain, change, .. } = left;
    Ok(Refined { topics, objectives, gain, change, sweeps, log_likelihood })
}

/// As [`refine`], for topics of an earlier run over many of these documents. Where they end with
/// sweeps, at most [`MOST_SWEEPS_AGAIN`] of these alone are made: passes would spread the topics again, and more
/// sweeps move them by chance.
///
/// # Errors
/// As [`refine`].
pub fn refine_again(
    topics: &Topics,
    held: &[usize],
    c: &CoOccurrence<'_>,
    settings: RefineSettings,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Refined, ModelError> {
    let schedule = Schedule::for_corpus(c, topics.topics.ncols())?;
    let settings = match settings.sweeps_over(c, schedule, held) {
        0 => settings,
        sweeps => {
            RefineSettings { passes: 0, sweeps: Some(sweeps.min(MOST_SWEEPS_AGAIN)), ..settings }
        }
    };
    refine(topics, held, c, settings, seed, progress)
}

/// The result of the stage.
struct RefineResult {
    topics: Array2<f64>,
    weights: Array1<f64>,
    objectives: Vec<f64>,
    gain: f64,
    change: f64,
}

impl RefineResult {
    /// The result of no pass.
    fn unchanged(topics: &Topics) -> Self {
        Self {
            topics: topics.topics.clone(),
            weights: topics.weights.clone(),
            objectives: Vec::new(),
            gain: f64::NAN,
            change: f64::NAN,
        }
    }
}

impl Checkpoint for RefineResult {
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

fn run_passes(
    (topics, held): (&Topics, &[usize]),
    c: &CoOccurrence<'_>,
    settings: RefineSettings,
    schedule: Schedule,
    progress: &dyn Progress,
) -> Result<RefineResult, ModelError> {
    let documents = c.documents();
    let (lanes, blocks) = (documents.lanes(), documents.block_sizes().len());
    let before: usize = documents.blocks_of_parts()?[..documents.parts().number()].iter().sum();
    let in_pass = schedule.steps();
    let steps = settings.passes * in_pass;
    let report_every = schedule.report_every();
    progress.begin(
        "refine",
        (steps / report_every) as u64,
        "minus log probability of a token, nats",
    );
    let mut state = State::new(topics, held, c);
    let k = state.rows.topics();
    let alpha = vec![ALPHA_SUM / k as f64; k];
    let mut left = RefineResult::unchanged(topics);
    let mut shares = Array1::zeros(k);
    let mut expected = ExpectedCounts::new(state.rows.words(), k);
    // θ of the documents of each step of a pass, and their last sums.
    let mut thetas = vec![Vec::new(); in_pass];
    let mut last_sums = vec![StepSums::new(k); in_pass];
    let read = |some: &[usize]| {
        let read = some.par_iter().map(|&block| {
            let mut read = Batch::default();
            documents.visit(block..block + 1, |batch| read = batch.clone())?;
            Ok(read)
        });
        documents.agree(read.collect::<Result<Vec<Batch>, _>>())
    };
    let mut of_step: Vec<usize> = (0..blocks).collect();
    let mut batches = match schedule {
        Schedule::Incremental(_) => read(&of_step)?,
        Schedule::MiniBatches(_) => Vec::new(),
    };
    for step in 0..steps {
        let turn = step % in_pass;
        let roots = schedule.roots(step, settings.passes);
        let solver = Cvb0::new(&state.rows, &alpha, 0.0)
            .with_max_sweeps(schedule.sweeps())
            .with_roots(roots);
        if let Schedule::MiniBatches(_) = schedule {
            of_step = (0..blocks).filter(|block| (before + block) % in_pass == turn).collect();
            batches = read(&of_step)?;
        }
        let mut here: Vec<DocumentCounts<'_>> = Vec::new();
        let of_lane = |lane: &Range<usize>| {
            let [first, end] =
                [lane.start, lane.end].map(|at| of_step.partition_point(|&block| block < at));
            let batches = batches[first..end].iter();
            let all = batches.flat_map(|batch| batch.numbers.iter().zip(batch.counts()));
            let start = here.len();
            here.extend(all.filter(|(number, _)| schedule.includes(step, **number)).map(|of| of.1));
            start..here.len()
        };
        let cut: Vec<Range<usize>> = lanes.iter().map(of_lane).collect();
        if progress.cancelled() {
            return Err(StreamError::Cancelled.into());
        }
        expected.compute(&solver, (&here, &cut), &mut thetas[turn], documents)?;
        // Blocks may contain only documents without a word of the vocabulary.
        let has_tokens = expected.sums.tokens > 0.0;
        let (sums, size) = match schedule {
            Schedule::Incremental(_) => {
                if has_tokens {
                    state.replace(turn, in_pass, &expected);
                    last_sums[turn] = expected.sums.clone();
                }
                (StepSums::total(last_sums.iter()), 1.0)
            }
            Schedule::MiniBatches(_) => {
                thetas[turn] = Vec::new();
                let size = libm::pow(step as f64 + 2.0, -KAPPA);
                if has_tokens {
                    state.step(&expected, size);
                }
                (expected.sums.clone(), size)
            }
        };
        if sums.tokens == 0.0 || (step + 1) % report_every != 0 {
            continue;
        }
        left.objectives.push(-sums.log_probability / sums.tokens);
        left.change = sums.change / sums.tokens;
        shares = (1.0 - size) * shares + size * sums.weights / sums.documents;
        progress.step(((step + 1) / report_every) as u64, left.objectives.last().copied());
        left.gain = schedule.gain(&left.objectives);
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

    use super::state::smoothed_start;
    use super::*;
    use crate::model::DEFAULT_SWEEPS;
    use crate::model::documents::cvb0::tests::plain;
    use crate::model::documents::test_corpus::{drawn, random_topics, small};
    use crate::model::lda_gibbs::{LdaGibbsSettings, lda_gibbs};
    use crate::numbers::thousands;
    use crate::progress::Silent;
    use crate::random::stream;
    use crate::stream::documents::Documents;
    use crate::stream::documents::lanes::halved;
    use crate::stream::in_threads::in_parts;
    use crate::stream::memory::MatrixSource;
    use crate::stream::parts::{Parts, SinglePart};
    use crate::stream::source::BlockSource;

    const ONCE: RefineSettings = RefineSettings { passes: 1, gain: 0.0, sweeps: Some(0) };

    #[test]
    fn topics_come_nearer_to_the_true_ones_and_it_stops_when_little_is_gained() {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        // Zeros, and half of every topic spread evenly over the words.
        let mut start = b.mapv(|entry| if entry < 1e-4 { 0.0 } else { entry + 1.0 / 60.0 });
        let sums = start.sum_axis(Axis(0));
        start /= &sums;
        let weights = Array1::from_elem(3, 1.0 / 3.0);
        let start =
            Topics { anchors: Some(vec![4, 5, 6]), ..Topics::without_anchors(start, weights) };
        let error = |topics: &Array2<f64>| (topics - &b).mapv(f64::abs).sum();
        let settings = RefineSettings { passes: 100, gain: 1e-3, ..ONCE };
        let longer = RefineSettings { gain: 1e-4, ..settings };
        for schedule in [Schedule::MiniBatches(4), Schedule::Incremental(4)] {
            let dealt =
                run_passes((&start, &[]), &c, longer, schedule, &Silent).expect("in memory");
            assert!(error(&dealt.topics) < 0.4 * error(&start.topics), "{:?}", dealt.objectives);
        }
        let refined = refine(&start, &[], &c, settings, 1, &Silent).expect("in memory");
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
        let found = run_passes(
            (&Topics::without_anchors(b.clone(), even), &[]),
            &c,
            ONCE,
            Schedule::Incremental(1),
            &Silent,
        );
        let smooth =
            smoothed_start(&Topics::without_anchors(b.clone(), Array1::from_elem(3, 1.0 / 3.0)));
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
    fn two_four_or_eight_parts_of_whole_lanes_have_the_bits_of_the_whole() {
        // 14 blocks of 30 documents.
        let (_, source, positions) = small();
        let start = random_topics(60, 3, &mut stream(1, "start"));
        let start = Topics::without_anchors(start, Array1::from_elem(3, 1.0 / 3.0));
        for schedule in [Schedule::Incremental(4), Schedule::MiniBatches(3)] {
            let in_part = |source: &MatrixSource, parts: &dyn Parts| {
                let documents = Documents::new(source, &positions, 2, &Silent).with_parts(parts);
                let c = CoOccurrence::new(&documents).expect("in memory");
                let settings = RefineSettings { passes: 4, ..ONCE };
                let found = run_passes((&start, &[]), &c, settings, schedule, &Silent);
                found.expect("in memory").topics.mapv(f64::to_bits)
            };
            let whole = in_part(&source, &SinglePart);
            for count in [2, 4, 8] {
                let parts = in_parts(count, |parts| {
                    let blocks = halved(&source.block_sizes(), count).swap_remove(parts.number());
                    in_part(&source.part(30 * blocks.start..(30 * blocks.end).min(400)), parts)
                });
                assert!(parts.iter().all(|part| *part == whole), "{schedule:?}, {count} parts");
            }
        }
    }

    #[test]
    fn a_topic_that_is_held_keeps_its_words_and_the_others_move() {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        let start = b.mapv(|entry| 0.7 * entry + 0.3 / 60.0);
        let start = Topics::without_anchors(start, Array1::from_elem(3, 1.0 / 3.0));
        let settings = RefineSettings { passes: 6, ..ONCE };
        for schedule in
            [Schedule::Incremental(1), Schedule::Incremental(3), Schedule::MiniBatches(3)]
        {
            let found =
                run_passes((&start, &[1]), &c, settings, schedule, &Silent).expect("in memory");
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
        let settings = RefineSettings { passes: 2, ..ONCE };
        for schedule in
            [Schedule::Incremental(1), Schedule::Incremental(3), Schedule::MiniBatches(3)]
        {
            let with = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let work = || {
                    run_passes((&start, &[]), &c, settings, schedule, &Silent).expect("in memory")
                };
                pool.expect("pool").install(work)
            };
            let (one, many) = (with(1).to_arrays(), with(5).to_arrays());
            assert_eq!(one, many);
            assert_eq!(
                RefineResult::from_arrays(one.clone()).map(|left| left.to_arrays()),
                Some(one)
            );
        }
    }

    #[test]
    fn the_sweeps_are_those_of_the_sampler_from_the_topics_of_the_passes_with_any_threads() {
        let mut rng = stream(5, "few short documents");
        let b = random_topics(200, 6, &mut rng);
        let source = MatrixSource::new(drawn(&b, &[0.05; 6], 600, 12, &mut rng), 40);
        let positions: Vec<u32> = (0..200).collect();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        let start = b.mapv(|entry| 0.5 * entry + 0.5 / 200.0);
        let start = Topics::without_anchors(start, Array1::from_elem(6, 1.0 / 6.0));
        let start = Topics { anchors: Some(vec![5, 4, 3, 2, 1, 0]), ..start };
        let with = |sweeps, threads, held: &[usize]| {
            let settings = RefineSettings { passes: 10, gain: 0.004, sweeps };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let work = || refine(&start, held, &c, settings, 7, &Silent).expect("in memory");
            pool.expect("pool").install(work)
        };
        let (passes, both) = (with(None, 2, &[]), with(Some(40), 2, &[]));
        assert_eq!(
            (passes.sweeps, both.sweeps, both.topics.anchors),
            (0, 40, start.anchors.clone())
        );
        assert!(passes.log_likelihood.is_nan());
        let sampler = LdaGibbsSettings { iterations: 40, beta: 0.05, ..LdaGibbsSettings::new(6) };
        let from = Some(&passes.topics.topics);
        let alone = lda_gibbs(&documents, c.totals(), &sampler, from, 7, &Silent);
        let alone = alone.expect("in memory");
        assert_eq!(alone.topics.topics, both.topics.topics);
        assert_eq!(alone.log_likelihood, both.log_likelihood);
        assert_eq!(with(Some(40), 5, &[]).topics.topics, both.topics.topics);
        let error = |topics: &Array2<f64>| (topics - &b).mapv(f64::abs).sum();
        assert!(error(&both.topics.topics) < 0.6 * error(&start.topics));
        let held = with(Some(30), 2, &[3]);
        assert_eq!((held.sweeps, held.topics.topics.column(3)), (0, start.topics.column(3)));
    }

    #[test]
    fn small_corpora_are_swept_often_and_those_in_mini_batches_never() {
        let settings = RefineSettings { passes: 1, gain: 0.0, sweeps: None };
        let sweeps = |tokens| settings.sweeps_by_size(Schedule::Incremental(4), tokens);
        assert_eq!([1e4, 3e4, 2e5, 1e6, 2e6].map(sweeps), [0, 200, 100, 20, 0]);
        assert_eq!(settings.sweeps_by_size(Schedule::MiniBatches(4), 2e5), 0);
        assert!(DEFAULT_SWEEPS.starts_with(&format!(
            "after --refine {} to {}, fewer the more tokens, on {} to {} tokens",
            sweeps(1e6),
            sweeps(2e4),
            thousands(20_000),
            thousands(1_000_000)
        )));
        assert_eq!([19_999.0, 1_000_001.0].map(sweeps), [0, 0]);
        let none = RefineSettings { passes: 0, ..settings };
        assert_eq!(none.sweeps_by_size(Schedule::Incremental(4), 2e5), 0);
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
        let settings = RefineSettings { passes: 2, ..ONCE };
        let found = run_passes((&start, &[]), &c, settings, Schedule::MiniBatches(6), &Silent)
            .expect("in memory");
        assert!(found.topics.iter().chain(&found.weights).all(|entry| entry.is_finite()));
        assert!(found.objectives.iter().all(|objective| objective.is_finite()));
        assert_eq!(found.objectives.len(), 6, "half of the mini-batches have tokens");
    }
}
