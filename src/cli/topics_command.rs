//! `topics`.

use std::path::Path;

use super::arguments::{TopicsArgs, WordRank};
use super::output::{OutputFormat, print_json, print_list};
use crate::records::topics::{TopicRow, columns};
use topoi::run::saved::frex_words::frex_words;
use topoi::store::result::topic::Topic;
use topoi::store::run::RunStatus;
use topoi::store::{Access, Store};

/// Prints a run's topics: for people and CSV a line a topic, as JSON with every probability.
///
/// # Errors
/// When there is no such run, it has no topics, or standard output cannot be written.
pub fn topics(path: &Path, args: &TopicsArgs) -> anyhow::Result<()> {
    let store = Store::open(path, Access::Read)?;
    let mut topics = finished_topics(&store, args.run, args.words)?;
    if args.rank == WordRank::Frex {
        let words = frex_words(&store, &store.run(args.run)?, args.words)?;
        topics.iter_mut().zip(words).for_each(|(topic, words)| topic.words = words);
    }
    if args.printing.output == OutputFormat::Json {
        return Ok(print_json(&serde_json::to_value(&topics)?)?);
    }
    Ok(print_lines(&topics, args.printing.output)?)
}

/// The topics of a run.
///
/// # Errors
/// When there is no such run, or it has no topics; says why.
pub fn finished_topics(store: &Store, run: i64, words: usize) -> anyhow::Result<Vec<Topic>> {
    let row = store.run(run)?;
    let topics = store.topics(run, words)?;
    if topics.is_empty() {
        let advice = match row.status {
            RunStatus::Queued | RunStatus::Running => "follow it with `topoi watch`",
            RunStatus::Finished => "start it again with `topoi run`",
            _ => "go on with `topoi resume`",
        };
        anyhow::bail!("run {run} is {} and has no topics; {advice}", row.status.as_str());
    }
    Ok(topics)
}

/// Prints a line for every topic.
///
/// # Errors
/// When standard output cannot be written.
pub fn print_lines(topics: &[Topic], format: OutputFormat) -> std::io::Result<()> {
    let rows: Vec<TopicRow<'_>> =
        topics.iter().map(|topic| TopicRow { topic, metrics: &[] }).collect();
    print_list(&columns(&[]), &rows, format)
}
