//! The runs, live, and the selected one in full.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::RunsScreen;
use crate::records::runs::RunRow;
use crate::tui::view::layout;
use crate::tui::view::look::Look;
use crate::tui::view::table::{Column, Table, Width, widths};
use crate::tui::view::text;
use crate::tui::view::{parts, run_detail};
use topoi::run::request::RunSettings;
use topoi::store::run::{Run, RunStatus};

/// Cells for the name of a stage, where there is room for one.
const STAGE: usize = 11;
/// A progress cell this wide has room for the stage's name.
const WITH_STAGE: usize = 22;

/// A list this wide has room for the residual.
const WITH_RESIDUAL: u16 = 72;

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
    let visible = screen.list.visible(screen.rows());
    let wide = area.width >= 100;
    let corpus = if area.width < WITH_RESIDUAL { 8 } else { 10 };
    let mut columns = vec![
        Column::number("run", 5),
        Column::text("corpus", if wide { Width::Share(1) } else { Width::Cells(corpus) }),
        Column::number("k", 4),
        Column::text("state", Width::Cells(11)),
        Column::text("progress", Width::Share(2)),
        Column::number("left", 6),
        Column::number("residual", 8),
    ];
    if wide {
        columns.insert(2, Column::text("model", Width::Cells(9)));
        columns.insert(4, Column::number("terms", 7));
    }
    if area.width < WITH_RESIDUAL {
        columns.pop();
    }
    let place = columns.iter().position(|column| column.title == "progress").unwrap_or(0);
    let progress_cells = widths(&columns, area.width)[place];
    let table = Table { columns: &columns, list: &screen.list, len: visible.len(), focused: true };
    table.draw(buffer, area, look, |index| {
        let mut cells = cells(visible[index], progress_cells, look);
        if screen.marked.contains(&visible[index].run.id) {
            cells[0] = Span::raw(format!("*{}", visible[index].run.id));
        }
        if wide {
            let run = &visible[index].run;
            cells.insert(2, Span::raw(run.model.clone()));
            cells.insert(4, Span::raw(run.terms.map(text::count).unwrap_or_default()));
        }
        cells
    });
}

fn cells(row: &RunRow, progress_cells: usize, look: Look) -> Vec<Span<'static>> {
    let run = &row.run;
    let residual = row.progress.as_ref().and_then(|progress| progress.residual);
    let left = row.seconds_left.map(text::duration);
    let unknown = if row.is_under_way() { "?" } else { "" };
    vec![
        Span::raw(run.id.to_string()),
        Span::raw(corpus(run)),
        Span::raw(run.k.to_string()),
        Span::styled(row.word(), look.state_word(row.word())),
        Span::raw(progress(row, progress_cells)),
        Span::raw(left.unwrap_or_else(|| unknown.into())),
        Span::raw(residual.map(text::measure).unwrap_or_default()),
    ]
}

/// The corpus, and the share of its documents where those are not all.
fn corpus(run: &Run) -> String {
    match RunSettings::share_of_documents(run) {
        1.0 => run.corpus.clone(),
        share => format!("{:.0}% {}", 100.0 * share, run.corpus),
    }
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
