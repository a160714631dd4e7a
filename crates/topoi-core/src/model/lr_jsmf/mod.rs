//! LR-JSMF, the default model: rectified anchor words from the streamed corpus.
//!
//! Randomised block Krylov on the streamed co-occurrence C → ENN rectification → LAW. C is never
//! formed. Memory is about W·(K + p) numbers times the dozen blocks of the Krylov basis. Time is a
//! few passes over the corpus plus the iterations of the rectification on W × K matrices.
//!
//! It assumes that every topic has a word that (almost) no other topic uses. Choose it first: it is
//! the fastest model, it is deterministic, and the rectification compensates for much of the
//! violation of the assumption in real text.
//!
//! ```
//! use sprs::TriMat;
//! use topoi_core::model::lr_jsmf::{LrJsmfSettings, lr_jsmf};
//! use topoi_core::progress::Silent;
//! use topoi_core::stream::{cooccurrence::CoOccurrence, documents::Documents, memory::MatrixSource};
//!
//! // Eight documents over six words: words 0–2 belong together, and so do words 3–5.
//! let mut counts = TriMat::new((8, 6));
//! for document in 0..8 {
//!     let first = if document % 2 == 0 { 0 } else { 3 };
//!     for word in first..first + 3 {
//!         counts.add_triplet(document, word, 1 + ((document + word) % 3) as u32);
//!     }
//! }
//! let source = MatrixSource::new(counts.to_csr(), 4);
//! let documents = Documents::new(&source, &[0, 1, 2, 3, 4, 5], 2, &Silent);
//! let c = CoOccurrence::new(&documents)?;
//! let found = lr_jsmf(&c, &LrJsmfSettings::new(2), None, 1, &Silent)?;
//! let side = |word: usize| found.topics.anchors.iter().position(|&a| (a < 3) == (word < 3));
//! for word in 0..6 {
//!     let topic = side(word).expect("an anchor on each side");
//!     assert!(found.topics.topics_of_words[(word, topic)] > 0.99);
//! }
//! # Ok::<(), topoi_core::model::ModelError>(())
//! ```
//!
//! Source: Lee, Cho, Dong, Mimno, Bindel 2021, "On-the-Fly Rectification for Robust
//! Large-Vocabulary Topic Inference", algorithm 6.

use ndarray::{Array2, ArrayView2, s};
use serde::{Deserialize, Serialize};

use crate::linalg::block_krylov::{KrylovSettings, SymmetricOperator, block_krylov_from};
use crate::model::enn::enn_and_law;
use crate::model::error::ModelError;
use crate::model::figures::FACTORISATION_PASSES;
use crate::model::jsmf::compressed::{Anchor, NegativeEntries};
use crate::model::jsmf::rectify::enn::EnnSettings;
use crate::model::jsmf::{AnchorRequest, BLOCK, Jsmf, factorise, first_block, krylov};
use crate::model::plan::{Extent, PlannedStage};
use crate::model::refine::PASSES;
use crate::model::setting::shared::{
    ANCHOR_DOCUMENTS, ITERATIONS, NEGATIVE_ENTRIES, ROWS, TOLERANCE,
};
use crate::model::setting::{Definition, Setting};
use crate::model::topic_model::{
    Card, Figure, Fit, Input, RectificationEnd, SharedFactorisation, Spectrum, StartsFrom,
    TopicModel,
};
use crate::progress::Progress;
use crate::stream::StreamError;
use crate::stream::cooccurrence::CoOccurrence;

/// Settings of the model, with its defaults.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Residual at which the factorisation stops. The paper's results were reproduced with 10⁻⁴;
    /// with refined topics 10⁻² is as good.
    pub tolerance: f64,
    /// Iterations of the rectification. The authors use 50; with refined topics 3 are as good.
    pub iterations: usize,
    /// l, the number of rows whose negative entries ENN corrects; `None` for the paper's 10 K +
    /// 1000 (§5). With refined topics 500 are as good.
    pub rows: Option<usize>,
    /// Smallest share of the documents that contain an anchor; 0 as in the paper allows any word.
    pub anchor_documents: f64,
    /// What is done with negative entries of the rectified co-occurrence; the paper keeps them.
    pub negative_entries: NegativeEntries,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tolerance: 1e-2,
            iterations: 3,
            rows: Some(500),
            anchor_documents: 0.01,
            negative_entries: NegativeEntries::Zeroed,
        }
    }
}

impl TopicModel for Settings {
    const CARD: Card = Card {
        spectrum: Some(Spectrum::Eigenvalues),
        rectification: Some(RectificationEnd::AfterIterations),
        default_refine: PASSES,
        starts_from: StartsFrom::Eigenvectors,
        takes_seeds: true,
        ..Card::streamed(
            "lr-jsmf",
            "rectified anchor words, streamed: the fastest, and the one to start with",
            "Lee, M., Cho, S., Dong, K., Mimno, D. and Bindel, D. (2021). On-the-fly \
                rectification for robust large-vocabulary topic inference. Proceedings of \
                the 38th International Conference on Machine Learning.",
        )
    };

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(TOLERANCE, |own| &mut own.tolerance),
        Setting::new(
            Definition { help: "iterations of the rectification at most", ..ITERATIONS },
            |own| &mut own.iterations,
        ),
        Setting::new(ROWS, |own| &mut own.rows),
        Setting::new(ANCHOR_DOCUMENTS, |own| &mut own.anchor_documents),
        Setting::new(NEGATIVE_ENTRIES, |own| &mut own.negative_entries),
    ];

    fn as_in_paper() -> Self {
        Self::PAPER
    }

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        vec![size.factorise(self.tolerance), size.enn(self.iterations), size.law(self.iterations)]
    }

    fn shares_factorisation(&self) -> Option<SharedFactorisation> {
        Some(SharedFactorisation { stage: "factorise", tolerance: self.tolerance })
    }

    fn keeps_factor(&self, k: usize) -> Option<usize> {
        Some(self.for_topics(k).krylov().kept)
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        let order = LrJsmfSettings {
            factorised: input.factorise.unwrap_or(input.k).max(input.k),
            ..self.for_topics(input.k)
        };
        let found =
            lr_jsmf_with(input.c, &order, (input.start, input.seeds), input.seed, progress)?;
        let passes = found.eigenpairs.as_ref().map(|pairs| pairs.passes as f64);
        let mut fit = found.into_fit(input.k);
        fit.figures.extend(passes.map(|passes| Figure::OfRun(&FACTORISATION_PASSES, passes)));
        Ok(fit)
    }
}

impl Settings {
    /// The settings of the paper.
    pub const PAPER: Self = Self {
        tolerance: 1e-4,
        iterations: 50,
        rows: None,
        anchor_documents: 0.0,
        negative_entries: NegativeEntries::Kept,
    };

    /// Settings for K topics, with a factorisation for K topics.
    pub fn for_topics(&self, topics: usize) -> LrJsmfSettings {
        let enn = EnnSettings::new(topics, self.iterations, self.rows);
        let Self { tolerance, anchor_documents, negative_entries, .. } = *self;
        let factorised = topics;
        LrJsmfSettings { topics, factorised, tolerance, enn, anchor_documents, negative_entries }
    }
}

/// Settings of the model for K topics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LrJsmfSettings {
    /// K, the number of topics, 2 ≤ K ≤ W.
    pub topics: usize,
    /// K′ ≥ K. Eigenpairs are computed as for K′ topics, and those of K topics are used.
    pub factorised: usize,
    /// Residual relative to the K-th eigenvalue at which the factorisation stops.
    pub tolerance: f64,
    /// Settings of the rectification.
    pub enn: EnnSettings,
    /// Smallest share of the documents that contain an anchor. It is lowered where fewer than
    /// [`CANDIDATES`] words for each topic would be left.
    pub anchor_documents: f64,
    /// What is done with negative entries of the rectified co-occurrence.
    pub negative_entries: NegativeEntries,
}

/// Smallest number of candidate anchors for each topic.
pub const CANDIDATES: usize = 5;

impl LrJsmfSettings {
    /// The paper's settings for K topics.
    pub fn new(topics: usize) -> Self {
        Settings::PAPER.for_topics(topics)
    }

    /// Settings of the eigenproblem of C.
    pub fn krylov(&self) -> KrylovSettings {
        krylov(self.factorised, self.tolerance)
    }
}

impl SymmetricOperator for CoOccurrence<'_> {
    type Error = StreamError;

    fn size(&self) -> usize {
        self.words()
    }

    fn multiply(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>, StreamError> {
        self.apply(v)
    }
}

/// C, with its product with the first block cached for metrics.
struct CachingOperator<'a, 'c>(&'a CoOccurrence<'c>);

impl SymmetricOperator for CachingOperator<'_, '_> {
    type Error = StreamError;

    fn size(&self) -> usize {
        self.0.words()
    }

    fn multiply(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>, StreamError> {
        let image = self.0.apply(v)?;
        // A small C is multiplied by the identity and solved exactly.
        if v.ncols() == BLOCK {
            self.0.cache_image(v, &image);
        }
        Ok(image)
    }
}

/// Topics from a streamed co-occurrence. `start` (W × columns) are eigenvectors of a similar
/// co-occurrence, which saves passes; without them the factorisation starts from random columns.
/// Either way it stops at the same residual.
///
/// Reports the stages "factorise", "rectify" and "topics", and skips those that `progress` recalls.
/// The same operator, settings and seed give the same bits for any number of threads.
///
/// # Errors
/// [`ModelError::Stream`]; [`ModelError::TooFewAnchors`] when there are fewer than K anchors.
pub fn lr_jsmf(
    c: &CoOccurrence<'_>,
    settings: &LrJsmfSettings,
    start: Option<&Array2<f64>>,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Jsmf, ModelError> {
    lr_jsmf_with(c, settings, (start, &[]), seed, progress)
}

/// [`lr_jsmf`] with given anchors for the first topics, each of one word or of several together.
/// The other anchors are found as usual.
///
/// # Errors
/// Those of [`lr_jsmf`]; [`ModelError::SeedsApart`] and [`ModelError::SeedsDepend`] for given
/// anchors that define no topic.
pub fn lr_jsmf_with(
    c: &CoOccurrence<'_>,
    settings: &LrJsmfSettings,
    (start, seeds): (Option<&Array2<f64>>, &[Anchor]),
    seed: u64,
    progress: &dyn Progress,
) -> Result<Jsmf, ModelError> {
    let own = settings.krylov();
    let krylov = KrylovSettings { kept: own.kept.max(2 * settings.factorised), ..own };
    let eigenpairs = factorise(
        progress,
        krylov,
        || Ok(()),
        |()| match start {
            Some(start) => block_krylov_from(start.clone(), c, krylov, progress),
            None => {
                let first = first_block(c.words(), seed);
                block_krylov_from(first, &CachingOperator(c), krylov, progress)
            }
        },
    )?;
    let own = LrJsmfSettings { factorised: settings.topics, ..*settings }.krylov();
    let columns = eigenpairs.values.len().min(own.kept.max(2 * settings.topics));
    let basis = eigenpairs.vectors.slice(s![.., ..columns]).mapv(|x| x as f32);
    let anchors = anchor_candidates(c, settings.topics, settings.anchor_documents);
    let wanted = AnchorRequest {
        rank: settings.enn.rank,
        candidates: &anchors,
        seeds,
        negative_entries: settings.negative_entries,
    };
    let found = enn_and_law(eigenpairs.first(own), settings.enn, wanted, progress)?;
    Ok(Jsmf { basis: Some(basis), ..found })
}

/// The candidates for K anchors, ascending: words in at least the share `share` of the documents.
/// The share is lowered where fewer than [`CANDIDATES`] words for each topic would be left.
pub(super) fn anchor_candidates(c: &CoOccurrence<'_>, topics: usize, share: f64) -> Vec<usize> {
    let counts = c.document_counts();
    let wanted = share * c.totals().documents as f64;
    let mut sorted = counts.to_vec();
    sorted.sort_unstable_by(|a, b| b.total_cmp(a));
    let enough = (CANDIDATES * topics).clamp(1, sorted.len()) - 1;
    let least = wanted.min(sorted[enough]);
    (0..counts.len()).filter(|&word| counts[word] >= least).collect()
}
