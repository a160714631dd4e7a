//! Several saved runs as the page that compares them needs them.

use super::error::ExportError;
use crate::run::saved::compare::{Comparer, Comparison};
use crate::store::Store;

/// Runs side by side, as `topoi compare` has them, with their spectra.
pub struct SavedComparison {
    /// Topics aligned, metrics with the better one marked.
    pub comparison: Comparison,
    /// Of every run the eigenvalues, largest first; empty where the model computes none.
    pub spectra: Vec<Vec<f64>>,
    /// Of every run the number of words in its vocabulary.
    pub words: Vec<usize>,
}

impl SavedComparison {
    /// Compares the runs of these numbers with the first of them.
    ///
    /// # Errors
    /// [`ExportError::Compare`] where there are fewer than two, one has no topics, or they share no
    /// words; when the store cannot be read.
    pub fn read(store: &Store, numbers: &[i64]) -> Result<Self, ExportError> {
        let comparison = Comparer::default().compare(store, numbers)?;
        let mut found = Self { comparison, spectra: Vec::new(), words: Vec::new() };
        for compared in &found.comparison.runs {
            let spectrum = store.spectrum(compared.run.id)?;
            found.spectra.push(spectrum.into_iter().map(|(value, _)| value).collect());
            found.words.push(match compared.run.vocabulary_id {
                Some(id) => store.vocabulary(id)?.term_ids.len(),
                None => 0,
            });
        }
        Ok(found)
    }
}
