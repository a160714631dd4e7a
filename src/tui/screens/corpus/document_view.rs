//! A document: its text with words in the colours of their topics, and what the colours mean.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use topoi_core::numbers::thousands;

use super::hits::lit;
use super::question::DocumentDetail;
use crate::tui::screens::corpus::document::{DocumentState, word_columns};
use crate::tui::screens::corpus::wrap::mark;
use crate::tui::threads::cache::LegendTopic;
use crate::tui::view::hit_areas::{self, Target};
use crate::tui::view::layout;
use crate::tui::view::look::Appearance;
use crate::tui::view::parts;
use crate::tui::view::table::{RecordColumns, Table};
use crate::tui::view::text;

/// Entries of the legend below a document.
const LEGEND: u16 = 5;

/// The style of words that were searched for.
const HIT: Modifier = Modifier::UNDERLINED;

/// Divides the body between a document and the legend of its colours.
fn split(body: Rect) -> layout::Split {
    if body.width >= BESIDE_FROM {
        return layout::split_from(BESIDE_FROM, layout::Shares { beside: 60, below: 50 }, body);
    }
    let legend = (LEGEND + 1).min(body.height / 3);
    let list = Rect { height: body.height - legend, ..body };
    let detail = Rect { y: list.bottom(), height: legend, ..body };
    layout::Split { list, detail, between: None }
}

/// From this width on, the legend is beside the text.
const BESIDE_FROM: u16 = 120;

/// Cells of a line of the text.
pub fn text_cells(body: Rect) -> usize {
    usize::from(split(body).list.width.saturating_sub(2)).max(1)
}

/// Lines of the text or words that are seen at once.
pub fn rows(reading: &DocumentState, body: Rect) -> usize {
    let parts = split(body);
    if reading.in_legend {
        return usize::from(parts.detail.height.saturating_sub(1)).max(1);
    }
    let above = u16::from(reading.shows_words()) + fields_rows(reading);
    usize::from(parts.list.height.saturating_sub(1 + above)).max(1)
}

/// Draws the document that is read.
pub fn draw(reading: &DocumentState, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let Some(sheet) = &reading.sheet else {
        let inside = parts::titled(buffer, area, look, "Document");
        parts::lines(buffer, inside, &[Line::from(" reading the document")]);
        return;
    };
    let split = split(area);
    let inside = parts::titled(buffer, split.list, look, &title(sheet));
    let inside = match fields_rows(reading) {
        0 => inside,
        _ => parts::lines(buffer, inside, &[fields(sheet, look, inside.width)]),
    };
    if reading.shows_words() {
        words(reading, look, inside, buffer);
    } else {
        lines(reading, look, inside, buffer);
    }
    if let Some(between) = split.between {
        parts::stroke(buffer, between, look);
    }
    legend(reading, look, sheet, split.detail, buffer);
}

fn title(sheet: &DocumentDetail) -> String {
    let document = &sheet.document;
    let name = match &document.title {
        Some(title) => format!("{}: {title}", document.key),
        None => document.key.clone(),
    };
    let cut = if sheet.is_cut { ", the beginning" } else { "" };
    let place = sheet.chunk.as_ref().map(|chunk| {
        format!("chunk {} of {}: P, ", thousands(chunk.position), thousands(chunk.chunks))
    });
    let place = place.unwrap_or_default();
    format!("{name} ({place}{} tokens{cut})", thousands(document.tokens))
}

fn style(reading: &DocumentState, look: Appearance, rank: Option<usize>) -> Style {
    let Some(rank) = rank else { return Style::new() };
    let style = look.topic(rank);
    match reading.rank(reading.lit) == Some(rank) {
        true => style.add_modifier(Modifier::REVERSED),
        false => style,
    }
}

fn lines(reading: &DocumentState, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let visible = reading.list.visible(&reading.lines);
    let seen = visible.iter().skip(reading.list.cursor);
    // A passage that led here is shown as hits are.
    let passage = reading.led_here().filter(|_| reading.hits().is_empty());
    let hits = passage.as_ref().map_or(reading.hits(), std::slice::from_ref);
    for (y, line) in (area.top()..area.bottom()).zip(seen) {
        let spans = line.iter().flat_map(|span| {
            let plain = style(reading, look, span.rank);
            let under = match reading.is_selected(span) {
                true => Modifier::UNDERLINED | Modifier::BOLD,
                false => Modifier::empty(),
            };
            let plain = plain.add_modifier(under);
            let style = move |is_hit| if is_hit { plain.add_modifier(HIT) } else { plain };
            let parts = lit(&span.text, span.at, hits).into_iter();
            parts.map(move |(text, is_hit)| Span::styled(text.to_string(), style(is_hit)))
        });
        let line = Line::from_iter(std::iter::once(Span::raw(" ")).chain(spans));
        buffer.set_line(area.x, y, &line, area.width);
    }
}

fn words(reading: &DocumentState, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let visible = reading.visible_words();
    let all = word_columns();
    let listed = RecordColumns::new(&all, area.width);
    let (columns, len) = (&listed.columns, visible.len());
    let table = Table { columns, list: &reading.list, len, focused: !reading.in_legend };
    table.draw(buffer, area, look, |index| {
        let row = visible[index];
        let rank = reading.rank(row.topic);
        let style = style(reading, look, rank);
        let mut cells = listed.cells(row);
        if let Some(at) = listed.place("word") {
            let marked = rank.filter(|_| reading.marks).map_or("", mark);
            cells[at] = Span::styled(format!("{}{marked}", row.word), style);
        }
        if let Some(at) = listed.place("topic") {
            cells[at].style = style;
        }
        cells
    });
}

fn legend(
    reading: &DocumentState,
    look: Appearance,
    sheet: &DocumentDetail,
    area: Rect,
    buffer: &mut Buffer,
) {
    let title = match sheet.run {
        Some(run) if reading.in_legend => {
            format!("Topics of its words by run {run}: Enter shows the documents of one")
        }
        Some(run) => format!("Topics of its words by run {run}: Tab goes there"),
        None => "no run of this corpus has topics yet: n starts one".into(),
    };
    let inside = parts::titled(buffer, area, look, &title);
    let shown = reading.legend.visible(&sheet.legend);
    let window = reading.legend.window(shown.len(), usize::from(inside.height));
    for (y, index) in (inside.top()..inside.bottom()).zip(window) {
        let is_selected = reading.in_legend && index == reading.legend.cursor;
        let line = entry(reading, look, shown[index], is_selected);
        buffer.set_line(inside.x, y, &line, inside.width);
        let whole = Rect { y, height: 1, ..inside };
        hit_areas::mark(whole, Target::Row { place: index, focused: reading.in_legend });
        if is_selected {
            buffer.set_style(Rect { y, height: 1, ..inside }, look.selected());
        }
    }
}

fn entry(
    reading: &DocumentState,
    look: Appearance,
    topic: &LegendTopic,
    is_selected: bool,
) -> Line<'static> {
    let rank = reading.rank(Some(topic.topic));
    let number = rank.filter(|_| reading.marks).map_or("", mark);
    let name = format!("{}{number}", text::cut(&topic.name, 20));
    let others = topic.words.iter().filter(|word| **word != topic.name);
    let others: Vec<&str> = others.map(String::as_str).collect();
    let share = text::align_right(&text::percent(topic.share), 6);
    let mark = if is_selected { ">" } else { " " };
    Line::from(vec![
        Span::raw(format!("{mark}{share} {} ", text::align_right(&topic.topic.to_string(), 3))),
        Span::styled(name, style(reading, look, rank)),
        Span::raw(format!("  {}", text::clean(&others.join(" ")))),
    ])
}

/// Rows for what else the source says of the document.
fn fields_rows(reading: &DocumentState) -> u16 {
    u16::from(reading.sheet.as_ref().is_some_and(|sheet| !sheet.fields.is_empty()))
}

fn fields(sheet: &DocumentDetail, look: Appearance, width: u16) -> Line<'static> {
    let mut free = usize::from(width).saturating_sub(1);
    let mut spans = vec![Span::raw(" ")];
    for (name, value) in &sheet.fields {
        let value = format!(" {}   ", text::cut(value, free));
        let name = text::clean(name);
        let used = text::width(&name) + text::width(&value);
        if used > free + 3 {
            break;
        }
        free = free.saturating_sub(used);
        spans.extend([Span::styled(name, look.heading()), Span::raw(value)]);
    }
    Line::from(spans)
}
