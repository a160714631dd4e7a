//! The runs, live, and the selected one in full.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::RunsScreen;
use super::groups::{self, Group, what};
use super::log::Log;
use crate::records::runs::{RunRow, columns};
use crate::tui::view::hit_areas;
use crate::tui::view::layout;
use crate::tui::view::look::Appearance;
use crate::tui::view::table::{RecordColumns, Table, widths};
use crate::tui::view::text;
use crate::tui::view::{parts, run_detail};
use crate::tui::workbench::Workbench;
use topoi_core::numbers::{four_digits, thousands};
use topoi_store::run::RunStatus;

/// Cells of the progress where it is reached by scrolling sideways.
const BEYOND: usize = 14;
/// Cells for the name of a stage, where there is room for one.
const STAGE: usize = 11;
/// A progress cell this wide has room for the stage's name.
const WITH_STAGE: usize = 22;

const SHARES: layout::Shares = layout::Shares { beside: 66, below: 45 };
/// From this width on the detail is beside the list: both have room for their columns then.
const BESIDE_FROM: u16 = 140;

pub fn split(body: Rect) -> layout::Split {
    match body.width {
        BESIDE_FROM.. => layout::split(SHARES, body),
        _ => layout::stacked(SHARES, body),
    }
}

pub fn draw(screen: &RunsScreen, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
    let look = workbench.look;
    let Some(rows) = &screen.rows else {
        parts::titled(buffer, area, look, "Runs");
        return;
    };
    if let Some(log) = &screen.log {
        return draw_log(log, look, area, buffer);
    }
    if rows.is_empty() {
        let inside = parts::titled(buffer, area, look, "Runs");
        let none = Line::raw(" There is no run yet: n starts one.");
        parts::lines(buffer, inside, &[Line::raw(""), none]);
        return;
    }
    let split = split(area);
    let mut title = format!("Runs {}", thousands(rows.len() as u64));
    if !screen.marked.is_empty() {
        title.push_str(&format!(", * {} marked", screen.marked.len()));
    }
    if !workbench.deleted.is_empty() {
        title.push_str(&format!(", {} deleted (u brings back)", workbench.deleted.len()));
    }
    let inside = parts::titled(buffer, split.list, look, &title);
    list(screen, look, inside, buffer);
    if let Some(between) = split.between {
        parts::stroke(buffer, between, look);
    }
    if let Some(group) = screen.selected_group() {
        group_detail(&screen.members(group), group, look, split.detail, buffer);
    } else if let Some(row) = screen.selected() {
        let detail = screen.detail.as_deref().filter(|detail| detail.run == row.run.id);
        run_detail::draw(row, detail, look, split.detail, buffer);
    }
}

fn draw_log(log: &Log, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let inside = parts::titled(buffer, area, look, &format!("Log of run {}", log.run));
    let lines = log.lines.as_deref().unwrap_or_default();
    let visible = log.list.visible(lines);
    let window = log.list.window(visible.len(), usize::from(inside.height));
    let cells = usize::from(inside.width);
    for (y, at) in (inside.y..inside.bottom()).zip(window) {
        let style = if at == log.list.cursor { look.selected() } else { Style::new() };
        let line = Line::styled(text::align_left(&format!(" {}", visible[at]), cells), style);
        buffer.set_line(inside.x, y, &line, inside.width);
        hit_areas::mark_row(Rect { y, height: 1, ..inside }, at);
    }
}

/// What the runs of a group are, and the best of them.
fn group_detail(
    members: &[&RunRow],
    group: Group,
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let Some(newest) = members.first().map(|row| &row.run) else { return };
    let title =
        format!("{} of {} with {}", what(group, members.len()), newest.corpus, newest.model);
    let inside = parts::titled(buffer, area, look, &title);
    let mut words = vec![format!("K {}; {}.", groups::topics(members), groups::state(members))];
    match group {
        Group::Sweep(_) => {
            let measured = members.iter().filter_map(|row| Some((row, row.npmi?)));
            let best = measured.max_by(|one, other| one.1.total_cmp(&other.1));
            words.extend(best.map(|(row, npmi)| {
                let (k, id) = (row.run.k, row.run.id);
                format!("The largest npmi is {}, with K {k} (run {id}).", four_digits(npmi))
            }));
            words.push("Enter shows the runs; on the screen K they are compared.".into());
        }
        Group::Against(of) => {
            words.push(format!(
                "They are made from parts of the documents to see which topics of run {of} come back, \
                 and are not there to be read. Enter shows them."
            ));
        }
    }
    parts::lines(buffer, inside, &parts::paragraph(&words.join(" "), area.width, Style::new()));
}

fn list(screen: &RunsScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let (all, visible) = (columns(), screen.list.visible(&screen.entries));
    let listed = RecordColumns::new(&all, area.width).chosen("runs", look);
    let progress_cells = listed
        .place("progress")
        .map(|at| widths(&listed.columns, area.width)[at])
        .filter(|&cells| cells > 0);
    let (columns, len) = (&listed.columns, visible.len());
    let table = Table { columns, list: &screen.list, len, focused: true };
    table.draw(buffer, area, look, |index| {
        let entry = visible[index];
        let Some(row) = screen.rows().get(entry.row) else { return Vec::new() };
        let mut cells = listed.cells(row);
        let mut put = |title: &str, text: Span<'static>| {
            if let Some(at) = listed.place(title) {
                cells[at] = text;
            }
        };
        if let Some(group) = entry.group.filter(|_| entry.is_group) {
            let members = screen.members(group);
            let sign = if screen.open.contains(&group) { "▾" } else { "▸" };
            put("run", Span::raw(format!("{sign}{}", members.len())));
            put("k", Span::raw(groups::topics(&members)));
            put("state", Span::raw(groups::state(&members)));
            put("progress", Span::raw(short(group)));
            for title in ["left", "npmi", "seed"] {
                put(title, Span::raw(""));
            }
            return cells;
        }
        let mark = if screen.marked.contains(&row.run.id) { "*" } else { "" };
        let within = if entry.group.is_some() { "\u{b7}" } else { "" };
        put("run", Span::raw(format!("{mark}{within}{}", row.run.id)));
        let style = match row.warnings.is_empty() {
            true => look.state_word(row.word()),
            false => look.warning(),
        };
        match progress_cells {
            Some(cells) => {
                put("state", Span::styled(row.marked_word(), style));
                put("progress", Span::raw(progress(row, cells)));
            }
            None => {
                put("state", Span::styled(state_with_progress(row), style));
                put("progress", Span::raw(progress(row, BEYOND)));
            }
        }
        cells
    });
}

/// What a group is, in the cell of a column.
fn short(group: Group) -> String {
    match group {
        Group::Sweep(_) => "sweep".into(),
        Group::Against(of) => format!("tests {of}"),
    }
}

/// The state of a run in a list without a column for its progress.
fn state_with_progress(row: &RunRow) -> String {
    let share = row.progress.as_ref().and_then(|progress| progress.share);
    match share.filter(|_| row.word() == "running") {
        Some(share) => format!("running {}", whole_percent(share)),
        None => row.marked_word(),
    }
}

/// What is not done yet is never 100%.
fn whole_percent(share: f64) -> String {
    format!("{:.0}%", (share * 100.0 + 1e-6).floor().clamp(0.0, 99.0))
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
            let Some(share) = progress.share else { return progress.stage.clone() };
            let percent = format!("{:>4}", whole_percent(share));
            if cells < WITH_STAGE {
                return format!("{} {percent}", parts::gauge(share, cells.saturating_sub(5)));
            }
            let bar = parts::gauge(share, cells - STAGE - 6);
            format!("{} {bar} {percent}", text::align_left(&progress.stage, STAGE))
        }
        (RunStatus::Finished, _) if run.name.is_some() => run.name.clone().unwrap_or_default(),
        (RunStatus::Finished, _) => {
            run.seconds.map(|seconds| format!("in {}", text::duration(seconds))).unwrap_or_default()
        }
        (_, _) => run.error.clone().or_else(|| run.name.clone()).unwrap_or_default(),
    }
}
