//! A corpus drawn from known topics, and names for its words.

use serde_json::{Map, Value};

/// A true topic as (word, probability), ascending by word and without zeros. Probabilities sum to 1
/// up to rounding.
pub type Topic = Vec<(u32, f64)>;

/// A generator that draws documents one after another.
pub trait Generator {
    /// Replaces `document` by the (word, count) of the next document, ascending by word.
    fn next_document(&mut self, document: &mut Vec<(u32, u32)>);
}

/// Words, true topics, and a generator that draws the documents.
pub struct KnownCorpus {
    /// The kind's name on the command line.
    pub kind: &'static str,
    /// The words; a word's number is its index here.
    pub words: Vec<String>,
    /// The true topics, over word numbers.
    pub topics: Vec<Topic>,
    /// Number of documents.
    pub documents: u64,
    /// All settings of the corpus, including the seed.
    pub settings: Map<String, Value>,
    generator: Box<dyn Generator>,
}

impl KnownCorpus {
    /// A corpus of `documents` documents from `generator`. `settings` must be a struct.
    pub(super) fn new(
        kind: &'static str,
        words: Vec<String>,
        topics: Vec<Topic>,
        documents: u64,
        settings: &impl serde::Serialize,
        generator: Box<dyn Generator>,
    ) -> Self {
        let settings = match serde_json::to_value(settings) {
            Ok(Value::Object(settings)) => settings,
            // Settings are structs, which are JSON objects.
            _ => Map::new(),
        };
        Self { kind, words, topics, documents, settings, generator }
    }

    /// The same corpus with a wrapped generator.
    pub(super) fn with_generator(
        self,
        wrap: impl FnOnce(Box<dyn Generator>) -> Box<dyn Generator>,
    ) -> Self {
        Self { generator: wrap(self.generator), ..self }
    }

    /// Calls `visit` with the (word, count) of each document, ascending by word, in order.
    ///
    /// # Errors
    /// Errors of `visit`.
    pub fn draw<E>(
        mut self,
        mut visit: impl FnMut(&[(u32, u32)]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut document = Vec::new();
        for _ in 0..self.documents {
            self.generator.next_document(&mut document);
            visit(&document)?;
        }
        Ok(())
    }

    /// All documents, for small corpora in tests.
    #[cfg(test)]
    pub(crate) fn collected(self) -> Vec<Vec<(u32, u32)>> {
        let mut found = Vec::new();
        let keep = |document: &[(u32, u32)]| {
            found.push(document.to_vec());
            Ok::<(), ()>(())
        };
        self.draw(keep).expect("no document fails");
        found
    }
}

/// Names for `count` words: `prefix` and a number, all of the same length.
pub(super) fn numbered(prefix: &str, count: usize) -> Vec<String> {
    let digits = count.saturating_sub(1).max(1).ilog10() as usize + 1;
    (0..count).map(|number| format!("{prefix}{number:0digits$}")).collect()
}

/// A topic from unnormalised weights.
pub(super) fn topic_from_weights(weights: impl IntoIterator<Item = (u32, f64)>) -> Topic {
    let mut topic: Topic = weights.into_iter().filter(|&(_, weight)| weight > 0.0).collect();
    let sum: f64 = topic.iter().map(|&(_, weight)| weight).sum();
    topic.iter_mut().for_each(|(_, weight)| *weight /= sum);
    topic
}

/// Names of `rows` × `columns` pixels, row by row, such as `r05c17` (row and column, from 0).
/// Topics over such words can be shown as pictures.
pub(super) fn pixel_names(rows: usize, columns: usize) -> Vec<String> {
    let digits = |count: usize| (count.saturating_sub(1).max(1).ilog10() as usize + 1).max(2);
    let (of_row, of_column) = (digits(rows), digits(columns));
    (0..rows * columns)
        .map(|at| format!("r{:0of_row$}c{:0of_column$}", at / columns, at % columns))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_names_of_one_length() {
        assert_eq!(numbered("w", 2), ["w0", "w1"]);
        assert_eq!(numbered("w", 11)[9..], ["w09", "w10"]);
        assert_eq!(numbered("w", 10)[9], "w9");
    }

    #[test]
    fn pixels_are_named_row_by_row() {
        let names = pixel_names(2, 3);
        assert_eq!(names, ["r00c00", "r00c01", "r00c02", "r01c00", "r01c01", "r01c02"]);
        assert_eq!(pixel_names(101, 1)[100], "r100c00");
    }
}
