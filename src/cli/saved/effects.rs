//! `effects`.

use std::fmt::Write as _;
use std::time::Duration;

use crate::cli::arguments::Printing;
use crate::cli::bar::Bar;
use crate::cli::messages::say;
use crate::cli::output::{list_as_json, print, print_json, print_list};
use crate::cli::run_reference::run_reference;
use crate::cli::saved::by::name;
use crate::cli::saved::topics::finished_topics;
use crate::cli::store_path::StorePath;
use crate::records::column::{Column, Kind};
use crate::shown::{TerminalText, shown};
use serde_json::json;
use topoi_core::effects::design::CoefficientSupport;
use topoi_core::effects::estimate::{Estimate, LEVEL};
use topoi_core::effects::expression::Expression;
use topoi_core::fields::spread::SpreadSource;
use topoi_run::groups::effects::{Answer, Question, effects, notes};
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::result::topic::Topic;
use topoi_store::{Access, StoreError};

/// Number of words that name a topic without a label.
const WORDS: usize = 3;
/// How long the work may take before progress is shown.
const PATIENCE: Duration = Duration::from_millis(500);

/// Estimate how topics' shares depend on fields of the documents, with what is not known of the shares
///
/// A linear regression of every topic's share. Numbers and dates (in years) are taken as they are or, in s( ), by a
/// cubic spline; a category is compared with the first in the order of letters; a * b is a + b + a:b. Shares are
/// drawn from their posterior, each draw is regressed, and the draws are put together (docs/reference/fields.md).
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    /// What shares depend on, such as "~ party + s(year)"
    expression: String,
    /// Show these topics alone
    #[arg(long, value_name = "TOPIC", value_delimiter = ',')]
    topic: Vec<TopicNumber>,
    /// Predict shares with the field at these values, all other fields as the documents have them; repeat it
    /// for combinations of fields
    #[arg(long, value_name = "FIELD=VALUE,…", value_parser = field_and_values)]
    at: Vec<(String, Vec<String>)>,
    /// Documents with the same value of this field are not independent
    #[arg(long, value_name = "FIELD")]
    cluster: Option<String>,
    /// Take shares to vary alike in all documents, as least squares does
    #[arg(long, conflicts_with = "cluster")]
    alike: bool,
    /// Only documents for which this SQL condition on the table `document` holds
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
    /// How often shares are drawn
    #[arg(long, default_value_t = 25, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    draws: u32,
    /// Of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print a table for LaTeX
    #[arg(long, conflicts_with_all = ["output", "at"])]
    latex: bool,
    #[command(flatten)]
    printing: Printing,
}

fn field_and_values(typed: &str) -> Result<(String, Vec<String>), String> {
    let (field, values) = typed.split_once('=').ok_or("it is like year=2012,2020")?;
    Ok((field.into(), values.split(',').map(|value| value.trim().into()).collect()))
}

/// A line of the table: a coefficient or a prediction of a topic.
struct Row {
    topic: TopicNumber,
    name: String,
    term: String,
    estimate: Estimate,
    /// The documents that support a coefficient.
    level: Option<CoefficientSupport>,
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let expression = Expression::parse(&args.expression)?;
    let store = store.open(Access::Read)?;
    let topics = finished_topics(&store, args.run, WORDS)?;
    let is_gone = |topic: &&TopicNumber| topic.index() >= topics.len();
    if let Some(&topic) = args.topic.iter().find(is_gone) {
        return Err(StoreError::UnknownTopic { run: args.run, topic }.into());
    }
    let question = Question {
        expression,
        groups: args.cluster.clone(),
        is_alike: args.alike,
        condition: args.condition.clone(),
        at: args.at.clone(),
        along: None,
        draws: args.draws as usize,
        seed: args.seed,
    };
    let run = store.run(args.run)?;
    let bar = Bar::titled(&shown!("effects on the topics of run {}", run.id), PATIENCE)?;
    let answer = effects(&store, &run, &question, &bar);
    bar.finish();
    let answer = answer?;
    let wanted: Vec<&Topic> = topics
        .iter()
        .filter(|topic| args.topic.is_empty() || args.topic.contains(&topic.topic))
        .collect();
    let format = args.printing.format();
    if args.latex {
        return Ok(print(&TerminalText::text(&latex(&answer, &wanted)))?);
    }
    let rows = if args.at.is_empty() {
        coefficients(&answer, &wanted)
    } else {
        predicted(&answer, &wanted)
    };
    if format.is_json() {
        let rows = list_as_json(&columns(args), &rows);
        let answer = json!({
            "run": run.id,
            "expression": args.expression,
            "documents": answer.effects.documents,
            "left_out": answer.left_out,
            "no_shares": answer.no_shares,
            "clusters": answer.effects.clusters,
            "references": answer.references,
            "confidence": LEVEL,
            "draws": args.draws,
            "seed": args.seed,
            "estimates": rows,
        });
        return Ok(print_json(&answer, format)?);
    }
    print_list(&columns(args), &rows, format)?;
    say(&shown!(
        "{} documents, {} left out as a value of theirs is missing or cannot be read; {} draws of their shares",
        answer.effects.documents,
        answer.left_out,
        args.draws
    ));
    let lines = notes(&answer).into_iter().chain(answer.no_shares.line(&run));
    lines.for_each(|line| say(&TerminalText::line(&line)));
    Ok(())
}

fn columns(args: &Arguments) -> Vec<Column<Row>> {
    let what = if args.at.is_empty() { "term" } else { "at" };
    let measure = |name: &'static str, value: fn(&Estimate) -> Option<f64>| {
        Column::new(name, Kind::Measure, move |row: &Row| json!(value(&row.estimate)))
    };
    let mut columns = vec![
        Column::new("topic", Kind::Number, |row: &Row| json!(row.topic)),
        Column::new("name", Kind::Text, |row: &Row| json!(row.name)),
        Column::new(what, Kind::Text, |row: &Row| json!(row.term)),
        measure("estimate", |one| Some(one.value)),
        measure("error", |one| one.error),
        measure("low", |one| Some(one.interval?.0)),
        measure("high", |one| Some(one.interval?.1)),
    ];
    if args.at.is_empty() {
        columns.push(measure("p", |one| one.p));
    }
    let spread = |row: &Row| json!(row.estimate.spread.map_or("", SpreadSource::name));
    columns.push(Column::new("spread", Kind::Text, spread));
    let rests_on = |row: &Row| json!(row.estimate.rests_on.round() as u64);
    columns.push(Column::new("rests_on", Kind::Count, rests_on));
    if args.at.is_empty() {
        let documents = |row: &Row| json!(row.level.map(|level| level.documents));
        columns.push(Column::new("documents", Kind::Count, documents));
    }
    if args.at.is_empty() && args.cluster.is_some() {
        let clusters = |row: &Row| json!(row.level.and_then(|level| level.clusters));
        columns.push(Column::new("clusters", Kind::Count, clusters));
    }
    columns
}

fn coefficients(answer: &Answer, topics: &[&Topic]) -> Vec<Row> {
    let of = |topic: &&Topic| {
        let row = |(number, term): (usize, &String)| Row {
            topic: topic.topic,
            name: name(topic),
            term: term.clone(),
            estimate: answer.effects.coefficient(topic.topic.index(), number),
            level: answer.levels.get(number).copied(),
        };
        answer.effects.names.iter().enumerate().map(row).collect::<Vec<_>>()
    };
    topics.iter().flat_map(of).collect()
}

fn predicted(answer: &Answer, topics: &[&Topic]) -> Vec<Row> {
    let of = |topic: &&Topic| {
        let row = |at: &topoi_run::groups::effects::Predicted| Row {
            topic: topic.topic,
            name: name(topic),
            term: at
                .at
                .iter()
                .map(|(field, value)| format!("{field}={value}"))
                .collect::<Vec<_>>()
                .join(" "),
            estimate: at.shares[topic.topic.index()],
            level: None,
        };
        answer.predicted.iter().map(row).collect::<Vec<_>>()
    };
    topics.iter().flat_map(of).collect()
}

/// A LaTeX table for the package `booktabs`: a column per topic, standard errors in brackets below.
fn latex(answer: &Answer, topics: &[&Topic]) -> String {
    let cells = |cell: &dyn Fn(&Topic) -> String| {
        topics.iter().map(|topic| format!(" & {}", cell(topic))).collect::<String>()
    };
    let mut table = format!("\\begin{{tabular}}{{l{}}}\n\\toprule\n", "r".repeat(topics.len()));
    let _ = writeln!(table, "{} \\\\\n\\midrule", cells(&|topic| escaped(&name(topic))));
    for (number, term) in answer.effects.names.iter().enumerate() {
        let of = |topic: &Topic| answer.effects.coefficient(topic.topic.index(), number);
        let value = cells(&|topic| {
            let one = of(topic);
            let is_below = |level: &&f64| one.p.is_some_and(|p| p < **level);
            let stars = [0.001, 0.01, 0.05].iter().filter(is_below).count();
            format!("${:.4}^{{{}}}$", one.value, "*".repeat(stars))
        });
        let error =
            cells(&|topic| of(topic).error.map_or("--".into(), |error| format!("({error:.4})")));
        let _ = writeln!(table, "{}{value} \\\\\n{error} \\\\", escaped(term));
    }
    let documents = answer.effects.documents;
    let _ = write!(
        table,
        "\\midrule\nDocuments{} \\\\\n\\bottomrule\n\\end{{tabular}}\n% * p < .05, ** p < .01, *** p < .001\n",
        cells(&|_| documents.to_string())
    );
    table
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
