//! What can be done with runs: cancelling, resuming, deleting and bringing back, comparing, and making one
//! again with changes.

use super::RunsScreen;
use crate::records::runs::RunRow;
use crate::tui::effect::Effect;
use crate::tui::overlays::confirm::Confirm;
use crate::tui::screen::Selection;
use crate::tui::screens::{compare, launch};
use crate::tui::workbench::Workbench;
use topoi_store::id::RunId;
use topoi_store::run::RunStatus;

/// Whether a run was stopped before its end, and can go on.
pub fn can_resume(row: &RunRow) -> bool {
    let is_stopped = row.run.status.is_over() && row.run.status != RunStatus::Finished;
    is_stopped || row.word() == "lost"
}

/// Whether a run is queued or under way.
pub fn can_cancel(row: &RunRow) -> bool {
    !row.run.status.is_over()
}

/// Asks whether a run is to be cancelled.
pub fn ask_to_cancel(row: &RunRow, workbench: &mut Workbench) {
    let id = row.run.id;
    let meaning = match row.run.status {
        RunStatus::Queued => "It has not begun. r puts it into the queue again.".to_string(),
        _ => "Its worker stops at its next step. What its finished stages left is kept: r goes on after \
              the last of them, and its topics will be the same."
            .to_string(),
    };
    workbench.overlay = Some(Box::new(Confirm {
        title: format!("Cancel run {id}?"),
        meaning,
        yes: "cancel the run",
        no: "leave it alone",
        effect: Effect::Cancel(id),
        notice: format!("cancelling run {id}"),
    }));
}

/// Goes on with a run that was stopped before its end.
pub fn resume(row: &RunRow, workbench: &mut Workbench) {
    workbench.say(format!("resuming run {}", row.run.id));
    workbench.perform(Effect::Resume(row.run.id));
}

/// Takes the selected run, or the runs of the group, off the lists; they are deleted when the workbench
/// closes.
pub fn delete(screen: &RunsScreen, workbench: &mut Workbench) {
    let rows: Vec<&RunRow> = match screen.selected_group() {
        Some(group) => screen.members(group),
        None => screen.selected().into_iter().collect(),
    };
    if let Some(busy) = rows.iter().find(|row| can_cancel(row) && row.word() != "lost") {
        let (id, word) = (busy.run.id, busy.word());
        return workbench.say(format!("run {id} is {word}: x cancels it, and then deletes it"));
    }
    let ids: Vec<RunId> = rows.iter().map(|row| row.run.id).collect();
    let said = match ids[..] {
        [] => return,
        [id] => format!("run {id} is"),
        _ => format!("{} runs are", ids.len()),
    };
    workbench.deleted.extend(ids);
    workbench.say(format!("{said} deleted when the workbench closes; u brings the last one back"));
}

/// Brings back the run that was deleted last.
pub fn undo(screen: &mut RunsScreen, workbench: &mut Workbench) {
    match workbench.deleted.pop() {
        None => workbench.say("nothing was deleted here since the workbench was opened"),
        Some(id) => {
            let left = workbench.deleted.len();
            workbench.say(format!(
                "run {id} is back; {left} more are deleted when the workbench closes"
            ));
            screen.wanted = Some(id);
        }
    }
}

/// Fills the launch form from the selected run, or says why that cannot be.
pub fn again(row: &RunRow, workbench: &mut Workbench) {
    if let Err(reason) = launch::FilledFrom::new(&row.run) {
        return workbench.say(reason);
    }
    workbench.open(
        launch::NAME,
        Selection { run: Some(row.run.id), again: true, ..Selection::default() },
    );
}

/// Compares the marked runs. With one run, marked or under the cursor, that one with the run that is open,
/// if both are of one corpus.
pub fn compare(screen: &RunsScreen, workbench: &mut Workbench) {
    let mut runs = screen.marked.clone();
    let find = |id: RunId| screen.rows().iter().find(|row| row.run.id == id);
    if runs.len() < 2 {
        let Some(one) = runs.first().copied().and_then(find).or(screen.selected()) else { return };
        let can_stand_beside = |row: &&RunRow| {
            row.run.id != one.run.id
                && row.run.corpus_id == one.run.corpus_id
                && row.run.status == RunStatus::Finished
        };
        let other = screen.selected().filter(can_stand_beside);
        let open = || workbench.open_run.and_then(find).filter(can_stand_beside);
        let Some(other) = other.or_else(open) else {
            let (id, corpus) = (one.run.id, &one.run.corpus);
            return workbench.say(format!(
                "run {id} alone is nothing to compare: Space marks another run of {corpus}, then c"
            ));
        };
        runs = vec![other.run.id, one.run.id];
        if screen.marked.len() == 1 {
            runs.reverse();
        }
    }
    workbench.follow(compare::NAME, Selection { runs, ..Selection::default() });
}
