//! The topics of a saved run that edits are applied to.

use ndarray::Array1;

use super::ShapingError;
use crate::request::{Origin, RunRequest};
use crate::work::recompute::{Vocabulary, read_topics, vocabulary};
use crate::work::work_error::WorkError;
use topoi_core::model::jsmf::compressed::{Anchor, CompressedCoOccurrence};
use topoi_core::shape::{Base, CoOccurrenceFactor, KeptWords, Outline, Part};
use topoi_store::Store;
use topoi_store::id::{RunId, TermId};
use topoi_store::run::Run;

/// The run has anchors, but not the factorisation that topics of other anchors could be computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("run {0} did not keep what anchors need")]
pub struct MissingFactor(
    /// Row id of the run.
    pub RunId,
);

/// The topics of `run` before further edits. For a shaped run they keep what they were made of by its edits.
///
/// # Errors
/// [`MissingFactor`] if the run has anchors but no factorisation.
pub fn base_of(store: &Store, run: &Run) -> Result<Base, ShapingError> {
    let vocabulary = vocabulary(store, run)?;
    let saved = store.saved_topics(run.id)?;
    let topics = read_topics(run, &saved, &vocabulary)?;
    let weights: Array1<f64> = saved.iter().map(|topic| topic.shares.document_share).collect();
    let mut base = Base::new(&run.model, vocabulary.shown.clone(), topics, weights);
    base.add_aliases(vocabulary.words.iter());
    let labels = store.topic_labels(run.id)?.into_iter();
    base.labels = labels.map(|label| Some(label?.text)).collect();
    if let Origin::Shaped(shaping) = Origin::from_run(run)? {
        return from_parent(store, run, &shaping, base);
    }
    let anchor = |term: Option<TermId>| vocabulary.word(term?).map(|word| vec![word]);
    let anchors: Option<Vec<Anchor>> =
        saved.iter().map(|topic| anchor(topic.anchor_term_id)).collect();
    let Some(mut anchors) = anchors else { return Ok(base) };
    for (anchor, seed) in anchors.iter_mut().zip(seeds(run, &vocabulary)?) {
        *anchor = seed;
    }
    let (y, candidates) = store.factor(run.id)?.ok_or(MissingFactor(run.id))?;
    if y.nrows() != base.words.len() {
        return Err(MissingFactor(run.id).into());
    }
    Ok(base.with_anchors(
        anchors,
        CoOccurrenceFactor { compressed: CompressedCoOccurrence::new(y), candidates },
    ))
}

/// The anchors of a run's first topics, from its seeds.
fn seeds(run: &Run, vocabulary: &Vocabulary) -> Result<Vec<Anchor>, WorkError> {
    let seeds = RunRequest::from_run(run)?.settings.seeds;
    Ok(seeds.iter().flat_map(|seeds| seeds.numbers(&vocabulary.words)).flatten().collect())
}

/// `base`, the topics of a shaped run, with the components of the topics of its parent.
fn from_parent(
    store: &Store,
    run: &Run,
    shaping: &super::origin::Shaping,
    mut base: Base,
) -> Result<Base, ShapingError> {
    let gone = || WorkError::StartIsGone { run: run.id, start: shaping.parent };
    // A run is younger than its parent; a row that says otherwise would recurse for ever.
    if shaping.parent >= run.id {
        return Err(gone().into());
    }
    let parent = base_of(store, &store.run(shaping.parent).map_err(|_| gone())?)?;
    let Some(factor) = &parent.factor else { return Ok(base) };
    let outline = Outline::new(&parent, &shaping.edits)?;
    let kept = KeptWords::new(parent.words.len(), &outline.forbidden);
    let words = kept.words().iter().map(|&word| &parent.words[word]);
    if outline.topics.len() != base.parts.len() || !words.eq(&base.words) {
        return Err(gone().into());
    }
    let parts = |parts: Vec<Part>| parts.into_iter().map(|part| kept.part(part)).collect();
    base.parts = outline.topics.into_iter().map(|topic| parts(topic.parts)).collect();
    base.factor = match kept.is_all() {
        true => parent.factor,
        false => Some(kept.factor(factor)),
    };
    Ok(base)
}
