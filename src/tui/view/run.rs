//! Screen 5: a run from its five sides.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use topoi::metric::MetricDef;
use topoi::metric::definition::Tag;

use super::table::{Column, Table, Width};
use super::{parts, run_detail, run_facts, run_lifts, run_map, topic};
use crate::tui::data::{RunSheet, RunView};
use crate::tui::layout;
use crate::tui::look::Look;
use crate::tui::state::{Screen, State};
use crate::tui::text;

/// Cells of a metric's column.
const METRIC: usize = 11;
/// A list this wide has its first metric column; each further one needs as many cells more.
const FIRST_METRIC: u16 = 60;
const FURTHER_METRIC: u16 = 20;

/// Draws the screen.
pub fn draw(state: &State, area: Rect, buffer: &mut Buffer) {
    let look = state.look;
    let Some(sheet) = &state.run.sheet else {
        let inside = parts::titled(buffer, area, look, "Run");
        if state.run.answered {
            let none = Line::raw(" There is no finished run yet: n starts one, 4 shows the runs.");
            parts::lines(buffer, inside, &[Line::raw(""), none]);
        }
        return;
    };
    let (strip, view) = layout::strip(area);
    let current = state.run.view;
    let views = RunView::ALL.map(|view| (view.name(), view == current));
    draw_strip(buffer, strip, look, &title(sheet), &views);
    if sheet.topics.is_empty() && current != RunView::Facts {
        run_detail::draw(&sheet.row, None, look, view, buffer);
        let none = Line::raw(" It has no topics; i shows its facts, 4 how it fares.");
        parts::lines(buffer, parts::below(view, view.height.saturating_sub(1)), &[none]);
        return;
    }
    match current {
        RunView::Topics => topics(state, sheet, view, buffer),
        RunView::Topic => {
            if let Some(selected) = state.run.selected() {
                topic::draw(state, sheet, selected, view, buffer);
            }
        }
        RunView::Correlations => run_lifts::draw(state, sheet, view, buffer),
        RunView::Map => run_map::draw(state, sheet, view, buffer),
        RunView::Facts => run_facts::draw(state, sheet, view, buffer),
    }
}

/// What is shown, and the views with their keys: `t [topics]  w words`.
pub fn draw_strip(
    buffer: &mut Buffer,
    area: Rect,
    look: Look,
    title: &str,
    views: &[((&'static str, &'static str), bool)],
) {
    let mut spans = Vec::new();
    for &((key, name), is_current) in views {
        spans.push(Span::styled(format!(" {key}"), look.key()));
        if is_current {
            spans.push(Span::styled(format!("[{name}]"), look.heading()));
        } else {
            spans.push(Span::raw(format!(" {name} ")));
        }
    }
    let used: usize = spans.iter().map(Span::width).sum();
    let room = usize::from(area.width).saturating_sub(used + 2);
    spans.insert(0, Span::styled(format!(" {} ", text::left(title, room)), look.heading()));
    buffer.set_line(area.x, area.y, &Line::from(spans), area.width);
}

fn title(sheet: &RunSheet) -> String {
    let run = &sheet.row.run;
    format!("run {}: {} {} k {}", run.id, run.corpus, run.model, run.k)
}

fn topics(state: &State, sheet: &RunSheet, area: Rect, buffer: &mut Buffer) {
    let look = state.look;
    let split = layout::split(Screen::Run, area);
    let took = sheet.row.run.seconds.map(|seconds| format!(" in {}", text::duration(seconds)));
    let title =
        format!("Topics {}, {}{}", sheet.topics.len(), sheet.row.word(), took.unwrap_or_default());
    let inside = parts::titled(buffer, split.list, look, &title);
    list(state, inside, buffer);
    if let Some(between) = split.between {
        parts::stroke(buffer, between, look);
    }
    if let Some(selected) = state.run.selected() {
        topic::draw(state, sheet, selected, split.detail, buffer);
    }
}

fn list(state: &State, area: Rect, buffer: &mut Buffer) {
    let visible = state.run.visible();
    let names = metric_names(state, area.width);
    let mut columns = vec![
        Column::number("topic", 5),
        Column::number("weight", 6),
        Column::text("anchor", Width::Cells(14)),
    ];
    columns.extend(names.iter().map(|name| Column::number(name, METRIC)));
    columns.push(Column::text("words", Width::Share(1)));
    let table =
        Table { columns: &columns, list: &state.run.list, len: visible.len(), focused: true };
    table.draw(buffer, area, state.look, |index| {
        let topic = visible[index];
        let metrics = state.run.topic_metrics(topic.topic);
        let words: Vec<&str> = topic.words.iter().map(|word| word.word.as_str()).collect();
        let mut cells = vec![
            Span::raw(topic.topic.to_string()),
            Span::raw(text::percent(topic.weight)),
            Span::raw(topic.label.clone().or(topic.anchor.clone()).unwrap_or_default()),
        ];
        for name in &names {
            let value = metrics.iter().find(|(other, _)| other == name);
            cells
                .push(Span::raw(value.map(|&(_, value)| text::measure(value)).unwrap_or_default()));
        }
        cells.push(Span::raw(words.join(" ")));
        cells
    });
}

/// The metrics of topics that have a column, as many as there is room for.
fn metric_names(state: &State, width: u16) -> Vec<&str> {
    let room = width.checked_sub(FIRST_METRIC).map_or(0, |more| 1 + more / FURTHER_METRIC / 2);
    let mut names = state.run.metric_names();
    // What people look at first comes first.
    let first: Vec<&str> = MetricDef::tagged(Tag::TopicList).map(|metric| metric.id).collect();
    names.sort_by_key(|name| first.iter().position(|id| id == name).unwrap_or(first.len()));
    names.truncate(usize::from(room.min(3)));
    names
}
