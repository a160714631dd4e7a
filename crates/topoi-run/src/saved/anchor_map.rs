//! The words of a run in the plane of its anchors.

use std::collections::HashMap;

use topoi_core::metric::anchors::word_map::{WORD_MAP_VARIANCE, convex_hull};
use topoi_store::id::{RunId, TermId};
use topoi_store::result::word::WordPosition;
use topoi_store::{Store, StoreError};

/// Words read at a time.
const PAGE: usize = 4096;

/// The words of a run in the plane of its anchors, with the convex hull of the anchors.
#[derive(Debug, Clone, PartialEq)]
pub struct AnchorMap {
    /// Every word with a position, in order of term row ids.
    pub words: Vec<WordPosition>,
    /// By topic: the index of its anchor in `words`.
    pub anchors: Vec<Option<usize>>,
    /// The topics whose anchors are the corners of the anchors' convex hull, counterclockwise.
    pub hull: Vec<usize>,
    /// The share of the anchors' variance that the two axes explain.
    pub variance: Option<f64>,
}

/// The map of run `run`; `None` for a run that saved none.
pub fn anchor_map(store: &Store, run: RunId) -> Result<Option<AnchorMap>, StoreError> {
    let mut words = Vec::new();
    loop {
        let after = words.last().map_or_else(TermId::default, |place: &WordPosition| place.term_id);
        let page = store.word_positions(run, after, PAGE)?;
        let is_last = page.len() < PAGE;
        words.extend(page);
        if is_last {
            break;
        }
    }
    if words.is_empty() {
        return Ok(None);
    }
    let places: HashMap<&str, usize> =
        words.iter().enumerate().map(|(at, place)| (place.word.as_str(), at)).collect();
    let topics = store.topics(run, 0)?;
    let place = |anchor: &String| places.get(anchor.as_str()).copied();
    let anchors: Vec<Option<usize>> =
        topics.iter().map(|topic| topic.anchor.as_ref().and_then(place)).collect();
    let (placed, points): (Vec<usize>, Vec<(f64, f64)>) = anchors
        .iter()
        .enumerate()
        .filter_map(|(topic, anchor)| anchor.map(|at| (topic, (words[at].x, words[at].y))))
        .unzip();
    let hull = convex_hull(&points).into_iter().map(|corner| placed[corner]).collect();
    let variance = store.run_metric(run, WORD_MAP_VARIANCE.id)?;
    Ok(Some(AnchorMap { words, anchors, hull, variance }))
}
