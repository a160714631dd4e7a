//! A run from its five sides, drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{RunScreen, RunSheet, RunView, correlations, facts, map, topic};
use crate::tui::view::layout;
use crate::tui::view::look::Look;
use crate::tui::view::table::{Listed, Table};
use crate::tui::view::text;
use crate::tui::view::{parts, run_detail};

const SHARES: layout::Shares = layout::Shares { beside: 60, below: 50 };

/// Rows of the list on the screen.
pub fn rows(view: RunView, body: Rect) -> usize {
    let area = layout::strip(body).1;
    let is_whole = view != RunView::Topics;
    layout::table_rows(if is_whole { area } else { layout::split(SHARES, area).list })
}

pub fn draw(screen: &RunScreen, look: Look, area: Rect, buffer: &mut Buffer) {
    let Some(sheet) = &screen.sheet else {
        let inside = parts::titled(buffer, area, look, "Run");
        if screen.answered {
            let none = Line::raw(" There is no finished run yet: n starts one, 4 shows the runs.");
            parts::lines(buffer, inside, &[Line::raw(""), none]);
        }
        return;
    };
    let (strip, view) = layout::strip(area);
    let current = screen.view;
    let views = RunView::ALL.map(|view| (view.name(), view == current));
    parts::strip(buffer, strip, look, &title(sheet), &views);
    if sheet.topics.is_empty() && current != RunView::Facts {
        run_detail::draw(&sheet.row, None, look, view, buffer);
        let none = Line::raw(" It has no topics; i shows its facts, 4 its progress.");
        parts::lines(buffer, parts::below(view, view.height.saturating_sub(1)), &[none]);
        return;
    }
    match current {
        RunView::Topics => topics(screen, sheet, look, view, buffer),
        RunView::Topic => {
            if let Some(selected) = screen.selected() {
                topic::draw(screen, sheet, look, selected, view, buffer);
            }
        }
        RunView::Correlations => correlations::draw(screen, sheet, look, view, buffer),
        RunView::Map => map::draw(screen, sheet, look, view, buffer),
        RunView::Facts => facts::draw(screen, sheet, look, view, buffer),
    }
}

fn title(sheet: &RunSheet) -> String {
    let run = &sheet.row.run;
    format!("run {}: {} {} k {}", run.id, run.corpus, run.model, run.k)
}

fn topics(screen: &RunScreen, sheet: &RunSheet, look: Look, area: Rect, buffer: &mut Buffer) {
    let split = layout::split(SHARES, area);
    let took = sheet.row.run.seconds.map(|seconds| format!(" in {}", text::duration(seconds)));
    let mut title =
        format!("Topics {}, {}{}", sheet.topics.len(), sheet.row.word(), took.unwrap_or_default());
    if !sheet.row.warnings.is_empty() {
        title.push_str(&format!(", !{}: i says why", sheet.row.warnings.len()));
    }
    let inside = parts::titled(buffer, split.list, look, &title);
    list(screen, look, inside, buffer);
    if let Some(between) = split.between {
        parts::stroke(buffer, between, look);
    }
    if let Some(selected) = screen.selected() {
        topic::draw(screen, sheet, look, selected, split.detail, buffer);
    }
}

fn list(screen: &RunScreen, look: Look, area: Rect, buffer: &mut Buffer) {
    let (all, visible) = (screen.columns(), screen.visible());
    let listed = Listed::new(&all, area.width);
    let (columns, len) = (&listed.columns, visible.len());
    let table = Table { columns, list: &screen.list, len, focused: true };
    table.draw(buffer, area, look, |index| listed.cells(&screen.row(visible[index])));
}
