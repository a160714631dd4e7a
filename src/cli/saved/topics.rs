//! `topics`.

use crate::cli::arguments::Printing;
use crate::cli::attend::warning_lines;
use crate::cli::output::{OutputFormat, print, print_json, print_list};
use crate::cli::store_path::StorePath;
use crate::records::topics::{TopicRow, columns};
use topoi::run::saved::topics::frex_words;
use topoi::store::result::topic::Topic;
use topoi::store::run::RunStatus;
use topoi::store::{Access, Store};

/// Show a run's topics
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    run: i64,
    /// Words of each kind to show
    #[arg(long, default_value_t = 10)]
    words: usize,
    /// What a topic's words are ranked by
    #[arg(long, value_enum, default_value_t)]
    rank: WordRank,
    #[command(flatten)]
    printing: Printing,
}

/// What a topic's words are ranked by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum WordRank {
    /// How probable they are in the topic
    #[default]
    Probability,
    /// How frequent in the topic and exclusive to it they are (FREX)
    Frex,
}

/// Prints a run's topics: for people and CSV a line a topic, as JSON with every probability. People are
/// told why not to trust them.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let mut topics = finished_topics(&store, args.run, args.words)?;
    if args.rank == WordRank::Frex {
        let words = frex_words(&store, &store.run(args.run)?, args.words)?;
        topics.iter_mut().zip(words).for_each(|(topic, words)| topic.words = words);
    }
    if args.printing.output == OutputFormat::Json {
        return Ok(print_json(&topics)?);
    }
    print_lines(&topics, args.printing.output)?;
    if args.printing.output == OutputFormat::Table {
        print(&warning_lines("", &store.warnings(args.run)?))?;
    }
    Ok(())
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
            _ => "continue it with `topoi resume`",
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
