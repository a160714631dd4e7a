//! The linear estimate of topic proportions from a run's saved topics.

use ndarray::Array2;

use crate::Store;
use crate::error::Result;
use crate::run::Run;
use topoi_core::formula::linear_proportions::LinearProportions;

/// Positions within the corpus of the terms of a vocabulary, in its order.
const POSITIONS: &str = "SELECT term.position FROM vocabulary_term JOIN term ON term.id = vocabulary_term.term_id \
    WHERE vocabulary_term.vocabulary_id = ?1 ORDER BY vocabulary_term.position";
const SHARES: &str = "SELECT document_share FROM topic WHERE run_id = ?1 ORDER BY topic";

impl Store {
    /// The linear estimate of document proportions by the topics of a run; `None` without topics.
    ///
    /// # Errors
    /// [`crate::StoreError::DamagedRun`].
    pub fn linear_proportions(&self, run: &Run) -> Result<Option<LinearProportions>> {
        let Some(vocabulary) = run.vocabulary_id else { return Ok(None) };
        let positions: Vec<u32> = self.rows(POSITIONS, [vocabulary], |row| row.get(0))?;
        let shares: Vec<f64> = self.rows(SHARES, [run.id], |row| row.get(0))?;
        if shares.is_empty() {
            return Ok(None);
        }
        let mut topics = Array2::zeros((positions.len(), shares.len()));
        for (topic, mut column) in topics.columns_mut().into_iter().enumerate() {
            let probabilities = self.probabilities(run.id, topic, positions.len())?;
            column.iter_mut().zip(probabilities).for_each(|(to, p)| *to = p);
        }
        Ok(Some(LinearProportions::new(&topics, &shares, &positions)))
    }
}
