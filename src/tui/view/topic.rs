//! A topic in full: its prominent words, its characteristic words, its metrics.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::parts;
use crate::store::topic::{Topic, Word};
use crate::tui::look::Look;
use crate::tui::text;

/// Cells for a probability.
const PROBABILITY: usize = 7;

/// Narrower than this, two lists of words stand one above the other,
const SIDE_BY_SIDE: u16 = 54;
/// if there are this many rows.
const ONE_ABOVE_THE_OTHER: u16 = 12;

/// Draws a topic.
pub fn draw(topic: &Topic, metrics: &[(&str, f64)], look: Look, area: Rect, buffer: &mut Buffer) {
    let mut title = format!("topic {}", topic.topic);
    if let Some(label) = &topic.label {
        title.push_str(&format!(" \"{label}\""));
    }
    title.push_str(&format!(", weight {}", text::percent(topic.weight)));
    if let Some(anchor) = &topic.anchor {
        title.push_str(&format!(", anchor {anchor}"));
    }
    let inside = parts::titled(buffer, area, look, &title);
    let metrics = parts::values(look, metrics, area.width);
    let rows = inside.height.saturating_sub(metrics.len() as u16);
    let (first, second) = halves(Rect { height: rows, ..inside });
    let prominent = words(buffer, first, look, "prominent words", &topic.words);
    let characteristic = words(buffer, second, look, "characteristic words", &topic.characteristic);
    let used = (first.y + prominent).max(second.y + characteristic) - inside.y;
    parts::lines(buffer, parts::below(inside, used), &metrics);
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
