//! The keys of the list of runs: each only where it does something.

use super::groups::Group;
use super::{RunsScreen, actions};
use crate::tui::keymap::{Action, Action as A, Keys, LIST, key};
use crate::tui::screens::run::stability;
use topoi_store::run::RunStatus;

pub const MARK: Action = Action::Own("mark");
pub const COMPARE: Action = Action::Own("compare");
pub const CANCEL: Action = Action::Own("cancel");
pub const RESUME: Action = Action::Own("resume");
pub const AGAIN: Action = Action::Own("again");
pub const NAME_IT: Action = Action::Own("name");
pub const LOG: Action = Action::Own("log");
pub const DELETE: Action = Action::Own("delete");
pub const UNDO: Action = Action::Own("undo");

static RUNS: Keys = Keys::new(
    "Runs",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "open", "open the run's topics, or the group"),
        key(&["Space"], MARK, "mark", "mark the run, or unmark it"),
        key(&["c"], COMPARE, "compare", "compare the marked runs, or with the open"),
        key(&["n"], AGAIN, "new run", "a new run: this one again, with changes"),
        key(&["L"], NAME_IT, "", "name the run"),
        key(&["O"], LOG, "", "its output: the log"),
        key(&["x"], DELETE, "", "delete the run when the workbench closes"),
        key(&["u"], UNDO, "", "bring back what was deleted last"),
        key(&["h", "Left"], A::Back, "", "close the group, or back"),
    ],
);

static UNDER_WAY: Keys = Keys::new(
    "On a run that waits or works",
    &[key(&["x"], CANCEL, "cancel", "cancel the run; asks first")],
);

static STOPPED: Keys = Keys::new(
    "On a run that was stopped",
    &[key(&["r"], RESUME, "resume", "go on with it after its last finished stage")],
);

static FINISHED: Keys = Keys::new(
    "On a finished run",
    &[key(&["T"], stability::COMPUTE, "", "which topics come back on halves; asks")],
);

static GROUP: Keys = Keys::new(
    "On a group of runs",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "show the runs", "show the runs of the group"),
        key(&["x"], DELETE, "", "delete its runs when the workbench closes"),
        key(&["u"], UNDO, "", "bring back what was deleted last"),
        key(&["h", "Left"], A::Back, "", "close the group, or back"),
    ],
);

pub static IN_LOG: Keys =
    Keys::new("In a log", &[key(&["h", "Left", "O"], A::Back, "runs", "back to the runs")]);

/// The tables that hold for what is under the cursor.
pub fn of(screen: &RunsScreen) -> Vec<&'static Keys> {
    if screen.log.is_some() {
        return vec![&IN_LOG, &LIST];
    }
    let group: Option<Group> = screen.selected_group();
    let own = match (group, screen.selected()) {
        (Some(_), _) => return vec![&GROUP, &LIST],
        (None, Some(row)) if actions::can_resume(row) => Some(&STOPPED),
        (None, Some(row)) if actions::can_cancel(row) => Some(&UNDER_WAY),
        (None, Some(row)) if row.run.status == RunStatus::Finished => Some(&FINISHED),
        _ => None,
    };
    own.into_iter().chain([&RUNS, &LIST]).collect()
}
