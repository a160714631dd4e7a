//! Agreement of the user to a deletion.

use std::io::{BufRead, IsTerminal};

use crate::cli::messages::say;
use crate::cli::output::ask;
use crate::shown::{TerminalText, shown};
use topoi_core::numbers::counted;
use topoi_store::Access;

/// What the user says beforehand about deleting.
#[derive(Debug, clap::Args)]
pub struct Consent {
    /// Delete without asking
    #[arg(long, conflicts_with = "dry_run")]
    pub yes: bool,
    /// Only count what would go
    #[arg(long)]
    pub dry_run: bool,
}

pub fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

impl Consent {
    pub fn access(&self) -> Access {
        if self.dry_run { Access::Read } else { Access::Write }
    }

    /// Asks whether to delete `what`, unless the answer is known; false on a dry run.
    pub fn agree(&self, what: &str) -> anyhow::Result<bool> {
        if self.yes || self.dry_run {
            return Ok(self.yes);
        }
        let input = std::io::stdin();
        anyhow::ensure!(
            can_ask(),
            "cannot ask whether to delete {what} for good: this is no terminal; give --yes to \
             delete it"
        );
        say(&TerminalText::line(&format!("this deletes {what}")));
        ask(&shown!("delete for good? [y/N]"))?;
        let mut answer = String::new();
        input.lock().read_line(&mut answer)?;
        let yes = matches!(answer.trim(), "y" | "Y" | "yes");
        anyhow::ensure!(yes, "nothing is deleted");
        Ok(true)
    }
}

/// Counts for people, such as "1,200 documents, 1 run".
pub fn all_counted(counts: &[(u64, &str)]) -> String {
    let each = counts.iter().map(|&(count, name)| counted(count, name));
    each.collect::<Vec<_>>().join(", ")
}

/// The outcome of a dry run.
pub fn would(what: &str) -> String {
    format!("would delete {what}; nothing was deleted\n")
}
