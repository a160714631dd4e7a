//! A run in full: settings, stages with what they converged to, metrics.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::parts;
use crate::records::runs::{RunRow, settings_in_words};
use crate::tui::screens::runs::RunDetail;
use crate::tui::view::look::Appearance;
use crate::tui::view::text;
use topoi_core::metric::MetricDef;
use topoi_core::metric::words::stability::{STABILITY, STABILITY_BY_CHANCE};
use topoi_core::numbers::counted;
use topoi_core::numbers::{four_digits, thousands};
use topoi_store::result::metric::Metric;
use topoi_store::run::progress::Stage;

/// Cells for the name of a stage.
const NAME: usize = 14;
/// Residuals from this many on are drawn as a curve.
const CURVE: usize = 3;

/// Draws what is known of a run.
pub fn draw(
    row: &RunRow,
    detail: Option<&RunDetail>,
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let run = &row.run;
    let name = run.name.as_ref().map(|name| format!(" \u{201c}{name}\u{201d}"));
    let name = name.unwrap_or_default();
    let title = format!("run {}{name}: {} {} k {}", run.id, run.corpus, run.model, run.k);
    let rest = parts::titled(buffer, area, look, &title);
    let Some(detail) = detail else {
        parts::lines(buffer, rest, &summary_with_error(row, look, area.width));
        return;
    };
    let mut rest = summary_and_stages(buffer, row, detail, look, rest);
    if detail.residuals.len() >= CURVE {
        let cells = usize::from(area.width).saturating_sub(NAME + 4).min(60);
        let curve = parts::curve(&detail.residuals, cells);
        let of = detail.residuals_of.as_deref().unwrap_or_default();
        let line = Line::from(vec![
            Span::styled(format!(" {}  ", text::align_left(of, NAME)), look.heading()),
            Span::styled(curve, look.bar()),
        ]);
        rest = parts::lines(buffer, rest, &[line]);
    }
    rest = parts::lines(buffer, rest, &stability(detail, area.width));
    let metrics: Vec<&Metric> = detail.metrics.iter().collect();
    let metrics = parts::values(look, &metrics, area.width);
    parts::lines(buffer, roomy(rest, metrics.len()), &metrics);
}

/// What runs on halves of the documents say of the topics, in a sentence.
fn stability(detail: &RunDetail, width: u16) -> Vec<Line<'static>> {
    let value = |wanted: &MetricDef| {
        detail.metrics.iter().find(|metric| metric.name == wanted.id).map(|metric| metric.value)
    };
    let Some(found) = value(&STABILITY) else { return Vec::new() };
    let mut words = format!(
        "stability {:.0}%: of each topic's most probable words so many come back",
        100.0 * found
    );
    words.push_str(" when it is made from other documents or with another seed");
    if let Some(chance) = value(&STABILITY_BY_CHANCE) {
        words.push_str(&format!(" ({:.0}% would by chance)", 100.0 * chance));
    }
    parts::paragraph(&words, width, Style::new())
}

/// Draws summary and stages under a title; returns what is below them.
pub fn head(
    buffer: &mut Buffer,
    row: &RunRow,
    detail: &RunDetail,
    look: Appearance,
    area: Rect,
) -> Rect {
    let inside = parts::titled(buffer, area, look, "Settings and stages");
    summary_and_stages(buffer, row, detail, look, inside)
}

fn summary_with_error(row: &RunRow, look: Appearance, width: u16) -> Vec<Line<'static>> {
    let mut lines = summary(row, width);
    if let Some(error) = &row.run.error {
        lines.extend(parts::paragraph(error, width, look.bad()));
    }
    lines.extend(warnings(row, look, width));
    lines
}

/// Why the run should not be trusted as it is.
pub fn warnings(row: &RunRow, look: Appearance, width: u16) -> Vec<Line<'static>> {
    let paragraph = |text: &str| parts::paragraph(&format!("! {text}"), width, look.warning());
    row.warnings.iter().flat_map(|warning| paragraph(&warning.text)).collect()
}

/// Which labels a run lost when it was updated from another, and what became of vocabulary and topics.
pub fn changes(detail: &RunDetail, look: Appearance, width: u16) -> Vec<Line<'static>> {
    let Some(changes) = &detail.changes else { return Vec::new() };
    let said = format!("{}; {}", changes.vocabulary_in_words(), changes.topics_in_words());
    let lost =
        changes.labels_lost.iter().map(|lost| format!("! {}", changes.lost_label_in_words(lost)));
    let lost = lost.flat_map(|text| parts::paragraph(&text, width, look.warning()));
    let news = changes.news_in_words(|topic| topic.to_string());
    let news = news.iter().flat_map(|text| parts::paragraph(text, width, Style::new()));
    lost.chain(news).chain(parts::paragraph(&said, width, Style::new())).collect()
}

fn summary_and_stages(
    buffer: &mut Buffer,
    row: &RunRow,
    detail: &RunDetail,
    look: Appearance,
    area: Rect,
) -> Rect {
    let rest = parts::lines(buffer, area, &summary_with_error(row, look, area.width));
    let coverage = parts::paragraph(&detail.coverage, area.width, Style::new());
    let coverage = if detail.coverage.is_empty() { Vec::new() } else { coverage };
    let rest = parts::lines(buffer, rest, &changes(detail, look, area.width));
    let rest = parts::lines(buffer, rest, &coverage);
    if detail.stages.is_empty() {
        return rest;
    }
    let rest = roomy(rest, detail.stages.len() + 3);
    parts::lines(buffer, rest, &stages(row, &detail.stages, look, area.width))
}

/// `area`, after an empty line where `rows` rows still fit below it.
fn roomy(area: Rect, rows: usize) -> Rect {
    if usize::from(area.height) > rows { parts::below(area, 1) } else { area }
}

fn summary(row: &RunRow, width: u16) -> Vec<Line<'static>> {
    let run = &row.run;
    let mut facts = vec![row.word().to_string()];
    facts.extend(run.terms.map(|terms| format!("{} terms", thousands(terms))));
    facts.push(format!("seed {}", run.seed));
    facts.push(format!("asked for {} UTC", text::minute(&run.created_at)));
    if let Some(seconds) = run.seconds.filter(|&seconds| seconds > 0.0) {
        facts.push(format!("took {}", text::duration(seconds)));
    }
    let memory = row.progress.as_ref().and_then(|progress| progress.memory_bytes);
    if let Some(bytes) = memory.or(run.peak_memory_bytes) {
        facts.push(text::memory(bytes));
    }
    let mut lines = parts::paragraph(&facts.join(", "), width, Style::new());
    let settings = settings_in_words(run).unwrap_or_else(|| parts::settings(&run.settings));
    lines.extend(parts::paragraph(&settings, width, Style::new()));
    if let Some(added) = row.added_since.filter(|&added| added > 0) {
        let documents = counted(added, "document");
        let said = format!(
            "{documents} came to its corpus since (+): `topoi update {}` takes them in",
            run.id
        );
        lines.extend(parts::paragraph(&said, width, Style::new()));
    }
    if let Some(note) = &run.note {
        lines.extend(parts::paragraph(&format!("note: {note}"), width, Style::new()));
    }
    lines
}

fn stages(row: &RunRow, stages: &[Stage], look: Appearance, width: u16) -> Vec<Line<'static>> {
    let room = usize::from(width).saturating_sub(NAME + 31);
    let columns = |name: &str, took: &str, steps: &str, residual: &str, note: &str| {
        format!(
            " {}  {}  {}  {}  {}",
            text::align_left(name, NAME),
            text::align_right(took, 6),
            text::align_right(steps, 7),
            text::align_right(residual, 8),
            text::cut(note, room)
        )
    };
    let title = columns("stage", "took", "steps", "came to", "which is the");
    let mut lines = vec![Line::styled(title, look.heading())];
    for stage in stages {
        let took = stage.seconds.map_or_else(|| "..".into(), text::duration);
        // The stage that is under way has its numbers in the progress.
        let live = row.progress.as_ref().filter(|live| live.stage == stage.name);
        let live = live.filter(|_| stage.seconds.is_none());
        let steps = stage.steps.or(live.map(|live| live.step));
        let steps = steps.map(thousands).unwrap_or_default();
        let residual = stage.residual.or(live.and_then(|live| live.residual));
        let residual = residual.map(four_digits).unwrap_or_default();
        let note = stage.note.as_deref().unwrap_or_default();
        lines.push(Line::raw(columns(&stage.name, &took, &steps, &residual, note)));
    }
    lines
}
