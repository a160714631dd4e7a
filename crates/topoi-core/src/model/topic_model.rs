//! The traits of all models: a card, settings, and a fit to documents.

use std::fmt::Debug;

use ndarray::Array2;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::ModelError;
use super::plan::{Extent, PlannedStage};
use super::separable::{KeptSums, NovelWord};
use super::setting::{Definition, Setting, SettingError, Value};
use super::topics::Topics;
use crate::formula::metric_def::MetricDef;
use crate::progress::Progress;
use crate::stream::StreamError;
use crate::stream::cooccurrence::CoOccurrence;

/// A model, which is its settings: those of a run, or the default ones.
pub trait TopicModel:
    Debug + Clone + Default + PartialEq + Serialize + DeserializeOwned + 'static
{
    /// Name, help and memory, by which people choose a model.
    const CARD: Card;
    /// The settings, in the order in which they are shown.
    const SETTINGS: &'static [Setting<Self>];

    /// The settings of the model's paper, where the default ones are others.
    fn as_in_paper() -> Self {
        Self::default()
    }

    /// The stages of a fit, in their order, with what they are expected to take.
    fn plan(&self, size: Extent) -> Vec<PlannedStage>;

    /// What the documents' proportions are expected to take where the topics are not refined. Topics that fit badly
    /// take more sweeps: a model says it that makes such.
    fn documents(&self, size: Extent) -> PlannedStage {
        size.documents(1.35)
    }

    /// Fits topics to the documents.
    ///
    /// # Errors
    /// [`ModelError`].
    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError>;
}

/// What people choose a model by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card {
    /// The name on the command line and in the store.
    pub name: &'static str,
    /// What it is and when to choose it, in a line.
    pub help: &'static str,
    /// Memory it takes beside W × K blocks.
    pub memory: Memory,
    /// Whether runs of different K can share one factorisation.
    pub shares_factorisation: bool,
    /// Whether its topics are a start that [`crate::model::refine`] goes on from where nothing else
    /// is said.
    pub is_refined: bool,
    /// Whether it is there to hold others against.
    pub is_baseline: bool,
    /// What of an earlier run it can start from.
    pub starts_from: StartsFrom,
    /// Whether words can be given that anchor its topics.
    pub takes_seeds: bool,
}

/// What of an earlier run a model starts from, where it is told to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartsFrom {
    /// It always starts anew.
    Nothing,
    /// Eigenvectors, W × columns.
    Eigenvectors,
    /// Sums over documents, to which it adds those of new ones.
    Sums,
    /// Topics, W × K, for as many topics.
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
    /// A model that streams, shares nothing and is not refined.
    pub const fn streamed(name: &'static str, help: &'static str) -> Self {
        Self {
            name,
            help,
            memory: Memory::STREAMED,
            shares_factorisation: false,
            is_refined: false,
            is_baseline: false,
            starts_from: StartsFrom::Nothing,
            takes_seeds: false,
        }
    }

    /// Whether sums over documents are all it needs of a corpus, so that the documents can lie on
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
    /// models whose card says so.
    pub factorise: Option<usize>,
    /// What of an earlier run to start from, as [`Card::starts_from`] has it: eigenvectors or topics.
    pub start: Option<&'a Array2<f64>>,
    /// Sums of an earlier run to add to, and where to keep the new ones; only `rp` uses them.
    pub sums: &'a dyn KeptSums,
    /// Anchors of the first topics, words that are taken together; only for models whose card says so.
    pub seeds: &'a [Vec<usize>],
}

/// The result of a model.
#[derive(Debug, Clone)]
pub struct Fit {
    /// K of them, in the order that the model found them in.
    pub topics: Topics,
    /// (eigenvalue, residual norm) of the co-occurrence, or (singular value, residual norm) of the
    /// counts, largest first; empty where the model computes none.
    pub spectrum: Vec<(f64, f64)>,
    /// How far from converged it stopped, and what it chose.
    pub figures: Vec<Figure>,
    /// Words that may be novel, best first; empty where the model looks for none.
    pub novel_words: Vec<NovelWord>,
    /// (ζ, K̂), estimates of the number of topics; empty where the model has no solid angles.
    pub topic_estimates: Vec<(f64, u64)>,
    /// Eigenvectors that a later run can start from; `None` for models that cannot.
    pub basis: Option<Array2<f32>>,
    /// What topics of other anchors can be found from; `None` for models without.
    pub factor: Option<KeptFactor>,
    /// Topics that refining leaves as they are.
    pub held: Vec<usize>,
    /// Names that topics begin with, by number.
    pub labels: Vec<(usize, String)>,
}

/// What topics of other anchors can be found from: Y with C* ≈ Y·Yᵀ.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptFactor {
    /// Y (W × K); single precision is below the noise of any corpus.
    pub y: Array2<f32>,
    /// The words that anchors are looked for among, ascending.
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
    pub fn of_run(figures: impl IntoIterator<Item = (&'static MetricDef, f64)>) -> Vec<Self> {
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
        let mut place = vec![0; order.len()];
        for (to, &from) in order.iter().enumerate() {
            place[from] = to;
        }
        self.topics = self.topics.in_order(order);
        for figure in &mut self.figures {
            if let Figure::OfTopics(_, values) = figure {
                *values = order.iter().filter_map(|&from| values.get(from).copied()).collect();
            }
        }
        for novel in &mut self.novel_words {
            novel.topic = novel.topic.map(|topic| place.get(topic).copied().unwrap_or(topic));
        }
        let places = self.held.iter_mut().chain(self.labels.iter_mut().map(|(topic, _)| topic));
        places.for_each(|topic| *topic = place.get(*topic).copied().unwrap_or(*topic));
        self
    }

    /// A result of topics and figures alone.
    pub fn of(topics: Topics, figures: Vec<Figure>) -> Self {
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
    /// Name, help and memory, by which people choose a model.
    fn card(&self) -> &'static Card;

    /// The settings with their values, in the order in which they are shown.
    fn settings(&self) -> Vec<(&'static Definition, Value)>;

    /// Sets the setting of this name.
    ///
    /// # Errors
    /// [`SettingError`], but not for a value out of range, which [`Self::check`] refuses.
    fn set(&mut self, name: &str, value: Value) -> Result<(), SettingError>;

    /// The stages of a fit, in their order, with what they are expected to take.
    fn plan(&self, size: Extent) -> Vec<PlannedStage>;

    /// What the documents' proportions are expected to take where the topics are not refined.
    fn documents(&self, size: Extent) -> PlannedStage;

    /// Fits topics to the documents.
    ///
    /// # Errors
    /// [`ModelError`].
    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError>;

    /// Refuses values out of their ranges.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`], for the first that is.
    fn check(&self) -> Result<(), SettingError> {
        self.settings().into_iter().try_for_each(|(definition, value)| definition.check(value))
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

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        TopicModel::fit(self, input, progress)
    }
}
