//! SVD: latent semantic analysis, the ancestor of the nonnegative models.
//!
//! The K largest singular triples of the counts X (W × M, plain counts without logarithms or
//! normalisation by document length), by a block Krylov method on X·Xᵀ, which is streamed and never
//! formed. Singular vectors have entries of both signs; a topic is the heavier side of a vector.
//! Two topics of nearly equal strength are mixed up (Biggs et al. 2008, §3; a test of this module),
//! so use it as a baseline or for the spectrum.
//!
//! ```
//! use sprs::TriMat;
//! use topoi_core::model::svd::{Settings, svd};
//! use topoi_core::progress::Silent;
//! use topoi_core::stream::{documents::Documents, memory::MatrixSource};
//!
//! // Words 0 and 1 in five documents, words 2 and 3 in two.
//! let mut counts = TriMat::new((7, 4));
//! for document in 0..7 {
//!     let first = if document < 5 { 0 } else { 2 };
//!     counts.add_triplet(document, first, 1);
//!     counts.add_triplet(document, first + 1, 1);
//! }
//! let source = MatrixSource::new(counts.to_csr(), 4);
//! let documents = Documents::new(&source, &[0, 1, 2, 3], 2, &Silent);
//! let found = svd(&documents, 2, &Settings::default(), 1, &Silent)?;
//! assert!((found.values[0] - 10f64.sqrt()).abs() < 1e-9);
//! assert!((found.topics.topics[(0, 0)] - 0.5).abs() < 1e-9);
//! # Ok::<(), topoi_core::model::ModelError>(())
//! ```
//!
//! Source: Deerwester et al. 1990, "Indexing by latent semantic analysis"; Stewart 1993 on Jordan's
//! algorithm; Musco and Musco 2015 for the computation.

use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut1, Axis, s};
use serde::{Deserialize, Serialize};

use crate::linalg::block_krylov::{Eigenpairs, SymmetricOperator, block_krylov};
use crate::model::checkpoint::recall_or_compute;
use crate::model::document_side::DocumentSide;
use crate::model::error::ModelError;
use crate::model::figures::FACTORISATION_RESIDUAL;
use crate::model::jsmf::{factorise, krylov};
use crate::model::plan::{Extent, PlannedStage};
use crate::model::setting::Setting;
use crate::model::setting::shared::TOLERANCE;
use crate::model::topic_model::{Card, Figure, Fit, Input, Spectrum, TopicModel};
use crate::model::topics::Topics;
use crate::progress::Progress;
use crate::random::stream;
use crate::stream::StreamError;
use crate::stream::documents::Documents;
use crate::stream::gram::Gram;

/// Singular values below this share of the largest count as zero.
const NEGLIGIBLE: f64 = 1e-7;

/// Settings of the model, with its defaults.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Residual at which the factorisation stops.
    pub tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-4 }
    }
}

impl TopicModel for Settings {
    const CARD: Card = Card {
        is_baseline: true,
        spectrum: Some(Spectrum::SingularValues),
        ..Card::streamed(
            "svd",
            "latent semantic analysis: singular vectors of the counts, streamed; a baseline",
            "Deerwester, S., Dumais, S. T., Furnas, G. W., Landauer, T. K. and Harshman, \
                R. (1990). Indexing by latent semantic analysis. Journal of the American \
                Society for Information Science 41.",
        )
    };

    const SETTINGS: &'static [Setting<Self>] = &[Setting::new(TOLERANCE, |own| &mut own.tolerance)];

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        vec![size.factorise(self.tolerance), PlannedStage::whole("topics", 0.0)]
    }

    fn documents(&self, size: Extent) -> PlannedStage {
        size.documents(2.5)
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        let found = svd(input.c.documents(), input.k, self, input.seed, progress)?;
        let residual = Figure::OfRun(&FACTORISATION_RESIDUAL, found.relative_residual);
        let spectrum = found.values.into_iter().zip(found.residuals).collect();
        Ok(Fit { spectrum, ..Fit::new(found.topics, vec![residual]) })
    }

    /// V = Xᵀ·U·Σ⁻¹, whose columns are orthonormal up to the tolerance.
    fn document_side(
        &self,
        documents: &Documents<'_>,
        k: usize,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<Option<DocumentSide>, ModelError> {
        let found = svd(documents, k, self, seed, progress)?;
        let scaled = &found.vectors / &found.values;
        let add = |words: &[u32], counts: &[f64], mut row: ArrayViewMut1<'_, f64>| {
            for (&word, &count) in words.iter().zip(counts) {
                row.scaled_add(count, &scaled.row(word as usize));
            }
        };
        Ok(Some(DocumentSide::of_each(documents, k, add)?))
    }
}

/// Singular triples of the counts, and the topics derived from them.
#[derive(Debug, Clone)]
pub struct Svd {
    /// The heavier sides of the left singular vectors, strongest first. A topic's weight is its
    /// share of the sum of the squared singular values.
    pub topics: Topics,
    /// K singular values σ, largest first.
    pub values: Array1<f64>,
    /// ‖X·Xᵀ·u − σ²·u‖ / σ of each triple.
    pub residuals: Array1<f64>,
    /// The left singular vectors, W × K, orthonormal. Signs are such that no column has a negative
    /// sum.
    pub vectors: Array2<f64>,
    /// The largest residual of X·Xᵀ relative to its K-th eigenvalue.
    pub relative_residual: f64,
}

impl SymmetricOperator for Gram<'_> {
    type Error = StreamError;

    fn size(&self) -> usize {
        self.words()
    }

    fn multiply(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>, StreamError> {
        self.apply(v)
    }
}

/// The K largest singular triples of `documents`, and topics. Reports the stages "factorise" and
/// "topics", and skips those that `progress` recalls. The same documents and seed give the same
/// bits for any number of threads.
///
/// # Cost
/// On text, about 10·K columns times 4·nonzeros flops. Memory: a dozen W × (K + 10) blocks.
///
/// # Errors
/// [`ModelError::Stream`]; [`ModelError::TooFewFactors`] when the counts have a rank below K.
pub fn svd(
    documents: &Documents<'_>,
    k: usize,
    settings: &Settings,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Svd, ModelError> {
    let krylov = krylov(k, settings.tolerance);
    let pairs = factorise(
        progress,
        krylov,
        || Ok(()),
        |()| {
            let mut rng = stream(seed, "svd krylov");
            block_krylov(&Gram::new(documents), krylov, &mut rng, progress)
        },
    )?;
    let relative_residual = pairs.relative_residual;
    let values = singular_values(&pairs, k)?;
    let residuals = &pairs.residuals.slice(s![..k]) / &values;
    let vectors = orient_columns(pairs.vectors.slice(s![.., ..k]).to_owned());
    let topics = recall_or_compute("topics", progress, || {
        progress.begin("topics", 0, "");
        let sides = vectors.mapv(|entry| entry.max(0.0));
        let squares = values.mapv(|value| value * value);
        let sums = sides.sum_axis(Axis(0));
        Ok(Topics::without_anchors(&sides / &sums, &squares / squares.sum()))
    })?;
    Ok(Svd { topics, values, residuals, vectors, relative_residual })
}

fn singular_values(pairs: &Eigenpairs, k: usize) -> Result<Array1<f64>, ModelError> {
    let values: Array1<f64> =
        pairs.values.iter().take(k).map(|value| value.max(0.0).sqrt()).collect();
    let least = NEGLIGIBLE * values.first().copied().unwrap_or(0.0);
    let found = values.iter().filter(|&&value| value > least).count();
    if found < k {
        return Err(ModelError::TooFewFactors { found, asked: k });
    }
    Ok(values)
}

/// Flips the sign of every column with a negative sum.
fn orient_columns(mut vectors: Array2<f64>) -> Array2<f64> {
    for mut column in vectors.columns_mut() {
        if column.sum() < 0.0 {
            column.mapv_inplace(|entry| -entry);
        }
    }
    vectors
}
