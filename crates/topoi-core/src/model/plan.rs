//! Estimated durations of the stages of a run. Each model plans its stages in
//! [`TopicModel::plan`](super::topic_model::TopicModel::plan), and the remaining time of a whole
//! run follows.
//!
//! Costs are seconds on the machine of `docs/design/progress.md`. On another machine all are wrong
//! by about the same factor, which a run estimates while it works.

use super::jsmf::MAX_PASSES;
use super::refine::birth::LOOKED_AT;
use super::refine::revise::ROUNDS;
use super::refine::{MOST_SWEEPS_AGAIN, RefineSettings, Schedule, WINDOW};

/// The sizes that costs depend on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// W, the terms of the vocabulary.
    pub words: f64,
    /// M, the number of documents.
    pub documents: f64,
    /// Nonzeros: different words of each document, summed over documents.
    pub nonzeros: f64,
    /// Tokens of the documents.
    pub tokens: f64,
    /// K, the number of topics.
    pub k: f64,
}

/// A stage and its estimated duration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlannedStage {
    /// Name that the stage begins with. The legs of a long stage ("iterate-2") belong to it.
    pub name: &'static str,
    /// Seconds for each step, or for the whole stage with [`Steps::AsReported`].
    pub seconds: f64,
    /// Number of steps.
    pub steps: Steps,
}

/// The number of steps of a stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Steps {
    /// The number reported when the stage begins, or one piece. `seconds` is the total.
    AsReported,
    /// A fixed number of steps.
    Exactly(f64),
    /// Steps until convergence.
    UntilConverged(Convergence),
}

/// A stage that ends when a quantity has become small.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Convergence {
    /// Usual number of steps.
    pub usual: f64,
    /// Largest number of steps.
    pub most: f64,
    /// Number of steps after which the residuals count as much as the usual number.
    pub trusted_after: f64,
    /// The quantity that has to become small.
    pub watched: ConvergenceMeasure,
    /// The value at which it ends.
    pub below: f64,
}

/// The quantity that has to become small, and how it decreases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ConvergenceMeasure {
    /// The residual, with a constant factor between steps.
    Geometric,
    /// The residual, as a power of the step.
    Power,
    /// Decrease of the mean residual from one window of steps to the next, modelled as a power law.
    Gain {
        /// Steps in a window.
        window: usize,
    },
    /// Relative decrease over `back` steps, modelled as a power law.
    RelativeGain {
        /// Steps between the two residuals.
        back: usize,
    },
}

impl PlannedStage {
    /// A stage of one piece, or of equal steps.
    pub const fn whole(name: &'static str, seconds: f64) -> Self {
        Self { name, seconds, steps: Steps::AsReported }
    }

    /// A stage of `steps` steps of `seconds` seconds.
    pub const fn steps(name: &'static str, steps: usize, seconds: f64) -> Self {
        Self { name, seconds, steps: Steps::Exactly(steps as f64) }
    }

    /// A stage that ends on convergence, with steps of `seconds` seconds.
    pub const fn until(name: &'static str, until: Convergence, seconds: f64) -> Self {
        Self { name, seconds, steps: Steps::UntilConverged(until) }
    }

    /// Whether `name` is this stage or one of its legs.
    pub fn includes(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }

    /// Seconds of the whole stage, with the usual number of steps.
    pub fn total(&self) -> f64 {
        match self.steps {
            Steps::AsReported => self.seconds,
            Steps::Exactly(steps) => self.seconds * steps,
            Steps::UntilConverged(until) => self.seconds * until.usual.min(until.most),
        }
    }
}

impl Extent {
    /// A share of the documents, with all words and topics.
    pub fn scaled(self, share: f64) -> Self {
        let of = |count: f64| count * share;
        Self {
            documents: of(self.documents),
            nonzeros: of(self.nonzeros),
            tokens: of(self.tokens),
            ..self
        }
    }

    /// The stage "factorise" with passes that take `product` seconds, until the residual relative
    /// to the K-th eigenvalue is `tolerance`.
    fn krylov(self, tolerance: f64, product: f64) -> PlannedStage {
        let usual = 7.0 + 0.12 * self.k;
        let until = Convergence {
            usual,
            most: MAX_PASSES as f64,
            trusted_after: 4.0,
            watched: ConvergenceMeasure::Geometric,
            below: tolerance,
        };
        // The basis has half its final size on average.
        let orthogonalise = 3e-7 * self.words * usual;
        PlannedStage::until("factorise", until, product + orthogonalise)
    }

    /// The factorisation of the streamed co-occurrence, or of the counts.
    pub fn factorise(self, tolerance: f64) -> PlannedStage {
        self.krylov(tolerance, 1.1e-8 * self.nonzeros)
    }

    /// Nonzeros of a mean document.
    fn length(self) -> f64 {
        self.nonzeros / self.documents.max(1.0)
    }

    /// The stage "form", C in memory, which visits every pair of nonzeros of a document.
    pub fn form(self) -> PlannedStage {
        PlannedStage::whole("form", (2.6e-7 + 9e-10 * self.length()) * self.nonzeros)
    }

    /// Seconds to form the co-occurrence of two halves of the documents, and to process it for
    /// `ddp`.
    pub fn form_halves(self) -> f64 {
        2.4e-8 * self.words * self.words + (2.2e-7 + 1.2e-9 * self.length()) * self.nonzeros
    }

    /// The factorisation of C in memory.
    pub fn factorise_formed(self, tolerance: f64) -> PlannedStage {
        self.krylov(tolerance, 2e-10 * self.words * self.words)
    }

    /// The stages of refinement: passes of CVB0 over the documents until one gains little, and the
    /// sweeps of the sampler, of a run on this share of the documents.
    pub fn refine(self, settings: RefineSettings, share: f64) -> Vec<PlannedStage> {
        // The number of blocks is not known before the work begins.
        let schedule = Schedule::new(self.nonzeros as u64, self.documents, self.k);
        let (steps, dear) = match schedule {
            Schedule::Incremental(_) => (1.0, 0.65),
            Schedule::MiniBatches(steps) => (steps as f64, 2.0),
        };
        let until = Convergence {
            // Mini-batches converge within the first passes, whatever their number in a pass.
            usual: 10.0 * steps.min(8.0),
            most: settings.passes as f64 * steps,
            trusted_after: 5.0 * steps,
            watched: ConvergenceMeasure::Gain { window: steps.min(WINDOW as f64) as usize },
            below: settings.gain,
        };
        let passes = PlannedStage::until("refine", until, dear * self.pass() / steps);
        let sweeps = settings.sweeps_by_size(schedule, self.tokens / share);
        let of_sampler = PlannedStage::steps("sweeps", sweeps, self.gibbs_sweep());
        let are_there = [(passes, settings.passes > 0), (of_sampler, sweeps > 0)].into_iter();
        are_there.filter_map(|(stage, is_there)| is_there.then_some(stage)).collect()
    }

    /// The stages of refining an earlier run's topics again: the sweeps alone, where there are any.
    pub fn refine_again(self, settings: RefineSettings) -> Vec<PlannedStage> {
        let schedule = Schedule::new(self.nonzeros as u64, self.documents, self.k);
        match settings.sweeps_by_size(schedule, self.tokens).min(MOST_SWEEPS_AGAIN) {
            0 => self.refine(settings, 1.0),
            sweeps => vec![PlannedStage::steps("sweeps", sweeps, self.gibbs_sweep())],
        }
    }

    /// A pass of CVB0 over the documents.
    fn pass(self) -> f64 {
        (5e-8 + 7e-10 * self.k) * self.nonzeros + 2.3e-8 * self.documents * self.k
    }

    /// A sweep of the Gibbs sampler.
    pub fn gibbs_sweep(self) -> f64 {
        (1.2e-8 + 1.4e-10 * self.k) * self.tokens
    }

    /// The search for new topics in added documents.
    pub fn births(self) -> PlannedStage {
        let some = self.scaled((LOOKED_AT as f64 / self.documents.max(1.0)).min(1.0));
        PlannedStage::whole("births", 4.0 * some.pass())
    }

    /// Rounds over documents that are new or changed.
    pub fn revise(self) -> PlannedStage {
        let of_topics = 1.5e-8 * self.words * self.k;
        PlannedStage::steps("revise", ROUNDS, 2.0 * self.pass() + of_topics)
    }

    /// ENN with `iterations` iterations.
    pub fn enn(self, iterations: usize) -> PlannedStage {
        // Short documents leave more negative entries.
        let seconds = 5.6e-7 * self.words * self.k * self.length().max(1.0).powf(-0.3);
        PlannedStage::steps("rectify", iterations, seconds)
    }

    /// Anchors and topics from a W × K block, and `iterations` iterations of ENN with more columns
    /// for shaping.
    pub fn law(self, iterations: usize) -> PlannedStage {
        let wider = Self { k: self.k + 10.0, ..self }.enn(iterations).total();
        PlannedStage::whole("topics", 4e-9 * self.words * self.k * self.k + wider)
    }

    /// Anchors and topics from C in memory.
    pub fn anchor_words(self) -> PlannedStage {
        PlannedStage::whole("topics", 1.45e-9 * self.words * self.words * self.k)
    }

    /// The stages of the models with novel words, with `project` seconds for projections.
    pub fn separable(self, project: f64) -> Vec<PlannedStage> {
        vec![
            PlannedStage::whole("split", 1.7e-8 * self.nonzeros),
            PlannedStage::whole("project", project),
            PlannedStage::whole("between", 3.5e-8 * self.nonzeros),
            PlannedStage::whole("topics", 2.5e-9 * self.nonzeros * self.k),
        ]
    }

    /// Topic proportions of the documents. For these topics, inference of long documents takes
    /// `times` times as long as for refined topics; short documents converge soon in any case.
    pub fn documents(self, times: f64) -> PlannedStage {
        let of_refined = 2.4e-8 * self.nonzeros * self.k.sqrt() + 4e-8 * self.documents * self.k;
        let seconds = of_refined * times.min(1.0 + self.length() / 80.0);
        // A sample of documents tells α.
        PlannedStage::whole("documents", 0.04 + seconds)
    }
}
