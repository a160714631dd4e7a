//! Screen 4: marking, comparing, cancelling, resuming.

use super::navigate;
use crate::tui::effect::Effect;
use crate::tui::state::compare::CompareState;
use crate::tui::state::{Overlay, Screen, State};
use topoi::store::run::RunStatus;

/// Marks the selected run, or takes its mark away; the cursor goes on to the next.
pub fn mark(state: &mut State) -> Vec<Effect> {
    let Some(id) = state.runs.selected().map(|row| row.run.id) else { return Vec::new() };
    match state.runs.marked.iter().position(|&marked| marked == id) {
        Some(at) => {
            state.runs.marked.remove(at);
        }
        None => state.runs.marked.push(id),
    }
    super::lists::act(state, crate::tui::keymap::Action::Down)
}

/// Compares the marked runs; with one marked, that one and the selected one.
pub fn compare(state: &mut State) -> Vec<Effect> {
    let mut runs = state.runs.marked.clone();
    let selected = state.runs.selected().map(|row| row.run.id);
    if runs.len() == 1 {
        runs.extend(selected.filter(|id| !runs.contains(id)));
    }
    if runs.len() < 2 {
        state.notice = Some("mark the runs to be compared with Space, then c".into());
        return Vec::new();
    }
    if state.compare.runs != runs {
        state.compare = CompareState { runs, ..CompareState::default() };
    }
    navigate::go(state, Screen::Compare)
}

/// Asks whether the selected run is to be cancelled, if there is anything to cancel.
pub fn ask_to_cancel(state: &mut State) -> Vec<Effect> {
    let Some(row) = state.runs.selected() else { return Vec::new() };
    let id = row.run.id;
    if row.run.status.is_over() {
        state.notice = Some(format!("run {id} is over: {}", row.word()));
    } else {
        state.overlay = Some(Overlay::CancelRun(id));
    }
    Vec::new()
}

/// Goes on with the selected run, if it was stopped before its end.
pub fn resume(state: &mut State) -> Vec<Effect> {
    let Some(row) = state.runs.selected() else { return Vec::new() };
    let (id, word) = (row.run.id, row.word());
    let is_stopped = row.run.status.is_over() && row.run.status != RunStatus::Finished;
    if is_stopped || word == "lost" {
        state.notice = Some(format!("resuming run {id}"));
        return vec![Effect::Resume(id)];
    }
    state.notice = Some(format!("run {id} is {word}: there is nothing to resume"));
    Vec::new()
}
