//! Three and more runs as a table: a row for each topic of the first run, a column for each other run.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use super::CompareScreen;
use crate::records::column::Width;
use crate::tui::view::layout::Split;
use crate::tui::view::look::Appearance;
use crate::tui::view::parts;
use crate::tui::view::table::{Column, Table};
use crate::tui::view::text;
use topoi_run::saved::compare::{Comparison, WEAK};
use topoi_store::id::TopicNumber;
use topoi_store::result::topic::Topic;

/// Cells of the column of a run, and of the columns before them.
const RUN: usize = 10;
const BEFORE: usize = 2 + 5 + 2 + 20 + 2;

pub fn draw(
    compare: &CompareScreen,
    found: &Comparison,
    look: Appearance,
    split: Split,
    buffer: &mut Buffer,
) {
    let Some(first) = found.runs.first() else { return };
    let others: Vec<usize> = shown(compare, found, split.list.width);
    let id = first.run.id;
    let left_out = found.alignments.len() - others.len();
    let more = match left_out {
        0 => String::new(),
        left_out => format!("; {left_out} more runs by Tab"),
    };
    let title = format!("Topics of run {id}, and their matches: number and cosine{more}");
    let inside = parts::titled(buffer, split.list, look, &title);
    let names: Vec<String> =
        others.iter().map(|&at| format!("run {}", found.runs[at + 1].run.id)).collect();
    let mut columns = vec![Column::number("topic", 5), Column::text("words", Width::Share(1))];
    columns.extend(names.iter().map(|name| Column::number(name, RUN)));
    let table =
        Table { columns: &columns, list: &compare.all, len: compare.all.len(), focused: true };
    table.draw(buffer, inside, look, |index| {
        let Some(topic) = compare.all.row(&first.topics, index) else { return Vec::new() };
        let mut cells = vec![Span::raw(topic.topic.to_string()), Span::raw(words(topic))];
        cells.extend(others.iter().map(|&at| match match_of(found, at, topic.topic) {
            Some((other, alike)) if alike >= WEAK => Span::raw(format!("{other}  {alike:.2}")),
            Some((other, alike)) => Span::styled(format!("{other} {alike:.2}?"), look.warning()),
            None => Span::raw("-"),
        }));
        cells
    });
    if let Some(between) = split.between {
        parts::stroke(buffer, between, look);
    }
    let Some(topic) = compare.all.selected(&first.topics) else { return };
    let title = format!("topic {} of run {id} and its matches", topic.topic);
    let mut rest = parts::titled(buffer, split.detail, look, &title);
    let cells = usize::from(split.detail.width);
    let line = |name: String, words: String| {
        Line::from(vec![
            Span::styled(format!(" {} ", text::align_left(&name, 16)), look.heading()),
            Span::raw(text::cut(&words, cells.saturating_sub(19))),
        ])
    };
    rest = parts::lines(buffer, rest, &[line(format!("run {id}"), words(topic))]);
    for (at, other) in found.runs[1..].iter().enumerate() {
        let found = match_of(found, at, topic.topic);
        let matched = found.and_then(|(number, alike)| {
            let topic = other.topics.iter().find(|topic| topic.topic == number)?;
            Some((format!("run {} {alike:.2}", other.run.id), words(topic)))
        });
        let (name, words) = matched.unwrap_or((format!("run {}", other.run.id), "no match".into()));
        rest = parts::lines(buffer, rest, &[line(name, words)]);
    }
}

/// The places of the other runs that there is room for, from the one on that Tab has chosen.
fn shown(compare: &CompareScreen, found: &Comparison, width: u16) -> Vec<usize> {
    let all = found.alignments.len();
    let room = (usize::from(width).saturating_sub(BEFORE) / (RUN + 2)).clamp(1, all.max(1));
    let first = compare.other.min(all.saturating_sub(room));
    (first..all).take(room).collect()
}

/// The topic of another run that is matched with this one, and how alike the two are.
fn match_of(found: &Comparison, other: usize, topic: TopicNumber) -> Option<(TopicNumber, f64)> {
    let pairs = &found.alignments.get(other)?.pairs;
    pairs.iter().find(|(own, ..)| *own == topic).map(|&(_, other, alike)| (other, alike))
}

fn words(topic: &Topic) -> String {
    let label = topic.label.as_ref().map(|label| format!("\u{201c}{label}\u{201d} "));
    let words: Vec<&str> = topic.words.iter().map(|word| word.word.as_str()).collect();
    label.unwrap_or_default() + &words.join(" ")
}
