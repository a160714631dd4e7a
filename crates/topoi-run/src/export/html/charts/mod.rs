//! The charts of a run's page, as SVG: a file each, and a row in [`CHARTS`]. A chart takes what it shows from the run, or
//! reads it from the run's store.

mod lifts;
mod plane;
mod shares;
pub(super) mod spectrum;

use maud::{Markup, PreEscaped, html};

use super::RunPage;
use crate::export::error::ExportError;
use crate::export::figures::TopicSummary;
use crate::export::saved_model::SavedModel;
use topoi_core::plot::figure::Figure;

/// Draws a chart; empty for a run without what the chart shows.
type Draw = fn(&RunPage<'_>) -> Result<Markup, ExportError>;

/// All charts, in the order in which the page has them.
const CHARTS: &[Draw] = &[shares::draw, plane::draw, lifts::draw, spectrum::draw];

/// Words below the name of a topic in a figure.
pub(super) const NAME_WORDS: usize = 3;

/// All charts of a run.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn charts(page: &RunPage<'_>) -> Result<Markup, ExportError> {
    let drawn: Vec<Markup> =
        CHARTS.iter().map(|draw| draw(page)).collect::<Result<_, ExportError>>()?;
    Ok(html! { @for chart in &drawn { (chart) } })
}

/// The topics as figures name them.
pub(super) fn summaries(model: &SavedModel<'_>) -> Vec<TopicSummary> {
    (0..model.topics.len()).map(|topic| model.summary(topic, NAME_WORDS)).collect()
}

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
