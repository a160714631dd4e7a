//! Runs matched topic by topic.

use crate::tui::question::{Asking, Question};
use topoi::run::saved::compare::{Comparison, newest_two};
use topoi::store::StoreError;

#[derive(Debug, Clone, PartialEq)]
pub struct CompareQuestion {
    /// Their numbers; none for the newest two of a corpus.
    pub runs: Vec<i64>,
}

/// `None` when there are no two finished runs; or in words why they cannot be compared.
pub type Compared = Result<Option<Box<Comparison>>, String>;

impl Question for CompareQuestion {
    type Answer = Compared;

    fn ask(&self, asking: &mut Asking<'_>) -> Result<Compared, StoreError> {
        let is_named = !self.runs.is_empty();
        let runs = if is_named { self.runs.clone() } else { newest_two(asking.runs) };
        if !is_named && runs.len() != 2 {
            return Ok(Ok(None));
        }
        let found = asking.recall.comparer.compare(asking.store, &runs);
        Ok(found.map(|found| Some(Box::new(found))).map_err(|error| error.to_string()))
    }
}
