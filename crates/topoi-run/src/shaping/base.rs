//! What of a saved run is shaped.

use ndarray::Array1;

use super::ShapingError;
use crate::request::{Origin, RunRequest};
use crate::work::recompute::{Vocabulary, read_topics, vocabulary};
use crate::work::work_error::WorkError;
use topoi_core::model::jsmf::compressed::{Anchor, CompressedCoOccurrence};
use topoi_core::shape::{Base, CoOccurrenceFactor, KeptWords, Outline, Part};
use topoi_store::Store;
use topoi_store::run::Run;

/// A run has anchors, and not what topics of others could be found from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("run {0} did not keep what anchors need")]
pub struct MissingFactor(
    /// Row id of the run.
    pub i64,
);

/// The topics of `run` as edits begin with them. Topics of a shaped run are made of what its edits made
/// them of.
///
/// # Errors
/// [`MissingFactor`]; when the run, or one it was shaped from, has no topics, or the store cannot be read.
pub fn base_of(store: &Store, run: &Run) -> Result<Base, ShapingError> {
    let vocabulary = vocabulary(store, run)?;
    let saved = store.saved_topics(run.id)?;
    let topics = read_topics(run, &saved, &vocabulary)?;
    let weights: Array1<f64> = saved.iter().map(|topic| topic.shares.document_share).collect();
    let mut base = Base::new(&run.model, vocabulary.shown.clone(), topics, weights);
    base.add_aliases(vocabulary.words.iter());
    base.labels = store.topic_labels(run.id)?;
    if let Origin::Shaped(shaping) = Origin::of(run)? {
        return of_parent(store, run, &shaping, base);
    }
    let anchor = |term: Option<i64>| vocabulary.word(term?).map(|word| vec![word]);
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

/// The anchors that a run's first topics were given.
fn seeds(run: &Run, vocabulary: &Vocabulary) -> Result<Vec<Anchor>, WorkError> {
    let seeds = RunRequest::of(run)?.settings.seeds;
    Ok(seeds.iter().flat_map(|seeds| seeds.numbers(&vocabulary.words)).flatten().collect())
}

/// `base`, the topics of a shaped run, with what those of its parent are made of.
fn of_parent(
    store: &Store,
    run: &Run,
    shaping: &super::origin::Shaping,
    mut base: Base,
) -> Result<Base, ShapingError> {
    let gone = || WorkError::StartIsGone { run: run.id, start: shaping.parent };
    // A run is younger than the one it was shaped from; a row that says otherwise would never end.
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
