//! Topics in a plane, as discs whose areas are proportional to their shares; each links to its section.

use maud::{Markup, html};

use crate::export::error::ExportError;
use crate::export::html::RunPage;
use crate::export::topic_plane::topic_plane;
use topoi_core::plot::colour::SERIES;
use topoi_store::result::topic_shares::TopicShares;

/// Width and height, in SVG units.
const SIZE: f64 = 480.0;
/// Margin on all four sides.
const MARGIN: f64 = 36.0;

pub(super) fn draw(page: &RunPage<'_>) -> Result<Markup, ExportError> {
    let model = page.model;
    let shares: Vec<TopicShares> = model.topics.iter().map(|topic| topic.shares).collect();
    Ok(discs(&topic_plane(&model.topic_words()), &shares, |topic| page.names[topic].text()))
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
}

fn discs(places: &[(f64, f64)], shares: &[TopicShares], name: impl Fn(usize) -> String) -> Markup {
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
