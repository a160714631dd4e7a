//! The spectrum, the metrics of a corpus's runs by their K, and which K to look at first.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use serde_json::json;

use super::ChooseKScreen;
use super::question::families_columns;
use crate::records::column::{Column, First, Kind, Width};
use crate::tui::view::chart::{Chart, steps};
use crate::tui::view::look::Appearance;
use crate::tui::view::table::RecordColumns;
use crate::tui::view::{layout, parts};
use topoi_run::choose_k::bounds::Bounds;
use topoi_run::choose_k::sweep::{Sweep, SweptMetric};

/// Rows a chart needs to say something.
const CHART: u16 = 7;
/// A list this wide has columns of single runs, as many as fit.
const WITH_RUNS: u16 = 60;
/// Columns a chart needs to say something.
const CHART_WIDTH: u16 = 46;

pub const SHARES: layout::Shares = layout::Shares { beside: 60, below: 50 };

pub fn draw(choice: &ChooseKScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let Some(sweep) = &choice.sweep else {
        let inside = parts::titled(buffer, area, look, "K");
        if choice.answered {
            let none = Line::raw(" There is no finished run yet: n starts one.");
            parts::lines(buffer, inside, &[Line::raw(""), none]);
        }
        return;
    };
    let split = layout::split(SHARES, area);
    if let Some(between) = split.between {
        // Metrics above the spectrum at the left, curves at the right.
        parts::stroke(buffer, between, look);
        let rows = split.list.height.saturating_sub(CHART + 3);
        let height = rows.min(choice.visible().len() as u16 + 2).max(4);
        table(choice, sweep, look, Rect { height, ..split.list }, buffer);
        spectrum(sweep, look, parts::below(split.list, height), buffer);
        charts(choice, sweep, look, split.detail, buffer);
        return;
    }
    let (spectrum_area, curves_area) = (split.list, split.detail);
    spectrum(sweep, look, spectrum_area, buffer);
    let width = (curves_area.width / 2).saturating_sub(2);
    table(choice, sweep, look, Rect { width, ..curves_area }, buffer);
    let right =
        Rect { x: curves_area.x + width + 2, width: curves_area.width - width - 2, ..curves_area };
    if let Some(metric) = choice.selected() {
        curve(sweep, metric, look, right, buffer);
    }
}

fn spectrum(sweep: &Sweep, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let positive = sweep.spectrum.iter().map(|&(value, _)| value).take_while(|&value| value > 0.0);
    let points: Vec<(f64, f64)> = (1..).map(f64::from).zip(positive).collect();
    let Some(run) = sweep.runs.iter().find(|run| run.id == sweep.spectrum_of) else { return };
    let title = format!(
        "{} {}: eigenvalues of C from run {} (log), lines at the K of the runs",
        run.corpus, run.model, run.id
    );
    let inside = parts::titled(buffer, area, look, &title);
    if points.is_empty() {
        parts::lines(buffer, inside, &[Line::raw(" This model computes no eigenvalues.")]);
        return;
    }
    let mut uprights: Vec<(f64, String)> =
        sweep.runs.iter().map(|run| (run.k as f64, format!("{}", run.k))).collect();
    uprights.dedup_by(|a, b| a.0 == b.0);
    let below = steps(points.len(), usize::from(area.width / 8));
    let chart = Chart { points, uprights, below, is_log: true, ..Chart::default() };
    chart.draw(buffer, inside, look);
}

fn table(choice: &ChooseKScreen, sweep: &Sweep, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let runs = sweep.runs.len();
    let others = choice.families.len().saturating_sub(1);
    let mut title = match &choice.bounds {
        None => format!("Metrics of {runs} runs by K"),
        Some(bounds) => format!("{runs} runs; {}", in_short(bounds)),
    };
    if let Some(advice) = &choice.advice {
        title.push_str(&format!("; try {}", advice.k));
    }
    if others > 0 {
        title.push_str("; R: other runs");
    }
    let inside = parts::titled(buffer, area, look, &title);
    let columns = columns(sweep);
    let listed = RecordColumns::new(&columns, inside.width);
    listed.draw_rows(&choice.list, &sweep.metrics, look, inside, buffer);
}

/// The columns of the metrics by K: one for each run.
pub fn columns(sweep: &Sweep) -> Vec<Column<SweptMetric>> {
    type Row = SweptMetric;
    let ks: Vec<u64> = sweep.runs.iter().map(|run| run.k).collect();
    let ks_of_best = ks.clone();
    let mut columns = vec![
        Column::new("metric", Kind::Text, |row: &Row| json!(row.name))
            .listed(Width::Share(1))
            .listed_from(WITH_RUNS, Width::Cells(23))
            .listed_as(|row| Some(format!("{} {}", row.better.sign(), row.name)))
            .sorted(First::Smallest),
        Column::new("best", Kind::Measure, |row: &Row| {
            json!(row.best().and_then(|run| row.values[run]))
        })
        .listed(Width::Cells(9))
        .with_error(|row| row.standard_errors[row.best()?]),
        Column::new("best_k", Kind::Number, move |row: &Row| json!(row.best().map(|run| ks[run])))
            .titled("at K")
            .listed(Width::Cells(4))
            .listed_as(move |row| Some(best_ks(row, &ks_of_best))),
    ];
    columns.extend(sweep.runs.iter().enumerate().map(|(at, run)| {
        let from = u16::try_from(53 + 11 * at).unwrap_or(u16::MAX).max(WITH_RUNS);
        let name = format!("k {} (run {})", run.k, run.id);
        Column::new(name, Kind::Measure, move |row: &Row| json!(row.values[at]))
            .titled(format!("K {}", run.k))
            .listed_from(from, Width::Cells(9))
            .with_error(move |row| row.standard_errors[at])
    }));
    columns
}

/// The K of the runs that may have the best value: `20, 50`.
fn best_ks(metric: &SweptMetric, ks: &[u64]) -> String {
    let mut best: Vec<u64> = metric.may_be_best().into_iter().map(|run| ks[run]).collect();
    best.dedup();
    best.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

/// The bounds in a few words.
fn in_short(bounds: &Bounds) -> String {
    let bound = &bounds.saved.bound;
    match bound.upper {
        Some(upper) => format!("bounds {} to {upper}", bound.lower),
        None if bound.lower <= 1 => "the bounds say nothing".into(),
        None => format!("bound at least {}", bound.lower),
    }
}

/// As many curves as fit, from the selected metric on.
fn charts(
    choice: &ChooseKScreen,
    sweep: &Sweep,
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let across = (area.width / CHART_WIDTH).max(1);
    let down = (area.height / (CHART + 2)).max(1);
    let (width, height) = (area.width / across, area.height / down);
    let visible = choice.visible();
    let shown = visible.iter().skip(choice.list.cursor);
    for (at, metric) in (0..across * down).zip(shown) {
        let place = Rect {
            x: area.x + at % across * width,
            y: area.y + at / across * height,
            width: width - u16::from(across > 1),
            height,
        };
        curve(sweep, metric, look, place, buffer);
    }
}

/// A metric by K: the mean of runs of the same K is the line, every run a mark, those that may be the best `*`.
fn curve(sweep: &Sweep, metric: &SweptMetric, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let title = format!("{} {} by K", metric.better.sign(), metric.name);
    let inside = parts::titled(buffer, area, look, &title);
    let best = metric.may_be_best();
    let values = || {
        let runs = sweep.runs.iter().zip(&metric.values).enumerate();
        runs.filter_map(|(at, (run, value))| Some((at, run.k as f64, (*value)?)))
    };
    let marks =
        values().map(|(at, k, value)| (k, value, if best.contains(&at) { "*" } else { "o" }));
    let mut ks: Vec<f64> = values().map(|(_, k, _)| k).collect();
    ks.dedup();
    let mean = |&k: &f64| {
        let of_k: Vec<f64> = values().filter(|value| value.1 == k).map(|value| value.2).collect();
        (k, of_k.iter().sum::<f64>() / of_k.len() as f64)
    };
    let points: Vec<(f64, f64)> = ks.iter().map(mean).collect();
    // Bars of what differences mean nothing, where other runs or the errors of estimates tell; the marks of runs
    // lie over them.
    let spread = [sweep.noise.spread(&metric.name), metric.largest_error()];
    let spread = spread.into_iter().flatten().reduce(f64::max);
    let ends = |&(k, value): &(f64, f64)| {
        spread.map(|spread| [(k, value + spread, "┬"), (k, value - spread, "┴")])
    };
    let bars = points.iter().filter_map(ends).flatten();
    let marks = bars.chain(marks).collect();
    let chart = Chart { points: points.clone(), marks, below: ks, ..Chart::default() };
    chart.draw(buffer, inside, look);
}

/// Draws the runs of the corpus that can be compared by their K.
pub fn draw_families(choice: &ChooseKScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let corpus = choice.corpus.as_deref().unwrap_or_default();
    let title = format!("{corpus}: runs of one model, vocabulary and choice of documents");
    let inside = parts::titled(buffer, area, look, &title);
    let columns = families_columns();
    let table = RecordColumns::new(&columns, inside.width);
    table.draw_rows(&choice.list_of_families, &choice.families, look, inside, buffer);
}

/// What must be said wherever a K is recommended.
const HEURISTIC: &str = "This is a heuristic, not a finding: it says which topics to read first. \
    The topics themselves decide, and how many of them come back on halves of the documents (T on a \
    run).";
/// What is said where no runs tell what differences mean nothing.
const NO_NOISE: &str = "No runs with other seeds or on halves tell how far metrics vary by chance; \
    what is usual is taken for that (5% of npmi; docs/guide/choosing-k.md).";
/// Rows of the chart of scores.
const ADVICE_CHART: u16 = 8;
/// Rows below it for the reasons; with fewer the chart is left out.
const ADVICE_WORDS: u16 = 9;

/// Draws the recommendation for the runs that are shown.
pub fn draw_advice(choice: &ChooseKScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    if choice.sweep.is_none() {
        return draw(choice, look, area, buffer);
    }
    let corpus = choice.corpus.as_deref().unwrap_or_default();
    let Some(advice) = &choice.advice else {
        let inside =
            parts::titled(buffer, area, look, &format!("{corpus}: which K to look at first"));
        let none = "Runs of one model and vocabulary with three or more different K are needed: give the \
                    launch form a list such as 10..100:10 for K.";
        let family = choice.family_in_words().map(|words| format!("{words}."));
        let lines = [family.as_deref().unwrap_or_default(), none];
        let lines = lines.into_iter().filter(|words| !words.is_empty());
        let lines = lines.flat_map(|words| parts::paragraph(words, area.width, Style::new()));
        parts::lines(buffer, inside, &lines.collect::<Vec<_>>());
        return;
    };
    let title = format!("{corpus}: which K to look at first");
    let mut rest = parts::titled(buffer, area, look, &title);
    let sentence = format!("{}. Enter opens run {}.", advice.sentence, advice.run);
    rest = parts::lines(buffer, rest, &parts::paragraph(&sentence, area.width, look.heading()));
    if let Some(family) = choice.family_in_words() {
        rest = parts::lines(buffer, rest, &parts::paragraph(&family, area.width, look.key()));
    }
    rest = parts::titled(buffer, rest, look, "The score of every K, 1 at best");
    if rest.height >= ADVICE_CHART + ADVICE_WORDS {
        score_chart(choice, look, Rect { height: ADVICE_CHART, ..rest }, buffer);
        rest = parts::below(rest, ADVICE_CHART);
    }
    let mut lines: Vec<Line<'static>> = Vec::new();
    for reason in &advice.reasons {
        lines.extend(parts::paragraph(&format!("- {reason}"), area.width, Style::new()));
    }
    let is_measured = choice.sweep.as_ref().is_some_and(|sweep| !sweep.noise.is_empty());
    if !is_measured {
        lines.extend(parts::paragraph(&format!("- {NO_NOISE}"), area.width, Style::new()));
    }
    lines.extend(parts::paragraph(HEURISTIC, area.width, look.warning()));
    parts::lines(buffer, rest, &lines);
}

/// The score of every K, that of the recommended one marked.
fn score_chart(choice: &ChooseKScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let Some(advice) = &choice.advice else { return };
    let points: Vec<(f64, f64)> =
        advice.scores.iter().map(|&(k, score)| (k as f64, score)).collect();
    let marks = points
        .iter()
        .map(|&(k, score)| (k, score, if k == advice.k as f64 { "*" } else { "o" }))
        .collect();
    let below = points.iter().map(|&(k, _)| k).collect();
    let chart = Chart { points, marks, below, ..Chart::default() };
    chart.draw(buffer, area, look);
}
