//! Two topics, drawn: words and documents in two columns, shares over time as two lines below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::{TopicSide, TwoTopicsScreen};
use crate::tui::view::chart::Chart;
use crate::tui::view::look::Appearance;
use crate::tui::view::{parts, text};

/// Rows of the lines over time, in parts of the height.
const TIME: u16 = 4;
/// Fewer rows than these draw no lines over time.
const LEAST_FOR_TIME: u16 = 16;
/// Cells of a probability.
const PROBABILITY: usize = 8;

struct Areas {
    above: Rect,
    time: Option<Rect>,
}

fn areas(body: Rect) -> Areas {
    if body.height < LEAST_FOR_TIME {
        return Areas { above: body, time: None };
    }
    let height = body.height / TIME + 2;
    let above = Rect { height: body.height - height, ..body };
    Areas { above, time: Some(Rect { y: above.bottom(), height, ..body }) }
}

/// Rows of words and documents that are seen at once.
pub fn rows(body: Rect) -> usize {
    usize::from(areas(body).above.height.saturating_sub(1)).max(1)
}

/// Rows that the longer of the two columns has.
pub fn rows_of_words(screen: &TwoTopicsScreen) -> usize {
    let rows = |side: &TopicSide| side.topic.words.len() + 2 + side.documents.len();
    screen.sides().map_or(0, |sides| sides.iter().map(rows).max().unwrap_or(0))
}

pub fn draw(screen: &TwoTopicsScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let Some([one, other]) = screen.sides() else {
        let inside = parts::titled(buffer, area, look, "Two topics");
        if screen.answer.is_some() {
            let none = "One of the topics is no longer there.";
            parts::lines(buffer, inside, &parts::paragraph(none, inside.width, Style::new()));
        }
        return;
    };
    let areas = areas(area);
    let half = areas.above.width / 2;
    let left = Rect { width: half.saturating_sub(1), ..areas.above };
    let right = Rect { x: areas.above.x + half, width: areas.above.width - half, ..areas.above };
    for (column, side, beside, mark) in
        [(left, one, other, "\u{25cf}"), (right, other, one, "\u{25cb}")]
    {
        let inside = parts::titled(buffer, column, look, &title(side, mark));
        let lines = column_of(side, beside, look, usize::from(inside.width));
        let from = screen.list.cursor.min(lines.len().saturating_sub(usize::from(inside.height)));
        parts::lines(buffer, inside, &lines[from..]);
    }
    if let Some(time) = areas.time {
        let inside = parts::titled(buffer, time, look, "Share of documents over time, in per cent");
        over_time([one, other], look, inside, buffer);
    }
}

fn title(side: &TopicSide, mark: &str) -> String {
    let label = side.topic.label.as_ref().map(|label| format!(" \"{label}\"")).unwrap_or_default();
    format!(
        "{mark} {} of run {}{label}, {}",
        side.topic.topic,
        side.run.id,
        text::size(&side.topic.shares)
    )
}

/// The words of a topic, those bold that the other has not, and its documents.
fn column_of(
    side: &TopicSide,
    other: &TopicSide,
    look: Appearance,
    width: usize,
) -> Vec<Line<'static>> {
    let has = |word: &str| other.topic.words.iter().any(|there| there.word == word);
    let room = width.saturating_sub(PROBABILITY + 3);
    let mut lines: Vec<Line<'static>> = side
        .topic
        .words
        .iter()
        .map(|word| {
            let style = match has(&word.word) {
                true => Style::new(),
                false => look.heading().add_modifier(Modifier::BOLD),
            };
            Line::from(vec![
                Span::styled(format!(" {} ", text::align_left(&word.word, room)), style),
                Span::raw(text::align_right(&format!("{:.4}", word.probability), PROBABILITY)),
            ])
        })
        .collect();
    lines.push(Line::default());
    lines.push(Line::styled(" Documents that are most about it", look.heading()));
    lines.extend(side.documents.iter().map(|line| {
        let share = text::align_right(&text::percent(line.share), 6);
        let name = if line.name.is_empty() { &line.document.key } else { &line.name };
        Line::raw(text::cut(&format!(" {share} {name}"), width))
    }));
    lines
}

fn over_time(sides: [&TopicSide; 2], look: Appearance, area: Rect, buffer: &mut Buffer) {
    let mut chart = Chart { levels: vec![(0.0, String::new())], ..Chart::default() };
    for (side, letter) in sides.into_iter().zip(["\u{25cf}", "\u{25cb}"]) {
        let points: Vec<(f64, f64)> =
            side.over_time.iter().map(|(x, _, share)| (*x, 100.0 * share)).collect();
        chart.marks.extend(points.iter().map(|&(x, y)| (x, y, letter)));
        chart.names.extend(side.over_time.iter().map(|(x, name, _)| (*x, name.clone())));
        if chart.points.is_empty() { chart.points = points } else { chart.other = points }
    }
    if chart.points.is_empty() {
        let none = Line::raw(" The documents have no field of dates.");
        parts::lines(buffer, area, &[none]);
        return;
    }
    chart.names.sort_by(|a, b| a.0.total_cmp(&b.0));
    chart.names.dedup_by(|a, b| a.0 == b.0);
    chart.below = chart.names.iter().map(|(x, _)| *x).collect();
    chart.draw(buffer, area, look);
}
