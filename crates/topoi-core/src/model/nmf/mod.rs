//! `nmf-kl` and `nmf-ard`: nonnegative factorisation X ≈ W·H that lowers the Kullback–Leibler
//! divergence.
//!
//! X are the counts (words × documents). Up to scaling, `nmf-kl` is probabilistic latent semantic
//! analysis: W's columns are p(word | topic), H's columns the documents' topics. It assumes
//! nothing about the topics, and finds a local optimum that depends on the seed. `nmf-ard` adds
//! a prior under which topics that are not needed vanish: ask for more topics than there may be,
//! and see how many are relevant.
//!
//! One iteration is one pass over the nonzeros: a document's h is updated twice, then its share of
//! the update of W is added up, and the divergence on the way. H stays in memory, 8·K bytes a
//! document.
//!
//! W's update is multiplicative. `nmf-ard` updates h so too. `nmf-kl` improves the entries of h one
//! after another by Newton steps, as a document has few topics, and these steps reach zero. W
//! is then extrapolated the way it went: the divergence that the next pass measures shows whether
//! that was too far, and then the iteration after it does not extrapolate.
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
//! Source: Lee and Seung 2001, "Algorithms for non-negative matrix factorization", theorem 2; Hsieh
//! and Dhillon 2011 for coordinate descent, with steps cut so that none raises the divergence;
//! Ang and Gillis 2019 and Carbonetto et al. 2021 for extrapolation, here of W's logarithms;
//! Gillis and Glineur 2012 for several updates of one factor; Tan and Févotte 2013 for `nmf-ard`.

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
use self::relevance::{Extent, Relevance};
use super::checkpoint::{LEGS, ends, once};
use super::error::ModelError;
use super::plan::{self, PlannedStage, Until, Watched};
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

/// Entries of a topic below this are zero.
const NEGLIGIBLE: f64 = 1e-30;

/// Topics of a factorisation, and how the iterations went.
#[derive(Debug, Clone)]
pub struct Nmf {
    /// The topics: W with columns of sum 1; a topic's weight is its share of the sum of W·H.
    pub topics: Topics,
    /// The objective of every iteration: the divergence, Σ x·ln(x/(WH)) − x + (WH), and what the prior adds. Each
    /// is measured after H's update and before W's.
    pub objectives: Vec<f64>,
    /// The largest rise of the objective from one iteration to the next, relative to it: 0 up to
    /// rounding, or where `nmf-kl` extrapolated too far.
    pub objective_rise: f64,
    /// Relevant topics; `None` without the relevance prior.
    pub relevant_topics: Option<usize>,
}

/// K topics of `documents`, whose totals are given. The iterations are four stages "iterate" …
/// "iterate-4" (all iterations may be done before the last), then comes "topics"; what is done is
/// skipped where `progress` recalls its result. The same documents, settings and seed give
/// the same bits for any number of threads.
///
/// # Cost
/// An iteration takes 4·K·(1 + updates)·nonzeros flops and a division and a logarithm a nonzero;
/// in `nmf-kl` up to 9·K flops and K divisions an update. Memory: H, and six W × K blocks.
///
/// # Errors
/// When the corpus cannot be streamed, or on cancel.
pub fn nmf(
    documents: &Documents<'_>,
    totals: Totals,
    settings: &NmfSettings,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Nmf, ModelError> {
    let extent = Extent {
        words: documents.words(),
        documents: totals.documents as usize,
        tokens: totals.tokens as f64,
    };
    let mut state = start(settings, extent, seed);
    for (stage, end) in LEGS.into_iter().zip(ends(settings.iterations)) {
        let iterate = || {
            progress.begin(stage, end as u64, "objective for each token");
            let mut updates = Updates::new(documents, *settings, extent, state);
            updates.until(end, progress)?;
            Ok(updates.into_state())
        };
        // Each part has the rows of H of its own documents, and only one of them could keep them.
        state = match documents.parts().count() {
            1 => once(stage, progress, iterate)?,
            _ => iterate()?,
        };
    }
    let topics = once("topics", progress, || {
        progress.begin("topics", 0, "");
        Ok(topics_of(&state))
    })?;
    let relevance = Relevance::new(settings.prior, extent, &state.sums.to_vec());
    let relevant_topics = relevance.map(|mut own| {
        // Before the first iteration the prior has seen nothing.
        if !state.relevance.is_empty() {
            own.scales = state.relevance.to_vec();
        }
        own.relevant()
    });
    let objective_rise = largest_rise(&state.objectives);
    Ok(Nmf { topics, objectives: state.objectives, objective_rise, relevant_topics })
}

/// The stages of a fit whose iterations take so many seconds a topic for each nonzero and each document.
pub(super) fn planned(
    settings: &NmfSettings,
    (nonzero, document): (f64, f64),
    size: plan::Extent,
) -> Vec<PlannedStage> {
    let until = Until {
        usual: 150.0,
        most: settings.iterations as f64,
        trusted_after: 20.0,
        watched: Watched::RelativeGain { back: iterate::BACK },
        below: settings.tolerance,
    };
    let seconds = (nonzero * size.nonzeros + document * size.documents) * size.k;
    let iterate = PlannedStage::until("iterate", until, seconds);
    vec![iterate, PlannedStage::whole("topics", 0.0)]
}

/// Fits a model with these `settings`; the last objective is saved as the metric `objective`.
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
    Ok(Fit::of(found.topics, figures))
}

fn topics_of(state: &State) -> Topics {
    let sums = state.w.sum_axis(Axis(0));
    let weights = &sums * &state.sums;
    let mut topics = &state.w / &sums;
    topics.mapv_inplace(|entry| if entry < NEGLIGIBLE { 0.0 } else { entry });
    Topics::without_anchors(topics, &weights / weights.sum())
}

/// When the iterations stop.
pub const TOLERANCE: Definition = Definition {
    help: "stops when ten iterations lower the objective by less than this part of it",
    ..OF_A_FACTORISATION
};

/// H, and as much again twice while it is kept for a run that may be interrupted: bytes for each
/// document and topic.
pub const DOCUMENT_BYTES: usize = 24;

/// Updates of the documents' weights in an iteration, unless told otherwise.
pub const UPDATES: usize = 2;

/// Settings of a nonnegative factorisation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NmfSettings {
    /// K, the number of topics.
    pub topics: usize,
    /// Iterations at most.
    pub iterations: usize,
    /// Stop when ten iterations lower the objective by less than this share of it.
    pub tolerance: f64,
    /// Updates of the documents' weights in each iteration, which has one of the topics: the
    /// former are cheaper, as a document's words stay in the cache.
    pub updates: usize,
    /// What is assumed about the factors beside that they are not negative.
    pub prior: Prior,
    /// What is lowered; only with a prior is it another than Kullback–Leibler's.
    pub divergence: Divergence,
}

/// What is assumed about the factors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Prior {
    /// Nothing: `nmf-kl`.
    Flat,
    /// That topic k's entries, in W and H alike, come from a distribution of scale λ_k, which is drawn from an
    /// inverse gamma distribution of shape a: `nmf-ard`.
    Relevance {
        /// a > 2: the larger, the less the λ differ.
        shape: f64,
        /// Exponential with mean λ_k, or half-normal with variance λ_k.
        norm: Norm,
    },
}

impl NmfSettings {
    /// `nmf-kl` with K topics.
    pub fn kl(topics: usize) -> Self {
        nmf_kl::Settings::default().of(topics)
    }

    /// `nmf-ard` with at most K topics.
    pub fn ard(topics: usize) -> Self {
        nmf_ard::Settings::default().of(topics)
    }
}
