//! The part of a run's page that has its topics in groups of documents, and over time.

use super::charts::figures;
use crate::export::error::ExportError;
use crate::export::figures::Named;
use crate::export::figures::groups::{MOST_GROUPS, Shown, figure, title};
use crate::export::saved_model::SavedModel;
use crate::groups::by::{Answer, Question, by};
use crate::groups::fields::{Field, FieldError, fields};
use crate::groups::notes::notes;
use crate::work::work_error::WorkError;
use topoi_core::fields::kind::Kind;
use topoi_core::plot::figure::Figure;

/// Fields of categories that a page has figures of.
const CATEGORIES: usize = 3;
/// Topics whose lines over time are drawn: those that change most.
const LINES: usize = 4;

/// A heat map of all topics for the first field of dates and for a few of categories, and lines of the topics that
/// change most; nothing where the run did not look at its documents, or they have no such fields.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn by_field(model: &SavedModel<'_>, topics: &[Named]) -> Result<String, ExportError> {
    let (store, run) = (model.store(), &model.run);
    let corpus = store.corpus_by_id(run.corpus_id)?;
    let all = fields(store, &corpus, &[]).map_err(WorkError::from)?;
    let mut drawn: Vec<(Figure, &str)> = Vec::new();
    for field in chosen(&all) {
        let question = Question { fields: vec![field.name.clone()], ..Question::default() };
        let answer = match by(store, run, &question) {
            Ok(answer) if answer.groups.len() > 1 => answer,
            Err(WorkError::Field(FieldError::Store(error))) => return Err(error.into()),
            Err(WorkError::NoDocuments { .. }) => return Ok(String::new()),
            // One group has nothing to differ from, and of a field nobody can read nothing is said.
            Ok(_) | Err(WorkError::Field(_)) => continue,
            Err(error) => return Err(error.into()),
        };
        let draw = |chosen: Vec<u64>| {
            let title = title(&answer, topics, &chosen, run.id);
            let notes = notes(&answer, run);
            figure(&answer, &Shown { title, topics, chosen, most: MOST_GROUPS, notes })
        };
        drawn.push((draw(Vec::new()), ""));
        let changing = changing(&answer);
        if !changing.is_empty() {
            drawn.push((draw(changing), "The topics that change most."));
        }
    }
    Ok(match drawn.is_empty() {
        true => String::new(),
        false => format!("<h2>Topics by field</h2>\n{}", figures(&drawn)),
    })
}

fn chosen(all: &[Field]) -> impl Iterator<Item = &Field> {
    let date = all.iter().find(|field| field.kind == Kind::Date);
    let has_few = |field: &&Field| {
        let values = field.tally.distinct().unwrap_or(usize::MAX);
        field.kind == Kind::Category && (2..=MOST_GROUPS).contains(&values)
    };
    date.into_iter().chain(all.iter().filter(has_few).take(CATEGORIES))
}

/// The topics whose smooth lines rise and fall most; none where there are no lines.
fn changing(answer: &Answer) -> Vec<u64> {
    let mut ranges: Vec<(u64, f64, f64)> = Vec::new();
    for cell in &answer.cells {
        let Some(at) = cell.smooth.map(|line| line.smooth) else { continue };
        match ranges.last_mut().filter(|range| range.0 == cell.topic) {
            Some((_, low, high)) => (*low, *high) = (low.min(at), high.max(at)),
            None => ranges.push((cell.topic, at, at)),
        }
    }
    ranges.sort_by(|a, b| (b.2 - b.1).total_cmp(&(a.2 - a.1)));
    ranges.into_iter().take(LINES).map(|(topic, _, _)| topic).collect()
}
