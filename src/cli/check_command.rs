//! `check`.

use std::path::Path;

use super::arguments::CheckArgs;
use super::output::{counted, print, thousands};
use super::store_path::opened;
use topoi::store::{Access, StoreError};

/// Checks the store, brought up to date first where that is asked for, and prints what is wrong.
///
/// # Errors
/// When something is wrong.
pub fn check(path: &Path, args: CheckArgs) -> anyhow::Result<()> {
    // Elsewhere the message sends people here.
    let access = if args.upgrade { Access::Write } else { Access::Read };
    let open = opened(path, access).map_err(|error| match error {
        StoreError::Sqlite { source, .. } => anyhow::anyhow!(
            "{}: the file is damaged ({source}); restore a backup, or copy what can be read with \
             `sqlite3 {} .recover`",
            path.display(),
            path.display()
        ),
        other => other.into(),
    });
    let store = open?;
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
    let count = counted(problems.len() as u64, "problem");
    anyhow::bail!("{}: {count} found; what to do stands in each line", path.display())
}
