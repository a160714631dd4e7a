//! `by`.

use crate::cli::in_parts::{PartsArgs, in_parts};
use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, list_as_json, print_json, print_list};
use crate::cli::reporting::effects_arguments::SharesArgument;
use crate::cli::reporting::saving::SaveArgument;
use crate::cli::saved::topics::finished_topics;
use crate::cli::typed::arguments::{Printing, period};
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::{Column, Kind};
use crate::shown::{TerminalText, shown};
use clap::builder::PossibleValuesParser;
use serde_json::json;
use topoi_core::fields::date::PeriodLength;
use topoi_core::fields::interval::CONFIDENCE;
use topoi_core::fields::spread::SpreadSource;
use topoi_core::stream::parts::Parts;
use topoi_mpi::question::{call_off, follow, lead};
use topoi_run::groups::by::{Answer, Cell, Question, Weight, by, by_in_parts};
use topoi_run::groups::notes::notes;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::result::topic::Topic;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// Number of words that name a topic without a label.
const WORDS: usize = 3;

/// Show how much of each topic there is in groups of documents, or over time
///
/// A share is the mean over the documents of a group of what their words tell of the topic, without a prior, with
/// its 95% interval; documents are what is drawn at random. What differs most between groups comes first; over time, periods come in their
/// order, with a smooth line. docs/reference/fields.md says how all of it is made.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    /// The field that makes the groups, as `topoi fields` lists it
    #[arg(required_unless_present = "by")]
    field: Option<String>,
    /// Several fields: groups have a value of each
    #[arg(long, value_name = "FIELD,FIELD", value_delimiter = ',', conflicts_with = "field")]
    by: Vec<String>,
    /// Show this topic alone
    #[arg(long, value_name = "TOPIC")]
    topic: Option<TopicNumber>,
    /// What documents weigh: each the same, or as many tokens as they have
    #[arg(long, value_name = "WHAT", default_value = "documents",
          value_parser = PossibleValuesParser::new(["documents", "tokens"]))]
    weight: String,
    /// What dates are put together by [default: year; month where there are fewer than 4 years]
    #[arg(long, value_name = "PERIOD",
          value_parser = period())]
    per: Option<PeriodLength>,
    /// Only documents for which this SQL condition on the table `document` holds, such as
    /// "fields ->> 'year' >= 2015"
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
    #[command(flatten)]
    shares: SharesArgument,
    /// Lines to print at most; JSON and CSV have all
    #[arg(long, default_value_t = 40)]
    limit: usize,
    #[command(flatten)]
    save: SaveArgument,
    #[command(flatten)]
    place: PartsArgs,
    #[command(flatten)]
    printing: Printing,
}

/// A line of the table: a topic in a group.
struct Row<'a> {
    cell: &'a Cell,
    answer: &'a Answer,
    topic: &'a Topic,
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    if let Some(pattern) = &args.place.parts {
        return in_parts(&args.place, |parts| run_as_part(args, store, pattern, parts));
    }
    let asked = Asked::new(args, store)?;
    let answer = by(&asked.store, &asked.run, &asked.question)?;
    asked.print(args, &answer)
}

fn run_as_part(
    args: &Arguments,
    store: &StorePath,
    pattern: &str,
    parts: &dyn Parts,
) -> anyhow::Result<()> {
    if parts.number() > 0 {
        // Part 0 reports the same error for all parts.
        let _ = follow(parts, by_in_parts);
        return Ok(());
    }
    let asked = Asked::new(args, store).inspect_err(|_| call_off(parts))?;
    let Asked { store, run, question, .. } = &asked;
    let answer = lead((store, run), question, pattern, parts, by_in_parts)?;
    asked.print(args, &answer)
}

/// A question about a finished run.
struct Asked {
    store: Store,
    run: Run,
    topics: Vec<Topic>,
    question: Question,
}

impl Asked {
    fn new(args: &Arguments, store: &StorePath) -> anyhow::Result<Self> {
        let store = args.save.open(store)?;
        let topics = finished_topics(&store, args.run, WORDS)?;
        let is_unknown = |topic: &TopicNumber| *topic >= TopicNumber::from_index(topics.len());
        if let Some(topic) = args.topic.filter(is_unknown) {
            return Err(StoreError::UnknownTopic { run: args.run, topic }.into());
        }
        let run = store.run(args.run)?;
        let question = Question {
            fields: args.field.iter().chain(&args.by).cloned().collect(),
            topic: args.topic,
            weight: if args.weight == "tokens" { Weight::Tokens } else { Weight::Documents },
            per: args.per,
            condition: args.condition.clone(),
            shares: args.shares.shares,
        };
        Ok(Self { store, run, topics, question })
    }

    fn print(&self, args: &Arguments, answer: &Answer) -> anyhow::Result<()> {
        let Self { store, run, topics, question } = self;
        let row = |cell| Row { cell, answer, topic: &topics[cell_topic(cell)] };
        let rows: Vec<Row<'_>> = answer.cells.iter().map(row).collect();
        let notes = notes(answer, run);
        let format = args.printing.format();
        let told = || {
            let shares = list_as_json(&columns(answer), &rows);
            json!({
                "run": run.id,
                "by": question.fields,
                "weight": question.weight,
                "estimate": question.shares,
                "confidence": CONFIDENCE,
                "groups": answer.groups.len(),
                "not_grouped": answer.not_grouped,
                "no_shares": answer.no_shares,
                "notes": notes,
                "shares": shares,
            })
        };
        let title = format!("shares of topics by {}", question.fields.join(" and "));
        let table = (told(), "shares", &columns(answer)[..], &rows[..]);
        args.save.save_table(store, run.id, &title, table)?;
        if format.is_json() {
            return Ok(print_json(&told(), format)?);
        }
        let shown = if format == OutputFormat::Table { args.limit } else { usize::MAX };
        let first = &rows[..shown.min(rows.len())];
        print_list(&columns(answer), first, format)?;
        if first.len() < rows.len() {
            say(&shown!("{} of {} lines; --limit shows more", first.len(), rows.len()));
        }
        notes.iter().for_each(|note| say(&TerminalText::line(note)));
        Ok(())
    }
}

fn cell_topic(cell: &Cell) -> usize {
    cell.topic.index()
}

fn columns<'a>(answer: &Answer) -> Vec<Column<Row<'a>>> {
    let mut columns: Vec<Column<Row<'a>>> = Vec::new();
    for (at, field) in answer.fields.iter().enumerate() {
        columns.push(Column::new(field.name.clone(), Kind::Text, move |row: &Row<'_>| {
            json!(row.answer.groups[row.cell.group].parts[at].to_string())
        }));
    }
    let count = |row: &Row<'_>| json!(row.answer.groups[row.cell.group].documents);
    columns.push(Column::new("documents", Kind::Count, count));
    columns.push(Column::new("topic", Kind::Number, |row: &Row<'_>| json!(row.cell.topic)));
    columns.push(Column::new("name", Kind::Text, |row: &Row<'_>| json!(name(row.topic))));
    let mut measure = |name: &'static str, value: fn(&Cell) -> Option<f64>| {
        columns.push(Column::new(name, Kind::Measure, move |row: &Row<'_>| json!(value(row.cell))));
    };
    measure("share", |cell| Some(cell.share.share));
    measure("low", |cell| Some(cell.share.interval()?.0));
    measure("high", |cell| Some(cell.share.interval()?.1));
    if answer.is_over_time() {
        measure("smooth", |cell| Some(cell.smooth?.smooth));
        measure("smooth_low", |cell| Some(cell.smooth?.smooth_low));
        measure("smooth_high", |cell| Some(cell.smooth?.smooth_high));
    } else {
        measure("difference", |cell| Some(cell.difference?.difference));
        measure("difference_low", |cell| Some(cell.difference?.interval?.0));
        measure("difference_high", |cell| Some(cell.difference?.interval?.1));
    }
    columns.push(Column::new("spread", Kind::Text, |row: &Row<'_>| json!(spread(row.cell))));
    columns
}

/// The kind of spread that an interval is from; empty without an interval.
fn spread(cell: &Cell) -> &'static str {
    match cell.share.error {
        None => "",
        Some(_) if cell.share.is_pooled => SpreadSource::Pooled.name(),
        Some(_) => SpreadSource::Own.name(),
    }
}

pub fn name(topic: &Topic) -> String {
    let words = || topic.words.iter().map(|word| word.word.as_str()).collect::<Vec<_>>().join(" ");
    topic.label.clone().unwrap_or_else(words)
}
