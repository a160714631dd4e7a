//! `delete`.

use std::io::{BufRead, IsTerminal};

use serde::Serialize;

use super::delete_documents::{DocumentsArgs, delete_documents};
use crate::cli::arguments::Printing;
use crate::cli::output::{ask, print_outcome};
use crate::cli::store_path::StorePath;
use crate::records::column::columns;
use crate::records::numbers::thousands;
use topoi::run::life::delete::{delete_corpus, delete_run, runs_of};
use topoi::store::corpus::Corpus;
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

/// What a target is.
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
            Ok(print_outcome(&deleted, &columns, &text, args.printing.output)?)
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
            Ok(print_outcome(&deleted, &columns, &text, args.printing.output)?)
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
        (Some(Kind::Run), None) => anyhow::bail!("{name:?} is not the number of a run"),
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
        "nobody can be asked whether {what} is to be deleted for good; give --yes to do it"
    );
    ask(&format!("delete {what} for good? [y/N]"))?;
    let mut answer = String::new();
    input.lock().read_line(&mut answer)?;
    let yes = matches!(answer.trim(), "y" | "Y" | "yes");
    anyhow::ensure!(yes, "nothing is deleted");
    Ok(())
}
