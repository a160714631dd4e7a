//! A word or query in use: its occurrences one under the other, the words beside it, groups as a line or a list, topics as
//! bars, documents.

use ratatui::buffer::Buffer;
use ratatui::layout::Direction::{Horizontal, Vertical};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::columns;
use super::question::{TopicOfWord, UsageBesideTopic, WordAnswer, WordRows};
use super::{SPAN, WordScreen, WordView};
use crate::records::found;
use crate::tui::screens::search::hit;
use crate::tui::view::chart::Chart;
use crate::tui::view::hit_areas;
use crate::tui::view::look::Appearance;
use crate::tui::view::table::{RecordColumns, Table};
use crate::tui::view::{layout, parts, text};
use topoi_core::numbers::{counted, thousands};
use topoi_ingest::search::context::{Context, ContextOrder};
use topoi_ingest::search::word::TermDocument;
use topoi_run::concordance::CitedContext;
use topoi_run::groups::fields::Part;

/// From this width on, the line over time is beside the list.
const LINE_BESIDE_FROM: u16 = 120;

/// From this height on, the topic's line is below the word's.
const STACKED_FROM: u16 = 16;

/// Rows of the list on the screen.
pub fn rows(view: WordView, body: Rect) -> usize {
    let (_, below) = layout::strip(body);
    match view {
        WordView::Contexts => usize::from(below.height.saturating_sub(1)).max(1),
        // As if there were a line over time: of a field without one, the list has more rows than it pages by.
        WordView::ByField => layout::table_rows(split(below).list),
        _ => layout::table_rows(below),
    }
}

/// Divides the area between the list of times and their line.
fn split(area: Rect) -> layout::Split {
    layout::split_from(LINE_BESIDE_FROM, layout::Shares { beside: 50, below: 45 }, area)
}

pub fn draw(screen: &WordScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let (strip, below) = layout::strip(area);
    draw_strip(screen, look, strip, buffer);
    let Some(answer) = &screen.answer else {
        parts::titled(buffer, below, look, screen.sought.text());
        return;
    };
    let inside = parts::titled(buffer, below, look, &title(screen, answer));
    match &answer.found {
        Err(error) => {
            parts::lines(buffer, inside, &parts::paragraph(error, inside.width, Style::new()));
        }
        Ok(WordRows::Topics { rows, .. }) => topics(screen, rows, look, inside, buffer),
        Ok(WordRows::Documents(rows)) => documents(screen, rows, look, inside, buffer),
        Ok(WordRows::Collocates(found)) if found.rows.is_empty() => {
            let none = " No word is three times or more beside it.";
            parts::lines(buffer, inside, &[Line::raw(none)]);
        }
        Ok(WordRows::Contexts { rows, .. }) if rows.is_empty() => {
            parts::lines(buffer, inside, &[Line::raw(" No text has it.")]);
        }
        Ok(WordRows::Contexts { rows, .. }) => contexts(screen, rows, look, inside, buffer),
        Ok(WordRows::Collocates(found)) => {
            let columns = found::collocates();
            let table = RecordColumns::new(&columns, inside.width);
            table.draw_rows(&screen.list, &found.rows, look, inside, buffer);
        }
        Ok(WordRows::ByField { field, is_over_time, groups, topic, .. }) => {
            let split = split(inside);
            let area = if *is_over_time { split.list } else { inside };
            let topic = topic.as_ref().map(|(_, topic)| topic);
            let columns = columns::usage(field, topic.is_some());
            let table = RecordColumns::new(&columns, area.width);
            table.draw_rows(&screen.list, groups, look, area, buffer);
            if *is_over_time {
                over_time(screen, (groups, topic), look, split.detail, buffer);
            }
        }
    }
}

fn draw_strip(screen: &WordScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let views = screen.sought.views().into_iter();
    let views: Vec<_> = views.map(|view| (view.name(), view == screen.view)).collect();
    parts::strip(buffer, area, look, screen.sought.text(), &views);
}

/// Occurrences in a million tokens as a line, with their intervals; at its right the share of the topic.
fn over_time(
    screen: &WordScreen,
    (groups, topic): (&[UsageBesideTopic], Option<&TopicOfWord>),
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let selected = screen.list.selected(groups);
    let times = |y: fn(&UsageBesideTopic) -> Option<f64>| {
        let mut chart = Chart { levels: vec![(0.0, String::new())], ..Chart::default() };
        for group in groups {
            let (Part::Period(period), Some(y)) = (&group.usage.part, y(group)) else { continue };
            let x = f64::from(period.number());
            let is_selected = selected.is_some_and(|row| row.usage.part == group.usage.part);
            chart.points.push((x, y));
            chart.marks.push((x, y, if is_selected { "\u{25cf}" } else { "\u{25cb}" }));
            chart.names.push((x, period.to_string()));
        }
        chart.below = chart.names.iter().map(|(x, _)| *x).collect();
        chart
    };
    let mut word = times(|group| Some(group.usage.per_million));
    word.spans = groups
        .iter()
        .filter_map(|group| match (&group.usage.part, group.usage.interval) {
            (Part::Period(period), Some((low, high))) => {
                Some((f64::from(period.number()), low, high))
            }
            _ => None,
        })
        .collect();
    let Some(topic) = topic else { return word.draw(buffer, area, look) };
    let direction = if area.height < STACKED_FROM { Horizontal } else { Vertical };
    let [half, other] = Layout::new(direction, [Constraint::Fill(1); 2]).areas(area);
    let words = text::cut(&topic.words, 40);
    let share = times(|group| group.share);
    let both = [
        (half, word, " in a million tokens".into()),
        (other, share, format!(" share of topic {}: {words}", topic.topic)),
    ];
    for (area, chart, head) in both {
        let head = Line::styled(text::cut(&head, area.width.into()), look.heading());
        buffer.set_line(area.x, area.y, &head, area.width);
        let below = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        chart.draw(buffer, below, look);
    }
}

fn title(screen: &WordScreen, answer: &WordAnswer) -> String {
    let in_all = answer.term.as_ref().map(|term| {
        let times = counted(term.total_count, "time");
        format!("{}: {times} in {}", term.shown(), counted(term.document_frequency, "document"))
    });
    let counts = in_all.unwrap_or_else(|| screen.sought.text().into());
    match &answer.found {
        Ok(WordRows::Topics { run, .. }) => format!("{counts}, topics of run {run}"),
        Ok(WordRows::Documents(rows)) => {
            let all = answer.term.as_ref().map_or(0, |term| term.document_frequency);
            match rows.len() as u64 {
                shown if shown < all => {
                    format!("{counts}, the {} with most of it", thousands(shown))
                }
                _ => counts,
            }
        }
        Ok(WordRows::Contexts { total, documents, rows }) => {
            let order = match screen.order {
                ContextOrder::Document => "as in the corpus",
                ContextOrder::Before => "by the words before",
                ContextOrder::After => "by the words after",
            };
            let counts = match (&answer.term, total) {
                (Some(_), _) => counts,
                (None, Some(total)) => {
                    format!("{} in {}", counted(*total, "time"), counted(*documents, "document"))
                }
                (None, None) => format!("in {}", counted(*documents, "document")),
            };
            let shown = rows.len() as u64;
            match *total == Some(shown) {
                true => format!("{counts}, {order}"),
                false => format!("{counts}, the first {}, {order}", thousands(shown)),
            }
        }
        Ok(WordRows::Collocates(found)) => {
            let (read, all) = found.documents;
            let of = if read < all {
                format!(", of {} documents the first {}", thousands(all), thousands(read))
            } else {
                String::new()
            };
            format!("words within {SPAN} of its {} occurrences{of}", thousands(found.occurrences))
        }
        Ok(WordRows::ByField { field, fields, topic, .. }) => {
            let others = if *fields > 1 { " (f: the next field)" } else { "" };
            let beside = match topic {
                Some((run, topic)) => {
                    format!("; most of it is of topic {} of run {run}", topic.topic)
                }
                None => String::new(),
            };
            format!("{counts}, by {field}{others}{beside}")
        }
        _ => counts,
    }
}

fn topics(
    screen: &WordScreen,
    rows: &[TopicOfWord],
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let all = columns::topics();
    let listed = RecordColumns::new(&all, area.width);
    let visible = screen.list.visible(rows);
    let (columns, len) = (&listed.columns, visible.len());
    let table = Table { columns, list: &screen.list, len, focused: true };
    let bar = listed.place("");
    let cells = if area.width >= 100 { 30 } else { 12 };
    table.draw(buffer, area, look, |at| {
        let mut drawn = listed.cells(visible[at]);
        if let Some(bar) = bar {
            drawn[bar] = Span::styled(parts::bar(visible[at].of_word, cells), look.bar());
        }
        drawn
    });
}

fn documents(
    screen: &WordScreen,
    rows: &[TermDocument],
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let columns = found::documents_with_term();
    RecordColumns::new(&columns, area.width).draw_rows(&screen.list, rows, look, area, buffer);
}

fn contexts(
    screen: &WordScreen,
    rows: &[CitedContext],
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let visible = screen.list.visible(rows);
    let width = usize::from(area.width);
    let widest = |of: fn(&Context) -> &str, most: usize| {
        visible.iter().map(|row| text::width(of(&row.context))).max().unwrap_or(0).min(most)
    };
    let (keys, hits) = (widest(|row| &row.key, width / 6), widest(|row| &row.hit, width / 3));
    let left = width.saturating_sub(keys + hits + 6) / 2;
    let right = width.saturating_sub(keys + hits + left + 6);
    let shown = screen.list.window(visible.len(), usize::from(area.height));
    for (y, at) in (area.top()..area.bottom()).zip(shown) {
        let is_selected = at == screen.list.cursor;
        let row = &visible[at].context;
        let before = text::cut_start(row.left.trim_end(), left);
        let space = " ".repeat(left.saturating_sub(text::width(&before)));
        let line = Line::from(vec![
            Span::raw(format!(
                "{} {}  {space}{before} ",
                if is_selected { ">" } else { " " },
                text::align_left(&text::cut_start(&row.key, keys), keys)
            )),
            Span::styled(text::align_left(&row.hit, hits), hit(look)),
            Span::raw(format!(" {}", text::cut(row.right.trim_start(), right))),
        ]);
        buffer.set_line(area.x, y, &line, area.width);
        hit_areas::mark_row(Rect { y, height: 1, ..area }, at);
        if is_selected {
            buffer.set_style(Rect { y, height: 1, ..area }, look.selected());
        }
    }
}
