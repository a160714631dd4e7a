//! Bounds on the number of topics of a corpus in parts.

use super::card::{OpenPart, join};
use super::error::PartsError;
use super::outline::{SharedTask, WholeCorpus, broadcast, part_paths};
use super::prepared::hash_of_parts;
use super::progress::{FollowerProgress, LeaderProgress};
use topoi_core::progress::Progress;
use topoi_core::stream::parts::Parts;
use topoi_run::choose_k::bounds::{Bounds, BoundsError, BoundsRequest, ComputedBounds};
use topoi_run::work::material::Material;
use topoi_store::Store;
use topoi_store::corpus::Corpus;

/// The work of part 0: sends the request to the other parts, computes the bounds with them, and saves the bounds in
/// the store of the whole corpus. `pattern` is the path of the parts' stores, with `{rank}` for the part's number.
/// The other parts call [`follow`].
///
/// # Errors
/// [`PartsError`] if a part cannot be opened, does not fit, or fails. Nothing is saved then.
pub fn lead(
    store: &mut Store,
    request: &BoundsRequest,
    pattern: &str,
    parts: &dyn Parts,
    progress: &dyn Progress,
) -> Result<Bounds, PartsError> {
    progress.begin("prepare", 0, "");
    let (prepared, outline) = match prepare(store, request, pattern, parts.count()) {
        Ok((prepared, outline)) => (prepared, broadcast(parts, Ok(Some(outline)))?),
        Err(error) => {
            return broadcast::<SharedTask<BoundsRequest>>(parts, Err(error))
                .and(Err(PartsError::Told));
        }
    };
    let (corpus, mut material) = prepared;
    let (part, contents) = join(parts, &outline.parts.path(0), &outline.whole, &[])?;
    if outline.whole.documents_apart {
        material.corpus_hash = hash_of_parts(contents.iter().map(|part| &part.corpus_hash));
    }
    let found = compute(&outline, &part, parts, &LeaderProgress { own: progress, parts })?;
    Ok(found.save(store, request, &corpus, &material)?)
}

/// The work of all parts except part 0.
///
/// # Errors
/// [`PartsError`], which part 0 reports too.
pub fn follow(parts: &dyn Parts) -> Result<(), PartsError> {
    let outline: SharedTask<BoundsRequest> = broadcast(parts, Ok(None))?;
    let (part, _) = join(parts, &outline.parts.path(parts.number()), &outline.whole, &[])?;
    compute(&outline, &part, parts, &FollowerProgress { parts })?;
    Ok(())
}

/// Ends [`follow`] in the other parts if part 0 has no request.
pub fn call_off(parts: &dyn Parts) {
    // The caller has the error of part 0.
    let _ = broadcast::<SharedTask<BoundsRequest>>(parts, Err(PartsError::Told));
}

type Prepared = ((Corpus, Material), SharedTask<BoundsRequest>);

fn prepare(
    store: &Store,
    request: &BoundsRequest,
    pattern: &str,
    count: usize,
) -> Result<Prepared, PartsError> {
    let parts = part_paths(pattern, count)?;
    let corpus = store.corpus(&request.corpus)?;
    let material = request.material(store, &corpus)?;
    let outline = SharedTask {
        continued: None,
        whole: WholeCorpus::from_store(store, &corpus, &material)?,
        request: request.clone(),
        parts,
        positions: material.positions.clone(),
        words: Vec::new(),
        rules: String::new(),
        summed_up_to: Vec::new(),
    };
    Ok(((corpus, material), outline))
}

fn compute(
    outline: &SharedTask<BoundsRequest>,
    part: &OpenPart,
    parts: &dyn Parts,
    progress: &dyn Progress,
) -> Result<ComputedBounds, BoundsError> {
    outline.request.compute(&part.blocks, parts, &outline.positions, progress)
}
