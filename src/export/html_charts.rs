//! The pictures of the page, as SVG.

use std::fmt::Write;

use super::html::{escaped, figure};
use crate::run::topic_lifts::TopicLifts;

/// Width and height of a picture, in SVG's own units.
const SIZE: f64 = 480.0;
/// Room around what is drawn.
const MARGIN: f64 = 36.0;

fn framed(body: &str, caption: &str) -> String {
    format!(
        "<figure><svg viewBox=\"0 0 {SIZE} {SIZE}\" role=\"img\" font-size=\"11\" \
         font-family=\"system-ui,sans-serif\">{body}</svg><figcaption>{caption}</figcaption>\
         </figure>\n"
    )
}

/// From a value between `low` and `high` to a place between the margins.
fn place(value: f64, low: f64, high: f64) -> f64 {
    let share = if high > low { (value - low) / (high - low) } else { 0.5 };
    MARGIN + share * (SIZE - 2.0 * MARGIN)
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
}

/// Topics as discs whose areas are their weights.
pub(super) fn scatter<'a>(
    places: &[(f64, f64)],
    weights: &[f64],
    name: impl Fn(usize) -> &'a str,
) -> String {
    let (left, right) = range(places.iter().map(|place| place.0));
    let (low, high) = range(places.iter().map(|place| place.1));
    // One scale for both axes: distances mean something.
    let half = ((right - left).max(high - low) / 2.0).max(f64::MIN_POSITIVE);
    let (middle_x, middle_y) = ((left + right) / 2.0, (low + high) / 2.0);
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let mut body = String::new();
    for (topic, (&(x, y), &weight)) in places.iter().zip(weights).enumerate() {
        let x = place(x, middle_x - half, middle_x + half);
        let y = SIZE - place(y, middle_y - half, middle_y + half);
        let radius = 22.0 * (weight / largest).sqrt();
        // Writing to a string does not fail.
        let _ = write!(
            body,
            "<a href=\"#t{topic}\"><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" \
             fill=\"#4477aa\" fill-opacity=\".35\" stroke=\"#4477aa\"><title>topic {topic} {}: \
             {:.1}%</title></circle><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{topic}\
             </text></a>",
            escaped(name(topic)),
            100.0 * weight,
            y + 4.0
        );
    }
    framed(
        &body,
        "Topics near each other have like words (principal coordinates of the \
                   Jensen–Shannon divergence); areas are weights.",
    )
}

/// How much more often than by chance two topics share a document; those that do stand together.
pub(super) fn heat_map(lifts: &TopicLifts) -> String {
    let cell = (SIZE - 2.0 * MARGIN) / lifts.order.len() as f64;
    let mut body = String::new();
    for (row, &one) in lifts.order.iter().enumerate() {
        for (column, &other) in lifts.order.iter().enumerate() {
            let lift = lifts.of(one, other);
            // Red above chance, blue below, white at it; full from 16 times on.
            let strength = (lift.max(1.0 / 16.0).log2() / 4.0).clamp(-1.0, 1.0);
            let fade = (255.0 * (1.0 - strength.abs())) as u8;
            let (red, blue) = if strength > 0.0 { (255, fade) } else { (fade, 255) };
            let _ = write!(
                body,
                "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{cell:.2}\" height=\"{cell:.2}\" \
                 fill=\"rgb({red},{fade},{blue})\"><title>topics {one} and {other}: {}</title>\
                 </rect>",
                MARGIN + cell * column as f64,
                MARGIN + cell * row as f64,
                figure(lift)
            );
        }
    }
    framed(
        &body,
        "How much more often than by chance two tokens of a document are of two topics: \
                   red more, blue less, white as by chance. Topics that occur together stand \
                   together.",
    )
}

/// The eigenvalues by rank, on a logarithmic scale.
pub(super) fn scree(values: &[f64]) -> String {
    let positive: Vec<f64> = values.iter().copied().take_while(|&value| value > 0.0).collect();
    let (low, high) = range(positive.iter().map(|value| value.log10()));
    let mut body = String::new();
    let mut line = String::new();
    for (at, value) in positive.iter().enumerate() {
        let x = place(at as f64, 0.0, (positive.len().max(2) - 1) as f64);
        let y = SIZE - place(value.log10(), low, high);
        let _ = write!(line, "{x:.1},{y:.1} ");
        let _ = write!(
            body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"#4477aa\"><title>{}: {}</title>\
             </circle>",
            at + 1,
            figure(*value)
        );
    }
    let (first, last) = (positive.first().copied(), positive.last().copied());
    let label = |value: Option<f64>, y: f64| {
        let text = value.map(figure).unwrap_or_default();
        format!("<text x=\"2\" y=\"{y}\">{text}</text>")
    };
    let body = format!(
        "<polyline points=\"{line}\" fill=\"none\" stroke=\"#bbb\"/>{body}{}{}<text x=\"{}\" \
         y=\"{}\" text-anchor=\"end\">{}</text>",
        label(first, MARGIN - 8.0),
        label(last, SIZE - MARGIN + 18.0),
        SIZE - 4.0,
        SIZE - 8.0,
        positive.len()
    );
    framed(&body, "Eigenvalues of the co-occurrence by rank (logarithmic).")
}
