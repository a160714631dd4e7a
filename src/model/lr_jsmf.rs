//! LR-JSMF, the default model: rectified anchor words straight from the streamed corpus.
//!
//! Randomised block Krylov on the streamed co-occurrence C → ENN rectification → LAW. C is never
//! formed: memory is about W·(K + p) numbers times the dozen blocks of the Krylov basis, and
//! time a few passes over the corpus plus 50 rectification iterations on W × K matrices.
//!
//! It assumes that every topic has a word that (nearly) no other topic uses. Choose it first: it
//! is the fastest model here, deterministic, and the rectification makes up for much of what
//! real text does to the assumption.
//!
//! ```
//! use sprs::TriMat;
//! use topoi::model::lr_jsmf::{LrJsmfSettings, lr_jsmf};
//! use topoi::progress::Silent;
//! use topoi::stream::{cooccurrence::CoOccurrence, documents::Documents, memory::MatrixSource};
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
//! # Ok::<(), topoi::model::ModelError>(())
//! ```
//!
//! Source: Lee, Cho, Dong, Mimno, Bindel 2021, "On-the-Fly Rectification for Robust
//! Large-Vocabulary Topic Inference", algorithm 6.

use ndarray::{Array2, ArrayView2, s};

use super::checkpoint::once;
use super::enn::enn_and_law;
use super::error::ModelError;
use super::jsmf::{Jsmf, factorise_stage};
use super::rectify::enn::EnnSettings;
use crate::linalg::accuracy::Accuracy;
use crate::linalg::block_krylov::{
    KrylovSettings, SymmetricOperator, block_krylov, block_krylov_from,
};
use crate::progress::Progress;
use crate::random::stream;
use crate::stream::StreamError;
use crate::stream::cooccurrence::CoOccurrence;

/// Settings of LR-JSMF.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LrJsmfSettings {
    /// K, the number of topics, 2 ≤ K ≤ W.
    pub topics: usize,
    /// K′ ≥ K: eigenpairs are computed as for K′ topics, and those of K topics used.
    pub factorised: usize,
    /// Eigenpairs p beyond K that rectification starts with.
    pub oversampling: usize,
    /// Columns the co-occurrence is applied to in one pass over the corpus.
    pub block: usize,
    /// The factorisation stops at this residual relative to the K-th eigenvalue.
    pub tolerance: f64,
    /// It gives up after this many passes and says how far it came.
    pub max_passes: usize,
    /// How ENN rectifies.
    pub enn: EnnSettings,
}

impl LrJsmfSettings {
    /// The paper's settings for K topics.
    pub fn new(topics: usize) -> Self {
        Self {
            topics,
            factorised: topics,
            oversampling: 10,
            block: 32,
            tolerance: 1e-4,
            max_passes: 60,
            enn: EnnSettings::new(topics, 50),
        }
    }

    /// How the eigenpairs of C are computed.
    pub fn krylov(&self) -> KrylovSettings {
        KrylovSettings {
            pairs: self.factorised,
            kept: self.factorised + self.oversampling,
            block: self.block,
            accuracy: Accuracy::Relative(self.tolerance),
            max_passes: self.max_passes,
        }
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

/// Topics of a streamed co-occurrence. `start` (W × columns) are eigenvectors of a co-occurrence that
/// was nearly this one, which spare passes; without, the factorisation starts from random columns.
/// Either way it stops at the same residual. Stages "factorise", "rectify" and "topics" are reported,
/// and are not done again where `progress` has what they came to. The same operator, settings and seed give the same bits for any number of threads.
///
/// # Errors
/// When the corpus cannot be streamed, on cancel, or when there are fewer than K anchors.
pub fn lr_jsmf(
    c: &CoOccurrence<'_>,
    settings: &LrJsmfSettings,
    start: Option<&Array2<f64>>,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Jsmf, ModelError> {
    let own = settings.krylov();
    let krylov = KrylovSettings { kept: own.kept.max(2 * settings.factorised), ..own };
    let eigenpairs = once("factorise", progress, || {
        factorise_stage(progress, krylov.max_passes, || match start {
            Some(start) => block_krylov_from(start.clone(), c, krylov, progress),
            None => {
                let mut rng = stream(seed, "lr-jsmf krylov");
                block_krylov(c, krylov, &mut rng, progress)
            }
        })
    })?;
    let own = LrJsmfSettings { factorised: settings.topics, ..*settings }.krylov();
    let columns = eigenpairs.values.len().min(own.kept.max(2 * settings.topics));
    let basis = eigenpairs.vectors.slice(s![.., ..columns]).mapv(|x| x as f32);
    let found = enn_and_law(eigenpairs.first(own), settings.enn, progress)?;
    Ok(Jsmf { basis: Some(basis), ..found })
}
