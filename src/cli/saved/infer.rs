//! `infer`.

use crate::cli::output::print_list;
use crate::records::topics_elsewhere::{columns, names, rows};
use crate::shown::shown;
use serde::Serialize;
use std::ops::ControlFlow;
use topoi_store::id::{RunId, TopicNumber};

use super::topics::finished_topics;
use crate::cli::in_parts::{PartsArgs, in_parts};
use crate::cli::messages::say;
use crate::cli::output::OutputFormat;
use crate::cli::rows::RowPrinter;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::arguments::{OnErrorArg, SourceArgs};
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use topoi_core::numbers::{counted, four_digits, thousands};
use topoi_core::stream::parts::Parts;
use topoi_ingest::IngestRequest;
use topoi_ingest::reading::{ReadDocument, read_documents};
use topoi_mpi::question::{Answers, call_off, follow, lead};
use topoi_run::saved::infer::{CorpusInference, Inference, infer_corpus, infer_in_parts};
use topoi_store::result::topic::Topic;
use topoi_store::run::Run;
use topoi_store::{Access, Store};

/// Say what new documents are about, by the topics of a run
#[derive(Debug, clap::Args)]
#[command(mut_arg("paths", |paths| paths.required(false).required_unless_present("corpus")))]
#[command(mut_arg("parts", |parts| parts.requires("corpus").conflicts_with("paths")))]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    #[command(flatten)]
    source: SourceArgs,
    /// What to do with a document that cannot be read
    #[arg(long, value_enum, default_value_t)]
    on_error: OnErrorArg,
    /// The topics' shares in this corpus of the store, beside those in the run's own
    #[arg(long, value_name = "NAME", conflicts_with_all = ["paths", "top", "on_error"])]
    corpus: Option<String>,
    /// Topics of a document to print, the largest first [default: all; as a table 5]; a table leaves out
    /// those below a hundredth
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    #[command(flatten)]
    place: PartsArgs,
    #[command(flatten)]
    printing: Printing,
}

impl Arguments {
    fn request(&self, corpus: &str) -> IngestRequest {
        IngestRequest { on_error: self.on_error.into(), ..self.source.request(corpus) }
    }
}

/// A document with its topics.
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
    topic: TopicNumber,
    name: String,
    proportion: f64,
}

/// Number of example words outside the vocabulary, shown if most tokens are outside.
const EXAMPLES: usize = 3;

/// Prints the topics of documents from a run's B and α, each document as it is read; reports on standard error how
/// many words the run does not have.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    if let (Some(pattern), Some(other)) = (&args.place.parts, &args.corpus) {
        return in_parts(&args.place, |parts| {
            in_corpus_of_parts(args, store, other, pattern, parts)
        });
    }
    let store = store.open(Access::Read)?;
    let run = store.run(args.run)?;
    let topics = finished_topics(&store, args.run, 1)?;
    let inference = Inference::from_run(&store, &run)?;
    if let Some(other) = &args.corpus {
        let corpus = store.corpus(other)?;
        store.require_documents(&corpus)?;
        let found = infer_corpus(&store, &inference, &run, &corpus, 1)?;
        return print_in_corpus(args, &store, &run, other, found);
    }
    let names: Vec<String> = topics.into_iter().map(name).collect();
    let mut printer = Printer::new(args.printing.format(), args.top);
    let mut printed = Ok(true);
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
            name: names[topic.index()].clone(),
            proportion,
        };
        printed = printer.document(InferredDocument {
            key: document.key,
            title: document.title,
            tokens: found.tokens,
            unknown_tokens: found.unknown,
            topics: found.topics.into_iter().map(topic).collect(),
        });
        if matches!(printed, Ok(true)) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let read = read_documents(Some(&store), &args.request(&run.corpus), &mut visit);
    if !printed? {
        return Ok(());
    }
    let Printer { rows, documents, without, tokens, unknown_tokens, waiting, .. } = printer;
    let outcome = read.map_err(anyhow::Error::from).and_then(|skipped| {
        if skipped > 0 {
            say(&shown!("{} skipped: they could not be read", counted(skipped, "document")));
        }
        anyhow::ensure!(
            documents == 0 || without < documents,
            "no document has a word of the vocabulary of run {}, so nothing is known of any; they may be \
             in another language, or of words that a tokenizer cuts otherwise: topoi terms {} lists the \
             corpus's",
            args.run,
            run.corpus
        );
        Ok(())
    });
    if outcome.is_err() && waiting.is_empty() {
        rows.cut_off()?;
        return outcome;
    }
    outcome?;
    rows.end()?;
    say(&shown!(
        "{}, {} in the vocabulary of run {}, {} not",
        counted(documents, "document"),
        counted(tokens, "token"),
        args.run,
        thousands(unknown_tokens)
    ));
    if unknown_tokens > tokens {
        say(&shown!(
            "warning: {:.0}% of the tokens are words that run {} does not have, such as {}; give texts of its \
             language, cut as those of corpus {} are",
            100.0 * unknown_tokens as f64 / (tokens + unknown_tokens) as f64,
            args.run,
            examples.join(", "),
            run.corpus
        ));
    }
    if without > 0 {
        let documents = counted(without, "document");
        say(&shown!(
            "{documents} without a word of the vocabulary: the proportions printed there are those of no \
             document, the mean before any is read"
        ));
    }
    Ok(())
}

/// How parts answer a question about a corpus of this name.
const IN_PARTS: Answers<String, CorpusInference> =
    |store, run, corpus, parts| infer_in_parts(store, run, corpus, parts);

/// Works as one of the processes that `mpirun` starts; part 0 prints.
fn in_corpus_of_parts(
    args: &Arguments,
    path: &StorePath,
    other: &str,
    pattern: &str,
    parts: &dyn Parts,
) -> anyhow::Result<()> {
    if parts.number() > 0 {
        // Part 0 reports the same error for all parts.
        let _ = follow(parts, IN_PARTS);
        return Ok(());
    }
    let open = || {
        let store = path.open(Access::Read)?;
        finished_topics(&store, args.run, 1)?;
        Ok((store.run(args.run)?, store))
    };
    let opened: anyhow::Result<(Run, Store)> = open();
    let (run, store) = opened.inspect_err(|_| call_off(parts))?;
    let found = lead((&store, &run), &other.to_string(), pattern, parts, IN_PARTS)?;
    print_in_corpus(args, &store, &run, other, found)
}

/// Prints the topics' shares in another corpus.
fn print_in_corpus(
    args: &Arguments,
    store: &Store,
    run: &Run,
    corpus: &str,
    found: CorpusInference,
) -> anyhow::Result<()> {
    anyhow::ensure!(
        found.documents.0 > 0,
        "no document of {corpus} has a word of the vocabulary of run {}, so nothing is known of any",
        run.id
    );
    let rows = rows(run.id, found.topics, &names(store, run.id)?);
    print_list(&columns(), &rows, args.printing.format())?;
    let (with, without) = found.documents;
    say(&shown!(
        "here is {}, there {}: {}, {} without a word of the run's vocabulary; {} of its tokens are in it, {} not",
        run.corpus,
        corpus,
        counted(with, "document"),
        thousands(without),
        thousands(found.tokens.0),
        thousands(found.tokens.1)
    ));
    say(&shown!("shares are posterior means, which few words draw towards those of the run"));
    Ok(())
}

/// Prints documents one by one and counts them.
struct Printer {
    rows: RowPrinter,
    format: OutputFormat,
    /// Maximum number of topics per document.
    most: usize,
    documents: u64,
    /// Documents without a word of the vocabulary.
    without: u64,
    tokens: u64,
    unknown_tokens: u64,
    /// The documents before the first with a word of the vocabulary; without one, nothing is printed.
    waiting: Vec<InferredDocument>,
}

/// Maximum number of documents in `waiting`.
const MOST_WAITING: usize = 1000;
/// Topics of a document that a table shows by default.
const SHOWN: usize = 5;
/// Minimum share of a topic in a table.
const LEAST_SHOWN: f64 = 0.01;

impl Printer {
    fn new(format: OutputFormat, top: Option<usize>) -> Self {
        let columns: &[&str] = match format {
            OutputFormat::Table => &["key", "tokens", "unknown", "topics"],
            _ => &["key", "topic", "name", "proportion"],
        };
        let columns = columns.iter().map(ToString::to_string).collect();
        let usual = if format == OutputFormat::Table { SHOWN } else { usize::MAX };
        Self {
            rows: RowPrinter::new(columns, format),
            format,
            most: top.unwrap_or(usual),
            documents: 0,
            without: 0,
            tokens: 0,
            unknown_tokens: 0,
            waiting: Vec::new(),
        }
    }

    /// Prints or holds back a document; false if the reader is gone.
    fn document(&mut self, mut document: InferredDocument) -> std::io::Result<bool> {
        document.topics.truncate(self.most);
        self.documents += 1;
        self.without += u64::from(document.tokens == 0);
        self.tokens += document.tokens;
        self.unknown_tokens += document.unknown_tokens;
        self.waiting.push(document);
        if self.without == self.documents && self.waiting.len() < MOST_WAITING {
            return Ok(true);
        }
        for document in std::mem::take(&mut self.waiting) {
            if !self.print(document)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn print(&mut self, document: InferredDocument) -> std::io::Result<bool> {
        if self.format.is_json() {
            return self.rows.record(&document);
        }
        let InferredDocument { key, tokens, unknown_tokens, topics, .. } = document;
        if self.format == OutputFormat::Table {
            let cells =
                vec![key.into(), tokens.into(), unknown_tokens.into(), in_words(&topics).into()];
            return self.rows.row(cells);
        }
        for InferredTopic { topic, name, proportion } in topics {
            let cells = vec![key.as_str().into(), topic.0.into(), name.into(), proportion.into()];
            if !self.rows.row(cells)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The label of a topic, else its anchor, else its most probable word.
/// The label of a topic, else its anchor, else its most probable word.
fn name(topic: Topic) -> String {
    let first = topic.words.into_iter().next().map(|word| word.word);
    topic.label.or(topic.anchor).or(first).unwrap_or_default()
}

/// The topics with a share of at least 0.01.
fn in_words(topics: &[InferredTopic]) -> String {
    let word = |found: &InferredTopic| {
        format!("{} {} {}", found.topic, found.name, four_digits(found.proportion))
    };
    let large = topics.iter().filter(|found| found.proportion >= LEAST_SHOWN);
    large.map(word).collect::<Vec<_>>().join(", ")
}
