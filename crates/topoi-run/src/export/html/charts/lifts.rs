//! A heat map of the lifts: how much more often than by chance two topics share a document. Empty for models without
//! topic correlations.

use maud::Markup;

use super::figures;
use crate::export::error::ExportError;
use crate::export::html::RunPage;
use crate::saved::topic_lifts::topic_lifts;
use topoi_core::numbers::four_digits;
use topoi_core::plot::heat::{Cell, Heat};

/// Topics of a map with tooltips, 110 bytes for each of its cells.
const MAX_LABELLED: usize = 50;

pub(super) fn draw(page: &RunPage<'_>) -> Result<Markup, ExportError> {
    let Some(lifts) = topic_lifts(page.model.store(), page.model.run.id)? else {
        return Ok(Markup::default());
    };
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
        is_dense: lifts.order.len() > MAX_LABELLED,
        legend: legend
            .into_iter()
            .chain([(1.0, "16 times and more")])
            .map(|(strength, name)| (strength, name.into()))
            .collect(),
        ..Heat::default()
    };
    let caption = "How much more often than by chance two tokens of a document are of two topics: blue \
                   more, red less. Topics that occur together are neighbours.";
    Ok(figures(&[(heat.figure(), caption)]))
}
