//! `check`.

use std::path::Path;

use super::output::{print, thousands};
use crate::store::Store;

/// Checks the store and prints what is wrong.
///
/// # Errors
/// When something is wrong.
pub fn check(path: &Path) -> anyhow::Result<()> {
    let store = Store::open_existing(path)?;
    let problems = store.check()?;
    if problems.is_empty() {
        let nonzeros: u64 = store.corpora()?.iter().map(|corpus| corpus.nonzeros).sum();
        print(&format!(
            "the store is sound: {} triples agree with their blocks\n",
            thousands(nonzeros as i64)
        ))?;
        return Ok(());
    }
    print(&(problems.join("\n") + "\n"))?;
    anyhow::bail!(
        "{}: {} problems found; restore a backup, or ingest the damaged corpus into a new store",
        path.display(),
        problems.len()
    )
}
