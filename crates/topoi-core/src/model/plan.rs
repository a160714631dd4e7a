//! What the stages of a run are expected to take, before they are done: each model says it in
//! [`TopicModel::plan`](super::topic_model::TopicModel::plan), and the time left of a whole run follows.
//!
//! Costs are seconds on the machine of `docs/design/progress.md`. On another machine all are wrong by about the
//! same factor, which a run learns as it goes.

use super::jsmf::MOST_PASSES;
use super::refine::{Deal, WINDOW};

/// The sizes that costs grow with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// Terms of the vocabulary, W.
    pub words: f64,
    /// M, the number of documents.
    pub documents: f64,
    /// Different words of the documents, summed over them.
    pub nonzeros: f64,
    /// Tokens of the documents.
    pub tokens: f64,
    /// K, the number of topics.
    pub k: f64,
}

/// A stage as it is expected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlannedStage {
    /// As it is called when it begins; the legs of a long one ("iterate-2") are part of it.
    pub name: &'static str,
    /// Seconds of a step where steps are counted here, else of the whole stage.
    pub seconds: f64,
    /// How many steps it takes.
    pub steps: Steps,
}

/// How many steps a stage takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Steps {
    /// As many as it says when it begins, or it is one piece; its seconds are those of all.
    AsSaid,
    /// So many.
    Exactly(f64),
    /// Until it has converged.
    Until(Until),
}

/// A stage that ends when a number has become small.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Until {
    /// Steps it usually takes.
    pub usual: f64,
    /// Steps at most.
    pub most: f64,
    /// After so many steps, what the residuals say counts as much as what is usual.
    pub trusted_after: f64,
    /// What has to become small.
    pub watched: Watched,
    /// It ends below this.
    pub below: f64,
}

/// The number that has to become small, and how it does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Watched {
    /// The residual, which each step divides by about the same.
    Geometric,
    /// The residual, which falls as a power of the step.
    Power,
    /// What the residual fell by from the mean of so many steps to that of the next, as a power.
    Gain {
        /// The steps of a mean.
        window: usize,
    },
    /// What it fell by in so many steps, relative to it, as a power.
    RelativeGain {
        /// The steps between two residuals.
        back: usize,
    },
}

impl PlannedStage {
    /// A stage of one piece, or whose steps are alike.
    pub const fn whole(name: &'static str, seconds: f64) -> Self {
        Self { name, seconds, steps: Steps::AsSaid }
    }

    /// A stage of so many steps of so many seconds.
    pub const fn steps(name: &'static str, steps: usize, seconds: f64) -> Self {
        Self { name, seconds, steps: Steps::Exactly(steps as f64) }
    }

    /// A stage that ends when it has converged, of steps of so many seconds.
    pub const fn until(name: &'static str, until: Until, seconds: f64) -> Self {
        Self { name, seconds, steps: Steps::Until(until) }
    }

    /// Whether it is the stage of this name, or the one whose leg that is.
    pub fn holds(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }

    /// Seconds of the whole stage, if it goes as usual.
    pub fn total(&self) -> f64 {
        match self.steps {
            Steps::AsSaid => self.seconds,
            Steps::Exactly(steps) => self.seconds * steps,
            Steps::Until(until) => self.seconds * until.usual.min(until.most),
        }
    }
}

impl Extent {
    /// The largest eigenpairs, to a residual relative to the K-th, in passes that cost `product`.
    fn krylov(self, tolerance: f64, product: f64) -> PlannedStage {
        let usual = 7.0 + 0.12 * self.k;
        let until = Until {
            usual,
            most: MOST_PASSES as f64,
            trusted_after: 4.0,
            watched: Watched::Geometric,
            below: tolerance,
        };
        // The basis is half as large on average.
        let orthogonalise = 3e-7 * self.words * usual;
        PlannedStage::until("factorise", until, product + orthogonalise)
    }

    /// The factorisation of the streamed co-occurrence, or of the counts.
    pub fn factorise(self, tolerance: f64) -> PlannedStage {
        self.krylov(tolerance, 1.1e-8 * self.nonzeros)
    }

    /// Nonzeros of a document.
    fn length(self) -> f64 {
        self.nonzeros / self.documents.max(1.0)
    }

    /// C in memory, which takes every pair of nonzeros of a document.
    pub fn form(self) -> PlannedStage {
        PlannedStage::whole("form", (2.6e-7 + 9e-10 * self.length()) * self.nonzeros)
    }

    /// The same of two halves of the documents, and what `ddp` makes of it.
    pub fn form_halves(self) -> f64 {
        2.4e-8 * self.words * self.words + (2.2e-7 + 1.2e-9 * self.length()) * self.nonzeros
    }

    /// The factorisation of C in memory.
    pub fn factorise_formed(self, tolerance: f64) -> PlannedStage {
        self.krylov(tolerance, 2e-10 * self.words * self.words)
    }

    /// Passes of CVB0 over the documents, until one gains less than `below`.
    pub fn refine(self, passes: usize, below: f64) -> PlannedStage {
        // Nobody asks how many blocks there are before the work begins.
        let deal = Deal::of(self.nonzeros as u64, self.documents, self.k);
        let (steps, dear) = match deal {
            Deal::Turns(_) => (1.0, 0.65),
            Deal::MiniBatches(steps) => (steps as f64, 2.0),
        };
        let until = Until {
            // Mini-batches come to rest within the first passes, however many make one.
            usual: 10.0 * steps.min(8.0),
            most: passes as f64 * steps,
            trusted_after: 5.0 * steps,
            watched: Watched::Gain { window: steps.min(WINDOW as f64) as usize },
            below,
        };
        let pass = (5e-8 + 7e-10 * self.k) * self.nonzeros + 2.3e-8 * self.documents * self.k;
        PlannedStage::until("refine", until, dear * pass / steps)
    }

    /// ENN, of so many iterations.
    pub fn enn(self, iterations: usize) -> PlannedStage {
        // Short documents leave more negative entries.
        let seconds = 5.6e-7 * self.words * self.k * self.length().max(1.0).powf(-0.3);
        PlannedStage::steps("rectify", iterations, seconds)
    }

    /// Anchors and topics from a W × K block, and so many iterations of ENN with a few more columns, which
    /// topics shaped by hand need.
    pub fn law(self, iterations: usize) -> PlannedStage {
        let wider = Self { k: self.k + 10.0, ..self }.enn(iterations).total();
        PlannedStage::whole("topics", 4e-9 * self.words * self.k * self.k + wider)
    }

    /// Anchors and topics from C in memory.
    pub fn anchor_words(self) -> PlannedStage {
        PlannedStage::whole("topics", 1.45e-9 * self.words * self.words * self.k)
    }

    /// The stages of the models with novel words, of which `project` costs so much.
    pub fn separable(self, project: f64) -> Vec<PlannedStage> {
        vec![
            PlannedStage::whole("split", 1.7e-8 * self.nonzeros),
            PlannedStage::whole("project", project),
            PlannedStage::whole("between", 3.5e-8 * self.nonzeros),
            PlannedStage::whole("topics", 2.5e-9 * self.nonzeros * self.k),
        ]
    }

    /// The documents' proportions, of topics for which those of long documents take so many `times` as long as
    /// for refined ones; those of short documents converge soon in any case.
    pub fn documents(self, times: f64) -> PlannedStage {
        let of_refined = 2.4e-8 * self.nonzeros * self.k.sqrt() + 2.7e-7 * self.documents * self.k;
        PlannedStage::whole("documents", of_refined * times.min(1.0 + self.length() / 80.0))
    }
}
