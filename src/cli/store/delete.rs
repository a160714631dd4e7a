//! `delete`.

use crate::shown::{Shown, shown};
use std::io::{BufRead, IsTerminal};

use serde::Serialize;

use crate::cli::arguments::Printing;
use crate::cli::output::{OutputFormat, ask, print, print_list, print_outcome};
use crate::cli::store_path::StorePath;
use crate::records::column::columns;
use crate::records::numbers::thousands;
use topoi::run::life::delete::{delete_corpus, delete_run, runs_of};
use topoi::store::corpus::Corpus;
use topoi::store::corpus::delete::Selection;
use topoi::store::run::Run;
use topoi::store::{Access, Store};

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
    /// Delete without asking
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    printing: Printing,
}

/// A part of a corpus that can be deleted.
#[derive(Debug, clap::Subcommand)]
enum Part {
    /// Documents of a corpus: their texts, triples and share of every count
    Documents(DocumentsArgs),
}

#[derive(Serialize)]
struct DeletedRun {
    run: i64,
}

/// A corpus that is deleted, and how many documents and runs it had.
#[derive(Serialize)]
struct DeletedCorpus {
    corpus: String,
    documents: u64,
    runs: usize,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// A run
    Run,
    /// A corpus and its runs
    Corpus,
}

/// Deletes documents, a run or a corpus; the latter two after asking where nobody has said yes.
pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    if let Some(Part::Documents(documents)) = &args.part {
        return delete_documents(path, documents);
    }
    let store = path.open(Access::Write)?;
    match target(&store, args)? {
        Target::Run(run) => {
            let (id, k) = (run.id, run.k);
            let what = format!("run {id} ({}, {}, {k} topics)", run.corpus, run.model);
            agree(&what, args.yes)?;
            delete_run(&store, &run)?;
            let deleted = DeletedRun { run: id };
            let (text, columns) = (format!("run {id} is deleted\n"), columns!(DeletedRun: run));
            Ok(print_outcome(&deleted, &columns, &Shown::text(&text), args.printing.format())?)
        }
        Target::Corpus(corpus) => {
            let runs = runs_of(&store, &corpus)?.len();
            let documents = thousands(corpus.documents.cast_signed());
            let name = &corpus.name;
            agree(&format!("corpus {name} ({documents} documents, {runs} runs)"), args.yes)?;
            delete_corpus(&store, &corpus)?;
            let text = format!("corpus {name} is deleted, and its {runs} runs\n");
            let columns = columns!(DeletedCorpus: corpus, documents, runs);
            let documents = corpus.documents;
            let deleted = DeletedCorpus { corpus: corpus.name, documents, runs };
            Ok(print_outcome(&deleted, &columns, &Shown::text(&text), args.printing.format())?)
        }
    }
}

enum Target {
    Run(Box<Run>),
    Corpus(Box<Corpus>),
}

/// A number is a run, anything else a corpus; a corpus that is called like a run's number has to
/// be asked for by its kind.
fn target(store: &Store, args: &Arguments) -> anyhow::Result<Target> {
    let name = args.target.as_deref().unwrap_or_default();
    let run = name.parse::<i64>().ok();
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

/// Goes on when the user agrees to what is deleted.
fn agree(what: &str, is_agreed: bool) -> anyhow::Result<()> {
    if is_agreed {
        return Ok(());
    }
    let input = std::io::stdin();
    anyhow::ensure!(
        input.is_terminal() && std::io::stderr().is_terminal(),
        "cannot ask whether to delete {what} for good: this is no terminal; give --yes to delete it"
    );
    ask(&shown!("delete {what} for good? [y/N]"))?;
    let mut answer = String::new();
    input.lock().read_line(&mut answer)?;
    let yes = matches!(answer.trim(), "y" | "Y" | "yes");
    anyhow::ensure!(yes, "nothing is deleted");
    Ok(())
}

#[derive(Debug, clap::Args)]
#[group(id = "which", required = true, multiple = false, args = ["key", "condition"])]
pub struct DocumentsArgs {
    /// The corpus
    corpus: String,
    /// The documents with these keys
    #[arg(long, value_name = "KEY", num_args = 1..)]
    key: Vec<String>,
    /// The documents of which this SQL is true, such as "fields->>'year' < 1990"; the columns are
    /// those of `document` in schema/README.md
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
    /// Only say how many there are
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    printing: Printing,
}

/// The documents that were deleted, or would be; their tokens and nonzeros are counted as they go.
struct DeletedDocuments {
    documents: u64,
    tokens: Option<u64>,
    nonzeros: Option<u64>,
    documents_left: u64,
}

/// Deletes documents and prints how much that was.
///
/// # Errors
/// When a key is not there, the SQL is wrong, or the store cannot be written.
pub fn delete_documents(path: &StorePath, args: &DocumentsArgs) -> anyhow::Result<()> {
    let mut store = path.open(if args.dry_run { Access::Read } else { Access::Write })?;
    // The user's SQL gets a connection that cannot write.
    let reader = path.open(Access::Read)?;
    let corpus = store.corpus(&args.corpus)?;
    let selection = match &args.condition {
        Some(condition) => Selection::Where(condition),
        None => Selection::Keys(&args.key),
    };
    let ids = reader.select_documents(&args.corpus, selection)?;
    let format = args.printing.format();
    let columns = columns!(DeletedDocuments: documents, tokens, nonzeros, documents_left);
    if args.dry_run {
        let documents = ids.len() as u64;
        if format == OutputFormat::Table {
            let number = thousands(documents as i64);
            return Ok(print(&shown!("{number} documents would be deleted; nothing was\n"))?);
        }
        let documents_left = corpus.documents;
        let found = DeletedDocuments { documents, tokens: None, nonzeros: None, documents_left };
        return Ok(print_list(&columns, &[found], format)?);
    }
    let deleted = store.delete_documents(corpus.id, &ids)?;
    let corpus = store.corpus_by_id(corpus.id)?;
    if format == OutputFormat::Table {
        return Ok(print(&shown!(
            "{} documents, {} tokens deleted\n{}: {} documents, {} tokens, {} nonzeros now\n",
            thousands(deleted.documents as i64),
            thousands(deleted.tokens as i64),
            corpus.name,
            thousands(corpus.documents as i64),
            thousands(corpus.tokens as i64),
            thousands(corpus.nonzeros as i64),
        ))?);
    }
    let deleted = DeletedDocuments {
        documents: deleted.documents,
        tokens: Some(deleted.tokens),
        nonzeros: Some(deleted.nonzeros),
        documents_left: corpus.documents,
    };
    Ok(print_list(&columns, &[deleted], format)?)
}
