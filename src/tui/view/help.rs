//! The help: the key table, for the screen below it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::parts;
use crate::tui::keymap::{BINDINGS, Context};
use crate::tui::state::{Screen, State};
use crate::tui::text;

/// Cells for the keys of a binding.
const KEYS: usize = 24;

/// The lines of the help: what holds on the screen, then what holds while typing a filter.
pub fn lines(state: &State) -> Vec<Line<'static>> {
    let look = state.look;
    let mut contexts = state.screen_contexts();
    if state.screen != Screen::Launch {
        contexts.push(Context::Filter);
    }
    if state.screen == Screen::Run {
        contexts.push(Context::Naming);
    }
    let mut lines = Vec::new();
    for context in contexts {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::styled(format!(" {}", context.title()), look.heading()));
        for binding in BINDINGS.iter().filter(|binding| binding.context == context) {
            lines.push(Line::from(vec![
                Span::styled(
                    format!("   {} ", text::left(&binding.keys.join("  "), KEYS)),
                    look.key(),
                ),
                Span::raw(binding.help),
            ]));
        }
    }
    lines
}

/// Draws the help from its line `first` on.
pub fn draw(state: &State, first: usize, area: Rect, buffer: &mut Buffer) {
    Clear.render(area, buffer);
    let title = format!("Keys on {}", state.screen.name());
    let inside = parts::titled(buffer, area, state.look, &title);
    let lines = lines(state);
    // The last page is a full one.
    let first = first.min(lines.len().saturating_sub(usize::from(inside.height)));
    parts::lines(buffer, inside, &lines[first..]);
}
