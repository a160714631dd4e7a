//! The runs, live, and the selected one in full.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::RunsScreen;
use crate::records::runs::{RunRow, columns};
use crate::tui::view::layout;
use crate::tui::view::look::Look;
use crate::tui::view::table::{Listed, Table, widths};
use crate::tui::view::text;
use crate::tui::view::{parts, run_detail};
use topoi::store::run::RunStatus;

/// Cells for the name of a stage, where there is room for one.
const STAGE: usize = 11;
/// A progress cell this wide has room for the stage's name.
const WITH_STAGE: usize = 22;

/// The stages of a run need 42 cells to show what they converged to.
pub fn split(body: Rect) -> layout::Split {
    let beside = if body.width < 140 { 54 } else { 66 };
    layout::split(layout::Shares { beside, below: 40 }, body)
}

pub fn draw(screen: &RunsScreen, look: Look, area: Rect, buffer: &mut Buffer) {
    let Some(rows) = &screen.rows else {
        parts::titled(buffer, area, look, "Runs");
        return;
    };
    if rows.is_empty() {
        let inside = parts::titled(buffer, area, look, "Runs");
        let none = Line::raw(" There is no run yet: n starts one.");
        parts::lines(buffer, inside, &[Line::raw(""), none]);
        return;
    }
    let split = split(area);
    let mut title = format!("Runs {}", text::count(rows.len() as u64));
    if !screen.marked.is_empty() {
        title.push_str(&format!(", * {} marked", screen.marked.len()));
    }
    let inside = parts::titled(buffer, split.list, look, &title);
    list(screen, look, inside, buffer);
    if let Some(between) = split.between {
        parts::stroke(buffer, between, look);
    }
    if let Some(row) = screen.selected() {
        let detail = screen.detail.as_deref().filter(|detail| detail.run == row.run.id);
        run_detail::draw(row, detail, look, split.detail, buffer);
    }
}

fn list(screen: &RunsScreen, look: Look, area: Rect, buffer: &mut Buffer) {
    let (all, visible) = (columns(), screen.list.visible(screen.rows()));
    let listed = Listed::new(&all, area.width);
    let progress_cells = listed.place("progress").map(|at| widths(&listed.columns, area.width)[at]);
    let (columns, len) = (&listed.columns, visible.len());
    let table = Table { columns, list: &screen.list, len, focused: true };
    table.draw(buffer, area, look, |index| {
        let row = visible[index];
        let mut cells = listed.cells(row);
        if screen.marked.contains(&row.run.id) {
            cells[0] = Span::raw(format!("*{}", row.run.id));
        }
        if let Some(at) = listed.place("state") {
            let style = match row.warnings.is_empty() {
                true => look.state_word(row.word()),
                false => look.warning(),
            };
            cells[at] = Span::styled(row.marked_word(), style);
        }
        if let Some((at, width)) = listed.place("progress").zip(progress_cells) {
            cells[at] = Span::raw(progress(row, width));
        }
        cells
    });
}

/// How far a run is, or how it ended, in `cells` cells.
pub fn progress(row: &RunRow, cells: usize) -> String {
    let run = &row.run;
    if let Some(silent) = row.silent_for.filter(|&seconds| seconds >= 2) {
        return format!("silent {}", text::duration(silent as f64));
    }
    match (run.status, &row.progress) {
        (RunStatus::Queued, _) if cells < WITH_STAGE - 2 => "waits".into(),
        (RunStatus::Queued, _) => "waits for its worker".into(),
        (RunStatus::Running, None) => "starts".into(),
        (RunStatus::Running, Some(progress)) => {
            let share = progress.step as f64 / progress.total.max(1) as f64;
            let percent = format!("{:3.0}%", (share * 100.0).min(100.0));
            if cells < WITH_STAGE {
                return format!("{} {percent}", parts::gauge(share, cells.saturating_sub(5)));
            }
            let bar = parts::gauge(share, cells - STAGE - 6);
            format!("{} {bar} {percent}", text::left(&progress.stage, STAGE))
        }
        (RunStatus::Finished, _) => {
            run.seconds.map(|seconds| format!("in {}", text::duration(seconds))).unwrap_or_default()
        }
        (_, _) => run.error.clone().unwrap_or_default(),
    }
}
