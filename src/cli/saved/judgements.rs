//! `judgements`: the scores of human judgements.

use super::topics::finished_topics;
use crate::cli::output::{OutputFormat, print, print_list};
use crate::cli::typed::arguments::RunNumber;
use crate::cli::typed::store_path::StorePath;
use crate::records::judgements::{columns, rows};
use crate::shown::shown;
use topoi_run::judging::scores::scores_of;
use topoi_store::Access;

/// Number of words that name a topic without a label.
const WORDS: usize = 10;

/// Show what people said of a run's topics: scores with intervals of 95%, and how far people agree
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    run: RunNumber,
}

/// Prints a line for each task and for each topic in it; a table explains the numbers.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let RunNumber { run, printing } = args.run;
    let topics = finished_topics(&store, run, WORDS)?;
    let scores = scores_of(&store, &store.run(run)?)?;
    let rows = rows(&scores, &topics, &store.metrics(run)?);
    let format = printing.format();
    if format != OutputFormat::Table {
        return Ok(print_list(&columns(), &rows, format)?);
    }
    if rows.is_empty() {
        let text = shown!("nobody has judged run {run}; `topoi judge {run}` asks you\n");
        return Ok(print(&text)?);
    }
    print_list(&columns(), &rows, format)?;
    for of in &scores {
        let passed = match of.skipped {
            0 => String::new(),
            many => format!(", {many} passed over"),
        };
        let shared = match (of.shared, of.agreement) {
            (0, _) => "nothing that two people answered, so no agreement".into(),
            (shared, Some(alpha)) => format!("Krippendorff's α {alpha:.2} on {shared} tasks"),
            (shared, None) => format!("one answer on all {shared} tasks of two, so no agreement"),
        };
        print(&shown!("{}: {shared}{passed}\n", of.task.name()))?;
    }
    Ok(())
}
