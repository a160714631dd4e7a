//! R1D: nonnegative factorisation by rank-one downdate.
//!
//! Topics are taken out of the counts A (W × M, plain counts) one after another: words M and
//! documents N such that A(M, N) is large and nearly of rank one; then A(M, N) is set to 0. A
//! topic's words are M, and their probabilities are the normalised leading singular vector u(M).
//! Unlike the other models it gives most words probability 0 in a topic, and needs neither a seed
//! nor a random start: a topic grows from the heaviest remaining document (or word: [`Start`]). It
//! suits corpora whose documents have one topic each; on others frequent words go to the first
//! topics.
//!
//! A is streamed and never copied. Removed entries are stored as K bits for each word and each
//! document.
//!
//! ```
//! use sprs::TriMat;
//! use topoi_core::model::r1d::{Settings, r1d};
//! use topoi_core::progress::Silent;
//! use topoi_core::stream::{documents::Documents, memory::MatrixSource};
//!
//! let mut counts = TriMat::new((6, 4));
//! for document in 0..6 {
//!     let first = if document < 3 { 0 } else { 2 };
//!     counts.add_triplet(document, first, 3);
//!     counts.add_triplet(document, first + 1, 1 + document as u32);
//! }
//! let source = MatrixSource::new(counts.to_csr(), 4);
//! let documents = Documents::new(&source, &[0, 1, 2, 3], 2, &Silent);
//! let found = r1d(&documents, 2, &Settings::default(), &Silent)?;
//! assert_eq!(found.words, [vec![2, 3], vec![0, 1]]);
//! # Ok::<(), topoi_core::model::ModelError>(())
//! ```
//!
//! Source: Biggs, Ghodsi, Vavasis 2008, "Nonnegative matrix factorization via rank-one downdate".

mod lane;
mod removed;
mod rule;
mod submatrix;

use crate::model::figures::{
    OBJECTIVE_FALL, RANK_ONE_RESIDUAL, RANK_ONE_VALUE, UNSTABLE_TOPICS, WORDS_OF_A_TOPIC,
};
use ndarray::{Array1, Array2, Axis};
use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use self::submatrix::Search;
use super::checkpoint::{Checkpoint, only_row, recall_or_compute, row, row_of};
use super::document_side::DocumentSide;
use super::error::ModelError;
use super::plan::{Extent, PlannedStage};
use super::setting::shared::ITERATIONS;
use super::setting::{Choices, Definition, Interval, Kind, Setting};
use super::topic_model::{Card, Figure, Fit, Input, TopicModel};
use super::topics::Topics;
use crate::progress::Progress;
use crate::stream::documents::Documents;

/// Settings of the model. Defaults are the paper's, except for the penalty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// γ > 1, the cost of a departure from rank one relative to the gain of what is covered. The
    /// paper's theorems use 4.
    pub gamma: f64,
    /// What a topic grows from.
    #[serde(alias = "start")]
    pub grow_from: Start,
    /// Whether the side that starts with one member only grows during the search, and the other
    /// only shrinks. This bounds the number of steps.
    pub monotone: bool,
    /// η̄, 0 ≤ η̄ < 1: the penalty ρ·|M|·|N| as a share of the start's score; 0 for none.
    pub rho: f64,
    /// Largest number of steps for one topic.
    pub iterations: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { gamma: 4.0, grow_from: Start::Document, monotone: false, rho: 0.0, iterations: 100 }
    }
}

/// What a topic grows from. Either start has rank one, so its score is its squared norm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Start {
    /// The document with the largest norm, as in the paper. It finds topics where a document has
    /// one topic. Where documents have several whole topics, it starts with all of them and stays
    /// there.
    #[default]
    Document,
    /// The word with the largest norm (mentioned in the paper). It finds topics in documents with
    /// several topics if the words of a topic nearly always occur together, such as pixels. In text
    /// they do not, and topics of single words result.
    Word,
}

impl Choices for Start {}

impl TopicModel for Settings {
    const CARD: Card = Card::streamed(
        "r1d",
        "rank-one downdate: words and documents taken out topic by topic, streamed",
        "Biggs, M., Ghodsi, A. and Vavasis, S. (2008). Nonnegative matrix \
                factorization via rank-one downdate. Proceedings of the 25th International \
                Conference on Machine Learning.",
    );

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(
            Definition {
                name: "gamma",
                help: "how much a departure from rank one costs",
                placeholder: "G",
                kind: Kind::Real(Interval::Above(1.0)),
                auto: None,
            },
            |own| &mut own.gamma,
        ),
        Setting::new(
            Definition {
                name: "grow-from",
                help: "what a topic is grown from: the heaviest document, as in the paper, or the \
                       heaviest word",
                placeholder: "WHAT",
                kind: Kind::Choice(Start::NAMES),
                auto: None,
            },
            |own| &mut own.grow_from,
        ),
        Setting::new(
            Definition {
                name: "monotone",
                help: "the side a topic starts with one of only grows, the other only shrinks",
                placeholder: "",
                kind: Kind::Flag,
                auto: None,
            },
            |own| &mut own.monotone,
        ),
        Setting::new(
            Definition {
                name: "rho",
                help: "a penalty on words times documents of a topic, as a part of what its start \
                       scores; keeps words out that hardly count; the paper has 0.05",
                placeholder: "SHARE",
                kind: Kind::Real(Interval::FromToBelow(0.0, 1.0)),
                auto: None,
            },
            |own| &mut own.rho,
        ),
        Setting::new(Definition { help: "steps for one topic at most", ..ITERATIONS }, |own| {
            &mut own.iterations
        }),
    ];

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        vec![PlannedStage::whole("topics", 2.1e-8 * size.nonzeros * size.k)]
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        let found = r1d(input.c.documents(), input.k, self, progress)?;
        let words = found.words.iter().map(Vec::len).sum::<usize>() as f64;
        let figures = vec![
            Figure::OfRun(&OBJECTIVE_FALL, found.objective_fall),
            Figure::OfRun(&UNSTABLE_TOPICS, found.unstable as f64),
            Figure::OfRun(&WORDS_OF_A_TOPIC, words / input.k as f64),
            Figure::OfTopics(&RANK_ONE_VALUE, found.values.to_vec()),
            Figure::OfTopics(&RANK_ONE_RESIDUAL, found.residuals.to_vec()),
        ];
        Ok(Fit::new(found.topics, figures))
    }

    /// H: of each topic A(M, N)ᵀ·u, which is σ·v once M and N are stable, and 0 outside N.
    fn document_side(
        &self,
        documents: &Documents<'_>,
        k: usize,
        _seed: u64,
        progress: &dyn Progress,
    ) -> Result<Option<DocumentSide>, ModelError> {
        let mut search = Search::new(documents, k, *self);
        let found = downdate(&mut search, documents.words(), k, progress)?;
        Ok(Some(DocumentSide::from_rows(k, search.document_side(&found.u)?)))
    }
}

/// Topics by rank-one downdate.
#[derive(Debug, Clone)]
pub struct R1d {
    /// The topics in the order in which they were taken out. A topic's weight is its share of the
    /// counts in the rank-one matrices.
    pub topics: Topics,
    /// M of each topic: its words, ascending.
    pub words: Vec<Vec<usize>>,
    /// σ of each topic.
    pub values: Array1<f64>,
    /// ‖A(M, N) − u·σ·vᵀ‖ / ‖A(M, N)‖ of each topic.
    pub residuals: Array1<f64>,
    /// The largest relative fall of the objective in a half step of any topic. Beyond rounding, a
    /// fall is an error of the program.
    pub objective_fall: f64,
    /// Number of topics whose M and N still changed at the last allowed step.
    pub unstable: usize,
}

/// K topics of `documents`, in a stage "topics" of K steps, which is skipped where `progress`
/// recalls it. The same documents give the same bits for any number of threads.
///
/// # Cost
/// A pass over the corpus for every step and one more for every topic; the paper reports 10 to 15
/// steps for each topic. Memory: eight W-vectors, and K bits for each word and document.
///
/// # Errors
/// [`ModelError::Stream`]; [`ModelError::TooFewFactors`] when no counts are left before topic K.
///
/// # Source
/// Biggs et al. 2008, section 2: R1D and ApproxRankOneSubmatrix. Line 12 must read σ = ‖ū(M)‖.
pub fn r1d(
    documents: &Documents<'_>,
    k: usize,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<R1d, ModelError> {
    let found: R1dResult = recall_or_compute("topics", progress, || {
        let mut search = Search::new(documents, k, *settings);
        downdate(&mut search, documents.words(), k, progress)
    })?;
    let mut weights = found.masses;
    weights /= weights.sum();
    let topics = found.u.t().as_standard_layout().into_owned();
    let words = (0..k).map(|topic| {
        let column = topics.column(topic);
        (0..column.len()).filter(|&word| column[word] > 0.0).collect()
    });
    Ok(R1d {
        words: words.collect(),
        values: found.values,
        residuals: found.residuals,
        objective_fall: found.objective_fall,
        unstable: found.unstable,
        topics: Topics::without_anchors(&topics / &topics.sum_axis(Axis(0)), weights),
    })
}

/// The result of the stage.
struct R1dResult {
    /// K × W.
    u: Array2<f64>,
    values: Array1<f64>,
    residuals: Array1<f64>,
    masses: Array1<f64>,
    objective_fall: f64,
    unstable: usize,
}

fn downdate(
    search: &mut Search<'_>,
    words: usize,
    k: usize,
    progress: &dyn Progress,
) -> Result<R1dResult, ModelError> {
    let residual = "part of a topic's squared counts that is not of rank one";
    progress.begin("topics", k as u64, residual);
    let empty = Array1::zeros(k);
    let mut found = R1dResult {
        u: Array2::zeros((k, words)),
        values: empty.clone(),
        residuals: empty.clone(),
        masses: empty,
        objective_fall: 0.0,
        unstable: 0,
    };
    for topic in 0..k {
        let next = search.next()?;
        let Some(next) = next else {
            return Err(ModelError::TooFewFactors { found: topic, asked: k });
        };
        search.remove(&next, topic);
        let off = (next.squares - next.sigma * next.sigma).max(0.0);
        found.u.row_mut(topic).assign(&Array1::from(next.u));
        found.values[topic] = next.sigma;
        found.residuals[topic] = (off / next.squares).sqrt();
        found.masses[topic] = next.mass;
        found.objective_fall = found.objective_fall.max(next.worst_fall);
        found.unstable += usize::from(!next.is_stable);
        progress.step(topic as u64 + 1, Some(off / next.squares));
    }
    Ok(found)
}

impl Checkpoint for R1dResult {
    fn to_arrays(&self) -> Vec<Array2<f64>> {
        let numbers = [self.objective_fall, self.unstable as f64];
        let [values, residuals, masses] = [&self.values, &self.residuals, &self.masses].map(row_of);
        vec![self.u.clone(), values, residuals, masses, row(&numbers)]
    }

    fn from_arrays(arrays: Vec<Array2<f64>>) -> Option<Self> {
        let [u, values, residuals, masses, numbers] = <[Array2<f64>; 5]>::try_from(arrays).ok()?;
        Some(Self {
            u,
            values: only_row(values)?,
            residuals: only_row(residuals)?,
            masses: only_row(masses)?,
            objective_fall: *numbers.get((0, 0))?,
            unstable: *numbers.get((0, 1))? as usize,
        })
    }
}
