//! A topic in full: its prominent words, its characteristic words, its metrics.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::state::Found;
use super::{RunMore, RunScreen, RunSheet, RunView, topic_image};
use crate::tui::view::look::Look;
use crate::tui::view::parts;
use crate::tui::view::text;
use topoi::run::saved::topic_images::TopicImages;
use topoi::store::result::topic::{Topic, Word};

/// Cells for a probability.
const PROBABILITY: usize = 7;

/// Narrower than this, two lists of words stand one above the other,
const SIDE_BY_SIDE: u16 = 54;
/// if there are this many rows.
const ONE_ABOVE_THE_OTHER: u16 = 12;

/// Draws a topic of a run: its words, beside them its picture where it has one, its metrics, and
/// where it is shown in full its documents.
pub fn draw(
    screen: &RunScreen,
    sheet: &RunSheet,
    look: Look,
    topic: &Topic,
    area: Rect,
    buffer: &mut Buffer,
) {
    let inside = parts::titled(buffer, area, look, &title(topic));
    let metrics = parts::values(look, &screen.topic_metrics(topic.topic), area.width);
    let is_in_full = screen.view == RunView::Topic;
    let documents = if is_in_full { documents(screen, topic, look, area) } else { Vec::new() };
    let below = metrics.len() + documents.len();
    let rows = inside.height.saturating_sub(below as u16).max(inside.height.min(6));
    let mut room = Rect { height: rows, ..inside };
    if let RunMore::Images(Some(images)) = &sheet.more {
        // A picture that is cut off says nothing; what is below it can be had elsewhere.
        room.height = rows.max(topic_image::size(images).1).min(inside.height);
        room = beside_picture(images, topic, look, room, buffer);
    }
    let (first, second) = halves(room);
    let prominent = words(buffer, first, look, "prominent words", &topic.words);
    let characteristic = words(buffer, second, look, "characteristic words", &topic.characteristic);
    let used = (first.y + prominent).max(second.y + characteristic) - inside.y;
    let used = if room.width == inside.width { used } else { room.height };
    let rest = parts::lines(buffer, parts::below(inside, used), &documents);
    parts::lines(buffer, rest, &metrics);
}

fn title(topic: &Topic) -> String {
    let mut title = format!("topic {}", topic.topic);
    if let Some(label) = &topic.label {
        title.push_str(&format!(" \"{label}\""));
    }
    title.push_str(&format!(", weight {}", text::percent(topic.weight)));
    if let Some(anchor) = &topic.anchor {
        title.push_str(&format!(", anchor {anchor}"));
    }
    title
}

/// Draws the picture of a topic at the left; returns what is beside it.
fn beside_picture(
    images: &TopicImages,
    topic: &Topic,
    look: Look,
    area: Rect,
    buffer: &mut Buffer,
) -> Rect {
    let (width, _) = topic_image::size(images);
    let width = width.min(area.width / 2);
    let picture = Rect { x: area.x + 2, width, ..area };
    topic_image::draw(images, topic.topic as usize, look, picture, buffer);
    let used = (width + 5).min(area.width);
    Rect { x: area.x + used, width: area.width - used, ..area }
}

/// The documents that are most about a topic, as many as a third of the room has rows for.
fn documents(screen: &RunScreen, topic: &Topic, look: Look, area: Rect) -> Vec<Line<'static>> {
    let mut lines = vec![Line::styled(" documents that are most about it", look.heading())];
    match screen.documents_of(topic.topic) {
        Some(Found::Here(Ok(found))) => {
            let rows = usize::from(area.height / 3).max(3);
            lines.extend(found.iter().take(rows).map(|found| {
                let document = &found.document;
                let name = document.title.as_ref().unwrap_or(&document.key);
                let width = usize::from(area.width).saturating_sub(12);
                Line::raw(format!(" {:>6}  {}", text::percent(found.share), text::cut(name, width)))
            }));
        }
        Some(Found::Here(Err(error))) => {
            lines.extend(parts::paragraph(error, area.width, look.bad()));
        }
        _ => lines.push(Line::raw("         looking them up")),
    }
    lines
}

/// Two halves side by side, or one above the other where that would leave no room for bars.
fn halves(area: Rect) -> (Rect, Rect) {
    if area.width < SIDE_BY_SIDE && area.height >= ONE_ABOVE_THE_OTHER {
        let half = area.height / 2;
        return (Rect { height: half, ..area }, parts::below(area, half));
    }
    let half = area.width / 2;
    let left = Rect { width: half.saturating_sub(1), ..area };
    (left, Rect { x: area.x + half, width: area.width - half, ..area })
}

/// Draws words with bars of their probabilities; returns the rows used.
fn words(buffer: &mut Buffer, area: Rect, look: Look, title: &str, words: &[Word]) -> u16 {
    if words.is_empty() || area.height < 2 {
        return 0;
    }
    let width = usize::from(area.width);
    let name = (width / 3).clamp(8, 20);
    let bars = width.saturating_sub(name + PROBABILITY + 4).min(30);
    let most = words.iter().map(|word| word.probability).fold(0.0, f64::max);
    let mut lines = vec![Line::styled(format!(" {title}"), look.heading())];
    for word in words.iter().take(usize::from(area.height) - 1) {
        lines.push(Line::from(vec![
            Span::raw(format!(" {}", text::left(&word.word, name))),
            Span::raw(format!(" {} ", text::right(&text::measure(word.probability), PROBABILITY))),
            Span::styled(parts::bar(word.probability / most, bars), look.bar()),
        ]));
    }
    parts::lines(buffer, area, &lines);
    lines.len() as u16
}
