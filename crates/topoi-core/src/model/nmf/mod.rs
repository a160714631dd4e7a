//! `nmf-kl` and `nmf-ard`: nonnegative factorisation X ≈ W·H that minimises the Kullback–Leibler
//! divergence.
//!
//! X are the counts (words × documents). Up to scaling, `nmf-kl` is probabilistic latent semantic
//! analysis: the columns of W are p(word | topic), the columns of H the documents' topics. It
//! assumes nothing about the topics and finds a local optimum that depends on the seed. `nmf-ard`
//! adds a prior under which unneeded topics vanish: request more topics than there may be, and see
//! how many are relevant.
//!
//! One iteration is one pass over the nonzeros. A document's h is updated twice; then its share of
//! the update of W and of the divergence is added. H stays in memory, 8·K bytes for each document.
//!
//! The update of W is multiplicative. `nmf-ard` updates h the same way. `nmf-kl` improves the
//! entries of h one after another by Newton steps, because a document has few topics and these
//! steps reach zero. Topics that have weight 0 and whose gradient does not raise them are left out
//! until the next iteration, which saves most of the work. W is then extrapolated in its last
//! direction. The divergence of the next pass shows whether that went too far, and the iteration
//! after it then does not extrapolate.
//!
//! ```
//! use sprs::TriMat;
//! use topoi_core::model::nmf::{NmfSettings, nmf};
//! use topoi_core::progress::Silent;
//! use topoi_core::stream::cooccurrence::CoOccurrence;
//! use topoi_core::stream::{documents::Documents, memory::MatrixSource};
//!
//! let mut counts = TriMat::new((8, 6));
//! for document in 0..8 {
//!     let first = if document % 2 == 0 { 0 } else { 3 };
//!     for word in first..first + 3 {
//!         counts.add_triplet(document, word, 1 + ((document + word) % 3) as u32);
//!     }
//! }
//! let source = MatrixSource::new(counts.to_csr(), 4);
//! let documents = Documents::new(&source, &[0, 1, 2, 3, 4, 5], 2, &Silent);
//! let totals = CoOccurrence::new(&documents)?.totals();
//! let found = nmf(&documents, totals, &NmfSettings::kl(2), 1, &Silent)?;
//! for word in 0..6 {
//!     let row = found.topics.topics_of_words.row(word);
//!     assert!(row[0] > 0.99 || row[1] > 0.99);
//! }
//! # Ok::<(), topoi_core::model::ModelError>(())
//! ```
//!
//! Source: Lee and Seung 2001, "Algorithms for non-negative matrix factorization", theorem 2. Hsieh
//! and Dhillon 2011 for coordinate descent, with shortened steps so that none raises the
//! divergence. Ang and Gillis 2019 and Carbonetto et al. 2021 for extrapolation, here of W's
//! logarithms. Gillis and Glineur 2012 for several updates of one factor. Tan and Févotte 2013 for
//! `nmf-ard`.

mod coordinates;
mod divergence;
mod iterate;
mod kernel;
mod relevance;
mod rows;
#[cfg(test)]
mod test_divergences;
#[cfg(test)]
mod test_iterate;

use ndarray::Axis;

pub use self::divergence::{Divergence, Norm};

use self::iterate::{State, Updates, largest_rise, start};
use self::relevance::{DataSize, Relevance};
use super::checkpoint::{LEGS, leg_ends, recall_or_compute};
use super::error::ModelError;
use super::plan::{self, Convergence, ConvergenceMeasure, PlannedStage};
use super::topic_model::{Figure, Fit, Input};
use super::topics::Topics;
use super::{nmf_ard, nmf_kl};
use crate::formula::metric_def::MetricDef;
use crate::model::figures::{ITERATIONS, OBJECTIVE_RISE, RELEVANT_TOPICS};
use crate::model::setting::Definition;
use crate::model::setting::shared::TOLERANCE as OF_A_FACTORISATION;
use crate::progress::Progress;
use crate::stream::cooccurrence::Totals;
use crate::stream::documents::Documents;

/// Entries of a topic below this are set to zero.
const NEGLIGIBLE: f64 = 1e-30;

/// Topics of a factorisation, and its convergence.
#[derive(Debug, Clone)]
pub struct Nmf {
    /// W with normalised columns. A topic's weight is its share of the sum of W·H.
    pub topics: Topics,
    /// The objective of every iteration: the divergence, Σ x·ln(x/(WH)) − x + (WH), plus the
    /// prior's term, between the updates of H and W.
    pub objectives: Vec<f64>,
    /// The largest relative rise of the objective between iterations: 0 up to rounding, or where
    /// `nmf-kl` extrapolated too far.
    pub objective_rise: f64,
    /// Number of relevant topics; `None` without the relevance prior.
    pub relevant_topics: Option<usize>,
}

/// K topics of `documents` with the given `totals`. The iterations form four stages "iterate" …
/// "iterate-4" (all may be done before the last), followed by "topics"; stages that `progress`
/// recalls are skipped. The same documents, settings and seed give the same bits for any number of
/// threads.
///
/// # Cost
/// An iteration takes 4·K·(1 + updates)·nonzeros flops, and a division and a logarithm for each
/// nonzero. In `nmf-kl` it takes 6·K flops for each nonzero, and an update takes 7 flops and a
/// division for each nonzero and topic of its document. Memory: H and six W × K blocks.
///
/// # Errors
/// [`ModelError::Stream`].
pub fn nmf(
    documents: &Documents<'_>,
    totals: Totals,
    settings: &NmfSettings,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Nmf, ModelError> {
    let extent = DataSize {
        words: documents.words(),
        documents: totals.documents as usize,
        tokens: totals.tokens as f64,
    };
    let mut state = start(settings, extent, seed);
    for (stage, end) in LEGS.into_iter().zip(leg_ends(settings.iterations)) {
        let iterate = || {
            progress.begin(stage, end as u64, "objective for each token");
            let mut updates = Updates::new(documents, *settings, extent, state);
            updates.run_until(end, progress)?;
            Ok(updates.into_state())
        };
        // Each part has the rows of H of its own documents, and only one part could save them.
        state = match documents.parts().count() {
            1 => recall_or_compute(stage, progress, iterate)?,
            _ => iterate()?,
        };
    }
    let topics = recall_or_compute("topics", progress, || {
        progress.begin("topics", 0, "");
        Ok(topics_of(&state))
    })?;
    let relevance = Relevance::new(settings.prior, extent, &state.sums.to_vec());
    let relevant_topics = relevance.map(|mut own| {
        // Before the first iteration the prior has its initial scales.
        if !state.relevance.is_empty() {
            own.scales = state.relevance.to_vec();
        }
        own.relevant()
    });
    let objective_rise = largest_rise(&state.objectives);
    Ok(Nmf { topics, objectives: state.objectives, objective_rise, relevant_topics })
}

/// The stages of a fit. An iteration takes `nonzero` seconds for each topic and nonzero, and
/// `document` seconds for each topic and document.
pub(super) fn planned_stages(
    settings: &NmfSettings,
    (nonzero, document): (f64, f64),
    size: plan::Extent,
) -> Vec<PlannedStage> {
    let until = Convergence {
        usual: 150.0,
        most: settings.iterations as f64,
        trusted_after: 20.0,
        watched: ConvergenceMeasure::RelativeGain { back: iterate::ITERATIONS_BACK },
        below: settings.tolerance,
    };
    let seconds = (nonzero * size.nonzeros + document * size.documents) * size.k;
    let iterate = PlannedStage::until("iterate", until, seconds);
    vec![iterate, PlannedStage::whole("topics", 0.0)]
}

/// Fits a model with these `settings`. The last objective is saved as the metric `objective`.
pub(super) fn fit(
    settings: &NmfSettings,
    objective: &'static MetricDef,
    input: &Input<'_>,
    progress: &dyn Progress,
) -> Result<Fit, ModelError> {
    let found = nmf(input.c.documents(), input.c.totals(), settings, input.seed, progress)?;
    let mut figures = vec![
        Figure::OfRun(&ITERATIONS, found.objectives.len() as f64),
        Figure::OfRun(&OBJECTIVE_RISE, found.objective_rise),
    ];
    figures.extend(found.objectives.last().map(|&last| Figure::OfRun(objective, last)));
    let relevant = found.relevant_topics;
    figures.extend(relevant.map(|count| Figure::OfRun(&RELEVANT_TOPICS, count as f64)));
    Ok(Fit::new(found.topics, figures))
}

fn topics_of(state: &State) -> Topics {
    let sums = state.w.sum_axis(Axis(0));
    let weights = &sums * &state.sums;
    let mut topics = &state.w / &sums;
    topics.mapv_inplace(|entry| if entry < NEGLIGIBLE { 0.0 } else { entry });
    Topics::without_anchors(topics, &weights / weights.sum())
}

/// Relative fall of the objective at which the iterations stop.
pub const TOLERANCE: Definition = Definition {
    help: "stops when ten iterations lower the objective by less than this part of it",
    ..OF_A_FACTORISATION
};

/// Bytes for each document and topic: H, and twice as much while it is saved for a run that may be
/// interrupted.
pub const DOCUMENT_BYTES: usize = 24;

/// Default number of updates of the documents' weights in an iteration.
pub const UPDATES: usize = 2;

/// Settings of a nonnegative factorisation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NmfSettings {
    /// K, the number of topics.
    pub topics: usize,
    /// Largest number of iterations.
    pub iterations: usize,
    /// Relative fall of the objective over ten iterations at which they stop.
    pub tolerance: f64,
    /// Updates of the documents' weights in each iteration, which has one update of the topics. The
    /// former are cheaper, because a document's words stay in the cache.
    pub updates: usize,
    /// The prior of the factors, besides nonnegativity.
    pub prior: Prior,
    /// The divergence; only with a prior may it be other than Kullback–Leibler.
    pub divergence: Divergence,
}

/// The prior of the factors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Prior {
    /// None: `nmf-kl`.
    Flat,
    /// The entries of topic k in both W and H have a distribution of scale λ_k, which has an
    /// inverse gamma prior of shape a: `nmf-ard`.
    Relevance {
        /// a > 2. The larger it is, the less the λ differ.
        shape: f64,
        /// Exponential with mean λ_k, or half-normal with variance λ_k.
        norm: Norm,
    },
}

impl NmfSettings {
    /// `nmf-kl` with K topics.
    pub fn kl(topics: usize) -> Self {
        nmf_kl::Settings::default().for_topics(topics)
    }

    /// `nmf-ard` with at most K topics.
    pub fn ard(topics: usize) -> Self {
        nmf_ard::Settings::default().for_topics(topics)
    }
}
