//! Words that topics are seeded with.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::ShapingError;
use crate::request::RunSettings;
use crate::work::material::choose_vocabulary;
use topoi_core::model::jsmf::compressed::Anchor;
use topoi_core::shape::ShapeError;
use topoi_core::shape::unknown_word;
use topoi_store::Store;
use topoi_store::corpus::Corpus;

/// Maximum bytes of a file of seeds, which is read whole.
const LARGEST: u64 = 16 << 20;

/// The words of the first topics of a run; the model chooses the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seeds(pub Vec<SeededTopic>);

/// A topic and the words that anchor it together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeededTopic {
    /// The initial label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// At least one word, in the spelling of the corpus.
    pub words: Vec<String>,
}

impl SeededTopic {
    /// Its label, else its number.
    fn called(&self, topic: usize) -> String {
        self.label.as_ref().map_or_else(|| topic.to_string(), |label| format!("{label:?}"))
    }
}

impl Seeds {
    /// Reads a table with the columns `topic` and `word`. Topics are in the order of their first rows; a name that is
    /// not just a number becomes the label.
    ///
    /// # Errors
    /// [`ShapingError::File`], with the line.
    pub fn read(path: &Path) -> Result<Self, ShapingError> {
        let file = |reason: String| ShapingError::File { path: path.to_path_buf(), reason };
        let unread = |e: std::io::Error| match e.kind() {
            std::io::ErrorKind::InvalidData => file("it is not UTF-8; save it as UTF-8".into()),
            _ => file(format!("{e}; give --seeds a table with the columns topic and word")),
        };
        let length = fs::metadata(path).map_err(unread)?;
        if !length.is_file() || length.len() > LARGEST {
            return Err(file("a table of seeds is a file of at most 16 MB".into()));
        }
        let text = fs::read_to_string(path).map_err(unread)?;
        let mut reader = csv::ReaderBuilder::new();
        let mut reader = reader.flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
        let header = reader.headers().map_err(|e| file(e.to_string()))?.clone();
        let column =
            |name: &str| header.iter().position(|head| head.trim_start_matches('\u{feff}') == name);
        let (Some(topic), Some(word)) = (column("topic"), column("word")) else {
            return Err(file("its first line must name the columns topic and word".into()));
        };
        let mut found: Vec<(String, Vec<String>)> = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|e| file(e.to_string()))?;
            let line = record.position().map_or(0, csv::Position::line);
            if record.len() > header.len() {
                return Err(file(format!(
                    "line {line} has too many cells; give a topic and a word a line"
                )));
            }
            let cell = |column: usize| record.get(column).filter(|cell| !cell.is_empty());
            let (Some(topic), Some(word)) = (cell(topic), cell(word)) else {
                return Err(file(format!("line {line} lacks a topic or a word; fill it in")));
            };
            match found.iter_mut().find(|(name, _)| name == topic) {
                Some((_, words)) => words.push(word.into()),
                None => found.push((topic.into(), vec![word.into()])),
            }
        }
        if found.is_empty() {
            return Err(file("there is no seed in it; give a topic and a word a line".into()));
        }
        let label = |name: String| Some(name).filter(|name| name.parse::<u64>().is_err());
        let seeded = |(name, words)| SeededTopic { label: label(name), words };
        Ok(Self(found.into_iter().map(seeded).collect()))
    }

    /// The seeds with every word in the spelling of the corpus, for K topics.
    ///
    /// # Errors
    /// [`ShapeError`] for a word outside the vocabulary, a word in two topics, and more than K topics.
    pub fn resolved(
        &self,
        store: &Store,
        corpus: &Corpus,
        settings: &RunSettings,
        k: usize,
    ) -> Result<Self, ShapingError> {
        if self.0.len() > k {
            let what = format!(
                "there are seeds for {} topics, and -k is {k}; use -k {} or more",
                self.0.len(),
                self.0.len()
            );
            return Err(ShapeError::Incomplete { what }.into());
        }
        let chosen = choose_vocabulary(store, corpus, settings)
            .map_err(crate::work::work_error::WorkError::from)?;
        let kept = chosen.terms.iter().zip(&chosen.judged).filter(|(_, dropped)| dropped.is_none());
        let kept: Vec<_> = kept.map(|(term, _)| term).collect();
        let mut known: HashMap<&str, &str> = HashMap::new();
        for term in &kept {
            known.insert(term.shown(), &term.text);
        }
        for term in &kept {
            known.insert(&term.text, &term.text);
        }
        let mut topic_of: HashMap<String, usize> = HashMap::new();
        let mut found = self.clone();
        for (topic, seeded) in found.0.iter_mut().enumerate() {
            let mut words: Vec<String> = Vec::new();
            for word in &seeded.words {
                let text =
                    known.get(word.as_str()).or_else(|| known.get(word.to_lowercase().as_str()));
                let Some(text) = text else {
                    let shown: Vec<String> =
                        kept.iter().map(|term| term.shown().to_string()).collect();
                    return Err(unknown_word(word, &shown).into());
                };
                let other = *topic_of.entry((*text).to_string()).or_insert(topic);
                if other != topic {
                    let what = format!(
                        "{word:?} is given for two topics, {} and {}; let one of them have it",
                        self.0[other].called(other),
                        seeded.called(topic)
                    );
                    return Err(ShapeError::Incomplete { what }.into());
                }
                if !words.iter().any(|known| known == text) {
                    words.push((*text).to_string());
                }
            }
            seeded.words = words;
        }
        Ok(found)
    }

    /// The indices of the words in `words`; `None` for a topic with a word outside.
    pub fn numbers(&self, words: &[String]) -> Vec<Option<Anchor>> {
        let number: HashMap<&str, usize> = words.iter().map(String::as_str).zip(0..).collect();
        let anchor = |seeded: &SeededTopic| {
            seeded.words.iter().map(|word| number.get(word.as_str()).copied()).collect()
        };
        self.0.iter().map(anchor).collect()
    }

    /// The initial labels, by topic.
    pub fn labels(&self) -> Vec<(usize, String)> {
        let label = |(topic, seeded): (usize, &SeededTopic)| Some((topic, seeded.label.clone()?));
        self.0.iter().enumerate().filter_map(label).collect()
    }
}
