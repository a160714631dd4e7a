//! All runs, and the selected one in full.

use crate::records::runs::RunRow;
use crate::tui::question::{Asking, Question};
use crate::tui::run_rows::{RunDetail, detail, row};
use topoi::store::StoreError;

#[derive(Debug, Clone, PartialEq)]
pub struct RunsQuestion {
    /// Number of the selected run; `None` is the newest.
    pub selected: Option<i64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RunList {
    /// Newest first.
    pub runs: Vec<RunRow>,
    /// The selected one in full.
    pub detail: Option<Box<RunDetail>>,
}

impl Question for RunsQuestion {
    type Answer = RunList;

    fn ask(&self, asking: &mut Asking<'_>) -> Result<RunList, StoreError> {
        let store = asking.store;
        let rows = asking.runs.iter().map(|run| row(store, run.clone(), &mut asking.recall.pace));
        let runs: Vec<RunRow> = rows.collect::<Result<_, _>>()?;
        let found = runs.iter().find(|row| Some(row.run.id) == self.selected).or(runs.first());
        let detail = found.map(|row| detail(store, row.run.id)).transpose()?;
        Ok(RunList { detail: detail.map(Box::new), runs })
    }
}
