//! A question to confirm before something is done.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, CONFIRM, Keys};
use crate::tui::overlay::{Overlay, Reaction};
use crate::tui::view::hit_areas::{Target, mark_spans};
use crate::tui::view::parts;
use crate::tui::workbench::Workbench;

const WIDEST: u16 = 74;

#[derive(Debug, Clone, PartialEq)]
pub struct Confirm {
    pub title: String,
    /// What it will do and cost.
    pub meaning: String,
    /// What the keys for yes and no do.
    pub yes: &'static str,
    pub no: &'static str,
    pub effect: Effect,
    /// What is said when it is done.
    pub notice: String,
}

impl Overlay for Confirm {
    fn keys(&self) -> Vec<&'static Keys> {
        vec![&CONFIRM]
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> Reaction {
        match action {
            Action::Yes => {
                workbench.say(self.notice.clone());
                workbench.perform(self.effect.clone());
                Reaction::Close
            }
            Action::No => Reaction::Close,
            _ => Reaction::Stay,
        }
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        let look = workbench.look;
        let width = WIDEST.min(area.width.saturating_sub(2));
        let mut lines = parts::paragraph(&self.meaning, width - 2, Style::new());
        lines.extend([
            Line::raw(""),
            Line::from(vec![
                Span::styled(" y", look.key()),
                Span::raw(format!(" {}   ", self.yes)),
                Span::styled("n", look.key()),
                Span::raw(format!(" {}", self.no)),
            ]),
        ]);
        let height = (lines.len() as u16 + 2).min(area.height);
        let x = area.x + (area.width - width) / 2;
        let y = area.y + (area.height - height) / 2;
        let boxed = Rect { x, y, width, height };
        Clear.render(boxed, buffer);
        let block = Block::bordered().title(format!(" {} ", self.title));
        let inside = block.inner(boxed);
        block.render(boxed, buffer);
        parts::lines(buffer, inside, &lines);
        let last = lines.len() - 1;
        let answers = Rect { y: inside.y + last as u16, height: 1, ..inside }.intersection(inside);
        let targets = [Some("y"), Some("y"), Some("n"), Some("n")];
        let targets = targets.map(|key| key.map(|key| Target::Keys(key.into())));
        mark_spans(answers, lines[last].spans.iter().zip(targets));
    }
}
