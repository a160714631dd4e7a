//! Holding a run against runs on random halves of the documents, in a process of its own.

use crate::records::runs::RunRow;
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::overlays::confirm::Confirm;
use crate::tui::view::text;
use crate::tui::workbench::Workbench;
use topoi_run::life::spawn::BackgroundJob;
use topoi_store::id::RunId;
use topoi_store::run::RunStatus;

/// Computes which topics of a run come back.
pub const COMPUTE: Action = Action::Own("stability");

/// Runs that a run is held against: both halves of the documents, divided twice.
const RUNS: f64 = 4.0;

/// Asks whether such runs are to be made, which says what that takes.
pub fn ask_to_compute(row: &RunRow, workbench: &mut Workbench) {
    let (run, status) = (row.run.id, row.run.status);
    if status != RunStatus::Finished {
        return workbench.say(format!("run {run} has no topics yet"));
    }
    // Half of the documents take about half the time.
    let takes = row.run.seconds.map(|seconds| text::duration(seconds * RUNS / 2.0));
    let takes = takes.map_or_else(String::new, |takes| format!(", about {takes} in all"));
    workbench.overlay = Some(Box::new(Confirm {
        title: format!("Test the topics of run {run}?"),
        meaning: format!(
            "Four more runs are made, each of a random half of the documents{takes}. They go on when \
             you leave. Afterwards the run says how many of each topic's words come back."
        ),
        yes: "make the runs",
        no: "leave it",
        effect: Effect::StartJob(BackgroundJob::Stability(run)),
        notice: format!("run {run} is tested by four runs; they go on when you leave"),
    }));
}

/// What the process has printed is JSON.
pub fn computed(run: RunId, outcome: &Result<String, String>, workbench: &mut Workbench) {
    let printed = match outcome {
        Ok(printed) => printed,
        Err(error) => return workbench.say(error),
    };
    let found: serde_json::Value = serde_json::from_str(printed).unwrap_or_default();
    let mean = found.get("stability").and_then(serde_json::Value::as_f64).unwrap_or_default();
    workbench
        .say(format!("run {run}: {:.0}% of its topics' words come back on halves", 100.0 * mean));
    workbench.ask();
}
