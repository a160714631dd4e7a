//! A corpus that is drawn from known topics, and names for its words.

use serde_json::{Map, Value};

/// A true topic: (word, probability) by word, zeros left out, of sum 1 up to rounding.
pub type Topic = Vec<(u32, f64)>;

/// Draws documents one after another.
pub trait Generator {
    /// Replaces `document` by the next document's (word, count), ascending by word.
    fn next_document(&mut self, document: &mut Vec<(u32, u32)>);
}

/// Words, true topics, and documents that are drawn when they are asked for.
pub struct KnownCorpus {
    /// The kind's name on the command line.
    pub kind: &'static str,
    /// The words; a word's number is its index here.
    pub words: Vec<String>,
    /// The true topics, over word numbers.
    pub topics: Vec<Topic>,
    /// Number of documents.
    pub documents: u64,
    /// Everything the corpus was made with, the seed too.
    pub settings: Map<String, Value>,
    generator: Box<dyn Generator>,
}

impl KnownCorpus {
    /// A corpus of `documents` documents of `generator`; `settings` is a struct.
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
            // Settings are structs of numbers, which are JSON objects.
            _ => Map::new(),
        };
        Self { kind, words, topics, documents, settings, generator }
    }

    /// The same, drawn by what `wrap` makes of the generator.
    pub(super) fn drawn_by(
        self,
        wrap: impl FnOnce(Box<dyn Generator>) -> Box<dyn Generator>,
    ) -> Self {
        Self { generator: wrap(self.generator), ..self }
    }

    /// Calls `visit` with the (word, count) of each document, by word, in order.
    ///
    /// # Errors
    /// Those of `visit`.
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
    pub(super) fn collected(self) -> Vec<Vec<(u32, u32)>> {
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

/// A topic from all its weights, scaled to sum 1.
pub(super) fn topic_of(weights: impl IntoIterator<Item = (u32, f64)>) -> Topic {
    let mut topic: Topic = weights.into_iter().filter(|&(_, weight)| weight > 0.0).collect();
    let sum: f64 = topic.iter().map(|&(_, weight)| weight).sum();
    topic.iter_mut().for_each(|(_, weight)| *weight /= sum);
    topic
}

/// The names of `rows` × `columns` pixels, row by row, such as `r05c17` (row, column, from 0).
/// Topics over words of such names can be shown as pictures.
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
