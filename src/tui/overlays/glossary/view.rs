//! The glossary over a screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::Glossary;
use crate::tui::view::look::Appearance;
use crate::tui::view::{parts, text};

/// Cells for the words.
const WORD: usize = 24;

pub fn draw(glossary: &Glossary, look: Appearance, area: Rect, buffer: &mut Buffer) {
    Clear.render(area, buffer);
    let inside = parts::titled(buffer, area, look, "Words and metrics");
    let found = glossary.found();
    let count = format!("   {} found", found.len());
    let cells = usize::from(inside.width).saturating_sub(count.len());
    let mut typed = glossary.typed.line(look, " word: ", cells);
    typed.push_span(Span::raw(count));
    let rest = parts::lines(buffer, inside, &[typed, Line::default()]);
    let cells = usize::from(rest.width).saturating_sub(WORD + 3).max(1);
    let lines = found.iter().skip(glossary.list.cursor).flat_map(|entry| {
        let name = text::align_left(&entry.word, WORD);
        let wrapped = text::wrap(&entry.meaning, cells).into_iter().enumerate();
        wrapped.map(move |(at, line)| {
            let name = if at == 0 { name.clone() } else { " ".repeat(WORD) };
            Line::from(vec![Span::styled(format!(" {name} "), look.heading()), Span::raw(line)])
        })
    });
    let lines: Vec<Line> = lines.take(usize::from(rest.height)).collect();
    parts::lines(buffer, rest, &lines);
}
