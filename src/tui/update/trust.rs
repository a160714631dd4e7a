//! Having a run held against runs of random halves of the documents.

use crate::tui::effect::Effect;
use crate::tui::state::{Screen, State};
use topoi::run::life::spawn::Errand;
use topoi::store::run::RunStatus;

/// Starts a process that makes such runs of the run that is shown or selected, and tells which of
/// its topics come back.
pub fn tell(state: &mut State) -> Vec<Effect> {
    let row = match state.screen {
        Screen::Run => state.run.sheet.as_ref().map(|sheet| &sheet.row),
        _ => state.runs.selected(),
    };
    let Some((run, status)) = row.map(|row| (row.run.id, row.run.status)) else {
        return Vec::new();
    };
    if status != RunStatus::Finished {
        state.notice = Some(format!("run {run} has no topics yet"));
        return Vec::new();
    }
    state.notice = Some(format!("run {run}: four runs of random halves begin; leaving stops none"));
    vec![Effect::Send(Errand::Stability(run))]
}

/// The process has ended; what it printed is JSON.
pub fn told(state: &mut State, run: i64, outcome: Result<String, String>) -> Vec<Effect> {
    let printed = match outcome {
        Ok(printed) => printed,
        Err(error) => {
            state.notice = Some(error);
            return Vec::new();
        }
    };
    let found: serde_json::Value = serde_json::from_str(&printed).unwrap_or_default();
    let mean = found.get("stability").and_then(serde_json::Value::as_f64).unwrap_or_default();
    state.notice = Some(format!(
        "run {run}: stability {mean:.2}, the share of top words that halves of the documents keep"
    ));
    if state.screen == Screen::Run {
        return vec![Effect::Read(state.question())];
    }
    Vec::new()
}
