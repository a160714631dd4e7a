//! Comparing a run with runs on random halves of the documents, in a process of its own.

use crate::records::runs::RunRow;
use crate::tui::bench::Bench;
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use topoi::run::life::spawn::BackgroundJob;
use topoi::store::run::RunStatus;

/// Computes which topics of a run recur.
pub const COMPUTE: Action = Action::Own("stability");

/// Starts a process that makes such runs, and finds which topics of this one recur.
pub fn compute(row: Option<&RunRow>, bench: &mut Bench) {
    let Some((run, status)) = row.map(|row| (row.run.id, row.run.status)) else { return };
    if status != RunStatus::Finished {
        return bench.say(format!("run {run} has no topics yet"));
    }
    bench.say(format!("run {run}: four runs on random halves start; they continue when you leave"));
    bench.perform(Effect::StartJob(BackgroundJob::Stability(run)));
}

/// What the process has printed is JSON.
pub fn computed(run: i64, outcome: &Result<String, String>, bench: &mut Bench) {
    let printed = match outcome {
        Ok(printed) => printed,
        Err(error) => return bench.say(error),
    };
    let found: serde_json::Value = serde_json::from_str(printed).unwrap_or_default();
    let mean = found.get("stability").and_then(serde_json::Value::as_f64).unwrap_or_default();
    bench.say(format!(
        "run {run}: stability {mean:.2}, the share of top words that halves of the documents keep"
    ));
    if bench.shown == super::NAME {
        bench.ask();
    }
}
