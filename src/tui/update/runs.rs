//! Screen 4: cancelling.

use crate::tui::effect::Effect;
use crate::tui::state::{Overlay, State};

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
