//! The traits of all models: a card, settings, and a fit to documents.

use std::fmt::Debug;

use ndarray::Array2;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::document_side::DocumentSide;
use super::error::ModelError;
use super::plan::{Extent, PlannedStage};
use super::separable::{Directions, KeptSums, NovelWord};
use super::setting::shared::KEEP_SUMS;
use super::setting::{Definition, Setting, SettingError, Value};
use super::topics::Topics;
use crate::formula::metric_def::MetricDef;
use crate::progress::Progress;
use crate::stream::StreamError;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::documents::Documents;

/// A model, which is its settings: those of a run, or the default ones.
pub trait TopicModel:
    Debug + Clone + Default + PartialEq + Serialize + DeserializeOwned + 'static
{
    /// What it is and can do, whatever its settings.
    const CARD: Card;
    /// The settings, in the order in which they are shown.
    const SETTINGS: &'static [Setting<Self>];

    /// The settings of the model's paper, where these differ from the default ones.
    fn as_in_paper() -> Self {
        Self::default()
    }

    /// The stages of a fit, in their order, with their expected costs.
    fn plan(&self, size: Extent) -> Vec<PlannedStage>;

    /// The factorisation that runs of different K can share; `None` for a model that always makes its own.
    fn shares_factorisation(&self) -> Option<SharedFactorisation> {
        None
    }

    /// The sums over documents for K topics; `Some` exactly for models that start from [`StartsFrom::Sums`].
    fn keeps_sums(&self, _k: usize) -> Option<SumsSettings> {
        None
    }

    /// Columns of the factor that a fit of K topics returns ([`Fit::factor`]), from which topics of other anchors are
    /// found; `None` for a model whose fits have none.
    fn keeps_factor(&self, _k: usize) -> Option<usize> {
        None
    }

    /// The expected cost of the documents' proportions where the topics are not refined. Topics that fit badly
    /// take more sweeps; models that make such topics override it.
    fn documents(&self, size: Extent) -> PlannedStage {
        size.documents(1.35)
    }

    /// Fits topics to the documents.
    ///
    /// # Errors
    /// [`ModelError`].
    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError>;

    /// The documents' side of the factorisation that a fit of K topics to `documents` makes; `None` for a model whose
    /// fits make none beside the documents' proportions. Fits the model again.
    ///
    /// # Errors
    /// [`ModelError`].
    fn document_side(
        &self,
        _documents: &Documents<'_>,
        _k: usize,
        _seed: u64,
        _progress: &dyn Progress,
    ) -> Result<Option<DocumentSide>, ModelError> {
        Ok(None)
    }
}

/// What a model is and can do, whatever its settings. What depends on them is in [`TopicModel`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Card {
    /// The name on the command line and in the store.
    pub name: &'static str,
    /// What it is and when to choose it, in a line.
    pub help: &'static str,
    /// What to cite, as a list of references has it.
    pub reference: &'static str,
    /// Memory it takes beside W × K blocks.
    pub memory: Memory,
    /// The spectrum that a fit returns ([`Fit::spectrum`]); `None` for models that compute none.
    pub spectrum: Option<Spectrum>,
    /// Whether it rectifies the co-occurrence, and when that ends.
    pub rectification: Option<RectificationEnd>,
    /// Passes at most of [`crate::model::refine`] over its topics by default; 0 leaves them as they are.
    pub default_refine: usize,
    /// Whether it is a baseline for comparisons.
    pub is_baseline: bool,
    /// What of an earlier run it can start from.
    pub starts_from: StartsFrom,
    /// Whether words can be given that anchor its topics.
    pub takes_seeds: bool,
}

/// What the values of a spectrum are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spectrum {
    /// Eigenvalues of the co-occurrence.
    Eigenvalues,
    /// Singular values of the counts.
    SingularValues,
}

impl Spectrum {
    /// What the values are, for the caption of a chart of them by rank.
    pub const fn caption(self) -> &'static str {
        match self {
            Self::Eigenvalues => "Eigenvalues of the co-occurrence by rank (logarithmic).",
            Self::SingularValues => "Singular values of the counts by rank (logarithmic).",
        }
    }
}

/// When a rectification ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RectificationEnd {
    /// After the iterations of the settings; nothing is tested.
    AfterIterations,
    /// When an iteration changes the matrix by no more than this share of it, or after the iterations of the settings.
    Settled(f64),
}

/// What an earlier factorisation must have in common with that of a run, beside the co-occurrence, the seed and K′, so
/// that the run can use it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SharedFactorisation {
    /// The stage that makes it.
    pub stage: &'static str,
    /// The residual at which it stops.
    pub tolerance: f64,
}

/// Sums over documents, which a later run of the same settings can add documents to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SumsSettings {
    /// P, the number of directions; W numbers each.
    pub projections: usize,
    /// How the directions are drawn.
    pub directions: Directions,
    /// Whether the sums are saved for a later run, as [`KEEP_SUMS`] says.
    pub are_kept: bool,
}

/// What of an earlier run a model can start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartsFrom {
    /// It always starts from the documents alone.
    Nothing,
    /// Eigenvectors, W × columns.
    Eigenvectors,
    /// Sums over documents, to which it adds those of new ones.
    Sums,
    /// Topics, W × K, of a run with the same K.
    Topics,
}

/// What a model holds in memory beside W × K blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// W × W matrices; 0 for a model that streams.
    pub formed_matrices: usize,
    /// Columns of W numbers whose number does not grow with K; 0 where there are none.
    pub columns: usize,
    /// Bytes for each document and topic.
    pub document_bytes: usize,
    /// Bytes for each token.
    pub token_bytes: usize,
}

impl Memory {
    /// Nothing but W × K blocks.
    pub const STREAMED: Self =
        Self { formed_matrices: 0, columns: 0, document_bytes: 0, token_bytes: 0 };
}

/// The size of a corpus, as a run sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CorpusSize {
    /// Terms of the vocabulary, W.
    pub words: usize,
    /// M, the number of documents.
    pub documents: usize,
    /// Tokens of the documents, also of words outside the vocabulary.
    pub tokens: usize,
}

impl Card {
    /// A model that streams, has no spectrum, rectifies nothing, is not refined and starts from nothing.
    pub const fn streamed(name: &'static str, help: &'static str, reference: &'static str) -> Self {
        Self {
            name,
            help,
            reference,
            memory: Memory::STREAMED,
            spectrum: None,
            rectification: None,
            default_refine: 0,
            is_baseline: false,
            starts_from: StartsFrom::Nothing,
            takes_seeds: false,
        }
    }

    /// Whether sums over documents are all it needs of a corpus, so that the documents can be on
    /// several machines.
    pub fn streams(&self) -> bool {
        self.memory.formed_matrices == 0
    }

    /// Bytes of memory it takes for K topics, within a factor of two.
    pub fn bytes(&self, size: CorpusSize, k: usize) -> usize {
        let CorpusSize { words, documents, tokens } = size;
        let Memory { formed_matrices, columns, document_bytes, token_bytes } = self.memory;
        let formed = 8 * words * words * formed_matrices;
        let held = document_bytes * documents * k + token_bytes * tokens;
        // The Krylov basis, 8 times K + 10 columns, and as much again for work.
        formed + held + 8 * words * ((k + 10) * 16).max(columns) + 50_000_000
    }
}

/// What a model is fitted to.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The documents and their co-occurrence.
    pub c: &'a CoOccurrence<'a>,
    /// ‖C‖²_F, which takes passes over the corpus.
    pub squared_norm: &'a (dyn Fn() -> Result<f64, StreamError> + Sync),
    /// K, the number of topics.
    pub k: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// K′ ≥ K: eigenpairs are computed for K′ topics, so that runs of different K can share them; only for
    /// models that share a factorisation.
    pub factorise: Option<usize>,
    /// What of an earlier run to start from, as [`Card::starts_from`] has it: eigenvectors or topics.
    pub start: Option<&'a Array2<f64>>,
    /// Sums of an earlier run to add to, and where to keep the new ones; only for models that keep sums.
    pub sums: &'a dyn KeptSums,
    /// Anchors of the first topics, words that are taken together; only for models whose card says so.
    pub seeds: &'a [Vec<usize>],
}

/// The result of a model.
#[derive(Debug, Clone)]
pub struct Fit {
    /// K topics, in the order in which the model found them.
    pub topics: Topics,
    /// (eigenvalue, residual norm) of the co-occurrence, or (singular value, residual norm) of the
    /// counts, largest first; empty where the model computes none.
    pub spectrum: Vec<(f64, f64)>,
    /// Metrics that only the model knows: how far from converged it stopped, and what it chose.
    pub figures: Vec<Figure>,
    /// Words that may be novel, best first; empty where the model looks for none.
    pub novel_words: Vec<NovelWord>,
    /// (ζ, K̂), estimates of the number of topics; empty where the model has no solid angles.
    pub topic_estimates: Vec<(f64, u64)>,
    /// Eigenvectors that a later run can start from; `None` for models that cannot.
    pub basis: Option<Array2<f32>>,
    /// From which topics of other anchors are found; `None` for models without.
    pub factor: Option<KeptFactor>,
    /// Topics that refining leaves as they are.
    pub held: Vec<usize>,
    /// Names that topics begin with, by number.
    pub labels: Vec<(usize, TopicLabel)>,
}

/// A label of a topic and who gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopicLabel {
    /// Its text.
    pub text: String,
    /// The person, or the command that was asked for it; `None` for labels that came with seed words.
    pub by: Option<String>,
}

/// A factor of the rectified co-occurrence, from which topics of other anchors are found: Y with C* ≈ Y·Yᵀ.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptFactor {
    /// Y (W × K); single precision is below the noise of any corpus.
    pub y: Array2<f32>,
    /// The words that can be anchors, ascending.
    pub candidates: Vec<usize>,
}

/// The value of a metric that only the model itself can measure.
#[derive(Debug, Clone, PartialEq)]
pub enum Figure {
    /// A value for the run.
    OfRun(&'static MetricDef, f64),
    /// A value for the run, and a JSON object with how it came about.
    WithSettings(&'static MetricDef, f64, String),
    /// A value for each topic.
    OfTopics(&'static MetricDef, Vec<f64>),
}

impl Figure {
    /// Values for the run, without those that are not finite (a model that made no iteration has some).
    pub fn for_run(figures: impl IntoIterator<Item = (&'static MetricDef, f64)>) -> Vec<Self> {
        let finite = figures.into_iter().filter(|(_, value)| value.is_finite());
        finite.map(|(name, value)| Self::OfRun(name, value)).collect()
    }
}

impl Fit {
    /// The same with its topics in another order: topic `order[i]` becomes topic i.
    ///
    /// # Panics
    /// When `order` does not have every topic once.
    pub fn in_order(mut self, order: &[usize]) -> Self {
        let mut new_number = vec![0; order.len()];
        for (to, &from) in order.iter().enumerate() {
            new_number[from] = to;
        }
        let renumbered = |topic: usize| new_number.get(topic).copied().unwrap_or(topic);
        self.topics = self.topics.in_order(order);
        for figure in &mut self.figures {
            if let Figure::OfTopics(_, values) = figure {
                *values = order.iter().filter_map(|&from| values.get(from).copied()).collect();
            }
        }
        for novel in &mut self.novel_words {
            novel.topic = novel.topic.map(renumbered);
        }
        let topics = self.held.iter_mut().chain(self.labels.iter_mut().map(|(topic, _)| topic));
        topics.for_each(|topic| *topic = renumbered(*topic));
        self
    }

    /// A result of topics and figures alone.
    pub fn new(topics: Topics, figures: Vec<Figure>) -> Self {
        Self {
            topics,
            spectrum: Vec::new(),
            figures,
            novel_words: Vec::new(),
            topic_estimates: Vec::new(),
            basis: None,
            factor: None,
            held: Vec::new(),
            labels: Vec::new(),
        }
    }
}

/// [`TopicModel`] as a trait object.
pub trait AnyModel: Debug {
    /// What it is and can do, whatever its settings.
    fn card(&self) -> &'static Card;

    /// The settings with their values, in the order in which they are shown.
    fn settings(&self) -> Vec<(&'static Definition, Value)>;

    /// Sets the setting of this name.
    ///
    /// # Errors
    /// [`SettingError`], but not for a value out of range, which [`Self::check`] refuses.
    fn set(&mut self, name: &str, value: Value) -> Result<(), SettingError>;

    /// As [`TopicModel::plan`].
    fn plan(&self, size: Extent) -> Vec<PlannedStage>;

    /// As [`TopicModel::documents`].
    fn documents(&self, size: Extent) -> PlannedStage;

    /// As [`TopicModel::shares_factorisation`].
    fn shares_factorisation(&self) -> Option<SharedFactorisation>;

    /// As [`TopicModel::keeps_sums`].
    fn keeps_sums(&self, k: usize) -> Option<SumsSettings>;

    /// As [`TopicModel::keeps_factor`].
    fn keeps_factor(&self, k: usize) -> Option<usize>;

    /// Fits topics to the documents.
    ///
    /// # Errors
    /// [`ModelError`].
    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError>;

    /// As [`TopicModel::document_side`].
    ///
    /// # Errors
    /// [`ModelError`].
    fn document_side(
        &self,
        documents: &Documents<'_>,
        k: usize,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<Option<DocumentSide>, ModelError>;

    /// Refuses values out of their ranges.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`], for the first that is.
    fn check(&self) -> Result<(), SettingError> {
        self.settings().into_iter().try_for_each(|(definition, value)| definition.check(value))
    }

    /// Keeps no sums, whatever the settings were.
    fn drop_sums(&mut self) {
        // A model without the setting keeps none.
        let _ = self.set(KEEP_SUMS.name, Value::Flag(false));
    }

    /// The setting of this name, with its value.
    fn setting(&self, name: &str) -> Option<(&'static Definition, Value)> {
        self.settings().into_iter().find(|(definition, _)| definition.name == name)
    }
}

impl<M: TopicModel> AnyModel for M {
    fn card(&self) -> &'static Card {
        &M::CARD
    }

    fn settings(&self) -> Vec<(&'static Definition, Value)> {
        M::SETTINGS.iter().map(|setting| (&setting.definition, setting.get(self))).collect()
    }

    fn set(&mut self, name: &str, value: Value) -> Result<(), SettingError> {
        let setting = M::SETTINGS.iter().find(|setting| setting.definition.name == name);
        let unknown = || SettingError::Unknown { model: M::CARD.name, name: name.into() };
        let setting = setting.ok_or_else(unknown)?;
        let Definition { name, .. } = setting.definition;
        setting.set(self, value).then_some(()).ok_or_else(|| SettingError::NotAValue {
            name,
            text: value.to_string(),
            kind: setting.definition.range(),
        })
    }

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        TopicModel::plan(self, size)
    }

    fn documents(&self, size: Extent) -> PlannedStage {
        TopicModel::documents(self, size)
    }

    fn shares_factorisation(&self) -> Option<SharedFactorisation> {
        TopicModel::shares_factorisation(self)
    }

    fn keeps_sums(&self, k: usize) -> Option<SumsSettings> {
        TopicModel::keeps_sums(self, k)
    }

    fn keeps_factor(&self, k: usize) -> Option<usize> {
        TopicModel::keeps_factor(self, k)
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        TopicModel::fit(self, input, progress)
    }

    fn document_side(
        &self,
        documents: &Documents<'_>,
        k: usize,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<Option<DocumentSide>, ModelError> {
        TopicModel::document_side(self, documents, k, seed, progress)
    }
}
