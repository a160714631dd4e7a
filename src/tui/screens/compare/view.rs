//! Runs side by side, drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{CompareScreen, CompareView, all_runs};
use crate::records::column::Width;
use crate::records::comparisons::{self, PairRow};
use crate::tui::view::layout;
use crate::tui::view::look::Appearance;
use crate::tui::view::parts;
use crate::tui::view::table::{Column, RecordColumns, Table};
use crate::tui::view::text;
use topoi_core::numbers::thousands;
use topoi_run::saved::compare::{ComparedMetric, ComparedRun, Comparison, WEAK, exchange};
use topoi_store::id::RunId;
use topoi_store::result::topic::Topic;

/// Cells of a metric of a run with the mark of the best and the gap, where some are estimates and where none is.
const ESTIMATE: usize = 17;
const COMPUTED: usize = 12;

const SHARES: layout::Shares = layout::Shares { beside: 60, below: 50 };
/// From this width on words of both runs and the metrics have room beside the pairs.
const BESIDE_FROM: u16 = 140;
/// What is said above metrics.
const METRICS: &str = "Metrics; * is better than all others by more than the noise";

fn split(view: Rect) -> layout::Split {
    match view.width {
        BESIDE_FROM.. => layout::split(SHARES, view),
        _ => layout::stacked(SHARES, view),
    }
}

/// What is below the strip of views, and below the line that says of which corpora the runs are.
fn below_strip(compare: &CompareScreen, area: Rect) -> (Rect, Rect) {
    let (strip, view) = layout::strip(area);
    (strip, parts::below(view, u16::from(compare.corpora().is_some())))
}

/// Rows of the list on the screen.
pub fn rows(compare: &CompareScreen, body: Rect) -> usize {
    let view = below_strip(compare, body).1;
    let is_whole = compare.view == CompareView::Metrics;
    layout::table_rows(if is_whole { view } else { split(view).list })
}

pub fn draw(compare: &CompareScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let (Some(found), Some((first, other))) = (&compare.found, compare.shown()) else {
        let inside = parts::titled(buffer, area, look, "Compare");
        let lines = match &compare.error {
            Some(error) => parts::paragraph(error, area.width, look.bad()),
            None if compare.answered => {
                let none = "There are no two finished runs of a corpus yet: on 4, Space marks runs and c \
                            compares them.";
                parts::paragraph(none, area.width, Style::new())
            }
            None => Vec::new(),
        };
        parts::lines(buffer, parts::below(inside, 1), &lines);
        return;
    };
    let (strip, view) = below_strip(compare, area);
    let name = |view: CompareView| match view {
        CompareView::All => ("]", "all runs"),
        CompareView::Topics => ("t", "pairs"),
        CompareView::Metrics => ("I", "metrics"),
    };
    let views: Vec<_> =
        compare.views().into_iter().map(|view| (name(view), view == compare.view)).collect();
    parts::strip(buffer, strip, look, &title(found, first, other), &views);
    if let Some(corpora) = compare.corpora() {
        let words = format!(" Two corpora: {corpora}. Words are matched, metrics are not judged.");
        let line = Line::styled(words, look.warning());
        buffer.set_line(view.x, view.y.saturating_sub(1), &line, view.width);
    }
    match compare.view {
        CompareView::Metrics => {
            let inside = parts::titled(buffer, view, look, METRICS);
            metrics(compare, found, look, inside, buffer);
        }
        CompareView::All => all_runs::draw(compare, found, look, split(view), buffer),
        CompareView::Topics => pairs(compare, found, (first, other), look, view, buffer),
    }
}

fn pairs(
    compare: &CompareScreen,
    found: &Comparison,
    (first, other): (&ComparedRun, &ComparedRun),
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let split = split(area);
    let inside = parts::titled(buffer, split.list, look, &matched(compare, found));
    list(compare, look, (first, other), inside, buffer);
    if let Some(between) = split.between {
        parts::stroke(buffer, between, look);
    }
    if let Some(pair) = compare.selected() {
        let rest = detail(&pair, (first, other), look, split.detail, buffer);
        if split.between.is_some() && rest.height > 6 {
            let inside = parts::titled(buffer, parts::below(rest, 1), look, METRICS);
            metrics(compare, found, look, inside, buffer);
        }
    }
}

fn title(found: &Comparison, first: &ComparedRun, other: &ComparedRun) -> String {
    let is_one_model = found.runs.iter().all(|run| run.run.model == first.run.model);
    let name = |run: &ComparedRun| {
        let model = if is_one_model { String::new() } else { format!("{} ", run.run.model) };
        format!("run {} ({model}k {})", run.run.id, run.run.k)
    };
    let more = match found.runs.len() {
        2 => String::new(),
        many => format!(", {} more", many - 2),
    };
    format!("{} with {}{more}", name(first), name(other))
}

fn matched(compare: &CompareScreen, found: &Comparison) -> String {
    let Some(alignment) = found.alignments.get(compare.other) else { return String::new() };
    let strong: Vec<f64> =
        alignment.pairs.iter().map(|pair| pair.2).filter(|alike| *alike >= WEAK).collect();
    let weak = alignment.pairs.len() - strong.len();
    let alone = alignment.only_first.len() + alignment.only_other.len();
    let few = |count: usize, what: &str| match count {
        0 => String::new(),
        _ => format!(", {count} {what}"),
    };
    format!(
        "{} pairs alike, mean cosine {:.2}{}{}; {} shared terms",
        strong.len(),
        strong.iter().sum::<f64>() / strong.len().max(1) as f64,
        few(weak, "hardly alike (below)"),
        few(alone, "without a match"),
        thousands(alignment.shared_terms as u64)
    )
}

fn words(topic: &Topic) -> String {
    topic.words.iter().map(|word| word.word.as_str()).collect::<Vec<_>>().join(" ")
}

fn similarity(pair: &PairRow<'_>) -> String {
    match pair.similarity {
        Some(similarity) if similarity < WEAK => format!("{similarity:.2}?"),
        Some(similarity) => format!("{similarity:.2} "),
        None => "-  ".into(),
    }
}

fn list(
    compare: &CompareScreen,
    look: Appearance,
    (first, other): (&ComparedRun, &ComparedRun),
    area: Rect,
    buffer: &mut Buffer,
) {
    let (ours, theirs) = (format!("of run {}", first.run.id), format!("of run {}", other.run.id));
    let columns = [
        Column::number("topic", 5),
        Column::text(&ours, Width::Share(1)),
        Column::number("alike", 5),
        Column::number("topic", 5),
        Column::text(&theirs, Width::Share(1)),
    ];
    let list = &compare.list;
    let table = Table { columns: &columns, list, len: list.len(), focused: true };
    table.draw(buffer, area, look, |index| {
        let Some(pair) = compare.pair(index) else { return Vec::new() };
        let number = |topic: Option<&Topic>| topic.map(|t| t.topic.to_string()).unwrap_or_default();
        // A name belongs to the topic that a user gave it; below, its match says so.
        let named = |topic: Option<&Topic>| match topic {
            Some(topic) => {
                let label = topic.label.as_ref();
                let label = label.map(|label| format!("\"{label}\" ")).unwrap_or_default();
                format!("{label}{}", words(topic))
            }
            None => "(none)".into(),
        };
        let style = match pair.similarity {
            Some(similarity) if similarity >= WEAK => Style::new(),
            _ => look.warning(),
        };
        vec![
            Span::raw(number(pair.first)),
            Span::raw(named(pair.first)),
            Span::styled(similarity(&pair), style),
            Span::raw(number(pair.other)),
            Span::raw(named(pair.other)),
        ]
    });
}

/// Draws words kept, lost and gained of a pair; returns what is below.
fn detail(
    pair: &PairRow<'_>,
    (first, other): (&ComparedRun, &ComparedRun),
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) -> Rect {
    let paragraph = |name: String, words: String| {
        let lines = text::wrap(&words, usize::from(area.width).saturating_sub(12).max(1));
        lines.into_iter().enumerate().map(move |(at, line)| {
            let name = if at == 0 { name.clone() } else { String::new() };
            Line::from(vec![
                Span::styled(format!(" {} ", text::align_left(&name, 9)), look.heading()),
                Span::raw(line),
            ])
        })
    };
    let (Some(one), Some(two)) = (pair.first, pair.other) else {
        let (run, topic) = match (pair.first, pair.other) {
            (Some(topic), _) => (first, topic),
            (None, Some(topic)) => (other, topic),
            (None, None) => return area,
        };
        let title = format!("topic {} of run {} has no match", topic.topic, run.run.id);
        let inside = parts::titled(buffer, area, look, &title);
        let lines: Vec<Line> = paragraph("words".into(), words(topic)).collect();
        return parts::lines(buffer, inside, &lines);
    };
    let inside = parts::titled(buffer, area, look, &pair_title(pair, one, two));
    let exchange = exchange(one, two);
    let runs = (first.run.id, other.run.id);
    let mut lines: Vec<Line> = label(runs, one, two)
        .into_iter()
        .flat_map(|label| paragraph("name".into(), label))
        .collect();
    for (name, words) in
        [("kept", exchange.kept), ("gained", exchange.gained), ("lost", exchange.lost)]
    {
        let all = if words.is_empty() { "nothing".to_string() } else { words.join(" ") };
        lines.extend(paragraph(format!("{name} {}", words.len()), all));
    }
    for (run, topic) in [(first, one), (other, two)] {
        let anchor = topic.anchor.as_ref().map(|anchor| format!(", anchor {anchor}"));
        lines.push(Line::raw(format!(
            " run {} topic {}: {}{}",
            run.run.id,
            topic.topic,
            text::shares(&topic.shares),
            anchor.unwrap_or_default()
        )));
    }
    parts::lines(buffer, inside, &lines)
}

fn pair_title(pair: &PairRow<'_>, one: &Topic, two: &Topic) -> String {
    let alike = pair.similarity.unwrap_or(0.0);
    format!("topic {} and its match {}, cosine {alike:.3}", one.topic, two.topic)
}

/// The names that a user gave the two topics, and of which run each is.
fn label((first, other): (RunId, RunId), one: &Topic, two: &Topic) -> Option<String> {
    let only = |label: &String, run: RunId, not: RunId| {
        format!("\u{201c}{label}\u{201d} in run {run}; run {not} has no name for it")
    };
    match (&one.label, &two.label) {
        (Some(label), None) => Some(only(label, first, other)),
        (None, Some(label)) => Some(only(label, other, first)),
        (Some(one), Some(two)) if one != two => {
            Some(format!("\u{201c}{one}\u{201d} and \u{201c}{two}\u{201d}"))
        }
        (Some(label), Some(_)) => Some(format!("\u{201c}{label}\u{201d} in both")),
        (None, None) => None,
    }
}

fn metrics(
    compare: &CompareScreen,
    found: &Comparison,
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let is_estimate = |metric: &ComparedMetric| metric.standard_errors.iter().any(Option::is_some);
    let cells = if found.metrics.iter().any(is_estimate) { ESTIMATE } else { COMPUTED };
    let shown = shown_runs(compare, found.runs.len(), area.width, cells);
    let numbers: Vec<RunId> = found.runs.iter().map(|run| run.run.id).collect();
    let mut all = comparisons::metrics(numbers.iter().copied());
    // Runs that there is no room for are left out; Tab brings them.
    let mut at = 0;
    all.retain(|column| {
        let is_run = column.name.starts_with("run ");
        let is_shown = !is_run || shown.contains(&at);
        at += usize::from(is_run);
        is_shown
    });
    let mut area = area;
    if shown.len() < numbers.len() {
        let words = format!(
            " {} of {} runs have room; Tab shows others beside run {}.",
            shown.len(),
            numbers.len(),
            numbers[0]
        );
        area = parts::lines(buffer, area, &[Line::styled(words, look.warning())]);
    }
    let listed = RecordColumns::new(&all, area.width);
    let (columns, list) = (&listed.columns, &compare.metrics);
    let focused = compare.view == CompareView::Metrics;
    let table = Table { columns, list, len: list.len(), focused };
    table.draw(buffer, area, look, |index| {
        let Some(metric) = list.row(&found.metrics, index) else { return Vec::new() };
        let mut cells = listed.cells(metric);
        for (cell, &run) in cells[1..].iter_mut().zip(&shown) {
            let is_best = metric.best == Some(run);
            let value =
                metric.values[run].map(|it| text::estimate(it, metric.standard_errors[run]));
            let value = value.unwrap_or_else(|| "-".into());
            let marked = format!("{}{value}", if is_best { "* " } else { "" });
            *cell = Span::styled(marked, if is_best { look.good() } else { Style::new() });
        }
        cells
    });
}

/// The places of the runs that a table of metrics has room for: the first run, and others from the one
/// on that is shown beside it.
fn shown_runs(compare: &CompareScreen, runs: usize, width: u16, cells: usize) -> Vec<usize> {
    // The name of the metric, its noise, which way is better.
    let room = usize::from(width).saturating_sub(2 + 24 + 2 + 8 + 2 + 7) / cells;
    let others = runs - 1;
    let fit = room.saturating_sub(1).clamp(1, others.max(1)).min(others);
    let first = compare.other.min(others.saturating_sub(fit));
    std::iter::once(0).chain((0..fit).map(|at| first + at + 1)).collect()
}
