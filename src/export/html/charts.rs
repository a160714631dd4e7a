//! The pictures of the page, as SVG.

use std::fmt::Write;

use super::{escaped, figure};
use crate::run::saved::topic_lifts::TopicLifts;

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

/// What the saved spectrum of a model is, as a caption.
pub(super) fn spectrum_caption(model: &str) -> &'static str {
    match model {
        "svd" => "Singular values of the counts by rank (logarithmic).",
        _ => "Eigenvalues of the co-occurrence by rank (logarithmic).",
    }
}

/// The spectrum of a run, largest value first.
pub(super) struct Series {
    /// What the legend calls it; empty for none.
    pub(super) name: String,
    pub(super) values: Vec<f64>,
}

/// Colours that people who see fewer colours can tell apart (Paul Tol's bright scheme).
const COLOURS: [&str; 6] = ["#4477aa", "#ee6677", "#228833", "#aa3377", "#66ccee", "#ccbb44"];

/// Spectra by rank, on a logarithmic scale.
pub(super) fn scree(series: &[Series], caption: &str) -> String {
    let positive: Vec<Vec<f64>> = series
        .iter()
        .map(|one| one.values.iter().copied().take_while(|&value| value > 0.0).collect())
        .collect();
    let all = || positive.iter().flatten().copied();
    let (low, high) = range(all());
    let ranks = positive.iter().map(Vec::len).max().unwrap_or_default();
    let mut body = String::new();
    for (number, values) in positive.iter().enumerate() {
        // Smaller and smaller points: equal values of several runs show as rings.
        let radius = 3.0 + 2.0 * (series.len() - 1 - number) as f64;
        let look = (COLOURS[number % COLOURS.len()], radius);
        body += &line(values, (ranks, low.log10(), high.log10()), look);
    }
    let label = |value: f64, y: f64| format!("<text x=\"2\" y=\"{y}\">{}</text>", figure(value));
    if ranks > 0 {
        body += &label(high, MARGIN - 8.0);
        body += &label(low, SIZE - MARGIN + 18.0);
    }
    let (x, y) = (SIZE - 4.0, SIZE - 8.0);
    let _ = write!(body, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{ranks}</text>");
    for (number, one) in series.iter().enumerate().filter(|(_, one)| !one.name.is_empty()) {
        let y = MARGIN + 16.0 * number as f64;
        let colour = COLOURS[number % COLOURS.len()];
        let _ = write!(
            body,
            "<circle cx=\"{}\" cy=\"{}\" r=\"4\" fill=\"{colour}\"/><text x=\"{}\" y=\"{y}\" \
             text-anchor=\"end\">{}</text>",
            SIZE - MARGIN,
            y - 4.0,
            SIZE - MARGIN - 10.0,
            escaped(&one.name)
        );
    }
    framed(&body, caption)
}

/// One series of a chart whose ranks and logarithms are in these ranges.
fn line(
    values: &[f64],
    (ranks, low, high): (usize, f64, f64),
    (colour, radius): (&str, f64),
) -> String {
    let (mut line, mut points) = (String::new(), String::new());
    for (at, value) in values.iter().enumerate() {
        let x = place(at as f64, 0.0, (ranks.max(2) - 1) as f64);
        let y = SIZE - place(value.log10(), low, high);
        let _ = write!(line, "{x:.1},{y:.1} ");
        let _ = write!(
            points,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\"><title>{}: \
             {}</title></circle>",
            at + 1,
            figure(*value)
        );
    }
    let stroke = format!("fill=\"none\" stroke=\"{colour}\" stroke-opacity=\".4\"");
    format!("<polyline points=\"{line}\" {stroke}/>{points}")
}
