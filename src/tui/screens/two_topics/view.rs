//! Two topics, drawn: words and documents in two columns, below them shares over time as two lines.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::{TopicSide, TwoTopicsScreen};
use crate::tui::threads::cache::topic_documents::DocumentLine;
use crate::tui::view::chart::Chart;
use crate::tui::view::look::Appearance;
use crate::tui::view::{parts, text};
use topoi_store::result::topic::Word;

/// Rows of the lines over time, in parts of the height.
const TIME: u16 = 4;
/// Fewer rows than these draw no lines over time.
const LEAST_FOR_TIME: u16 = 16;
/// Rows of documents, in parts of the height.
const DOCUMENTS: u16 = 5;
/// Cells of a probability.
const PROBABILITY: usize = 8;

struct Areas {
    words: Rect,
    documents: Rect,
    /// `None` for few rows, and where the documents have no dates.
    time: Option<Rect>,
}

fn areas(screen: &TwoTopicsScreen, body: Rect) -> Areas {
    let has_dates =
        screen.sides().is_some_and(|sides| sides.iter().any(|side| !side.over_time.is_empty()));
    let has_time = has_dates && body.height >= LEAST_FOR_TIME;
    let time = if has_time { body.height / TIME + 2 } else { 0 };
    let documents = body.height / DOCUMENTS + 1;
    let [words, documents, time] = Layout::vertical([
        Constraint::Fill(1),
        Constraint::Length(documents),
        Constraint::Length(time),
    ])
    .areas(body);
    Areas { words, documents, time: Some(time).filter(|_| has_time) }
}

/// Rows of words that are seen at once.
pub fn rows(screen: &TwoTopicsScreen, body: Rect) -> usize {
    usize::from(areas(screen, body).words.height.saturating_sub(1)).max(1)
}

/// Words of the topic that has more of them.
pub fn rows_of_words(screen: &TwoTopicsScreen) -> usize {
    let rows = |side: &TopicSide| side.topic.words.len();
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
    let areas = areas(screen, area);
    let halves = |area: Rect| {
        let half = area.width / 2;
        let left = Rect { width: half.saturating_sub(1), ..area };
        [left, Rect { x: area.x + half, width: area.width - half, ..area }]
    };
    let ([left, right], [left_below, right_below]) = (halves(areas.words), halves(areas.documents));
    for (column, below, side, beside, mark) in
        [(left, left_below, one, other, "\u{25cf}"), (right, right_below, other, one, "\u{25cb}")]
    {
        let inside = parts::titled(buffer, column, look, &title(side, mark));
        let lines = words(side, beside, look, usize::from(inside.width));
        let from = screen.list.cursor.min(lines.len().saturating_sub(usize::from(inside.height)));
        parts::lines(buffer, inside, &lines[from..]);
        let inside = parts::titled(buffer, below, look, "Documents most about it");
        parts::lines(buffer, inside, &documents(side, usize::from(inside.width)));
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

/// The words of a topic, those bold that the other has not.
fn words(
    side: &TopicSide,
    other: &TopicSide,
    look: Appearance,
    width: usize,
) -> Vec<Line<'static>> {
    let has = |word: &str| other.topic.words.iter().any(|there| there.word == word);
    let room = width.saturating_sub(PROBABILITY + 3);
    let line = |word: &Word| {
        let style = match has(&word.word) {
            true => Style::new(),
            false => look.heading().add_modifier(Modifier::BOLD),
        };
        Line::from(vec![
            Span::styled(format!(" {} ", text::align_left(&word.word, room)), style),
            Span::raw(text::align_right(&format!("{:.4}", word.probability), PROBABILITY)),
        ])
    };
    side.topic.words.iter().map(line).collect()
}

/// The documents that are most about a topic, with its share in them.
fn documents(side: &TopicSide, width: usize) -> Vec<Line<'static>> {
    let line = |line: &DocumentLine| {
        let share = text::align_right(&text::percent(line.share), 6);
        let name = if line.name.is_empty() { &line.document.key } else { &line.name };
        Line::raw(text::cut(&format!(" {share} {name}"), width))
    };
    side.documents.iter().map(line).collect()
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
    chart.names.sort_by(|a, b| a.0.total_cmp(&b.0));
    chart.names.dedup_by(|a, b| a.0 == b.0);
    chart.below = chart.names.iter().map(|(x, _)| *x).collect();
    chart.draw(buffer, area, look);
}
