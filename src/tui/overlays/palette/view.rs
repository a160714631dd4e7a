//! The palette over a screen: what is typed, and what answers to it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use super::Palette;
use crate::tui::view::look::Appearance;
use crate::tui::view::{hit_areas, text};

const WIDEST: u16 = 100;
/// Cells for where an entry belongs, where there is room.
const OF: usize = 14;
const KEY: usize = 9;

pub fn draw(palette: &Palette, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let width = WIDEST.min(area.width.saturating_sub(4));
    let boxed = Rect { x: area.x + (area.width - width) / 2, width, ..area };
    Clear.render(boxed, buffer);
    let block = Block::bordered().border_style(look.rule()).title(" Do or go to ");
    let inside = block.inner(boxed);
    block.render(boxed, buffer);
    let typed = palette.typed.line(look, " :", usize::from(inside.width));
    buffer.set_line(inside.x, inside.y, &typed, inside.width);
    let rows = Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside };
    let entries = palette.entries();
    if entries.is_empty() {
        let nothing = " nothing of that name: no action, topic, run, corpus or document";
        buffer.set_line(rows.x, rows.y, &Line::raw(nothing), rows.width);
    }
    let window = palette.list.window(entries.len(), rows.height.into());
    for (y, place) in (rows.y..rows.bottom()).zip(window) {
        let entry = &entries[place];
        let words = usize::from(rows.width).saturating_sub(OF + KEY + 6);
        let line = Line::from(vec![
            Span::raw(if place == palette.list.cursor { " > " } else { "   " }),
            Span::raw(text::align_left(&entry.words, words)),
            Span::styled(format!(" {} ", text::align_left(&entry.of, OF)), look.rule()),
            Span::styled(text::align_right(entry.key, KEY), look.key()),
        ]);
        buffer.set_line(rows.x, y, &line, rows.width);
        let whole = Rect { y, height: 1, ..rows };
        if place == palette.list.cursor {
            buffer.set_style(whole, look.selected());
        }
        hit_areas::mark_row(whole, place);
    }
}
