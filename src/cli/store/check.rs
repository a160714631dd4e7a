//! `check`.

use std::path::PathBuf;

use crate::shown::{TerminalText, shown};
use serde::Serialize;

use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print, print_json, print_list};
use crate::cli::remedy::explained_finding;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::{self, StorePath};
use crate::records::column::{Column, Kind};
use topoi_core::numbers::{counted, thousands};
use topoi_run::ROW_VALIDATORS;
use topoi_store::{Access, Store, StoreError};

/// Check the integrity of the store
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// First bring a store of an earlier version up to date, keeping a copy of it
    #[arg(long)]
    upgrade: bool,
    /// Make again what can be made of what is there: blocks of counts, counts of blocks, frequencies
    /// and totals; keeps a copy of the store first
    #[arg(long)]
    repair: bool,
    #[command(flatten)]
    printing: Printing,
}

/// The checks and the problems found.
#[derive(Serialize)]
struct Check {
    is_sound: bool,
    triples: u64,
    /// What was repaired, and the path of the copy of the store; with --repair.
    repaired: Vec<String>,
    copy: Option<PathBuf>,
    problems: Vec<String>,
}

/// Prints the problems; any problem is an error too.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    // Other commands refuse the store and refer to this one.
    let access = if args.upgrade || args.repair { Access::Write } else { Access::Read };
    let path = store.path()?.display();
    let mut opened = store_path::open(store.path()?, access).map_err(|error| match error {
        StoreError::Sqlite { source, .. } => anyhow::anyhow!(
            "{path}: the file is damaged ({source}); restore a backup, or copy what can be read \
             with `sqlite3 {path} .recover`"
        ),
        other => other.into(),
    })?;
    let problems = |store: &Store| -> Result<Vec<String>, StoreError> {
        Ok(store.check(&ROW_VALIDATORS)?.iter().map(explained_finding).collect())
    };
    let mut found = problems(&opened)?;
    let (mut repaired, mut copy) = (Vec::new(), None);
    if args.repair && !found.is_empty() {
        let done = opened.repair()?;
        say(&TerminalText::line(&format!("the store as it was: {}", done.copy.display())));
        (repaired, copy) = (done.mended, Some(done.copy));
        found = problems(&opened)?;
    }
    let triples = opened.corpora()?.iter().map(|corpus| corpus.nonzeros).sum();
    let check = Check { is_sound: found.is_empty(), triples, repaired, copy, problems: found };
    if args.printing.format() == OutputFormat::Table {
        let mended = check.repaired.iter().map(|line| format!("repaired: {line}\n"));
        print(&TerminalText::text(&mended.collect::<String>()))?;
    }
    match args.printing.format() {
        OutputFormat::Json | OutputFormat::JsonLines => print_json(&check, args.printing.format())?,
        OutputFormat::Csv | OutputFormat::RawCsv => {
            let column = Column::new("problem", Kind::Text, |row: &String| row.as_str().into());
            print_list(&[column], &check.problems, args.printing.format())?;
        }
        OutputFormat::Table if check.is_sound => print(&shown!(
            "the store is sound: {} triples agree with their blocks\n",
            thousands(check.triples)
        ))?,
        OutputFormat::Table => print(&shown!("{}\n", check.problems.join("\n")))?,
    }
    let count = counted(check.problems.len() as u64, "problem");
    anyhow::ensure!(check.is_sound, "{path}: {count} found; each line says what to do");
    Ok(())
}
