//! The spectrum by rank. Empty for models without one.

use maud::Markup;

use super::figures;
use crate::export::error::ExportError;
use crate::export::html::RunPage;
use topoi_core::model::Model;
use topoi_core::model::topic_model::Spectrum;
use topoi_core::plot::axis::{Axis, Scale};
use topoi_core::plot::chart::{Chart, Mark};

pub(in crate::export::html) use topoi_core::plot::chart::Series;

pub(super) fn draw(page: &RunPage<'_>) -> Result<Markup, ExportError> {
    let values: Vec<f64> = page.model.spectrum.iter().map(|&(value, _)| value).collect();
    Ok(match values.len() {
        0 | 1 => Markup::default(),
        _ => scree(vec![spectrum(String::new(), &values)], spectrum_caption(&page.model.run.model)),
    })
}

/// The caption of the spectrum that this model saves.
pub(in crate::export::html) fn spectrum_caption(model: &str) -> &'static str {
    let spectrum = Model::from_name(model).ok().and_then(|model| model.card().spectrum);
    spectrum.map_or("Spectrum by rank (logarithmic).", Spectrum::caption)
}

/// The positive values of a run's spectrum by rank; an empty `name` is left out of the legend.
pub(in crate::export::html) fn spectrum(name: String, values: &[f64]) -> Series {
    let positive = values.iter().take_while(|&&value| value > 0.0).zip(1..);
    let line: Vec<Mark> =
        positive.map(|(&value, rank)| Mark::new(f64::from(rank), value)).collect();
    Series { name, marks: line.clone(), line }
}

/// Spectra by rank, on a logarithmic scale.
pub(in crate::export::html) fn scree(series: Vec<Series>, caption: &str) -> Markup {
    let chart = Chart {
        title: "Spectrum".into(),
        x: Axis::new("rank"),
        y: Axis { scale: Scale::Log, ..Axis::default() },
        series,
        ..Chart::default()
    };
    figures(&[(chart.figure(), caption)])
}
