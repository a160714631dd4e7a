//! The charts of pages, as SVG.

use maud::{Markup, PreEscaped, html};

use crate::saved::topic_lifts::TopicLifts;
use topoi_core::model::Model;
use topoi_core::model::topic_model::Spectrum;
use topoi_core::numbers::four_digits;
use topoi_core::plot::axis::{Axis, Scale};
use topoi_core::plot::chart::{Chart, Mark};
use topoi_core::plot::colour::SERIES;
use topoi_core::plot::figure::Figure;
use topoi_core::plot::heat::{Cell, Heat};
use topoi_store::result::topic_shares::TopicShares;

pub(super) use topoi_core::plot::chart::Series;

/// Width and height of the plane of topics, in SVG units.
const SIZE: f64 = 480.0;
/// Margin on all four sides of the plane.
const MARGIN: f64 = 36.0;

/// Figures with their captions; an empty caption is left out.
pub(super) fn figures(figures: &[(Figure, &str)]) -> Markup {
    html! {
        @for (figure, caption) in figures {
            figure {
                (PreEscaped(figure.inline()))
                @if !caption.is_empty() { figcaption { (caption) } }
            }
        }
    }
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
}

/// Topics in the plane, as discs whose areas are proportional to their shares; each links to its row of the table.
pub(super) fn scatter<'a>(
    places: &[(f64, f64)],
    shares: &[TopicShares],
    name: impl Fn(usize) -> &'a str,
) -> Markup {
    let (left, right) = range(places.iter().map(|place| place.0));
    let (low, high) = range(places.iter().map(|place| place.1));
    // One scale for both axes, so that distances can be compared.
    let half = ((right - left).max(high - low) / 2.0).max(f64::MIN_POSITIVE);
    let place = |value: f64, middle: f64| {
        MARGIN + (value - middle + half) / (2.0 * half) * (SIZE - 2.0 * MARGIN)
    };
    let (middle_x, middle_y) = ((left + right) / 2.0, (low + high) / 2.0);
    let largest = shares.iter().map(TopicShares::size).fold(0.0, f64::max);
    let length = |value: f64| format!("{value:.1}");
    let colour = SERIES[0];
    html! {
        figure.plane {
            svg viewBox={ "0 0 " (SIZE) " " (SIZE) } role="img" font-size="11" font-family="system-ui,sans-serif" {
                @for (topic, (&(x, y), shares)) in places.iter().zip(shares).enumerate() {
                    @let (x, y) = (place(x, middle_x), SIZE - place(y, middle_y));
                    a href={ "#t" (topic) } {
                        circle cx=(length(x)) cy=(length(y)) r=(length(22.0 * (shares.size() / largest).sqrt()))
                            fill=(colour) fill-opacity=".35" stroke=(colour) {
                            title { "topic " (topic) " " (name(topic)) (format!(": {:.1}%", 100.0 * shares.size())) }
                        }
                        text x=(length(x)) y=(length(y + 4.0)) text-anchor="middle" { (topic) }
                    }
                }
            }
            figcaption {
                "Topics near each other have like words (principal coordinates of the Jensen–Shannon divergence); areas \
                 are the share of " (shares.first().map_or("documents", TopicShares::size_of)) "."
            }
        }
    }
}

/// A heat map of the lifts: how much more often than by chance two topics share a document.
pub(super) fn lifts(lifts: &TopicLifts) -> Markup {
    let names: Vec<String> = lifts.order.iter().map(|topic| topic.to_string()).collect();
    let cell = |one: usize, other: usize| {
        let lift = lifts.lift(one, other);
        // White at chance, full colour at 16 times and more.
        let strength = lift.max(1.0 / 16.0).log2() / 4.0;
        Some(Cell { strength, number: String::new(), tip: four_digits(lift) })
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

/// The caption of the spectrum that this model saves.
pub(super) fn spectrum_caption(model: &str) -> &'static str {
    let spectrum = Model::from_name(model).ok().and_then(|model| model.card().spectrum);
    spectrum.map_or("Spectrum by rank (logarithmic).", Spectrum::caption)
}

/// The positive values of a run's spectrum by rank; an empty `name` is left out of the legend.
pub(super) fn spectrum(name: String, values: &[f64]) -> Series {
    let positive = values.iter().take_while(|&&value| value > 0.0).zip(1..);
    let line: Vec<Mark> =
        positive.map(|(&value, rank)| Mark::new(f64::from(rank), value)).collect();
    Series { name, marks: line.clone(), line }
}

/// Spectra by rank, on a logarithmic scale.
pub(super) fn scree(series: Vec<Series>, caption: &str) -> Markup {
    let chart = Chart {
        title: "Spectrum".into(),
        x: Axis::new("rank"),
        y: Axis { scale: Scale::Log, ..Axis::default() },
        series,
        ..Chart::default()
    };
    figures(&[(chart.figure(), caption)])
}
