//! The documents that were found, a line each: its key and what was found in it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::SearchScreen;
use super::question::{IndexState, SearchAnswer};
use crate::tui::view::hit_areas;
use crate::tui::view::look::Appearance;
use crate::tui::view::{parts, text};
use topoi_core::numbers::thousands;
use topoi_ingest::search::snippet::Piece;
use topoi_ingest::search::{SearchHit, SearchOrder, SearchResults};

/// Rows of the list on the screen, below the title.
pub fn rows(body: Rect) -> usize {
    usize::from(body.height.saturating_sub(1)).max(1)
}

pub fn draw(screen: &SearchScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let Some(answer) = &screen.answer else {
        parts::titled(buffer, area, look, "Search");
        return;
    };
    let inside = parts::titled(buffer, area, look, &title(screen, answer));
    match (&answer.found, answer.index) {
        (_, IndexState::Wanted { bytes, seconds, done }) => {
            let total = answer.corpus.as_ref().map_or(0, |corpus| corpus.documents);
            wanted(screen, look, inside, (bytes, seconds, done, total), buffer);
        }
        (None, _) if screen.asked.is_some() => {}
        (None, _) => help(look, inside, buffer),
        (Some(Err(error)), _) => {
            parts::lines(buffer, inside, &parts::paragraph(error, inside.width, look.warning()));
        }
        (Some(Ok(found)), _) if found.total == 0 => {
            parts::lines(buffer, inside, &[Line::raw(" No document has this.")]);
        }
        (Some(Ok(_)), _) => list(screen, look, inside, buffer),
    }
}

fn title(screen: &SearchScreen, answer: &SearchAnswer) -> String {
    let Some(corpus) = &answer.corpus else { return "Search: there is no corpus yet".into() };
    let query = screen.asked.as_deref().unwrap_or_default();
    match &answer.found {
        Some(Ok(found)) => format!("{}: {query}: {}", corpus.name, count(found)),
        _ if query.is_empty() => {
            format!("{}: {} documents", corpus.name, thousands(corpus.documents))
        }
        _ => format!("{}: {query}", corpus.name),
    }
}

fn count(found: &SearchResults) -> String {
    let shown = found.documents.len() as u64;
    let all = match found.total {
        1 => "1 document".into(),
        total => format!("{} documents", thousands(total)),
    };
    match found.order {
        _ if shown == found.total && found.order == SearchOrder::Document => all,
        SearchOrder::Relevance if shown == found.total => format!("{all}, the most relevant first"),
        SearchOrder::Relevance => format!("{all}, the {} most relevant", thousands(shown)),
        SearchOrder::Document => format!("{all}, the first {}", thousands(shown)),
    }
}

fn list(screen: &SearchScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let visible = screen.visible();
    let keys = visible.iter().map(|row| text::width(&row.document.key)).max().unwrap_or(0);
    let keys = keys.clamp(4, usize::from(area.width) / 5);
    let shown = screen.list.window(visible.len(), usize::from(area.height));
    for (y, at) in (area.top()..area.bottom()).zip(shown) {
        let is_selected = at == screen.list.cursor;
        let line = row(visible[at], look, keys, usize::from(area.width), is_selected);
        buffer.set_line(area.x, y, &line, area.width);
        hit_areas::mark_row(Rect { y, height: 1, ..area }, at);
        if is_selected {
            buffer.set_style(Rect { y, height: 1, ..area }, look.selected());
        }
    }
}

fn row(row: &SearchHit, look: Appearance, keys: usize, width: usize, mark: bool) -> Line<'static> {
    let key = text::align_left(&text::cut_start(&row.document.key, keys), keys);
    let mut spans = vec![Span::raw(format!("{} {key}  ", if mark { ">" } else { " " }))];
    let titles = if width >= 120 { width / 5 } else { 0 };
    if titles > 0 {
        let title = row.document.title.as_deref().unwrap_or_default();
        spans.push(Span::raw(format!("{}  ", text::align_left(title, titles - 2))));
    }
    let mut left = width.saturating_sub(keys + 4 + titles);
    for (text, is_hit) in in_sight(&row.snippet, left) {
        let fits = text::width(&text) <= left;
        let shown = text::cut(&text, left);
        left -= text::width(&shown).min(left);
        spans.push(Span::styled(shown, if is_hit { hit(look) } else { Style::new() }));
        if !fits {
            break;
        }
    }
    Line::from(spans)
}

/// The pieces of a snippet, of which the first begins so late that the first hit is in the middle of `width` cells, or
/// before it.
fn in_sight(snippet: &[Piece], width: usize) -> Vec<(String, bool)> {
    let mut pieces: Vec<(String, bool)> =
        snippet.iter().map(|piece| (piece.text.clone(), piece.is_hit)).collect();
    if let [(before, false), (hit, true), ..] = &mut pieces[..] {
        let room = width.saturating_sub(text::width(hit).min(width)) / 2;
        *before = text::cut_start(before, room);
    }
    pieces
}

/// The style of what was searched for.
pub fn hit(look: Appearance) -> Style {
    look.key().add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
}

fn help(look: Appearance, area: Rect, buffer: &mut Buffer) {
    let example = |query: &str, meaning: &str| {
        Line::from(vec![
            Span::styled(format!("   {}", text::align_left(query, 26)), look.key()),
            Span::raw(format!(" {meaning}")),
        ])
    };
    let lines = [
        Line::raw(" Type a query and press Enter; F changes it later, Tab shows every occurrence."),
        Line::raw(""),
        example("market price", "both words"),
        example("\"stock exchange\"", "one after the other"),
        example("market OR bank*", "either; words that begin so"),
        example("wom?n  \"the * of Greece\"", "one letter or another; any word"),
        example("oil NEAR/5 price", "with five words between them at most"),
        example("market NOT (stock bond)", "without those that have both"),
        example("year:1815..1816 title:sea", "from one value of a field to another; in the title"),
    ];
    parts::lines(buffer, area, &lines);
}

fn wanted(
    screen: &SearchScreen,
    look: Appearance,
    area: Rect,
    (bytes, seconds, done, total): (u64, f64, u64, u64),
    buffer: &mut Buffer,
) {
    let share = done as f64 / total.max(1) as f64;
    let size = format!("{} in the store, {}", text::memory(bytes), text::duration(seconds));
    let words = match (screen.factor_job.is_some(), done) {
        (false, 0) => format!(
            "A search of these texts takes an index, made once: about {size}. Enter makes it."
        ),
        (false, _) => format!(
            "{} of {} documents are in the index. The next search takes in the others.",
            thousands(done),
            thousands(total)
        ),
        (true, _) => format!(
            "Making the index, once: {} of {} documents; about {size}. It continues when the workbench is left.",
            thousands(done),
            thousands(total)
        ),
    };
    let below = parts::lines(buffer, area, &parts::paragraph(&words, area.width, Style::new()));
    if done > 0 || screen.factor_job.is_some() {
        let cells = usize::from(area.width.saturating_sub(12)).min(60);
        let line = format!(" {} {}", parts::gauge(share, cells), text::percent(share));
        parts::lines(buffer, below, &[Line::raw(""), Line::styled(line, look.bar())]);
    }
}
