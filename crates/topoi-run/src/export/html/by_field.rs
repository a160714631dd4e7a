//! The section of a run's page with figures of its topics by group of documents and over time.

use maud::{Markup, html};

use super::charts::{figures, summaries};
use crate::export::error::ExportError;
use crate::export::figures::groups::{FigureRequest, MAX_GROUPS, figure, title};
use crate::export::saved_model::SavedModel;
use crate::groups::by::{Answer, Question, by};
use crate::groups::fields::{Field, FieldError, fields};
use crate::groups::notes::notes;
use crate::work::work_error::WorkError;
use topoi_core::fields::kind::{BY_LOOKS, Grouping};
use topoi_core::plot::figure::Figure;
use topoi_store::id::TopicNumber;

/// Topics in the figure of those that change most over time.
const LINES: usize = 4;
/// Cells of a heat map that have numbers and tooltips, 240 bytes each.
const MAX_LABELLED_CELLS: usize = 600;

/// A figure that sections of topics link to.
pub(super) struct FieldFigure {
    /// Its anchor.
    pub(super) id: String,
    /// What it shows topics by.
    pub(super) name: String,
}

/// A heat map of all topics for the first fields of each kind that has a place on the page, and lines of the topics that
/// change most over time, and their anchors. Empty for a run without documents and for documents without such fields.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn by_field(model: &SavedModel<'_>) -> Result<(Markup, Vec<FieldFigure>), ExportError> {
    let topics = &summaries(model)[..];
    let (store, run) = (model.store(), &model.run);
    let corpus = store.corpus_by_id(run.corpus_id)?;
    let all = fields(store, &corpus, &[]).map_err(WorkError::from)?;
    let mut drawn: Vec<Vec<(Figure, &str)>> = Vec::new();
    let mut anchors = Vec::new();
    for field in chosen(&all) {
        let question = Question { fields: vec![field.name.clone()], ..Question::default() };
        let answer = match by(store, run, &question) {
            Ok(answer) if answer.groups.len() > 1 => answer,
            Err(WorkError::Field(FieldError::Store(error))) => return Err(error.into()),
            Err(WorkError::NoDocuments { .. }) => return Ok((Markup::default(), Vec::new())),
            // Skip fields with a single group and fields that cannot be parsed.
            Ok(_) | Err(WorkError::Field(_)) => continue,
            Err(error) => return Err(error.into()),
        };
        let cells = answer.groups.len().min(MAX_GROUPS) * topics.len();
        let draw = |chosen: Vec<TopicNumber>| {
            let title = title(&answer, topics, &chosen, run.id);
            let notes = notes(&answer, run);
            let is_dense = cells > MAX_LABELLED_CELLS;
            let max_groups = MAX_GROUPS;
            figure(&answer, &FigureRequest { title, topics, chosen, max_groups, notes, is_dense })
        };
        let mut of_field = vec![(draw(Vec::new()), "")];
        let changing = changing(&answer);
        if !changing.is_empty() {
            of_field.push((draw(changing), "The topics that change most."));
        }
        let how = if answer.is_over_time() { "over" } else { "by" };
        let id = format!("by-{}", drawn.len() + 1);
        anchors.push(FieldFigure { id, name: format!("{how} {}", field.name) });
        drawn.push(of_field);
    }
    let section = html! {
        @if !drawn.is_empty() {
            h2 { "Topics by field" }
            @for (anchor, of_field) in anchors.iter().zip(&drawn) {
                div id=(anchor.id) { (figures(of_field)) }
            }
        }
    };
    Ok((section, anchors))
}

/// The fields with a figure: the first ones of each kind, those of names with few of them.
fn chosen(all: &[Field]) -> impl Iterator<Item = &Field> {
    let has_few = |field: &&Field| {
        let values = field.tally.distinct().unwrap_or(usize::MAX);
        field.kind.def().grouping != Grouping::Values || (2..=MAX_GROUPS).contains(&values)
    };
    BY_LOOKS.into_iter().flat_map(move |kind| {
        let own = all.iter().filter(move |field| field.kind == kind);
        own.filter(has_few).take(kind.def().on_page)
    })
}

/// The topics whose smoothed shares have the largest range over time, largest first; empty without smoothed shares.
fn changing(answer: &Answer) -> Vec<TopicNumber> {
    let mut ranges: Vec<(TopicNumber, f64, f64)> = Vec::new();
    for cell in &answer.cells {
        let Some(share) = cell.smooth.map(|line| line.smooth) else { continue };
        match ranges.last_mut().filter(|range| range.0 == cell.topic) {
            Some((_, low, high)) => (*low, *high) = (low.min(share), high.max(share)),
            None => ranges.push((cell.topic, share, share)),
        }
    }
    ranges.sort_by(|a, b| (b.2 - b.1).total_cmp(&(a.2 - a.1)));
    ranges.into_iter().take(LINES).map(|(topic, _, _)| topic).collect()
}
