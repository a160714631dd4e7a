//! What a run's workers have written, and what the store says of its course.

use super::question::RunDetail;
use crate::records::runs::RunRow;
use crate::tui::list::{ListState, matches};
use crate::tui::view::text;
use topoi_core::numbers::thousands;
use topoi_store::Store;
use topoi_store::id::RunId;

/// Lines of the file that are shown, its last.
const MOST: usize = 2000;

/// The log of a run, while it is looked at.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Log {
    pub run: RunId,
    /// `None` before it is read.
    pub lines: Option<Vec<String>>,
    pub list: ListState,
}

impl Log {
    pub fn receive(&mut self, lines: Vec<String>) {
        self.lines = Some(lines);
        let lines = self.lines.as_deref().unwrap_or_default();
        self.list.filter_rows(lines, |line, filter| matches(filter, line));
    }
}

/// The course of a run, and below it the end of what its workers wrote.
pub fn read(store: &Store, row: &RunRow, detail: &RunDetail) -> Vec<String> {
    let run = &row.run;
    let when = |what: &str, at: &Option<String>| {
        at.as_ref().map(|at| format!("{} UTC  {what}", text::minute(at)))
    };
    let mut lines: Vec<String> = [
        when("asked for", &Some(run.created_at.clone())),
        when("taken by a worker", &run.started_at),
    ]
    .into_iter()
    .flatten()
    .collect();
    lines.extend(detail.stages.iter().map(|stage| {
        let took = stage.seconds.map_or_else(|| "under way".into(), text::duration);
        let steps = stage.steps.map(|steps| format!(", {} steps", thousands(steps)));
        format!("  {}: {took}{}", stage.name, steps.unwrap_or_default())
    }));
    lines.extend(when(row.word(), &run.finished_at));
    lines.extend(run.error.as_ref().map(|error| format!("  {error}")));
    lines.extend(row.warnings.iter().map(|warning| format!("  ! {}", warning.text)));
    let path = store.log_path(run.id);
    let path = path.display();
    lines.push(String::new());
    match store.log_of(run.id).ok().flatten() {
        None => lines.push(format!("no worker of this host has written to {path}")),
        Some(text) if text.trim().is_empty() => {
            lines.push(format!("{path} is empty: its workers had nothing to say"));
        }
        Some(text) => {
            lines.push(format!("{path}:"));
            let all: Vec<&str> = text.lines().collect();
            let end = &all[all.len().saturating_sub(MOST)..];
            lines.extend(end.iter().map(|line| text::clean(line)));
        }
    }
    lines
}
