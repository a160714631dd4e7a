//! `stability`.

use crate::cli::attend::{INTERRUPTED, attend_all, say_warnings};
use crate::cli::output::{OutputFormat, print, print_json, print_list};
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use crate::shown::shown;
use serde::Serialize;
use std::process::ExitCode;
use topoi_core::numbers::four_digits;
use topoi_run::choose_k::stability::{
    Siblings, Stability, StableTopic, request_siblings, stability,
};
use topoi_store::Access;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::result::topic::{Topic, TopicAgreement};
use topoi_store::result::warning::Warning;
use topoi_store::run::{Run, RunStatus};

/// Number of words that describe a topic in the table.
const WORDS: usize = 6;

/// Tell which topics of a run recur on random halves of the documents or with other seeds
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    /// Pairs of runs to compare it with, one on a random half of the documents, one on the other
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u64).range(0..=100))]
    halves: u64,
    /// Runs with other seeds to compare it with
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u64).range(0..=100))]
    seeds: u64,
    /// How many top words of a topic are compared
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    words: u64,
    #[command(flatten)]
    printing: Printing,
}

/// The agreement of a run with others.
#[derive(Serialize)]
struct Report<'a> {
    run: RunId,
    stability: f64,
    stability_by_chance: f64,
    stability_l1: f64,
    top_words: u64,
    others: Vec<OtherRun<'a>>,
    warnings: &'a [Warning],
}

#[derive(Serialize)]
struct OtherRun<'a> {
    run: RunId,
    topics: &'a [TopicAgreement],
}

/// A topic with its agreement with the other runs.
struct TopicRow {
    topic: TopicNumber,
    jaccard: f64,
    least: f64,
    l1: f64,
    label: Option<String>,
    words: String,
}

/// Compares a run with others that have other seeds or random halves of the documents, and prints which topics recur.
/// Missing runs are made first. Ctrl-C cancels runs that are not over.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<ExitCode> {
    let mut store = store.open(Access::Write)?;
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
    let warnings = store.warnings(row.id)?;
    report(&row, &topics, (&found, &warnings), args)?;
    say_warnings("", &warnings);
    Ok(ExitCode::SUCCESS)
}

fn report(
    row: &Run,
    topics: &[Topic],
    (found, warnings): (&Stability, &[Warning]),
    args: &Arguments,
) -> anyhow::Result<()> {
    if args.printing.format().is_json() {
        let report = Report {
            run: row.id,
            stability: found.mean_jaccard(),
            stability_by_chance: found.by_chance,
            stability_l1: found.mean_l1(),
            warnings,
            top_words: args.words,
            others: found
                .others
                .iter()
                .map(|(run, topics)| OtherRun { run: *run, topics })
                .collect(),
        };
        return Ok(print_json(&report, args.printing.format())?);
    }
    let line = |(stable, topic): (&StableTopic, &Topic)| TopicRow {
        topic: topic.topic,
        jaccard: stable.jaccard,
        least: stable.least_jaccard,
        l1: stable.l1,
        label: topic.label.clone().or(topic.anchor.clone()),
        words: topic.words.iter().map(|word| word.word.as_str()).collect::<Vec<_>>().join(" "),
    };
    let mut rows: Vec<TopicRow> = found.topics.iter().zip(topics).map(line).collect();
    if args.printing.format() == OutputFormat::Table {
        rows.sort_by(|a, b| b.jaccard.total_cmp(&a.jaccard).then(a.topic.cmp(&b.topic)));
    }
    let columns = columns!(TopicRow: topic, jaccard, least, l1, label, words);
    print_list(&columns, &rows, args.printing.format())?;
    if args.printing.format() == OutputFormat::Table {
        let numbers: Vec<String> = found.others.iter().map(|(run, _)| run.to_string()).collect();
        print(&shown!(
            "\nrun {} against runs {}: mean Jaccard index of the {} most probable words {} ({} by \
             chance), mean l1 distance {} (0 to 2)\n",
            row.id,
            numbers.join(", "),
            args.words,
            four_digits(found.mean_jaccard()),
            four_digits(found.by_chance),
            four_digits(found.mean_l1()),
        ))?;
    }
    Ok(())
}
