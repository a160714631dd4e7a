//! A run from its sides, drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::question::BY_PROBABILITY;
use super::{RunScreen, RunView, RunWithTopics, correlations, documents, facts, map, topic};
use crate::records::topics::TOKEN_SHARE;
use crate::tui::view::layout;
use crate::tui::view::look::Appearance;
use crate::tui::view::table::{Column, RecordColumns, Table};
use crate::tui::view::text;
use crate::tui::view::{parts, run_detail};
use topoi_store::result::topic::Topic;

/// The topic under the cursor is beside the list from a width on at which the words of the list have
/// more room than they would need.
const SHARES: layout::Shares = layout::Shares { beside: 62, below: 55 };
const BESIDE_FROM: u16 = 150;
/// Cells of a percentage.
const PERCENT: usize = 6;

/// Rows of the list on the screen.
pub fn rows(view: RunView, body: Rect) -> usize {
    let area = layout::strip(body).1;
    match view {
        RunView::Topics => layout::table_rows(split(area).list),
        RunView::Documents => documents::rows(area),
        RunView::Topic => topic::rows(area),
        _ => layout::table_rows(area),
    }
}

fn split(area: Rect) -> layout::Split {
    layout::split_from(BESIDE_FROM, SHARES, area)
}

pub fn draw(screen: &RunScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let Some(sheet) = &screen.sheet else {
        let inside = parts::titled(buffer, area, look, "Run");
        if screen.answered {
            let none = match screen.id {
                Some(run) => {
                    format!(" Run {run} is no longer there: 4 shows the runs, Enter opens one.")
                }
                None => " There is no finished run yet: n starts one, 4 shows the runs.".into(),
            };
            parts::lines(buffer, inside, &[Line::raw(""), Line::raw(none)]);
        }
        return;
    };
    let (strip, view) = layout::strip(area);
    let current = screen.view;
    let views = RunView::ALL.map(|view| (view.name(), view == current));
    parts::strip(buffer, strip, look, &title(sheet), &views);
    if sheet.topics.is_empty() && current != RunView::Facts {
        run_detail::draw(&sheet.row, None, look, view, buffer);
        let none = Line::raw(" It has no topics; I shows its facts, 4 its progress.");
        parts::lines(buffer, parts::below(view, view.height.saturating_sub(1)), &[none]);
        return;
    }
    let selected = screen.selected();
    match (current, selected) {
        (RunView::Topics, _) => topics(screen, sheet, look, view, buffer),
        (RunView::Correlations, _) => correlations::draw(screen, sheet, look, view, buffer),
        (RunView::Map, _) => map::draw(screen, sheet, look, view, buffer),
        (RunView::Facts, _) => facts::draw(screen, sheet, look, view, buffer),
        (RunView::Topic, Some(topic)) => {
            topic::draw_in_full(screen, sheet, look, topic, view, buffer);
        }
        (RunView::Documents, Some(topic)) => documents::draw(screen, look, topic, view, buffer),
        (RunView::Topic | RunView::Documents, None) => {
            let none = Line::raw(" The filter lets no topic through; Esc clears it.");
            parts::lines(buffer, parts::below(view, 1), &[none]);
        }
    }
}

fn title(sheet: &RunWithTopics) -> String {
    let run = &sheet.row.run;
    format!("run {}: {} {} k {}", run.id, run.corpus, run.model, run.k)
}

/// What the order of words goes by at a λ, in a sentence.
pub fn ranked_by(lambda: u8) -> String {
    let shown = f64::from(lambda) / 10.0;
    match lambda {
        BY_PROBABILITY.. => "most probable words first (λ 1, < > move it)".into(),
        0 => "most special words first (λ 0, < > move it)".into(),
        _ => format!("words by relevance λ {shown:.1} (1 probable, 0 special; < >)"),
    }
}

fn topics(
    screen: &RunScreen,
    sheet: &RunWithTopics,
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let split = split(area);
    let mut title = format!("Topics {}", sheet.topics.len());
    if !sheet.row.warnings.is_empty() {
        title.push_str(&format!(", !{}: I says why", sheet.row.warnings.len()));
    }
    if screen.by_likeness {
        title.push_str(", alike ones together");
    }
    title.push_str(&format!(", {}", ranked_by(sheet.lambda)));
    let inside = parts::titled(buffer, split.list, look, &title);
    list(screen, look, inside, buffer);
    if let Some(between) = split.between {
        parts::stroke(buffer, between, look);
    }
    if let Some(selected) = screen.selected() {
        topic::draw(screen, sheet, look, selected, split.detail, buffer);
    }
}

fn list(screen: &RunScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let (all, visible) = (screen.columns(), screen.visible());
    let mut listed = RecordColumns::new(&all, area.width).chosen("topics", look);
    // The mark is before the share, whose column has one cell more for it.
    let share = listed.place(TOKEN_SHARE);
    if let Some(words) = listed.place("words") {
        listed.columns[words].title = "words";
    }
    let most = visible.iter().map(|topic| topic.shares.size()).fold(0.0, f64::max);
    let (columns, len) = (&listed.columns, visible.len());
    let table = Table { columns, list: &screen.list, len, focused: true };
    table.draw(buffer, area, look, |index| {
        let topic = visible[index];
        let mut cells = listed.cells(&screen.row(topic));
        if let Some(at) = share {
            cells[at] = Span::raw(share_cell(topic, most, columns[at]));
        }
        if screen.doubt(topic).is_some() {
            // Beside its number, where it is seen whatever the terminal shows of the rest.
            if let Some(at) = listed.place("topic") {
                cells[at] = Span::styled(format!("!{:>4}", topic.topic), look.warning());
            }
        }
        cells
    });
}

/// A bar of the topic's share of the tokens beside the largest one, and its percentage.
fn share_cell(topic: &Topic, most: f64, column: Column<'_>) -> String {
    let cells = match column.width {
        crate::records::column::Width::Cells(cells) => cells,
        crate::records::column::Width::Share(_) => PERCENT,
    };
    let Some(share) = topic.shares.token_share else { return text::align_right("–", cells) };
    let bar = parts::bar(share / most, cells.saturating_sub(PERCENT));
    format!("{bar}{}", text::align_right(&text::percent(share), PERCENT))
}
