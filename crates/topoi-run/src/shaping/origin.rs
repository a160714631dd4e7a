//! Runs with topics shaped from those of another run.

use serde::{Deserialize, Serialize};

use super::ShapingError;
use super::base::base_of;
use crate::request::{Origin, RunRequest, RunSettings};
use crate::vocabulary::choice::VocabularyChoice;
use crate::work::material::Material;
use crate::work::work_error::WorkError;
use topoi_core::model::figures::KKT_GAP;
use topoi_core::model::topic_model::{Card, Figure, Fit, TopicLabel};
use topoi_core::shape::{Edits, Shaped, Shaper};
use topoi_store::Store;
use topoi_store::id::RunId;
use topoi_store::run::Run;

/// The card of shaped topics, in place of a model's.
pub const SHAPED: Card =
    Card::streamed("shaped", "topics shaped by hand from those of another run", "");

/// The parent of a shaped run, and the edits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shaping {
    /// Row id of the parent.
    pub parent: RunId,
    /// The edits of its topics.
    pub edits: Edits,
}

/// The request for the run that `edits` make of the topics of `parent`, once [`Shaper::shape`] has applied them. It
/// has the documents, the settings and the vocabulary of the parent without forbidden words, and as many refining
/// passes unless `refine` is given.
pub fn shaping(
    store: &Store,
    parent: &Run,
    edits: &Edits,
    shaped: &Shaped,
    refine: Option<usize>,
) -> Result<RunRequest, WorkError> {
    let request = RunRequest::from_run(parent)?;
    let forbidden = &shaped.outline.forbidden;
    let used = |vocabulary: i64| -> Result<VocabularyChoice, WorkError> {
        if forbidden.is_empty() {
            return Ok(VocabularyChoice::Used(vocabulary));
        }
        let all = store.vocabulary(vocabulary)?.term_ids;
        let terms = forbidden.iter().filter_map(|&word| all.get(word).copied()).collect();
        Ok(VocabularyChoice::Without { vocabulary, terms })
    };
    let passes = request.settings.refinement(&request.origin).map_or(0, |own| own.passes);
    Ok(RunRequest {
        origin: Origin::Shaped(Shaping { parent: parent.id, edits: edits.clone() }),
        k: shaped.outline.topics.len(),
        settings: RunSettings {
            refine: Some(refine.unwrap_or(passes)),
            vocabulary: parent.vocabulary_id.map(used).transpose()?,
            factorise: None,
            parts: None,
            start: None,
            keeps_numbers: false,
            revises: false,
            seeds: None,
            ..request.settings
        },
        ..request
    })
}

/// The topics of a shaped run, computed again from its parent; `None` for other runs.
///
/// # Errors
/// [`WorkError::Shaping`] if the parent was deleted or its topics do not allow the edits.
pub fn shaped_topics(
    store: &Store,
    run: &Run,
    request: &RunRequest,
    material: &Material,
) -> Result<Option<Fit>, WorkError> {
    let Origin::Shaped(shaping) = &request.origin else { return Ok(None) };
    let again = || -> Result<Fit, ShapingError> {
        let gone = || WorkError::StartIsGone { run: run.id, start: shaping.parent };
        let parent = store.run(shaping.parent).map_err(|_| gone())?;
        let mut shaper = Shaper::new(base_of(store, &parent)?);
        // Topics over another vocabulary would be misread.
        let vocabulary = parent.vocabulary_id.map(|id| store.vocabulary(id)).transpose()?;
        let all = vocabulary.map(|own| own.term_ids).ok_or_else(gone)?;
        let shaped = shaper.shape(&shaping.edits)?;
        let labels = shaped.outline.topics.iter().enumerate();
        // A label that the parent has too was given there.
        let earlier = store.topic_labels(parent.id)?;
        let label = |text: &String| {
            let given = earlier.iter().flatten().find(|label| label.text == *text);
            given.cloned().unwrap_or_else(|| TopicLabel { text: text.clone(), by: None })
        };
        let labels =
            labels.filter_map(|(at, topic)| Some((at, label(topic.label.as_ref()?)))).collect();
        let gap = Figure::OfRun(&KKT_GAP, shaped.worst_gap);
        let figures = shaped.topics.anchors.iter().map(|_| gap.clone()).collect();
        let held = shaped.held.clone();
        let (kept, topics) = shaped.over_kept();
        let kept = kept.words().iter().map(|&word| all.get(word));
        if !kept.eq(material.term_ids.iter().map(Some)) {
            return Err(gone().into());
        }
        Ok(Fit { held, labels, ..Fit::new(topics, figures) })
    };
    again().map(Some).map_err(|error| WorkError::Shaping(Box::new(error)))
}
