//! What is shaped: the topics of a run, and where it has anchors the co-occurrence they are of.

use std::collections::HashMap;

use ndarray::{Array1, Array2};

use super::error::ShapeError;
use super::outline::Part;
use crate::model::jsmf::compressed::{Anchor, Compressed};

/// Words that a refused one is told to be like.
const NEAR: usize = 3;
/// How alike their spelling must be (Jaro and Winkler's measure, 0 to 1).
const ALIKE: f64 = 0.8;

/// The topics that edits begin with.
#[derive(Debug)]
pub struct Base {
    /// Name of the model.
    pub model: String,
    /// W words.
    pub words: Vec<String>,
    /// B (W × K), finished as the run has them.
    pub topics: Array2<f64>,
    /// p(topic), K numbers.
    pub weights: Array1<f64>,
    /// K labels.
    pub labels: Vec<Option<String>>,
    /// What each of the K topics is made of.
    pub parts: Vec<Vec<Part>>,
    /// What anchors need; `None` for topics without.
    pub factor: Option<Factor>,
    number: HashMap<String, usize>,
}

/// What anchors need.
#[derive(Debug)]
pub struct Factor {
    /// C* ≈ Y·Yᵀ.
    pub compressed: Compressed,
    /// The words that anchors are looked for among, ascending.
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

    /// The same with these anchors of the K topics, and what their topics follow from.
    pub fn with_anchors(self, anchors: Vec<Anchor>, factor: Factor) -> Self {
        let parts = anchors.into_iter().map(|anchor| vec![Part::Anchor(anchor)]).collect();
        Self { parts, factor: Some(factor), ..self }
    }

    /// Lets words be called by these names too, of which there are W in their order.
    pub fn also_known_as<'a>(&mut self, names: impl Iterator<Item = &'a String>) {
        for (name, number) in names.zip(0..) {
            self.number.entry(name.clone()).or_insert(number);
        }
    }

    /// The number of a word.
    ///
    /// # Errors
    /// [`ShapeError::UnknownWord`], with the words nearest to it.
    pub fn word(&self, word: &str) -> Result<usize, ShapeError> {
        let found = self.number.get(word).or_else(|| self.number.get(&word.to_lowercase()));
        found.copied().ok_or_else(|| unknown_word(word, &self.words))
    }

    /// What anchors need.
    ///
    /// # Errors
    /// [`ShapeError::NoAnchors`].
    pub fn factor(&self) -> Result<&Factor, ShapeError> {
        let model = || ShapeError::NoAnchors { model: self.model.clone() };
        self.factor.as_ref().ok_or_else(model)
    }

    /// The words of an anchor.
    pub fn texts(&self, anchor: &[usize]) -> Vec<String> {
        anchor.iter().map(|&word| self.words[word].clone()).collect()
    }
}

/// The refusal of a word that is none of `words`.
pub fn unknown_word(word: &str, words: &[String]) -> ShapeError {
    let lower = word.to_lowercase();
    let mut near: Vec<(f64, &String)> = words
        .iter()
        .map(|known| (strsim::jaro_winkler(&lower, known), known))
        .filter(|(alike, _)| *alike >= ALIKE)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    let near = near.into_iter().take(NEAR).map(|(_, known)| known.clone()).collect();
    ShapeError::UnknownWord { word: word.into(), near }
}
