//! `effects`.

use std::fmt::Write as _;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;
use strum::VariantNames;

use super::effects_arguments::RegressionArguments;
use crate::cli::bar::Bar;
use crate::cli::messages::say;
use crate::cli::output::{list_as_json, print, print_json, print_list};
use crate::cli::reporting::by::name;
use crate::cli::reporting::saving::SaveArgument;
use crate::cli::saved::topics::finished_topics;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::{Column, Kind};
use crate::shown::{TerminalText, shown};
use topoi_core::effects::design::CoefficientSupport;
use topoi_core::effects::regression::JointTest;
use topoi_core::effects::regression::adjust::Adjustment;
use topoi_core::effects::regression::{Estimate, LEVEL};
use topoi_core::fields::spread::SpreadSource;
use topoi_run::groups::effects::{Answer, Predicted, TermTest, effects};
use topoi_store::StoreError;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::result::topic::Topic;

/// Number of words that name a topic without a label.
const WORDS: usize = 3;
/// How long the work may take before progress is shown.
const PATIENCE: Duration = Duration::from_millis(500);

/// Estimate how topics' shares depend on fields of the documents
///
/// A linear regression of every topic's share, with a formula as R has them: `a + b`, `a:b`, `a * b`, `(a + b)^2`,
/// `C(party, ref=Labour)`, `s(year)` for a natural spline, `poly(x, 2)`, `log(tokens)`. Errors are robust to
/// documents that vary differently (docs/reference/fields.md).
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    /// What shares depend on, such as "~ party + s(year)"
    formula: String,
    /// Estimate these topics alone
    #[arg(long, value_name = "TOPIC", value_delimiter = ',')]
    topic: Vec<TopicNumber>,
    #[command(flatten)]
    regression: RegressionArguments,
    /// Test every term: whether all of its coefficients are 0
    #[arg(long, conflicts_with_all = ["at", "contrast", "marginal"])]
    test: bool,
    /// Correct p-values for as many tests as there are topics: Holm's for no false alarm, Benjamini and Hochberg's
    /// for few among alarms
    #[arg(long, value_name = "HOW", default_value = "none", value_parser = adjustment())]
    adjust: Adjustment,
    /// Only documents for which this SQL condition on the table `document` holds
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
    /// Print a table for LaTeX
    #[arg(long, conflicts_with_all = ["output", "at", "contrast", "marginal", "test"])]
    latex: bool,
    #[command(flatten)]
    save: SaveArgument,
    #[command(flatten)]
    printing: Printing,
}

fn adjustment() -> impl TypedValueParser<Value = Adjustment> {
    PossibleValuesParser::new(Adjustment::VARIANTS).try_map(|name| name.parse::<Adjustment>())
}

/// A line of the table: an estimate for a topic.
struct Row {
    topic: TopicNumber,
    name: String,
    term: String,
    estimate: Estimate,
    adjusted: Option<f64>,
    /// The documents that support a coefficient.
    level: Option<CoefficientSupport>,
}

/// A line of the table of tests.
struct TestRow {
    topic: TopicNumber,
    name: String,
    term: String,
    test: Option<JointTest>,
    adjusted: Option<f64>,
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let question = args.regression.question(&args.formula, &args.topic, args.condition.as_ref())?;
    let store = args.save.open(store)?;
    let topics = finished_topics(&store, args.run, WORDS)?;
    let is_gone = |topic: &&TopicNumber| topic.index() >= topics.len();
    if let Some(&topic) = args.topic.iter().find(is_gone) {
        return Err(StoreError::UnknownTopic { run: args.run, topic }.into());
    }
    let run = store.run(args.run)?;
    let bar = Bar::titled(&shown!("effects on the topics of run {}", run.id), PATIENCE)?;
    let answer = effects(&store, &run, &question, &bar);
    bar.finish();
    let answer = answer?;
    let wanted: Vec<&Topic> = answer.topics.iter().map(|topic| &topics[topic.index()]).collect();
    let format = args.printing.format();
    if args.latex {
        return Ok(print(&TerminalText::text(&latex(&answer, &wanted)))?);
    }
    let tests = tests(args, &answer, &wanted);
    let rows = match args.regression.asks_for_predictions() {
        true => predicted(args, &answer, &wanted),
        false => coefficients(args, &answer, &wanted),
    };
    let told = || {
        let regression = &answer.regression;
        json!({
            "run": run.id,
            "formula": args.formula,
            "shares": question.shares,
            "spread": question.spread,
            "adjusted": args.adjust,
            "documents": regression.documents,
            "left_out": answer.left_out,
            "no_shares": answer.no_shares,
            "clusters": regression.clusters,
            "absorbed": regression.absorbed,
            "references": answer.references,
            "condition_number": answer.condition,
            "halves": answer.halves,
            "confidence": LEVEL,
            "notes": answer.notes,
            "estimates": list_as_json(&columns(args), &rows),
            "tests": list_as_json(&test_columns(args), &tests),
        })
    };
    let title = format!("effects of {}", args.formula);
    match args.test {
        true => args.save.save_table(
            &store,
            run.id,
            &title,
            (told(), "tests", &test_columns(args), &tests),
        )?,
        false => args.save.save_table(
            &store,
            run.id,
            &title,
            (told(), "estimates", &columns(args), &rows),
        )?,
    }
    if format.is_json() {
        return Ok(print_json(&told(), format)?);
    }
    match args.test {
        true => print_list(&test_columns(args), &tests, format)?,
        false => print_list(&columns(args), &rows, format)?,
    }
    let weightless = match answer.without_weight {
        0 => String::new(),
        some => format!(", {some} of them without a weight"),
    };
    say(&shown!(
        "{} documents, {} left out as a value of theirs is missing or cannot be read{weightless}",
        answer.regression.documents,
        answer.left_out
    ));
    let lines = answer.notes.iter().cloned().chain(answer.no_shares.line(&run));
    lines.for_each(|line| say(&TerminalText::line(&line)));
    Ok(())
}

/// p-values of the topics, adjusted for their number.
fn adjusted(args: &Arguments, p: &[Option<f64>]) -> Vec<Option<f64>> {
    let known: Vec<f64> = p.iter().flatten().copied().collect();
    let mut adjusted = args.adjust.adjusted(&known).into_iter();
    p.iter().map(|p| p.and_then(|_| adjusted.next())).collect()
}

fn columns(args: &Arguments) -> Vec<Column<Row>> {
    let are_coefficients = !args.regression.asks_for_predictions();
    let what = if are_coefficients { "term" } else { "at" };
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
        measure("p", |one| one.p),
    ];
    if args.adjust != Adjustment::None {
        columns.push(Column::new("p_adjusted", Kind::Measure, |row: &Row| json!(row.adjusted)));
    }
    let spread = |row: &Row| json!(row.estimate.spread.map_or("", SpreadSource::name));
    columns.push(Column::new("spread", Kind::Text, spread));
    let rests_on = |row: &Row| json!(row.estimate.rests_on.round() as u64);
    columns.push(Column::new("rests_on", Kind::Count, rests_on));
    columns.push(measure("degrees", |one| Some(one.degrees)));
    if are_coefficients {
        let documents = |row: &Row| json!(row.level.map(|level| level.documents));
        columns.push(Column::new("documents", Kind::Count, documents));
    }
    if are_coefficients && args.regression.has_clusters() {
        let clusters = |row: &Row| json!(row.level.and_then(|level| level.clusters));
        columns.push(Column::new("clusters", Kind::Count, clusters));
    }
    columns
}

fn test_columns(args: &Arguments) -> Vec<Column<TestRow>> {
    let measure = |name: &'static str, value: fn(JointTest) -> f64| {
        Column::new(name, Kind::Measure, move |row: &TestRow| json!(row.test.map(value)))
    };
    let mut columns = vec![
        Column::new("topic", Kind::Number, |row: &TestRow| json!(row.topic)),
        Column::new("name", Kind::Text, |row: &TestRow| json!(row.name)),
        Column::new("term", Kind::Text, |row: &TestRow| json!(row.term)),
        measure("f", |test| test.f),
        measure("above", |test| test.above),
        measure("below", |test| test.below),
        measure("p", |test| test.p),
    ];
    if args.adjust != Adjustment::None {
        let adjusted = |row: &TestRow| json!(row.adjusted);
        columns.push(Column::new("p_adjusted", Kind::Measure, adjusted));
    }
    columns
}

/// Rows of named estimates of all topics, by topic.
fn rows(
    args: &Arguments,
    topics: &[&Topic],
    named: &[(String, Vec<Estimate>, Option<CoefficientSupport>)],
) -> Vec<Row> {
    let p = |(_, estimates, _): &(String, Vec<Estimate>, _)| {
        adjusted(args, &estimates.iter().map(|one| one.p).collect::<Vec<_>>())
    };
    let adjusted: Vec<Vec<Option<f64>>> = named.iter().map(p).collect();
    let mut rows = Vec::new();
    for (place, topic) in topics.iter().enumerate() {
        for ((term, estimates, level), adjusted) in named.iter().zip(&adjusted) {
            rows.push(Row {
                topic: topic.topic,
                name: name(topic),
                term: term.clone(),
                estimate: estimates[place],
                adjusted: adjusted[place],
                level: *level,
            });
        }
    }
    rows
}

fn coefficients(args: &Arguments, answer: &Answer, topics: &[&Topic]) -> Vec<Row> {
    let of = |(number, term): (usize, &String)| {
        let all = 0..topics.len();
        let estimates = all.map(|topic| answer.regression.coefficient(topic, number)).collect();
        (term.clone(), estimates, answer.levels.get(number).copied())
    };
    let named: Vec<_> = answer.regression.names.iter().enumerate().map(of).collect();
    rows(args, topics, &named)
}

fn predicted(args: &Arguments, answer: &Answer, topics: &[&Topic]) -> Vec<Row> {
    let of = |one: &Predicted| (one.name.clone(), one.estimates.clone(), None);
    let named: Vec<_> = answer.predicted.iter().map(of).collect();
    rows(args, topics, &named)
}

fn tests(args: &Arguments, answer: &Answer, topics: &[&Topic]) -> Vec<TestRow> {
    let p = |term: &TermTest| {
        adjusted(args, &term.tests.iter().map(|test| Some(test.as_ref()?.p)).collect::<Vec<_>>())
    };
    let adjusted: Vec<Vec<Option<f64>>> = answer.tests.iter().map(p).collect();
    let mut rows = Vec::new();
    for (place, topic) in topics.iter().enumerate() {
        for (term, adjusted) in answer.tests.iter().zip(&adjusted) {
            rows.push(TestRow {
                topic: topic.topic,
                name: name(topic),
                term: term.term.clone(),
                test: term.tests[place],
                adjusted: adjusted[place],
            });
        }
    }
    rows
}

/// A LaTeX table for the package `booktabs`: a column per topic, standard errors in brackets below.
fn latex(answer: &Answer, topics: &[&Topic]) -> String {
    let cells = |cell: &dyn Fn(&Topic) -> String| {
        topics.iter().map(|topic| format!(" & {}", cell(topic))).collect::<String>()
    };
    let mut table = format!("\\begin{{tabular}}{{l{}}}\n\\toprule\n", "r".repeat(topics.len()));
    let _ = writeln!(table, "{} \\\\\n\\midrule", cells(&|topic| escaped(&name(topic))));
    for (number, term) in answer.regression.names.iter().enumerate() {
        let place = |topic: &Topic| answer.place(topic.topic).unwrap_or_default();
        let of = |topic: &Topic| answer.regression.coefficient(place(topic), number);
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
    let documents = answer.regression.documents;
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
