//! Runs side by side, drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::CompareScreen;
use crate::records::column::Width;
use crate::records::comparisons::PairRow;
use crate::tui::view::layout;
use crate::tui::view::look::Look;
use crate::tui::view::parts;
use crate::tui::view::table::{Column, Listed, Table};
use crate::tui::view::text;
use topoi::run::saved::compare::{ComparedRun, Comparison, WEAK, exchange};
use topoi::store::result::topic::Topic;

const SHARES: layout::Shares = layout::Shares { beside: 60, below: 50 };

/// Rows of the list on the screen.
pub fn rows(shows_metrics: bool, body: Rect) -> usize {
    let view = layout::strip(body).1;
    layout::table_rows(if shows_metrics { view } else { layout::split(SHARES, view).list })
}

pub fn draw(compare: &CompareScreen, look: Look, area: Rect, buffer: &mut Buffer) {
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
    let (strip, view) = layout::strip(area);
    let views =
        [(("t", "topics"), !compare.shows_metrics), (("m", "metrics"), compare.shows_metrics)];
    parts::strip(buffer, strip, look, &title(found, first, other), &views);
    if compare.shows_metrics {
        let inside = parts::titled(buffer, view, look, "Metrics, the best one marked *");
        metrics(compare, found, look, inside, buffer);
        return;
    }
    let split = layout::split(SHARES, view);
    let inside = parts::titled(buffer, split.list, look, &matched(compare, found));
    list(compare, look, (first, other), inside, buffer);
    if let Some(between) = split.between {
        parts::stroke(buffer, between, look);
    }
    if let Some(pair) = compare.selected() {
        let rest = detail(&pair, (first, other), look, split.detail, buffer);
        if split.between.is_some() && rest.height > 6 {
            let title = "Metrics, the best one marked *";
            let inside = parts::titled(buffer, parts::below(rest, 1), look, title);
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
    let sum: f64 = alignment.pairs.iter().map(|pair| pair.2).sum();
    let alone = alignment.only_first.len() + alignment.only_other.len();
    let alone = if alone > 0 { format!(", {alone} without a match") } else { String::new() };
    format!(
        "{} pairs, mean cosine {:.2} over {} shared terms{alone}",
        alignment.pairs.len(),
        sum / alignment.pairs.len().max(1) as f64,
        text::count(alignment.shared_terms as u64)
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
    look: Look,
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
        // A name that a user gave a topic goes over to its match.
        let named = |topic: Option<&Topic>, match_: Option<&Topic>| match (topic, match_) {
            (Some(topic), match_) => {
                let label = topic.label.as_ref().or(match_.and_then(|other| other.label.as_ref()));
                let label = label.map(|label| format!("\"{label}\" ")).unwrap_or_default();
                format!("{label}{}", words(topic))
            }
            (None, _) => "(none)".into(),
        };
        let style = match pair.similarity {
            Some(similarity) if similarity >= WEAK => Style::new(),
            _ => look.warning(),
        };
        vec![
            Span::raw(number(pair.first)),
            Span::raw(named(pair.first, pair.other)),
            Span::styled(similarity(&pair), style),
            Span::raw(number(pair.other)),
            Span::raw(named(pair.other, pair.first)),
        ]
    });
}

/// Draws words kept, lost and gained of a pair; returns what is below.
fn detail(
    pair: &PairRow<'_>,
    (first, other): (&ComparedRun, &ComparedRun),
    look: Look,
    area: Rect,
    buffer: &mut Buffer,
) -> Rect {
    let paragraph = |name: String, words: String| {
        let lines = text::wrap(&words, usize::from(area.width).saturating_sub(12).max(1));
        lines.into_iter().enumerate().map(move |(at, line)| {
            let name = if at == 0 { name.clone() } else { String::new() };
            Line::from(vec![
                Span::styled(format!(" {} ", text::left(&name, 9)), look.heading()),
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
    let mut lines: Vec<Line> = label(pair, one, two)
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
            " run {} topic {}: weight {}{}",
            run.run.id,
            topic.topic,
            text::percent(topic.weight),
            anchor.unwrap_or_default()
        )));
    }
    parts::lines(buffer, inside, &lines)
}

fn pair_title(pair: &PairRow<'_>, one: &Topic, two: &Topic) -> String {
    let alike = pair.similarity.unwrap_or(0.0);
    format!("topic {} and its match {}, cosine {alike:.3}", one.topic, two.topic)
}

/// The name that a user gave one of the two, with how sure it is that it fits the other.
fn label(pair: &PairRow<'_>, one: &Topic, two: &Topic) -> Option<String> {
    let alike = pair.similarity.unwrap_or(0.0);
    match (&one.label, &two.label) {
        (Some(label), None) | (None, Some(label)) => {
            Some(format!("\"{label}\" for both, with confidence {alike:.2}"))
        }
        (Some(one), Some(two)) if one != two => Some(format!("\"{one}\" and \"{two}\"")),
        (Some(label), Some(_)) => Some(format!("\"{label}\"")),
        (None, None) => None,
    }
}

fn metrics(
    compare: &CompareScreen,
    found: &Comparison,
    look: Look,
    area: Rect,
    buffer: &mut Buffer,
) {
    let all = compare.metric_columns();
    let listed = Listed::new(&all, area.width);
    let (columns, list) = (&listed.columns, &compare.metrics);
    let table = Table { columns, list, len: list.len(), focused: compare.shows_metrics };
    table.draw(buffer, area, look, |index| {
        let Some(metric) = list.row(&found.metrics, index) else { return Vec::new() };
        let mut cells = listed.cells(metric);
        for (run, (cell, value)) in cells[1..].iter_mut().zip(&metric.values).enumerate() {
            let is_best = metric.best == Some(run);
            let value = value.map(text::figure).unwrap_or_else(|| "-".into());
            let marked = format!("{}{value}", if is_best { "* " } else { "" });
            *cell = Span::styled(marked, if is_best { look.good() } else { Style::new() });
        }
        cells
    });
}
