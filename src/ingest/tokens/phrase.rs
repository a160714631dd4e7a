//! Terms that stand together, for n-grams.

use super::JOINT;

/// The terms that stand together before a place in a text, joined.
#[derive(Debug, Default)]
pub(crate) struct Phrase {
    joined: String,
    starts: Vec<usize>,
}

impl Phrase {
    /// A word was dropped here: nothing stands together across it.
    pub(crate) fn breaks(&mut self) {
        self.joined.clear();
        self.starts.clear();
    }

    /// Adds a term, and forgets those that are more than `most` back.
    pub(crate) fn push(&mut self, term: &str, most: usize) {
        if self.starts.len() == most {
            let gone = self.starts.get(1).copied().unwrap_or(0);
            self.joined.drain(..gone);
            self.starts.remove(0);
            self.starts.iter_mut().for_each(|start| *start -= gone);
        }
        if !self.joined.is_empty() {
            self.joined.push(JOINT);
        }
        self.starts.push(self.joined.len());
        self.joined.push_str(term);
    }

    /// How many terms stand together.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The last `n` of them, joined.
    pub(crate) fn last(&self, n: usize) -> &str {
        let start = self.starts.len().checked_sub(n).and_then(|at| self.starts.get(at));
        start.map_or("", |&start| &self.joined[start..])
    }
}
