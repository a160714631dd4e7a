//! The help: the key table, for the screen below it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::parts;
use crate::tui::state::State;
use crate::tui::view::text;

/// Cells for the keys of a binding.
const KEYS: usize = 24;

/// The lines of the help: what holds on the screen, then what holds while something is typed.
pub fn lines(state: &State) -> Vec<Line<'static>> {
    let look = state.bench.look;
    let mut lines = Vec::new();
    for table in state.screen_keys().into_iter().chain(state.screen().typing_keys()) {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::styled(format!(" {}", table.title), look.heading()));
        lines.extend(table.bindings.iter().map(|binding| {
            let keys = format!("   {} ", text::left(&binding.keys.join("  "), KEYS));
            Line::from(vec![Span::styled(keys, look.key()), Span::raw(binding.help)])
        }));
    }
    lines
}

/// Draws the help from its line `first` on.
pub fn draw(state: &State, first: usize, area: Rect, buffer: &mut Buffer) {
    Clear.render(area, buffer);
    let title = format!("Keys on {}", state.bench.shown);
    let inside = parts::titled(buffer, area, state.bench.look, &title);
    let lines = lines(state);
    // The last page is a full one.
    let first = first.min(lines.len().saturating_sub(usize::from(inside.height)));
    parts::lines(buffer, inside, &lines[first..]);
}
