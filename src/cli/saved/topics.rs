//! `topics`.

use crate::cli::attend::say_warnings;
use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print_json, print_list};
use crate::cli::typed::arguments::{Printing, Ranked};
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::Column;
use crate::records::topics::{TopicRow, columns};
use crate::shown::TerminalText;
use serde::Serialize;
use topoi_core::metric::words::ranking::Ranking;
use topoi_run::coverage::Coverage;
use topoi_run::saved::topics::{RankedTopics, are_refined};
use topoi_store::id::RunId;
use topoi_store::result::topic::Topic;
use topoi_store::run::RunStatus;
use topoi_store::{Access, Store, StoreError};

/// Show a run's topics
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    /// Words of each kind to show
    #[arg(long, default_value_t = 10)]
    words: usize,
    #[command(flatten)]
    ranked: Ranked,
    #[command(flatten)]
    printing: Printing,
}

/// A topic with the ranking of its words.
#[derive(Serialize)]
struct RankedTopic<'a> {
    #[serde(flatten)]
    topic: &'a Topic,
    ranking: &'static str,
}

/// Prints a run's topics: in tables and CSV a line per topic, in JSON with every probability. Warnings are on
/// standard error.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let mut topics = finished_topics(&store, args.run, args.words)?;
    say_warnings("", &store.warnings(args.run)?);
    if let Some(part) =
        Coverage::from_run(&store, &store.run(args.run)?)?.filter(Coverage::is_partial)
    {
        say(&TerminalText::line(&part.to_string()));
    }
    let ranking = args.ranked.rank;
    rank(&store, args.run, ranking, args.words, &mut topics)?;
    if args.printing.format().is_json() {
        let named = |topic| RankedTopic { topic, ranking: ranking.name() };
        return Ok(print_json(
            &topics.iter().map(named).collect::<Vec<_>>(),
            args.printing.format(),
        )?);
    }
    let describe = !are_refined(&store.metrics(args.run)?);
    Ok(print_lines(&topics, ranking, describe, args.printing.format())?)
}

/// Replaces the words of the topics of a run by the `words` first words by `ranking`.
pub fn rank(
    store: &Store,
    run: RunId,
    ranking: Ranking,
    words: usize,
    topics: &mut [Topic],
) -> anyhow::Result<()> {
    if ranking != Ranking::Probability {
        let ranked = RankedTopics::from_run(store, &store.run(run)?)?;
        let words = ranked.first_words(ranking, words);
        topics.iter_mut().zip(words).for_each(|(topic, words)| topic.words = words);
    }
    Ok(())
}

/// The topics of a finished run; an error for a run without topics.
///
pub fn finished_topics(store: &Store, run: RunId, words: usize) -> anyhow::Result<Vec<Topic>> {
    let row = store.run(run)?;
    let topics = store.topics(run, words)?;
    if topics.is_empty() {
        let advice = match row.status {
            RunStatus::Queued | RunStatus::Running => "follow it with `topoi watch`",
            RunStatus::Finished => "start it again with `topoi run`",
            _ => "continue it with `topoi resume`",
        };
        anyhow::bail!("run {run} is {} and has no topics; {advice}", row.status.as_str());
    }
    if topics.len() as u64 > row.k {
        let what = "it has more topics than it was asked for".into();
        return Err(StoreError::DamagedRun { run, what }.into());
    }
    Ok(topics)
}

/// Prints a line for every topic, with words ranked by `ranking`. A table has anchors and characteristic words only if they
/// `describe` the topics: those of refined topics are of the topics that refining began with.
pub fn print_lines(
    topics: &[Topic],
    ranking: Ranking,
    describe: bool,
    format: OutputFormat,
) -> std::io::Result<()> {
    let rows: Vec<TopicRow<'_>> =
        topics.iter().map(|topic| TopicRow { topic, metrics: &[], proposed: None }).collect();
    let mut columns = named_after(ranking, columns(&[]));
    let are_named = topics.iter().any(|topic| topic.label.is_some());
    // CSV has the same columns whether topics have labels or not.
    for column in &mut columns {
        column.is_printed |= match &*column.name {
            "label" => are_named || format != OutputFormat::Table,
            "labelled_by" => format != OutputFormat::Table,
            _ => false,
        };
        let is_of_anchor = matches!(&*column.name, "anchor" | "characteristic");
        column.is_printed &= describe || !is_of_anchor || format != OutputFormat::Table;
    }
    print_list(&columns, &rows, format)
}

/// Renames the column `words` by the ranking, unless that is by probability.
pub fn named_after<R>(ranking: Ranking, mut columns: Vec<Column<R>>) -> Vec<Column<R>> {
    let words = columns.iter_mut().find(|column| column.name == "words");
    if let Some(words) = words.filter(|_| ranking != Ranking::Probability) {
        words.name = format!("words_by_{}", ranking.name()).into();
    }
    columns
}
