//! Which topics of a run occur together, as a heat map.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{RunScreen, RunViewData, RunWithTopics};
use crate::tui::view::look::Appearance;
use crate::tui::view::parts;
use crate::tui::view::text;
use topoi_core::numbers::four_digits;
use topoi_run::saved::topic_lifts::TopicLifts;
use topoi_store::id::TopicNumber;
use topoi_store::result::topic::Topic;

/// How dark a lift is drawn: from these on.
const SHADES: [(f64, &str); 5] = [(8.0, "█"), (4.0, "▓"), (2.0, "▒"), (1.0, "░"), (0.5, "·")];
/// Cells for the mark, number and name of a row.
const NAME: u16 = 20;
/// Rows for what is said of the selected topic,
const DETAIL: u16 = 4;
/// which are beside a map that leaves this number of columns.
const BESIDE: u16 = 44;
pub fn draw(
    screen: &RunScreen,
    sheet: &RunWithTopics,
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let mut title =
        "Topics that share documents, times chance:  · ½  ░ 1  ▒ 2  ▓ 4  █ 8".to_string();
    let shown = columns(screen, area);
    let k = screen.list.len();
    if shown.range.len() < k {
        title.push_str(&format!(
            "  ({} to {} of {k}, < >)",
            shown.range.start + 1,
            shown.range.end
        ));
    }
    let inside = parts::titled(buffer, area, look, &title);
    let lifts = match &sheet.more {
        RunViewData::Lifts(Some(lifts)) => lifts,
        RunViewData::Lifts(None) => {
            let none = Line::raw(" This model has no correlations of topics.");
            parts::lines(buffer, parts::below(inside, 1), &[none]);
            return;
        }
        _ => return,
    };
    let topics = screen.visible();
    let used = NAME + shown.range.len() as u16 * shown.cells;
    let is_beside = inside.width >= used + BESIDE;
    let map = if is_beside {
        Rect { width: used, ..inside }
    } else {
        Rect { height: inside.height.saturating_sub(DETAIL), ..inside }
    };
    heat(screen, look, lifts, &topics, &shown, map, buffer);
    let detail = if is_beside {
        Rect { x: inside.x + used + 3, width: inside.width - used - 3, ..inside }
    } else {
        parts::below(inside, map.height)
    };
    if let Some(selected) = screen.selected() {
        neighbours(selected, sheet, lifts, look, detail, buffer);
    }
}

/// The columns that are shown, each of this number of cells.
struct ShownColumns {
    /// The first of them while nobody has scrolled.
    around: usize,
    range: Range<usize>,
    cells: u16,
}

/// Those around the selected topic, or as far from it as the user has scrolled.
fn columns(screen: &RunScreen, area: Rect) -> ShownColumns {
    let k = screen.list.len();
    let room = usize::from(area.width.saturating_sub(NAME + 1));
    let cells = if 2 * k <= room { 2 } else { 1 };
    let columns = (room / cells).min(k);
    let around = screen.list.cursor.saturating_sub(columns / 2).min(k - columns);
    let first = around.saturating_add_signed(screen.sideways).min(k - columns);
    ShownColumns { around, range: first..first + columns, cells: cells as u16 }
}

/// How far from the selected topic the columns are after a key scrolls by half of them, no further than
/// there are any.
pub fn scrolled(screen: &RunScreen, area: Rect, is_rightwards: bool) -> isize {
    let ShownColumns { around, range, .. } = columns(screen, area);
    let half = (range.len() / 2).max(1) as isize;
    let first = range.start.saturating_add_signed(if is_rightwards { half } else { -half });
    first.min(screen.list.len() - range.len()) as isize - around as isize
}

fn shade(lift: f64) -> (&'static str, usize) {
    let found = SHADES.iter().position(|&(from, _)| lift >= from);
    found.map_or((" ", 0), |at| (SHADES[at].1, 5 - at))
}

fn name(topic: &Topic) -> String {
    let first = || topic.words.first().map(|word| word.word.clone());
    topic.label.clone().or_else(first).unwrap_or_default()
}

fn heat(
    screen: &RunScreen,
    look: Appearance,
    lifts: &TopicLifts,
    topics: &[&Topic],
    shown: &ShownColumns,
    area: Rect,
    buffer: &mut Buffer,
) {
    let step = usize::from(shown.cells);
    let digits =
        topics.iter().map(|topic| topic.topic).max().unwrap_or(TopicNumber(0)).to_string().len();
    if usize::from(area.height) <= digits {
        return;
    }
    let cursor = screen.list.cursor;
    let (first, shown) = (shown.range.start, shown.range.clone());
    if first > 0 {
        buffer.set_string(area.x + NAME - 1, area.y, "‹", look.key());
    }
    if shown.end < topics.len() {
        let x = area.x + NAME + (shown.len() * step) as u16;
        buffer.set_stringn(x, area.y, "›", usize::from(area.right().saturating_sub(x)), look.key());
    }
    // The numbers of the columns are written downwards.
    for (index, topic) in shown.clone().map(|index| (index, topics[index])) {
        let style = if index == cursor { look.selected() } else { look.heading() };
        let x = area.x + NAME + ((index - first) * step) as u16;
        for (row, digit) in format!("{:>digits$}", topic.topic).chars().enumerate() {
            buffer.set_string(x, area.y + row as u16, digit.to_string(), style);
        }
    }
    let rows = parts::below(area, digits as u16);
    let window = screen.list.window(topics.len(), usize::from(rows.height));
    for (y, index) in (rows.top()..).zip(window) {
        let is_selected = index == cursor;
        let mark = if is_selected { ">" } else { " " };
        let label = format!(
            "{mark}{:>4} {}",
            topics[index].topic,
            text::align_left(&name(topics[index]), 13)
        );
        let style = if is_selected { look.selected() } else { Style::new() };
        buffer.set_stringn(area.x, y, &label, usize::from(NAME) - 1, style);
        let cells = shown.clone().map(|column| (column, topics[column])).map(|(column, other)| {
            if column == index {
                return Span::styled("╲ ".chars().take(step).collect::<String>(), look.rule());
            }
            let (symbol, level) =
                shade(lifts.lift(topics[index].topic.index(), other.topic.index()));
            Span::styled(symbol.repeat(step), look.heat(level))
        });
        let width = area.width.saturating_sub(NAME);
        buffer.set_line(area.x + NAME, y, &Line::from_iter(cells), width);
    }
}

/// The topics that occur most and least with the selected one.
fn neighbours(
    topic: &Topic,
    sheet: &RunWithTopics,
    lifts: &TopicLifts,
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let mut others: Vec<(&Topic, f64)> = sheet
        .topics
        .iter()
        .filter(|other| other.topic != topic.topic)
        .map(|other| (other, lifts.lift(topic.topic.index(), other.topic.index())))
        .collect();
    others.sort_by(|a, b| b.1.total_cmp(&a.1));
    let own = lifts.lift(topic.topic.index(), topic.topic.index());
    let title = format!(
        "topic {} {}; a second word of it in a document: ×{} chance",
        topic.topic,
        name(topic),
        four_digits(own)
    );
    let inside = parts::titled(buffer, area, look, &title);
    let is_tall = usize::from(inside.height) > 12;
    let told = |title: &str,
                others: &mut dyn Iterator<Item = &(&Topic, f64)>|
     -> Vec<Line<'static>> {
        let line = |(other, lift): &(&Topic, f64)| {
            format!("{} {} ×{}", other.topic, name(other), four_digits(lift.max(0.0)))
        };
        if is_tall {
            let rows = others.take(10).map(|pair| {
                let words: Vec<&str> =
                    pair.0.words.iter().take(6).map(|w| w.word.as_str()).collect();
                let line = format!("   {}  {}", text::align_left(&line(pair), 26), words.join(" "));
                Line::raw(text::cut(&line, usize::from(area.width)))
            });
            let title = Line::styled(format!(" {title}"), look.heading());
            return std::iter::once(title).chain(rows).chain([Line::default()]).collect();
        }
        let all = others.take(8).map(line).collect::<Vec<_>>().join(", ");
        let room = usize::from(area.width).saturating_sub(title.len() + 4);
        vec![Line::from(vec![
            Span::styled(format!(" {title}  "), look.heading()),
            Span::raw(text::cut(&all, room)),
        ])]
    };
    let words: Vec<&str> = topic.words.iter().map(|word| word.word.as_str()).collect();
    let mut lines = told("most with ", &mut others.iter());
    lines.extend(told("least with", &mut others.iter().rev()));
    lines.insert(
        0,
        Line::raw(format!(
            " {}",
            text::cut(&words.join(" "), usize::from(area.width).saturating_sub(2))
        )),
    );
    parts::lines(buffer, inside, &lines);
}
