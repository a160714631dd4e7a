//! A document: its text with words in the colours of their topics, and what the colours mean.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::parts;
use super::table::{Column, Table, Width};
use crate::tui::data::{DocumentSheet, LegendTopic};
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::state::document::{COLOURS, DocumentState, mark};
use crate::tui::text;

/// Draws the document that is read.
pub fn draw(state: &State, reading: &DocumentState, area: Rect, buffer: &mut Buffer) {
    let Some(sheet) = &reading.sheet else {
        parts::titled(buffer, area, state.look, "Document");
        return;
    };
    let split = layout::document(area);
    let inside = parts::titled(buffer, split.list, state.look, &title(sheet));
    if reading.shows_words() {
        words(state, reading, inside, buffer);
    } else {
        lines(state, reading, inside, buffer);
    }
    if let Some(between) = split.between {
        parts::stroke(buffer, between, state.look);
    }
    legend(state, reading, sheet, split.detail, split.between.is_some(), buffer);
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

fn style(state: &State, reading: &DocumentState, rank: Option<usize>) -> Style {
    let Some(rank) = rank else { return Style::new() };
    let style = state.look.topic(rank);
    match reading.focus == Some(rank) {
        true => style.add_modifier(Modifier::REVERSED),
        false => style,
    }
}

fn lines(state: &State, reading: &DocumentState, area: Rect, buffer: &mut Buffer) {
    let visible = reading.visible_lines();
    let seen = visible.iter().skip(reading.list.cursor);
    for (y, line) in (area.top()..area.bottom()).zip(seen) {
        let spans = line
            .iter()
            .map(|(text, rank)| Span::styled(text.clone(), style(state, reading, *rank)));
        let line = Line::from_iter(std::iter::once(Span::raw(" ")).chain(spans));
        buffer.set_line(area.x, y, &line, area.width);
    }
}

fn words(state: &State, reading: &DocumentState, area: Rect, buffer: &mut Buffer) {
    let visible = reading.visible_words();
    let columns = [
        Column::text("word", Width::Share(1)),
        Column::number("count", 8),
        Column::number("topic", 7),
    ];
    let table = Table { columns: &columns, list: &reading.list, len: visible.len(), focused: true };
    table.draw(buffer, area, state.look, |index| {
        let row = visible[index];
        let rank = reading.rank(row.topic);
        let style = style(state, reading, rank);
        let marked = rank.filter(|_| reading.marks).map_or("", mark);
        vec![
            Span::styled(format!("{}{marked}", row.word), style),
            Span::raw(text::count(row.count)),
            Span::styled(row.topic.map(|topic| topic.to_string()).unwrap_or_default(), style),
        ]
    });
}

fn legend(
    state: &State,
    reading: &DocumentState,
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
    let inside = parts::titled(buffer, area, state.look, &title);
    let entries: Vec<(usize, &LegendTopic)> =
        sheet.legend.iter().take(COLOURS).enumerate().collect();
    if is_beside {
        let lines = entries.iter().flat_map(|&(rank, topic)| {
            let words = format!("            {}", topic.words.join(" "));
            let cells = usize::from(inside.width);
            [entry(state, reading, rank, topic, true), Line::raw(text::cut(&words, cells))]
        });
        parts::lines(buffer, inside, &lines.collect::<Vec<_>>());
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
            let line = entry(state, reading, rank, topic, false);
            buffer.set_line(place.x, place.y, &line, place.width);
        }
    }
}

fn entry(
    state: &State,
    reading: &DocumentState,
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
        Span::styled(name, style(state, reading, Some(rank))),
        Span::raw(format!(" {}", others.join(" "))),
    ])
}
