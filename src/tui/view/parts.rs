//! What several screens draw: rules, lines, bars.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::tui::view::hit_areas::{self, Target};
use crate::tui::view::look::Appearance;
use crate::tui::view::text;
use topoi_store::result::metric::Metric;

/// The heights of a small curve, lowest first.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A titled rule over the whole width: `── Runs 21 ────`.
pub fn rule(buffer: &mut Buffer, area: Rect, look: Appearance, title: &str) {
    if area.is_empty() {
        return;
    }
    let width = usize::from(area.width);
    let title = text::cut(title, width.saturating_sub(5));
    let rest = width.saturating_sub(text::width(&title) + 4);
    let line = Line::from(vec![
        Span::styled("── ", look.rule()),
        Span::styled(title, look.heading()),
        Span::styled(format!(" {}", "─".repeat(rest)), look.rule()),
    ]);
    buffer.set_line(area.x, area.y, &line, area.width);
}

/// A rule on the first row of `area`; returns what is below it.
pub fn titled(buffer: &mut Buffer, area: Rect, look: Appearance, title: &str) -> Rect {
    rule(buffer, area, look, title);
    below(area, 1)
}

/// `area` without its first rows.
pub fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}

/// Lines from the top of `area`, as many as fit; returns what is below them.
pub fn lines(buffer: &mut Buffer, area: Rect, lines: &[Line]) -> Rect {
    for (y, line) in (area.top()..area.bottom()).zip(lines) {
        match line.width() > usize::from(area.width) {
            true => buffer.set_line(area.x, y, &fitted(line, area.width.into()), area.width),
            false => buffer.set_line(area.x, y, line, area.width),
        };
    }
    below(area, lines.len().min(usize::from(area.height)) as u16)
}

/// A line that is cut to its place, with a sign that it was.
fn fitted<'l>(line: &Line<'l>, cells: usize) -> Line<'l> {
    let mut left = cells;
    let mut spans = Vec::new();
    for span in &line.spans {
        if span.width() > left {
            spans.push(Span::styled(text::cut(&span.content, left), span.style));
            break;
        }
        left -= span.width();
        spans.push(span.clone());
        if left == 0 {
            break;
        }
    }
    Line::from(spans).style(line.style)
}

/// A column of vertical strokes between two parts.
pub fn stroke(buffer: &mut Buffer, area: Rect, look: Appearance) {
    for y in area.top()..area.bottom() {
        buffer.set_string(area.x, y, "│", look.rule());
    }
}

/// A named value: the name padded to `name_cells`.
pub fn named(
    look: Appearance,
    name: &str,
    name_cells: usize,
    value: impl Into<String>,
) -> Line<'static> {
    Line::from(vec![
        Span::styled(format!(" {} ", text::align_left(name, name_cells)), look.heading()),
        Span::raw(value.into()),
    ])
}

/// A paragraph, one blank in from the left.
pub fn paragraph(words: &str, cells: u16, style: Style) -> Vec<Line<'static>> {
    let wrapped = text::wrap(words, usize::from(cells.saturating_sub(2)).max(1));
    wrapped.into_iter().map(|line| Line::styled(format!(" {line}"), style)).collect()
}

/// A share of `cells` cells: full ones, then empty ones.
pub fn gauge(share: f64, cells: usize) -> String {
    let full = filled(share, cells);
    format!("{}{}", "█".repeat(full), "░".repeat(cells - full))
}

/// The full cells of a share, padded with blanks.
pub fn bar(share: f64, cells: usize) -> String {
    let full = filled(share, cells);
    format!("{}{}", "█".repeat(full), " ".repeat(cells - full))
}

fn filled(share: f64, cells: usize) -> usize {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    ((share * cells as f64).round() as usize).min(cells)
}

/// The last `cells` values as a small curve, on a logarithmic scale where all are positive.
pub fn curve(values: &[f64], cells: usize) -> String {
    let positive = values.iter().all(|&value| value > 0.0);
    let shown: Vec<f64> = values
        .iter()
        .skip(values.len().saturating_sub(cells))
        .map(|&value| if positive { value.ln() } else { value })
        .filter(|value| value.is_finite())
        .collect();
    let low = shown.iter().copied().fold(f64::INFINITY, f64::min);
    let span = shown.iter().copied().fold(f64::NEG_INFINITY, f64::max) - low;
    let height = |value: &f64| if span > 0.0 { (value - low) / span * 7.0 } else { 0.0 };
    shown.iter().map(|value| HEIGHTS[(height(value).round() as usize).min(7)]).collect()
}

/// The settings of a run or corpus, from JSON to `name value, name value`.
pub fn settings(json: &str) -> String {
    let Ok(serde_json::Value::Object(map)) = serde_json::from_str(json) else {
        return json.to_string();
    };
    let one = |(name, value): (&String, &serde_json::Value)| match value {
        serde_json::Value::Null => None,
        // A list of words is shown by its name.
        serde_json::Value::Object(list) => match list.get("names").or(list.get("name")) {
            Some(named) => Some(format!("{} {}", name.replace('_', "-"), named.as_str()?)),
            None => Some(settings(&value.to_string())),
        },
        value => {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            Some(format!("{} {value}", name.replace('_', "-")))
        }
    };
    map.iter().filter_map(one).collect::<Vec<_>>().join(", ")
}

/// Names and measured values in as many columns as fit.
pub fn values(look: Appearance, metrics: &[&Metric], cells: u16) -> Vec<Line<'static>> {
    let longest = metrics.iter().map(|metric| text::width(&metric.name)).max().unwrap_or(0);
    let name_cells = longest.clamp(8, 24);
    let value = |metric: &Metric| text::estimate(metric.value, metric.standard_error());
    let longest = metrics.iter().map(|metric| text::width(&value(metric))).max().unwrap_or(0);
    let value_cells = longest.max(9);
    let columns = (usize::from(cells) / (name_cells + value_cells + 3)).max(1);
    let one = |metric: &&Metric| {
        [
            Span::styled(
                format!(" {} ", text::align_left(&metric.name, name_cells)),
                look.heading(),
            ),
            Span::raw(format!("{} ", text::align_right(&value(metric), value_cells))),
        ]
    };
    metrics.chunks(columns).map(|row| Line::from_iter(row.iter().flat_map(one))).collect()
}

/// What is shown, and the views with their keys: `t [topics]  w words`.
pub fn strip(
    buffer: &mut Buffer,
    area: Rect,
    look: Appearance,
    title: &str,
    views: &[((&'static str, &'static str), bool)],
) {
    let mut spans = Vec::new();
    for &((key, name), is_current) in views {
        spans.push(Span::styled(format!(" {key}"), look.key()));
        if is_current {
            spans.push(Span::styled(format!("[{name}]"), look.heading()));
        } else {
            spans.push(Span::raw(format!(" {name} ")));
        }
    }
    let used: usize = spans.iter().map(Span::width).sum();
    let room = usize::from(area.width).saturating_sub(used + 2);
    let mut x = area.x + room as u16 + 2;
    for (pair, ((key, _), _)) in spans.chunks(2).zip(views) {
        let width = pair.iter().map(Span::width).sum::<usize>() as u16;
        let place = Rect { x, width, ..area }.intersection(area);
        hit_areas::mark(place, Target::Keys((*key).into()));
        x += width;
    }
    spans.insert(0, Span::styled(format!(" {} ", text::align_left(title, room)), look.heading()));
    buffer.set_line(area.x, area.y, &Line::from(spans), area.width);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_and_curves_stay_within_their_cells() {
        assert_eq!(gauge(0.5, 4), "██░░");
        assert_eq!(gauge(f64::NAN, 2), "░░");
        assert_eq!(bar(7.0, 3), "███");
        assert_eq!(curve(&[1.0, 1e-1, 1e-7], 3), "█▇▁");
        assert_eq!(curve(&[], 3), "");
        assert_eq!(curve(&[2.0, 2.0], 3), "▁▁");
    }

    #[test]
    fn settings_read_as_words() {
        assert_eq!(settings(r#"{"min_tokens":5,"lower":"yes"}"#), "lower yes, min-tokens 5");
        assert_eq!(settings(r#"{"a":{"b":1,"c":null},"d":null,"e":[2]}"#), "b 1, e [2]");
        assert_eq!(settings("not json"), "not json");
    }
}
