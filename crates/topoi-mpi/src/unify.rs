//! A common vocabulary for parts whose stores lie on different machines.

use std::path::PathBuf;

use serde::Deserialize;

use super::error::PartsError;
use super::outline::{broadcast, places};
use topoi_core::stream::parts::Parts;
use topoi_store::part::unify::{Adoption, PartTerms};
use topoi_store::{Access, Store};

/// Makes corpus `name` of `store` the whole of the parts that `pattern` names: part 0 collects their term
/// tables, merges them, and sends back where each term stands in the whole. Returns the number of parts.
/// `store` is the store of the whole on part 0, `None` on the others.
///
/// # Errors
/// [`PartsError::Part`] for the first part that cannot be read or written, by name; those of
/// [`Store::unify`]; [`PartsError::Told`] on the other parts.
pub fn unify(
    store: Option<&mut Store>,
    name: &str,
    pattern: &str,
    parts: &dyn Parts,
) -> Result<usize, PartsError> {
    let place = places(pattern, parts.count())?.path(parts.number());
    let own = PartTerms::of(&place, name).map_err(|error| (place.clone(), error.to_string()));
    let all = parts.collect(serde_json::to_vec(&own).unwrap_or_default())?;
    let merged = store.map(|store| {
        let tables: Result<Vec<PartTerms>, PartsError> = (0..).zip(&all).map(read).collect();
        Ok(Some(store.unify(name, &tables?)?))
    });
    let adoptions: Vec<Adoption> = broadcast(parts, merged.unwrap_or(Ok(None)))?;
    let adopted = adoptions
        .get(parts.number())
        .ok_or(PartsError::Told)
        .and_then(|told| Ok(Store::open(&place, Access::Write)?.adopt(name, told)?));
    let adopted = adopted.map_err(|error| (place, error.to_string()));
    let all = parts.share(serde_json::to_vec(&adopted).unwrap_or_default())?;
    (0..).zip(&all).try_for_each(read::<()>)?;
    Ok(all.len())
}

/// A part's message: what it sent, or where and why it failed.
fn read<T: for<'de> Deserialize<'de>>((number, bytes): (usize, &Vec<u8>)) -> Result<T, PartsError> {
    let said: Result<T, (PathBuf, String)> = serde_json::from_slice(bytes)
        .unwrap_or_else(|error| Err((PathBuf::new(), error.to_string())));
    said.map_err(|(path, reason)| PartsError::Part { number, path, reason })
}
