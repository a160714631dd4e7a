//! `infer`.

use crate::shown::shown;
use serde::Serialize;
use serde_json::json;

use super::topics::finished_topics;
use crate::cli::arguments::Printing;
use crate::cli::arguments::SourceArgs;
use crate::cli::output::{OutputFormat, print_json, print_list, say};
use crate::cli::store_path::StorePath;
use crate::records::column::{Column, Kind, columns};
use topoi::ingest::reading::{ReadDocument, read_documents};
use topoi::ingest::{IngestRequest, OnError};
use topoi::numbers::{counted, four_digits, thousands};
use topoi::run::saved::infer::Inference;
use topoi::store::Access;
use topoi::store::result::topic::Topic;

/// Say what new documents are about, by the topics of a run
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    run: i64,
    #[command(flatten)]
    source: SourceArgs,
    /// Skip documents that cannot be read
    #[arg(long)]
    skip_errors: bool,
    /// Topics of a document to show [default: 5; as JSON and CSV all]
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    #[command(flatten)]
    printing: Printing,
}

impl Arguments {
    fn request(&self, corpus: &str) -> IngestRequest {
        let on_error = if self.skip_errors { OnError::Skip } else { OnError::Stop };
        IngestRequest { on_error, ..self.source.request(corpus) }
    }
}

/// A document, and what it is about.
#[derive(Serialize)]
struct InferredDocument {
    key: String,
    title: Option<String>,
    tokens: u64,
    unknown_tokens: u64,
    topics: Vec<InferredTopic>,
}

#[derive(Serialize)]
struct InferredTopic {
    topic: u64,
    name: String,
    proportion: f64,
}

/// A topic of a document.
struct TopicRow<'a> {
    key: &'a str,
    topic: &'a InferredTopic,
}

/// Words that the run does not have, of which examples are given where most tokens are of such words.
const EXAMPLES: usize = 3;

/// Prints the topics of documents by a run's B and α; says on standard error how many words the
/// run does not know.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let run = store.run(args.run)?;
    let topics = finished_topics(&store, args.run, 1)?;
    let inference = Inference::of_run(&store, &run)?;
    let settings = store.corpus(&run.corpus)?.settings;
    let names: Vec<String> = topics.into_iter().map(name).collect();
    let most = args.top.unwrap_or(match args.printing.format() {
        OutputFormat::Table => 5,
        _ => usize::MAX,
    });
    let mut documents = Vec::new();
    let mut examples: Vec<String> = Vec::new();
    let mut visit = |document: ReadDocument| {
        for (term, _) in &document.terms {
            if examples.len() < EXAMPLES && !inference.knows(term) && !examples.contains(term) {
                examples.push(term.clone());
            }
        }
        let terms = document.terms.iter().map(|(term, count)| (term.as_str(), u64::from(*count)));
        let found = inference.infer(terms);
        let topic = |(topic, proportion)| InferredTopic {
            topic,
            name: names[topic as usize].clone(),
            proportion,
        };
        documents.push(InferredDocument {
            key: document.key,
            title: document.title,
            tokens: found.tokens,
            unknown_tokens: found.unknown,
            topics: found.topics.into_iter().take(most).map(topic).collect(),
        });
    };
    read_documents(&args.request(&run.corpus), &settings, &mut visit)?;
    let known: u64 = documents.iter().map(|document| document.tokens).sum();
    let unknown: u64 = documents.iter().map(|document| document.unknown_tokens).sum();
    let (all, without) =
        (documents.len(), documents.iter().filter(|found| found.tokens == 0).count());
    if all > 0 && without == all {
        let is_other =
            "they may be in another language, or of words that a tokenizer cuts otherwise";
        anyhow::bail!(
            "no document has a word of the vocabulary of run {}, so nothing is known of any; {is_other}: \
             topoi terms {} lists the corpus's",
            args.run,
            run.corpus
        );
    }
    print_documents(&documents, args.printing.format())?;
    say(&shown!(
        "{}, {} in the vocabulary of run {}, {} not",
        counted(documents.len() as u64, "document"),
        counted(known, "token"),
        args.run,
        thousands(unknown)
    ));
    if unknown > known {
        say(&shown!(
            "warning: {:.0}% of the tokens are words that run {} does not have, such as {}; give texts of its \
             language, cut as those of corpus {} are",
            100.0 * unknown as f64 / (known + unknown) as f64,
            args.run,
            examples.join(", "),
            run.corpus
        ));
    }
    if without > 0 {
        let documents = counted(without as u64, "document");
        say(&shown!(
            "{documents} without a word of the vocabulary: the proportions printed there are those of no \
             document, the mean before any is read"
        ));
    }
    Ok(())
}

/// What a user called a topic, else its anchor, else its most probable word.
fn name(topic: Topic) -> String {
    let first = topic.words.into_iter().next().map(|word| word.word);
    topic.label.or(topic.anchor).or(first).unwrap_or_default()
}

fn print_documents(documents: &[InferredDocument], format: OutputFormat) -> anyhow::Result<()> {
    match format {
        OutputFormat::Json => Ok(print_json(&documents)?),
        OutputFormat::Csv | OutputFormat::RawCsv => {
            let mut rows = Vec::new();
            for InferredDocument { key, topics, .. } in documents {
                rows.extend(topics.iter().map(|topic| TopicRow { key, topic }));
            }
            let columns = vec![
                Column::new("key", Kind::Text, |row: &TopicRow<'_>| json!(row.key)),
                Column::new("topic", Kind::Number, |row: &TopicRow<'_>| json!(row.topic.topic)),
                Column::new("name", Kind::Text, |row: &TopicRow<'_>| json!(row.topic.name)),
                Column::new("proportion", Kind::Share, |row: &TopicRow<'_>| {
                    json!(row.topic.proportion)
                }),
            ];
            Ok(print_list(&columns, &rows, format)?)
        }
        OutputFormat::Table => {
            let mut columns = columns!(InferredDocument: key, tokens, "unknown" = unknown_tokens);
            columns.push(Column::new("topics", Kind::Text, |row: &InferredDocument| {
                json!(in_words(&row.topics))
            }));
            Ok(print_list(&columns, documents, format)?)
        }
    }
}

fn in_words(topics: &[InferredTopic]) -> String {
    let word = |found: &InferredTopic| {
        format!("{} {} {}", found.topic, found.name, four_digits(found.proportion))
    };
    topics.iter().map(word).collect::<Vec<_>>().join(", ")
}
