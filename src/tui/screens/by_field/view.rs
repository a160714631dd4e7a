//! How the sides of the screen are drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::state::{ByFieldScreen, Row, Side};
use crate::records::column::Width;
use crate::tui::screens::run::documents;
use crate::tui::view::chart::Chart;
use crate::tui::view::hit_areas;
use crate::tui::view::look::Appearance;
use crate::tui::view::table::{Column, Table};
use crate::tui::view::{parts, text};
use topoi_core::numbers::thousands;
use topoi_run::groups::by::Cell;

/// Cells for the mark, number and name of a topic.
const NAME: u16 = 24;
/// Rows for what is said of the cell under the cursor.
pub const DETAIL: u16 = 3;
/// How dark shares are drawn, by the square root of what they are of the largest.
const SHADES: [&str; 6] = [" ", "·", "░", "▒", "▓", "█"];
/// The widest column of a group.
const WIDEST: usize = 10;
/// The narrowest: a shade, a number and a gap.
const NARROWEST: usize = 6;

pub fn draw(screen: &ByFieldScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let inside = parts::titled(buffer, area, look, &title(screen));
    let words = said(screen);
    if !words.is_empty() {
        parts::lines(buffer, inside, &parts::paragraph(&words, inside.width, Style::new()));
        return;
    }
    match screen.side {
        Side::Fields => fields(screen, look, inside, buffer),
        Side::Documents => {
            if let Some(Ok(found)) = &screen.members {
                documents::list(&screen.found, &screen.found.visible(found), look, inside, buffer);
            }
        }
        Side::Groups | Side::Topic => {
            let above = Rect { height: inside.height.saturating_sub(DETAIL), ..inside };
            match screen.side {
                Side::Groups => heat(screen, look, above, buffer),
                _ => in_groups(screen, look, above, buffer),
            }
            let lines = detail(screen, look, usize::from(inside.width));
            parts::lines(buffer, parts::below(inside, above.height), &lines);
        }
    }
}

fn title(screen: &ByFieldScreen) -> String {
    let run = screen.run.unwrap_or_default();
    let topic = || screen.row().map(|row| format!("{} {}", row.topic.topic, row.name()));
    let topic = || topic().unwrap_or_default();
    let per = screen.per.map(|per| format!(", by {}", per.name())).unwrap_or_default();
    match screen.side {
        Side::Fields => format!("Run {run} by a field of its documents"),
        Side::Groups => format!("Run {run} by {}{per}: per cent of the documents", screen.field),
        Side::Topic => format!("Topic {} by {}{per}, per cent", topic(), screen.field),
        Side::Documents => {
            format!(
                "Documents of topic {}, {} {}",
                topic(),
                screen.field,
                screen.name_of(screen.group)
            )
        }
    }
}

/// What is said where there is nothing to show.
fn said(screen: &ByFieldScreen) -> String {
    let looking = "looking it up".to_string();
    match screen.side {
        Side::Fields => match &screen.fields {
            None => looking,
            Some(None) => "No run is open: f on a run leads here.".into(),
            Some(Some(found)) if found.fields.is_empty() => format!(
                "The documents of {} have no fields: JSON Lines and CSV bring them.",
                found.corpus
            ),
            Some(Some(_)) => String::new(),
        },
        Side::Groups | Side::Topic => match &screen.groups {
            None => looking,
            Some(None) => "No run is open: f on a run leads here.".into(),
            Some(Some(found)) => found.found.as_ref().err().cloned().unwrap_or_default(),
        },
        Side::Documents => match &screen.members {
            None => looking,
            Some(Err(error)) => error.clone(),
            Some(Ok(found)) if found.is_empty() => "No document is left of this group.".into(),
            Some(Ok(_)) => String::new(),
        },
    }
}

fn fields(screen: &ByFieldScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let Some(Some(found)) = &screen.fields else { return };
    let columns = [
        Column::text("field", Width::Share(1)),
        Column::text("kind", Width::Cells(8)),
        Column::number("values", 9),
        Column::number("without", 9),
        Column::text("commonest", Width::Share(2)),
    ];
    let visible = screen.choice.visible(&found.fields);
    let table =
        Table { columns: &columns, list: &screen.choice, len: visible.len(), focused: true };
    table.draw(buffer, area, look, |at| {
        let field = visible[at];
        let values = field.tally.distinct();
        let commonest: Vec<&str> =
            field.tally.commonest(5).into_iter().map(|(value, _)| value).collect();
        let cells = [
            field.name.clone(),
            field.kind.name().into(),
            values.map_or("many".into(), |values| thousands(values as u64)),
            thousands(field.without),
            commonest.join(", "),
        ];
        cells.map(Span::raw).into()
    });
}

/// A share as a shade, from 0 to 5.
fn level(share: f64, most: f64) -> usize {
    if most > 0.0 { (5.0 * (share / most).sqrt()).round() as usize } else { 0 }
}

/// A share in per cent, in 4 cells.
fn number(share: f64) -> String {
    // An estimate of nearly nothing is below 0 as often as above: no -0.0.
    let percent = 100.0 * if share.abs() < 0.0005 { 0.0 } else { share };
    if percent.abs() >= 9.95 { format!("{percent:4.0}") } else { format!("{percent:4.1}") }
}

fn heat(screen: &ByFieldScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let Some(answer) = screen.answer() else { return };
    let names: Vec<String> = (0..answer.groups.len()).map(|group| screen.name_of(group)).collect();
    let widest = names.iter().map(|name| text::width(name) + 1).max().unwrap_or(0);
    let cells = widest.clamp(NARROWEST, WIDEST);
    let room =
        (usize::from(area.width.saturating_sub(NAME + 1)) / cells).clamp(1, names.len().max(1));
    // The column of the cursor is in the middle, as far as there are columns around it.
    let first = screen.group.saturating_sub(room / 2).min(names.len() - room.min(names.len()));
    let shown = first..(first + room).min(names.len());
    let x_of = |group: usize| area.x + NAME + ((group - first) * cells) as u16;
    for group in shown.clone() {
        let style = if group == screen.group { look.selected() } else { look.heading() };
        let head = text::align_right(&text::cut(&names[group], cells - 1), cells - 1);
        buffer.set_stringn(x_of(group), area.y, head, cells - 1, style);
    }
    if first > 0 {
        buffer.set_string(area.x + NAME - 1, area.y, "‹", look.key());
    }
    if shown.end < names.len() {
        let end = area.x + NAME + (shown.len() * cells) as u16;
        let x = end.min(area.right().saturating_sub(1));
        buffer.set_string(x, area.y, "›", look.key());
    }
    let all = || screen.all.iter().flat_map(|row| (0..names.len()).map(move |group| row.at(group)));
    let most = all().fold(0.0, f64::max);
    let rows = screen.rows.visible(&screen.all);
    let below = parts::below(area, 1);
    let window = screen.rows.window(rows.len(), usize::from(below.height));
    for (y, index) in (below.top()..).zip(window) {
        let row = rows[index];
        let is_selected = index == screen.rows.cursor;
        let mark = if is_selected { ">" } else { " " };
        let label = format!("{mark}{:>4} {}", row.topic.topic, text::align_left(&row.name(), 17));
        let style = if is_selected { look.selected() } else { Style::new() };
        buffer.set_stringn(area.x, y, &label, usize::from(NAME) - 1, style);
        hit_areas::mark_row(Rect { y, height: 1, ..area }, index);
        for group in shown.clone() {
            let cell = row.cells.get(group).copied().flatten();
            let told = cell.map_or_else(String::new, |cell| number(cell.share.share));
            let level = level(row.at(group), most);
            let here = is_selected && group == screen.group;
            let style = if here { look.selected() } else { look.heat(level) };
            let told = format!("{}{}", SHADES[level.min(5)], text::align_right(&told, cells - 2));
            buffer.set_stringn(x_of(group), y, told, cells - 1, style);
        }
    }
}

/// One topic in all groups: a line over time, else the groups side by side.
fn in_groups(screen: &ByFieldScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let (Some(answer), Some(row)) = (screen.answer(), screen.row()) else { return };
    if answer.is_over_time() {
        over_time(screen, row, look, area, buffer);
        return;
    }
    let most = (0..row.cells.len()).map(|group| row.at(group)).fold(0.0, f64::max);
    let mut groups: Vec<usize> = (0..row.cells.len()).collect();
    groups.sort_by(|a, b| row.at(*b).total_cmp(&row.at(*a)));
    let place = groups.iter().position(|group| *group == screen.group).unwrap_or(0);
    let height = usize::from(area.height).max(1);
    let first = place.saturating_sub(height / 2).min(groups.len().saturating_sub(height));
    let names = (0..row.cells.len()).map(|group| text::width(&screen.name_of(group))).max();
    let names = names.unwrap_or(0).clamp(4, usize::from(area.width / 3).max(4));
    let bar = usize::from(area.width).saturating_sub(names + 34);
    for (y, group) in (area.y..area.bottom()).zip(&groups[first..]) {
        let is_selected = *group == screen.group;
        let mark = if is_selected { ">" } else { " " };
        let share = row.at(*group);
        let name = text::align_left(&screen.name_of(*group), names);
        let cell = row.cells[*group];
        let said = format!("{mark} {name} {}  {:<13} ", number(share), between(cell));
        let style = if is_selected { look.selected() } else { Style::new() };
        let full = if most > 0.0 { share / most } else { 0.0 };
        let line = Line::from(vec![
            Span::styled(said, style),
            Span::styled(parts::bar(full, bar), look.bar()),
        ]);
        buffer.set_line(area.x, y, &line, area.width);
    }
}

/// The ends of an interval in per cent.
fn between(cell: Option<Cell>) -> String {
    let interval = cell.and_then(|cell| cell.share.interval());
    let told = |(low, high)| format!("{} to {}", number(low).trim(), number(high).trim());
    interval.map(told).unwrap_or_default()
}

fn over_time(screen: &ByFieldScreen, row: &Row, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let mut chart = Chart { levels: vec![(0.0, String::new())], ..Chart::default() };
    for (group, cell) in row.cells.iter().enumerate() {
        let Some(cell) = cell else { continue };
        // Groups are periods in their order; a period without documents leaves a gap.
        let Some(x) = screen.when(group) else { continue };
        let percent = |share: f64| 100.0 * share;
        if let Some(smooth) = cell.smooth {
            chart.points.push((x, percent(smooth.smooth)));
            chart.band.push((x, percent(smooth.smooth_low), percent(smooth.smooth_high)));
        }
        if let Some((low, high)) = cell.share.interval() {
            chart.spans.push((x, percent(low), percent(high)));
        }
        let letter = if group == screen.group { "●" } else { "○" };
        chart.marks.push((x, percent(cell.share.share), letter));
        chart.names.push((x, screen.name_of(group)));
    }
    chart.below = chart.names.iter().map(|(x, _)| *x).collect();
    chart.draw(buffer, area, look);
}

/// What is said of the cell under the cursor.
fn detail(screen: &ByFieldScreen, look: Appearance, width: usize) -> Vec<Line<'static>> {
    let (Some(answer), Some(row)) = (screen.answer(), screen.row()) else { return Vec::new() };
    let group = screen.name_of(screen.group);
    let documents = answer.groups.get(screen.group).map_or(0, |group| group.documents);
    let cell = row.cells.get(screen.group).copied().flatten();
    let here = format!(" {} {group}", screen.field);
    let mut told = format!(
        "  topic {} {}: {}%",
        row.topic.topic,
        row.name(),
        number(row.at(screen.group)).trim()
    );
    if let Some((low, high)) = cell.and_then(|cell| cell.share.interval()) {
        told += &format!(" ({} to {})", number(low).trim(), number(high).trim());
    }
    told += &format!(", {} documents", thousands(documents));
    let rest = text::cut(&told, width.saturating_sub(text::width(&here) + 1));
    let mut second = cell.and_then(|cell| cell.difference).map_or(String::new(), |difference| {
        let points = |share: f64| format!("{:+.1}", 100.0 * share);
        let sure = difference
            .interval
            .map_or(String::new(), |(low, high)| format!(" ({} to {})", points(low), points(high)));
        format!(" {} points from all others{sure}", points(difference.difference))
    });
    if let Some(Some(found)) = &screen.groups {
        let notes = found.notes.iter().map(|note| format!("; {note}"));
        second += &notes.collect::<String>();
    }
    vec![
        Line::default(),
        Line::from(vec![Span::styled(here, look.heading()), Span::raw(rest)]),
        Line::raw(text::cut(&second, width)),
    ]
}
