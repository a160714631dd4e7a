//! A topic in full: its prominent words, its characteristic words, its metrics, and its picture
//! where words are pixels: two of them in every cell, one above the other.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::state::Found;
use super::{RunMore, RunScreen, RunSheet, RunView};
use crate::tui::view::look::Look;
use crate::tui::view::{parts, text};
use topoi::run::saved::topic_images::TopicImages;
use topoi::run::saved::topics::are_refined;
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
    let inside = parts::titled(buffer, area, look, &title(sheet, topic));
    let metrics = parts::values(look, &screen.topic_metrics(topic.topic), area.width);
    let is_in_full = screen.view == RunView::Topic;
    let documents = if is_in_full { documents(screen, topic, look, area) } else { Vec::new() };
    let below = metrics.len() + documents.len();
    let rows = inside.height.saturating_sub(below as u16).max(inside.height.min(6));
    let mut room = Rect { height: rows, ..inside };
    if let RunMore::Images(Some(images)) = &sheet.more {
        // A picture that is cut off says nothing; what is below it can be had elsewhere.
        room.height = rows.max(picture_size(images).1).min(inside.height);
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

fn title(sheet: &RunSheet, topic: &Topic) -> String {
    let mut title = format!("topic {}", topic.topic);
    if let Some(label) = &topic.label {
        title.push_str(&format!(" \"{label}\""));
    }
    title.push_str(&format!(", weight {}", text::percent(topic.weight)));
    if let Some(anchor) = &topic.anchor {
        let began = if are_refined(&sheet.metrics) { "began at anchor" } else { "anchor" };
        title.push_str(&format!(", {began} {anchor}"));
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
    let (width, _) = picture_size(images);
    let width = width.min(area.width / 2);
    let picture = Rect { x: area.x + 2, width, ..area };
    draw_picture(images, topic.topic as usize, look, picture, buffer);
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

/// A pixel is strong from this share of the strongest one on,
const STRONG: f64 = 0.5;
/// and weak from this one on.
const WEAK: f64 = 0.05;

/// Cells across and down that a picture takes.
fn picture_size(images: &TopicImages) -> (u16, u16) {
    (images.columns as u16, images.rows.div_ceil(2) as u16)
}

/// Draws the picture of a topic at the top left of `area`, as much of it as fits. Strong pixels
/// are full halves; where there are only weak ones the cell is shaded.
fn draw_picture(images: &TopicImages, topic: usize, look: Look, area: Rect, buffer: &mut Buffer) {
    let Some(picture) = images.pictures.get(topic) else { return };
    let most = picture.iter().copied().fold(0.0, f64::max);
    let value = |row: usize, column: usize| {
        let at = (row < images.rows).then(|| row * images.columns + column);
        at.and_then(|at| picture.get(at)).copied().unwrap_or(0.0) / most.max(f64::MIN_POSITIVE)
    };
    let (width, height) = picture_size(images);
    for y in 0..height.min(area.height) {
        for x in 0..width.min(area.width) {
            let row = usize::from(y) * 2;
            let (up, down) = (value(row, usize::from(x)), value(row + 1, usize::from(x)));
            let (symbol, is_strong) = match (up >= STRONG, down >= STRONG) {
                (true, true) => ("█", true),
                (true, false) => ("▀", true),
                (false, true) => ("▄", true),
                _ if up >= WEAK && down >= WEAK => ("▒", false),
                _ if up >= WEAK || down >= WEAK => ("░", false),
                _ => continue,
            };
            buffer.set_string(area.x + x, area.y + y, symbol, look.pixel(is_strong));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strong_pixels_are_halves_and_weak_ones_shades() {
        let picture = vec![0.5, 0.0, 0.5, 0.1, 0.0, 0.5, 0.5, 0.1, 0.1, 0.0, 0.0, 0.0];
        let images = TopicImages { rows: 3, columns: 4, pictures: vec![picture] };
        let area = Rect::new(0, 0, 4, 2);
        let mut buffer = Buffer::empty(area);
        draw_picture(
            &images,
            0,
            Look { colour: false, ..crate::tui::tests::user::look() },
            area,
            &mut buffer,
        );
        let drawn: Vec<&str> = buffer.content.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(drawn.concat(), "▀▄█▒░   ");
    }
}
