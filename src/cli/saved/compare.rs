//! `compare`.

use crate::shown::shown;
use std::path::PathBuf;
use topoi_store::id::{RunId, TopicNumber};

use super::topics::{named_after, rank};
use super::truth;
use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print, print_json, print_list};
use crate::cli::typed::arguments::{Printing, Ranked};
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::{Column, Kind};
use crate::records::comparisons::{self, PairRow};
use serde::Serialize;
use serde_json::json;
use topoi_core::numbers::four_digits;
use topoi_run::saved::compare::{Comparer, Comparison, LabelOfMatch, TOP_WORDS, WEAK, give_labels};
use topoi_store::Access;

/// Compare runs: topics matched, words gained and lost, metrics side by side; or with the truth
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Two or more runs' numbers; the topics of all are matched with those of the first, by the
    /// cosine of their word probabilities. With --truth, one is enough
    #[arg(value_parser = run_reference(), required = true, value_name = "RUN")]
    runs: Vec<RunId>,
    /// Only the metrics
    #[arg(long)]
    metrics: bool,
    /// Match the topics of every run with the true ones in this file, truth.NAME.csv of `topoi
    /// synth` (topic,term,probability), so that the sum of the l1 distances is smallest
    #[arg(long, value_name = "FILE", conflicts_with = "metrics")]
    truth: Option<PathBuf>,
    /// Give the labels of topics to those of their matches that have none, where both count as the same topic (cosine
    /// of .8 or more); nothing else is printed
    #[arg(long, conflicts_with_all = ["metrics", "truth"])]
    carry_labels: bool,
    #[command(flatten)]
    ranked: Ranked,
    #[command(flatten)]
    printing: Printing,
}

/// A comparison with the ranking of the topics' words.
#[derive(Serialize)]
struct RankedComparison<'a> {
    #[serde(flatten)]
    comparison: &'a Comparison,
    ranking: &'static str,
}

/// Number of words that describe a topic in a line of the table.
const WORDS: usize = 5;

/// Compares runs. A table has the matched topics and the metrics, CSV one of the two, JSON everything.
pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    let store = path.open(Access::Read)?;
    let format = args.printing.format();
    if let Some(file) = &args.truth {
        return truth::compare(&store, file, &args.runs, format);
    }
    let mut found = Comparer::default().compare(&store, &args.runs)?;
    if args.carry_labels {
        return carry_labels(path, &found, format);
    }
    let ranking = args.ranked.rank;
    for run in &mut found.runs {
        rank(&store, run.run.id, ranking, TOP_WORDS, &mut run.topics)?;
    }
    match format {
        OutputFormat::Json | OutputFormat::JsonLines => {
            let named = RankedComparison { comparison: &found, ranking: ranking.name() };
            Ok(print_json(&named, format)?)
        }
        format if args.metrics => print_metrics(&found, format),
        OutputFormat::Csv | OutputFormat::RawCsv => {
            let columns = named_after(ranking, comparisons::pairs(usize::MAX));
            Ok(print_list(&columns, &pairs(&found), format)?)
        }
        OutputFormat::Table => {
            let pairs = pairs(&found);
            let has_weak = pairs.iter().any(PairRow::is_weak);
            let mut columns = named_after(ranking, comparisons::pairs(WORDS));
            if has_weak {
                columns = columns.into_iter().map(marked).collect();
            }
            print_list(&columns, &pairs, format)?;
            if has_weak {
                print(&shown!("? below {WEAK}: a pair only because nothing better was left\n"))?;
            }
            print(&shown!("\n"))?;
            print_metrics(&found, format)
        }
    }
}

/// Gives labels to matches, and prints which.
fn carry_labels(path: &StorePath, found: &Comparison, format: OutputFormat) -> anyhow::Result<()> {
    let labels = found.labels_of_matches();
    give_labels(&mut path.open(Access::Write)?, &labels)?;
    if labels.is_empty() && format == OutputFormat::Table {
        say(&shown!("no topic with a label has a match without one"));
        return Ok(());
    }
    let columns = vec![
        Column::new("label", Kind::Text, |it: &LabelOfMatch| json!(it.label)),
        Column::new("from_run", Kind::Number, |it: &LabelOfMatch| json!(it.from.0)),
        Column::new("from_topic", Kind::Number, |it: &LabelOfMatch| json!(it.from.1)),
        Column::new("run", Kind::Number, |it: &LabelOfMatch| json!(it.to.0)),
        Column::new("topic", Kind::Number, |it: &LabelOfMatch| json!(it.to.1)),
        Column::new("similarity", Kind::Measure, |it: &LabelOfMatch| json!(it.similarity)),
    ];
    Ok(print_list(&columns, &labels, format)?)
}

/// Adds a question mark to the similarity of weak pairs.
fn marked(column: Column<PairRow<'_>>) -> Column<PairRow<'_>> {
    if column.name != "similarity" {
        return column;
    }
    column.printed_as(|pair| {
        let mark = if pair.is_weak() { "?" } else { " " };
        pair.similarity.map(|s| format!("{}{mark}", four_digits(s))).unwrap_or_default()
    })
}

/// A line for every topic of the first run in every alignment, and for unmatched topics.
fn pairs(found: &Comparison) -> Vec<PairRow<'_>> {
    let Some((first, others)) = found.runs.split_first() else { return Vec::new() };
    let mut pairs = Vec::new();
    for (alignment, other) in found.alignments.iter().zip(others) {
        let runs = (first.run.id, other.run.id);
        let one = |number: TopicNumber| first.topics.get(number.index());
        let two = |number: TopicNumber| other.topics.get(number.index());
        let row = |first, other, similarity| PairRow { runs, first, other, similarity };
        pairs.extend(alignment.pairs.iter().map(|&(a, b, s)| row(one(a), two(b), Some(s))));
        pairs.extend(alignment.only_first.iter().map(|&number| row(one(number), None, None)));
        pairs.extend(alignment.only_other.iter().map(|&number| row(None, two(number), None)));
    }
    pairs
}

/// A line for every metric, with the number of the best run.
fn print_metrics(found: &Comparison, format: OutputFormat) -> anyhow::Result<()> {
    let mut columns = comparisons::metrics(found.runs.iter().map(|run| run.run.id));
    if format != OutputFormat::Table {
        columns.extend(comparisons::errors(found));
    }
    Ok(print_list(&columns, &found.metrics, format)?)
}
