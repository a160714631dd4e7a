//! Bounds on the number of topics of a corpus in parts.

use super::card::{OpenPart, join};
use super::error::PartsError;
use super::outline::{Outline, Whole, broadcast, places};
use super::prepared::hash_of_parts;
use super::progress::{Following, Leading};
use topoi_core::progress::Progress;
use topoi_core::stream::parts::Parts;
use topoi_run::choose_k::bounds::{Bounds, BoundsError, BoundsRequest, Found};
use topoi_run::work::material::Material;
use topoi_store::Store;
use topoi_store::corpus::Corpus;

/// The work of part 0: tells the others what is asked for, computes the bounds with them, and saves
/// them in the store of the whole. `pattern` says where the parts are. The others call [`follow`].
///
/// # Errors
/// [`PartsError`]; then nothing is saved.
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
            return broadcast::<Outline<BoundsRequest>>(parts, Err(error))
                .and(Err(PartsError::Told));
        }
    };
    let (corpus, mut material) = prepared;
    let (part, contents) = join(parts, &outline.parts.path(0), &outline.whole, &[])?;
    if store.parts_elsewhere(corpus.id)?.is_some() {
        material.corpus_hash = hash_of_parts(contents.iter().map(|part| &part.corpus_hash));
    }
    let found = compute(&outline, &part, parts, &Leading { own: progress, parts })?;
    Ok(found.save(store, request, &corpus, &material)?)
}

/// The work of all parts but part 0.
///
/// # Errors
/// [`PartsError`], which part 0 reports.
pub fn follow(parts: &dyn Parts) -> Result<(), PartsError> {
    let outline: Outline<BoundsRequest> = broadcast(parts, Ok(None))?;
    let (part, _) = join(parts, &outline.parts.path(parts.number()), &outline.whole, &[])?;
    compute(&outline, &part, parts, &Following { parts })?;
    Ok(())
}

/// Ends the others' [`follow`] when part 0 cannot even ask.
pub fn call_off(parts: &dyn Parts) {
    // The caller has the error that led here.
    let _ = broadcast::<Outline<BoundsRequest>>(parts, Err(PartsError::Told));
}

type Prepared = ((Corpus, Material), Outline<BoundsRequest>);

fn prepare(
    store: &Store,
    request: &BoundsRequest,
    pattern: &str,
    count: usize,
) -> Result<Prepared, PartsError> {
    let parts = places(pattern, count)?;
    let corpus = store.corpus(&request.corpus)?;
    let material = request.material(store, &corpus)?;
    let outline = Outline {
        whole: Whole::of(store, &corpus)?,
        request: request.clone(),
        parts,
        positions: material.positions.clone(),
        words: Vec::new(),
        summed_up_to: Vec::new(),
    };
    Ok(((corpus, material), outline))
}

fn compute(
    outline: &Outline<BoundsRequest>,
    part: &OpenPart,
    parts: &dyn Parts,
    progress: &dyn Progress,
) -> Result<Found, BoundsError> {
    outline.request.compute(&part.blocks, parts, &outline.positions, progress)
}
