//! Where documents come from as sequences of words, for windows.

use crate::stream::error::Result;

/// A token whose word is not in the vocabulary. It takes its place in a window all the same.
pub const NOT_A_WORD: u32 = u32::MAX;

/// Documents as sequences of tokens, in parts that several threads can read at once, the same
/// every time.
pub trait TokenSequences: Sync {
    /// Number of parts.
    fn parts(&self) -> usize;

    /// Calls `visit` with each document of a part: the word number of every token in the order
    /// of the text, or [`NOT_A_WORD`].
    ///
    /// # Errors
    /// When a document cannot be read, or on cancel.
    fn visit(&self, part: usize, visit: &mut dyn FnMut(&[u32])) -> Result<()>;
}

/// Sequences in memory, for tests and small experiments: every document is a part.
impl TokenSequences for Vec<Vec<u32>> {
    fn parts(&self) -> usize {
        self.len()
    }

    fn visit(&self, part: usize, visit: &mut dyn FnMut(&[u32])) -> Result<()> {
        visit(&self[part]);
        Ok(())
    }
}
