//! A run from its five sides, drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use topoi::metric::MetricDef;
use topoi::metric::definition::Tag;

use super::{RunScreen, RunSheet, RunView, correlations, facts, map, topic};
use crate::tui::view::layout;
use crate::tui::view::look::Look;
use crate::tui::view::table::{Column, Table, Width};
use crate::tui::view::text;
use crate::tui::view::{parts, run_detail};

/// Cells of a metric's column.
const METRIC: usize = 11;
/// A list this wide has its first metric column; each further one needs as many cells more.
const FIRST_METRIC: u16 = 60;
const FURTHER_METRIC: u16 = 20;

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
        let none = Line::raw(" It has no topics; i shows its facts, 4 how it fares.");
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
    let title =
        format!("Topics {}, {}{}", sheet.topics.len(), sheet.row.word(), took.unwrap_or_default());
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
    let visible = screen.visible();
    let names = metric_names(screen, area.width);
    let mut columns = vec![
        Column::number("topic", 5),
        Column::number("weight", 6),
        Column::text("anchor", Width::Cells(14)),
    ];
    columns.extend(names.iter().map(|name| Column::number(name, METRIC)));
    columns.push(Column::text("words", Width::Share(1)));
    let table = Table { columns: &columns, list: &screen.list, len: visible.len(), focused: true };
    table.draw(buffer, area, look, |index| {
        let topic = visible[index];
        let metrics = screen.topic_metrics(topic.topic);
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
fn metric_names(screen: &RunScreen, width: u16) -> Vec<&str> {
    let room = width.checked_sub(FIRST_METRIC).map_or(0, |more| 1 + more / FURTHER_METRIC / 2);
    let mut names = screen.metric_names();
    // What people look at first comes first.
    let first: Vec<&str> = MetricDef::tagged(Tag::TopicList).map(|metric| metric.id).collect();
    names.sort_by_key(|name| first.iter().position(|id| id == name).unwrap_or(first.len()));
    names.truncate(usize::from(room.min(3)));
    names
}
