//! The input of shaping: the topics of a run and, where it has anchors, its factorised
//! co-occurrence.

use std::collections::HashMap;

use ndarray::{Array1, Array2};

use super::error::ShapeError;
use super::outline::Part;
use crate::model::jsmf::compressed::{Anchor, CompressedCoOccurrence};

/// Maximum number of similar words suggested for an unknown word.
const MAX_SUGGESTIONS: usize = 3;
/// Smallest Jaro–Winkler similarity of a suggestion, 0 to 1.
const LEAST_SIMILARITY: f64 = 0.8;

/// The topics that edits start from.
#[derive(Debug)]
pub struct Base {
    /// Name of the model.
    pub model: String,
    /// The W words.
    pub words: Vec<String>,
    /// B (W × K), as saved by the run.
    pub topics: Array2<f64>,
    /// p(topic), K numbers.
    pub weights: Array1<f64>,
    /// K labels.
    pub labels: Vec<Option<String>>,
    /// The parts of each of the K topics.
    pub parts: Vec<Vec<Part>>,
    /// The factorised co-occurrence; `None` for topics without anchors.
    pub factor: Option<CoOccurrenceFactor>,
    number: HashMap<String, usize>,
}

/// The factorised co-occurrence that anchors are edited in.
#[derive(Debug)]
pub struct CoOccurrenceFactor {
    /// C* ≈ Y·Yᵀ.
    pub compressed: CompressedCoOccurrence,
    /// Words that may become anchors, ascending.
    pub candidates: Vec<usize>,
}

impl Base {
    /// The topics (B and p(topic)) of `model` over `words`, without labels and anchors.
    pub fn new(model: &str, words: Vec<String>, topics: Array2<f64>, weights: Array1<f64>) -> Self {
        let k = topics.ncols();
        Self {
            model: model.into(),
            number: words.iter().cloned().zip(0..).collect(),
            words,
            topics,
            weights,
            labels: vec![None; k],
            parts: (0..k).map(|number| vec![Part::Topic(number)]).collect(),
            factor: None,
        }
    }

    /// Adds anchors of the K topics and the factorised co-occurrence behind them.
    pub fn with_anchors(self, anchors: Vec<Anchor>, factor: CoOccurrenceFactor) -> Self {
        let parts = anchors.into_iter().map(|anchor| vec![Part::Anchor(anchor)]).collect();
        Self { parts, factor: Some(factor), ..self }
    }

    /// Adds W aliases of the words, in their order.
    pub fn add_aliases<'a>(&mut self, names: impl Iterator<Item = &'a String>) {
        for (name, number) in names.zip(0..) {
            self.number.entry(name.clone()).or_insert(number);
        }
    }

    /// The number of a word.
    ///
    /// # Errors
    /// [`ShapeError::UnknownWord`], with similar words.
    pub fn word(&self, word: &str) -> Result<usize, ShapeError> {
        let found = self.number.get(word).or_else(|| self.number.get(&word.to_lowercase()));
        found.copied().ok_or_else(|| unknown_word(word, &self.words))
    }

    /// The factorised co-occurrence.
    ///
    /// # Errors
    /// [`ShapeError::NoAnchors`].
    pub fn factor(&self) -> Result<&CoOccurrenceFactor, ShapeError> {
        let model = || ShapeError::NoAnchors { model: self.model.clone() };
        self.factor.as_ref().ok_or_else(model)
    }

    /// The words of an anchor.
    pub fn texts(&self, anchor: &[usize]) -> Vec<String> {
        anchor.iter().map(|&word| self.words[word].clone()).collect()
    }
}

/// The error for a word that is not among `words`.
pub fn unknown_word(word: &str, words: &[String]) -> ShapeError {
    let lower = word.to_lowercase();
    let mut near: Vec<(f64, &String)> = words
        .iter()
        .map(|known| (strsim::jaro_winkler(&lower, known), known))
        .filter(|(alike, _)| *alike >= LEAST_SIMILARITY)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    let near = near.into_iter().take(MAX_SUGGESTIONS).map(|(_, known)| known.clone()).collect();
    ShapeError::UnknownWord { word: word.into(), near }
}
