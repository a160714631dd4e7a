//! Screen 5: the topics of a run, and the selected one in full.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::table::{Column, Table, Width};
use super::{parts, run_detail, topic};
use crate::tui::data::RunSheet;
use crate::tui::layout;
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
    if sheet.topics.is_empty() {
        run_detail::draw(&sheet.row, None, look, area, buffer);
        let none = Line::raw(" It has no topics yet; 4 shows how it fares.");
        parts::lines(buffer, parts::below(area, 5), &[none]);
        return;
    }
    let split = layout::split(Screen::Run, area);
    let inside = parts::titled(buffer, split.list, look, &title(sheet));
    list(state, inside, buffer);
    if let Some(between) = split.between {
        parts::stroke(buffer, between, look);
    }
    if let Some(selected) = state.run.selected() {
        let metrics = state.run.topic_metrics(selected.topic);
        topic::draw(selected, &metrics, look, split.detail, buffer);
    }
}

fn title(sheet: &RunSheet) -> String {
    let run = &sheet.row.run;
    let took = run.seconds.map(|seconds| format!(" in {}", text::duration(seconds)));
    format!(
        "run {}: {} {} k {}, {}{}",
        run.id,
        run.corpus,
        run.model,
        run.k,
        sheet.row.word(),
        took.unwrap_or_default()
    )
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
    state.run.metric_names().into_iter().take(usize::from(room.min(3))).collect()
}
