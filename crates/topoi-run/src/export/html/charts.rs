//! The pictures of pages, as SVG.

use std::fmt::Write;

use crate::saved::topic_lifts::TopicLifts;
use topoi_core::plot::axis::{Axis, Scale};
use topoi_core::plot::chart::{Chart, Mark};
use topoi_core::plot::colour::SERIES;
use topoi_core::plot::figure::Figure;
use topoi_core::plot::heat::{Cell, Heat};
use topoi_core::plot::text::{escaped, figure};
use topoi_store::result::topic_shares::TopicShares;

pub(super) use topoi_core::plot::chart::Series;

/// Width and height of the picture of topics in the plane, in SVG's own units.
const SIZE: f64 = 480.0;
/// Room around what is drawn in it.
const MARGIN: f64 = 36.0;

/// Figures with what they show below them.
pub(super) fn figures(figures: &[(Figure, &str)]) -> String {
    let drawn = figures.iter().map(|(figure, caption)| {
        let caption = match *caption {
            "" => String::new(),
            caption => format!("<figcaption>{caption}</figcaption>"),
        };
        format!("<figure>{}{caption}</figure>\n", figure.inline())
    });
    drawn.collect()
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
}

/// Topics as discs whose areas are their sizes.
pub(super) fn scatter<'a>(
    places: &[(f64, f64)],
    shares: &[TopicShares],
    name: impl Fn(usize) -> &'a str,
) -> String {
    let (left, right) = range(places.iter().map(|place| place.0));
    let (low, high) = range(places.iter().map(|place| place.1));
    // One scale for both axes: distances mean something.
    let half = ((right - left).max(high - low) / 2.0).max(f64::MIN_POSITIVE);
    let place = |value: f64, middle: f64| {
        MARGIN + (value - middle + half) / (2.0 * half) * (SIZE - 2.0 * MARGIN)
    };
    let (middle_x, middle_y) = ((left + right) / 2.0, (low + high) / 2.0);
    let largest = shares.iter().map(TopicShares::size).fold(0.0, f64::max);
    let mut body = String::new();
    let colour = SERIES[0];
    for (topic, (&(x, y), shares)) in places.iter().zip(shares).enumerate() {
        let (x, y) = (place(x, middle_x), SIZE - place(y, middle_y));
        let radius = 22.0 * (shares.size() / largest).sqrt();
        // Writing to a string does not fail.
        let _ = write!(
            body,
            "<a href=\"#t{topic}\"><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" \
             fill=\"{colour}\" fill-opacity=\".35\" stroke=\"{colour}\"><title>topic {topic} {}: \
             {:.1}%</title></circle><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{topic}\
             </text></a>",
            escaped(name(topic)),
            100.0 * shares.size(),
            y + 4.0
        );
    }
    format!(
        "<figure class=\"plane\"><svg viewBox=\"0 0 {SIZE} {SIZE}\" role=\"img\" font-size=\"11\" \
         font-family=\"system-ui,sans-serif\">{body}</svg><figcaption>Topics near each other have \
         like words (principal coordinates of the Jensen–Shannon divergence); areas are the share of {}.\
         </figcaption></figure>\n",
        shares.first().map_or("documents", TopicShares::size_of)
    )
}

/// How much more often than by chance two topics share a document; those that do stand together.
pub(super) fn lifts(lifts: &TopicLifts) -> String {
    let names: Vec<String> = lifts.order.iter().map(|topic| topic.to_string()).collect();
    let cell = |one: usize, other: usize| {
        let lift = lifts.of(one, other);
        // White at chance; full from 16 times on.
        let strength = lift.max(1.0 / 16.0).log2() / 4.0;
        Some(Cell { strength, number: String::new(), tip: figure(lift) })
    };
    let row = |&one: &usize| lifts.order.iter().map(|&other| cell(one, other)).collect();
    let legend = [(-1.0, "1/16 and less"), (-0.5, "1/4"), (0.0, "as by chance"), (0.5, "4")];
    let heat = Heat {
        title: "Topics that occur together".into(),
        cells: lifts.order.iter().map(row).collect(),
        rows: names.clone(),
        columns: names,
        legend: legend
            .into_iter()
            .chain([(1.0, "16 times and more")])
            .map(|(strength, name)| (strength, name.into()))
            .collect(),
        ..Heat::default()
    };
    let caption = "How much more often than by chance two tokens of a document are of two topics: blue \
                   more, red less. Topics that occur together stand together.";
    figures(&[(heat.figure(), caption)])
}

/// What the saved spectrum of a model is, as a caption.
pub(super) fn spectrum_caption(model: &str) -> &'static str {
    match model {
        "svd" => "Singular values of the counts by rank (logarithmic).",
        _ => "Eigenvalues of the co-occurrence by rank (logarithmic).",
    }
}

/// The spectrum of a run as a series, largest value first; `name` is empty for none in the legend.
pub(super) fn spectrum(name: String, values: &[f64]) -> Series {
    let positive = values.iter().take_while(|&&value| value > 0.0).zip(1..);
    let line: Vec<Mark> =
        positive.map(|(&value, rank)| Mark::new(f64::from(rank), value)).collect();
    Series { name, marks: line.clone(), line }
}

/// Spectra by rank, on a logarithmic scale.
pub(super) fn scree(series: Vec<Series>, caption: &str) -> String {
    let chart = Chart {
        title: "Spectrum".into(),
        x: Axis::named("rank"),
        y: Axis { scale: Scale::Log, ..Axis::default() },
        series,
        ..Chart::default()
    };
    figures(&[(chart.figure(), caption)])
}
