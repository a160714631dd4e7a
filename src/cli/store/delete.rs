//! `delete`.

use crate::shown::{Shown, shown};
use std::io::{BufRead, IsTerminal};
use topoi_store::id::{DocumentId, RunId};

use serde::Serialize;

use crate::cli::arguments::Printing;
use crate::cli::output::{OutputFormat, ask, print, print_list, print_outcome, say};
use crate::cli::store_path::StorePath;
use crate::records::column::columns;
use topoi_core::numbers::{counted, thousands};
use topoi_run::life;
use topoi_run::life::delete::{delete_corpus, delete_run};
use topoi_store::corpus::Corpus;
use topoi_store::corpus::delete::{CorpusContents, RunContents, Selection};
use topoi_store::run::Run;
use topoi_store::{Access, Store};

/// Delete a run, a corpus with its runs, or documents
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Arguments {
    #[command(subcommand)]
    part: Option<Part>,
    /// The run's number or the corpus's name
    #[arg(value_name = "RUN|CORPUS", required = true)]
    target: Option<String>,
    /// Which of the two it is, for a corpus whose name is a number
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    printing: Printing,
}

/// A part of a corpus that can be deleted.
#[derive(Debug, clap::Subcommand)]
enum Part {
    /// Documents of a corpus: their texts, triples and share of every count
    Documents(DocumentsArgs),
}

/// The outcome for a run: what is, or would be, deleted.
#[derive(Serialize)]
struct DeletedRun {
    run: RunId,
    corpus: String,
    model: String,
    topics: u64,
    words: u64,
    judgements: u64,
}

/// The outcome for a corpus: what is, or would be, deleted.
#[derive(Serialize)]
struct DeletedCorpus {
    corpus: String,
    documents: u64,
    tokens: u64,
    terms: u64,
    vocabularies: u64,
    runs: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// A run with its topics and metrics
    Run,
    /// A corpus and its runs
    Corpus,
}

/// Deletes documents, a run or a corpus, after counting and confirmation.
pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    if let Some(Part::Documents(documents)) = &args.part {
        return delete_documents(path, documents);
    }
    let mut store = path.open(args.consent.access())?;
    let output = args.printing.format();
    match target(&store, args)? {
        Target::Run(run) => {
            let RunContents { topics, words, judgements } = store.count_run_contents(run.id)?;
            let Run { id, corpus, model, .. } = &*run;
            // Topics can be computed again; human judgements cannot.
            let said = (judgements > 0).then_some((judgements, "judgement"));
            let counts: Vec<_> =
                [(topics, "topic"), (words, "word")].into_iter().chain(said).collect();
            let counts = all_counted(&counts);
            let what = format!("run {id} ({corpus}, {model}: {counts})");
            let text = if args.consent.agree(&what)? {
                delete_run(&store, &run)?;
                format!("run {id} is deleted\n")
            } else {
                would(&what)
            };
            let (corpus, model) = (corpus.clone(), model.to_string());
            let deleted = DeletedRun { run: *id, corpus, model, topics, words, judgements };
            let columns = columns!(DeletedRun: run, corpus, model, topics, words, judgements);
            Ok(print_outcome(&deleted, &columns, &Shown::text(&text), output)?)
        }
        Target::Corpus(corpus) => {
            let CorpusContents { vocabularies, runs } = store.count_corpus_contents(corpus.id)?;
            let Corpus { name, documents, tokens, terms, .. } = &*corpus;
            let counts = all_counted(&[
                (*documents, "document"),
                (*tokens, "token"),
                (*terms, "term"),
                (vocabularies, "vocabulary"),
                (runs, "run"),
            ]);
            let what = format!("corpus {name} ({counts})");
            let text = if args.consent.agree(&what)? {
                delete_corpus(&mut store, &corpus)?;
                format!("corpus {name} is deleted, and its {}\n", all_counted(&[(runs, "run")]))
            } else {
                would(&what)
            };
            let columns =
                columns!(DeletedCorpus: corpus, documents, tokens, terms, vocabularies, runs);
            let Corpus { name: corpus, documents, tokens, terms, .. } = *corpus;
            let deleted = DeletedCorpus { corpus, documents, tokens, terms, vocabularies, runs };
            Ok(print_outcome(&deleted, &columns, &Shown::text(&text), output)?)
        }
    }
}

/// Counts for people, such as "1,200 documents, 1 run".
fn all_counted(counts: &[(u64, &str)]) -> String {
    let each = counts.iter().map(|&(count, name)| counted(count, name));
    each.collect::<Vec<_>>().join(", ")
}

fn would(what: &str) -> String {
    format!("would delete {what}; nothing was deleted\n")
}

enum Target {
    Run(Box<Run>),
    Corpus(Box<Corpus>),
}

/// A number is a run, anything else a corpus. `--kind` selects a corpus whose name is a number.
fn target(store: &Store, args: &Arguments) -> anyhow::Result<Target> {
    let name = args.target.as_deref().unwrap_or_default();
    let run = name.parse::<RunId>().ok();
    let corpus = || Ok(Target::Corpus(Box::new(store.corpus(name)?)));
    match (args.kind, run) {
        (Some(Kind::Corpus), _) | (None, None) => corpus(),
        (Some(Kind::Run), None) => {
            anyhow::bail!("{name:?} is not the number of a run; `topoi runs` lists them")
        }
        (Some(Kind::Run), Some(run)) => Ok(Target::Run(Box::new(store.run(run)?))),
        (None, Some(run)) => match (store.run(run), store.find_corpus(name)?) {
            (Ok(_), Some(_)) => anyhow::bail!(
                "{name} is a run and a corpus; say which with --kind run or --kind corpus"
            ),
            (Err(_), Some(_)) => corpus(),
            (run, None) => Ok(Target::Run(Box::new(run?))),
        },
    }
}

/// What the user says beforehand about deleting.
#[derive(Debug, clap::Args)]
struct Consent {
    /// Delete without asking
    #[arg(long, conflicts_with = "dry_run")]
    yes: bool,
    /// Only count what would go
    #[arg(long)]
    dry_run: bool,
}

fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

impl Consent {
    fn access(&self) -> Access {
        if self.dry_run { Access::Read } else { Access::Write }
    }

    /// Asks whether to delete `what`, unless the answer is known; false on a dry run.
    fn agree(&self, what: &str) -> anyhow::Result<bool> {
        if self.yes || self.dry_run {
            return Ok(self.yes);
        }
        let input = std::io::stdin();
        anyhow::ensure!(
            can_ask(),
            "cannot ask whether to delete {what} for good: this is no terminal; give --yes to \
             delete it"
        );
        say(&Shown::line(&format!("this deletes {what}")));
        ask(&shown!("delete for good? [y/N]"))?;
        let mut answer = String::new();
        input.lock().read_line(&mut answer)?;
        let yes = matches!(answer.trim(), "y" | "Y" | "yes");
        anyhow::ensure!(yes, "nothing is deleted");
        Ok(true)
    }
}

#[derive(Debug, clap::Args)]
#[group(id = "which", required = true, multiple = false, args = ["key", "condition"])]
pub struct DocumentsArgs {
    /// Name of the corpus
    corpus: String,
    /// The documents with these keys
    #[arg(long, value_name = "KEY", num_args = 1..)]
    key: Vec<String>,
    /// The documents of which this SQL is true, such as "fields->>'year' < 1990"; the columns are
    /// those of `document` in schema/README.md
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    printing: Printing,
}

/// The outcome for documents: what is, or would be, deleted. Nonzeros are counted during the deletion.
struct DeletedDocuments {
    documents: u64,
    tokens: u64,
    nonzeros: Option<u64>,
    documents_left: u64,
}

/// Deletes documents, after counting and confirmation, and prints the counts.
///
fn delete_documents(path: &StorePath, args: &DocumentsArgs) -> anyhow::Result<()> {
    let mut store = path.open(args.consent.access())?;
    // The user's SQL runs on a connection that cannot write.
    let reader = path.open(Access::Read)?;
    let corpus = store.corpus(&args.corpus)?;
    let selection = match &args.condition {
        Some(condition) => Selection::Where(condition),
        None => Selection::Keys(&args.key),
    };
    let ids = reader.select_documents(&args.corpus, selection)?;
    let (documents, tokens) = (ids.len() as u64, reader.tokens_of(corpus.id, &ids)?);
    let counts = all_counted(&[(documents, "document"), (tokens, "token")]);
    let all = thousands(corpus.documents);
    let what = format!("{counts} of the {all} documents of corpus {}", corpus.name);
    if !ids.is_empty() && (args.consent.dry_run || (!args.consent.yes && can_ask())) {
        say(&Shown::text(&first_of(&reader, &ids)?));
    }
    // An empty deletion needs no confirmation.
    let goes = (ids.is_empty() && !args.consent.dry_run) || args.consent.agree(&what)?;
    if !goes {
        let documents_left = corpus.documents.saturating_sub(documents);
        let found = DeletedDocuments { documents, tokens, nonzeros: None, documents_left };
        return print_documents(&found, &would(&what), args);
    }
    let deleted = life::delete::delete_documents(&mut store, &corpus, &ids)?;
    let corpus = store.corpus_by_id(corpus.id)?;
    let text = format!(
        "{} deleted\n{}: {} now\n",
        all_counted(&[(deleted.documents, "document"), (deleted.tokens, "token")]),
        corpus.name,
        all_counted(&[
            (corpus.documents, "document"),
            (corpus.tokens, "token"),
            (corpus.nonzeros, "nonzero"),
        ]),
    );
    let deleted = DeletedDocuments {
        documents: deleted.documents,
        tokens: deleted.tokens,
        nonzeros: Some(deleted.nonzeros),
        documents_left: corpus.documents,
    };
    print_documents(&deleted, &text, args)
}

/// Number of documents shown before they are deleted.
const SHOWN: usize = 10;

/// The first of the documents to be deleted, a line each.
fn first_of(store: &Store, ids: &[DocumentId]) -> anyhow::Result<String> {
    let mut lines = Vec::new();
    for &id in ids.iter().take(SHOWN) {
        if let Some(document) = store.document(id)? {
            let title = document.title.map(|title| format!(": {title}")).unwrap_or_default();
            lines.push(format!("  {}{title}", document.key));
        }
    }
    match ids.len().saturating_sub(SHOWN) {
        0 => {}
        more => lines.push(format!("  and {} more", thousands(more as u64))),
    }
    Ok(lines.join("\n"))
}

fn print_documents(
    found: &DeletedDocuments,
    text: &str,
    args: &DocumentsArgs,
) -> anyhow::Result<()> {
    let columns = columns!(DeletedDocuments: documents, tokens, nonzeros, documents_left);
    match args.printing.format() {
        OutputFormat::Table => Ok(print(&Shown::text(text))?),
        format => Ok(print_list(&columns, std::slice::from_ref(found), format)?),
    }
}
