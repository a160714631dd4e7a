//! Bounds on the number of topics of a corpus, computed and saved.

use serde::{Deserialize, Serialize};

use crate::request::RunSettings;
use crate::work::in_threads;
use crate::work::material::Material;
use crate::work::work_error::WorkError;
use topoi_core::bound::SpectralBoundError;
use topoi_core::bound::lda::{LdaSettings, TopicBounds, UpperBound, topic_bounds};
use topoi_core::bound::spectrum::Eigengap;
use topoi_core::progress::Progress;
use topoi_core::stream::StreamError;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::parts::{Parts, SinglePart};
use topoi_core::stream::source::BlockSource;
use topoi_store::corpus::Corpus;
use topoi_store::id::CorpusId;
use topoi_store::result::k_bound::{KBound, KEstimate, SavedKBound};
use topoi_store::{Store, StoreError};

/// Name of the method in the store.
const METHOD: &str = "cheng2015";

/// A request for bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoundsRequest {
    /// Name of the corpus.
    pub corpus: String,
    /// Vocabulary, minimum tokens and threads are those of a run with these settings.
    pub material: RunSettings,
    /// The LDA model that the bounds assume.
    pub lda: LdaSettings,
}

/// Why bounds were not computed.
#[derive(Debug, thiserror::Error)]
pub enum BoundsError {
    /// The store could not be read or written.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The corpus or a setting allows no bounds.
    #[error("{0}")]
    Bound(#[from] SpectralBoundError),
    /// The work failed.
    #[error("{0}")]
    Work(#[from] WorkError),
    /// The vocabulary is empty.
    #[error("the vocabulary of {corpus} has no terms")]
    NoTerms {
        /// Name of the corpus.
        corpus: String,
    },
}

impl BoundsError {
    /// Whether the work ended because someone asked for it.
    pub fn is_cancel(&self) -> bool {
        match self {
            Self::Bound(SpectralBoundError::Stream(StreamError::Cancelled)) => true,
            Self::Work(error) => error.is_cancel(),
            _ => false,
        }
    }
}

/// The settings of the computation, as saved.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SavedSettings {
    /// Priors, δ, seed.
    #[serde(flatten)]
    pub lda: LdaSettings,
    /// Minimum tokens of a document.
    pub min_tokens: u64,
}

/// Further results, as saved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Details {
    /// Number of documents that are long enough.
    pub documents: u64,
    /// Size of the vocabulary.
    pub terms: usize,
    /// L, the length that represents those of the documents.
    pub length: f64,
    /// A lower bound of σ_K of M₂, where K is the lower bound on topics.
    pub smallest: f64,
    /// The smallest eigenvalue of M̂₂.
    pub least: f64,
    /// The largest gap in the spectrum.
    pub eigengap: Option<Eigengap>,
    /// Participation ratio of the eigenvalues above the threshold.
    pub participation_ratio: Option<f64>,
    /// The upper bounds, one for each choice of coefficients.
    pub uppers: Vec<UpperBound>,
}

/// Saved bounds with parsed settings and details.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    /// The row in the store.
    pub saved: SavedKBound,
    /// The settings of the computation.
    pub settings: SavedSettings,
    /// Further results.
    pub details: Details,
    /// The estimates of runs on the corpus, newest first.
    pub estimates: Vec<KEstimate>,
}

/// Computes the bounds of a corpus and saves them; returns the saved row.
///
/// # Errors
/// [`BoundsError`]; then nothing is saved.
pub fn bounds(
    store: &mut Store,
    request: &BoundsRequest,
    progress: &dyn Progress,
) -> Result<Bounds, BoundsError> {
    progress.begin("prepare", 0, "");
    let corpus = store.corpus(&request.corpus)?;
    store.require_documents(&corpus)?;
    let material = request.material(store, &corpus)?;
    let positions = &material.positions;
    let found = request.compute(&material.blocks, &SinglePart, positions, progress)?;
    found.save(store, request, &corpus, &material)
}

/// Computed bounds, with the number of documents that are long enough.
pub struct ComputedBounds {
    bounds: TopicBounds,
    documents: u64,
}

impl BoundsRequest {
    /// The documents and the vocabulary for bounds of `corpus`.
    pub fn material(&self, store: &Store, corpus: &Corpus) -> Result<Material, BoundsError> {
        self.lda.check()?;
        let material = Material::from_store(store, corpus.id, &self.material)?;
        match material.positions.is_empty() {
            true => Err(BoundsError::NoTerms { corpus: corpus.name.clone() }),
            false => Ok(material),
        }
    }

    /// Computes the bounds from the documents of all `parts` and the terms at `positions`.
    pub fn compute(
        &self,
        blocks: &dyn BlockSource,
        parts: &dyn Parts,
        positions: &[u32],
        progress: &dyn Progress,
    ) -> Result<ComputedBounds, BoundsError> {
        let min_tokens = self.material.min_tokens;
        in_threads(self.material.threads, || {
            let documents =
                Documents::new(blocks, positions, min_tokens, progress).with_parts(parts);
            let c = CoOccurrence::new(&documents)?;
            let found = topic_bounds(&c, &self.lda, progress);
            Ok(found.map(|bounds| ComputedBounds { bounds, documents: c.totals().documents }))
        })?
        .map_err(BoundsError::from)
    }
}

impl ComputedBounds {
    /// Saves them as the bounds of `corpus`; returns the saved row.
    ///
    /// # Errors
    /// [`BoundsError::Store`]; then nothing is saved.
    pub fn save(
        &self,
        store: &mut Store,
        request: &BoundsRequest,
        corpus: &Corpus,
        material: &Material,
    ) -> Result<Bounds, BoundsError> {
        let assumed = SavedSettings { lda: request.lda, min_tokens: request.material.min_tokens };
        let details = details(&self.bounds, self.documents, material.positions.len());
        let ids = (corpus.id, material.save_vocabulary(store, corpus.id)?);
        let hash = material.corpus_hash.clone();
        let saved = store.save_k_bound(as_saved(ids, hash, &self.bounds, &assumed, &details))?;
        let estimates = store.k_estimates(corpus.id)?;
        Ok(Bounds { saved, settings: assumed, details, estimates })
    }
}

fn details(found: &TopicBounds, documents: u64, terms: usize) -> Details {
    Details {
        documents,
        terms,
        length: found.length,
        smallest: found.smallest,
        least: found.least,
        eigengap: found.eigengap,
        participation_ratio: found.participation_ratio,
        uppers: found.uppers.clone(),
    }
}

fn as_saved(
    (corpus_id, vocabulary_id): (CorpusId, i64),
    corpus_hash: Vec<u8>,
    found: &TopicBounds,
    assumed: &SavedSettings,
    details: &Details,
) -> KBound {
    let upper = found.uppers.first().filter(|upper| upper.topics.is_some());
    KBound {
        corpus_id,
        vocabulary_id,
        method: METHOD.into(),
        lower: found.lower as u64,
        upper: upper.and_then(|upper| upper.topics).map(|topics| topics as u64),
        is_cut_off: found.is_cut_off,
        lower_probability: 1.0 - assumed.lda.delta,
        upper_probability: upper.map(|upper| upper.probability),
        threshold: found.threshold,
        // Numbers and names always have a JSON form.
        settings: serde_json::to_string(assumed).unwrap_or_default(),
        details: serde_json::to_string(details).unwrap_or_default(),
        corpus_hash,
        spectrum: found.spectrum.clone(),
    }
}

/// The newest saved bounds of a corpus; `None` without any, and for those of another version of the program.
pub fn newest_bounds(store: &Store, corpus_id: CorpusId) -> Result<Option<Bounds>, StoreError> {
    let Some(saved) = store.newest_k_bound(corpus_id)? else { return Ok(None) };
    let settings = serde_json::from_str(&saved.bound.settings).ok();
    let details = serde_json::from_str(&saved.bound.details).ok();
    let Some((settings, details)) = settings.zip(details) else { return Ok(None) };
    let estimates = store.k_estimates(corpus_id)?;
    Ok(Some(Bounds { saved, settings, details, estimates }))
}
