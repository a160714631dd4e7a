//! How a run was made and how good it is: settings, warnings, stages, residuals, metrics.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{RunScreen, RunViewData, RunWithTopics};
use crate::tui::screens::runs::RunDetail;
use crate::tui::view::chart::{Chart, steps};
use crate::tui::view::layout;
use crate::tui::view::look::Appearance;
use crate::tui::view::text;
use crate::tui::view::{parts, run_detail};
use crate::tui::workbench::Workbench;
use topoi_core::metric::MetricDef;
use topoi_core::metric::definition::Tag;
use topoi_core::numbers::thousands;
use topoi_run::saved::compare::Better;
use topoi_store::result::metric::Metric;

/// From this width on, the metrics are beside the rest.
const BESIDE_FROM: u16 = 140;
/// Rows of the chart of residuals.
const CHART: u16 = 9;
/// Residuals from this many on are drawn.
const CURVE: usize = 3;
/// Cells for the name of a metric.
const NAME: usize = 24;
/// Cells for its value, at least.
const VALUE: usize = 9;

/// Draws the facts, from the line on to which the user has scrolled.
pub fn draw(
    screen: &RunScreen,
    sheet: &RunWithTopics,
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let RunViewData::Facts(detail) = &sheet.more else { return };
    let (main, beside) = halves(area);
    let page = page(sheet, detail, look, main, beside.map(|(_, beside)| beside));
    let shown = main.height.min(page.area.height);
    let from = (screen.facts_from as u16).min(page.area.height - shown);
    for y in 0..shown {
        for x in 0..main.width {
            let (source, target) = ((x, from + y), (main.x + x, main.y + y));
            if let Some((from, to)) = page.cell(source).zip(buffer.cell_mut(target)) {
                *to = from.clone();
            }
        }
    }
    if let Some((between, beside)) = beside {
        parts::stroke(buffer, between, look);
        let inside = parts::titled(buffer, beside, look, "Metrics, those that matter most first");
        let all = metrics(&detail.metrics, look, beside.width);
        let from = screen.facts_from.min(all.len().saturating_sub(usize::from(inside.height)));
        parts::lines(buffer, inside, &all[from..]);
    }
}

/// How many lines there are beyond those that fit on the screen.
pub fn hidden_lines(screen: &RunScreen, workbench: &Workbench) -> usize {
    let body = workbench.body();
    let (main, beside) = halves(layout::strip(body).1);
    let Some(sheet) = &screen.sheet else { return 0 };
    let RunViewData::Facts(detail) = &sheet.more else { return 0 };
    let page = page(sheet, detail, workbench.look, main, beside.map(|(_, beside)| beside));
    let hidden = usize::from(page.area.height.saturating_sub(main.height));
    let beside = beside.map_or(0, |(_, area)| {
        detail.metrics.len().saturating_sub(usize::from(area.height.saturating_sub(1)))
    });
    hidden.max(beside)
}

/// The facts, and where there is room the column between and the metrics.
fn halves(area: Rect) -> (Rect, Option<(Rect, Rect)>) {
    if area.width < BESIDE_FROM {
        return (area, None);
    }
    let width = area.width / 2;
    let between = Rect { x: area.x + width + 1, width: 1, ..area };
    let beside = Rect { x: area.x + width + 3, width: area.width - width - 3, ..area };
    (Rect { width, ..area }, Some((between, beside)))
}

/// Everything that is not beside, on a page as long as needed.
fn page(
    sheet: &RunWithTopics,
    detail: &RunDetail,
    look: Appearance,
    area: Rect,
    beside: Option<Rect>,
) -> Buffer {
    let metrics = match beside {
        Some(_) => Vec::new(),
        None => metrics(&detail.metrics, look, area.width),
    };
    let warnings = run_detail::warnings(&sheet.row, look, area.width).len();
    let changes = run_detail::changes(detail, look, area.width).len();
    let height = 16 + warnings + changes + detail.stages.len() + metrics.len() + usize::from(CHART);
    let mut page = Buffer::empty(Rect::new(0, 0, area.width, height as u16));
    let whole = page.area;
    let mut rest = run_detail::head(&mut page, &sheet.row, detail, look, whole);
    if beside.is_none() {
        let inside = parts::titled(&mut page, rest, look, "Metrics, those that matter most first");
        rest = parts::lines(&mut page, inside, &metrics);
    }
    if detail.residuals.len() >= CURVE {
        rest = curve(detail, look, rest, &mut page);
    }
    page.resize(Rect { height: rest.y, ..whole });
    page
}

/// Draws the residuals of a stage by step; returns what is below.
fn curve(detail: &RunDetail, look: Appearance, area: Rect, page: &mut Buffer) -> Rect {
    let stage = detail.residuals_of.as_deref().unwrap_or_default();
    let points = (1..).map(f64::from).zip(detail.residuals.iter().copied());
    let is_log = detail.residuals.iter().all(|&residual| residual > 0.0);
    // A residual of one model is a likelihood of another.
    let of_stage = detail.stages.iter().find(|own| own.name == stage);
    let what = of_stage.and_then(|own| own.note.as_deref()).unwrap_or("residual");
    let log = if is_log { " (log)" } else { "" };
    let title = format!("{stage} by step: {what}{log}");
    let inside = parts::titled(page, area, look, &title);
    let below = steps(detail.residuals.len(), 10);
    let chart = Chart { points: points.collect(), below, is_log, ..Chart::default() };
    chart.draw(page, Rect { height: CHART, ..inside }, look);
    parts::below(inside, CHART)
}

/// A line for every metric: its value, which way it is better, what it depends on.
fn metrics(metrics: &[Metric], look: Appearance, width: u16) -> Vec<Line<'static>> {
    let value = |metric: &Metric| text::estimate(metric.value, metric.standard_error());
    let longest = metrics.iter().map(|metric| text::width(&value(metric))).max();
    let cells = longest.unwrap_or_default().max(VALUE);
    let line = |metric: &Metric| {
        let way = Better::for_metric(&metric.name).map_or(" ", Better::sign);
        let settings = metric.settings.as_deref().map(variant).unwrap_or_default();
        let room = usize::from(width).saturating_sub(NAME + cells + 6);
        Line::from(vec![
            Span::styled(format!(" {} ", text::align_left(&metric.name, NAME)), look.heading()),
            Span::raw(format!("{} {way} ", text::align_right(&value(metric), cells))),
            Span::raw(text::cut(&settings, room)),
        ])
    };
    let mut sorted: Vec<&Metric> = metrics.iter().collect();
    sorted.sort_by_key(|metric| rank(&metric.name));
    sorted.into_iter().map(line).collect()
}

/// The position of a metric among all: those of a run's summary come first, then those that a sweep is
/// judged by, those of topics, and the others.
fn rank(name: &str) -> usize {
    let tags = [Tag::Summary, Tag::Sweep, Tag::TopicList];
    let mut first = tags.into_iter().flat_map(MetricDef::tagged);
    first.position(|metric| metric.id == name).unwrap_or(usize::MAX)
}

/// What a variant's settings say, in short.
fn variant(json: &str) -> String {
    let settings: serde_json::Value = serde_json::from_str(json).unwrap_or_default();
    let word = |name: &str| settings.get(name).and_then(|value| value.as_str());
    let number = |name: &str| settings.get(name).and_then(serde_json::Value::as_u64);
    let mut parts: Vec<String> = word("variant").map(str::to_string).into_iter().collect();
    parts.extend(number("projections").map(|columns| format!("from {columns} columns")));
    parts.extend(number("top_words").map(|words| format!("top {words}")));
    let units = number("units").map(|units| format!(" ({})", thousands(units)));
    parts.extend(word("unit").map(|unit| {
        let of = number("window").map(|window| format!(" of {window}")).unwrap_or_default();
        format!("{unit}s{of}{}", units.unwrap_or_default())
    }));
    parts.extend(word("aggregation").map(str::to_string));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_is_told_in_short() {
        let json = r#"{"variant":"exact","top_words":10,"window":110,"unit":"window","units":65520,
                       "aggregation":"mean","epsilon":1e-12}"#;
        assert_eq!(variant(json), "exact, top 10, windows of 110 (65,520), mean");
        assert_eq!(variant(r#"{"top_words":25}"#), "top 25");
        assert_eq!(variant(r#"{"standard_error":0.00123,"projections":26}"#), "from 26 columns");
    }
}
