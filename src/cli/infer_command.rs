//! `infer`.

use std::path::Path;

use serde_json::{Value, json};

use super::arguments::Printing;
use super::output::{OutputFormat, Table, counted, four_digits, print_json, say, thousands};
use super::source_arguments::SourceArgs;
use super::topics_command::finished_topics;
use topoi::ingest::reading::read_documents;
use topoi::ingest::{IngestRequest, OnError};
use topoi::run::saved::infer::{Inference, Inferred};
use topoi::store::{Access, Store};

/// Arguments of `infer`.
#[derive(Debug, clap::Args)]
pub struct InferArgs {
    /// The run's number, as `topoi runs` lists it
    run: i64,
    /// Where the documents are.
    #[command(flatten)]
    source: SourceArgs,
    /// Pass over documents that cannot be read
    #[arg(long)]
    skip_errors: bool,
    /// Topics of a document to show [default: 5; as JSON and CSV all]
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    #[command(flatten)]
    printing: Printing,
}

impl InferArgs {
    fn request(&self, corpus: &str) -> IngestRequest {
        let on_error = if self.skip_errors { OnError::Skip } else { OnError::Stop };
        IngestRequest { on_error, ..self.source.request(corpus) }
    }
}

/// A document, and what it is about.
struct Line {
    key: String,
    title: Option<String>,
    found: Inferred,
}

/// Prints the topics of documents by a run's B and α; says on standard error how many words the
/// run does not know.
///
/// # Errors
/// When the run has no topics or did not look at its documents, or a source cannot be read.
pub fn infer(path: &Path, args: &InferArgs) -> anyhow::Result<()> {
    let store = Store::open(path, Access::Read)?;
    let run = store.run(args.run)?;
    let topics = finished_topics(&store, args.run, 1)?;
    let inference = Inference::of_run(&store, &run)?;
    let settings = store.corpus(&run.corpus)?.settings;
    let mut lines = Vec::new();
    let mut visit = |document: topoi::ingest::reading::ReadDocument| {
        let terms = document.terms.iter().map(|(term, count)| (term.as_str(), u64::from(*count)));
        let mut found = inference.infer(terms);
        let most = args.top.unwrap_or(match args.printing.output {
            OutputFormat::Table => 5,
            _ => usize::MAX,
        });
        found.topics.truncate(most);
        lines.push(Line { key: document.key, title: document.title, found });
    };
    read_documents(&args.request(&run.corpus), &settings, &mut visit)?;
    let names: Vec<String> = topics
        .into_iter()
        .map(|topic| {
            let first = topic.words.first().map(|word| word.word.clone());
            topic.label.or(topic.anchor).or(first).unwrap_or_default()
        })
        .collect();
    print_lines(&lines, &names, args.printing.output)?;
    let sum =
        |count: fn(&Inferred) -> u64| lines.iter().map(|line| count(&line.found)).sum::<u64>();
    let (known, unknown) = (sum(|found| found.tokens), sum(|found| found.unknown));
    say(&format!(
        "{}, {} in the vocabulary of run {}, {} not",
        counted(lines.len() as u64, "document"),
        counted(known, "token"),
        args.run,
        thousands(unknown as i64)
    ));
    Ok(())
}

fn print_lines(lines: &[Line], names: &[String], format: OutputFormat) -> anyhow::Result<()> {
    match format {
        OutputFormat::Json => {
            let all: Vec<Value> = lines.iter().map(|line| as_json(line, names)).collect();
            Ok(print_json(&Value::Array(all))?)
        }
        OutputFormat::Csv => {
            let mut table = Table::new(&["key", "topic", "name", "proportion"]);
            for line in lines {
                table.rows.extend(line.found.topics.iter().map(|&(topic, share)| {
                    vec![json!(line.key), json!(topic), json!(names[topic as usize]), json!(share)]
                }));
            }
            Ok(table.print(format)?)
        }
        OutputFormat::Table => {
            let mut table = Table::new(&["key", "tokens", "unknown", "topics"]);
            table.rows = lines.iter().map(|line| as_row(line, names)).collect();
            Ok(table.print(format)?)
        }
    }
}

fn as_row(line: &Line, names: &[String]) -> Vec<Value> {
    let topic = |&(topic, share): &(u64, f64)| {
        format!("{topic} {} {}", names[topic as usize], four_digits(share))
    };
    let topics: Vec<String> = line.found.topics.iter().map(topic).collect();
    let Inferred { tokens, unknown, .. } = line.found;
    vec![json!(line.key), json!(tokens), json!(unknown), json!(topics.join(", "))]
}

fn as_json(line: &Line, names: &[String]) -> Value {
    let topic = |&(topic, share): &(u64, f64)| json!({ "topic": topic, "name": names[topic as usize], "proportion": share });
    json!({
        "key": line.key,
        "title": line.title,
        "tokens": line.found.tokens,
        "unknown_tokens": line.found.unknown,
        "topics": line.found.topics.iter().map(topic).collect::<Vec<_>>(),
    })
}
