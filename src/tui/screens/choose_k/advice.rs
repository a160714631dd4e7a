//! Which K to look at first, and why.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::ChooseKScreen;
use crate::tui::view::chart::Chart;
use crate::tui::view::look::Look;
use crate::tui::view::parts;

/// What must be said wherever a K is recommended.
const HEURISTIC: &str = "This is a heuristic, not a finding: it says where to begin to read. The \
    topics themselves decide, and which of them come back from halves of the documents (T on a \
    run).";
/// Rows of the chart.
const CHART: u16 = 8;
/// Rows beside which the chart is left out.
const WORDS: u16 = 9;

/// Draws the recommendation for the runs that are shown.
pub fn draw(choice: &ChooseKScreen, look: Look, area: Rect, buffer: &mut Buffer) {
    let corpus = choice.corpus.as_deref().unwrap_or_default();
    let Some(advice) = &choice.advice else {
        let inside = parts::titled(buffer, area, look, &format!("{corpus}: where to begin"));
        let none = "Runs of one model with three or more different K are needed: give the launch \
                    form a list such as 10..100:10 for K.";
        parts::lines(buffer, inside, &parts::paragraph(none, area.width, Style::new()));
        return;
    };
    let title =
        format!("{corpus}: begin with K = {} (run {}); the score of every K", advice.k, advice.run);
    let mut rest = parts::titled(buffer, area, look, &title);
    if rest.height >= CHART + WORDS {
        chart(choice, look, Rect { height: CHART, ..rest }, buffer);
        rest = parts::below(rest, CHART);
    }
    let mut lines: Vec<Line<'static>> = Vec::new();
    for reason in &advice.reasons {
        lines.extend(parts::paragraph(&format!("- {reason}"), area.width, Style::new()));
    }
    lines.extend(parts::paragraph(HEURISTIC, area.width, look.warning()));
    parts::lines(buffer, rest, &lines);
}

/// The score of every K, that of the recommended one marked.
fn chart(choice: &ChooseKScreen, look: Look, area: Rect, buffer: &mut Buffer) {
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
