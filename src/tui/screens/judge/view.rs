//! The view of a task: question, document, choices.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Tabs, Widget};

use super::question::{JudgeAnswer, NextTask};
use super::{JudgeScreen, SIDES};
use crate::records::judgements;
use crate::tui::view::look::Appearance;
use crate::tui::view::table::RecordColumns;
use crate::tui::view::{parts, text};
use topoi_core::judge::{Question, RATINGS, Task};
use topoi_core::numbers::thousands;

/// Cells of a gauge.
const GAUGE: usize = 20;

pub fn draw(screen: &JudgeScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let run = screen.run.map(|run| format!("run {run} ")).unwrap_or_default();
    let title = format!("Judging {run}as {}", screen.judge);
    let inside = parts::titled(buffer, area, look, &title);
    let names = Tabs::new(SIDES.map(|name| format!(" {name} "))).divider("").padding(" ", "");
    let names = names.style(look.plain()).highlight_style(look.selected()).select(screen.side);
    names.render(inside, buffer);
    let inside = parts::below(inside, 2);
    let say = |words: &str, buffer: &mut Buffer| {
        parts::lines(buffer, inside, &parts::paragraph(words, inside.width, Style::new()));
    };
    match screen.answer.as_ref().map(Option::as_deref) {
        None => {}
        Some(None) => say("No run was chosen: J while the topics of a run are read.", buffer),
        Some(Some(found)) if screen.side == super::SCORES => {
            scores(screen, found, look, inside, buffer);
        }
        Some(Some(JudgeAnswer { next: Err(reason), .. })) => say(reason, buffer),
        Some(Some(JudgeAnswer { next: Ok(next), .. })) => match screen.asked() {
            Some((question, _)) => task(question, next, look, inside, buffer),
            None if next.question.is_some() => {}
            None => {
                let words = format!(
                    "{} has done all {} tasks of this kind. Tab goes to the others and to the scores.",
                    screen.judge, next.done
                );
                say(&words, buffer);
            }
        },
    }
}

fn task(question: &Question, next: &NextTask, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let place = next.place;
    let share = place.done as f64 / place.of.max(1) as f64;
    let round = match question.task.rounds() {
        1 => String::new(),
        _ => format!(" of round {}", place.round),
    };
    let far = format!(
        " {} {} of {}{round}",
        parts::gauge(share, GAUGE),
        thousands(place.done + 1),
        thousands(place.of)
    );
    let asks = Line::styled(format!(" {}", question.task.asks()), look.heading());
    let area = parts::lines(buffer, area, &[Line::raw(far), Line::raw(""), asks, Line::raw("")]);
    let options = options(question, look, area.width);
    let mut above = Vec::new();
    if let Some(document) = &next.document {
        if let Some(title) = &document.title {
            above.extend(parts::paragraph(title, area.width, look.heading()));
        }
        above.extend(parts::paragraph(&document.text, area.width, Style::new()));
    }
    if question.task == Task::Ratings {
        let words = question.shown.options.join(", ");
        above.extend(parts::paragraph(&words, area.width, look.selected()));
    }
    // The choices are always seen; the document as far as there is room.
    let room = usize::from(area.height).saturating_sub(options.len() + 1);
    above.truncate(room);
    let area = parts::lines(buffer, area, &above);
    let area = if above.is_empty() { area } else { parts::below(area, 1) };
    parts::lines(buffer, area, &options);
}

/// The choices with their numbers; a longer one wraps.
fn options(question: &Question, look: Appearance, cells: u16) -> Vec<Line<'static>> {
    let names: Vec<&str> = match question.task {
        Task::Ratings => RATINGS.into(),
        Task::Words | Task::Topics => question.shown.options.iter().map(String::as_str).collect(),
    };
    let line = |(number, name): (usize, &&str)| {
        let wrapped = text::wrap(name, usize::from(cells.saturating_sub(6)).max(1));
        wrapped.into_iter().enumerate().map(move |(at, part)| {
            let key = if at == 0 { format!(" {} ", number + 1) } else { "   ".into() };
            Line::from(vec![Span::styled(key, look.key()), Span::raw(format!(" {part}"))])
        })
    };
    names.iter().enumerate().flat_map(line).collect()
}

fn scores(
    screen: &JudgeScreen,
    found: &JudgeAnswer,
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    if found.scores.is_empty() {
        let words = "Nobody has judged this run.";
        parts::lines(buffer, area, &parts::paragraph(words, area.width, Style::new()));
        return;
    }
    let columns = judgements::columns();
    let listed = RecordColumns::new(&columns, area.width);
    listed.draw_rows(&screen.list, &found.scores, look, area, buffer);
}
