//! `stability`.

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

use super::attend::{INTERRUPTED, attend_all};
use super::output::{OutputFormat, Table, four_digits, print, print_json};
use super::store_path::opened;
use super::sweep_arguments::StabilityArgs;
use topoi::run::choose_k::stability::{Siblings, Stability, request_siblings, stability};
use topoi::store::Access;
use topoi::store::result::topic::Topic;
use topoi::store::run::{Run, RunStatus};

/// Words that tell a topic in the table.
const WORDS: usize = 6;

/// Holds a run against others of other seeds or of random halves of the documents, which are made
/// first where they are not there, and prints which topics come back. Ctrl-C cancels runs that are
/// not over.
///
/// # Errors
/// When the run has no topics, or a run fails.
pub fn run(path: &Path, args: &StabilityArgs) -> anyhow::Result<ExitCode> {
    let mut store = opened(path, Access::Write)?;
    let row = store.run(args.run)?;
    let siblings = Siblings { seeds: args.seeds, halves: args.halves };
    let numbers = request_siblings(&store, &row, siblings)?;
    let Some(others) = attend_all(&store, &numbers)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    if let Some(other) = others.iter().find(|other| other.status != RunStatus::Finished) {
        let status = other.status.as_str();
        anyhow::bail!("run {} is {status}; `topoi log {}` may say why", other.id, other.id);
    }
    let found = stability(&mut store, &row, &numbers, args.words as usize)?;
    let topics = store.topics(row.id, WORDS)?;
    report(&row, &topics, &found, args)?;
    Ok(ExitCode::SUCCESS)
}

fn report(
    row: &Run,
    topics: &[Topic],
    found: &Stability,
    args: &StabilityArgs,
) -> anyhow::Result<()> {
    if args.printing.output == OutputFormat::Json {
        let others: Vec<_> = found
            .others
            .iter()
            .map(|(run, agreements)| json!({ "run": run, "topics": agreements }))
            .collect();
        return Ok(print_json(&json!({
            "run": row.id,
            "stability": found.mean_jaccard(),
            "stability_l1": found.mean_l1(),
            "top_words": args.words,
            "others": others,
        }))?);
    }
    let mut table = Table::new(&["topic", "jaccard", "least", "l1", "label", "words"]);
    let mut order: Vec<usize> = (0..found.topics.len()).collect();
    if args.printing.output == OutputFormat::Table {
        order.sort_by(|&a, &b| {
            found.topics[b].jaccard.total_cmp(&found.topics[a].jaccard).then(a.cmp(&b))
        });
    }
    for at in order {
        let (stable, topic) = (&found.topics[at], &topics[at]);
        let words: Vec<&str> = topic.words.iter().map(|word| word.word.as_str()).collect();
        table.rows.push(vec![
            json!(topic.topic),
            json!(stable.jaccard),
            json!(stable.least_jaccard),
            json!(stable.l1),
            json!(topic.label.clone().or(topic.anchor.clone())),
            json!(words.join(" ")),
        ]);
    }
    table.print(args.printing.output)?;
    if args.printing.output == OutputFormat::Table {
        let numbers: Vec<String> = found.others.iter().map(|(run, _)| run.to_string()).collect();
        print(&format!(
            "\nrun {} against runs {}: mean Jaccard index of the {} most probable words {}, mean l1 \
             distance {} (0 to 2)\n",
            row.id,
            numbers.join(", "),
            args.words,
            four_digits(found.mean_jaccard()),
            four_digits(found.mean_l1()),
        ))?;
    }
    Ok(())
}
