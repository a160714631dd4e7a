//! A document: its text with words in the colours of their topics, and what the colours mean.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::question::DocumentSheet;
use crate::tui::screens::corpus::document::{COLOURS, DocumentState, mark, word_columns};
use crate::tui::threads::recall::LegendTopic;
use crate::tui::view::layout;
use crate::tui::view::look::Look;
use crate::tui::view::parts;
use crate::tui::view::spots::{self, Target};
use crate::tui::view::table::{Listed, Table};
use crate::tui::view::text;

/// Divides the body between a document and the legend of its colours.
fn split(body: Rect) -> layout::Split {
    if layout::is_wide(body) {
        return layout::split(layout::Shares { beside: 60, below: 50 }, body);
    }
    // A title and three lines of two topics.
    let legend = 4.min(body.height);
    let list = Rect { height: body.height - legend, ..body };
    let detail = Rect { y: list.bottom(), height: legend, ..body };
    layout::Split { list, detail, between: None }
}

/// Cells of a line of the text.
pub fn text_cells(body: Rect) -> usize {
    usize::from(split(body).list.width.saturating_sub(2)).max(1)
}

/// Lines of the text or words that are seen at once.
pub fn rows(reading: &DocumentState, body: Rect) -> usize {
    let names = u16::from(reading.shows_words());
    usize::from(split(body).list.height.saturating_sub(1 + names)).max(1)
}

/// Draws the document that is read.
pub fn draw(reading: &DocumentState, look: Look, area: Rect, buffer: &mut Buffer) {
    let Some(sheet) = &reading.sheet else {
        parts::titled(buffer, area, look, "Document");
        return;
    };
    let split = split(area);
    let inside = parts::titled(buffer, split.list, look, &title(sheet));
    if reading.shows_words() {
        words(reading, look, inside, buffer);
    } else {
        lines(reading, look, inside, buffer);
    }
    if let Some(between) = split.between {
        parts::stroke(buffer, between, look);
    }
    legend(reading, look, sheet, split.detail, split.between.is_some(), buffer);
}

fn title(sheet: &DocumentSheet) -> String {
    let document = &sheet.document;
    let name = match &document.title {
        Some(title) => format!("{}: {title}", document.key),
        None => document.key.clone(),
    };
    let cut = if sheet.is_cut { ", the beginning" } else { "" };
    format!("{name} ({} tokens{cut})", text::count(document.tokens))
}

fn style(reading: &DocumentState, look: Look, rank: Option<usize>) -> Style {
    let Some(rank) = rank else { return Style::new() };
    let style = look.topic(rank);
    match reading.rank(reading.lit) == Some(rank) {
        true => style.add_modifier(Modifier::REVERSED),
        false => style,
    }
}

fn lines(reading: &DocumentState, look: Look, area: Rect, buffer: &mut Buffer) {
    let visible = reading.list.visible(&reading.lines);
    let seen = visible.iter().skip(reading.list.cursor);
    for (y, line) in (area.top()..area.bottom()).zip(seen) {
        let spans =
            line.iter().map(|(text, rank)| Span::styled(text.clone(), style(reading, look, *rank)));
        let line = Line::from_iter(std::iter::once(Span::raw(" ")).chain(spans));
        buffer.set_line(area.x, y, &line, area.width);
    }
}

fn words(reading: &DocumentState, look: Look, area: Rect, buffer: &mut Buffer) {
    let visible = reading.visible_words();
    let all = word_columns();
    let listed = Listed::new(&all, area.width);
    let (columns, len) = (&listed.columns, visible.len());
    let table = Table { columns, list: &reading.list, len, focused: true };
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
    look: Look,
    sheet: &DocumentSheet,
    area: Rect,
    is_beside: bool,
    buffer: &mut Buffer,
) {
    let title = match sheet.run {
        Some(run) => {
            format!("share of its words and the topic they most probably come from, run {run}")
        }
        None => "no run of this corpus has topics yet: n starts one".into(),
    };
    let inside = parts::titled(buffer, area, look, &title);
    let entries: Vec<(usize, &LegendTopic)> =
        sheet.legend.iter().take(COLOURS).enumerate().collect();
    if is_beside {
        let lines = entries.iter().flat_map(|&(rank, topic)| {
            let words = format!("            {}", topic.words.join(" "));
            let cells = usize::from(inside.width);
            [entry(reading, look, rank, topic, true), Line::raw(text::cut(&words, cells))]
        });
        parts::lines(buffer, inside, &lines.collect::<Vec<_>>());
        for (rank, y) in (0..entries.len()).zip((inside.y..inside.bottom()).step_by(2)) {
            let place = Rect { y, height: 2, ..inside }.intersection(inside);
            spots::mark(place, Target::Item(rank));
        }
        return;
    }
    let half = inside.width / 2;
    for (rank, topic) in entries {
        let place = Rect {
            x: inside.x + half * (rank % 2) as u16,
            y: inside.y + (rank / 2) as u16,
            width: half,
            height: 1,
        };
        if place.y < inside.bottom() {
            let line = entry(reading, look, rank, topic, false);
            buffer.set_line(place.x, place.y, &line, place.width);
            spots::mark(place, Target::Item(rank));
        }
    }
}

fn entry(
    reading: &DocumentState,
    look: Look,
    rank: usize,
    topic: &LegendTopic,
    is_beside: bool,
) -> Line<'static> {
    let number = if reading.marks { mark(rank) } else { "" };
    let name = format!("{}{number}", text::cut(&topic.name, 20));
    let others = topic.words.iter().filter(|word| **word != topic.name);
    let others: Vec<&str> =
        others.map(String::as_str).take(if is_beside { 0 } else { 3 }).collect();
    let share = text::right(&text::percent(topic.share), 6);
    Line::from(vec![
        Span::raw(format!(" {share} {} ", text::right(&topic.topic.to_string(), 3))),
        Span::styled(name, style(reading, look, Some(rank))),
        Span::raw(format!(" {}", others.join(" "))),
    ])
}
