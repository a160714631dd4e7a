//! The launch form, what it checks, and the command line it stands for.

use super::form::LaunchState;
use super::models;
use crate::tui::bench::Bench;
use crate::tui::view::look::Look;
use crate::tui::view::{layout, parts, text};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};
use topoi_core::model::setting::Definition;
use topoi_core::numbers::thousands;
use topoi_run::request::earlier_runs::{Estimate, repetition};
use topoi_run::request::fields;

/// Cells for the names of fields.
const NAMES: usize = 16;
/// Cells for what is typed.
const VALUES: usize = 20;

const SHARES: layout::Shares = layout::Shares { beside: 60, below: 50 };

pub fn draw(form: &LaunchState, bench: &Bench, area: Rect, buffer: &mut Buffer) {
    let look = bench.look;
    let split = layout::split(SHARES, area);
    let rest =
        draw_form(form, look, if split.between.is_some() { split.list } else { area }, buffer);
    // Beside the form where there is room, else below it.
    let (rest, width) = match split.between {
        Some(between) => {
            parts::stroke(buffer, between, look);
            (split.detail, split.detail.width)
        }
        None => (rest, area.width),
    };
    let checks = checks(form, look, width);
    let mut command = parts::paragraph(&form.command(&bench.program), width, look.heading());
    let beside = form.beside_command();
    command.extend(beside.iter().flat_map(|said| parts::paragraph(said, width, look.warning())));
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

/// Draws the fields and what the one with the focus means; returns what is below.
fn draw_form(form: &LaunchState, look: Look, area: Rect, buffer: &mut Buffer) -> Rect {
    let title = form.filled_from().map(|run| format!("Run {run} again, with changes"));
    let inside = parts::titled(buffer, area, look, title.as_deref().unwrap_or("New run"));
    if form.field() == fields::MODEL {
        return models::draw(form, look, inside, buffer);
    }
    let fields: Vec<Line> =
        form.fields().into_iter().map(|field| field_line(form, field, look)).collect();
    let rest = parts::lines(buffer, inside, &fields);
    let rest = if rest.height > 9 { parts::below(rest, 1) } else { rest };
    parts::lines(buffer, rest, &parts::paragraph(form.help(), area.width, look.key()))
}

pub fn field_line(form: &LaunchState, field: Definition, look: Look) -> Line<'static> {
    let focused = form.field() == field;
    let mark = if focused { " > " } else { "   " };
    let value = form.value(field);
    let shown = match form.choices(field) {
        Some(choices) => {
            let place = choices.iter().position(|choice| *choice == value).map_or(0, |p| p + 1);
            let cut = text::cut(&value, VALUES * 2);
            format!("< {cut} >  {place} of {}", choices.len())
        }
        None => {
            let cursor = if focused { "_" } else { "" };
            let shown = text::cut_start(&format!("{value}{cursor}"), VALUES + 1);
            format!("[ {} ]", text::left(&shown, VALUES + 1))
        }
    };
    let style = if focused { look.selected() } else { Style::new() };
    Line::from(vec![
        Span::styled(format!("{mark}{} ", text::left(field.name, NAMES)), look.heading()),
        Span::styled(shown, style),
    ])
}

/// Whether the run can be launched, and whether it has been before.
fn checks(form: &LaunchState, look: Look, width: u16) -> Vec<Line<'static>> {
    if form.corpora.is_none() {
        return Vec::new();
    }
    let (word, words, style) = match (form.request(), form.corpus()) {
        (Err(error), _) => ("no  ", error, look.bad()),
        (Ok(request), Some(corpus)) => match repetition(&form.runs, &request) {
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
        let word = text::left(if index == 0 { word } else { "" }, 4);
        Line::from(vec![Span::styled(format!(" {word}  "), style), Span::raw(line)])
    };
    wrapped.into_iter().enumerate().map(line).collect()
}

/// What runs will take.
pub fn in_words(estimate: Estimate) -> String {
    let (memory, time) = (text::memory(estimate.bytes as u64), text::duration(estimate.seconds));
    let judged = match estimate.judged_by {
        Some(run) => format!("judged by run {run}"),
        None => "on a machine with two cores; no run yet tells of this one".into(),
    };
    format!("about {memory} of memory and {time}, {judged}")
}
