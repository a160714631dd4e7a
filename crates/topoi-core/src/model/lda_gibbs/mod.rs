//! `lda-gibbs`: latent Dirichlet allocation by collapsed Gibbs sampling.
//!
//! Every document draws topic proportions from a Dirichlet distribution with parameter α; each
//! token draws a topic from them and a word from that topic, which comes from a Dirichlet
//! distribution with parameter β. The topics of all tokens are drawn in turn, each given all
//! others; after enough sweeps they are a sample of the posterior. α is learnt on the way, one
//! value for each topic, or given; β is given. Of all models here it makes the fewest assumptions
//! about real text, and it is the standard of comparison in the field. It takes many sweeps where
//! anchor words take a few passes.
//!
//! **Threads and parts.** The corpus is cut into four lanes of documents and four groups of words.
//! A sweep has four turns. In each turn every lane draws the tokens of another group, so that no
//! two lanes change the same n_wk or n_mk; changes of n_k by other lanes are applied at the end of
//! the turn (Yan, Xu and Qi 2009). Parts of a corpus on several machines exchange changes after a
//! sweep (Newman et al. 2009). Each part has lanes and groups of its own; of a million tokens or
//! fewer each part draws all. Lanes and groups depend on the corpus alone, so the result does not
//! depend on the number of threads. A corpus of one block (512 documents or fewer) has one lane and
//! is sampled exactly.
//!
//! **Sampling.** A topic is drawn from all K probabilities, eight at a time, which is exact. A
//! token that keeps its topic needs no search.
//!
//! ```
//! use sprs::TriMat;
//! use topoi_core::model::lda_gibbs::{LdaGibbsSettings, lda_gibbs};
//! use topoi_core::progress::Silent;
//! use topoi_core::stream::cooccurrence::CoOccurrence;
//! use topoi_core::stream::{documents::Documents, memory::MatrixSource};
//!
//! let mut counts = TriMat::new((40, 6));
//! for document in 0..40 {
//!     let first = if document % 2 == 0 { 0 } else { 3 };
//!     for word in first..first + 3 {
//!         counts.add_triplet(document, word, 4);
//!     }
//! }
//! let source = MatrixSource::new(counts.to_csr(), 64);
//! let documents = Documents::new(&source, &[0, 1, 2, 3, 4, 5], 2, &Silent);
//! let totals = CoOccurrence::new(&documents)?.totals();
//! let found = lda_gibbs(&documents, totals, &LdaGibbsSettings::new(2), None, 1, &Silent)?;
//! for word in 0..6 {
//!     let row = found.topics.topics_of_words.row(word);
//!     assert!(row[0] > 0.99 || row[1] > 0.99);
//! }
//! # Ok::<(), topoi_core::model::ModelError>(())
//! ```
//!
//! Source: Griffiths and Steyvers 2004, "Finding scientific topics". Newman, Asuncion, Smyth and
//! Welling 2009, "Distributed algorithms for topic models", for parts. Yan, Xu and Qi 2009,
//! "Parallel inference for latent Dirichlet allocation on graphics processing units", for turns.
//! Yu, Hsieh, Yun, Vishwanathan and Dhillon 2015, "A scalable asynchronous distributed algorithm
//! for topic modeling", for the order of tokens. Wallach, Mimno and McCallum 2009 for an α for each
//! topic.

mod counts;
mod document_topics;
mod lane;
mod proportions;
mod sampler;
mod settings;
mod start;
mod state;
mod weights;

use settings::LEARN_EVERY;
pub use settings::LdaGibbsSettings;

use crate::model::figures::{GIBBS_ALPHA_SUM, LOG_LIKELIHOOD};
use ndarray::{Array1, Array2, Axis};
use serde::{Deserialize, Serialize};

use self::sampler::Sampler;
use self::state::State;
use super::checkpoint::recall_or_compute;
use super::checkpoint::{LEGS, leg_ends};
use super::error::ModelError;
use super::plan::{Extent, PlannedStage};
use super::setting::shared::ITERATIONS;
use super::setting::{Definition, Interval, Kind, Setting};
use super::topic_model::{Card, Figure, Fit, Input, Memory, StartsFrom, TopicModel};
use super::topics::Topics;
use crate::progress::Progress;
use crate::stream::cooccurrence::{CoOccurrence, Totals};
use crate::stream::documents::Documents;
use crate::stream::documents::gathered::GatheredBlocks;

/// Largest number of topics with 16 bits, besides the number that marks an empty entry.
const MAX_TOPICS: usize = (1 << 16) - 1;

/// Largest number of tokens of a corpus in parts whose topics each part draws, all of them, as one machine would. Larger
/// ones are drawn where they are.
const MOST_GATHERED_TOKENS: u64 = 1_000_000;

/// Settings of the model, with its defaults.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Sweeps over all tokens.
    pub iterations: usize,
    /// α of every topic; the initial value where α is learnt.
    pub alpha: f64,
    /// β of every word.
    pub beta: f64,
    /// Whether α is fixed instead of learnt.
    pub fixed_alpha: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { iterations: 200, alpha: 0.1, beta: 0.01, fixed_alpha: false }
    }
}

/// Range of α and β, in tokens. Below it a topic is negligible; above it documents and topics do
/// not differ.
const PRIOR: Kind = Kind::Real(Interval::Between(1e-6, 1000.0));

impl TopicModel for Settings {
    const CARD: Card = Card {
        // A token takes its topic, its document, twelve bytes of the document's counts at most where
        // that has fifteen tokens or more, and eight more while the topics are saved for a run that
        // may be interrupted.
        memory: Memory { token_bytes: 26, ..Memory::STREAMED },
        starts_from: StartsFrom::Topics,
        ..Card::streamed(
            "lda-gibbs",
            "latent Dirichlet allocation by Gibbs sampling: the yardstick; many sweeps",
            "Griffiths, T. L. and Steyvers, M. (2004). Finding scientific topics. \
                Proceedings of the National Academy of Sciences 101.",
        )
    };

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(
            Definition {
                help: "sweeps over all tokens; topics are averaged over the last tenth",
                ..ITERATIONS
            },
            |own| &mut own.iterations,
        ),
        Setting::new(
            Definition {
                name: "alpha",
                help: "tokens of each topic that a document is thought to have before it is seen; \
                       learnt from there on, one for each topic",
                placeholder: "A",
                kind: PRIOR,
                auto: None,
            },
            |own| &mut own.alpha,
        ),
        Setting::new(
            Definition {
                name: "beta",
                help: "tokens of each word that a topic is thought to have before it is seen",
                placeholder: "B",
                kind: PRIOR,
                auto: None,
            },
            |own| &mut own.beta,
        ),
        Setting::new(
            Definition {
                name: "fixed-alpha",
                help: "leaves alpha as it is instead of learning it",
                placeholder: "",
                kind: Kind::Flag,
                auto: None,
            },
            |own| &mut own.fixed_alpha,
        ),
    ];

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        vec![
            PlannedStage::steps("iterate", self.iterations, size.gibbs_sweep()),
            PlannedStage::whole("topics", 0.0),
        ]
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        let Self { iterations, alpha, beta, fixed_alpha } = *self;
        let learn_every = if fixed_alpha { 0 } else { LEARN_EVERY };
        let settings = LdaGibbsSettings { topics: input.k, iterations, alpha, beta, learn_every };
        let (documents, totals) = (input.c.documents(), input.c.totals());
        let found = lda_gibbs(documents, totals, &settings, input.start, input.seed, progress)?;
        let figures =
            [(&GIBBS_ALPHA_SUM, found.alpha.sum()), (&LOG_LIKELIHOOD, found.log_likelihood)];
        Ok(Fit::new(found.topics, Figure::for_run(figures)))
    }
}

/// Topics by Gibbs sampling, and the state of the chain.
#[derive(Debug, Clone)]
pub struct LdaGibbs {
    /// (n_wk + β)/(n_k + Wβ) with counts averaged over the last tenth of the sweeps. A topic's
    /// weight is its share of the tokens.
    pub topics: Topics,
    /// α, one for each topic.
    pub alpha: Array1<f64>,
    /// ln p(w, z | α, β) for each token after the last sweep; NaN without sweeps.
    pub log_likelihood: f64,
}

/// K topics of `documents` with the given `totals`. The initial topics of the tokens are drawn from
/// the topics `start` (W × K), each token given those before it in its document; without `start`
/// they are uniform.
///
/// The sweeps form four stages "iterate" … "iterate-4", followed by "topics"; stages that
/// `progress` recalls are skipped. The same documents, settings and seed give the same bits for any
/// number of threads.
///
/// # Cost
/// A sweep takes about 3·K flops for each nonzero (with many topics 3·K_m, where the document has
/// K_m of them), and two divisions for each token that changes its topic. Memory: twelve bytes a
/// token (eight more while topics are saved for a run that may be interrupted), one W × K block of
/// four bytes and three of eight.
///
/// # Errors
/// [`ModelError::Stream`]; [`ModelError::TooManyTopics`] for more than 65,535 topics.
pub fn lda_gibbs(
    documents: &Documents<'_>,
    totals: Totals,
    settings: &LdaGibbsSettings,
    start: Option<&Array2<f64>>,
    seed: u64,
    progress: &dyn Progress,
) -> Result<LdaGibbs, ModelError> {
    let legs: Vec<_> = LEGS.into_iter().zip(leg_ends(settings.iterations)).collect();
    let state = run_chain(documents, totals, settings, start, &legs, seed, progress)?;
    let topics = recall_or_compute("topics", progress, || {
        progress.begin("topics", 0, "");
        Ok(topics_of(&state, settings))
    })?;
    Ok(LdaGibbs { topics, alpha: state.alpha, log_likelihood: state.log_likelihood })
}

/// The state of the chain after all sweeps, which form the stages `legs`, each with the number of
/// its last sweep.
///
/// # Errors
/// As [`lda_gibbs`].
fn run_chain(
    documents: &Documents<'_>,
    totals: Totals,
    settings: &LdaGibbsSettings,
    start: Option<&Array2<f64>>,
    legs: &[(&'static str, usize)],
    seed: u64,
    progress: &dyn Progress,
) -> Result<State, ModelError> {
    if settings.topics > MAX_TOPICS {
        return Err(ModelError::TooManyTopics { most: MAX_TOPICS, asked: settings.topics });
    }
    let tokens = totals.tokens as f64;
    let is_in_parts = documents.parts().count() > 1;
    let gathers = is_in_parts && totals.tokens <= MOST_GATHERED_TOKENS;
    let gathered = if gathers { Some(GatheredBlocks::new(documents)?) } else { None };
    let whole = gathered.as_ref().map(|blocks| blocks.documents(documents));
    let drawn = whole.as_ref().unwrap_or(documents);
    let mut state = State::new(settings, documents.words());
    for &(stage, end) in legs {
        let sweep = || {
            progress.begin(stage, end as u64, "log-likelihood of words and topics, for each token");
            let mut sampler = Sampler::new(drawn, *settings, start, seed, state)?;
            sampler.run_until(end, tokens, progress)?;
            Ok(sampler.into_state())
        };
        // Each part has the topics of its own tokens, and only one part could save them.
        state = match is_in_parts {
            false => recall_or_compute(stage, progress, || Ok(sweep()?))?,
            true => documents.agree(sweep())?,
        };
    }
    Ok(state)
}

/// As [`lda_gibbs`], with all sweeps in one stage of this name.
pub(super) fn lda_gibbs_in_stage(
    c: &CoOccurrence<'_>,
    settings: &LdaGibbsSettings,
    start: &Array2<f64>,
    stage: &'static str,
    seed: u64,
    progress: &dyn Progress,
) -> Result<LdaGibbs, ModelError> {
    let legs = [(stage, settings.iterations)];
    let (documents, totals) = (c.documents(), c.totals());
    let state = run_chain(documents, totals, settings, Some(start), &legs, seed, progress)?;
    let topics = topics_of(&state, settings);
    Ok(LdaGibbs { topics, alpha: state.alpha, log_likelihood: state.log_likelihood })
}

/// B and the topics' shares of the tokens.
fn topics_of(state: &State, settings: &LdaGibbsSettings) -> Topics {
    let counts = &state.sums / settings.averaged() as f64;
    let tokens = counts.sum_axis(Axis(0));
    let smoothed = counts + settings.beta;
    let sums = smoothed.sum_axis(Axis(0));
    Topics::without_anchors(smoothed / &sums, &tokens / tokens.sum())
}
