//! `import`.

use std::path::PathBuf;
use std::process::ExitCode;

use strum::VariantArray;

use crate::cli::attend::attend;
use crate::cli::messages::say;
use crate::cli::typed::arguments::{Printing, named};
use crate::cli::typed::run_arguments::{CommonOptions, ScoringArgs};
use crate::cli::typed::store_path::StorePath;
use crate::shown::shown;
use topoi_core::numbers::thousands;
use topoi_run::request::Origin;
use topoi_run::request::document_topics::AssignedDocuments;
use topoi_run::request::imported::{Import, ImportFormat};
use topoi_store::Access;

/// Make a run of the topics that another program found, to browse and compare them here
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The file with the topics; of --from npy also the folder of an export
    file: PathBuf,
    /// The corpus they are of
    #[arg(long)]
    corpus: String,
    /// What the file looks like
    #[arg(long, value_parser = named(ImportFormat::VARIANTS, |it| it.name(), |it| it.help()))]
    from: ImportFormat,
    /// Of --from npy: the words of the array's columns, one a line or an array of JSON [default: words.json or words.txt
    /// beside it]
    #[arg(long, value_name = "FILE")]
    vocab: Option<PathBuf>,
    #[command(flatten)]
    scoring: ScoringArgs,
    #[command(flatten)]
    options: CommonOptions,
    /// Start the work and return at once
    #[arg(long)]
    detach: bool,
    #[command(flatten)]
    printing: Printing,
}

/// Makes a run of the topics in a file, with documents and metrics as for any run.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<ExitCode> {
    let store = store.open(Access::Write)?;
    let (import, k) = Import::from_file(&args.file, args.from, args.vocab.as_deref())?;
    if let Some(found) = AssignedDocuments::from_import(&store, &import, &args.corpus)? {
        say(&shown!(
            "{} of {} rows are documents of {}, by their {}",
            thousands(found.documents() as u64),
            thousands(found.rows as u64),
            args.corpus,
            found.matched_by
        ));
    }
    let request = args.options.request(Some(&store), &args.corpus, Origin::Import(import), k)?;
    let request = args.scoring.applied_to(request)?;
    let number = request.submit(&store)?;
    attend(&store, number, args.detach, args.printing.format())
}
