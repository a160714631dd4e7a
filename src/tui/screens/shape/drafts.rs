//! Edits that are not saved as a run: they stay while something else is looked at, and when the workbench is left.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use topoi_core::shape::Edit;
use topoi_store::id::RunId;

/// The edits of a run's topics.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// The edits that are asked about.
    pub edits: Vec<Edit>,
    /// Edits that were taken back, the last first to come again.
    undone: Vec<Edit>,
    /// The run that these were saved as.
    #[serde(skip)]
    saved: Option<(RunId, Vec<Edit>)>,
}

impl Draft {
    pub fn add(&mut self, edit: Edit) {
        self.edits.push(edit);
        self.undone.clear();
    }

    /// What was taken back, in words.
    pub fn undo(&mut self) -> Option<String> {
        let edit = self.edits.pop()?;
        let said = edit.said();
        self.undone.push(edit);
        Some(said)
    }

    /// What was made again, in words.
    pub fn redo(&mut self) -> Option<String> {
        let edit = self.undone.pop()?;
        let said = edit.said();
        self.edits.push(edit);
        Some(said)
    }

    pub fn saved_as(&mut self, run: RunId) {
        self.saved = Some((run, self.edits.clone()));
    }

    fn is_saved(&self) -> Option<RunId> {
        self.saved.as_ref().filter(|(_, edits)| *edits == self.edits).map(|(run, _)| *run)
    }

    /// The topics that `edits` have made.
    pub fn state_after(&self, edits: &[Edit]) -> String {
        let count = match edits.len() {
            0 => return "as they are".into(),
            1 => "1 edit".into(),
            count => format!("{count} edits"),
        };
        match self.is_saved().filter(|_| edits == self.edits) {
            Some(run) => format!("after {count}, saved as run {run}"),
            None => format!("after {count}, not saved"),
        }
    }
}

/// The drafts of runs, by their numbers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Drafts(BTreeMap<RunId, Draft>);

impl Drafts {
    pub fn keep(&mut self, run: Option<RunId>, draft: Draft) {
        if let Some(run) = run.filter(|_| draft != Draft::default()) {
            self.0.insert(run, draft);
        }
    }

    pub fn take(&mut self, run: Option<RunId>) -> Draft {
        run.and_then(|run| self.0.remove(&run)).unwrap_or_default()
    }

    /// What would be lost without being remembered.
    pub fn unsaved(mut self) -> Self {
        self.0.retain(|_, draft| !draft.edits.is_empty() && draft.is_saved().is_none());
        self
    }

    /// Those of runs for which `is_there` holds.
    pub fn of(mut self, is_there: impl Fn(RunId) -> bool) -> Self {
        self.0.retain(|&run, _| is_there(run));
        self
    }
}
