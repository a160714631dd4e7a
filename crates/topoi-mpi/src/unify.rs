//! A common vocabulary for parts whose stores are on different machines.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::error::PartsError;
use super::outline::{broadcast, part_paths};
use topoi_core::stream::parts::Parts;
use topoi_store::part::unify::{PartAssignment, PartTerms};
use topoi_store::{Access, Store};

/// Makes corpus `name` of `store` the whole of the parts whose paths match `pattern`, and returns the number of parts.
/// Part 0 collects and merges their term tables, and sends back each term's position in the whole corpus.
/// `store` is the store of the whole corpus in part 0, `None` in the others.
///
/// # Errors
/// [`PartsError::Part`] for the first part that cannot be read or written; the errors of [`Store::unify`];
/// [`PartsError::Told`] in the other parts.
pub fn unify(
    store: Option<&mut Store>,
    name: &str,
    pattern: &str,
    parts: &dyn Parts,
) -> Result<usize, PartsError> {
    let path = part_paths(pattern, parts.count())?.path(parts.number());
    let own = PartTerms::from_store(&path, name).map_err(|error| (path.clone(), error.to_string()));
    let all = parts.collect(serde_json::to_vec(&own).unwrap_or_default())?;
    let merged = store.map(|store| {
        let tables: Result<Vec<PartTerms>, PartsError> = (0..).zip(&all).map(read).collect();
        Ok(Some(store.unify(name, &tables?)?))
    });
    let assignments: Vec<PartAssignment> = broadcast(parts, merged.unwrap_or(Ok(None)))?;
    let assigned = assignments.get(parts.number()).ok_or(PartsError::Told).and_then(|assignment| {
        Ok(Store::open(&path, Access::Write)?.assign_part(name, assignment)?)
    });
    Ok(made_by_all(parts, assigned.map_err(|error| (path, error.to_string())))?.len())
}

/// What each part made, if all did: a part sends what it made, or its path and error message.
///
/// # Errors
/// [`PartsError::Part`] for the first part that failed, the same in all parts.
pub(super) fn made_by_all<T: Serialize + for<'de> Deserialize<'de>>(
    parts: &dyn Parts,
    own: Result<T, (PathBuf, String)>,
) -> Result<Vec<T>, PartsError> {
    let all = parts.share(serde_json::to_vec(&own).unwrap_or_default())?;
    (0..).zip(&all).map(read).collect()
}

/// Ends [`unify`] in the other parts if part 0 has no store.
pub fn call_off(parts: &dyn Parts) {
    // The caller has the error of part 0.
    let _ = parts.collect(Vec::new());
    let _ = broadcast::<Vec<PartAssignment>>(parts, Err(PartsError::Told));
}

/// The value that a part sent, or its path and error message.
fn read<T: for<'de> Deserialize<'de>>((number, bytes): (usize, &Vec<u8>)) -> Result<T, PartsError> {
    let said: Result<T, (PathBuf, String)> = serde_json::from_slice(bytes)
        .unwrap_or_else(|error| Err((PathBuf::new(), error.to_string())));
    said.map_err(|(path, reason)| PartsError::Part { number, path, reason })
}
