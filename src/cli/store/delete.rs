//! `delete`.

use serde::Serialize;

use super::consent::{Consent, all_counted, would};
use super::{delete_documents, delete_results, delete_runs};
use crate::cli::output::print_outcome;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use crate::shown::TerminalText;
use topoi_run::life::delete::delete_corpus;
use topoi_run::life::retention::Retention;
use topoi_store::Store;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::delete::CorpusContents;
use topoi_store::id::RunId;
use topoi_store::run::Run;

/// Delete runs, a corpus with its runs, documents, or kept results
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Arguments {
    #[command(subcommand)]
    part: Option<Part>,
    /// Numbers of runs, ranges of them such as 3..7, or the name of a corpus
    #[arg(value_name = "RUN|CORPUS", required = true, num_args = 1..)]
    targets: Vec<String>,
    /// Which of the two it is, for a corpus whose name is a number
    #[arg(long, value_enum, conflicts_with = "keep_last")]
    kind: Option<Kind>,
    /// Of the corpus, all finished runs but its N newest; or 7,4w,12m: but the seven newest and the newest of each of
    /// the last four weeks and twelve months
    #[arg(long, value_name = "KEEP")]
    keep_last: Option<Retention>,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    printing: Printing,
}

/// A part of a corpus that can be deleted.
#[derive(Debug, clap::Subcommand)]
enum Part {
    /// Documents of a corpus: their texts, triples and share of every count
    Documents(delete_documents::DocumentsArgs),
    /// Results that --save kept
    Results(delete_results::ResultsArgs),
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
    notes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// A run with its topics and metrics
    Run,
    /// A corpus and its runs
    Corpus,
}

/// Deletes documents, runs or a corpus, after counting and confirmation.
pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    match &args.part {
        Some(Part::Documents(of)) => return delete_documents::run(of, path),
        Some(Part::Results(of)) => return delete_results::run(of, path),
        None => {}
    }
    let mut store = path.open(args.consent.access())?;
    let target = target(&store, args)?;
    match target {
        Target::Runs { runs, is_list } => {
            delete_runs::delete(&mut store, &runs, &args.consent, args.printing, is_list)
        }
        Target::Corpus(corpus) => delete_whole(&mut store, *corpus, args),
    }
}

fn delete_whole(store: &mut Store, corpus: Corpus, args: &Arguments) -> anyhow::Result<()> {
    let CorpusContents { vocabularies, runs, notes } = store.count_corpus_contents(corpus.id)?;
    let Corpus { name, documents, tokens, terms, .. } = &corpus;
    let counts = [
        (*documents, "document"),
        (*tokens, "token"),
        (*terms, "term"),
        (vocabularies, "vocabulary"),
        (runs, "run"),
    ];
    // Notes cannot be made again by anybody else.
    let noted = (notes > 0).then_some((notes, "note"));
    let counts = all_counted(&counts.into_iter().chain(noted).collect::<Vec<_>>());
    let what = format!("corpus {name} ({counts})");
    let text = if args.consent.agree(&what)? {
        delete_corpus(store, &corpus)?;
        format!("corpus {name} is deleted, and its {}\n", all_counted(&[(runs, "run")]))
    } else {
        would(&what)
    };
    let columns =
        columns!(DeletedCorpus: corpus, documents, tokens, terms, vocabularies, runs, notes);
    let Corpus { name: corpus, documents, tokens, terms, .. } = corpus;
    let deleted = DeletedCorpus { corpus, documents, tokens, terms, vocabularies, runs, notes };
    Ok(print_outcome(&deleted, &columns, &TerminalText::text(&text), args.printing.format())?)
}

enum Target {
    Runs {
        runs: Vec<Run>,
        /// Whether the outcome is a list: not where one number was named.
        is_list: bool,
    },
    Corpus(Box<Corpus>),
}

/// Numbers and ranges are runs, anything else is a corpus. `--kind` selects a corpus whose name is a number.
fn target(store: &Store, args: &Arguments) -> anyhow::Result<Target> {
    let targets = &args.targets;
    if let Some(kept) = &args.keep_last {
        let corpus = store.corpus(delete_runs::corpus_of(targets)?)?;
        let runs = delete_runs::all_but(store, &corpus, kept)?;
        return Ok(Target::Runs { runs, is_list: true });
    }
    let runs = || {
        let is_list =
            targets.len() > 1 || targets.iter().any(|it| delete_runs::range(it).is_some());
        Ok(Target::Runs { runs: delete_runs::named(store, targets)?, is_list })
    };
    let [name] = &targets[..] else { return runs() };
    let corpus = || Ok(Target::Corpus(Box::new(store.corpus(name)?)));
    let run = name.parse::<RunId>().ok();
    match (args.kind, run) {
        (Some(Kind::Run), _) => runs(),
        (Some(Kind::Corpus), _) => corpus(),
        (None, None)
            if delete_runs::range(name).is_some() && store.find_corpus(name)?.is_none() =>
        {
            runs()
        }
        (None, None) => corpus(),
        (None, Some(run)) => match (store.run(run), store.find_corpus(name)?) {
            (Ok(_), Some(_)) => anyhow::bail!(
                "{name} is a run and a corpus; say which with --kind run or --kind corpus"
            ),
            (Err(_), Some(_)) => corpus(),
            (_, None) => runs(),
        },
    }
}
