//! The help: every key of the screen and what it does.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::PAGE;
use super::glossary::Glossary;
use crate::tui::keymap::{self, Action, HELP, Keys};
use crate::tui::overlay::{Overlay, Reaction};
use crate::tui::state::State;
use crate::tui::view::{parts, text};
use crate::tui::workbench::Workbench;

/// Cells for the keys of a binding.
const KEYS: usize = 24;

#[derive(Debug, Clone, PartialEq)]
pub struct Help {
    lines: Vec<Line<'static>>,
    /// The line that is drawn first.
    pub first: usize,
}

impl Help {
    /// The help of the screen that is shown.
    pub fn new(state: &State) -> Self {
        Self { lines: lines(state), first: 0 }
    }
}

/// The keys of the screen, then those of lines that are typed.
pub fn lines(state: &State) -> Vec<Line<'static>> {
    let look = state.workbench.look;
    let mut lines = Vec::new();
    let mut tables = state.screen_keys();
    let typing = state.screen().typing_keys();
    let edit = (!typing.is_empty() && state.screen().input().is_none()).then_some(&keymap::EDIT);
    tables.extend(typing.into_iter().chain(edit));
    for table in tables {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::styled(format!(" {}", table.title), look.heading()));
        lines.extend(table.bindings.iter().map(|binding| {
            let keys = format!("   {} ", text::align_left(&binding.keys.join("  "), KEYS));
            Line::from(vec![Span::styled(keys, look.key()), Span::raw(binding.help)])
        }));
    }
    lines
}

impl Overlay for Help {
    fn keys(&self) -> Vec<&'static Keys> {
        vec![&HELP]
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> Reaction {
        self.first = match action {
            Action::Down => self.first + 1,
            Action::PageDown => self.first + PAGE,
            Action::Up => self.first.saturating_sub(1),
            Action::PageUp => self.first.saturating_sub(PAGE),
            Action::Top => 0,
            Action::Bottom => self.lines.len().saturating_sub(PAGE),
            Action::Glossary => {
                workbench.overlay = Some(Box::new(Glossary::new()));
                return Reaction::Close;
            }
            _ => return Reaction::Close,
        };
        self.first = self.first.min(self.lines.len().saturating_sub(1));
        Reaction::Stay
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        Clear.render(area, buffer);
        let title = format!("Keys on {}", workbench.shown);
        let inside = parts::titled(buffer, area, workbench.look, &title);
        // The last page is a full one.
        let last = self.lines.len().saturating_sub(usize::from(inside.height));
        parts::lines(buffer, inside, &self.lines[self.first.min(last)..]);
    }
}
