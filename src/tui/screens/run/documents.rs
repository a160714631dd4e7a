//! The documents that are most about a topic: what they are called, and where they speak of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{RunScreen, topic};
use crate::tui::list::ListState;
use crate::tui::threads::cache::topic_documents::{DOCUMENTS, DocumentLine};
use crate::tui::view::hit_areas;
use crate::tui::view::look::Appearance;
use crate::tui::view::{parts, text};
use topoi_store::result::topic::Topic;

/// Rows of a document: its name, and the text around the topic's words.
const ROWS: u16 = 2;
/// Cells of mark and share.
const SHARE: usize = 9;
/// Cells for the key of a document that has a name.
const KEY: usize = 24;

/// Documents on the screen at once.
pub fn rows(area: Rect) -> usize {
    usize::from(area.height.saturating_sub(1) / ROWS).max(1)
}

pub fn draw(screen: &RunScreen, look: Appearance, topic: &Topic, area: Rect, buffer: &mut Buffer) {
    let shown = screen.found.visible(screen.lines());
    let inside = parts::titled(buffer, area, look, &title(screen, topic));
    let found = screen.documents().map(|documents| &documents.found);
    let said = match found {
        None => vec![Line::raw(" looking them up")],
        Some(Err(error)) => parts::paragraph(error, area.width, look.bad()),
        Some(Ok(all)) if all.is_empty() => vec![Line::raw(" No document has any of this topic.")],
        Some(Ok(_)) => Vec::new(),
    };
    parts::lines(buffer, parts::below(inside, 1), &said);
    list(&screen.found, &shown, look, inside, buffer);
}

/// Draws those that are to be seen, with the one under the cursor marked.
pub fn list(
    list: &ListState,
    shown: &[&DocumentLine],
    look: Appearance,
    inside: Rect,
    buffer: &mut Buffer,
) {
    for (y, index) in lines(list, shown.len(), inside) {
        let line = shown[index];
        let is_selected = index == list.cursor;
        let area = Rect { y, height: 1, ..inside };
        buffer.set_line(area.x, y, &name(line, is_selected, area.width), area.width);
        if is_selected {
            buffer.set_style(area, look.selected());
        }
        hit_areas::mark_row(Rect { height: ROWS, ..area }.intersection(inside), index);
        if y + 1 < inside.bottom() {
            buffer.set_line(area.x, y + 1, &snippet(line, look, area.width.into()), area.width);
        }
    }
}

fn title(screen: &RunScreen, topic: &Topic) -> String {
    let found = screen.lines().len();
    let many = match found {
        0 => String::new(),
        DOCUMENTS.. => format!(": the first {found}"),
        _ => format!(": {found}"),
    };
    format!("Documents most about {}{many}", topic::title(screen, topic))
}

/// The rows at which documents begin, and which.
fn lines(list: &ListState, len: usize, area: Rect) -> impl Iterator<Item = (u16, usize)> {
    let window = list.window(len, usize::from(area.height / ROWS).max(1));
    (area.y..area.bottom()).step_by(usize::from(ROWS)).zip(window)
}

fn name(line: &DocumentLine, is_selected: bool, width: u16) -> Line<'static> {
    let mark = if is_selected { ">" } else { " " };
    let share = text::align_right(&text::percent(line.share), 6);
    let room = usize::from(width).saturating_sub(SHARE + 1);
    let key = &line.document.key;
    let named = match (line.name.is_empty(), text::width(key).min(KEY)) {
        (true, _) => text::cut(key, room),
        (false, cells) => {
            let name = text::align_left(&line.name, room.saturating_sub(cells + 2));
            format!("{name}  {}", text::cut(key, cells))
        }
    };
    Line::raw(format!("{mark} {share} {named}"))
}

/// The passage that has most of the topic's words, cut where `width` ends.
fn snippet(line: &DocumentLine, look: Appearance, width: usize) -> Line<'static> {
    let mut room = width.saturating_sub(SHARE);
    let mut spans = vec![Span::raw(" ".repeat(SHARE))];
    let mut pieces = line.snippet.iter().peekable();
    while let Some(piece) = pieces.next() {
        let style = if piece.is_hit { look.topic(0).patch(look.heading()) } else { Style::new() };
        let whole = text::clean(&piece.text);
        // A cell is left for the sign that more follows.
        let fits = text::width(&whole) + usize::from(pieces.peek().is_some()) <= room;
        let shown = if fits { whole } else { text::cut(&format!("{whole} \u{2026}"), room) };
        room = room.saturating_sub(text::width(&shown));
        spans.push(Span::styled(shown, style));
        if !fits {
            break;
        }
    }
    Line::from(spans)
}
