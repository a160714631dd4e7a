//! Draws the launch form, its checks, and the command that does the same.

use super::form::LaunchState;
use super::models;
use crate::tui::view::look::Appearance;
use crate::tui::view::{layout, parts, text};
use crate::tui::workbench::Workbench;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};
use topoi_core::model::setting::Definition;
use topoi_core::numbers::thousands;
use topoi_run::request::earlier_runs::{Estimate, find_identical_run};
use topoi_run::request::fields;

/// Cells for the names of fields.
const NAMES: usize = 16;
/// Cells for what is typed.
const VALUES: usize = 20;
/// Fields that are shown at least, and the rows that say how many more there are.
const FEWEST_FIELDS: usize = 5;

const SHARES: layout::Shares = layout::Shares { beside: 60, below: 50 };

pub fn draw(form: &LaunchState, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
    let look = workbench.look;
    let split = layout::split(SHARES, area);
    let width = if split.between.is_some() { split.detail.width } else { area.width };
    let checks = checks(form, look, width);
    let mut command = parts::paragraph(&form.command(&workbench.program), width, look.heading());
    let beside = form.beside_command();
    command.extend(beside.iter().flat_map(|said| parts::paragraph(said, width, look.warning())));
    // Beside the form where there is room, else below it.
    let rest = match split.between {
        Some(between) => {
            draw_form(form, look, split.list, 0, buffer);
            parts::stroke(buffer, between, look);
            split.detail
        }
        None => draw_form(form, look, area, 1 + checks.len() + command.len(), buffer),
    };
    // Empty rows only where two titles and all lines leave room for them.
    let gap = u16::from(usize::from(rest.height) >= checks.len() + command.len() + 4);
    let rest = if split.between.is_some() { rest } else { parts::below(rest, gap) };
    if usize::from(rest.height) < checks.len() + 1 {
        // Without room for titles, what is checked is what matters.
        let above = Rect { y: rest.y.saturating_sub(1), height: rest.height + 1, ..rest };
        Clear.render(above, buffer);
        parts::lines(buffer, above, &checks);
        return;
    }
    let rest = parts::titled(buffer, rest, look, "Check");
    let rest = parts::lines(buffer, rest, &checks);
    let mut rest = parts::below(rest, gap);
    if usize::from(rest.height) > command.len() {
        rest = parts::titled(buffer, rest, look, "The same from a shell");
    }
    parts::lines(buffer, rest, &command);
}

/// Draws the fields and what the one with the focus means; returns what is below, where this many rows are left if
/// there are enough.
fn draw_form(
    form: &LaunchState,
    look: Appearance,
    area: Rect,
    rows_below: usize,
    buffer: &mut Buffer,
) -> Rect {
    let title = form.filled_from().map(|run| format!("Run {run} again, with changes"));
    let inside = parts::titled(buffer, area, look, title.as_deref().unwrap_or("New run"));
    if form.field() == fields::MODEL {
        return models::draw(form, look, inside, buffer);
    }
    let help = parts::paragraph(form.help(), area.width, look.key());
    let rows = usize::from(inside.height).saturating_sub(help.len() + rows_below);
    let rest = parts::lines(buffer, inside, &field_lines(form, look, rows.max(FEWEST_FIELDS)));
    let rest = if rest.height > 9 { parts::below(rest, 1) } else { rest };
    parts::lines(buffer, rest, &help)
}

/// The fields, of which at most this many rows are shown: that with the focus and those before it, else the first ones.
fn field_lines(form: &LaunchState, look: Appearance, rows: usize) -> Vec<Line<'static>> {
    let fields = form.fields();
    if fields.len() <= rows {
        return fields.into_iter().map(|field| field_line(form, field, look)).collect();
    }
    // A row at the end says how many are left, one at the start how many were left.
    let focus = form.focus.min(fields.len() - 1);
    let first = (focus + 3).saturating_sub(rows).min(fields.len() + 1 - rows);
    let first = if focus + 1 < rows { 0 } else { first };
    let more =
        |count: usize, sign: &str| Line::styled(format!("   {sign} {count} more"), look.key());
    let mut lines: Vec<Line<'static>> = Vec::new();
    lines.extend((first > 0).then(|| more(first, "↑")));
    let room = rows - lines.len();
    let left = fields.len() - first;
    let shown = if left <= room { left } else { room - 1 };
    let shown_fields = fields.iter().skip(first).take(shown);
    lines.extend(shown_fields.map(|field| field_line(form, *field, look)));
    lines.extend((shown < left).then(|| more(left - shown, "↓")));
    lines
}

pub fn field_line(form: &LaunchState, field: Definition, look: Appearance) -> Line<'static> {
    let focused = form.field() == field;
    let mark = if focused { " > " } else { "   " };
    let value = form.value(field);
    let name =
        Span::styled(format!("{mark}{} ", text::align_left(field.name, NAMES)), look.heading());
    let shown = match form.choices(field) {
        Some(choices) => {
            let place = choices.iter().position(|choice| *choice == value).map_or(0, |p| p + 1);
            let is_unset = value.is_empty() && !choices.is_empty();
            let value = if is_unset { "none" } else { &value };
            let cut = text::cut(value, VALUES * 2);
            format!("< {cut} >  {place} of {}", choices.len())
        }
        None if focused => {
            let typed = form.shown_input().line(look, "[ ", VALUES + 3);
            let blanks = " ".repeat((VALUES + 3).saturating_sub(typed.width()));
            let end = Span::raw(format!("{blanks} ]"));
            return Line::from_iter([name].into_iter().chain(typed).chain([end]));
        }
        None => {
            let is_unset = value.is_empty() && form.default_value(field).is_empty();
            let value = if is_unset { "none" } else { &value };
            let shown = text::cut_start(value, VALUES + 1);
            format!("[ {} ]", text::align_left(&shown, VALUES + 1))
        }
    };
    let style = if focused { look.selected() } else { Style::new() };
    Line::from(vec![name, Span::styled(shown, style)])
}

/// Whether the run can be launched, and whether it has been before.
fn checks(form: &LaunchState, look: Appearance, width: u16) -> Vec<Line<'static>> {
    if form.corpora.is_none() {
        return Vec::new();
    }
    let (word, words, style) = match (form.request(), form.corpus()) {
        (Err(error), _) => ("no  ", error, look.bad()),
        (Ok(request), Some(corpus)) => match find_identical_run(&form.runs, &request) {
            Some(run) => (
                "note",
                format!(
                    "run {} ({}) asks for the same; the same topics come out",
                    run.id,
                    run.status.as_str()
                ),
                look.warning(),
            ),
            None => (
                "ok  ",
                format!(
                    "{} has {} documents and {} terms; Enter launches",
                    corpus.name,
                    thousands(corpus.documents),
                    thousands(corpus.terms)
                ),
                look.good(),
            ),
        },
        (Ok(_), None) => return Vec::new(),
    };
    let carried = form.carried_in_words();
    let carried = carried.iter().flat_map(|words| remark(("with", look.key()), words, width));
    let mut lines: Vec<Line<'static>> = carried.collect();
    lines.extend(remark((word, style), &words, width));
    if let Some((runs, estimate)) = form.estimate() {
        let runs = if runs > 1 { format!("{runs} runs: ") } else { String::new() };
        lines.extend(remark(("", Style::new()), &(runs + &in_words(estimate)), width));
    }
    lines
}

/// A word at the left and lines beside it.
fn remark((word, style): (&str, Style), words: &str, width: u16) -> Vec<Line<'static>> {
    let wrapped = text::wrap(words, usize::from(width.saturating_sub(8)).max(1));
    let line = |(index, line): (usize, String)| {
        let word = text::align_left(if index == 0 { word } else { "" }, 4);
        Line::from(vec![Span::styled(format!(" {word}  "), style), Span::raw(line)])
    };
    wrapped.into_iter().enumerate().map(line).collect()
}

/// Memory and time of runs, as "about 79 MB of memory and 2m01, judged by run 5".
pub fn in_words(estimate: Estimate) -> String {
    let (memory, time) = (text::memory(estimate.bytes as u64), text::duration(estimate.seconds));
    let judged = match estimate.judged_by {
        Some(run) => format!("judged by run {run}"),
        None => "on a machine with two cores; no run yet tells of this one".into(),
    };
    format!("about {memory} of memory and {time}, {judged}")
}
