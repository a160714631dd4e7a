//! The spectrum of the second moment and the bounds on K it gives.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::ChooseKScreen;
use crate::tui::view::chart::{Chart, steps};
use crate::tui::view::layout;
use crate::tui::view::look::Appearance;
use crate::tui::view::parts;
use crate::tui::view::text;
use topoi_core::numbers::{four_digits, thousands};
use topoi_run::choose_k::bounds::Bounds;

/// What must be said wherever bounds are shown.
const ASSUMPTION: &str = "The bounds hold for documents drawn from LDA with these alpha and \
    beta. Real text is not: there they are a hint.";
/// What is said of bounds that allow any K.
const SAY_NOTHING: &str = "The bounds say nothing of this corpus: any number of topics from 1 on would \
    explain what they look at. More or longer documents would narrow them.";
/// What the estimate of a separable model is, beside a K that is to be looked at first.
const K_HAT: &str = "K-hat counts the groups of words that stand apart from all others. It can be many \
    times the K that reads best: rare words stand apart too.";
/// Cells for the names of values.
const NAMES: usize = 12;

/// Draws the bounds of the corpus that is shown, or how to get them.
pub fn draw(choice: &ChooseKScreen, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let corpus = choice.corpus.as_deref().unwrap_or_default();
    let Some(bounds) = &choice.bounds else {
        let inside = parts::titled(buffer, area, look, &format!("{corpus}: bounds on K"));
        let mut lines = vec![Line::raw(""), waiting(choice, look)];
        if choice.sweep.is_none() {
            lines.push(Line::raw(" There is no finished run yet: n starts one."));
        }
        parts::lines(buffer, inside, &lines);
        return;
    };
    let split = layout::split(super::view::SHARES, area);
    let title = format!("{corpus}: eigenvalues of the second moment (log), and the bounds on K");
    if let Some(between) = split.between {
        parts::stroke(buffer, between, look);
        let inside = parts::titled(buffer, split.list, look, &title);
        scree(bounds, look, inside, buffer);
        let inside = parts::titled(buffer, split.detail, look, "Bounds on K");
        let lines = facts(choice, bounds, look, split.detail.width);
        let rest = parts::lines(buffer, inside, &lines);
        values(bounds, look, rest, buffer);
        return;
    }
    let lines = facts(choice, bounds, look, area.width);
    let height = area.height.saturating_sub(lines.len() as u16 + 1).max(4).min(area.height);
    let inside = parts::titled(buffer, Rect { height, ..area }, look, &title);
    scree(bounds, look, inside, buffer);
    let inside = parts::titled(buffer, parts::below(area, height), look, "Bounds on K");
    parts::lines(buffer, inside, &lines);
}

fn waiting(choice: &ChooseKScreen, look: Appearance) -> Line<'static> {
    match &choice.computing {
        Some(corpus) => Line::styled(
            format!(" The bounds of {corpus} are being computed, also when you leave."),
            look.warning(),
        ),
        None => Line::raw(" No bounds are saved: b computes them."),
    }
}

/// The spectrum with the threshold as a level line and the bounds as upright ones.
fn scree(bounds: &Bounds, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let bound = &bounds.saved.bound;
    let positive = bound.spectrum.iter().map(|&(value, _)| value).take_while(|&value| value > 0.0);
    let points: Vec<(f64, f64)> = (1..).map(f64::from).zip(positive).collect();
    // A line that is far out would press all the rest together.
    let farthest = (2 * points.len()) as f64;
    let mut uprights = vec![(bound.lower as f64, format!("lower {}", bound.lower))];
    uprights.extend(bound.upper.map(|upper| (upper as f64, format!("upper {upper}"))));
    uprights.extend(bounds.estimates.first().map(|e| (e.k_hat, format!("K-hat {}", e.k_hat))));
    uprights.retain(|(at, _)| *at <= farthest);
    uprights.sort_by(|a, b| a.0.total_cmp(&b.0));
    let last = uprights.iter().map(|(at, _)| *at as usize).chain([points.len()]).max();
    let chart = Chart {
        below: steps(last.unwrap_or(1), usize::from(area.width / 8)),
        levels: vec![(bound.threshold, "threshold".into())],
        points,
        uprights,
        is_log: true,
        ..Chart::default()
    };
    chart.draw(buffer, area, look);
}

/// The bounds in words.
fn facts(
    choice: &ChooseKScreen,
    bounds: &Bounds,
    look: Appearance,
    cells: u16,
) -> Vec<Line<'static>> {
    let (bound, details) = (&bounds.saved.bound, &bounds.details);
    let cut_off = if bound.is_cut_off { " (cut off: at least)" } else { "" };
    let share = |value: f64| four_digits((value * 1e4).floor() / 1e4);
    let upper = details.uppers.iter().map(|upper| {
        let topics = upper.topics.map_or("none".to_string(), |topics| topics.to_string());
        let chance = upper.topics.map(|_| format!(", p {}", share(upper.probability)));
        format!("{topics} ({}{})", upper.coefficients.name(), chance.unwrap_or_default())
    });
    let gap = details.eigengap.map_or("none".into(), |gap| {
        format!("after {}, by a factor of {}", gap.after, four_digits(gap.ratio))
    });
    let ratio = details.participation_ratio.map_or("none".into(), four_digits);
    let lda = bounds.settings.lda;
    let mut lines = match bound.upper {
        None if bound.lower <= 1 => parts::paragraph(SAY_NOTHING, cells, look.warning()),
        _ => Vec::new(),
    };
    lines.extend([
        parts::named(
            look,
            "at least",
            NAMES,
            format!("{}{cut_off}, probability p {}", bound.lower, share(bound.lower_probability)),
        ),
        parts::named(look, "at most", NAMES, upper.collect::<Vec<_>>().join("; ")),
        parts::named(
            look,
            "threshold",
            NAMES,
            format!(
                "{}; alpha {}, beta {}, delta {}; {} terms; {}",
                four_digits(bound.threshold),
                lda.alpha,
                lda.beta,
                lda.delta,
                thousands(details.terms as u64),
                text::date(&bounds.saved.created_at)
            ),
        ),
        parts::named(look, "eigengap", NAMES, format!("{gap}; participation ratio {ratio}")),
    ]);
    let estimates = bounds.estimates.iter().take(4);
    let estimates: Vec<String> =
        estimates.map(|e| format!("{} (run {})", four_digits(e.k_hat), e.run)).collect();
    if !estimates.is_empty() {
        let words = estimates.join(", ") + " by solid angles";
        lines.push(parts::named(look, "K-hat", NAMES, words));
        lines.extend(parts::paragraph(K_HAT, cells, Style::new()));
    }
    if bound.upper.is_some_and(|upper| upper < bound.lower) || details.least < -bound.threshold {
        lines.push(Line::styled(
            " The spectrum is not that of LDA with this alpha and beta.",
            look.warning(),
        ));
    }
    if choice.computing.is_some() {
        lines.push(waiting(choice, look));
    }
    lines.extend(parts::paragraph(ASSUMPTION, cells, Style::new()));
    lines
}

/// Eigenvalues with their residuals, in as many columns as fit.
fn values(bounds: &Bounds, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let inside = parts::titled(buffer, parts::below(area, 1), look, "Eigenvalues, residuals");
    let bound = &bounds.saved.bound;
    let above = |value: f64| if value > bound.threshold { ">" } else { " " };
    let rows = usize::from(inside.height).max(1);
    for (at, &(value, residual)) in bound.spectrum.iter().enumerate() {
        let (column, row) = ((at / rows) as u16 * 30, (at % rows) as u16);
        if column + 27 > inside.width || row >= inside.height {
            break;
        }
        let words = format!(
            "{}{} {} {}",
            above(value),
            text::align_right(&(at + 1).to_string(), 4),
            text::align_right(&four_digits(value), 10),
            text::align_right(&four_digits(residual), 10)
        );
        buffer.set_string(inside.x + column, inside.y + row, words, Style::new());
    }
}
