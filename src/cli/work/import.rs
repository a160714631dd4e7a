//! `import`.

use std::path::PathBuf;
use std::process::ExitCode;

use strum::VariantArray;

use crate::cli::attend::attend;
use crate::cli::typed::arguments::{Printing, named};
use crate::cli::typed::run_arguments::{CommonOptions, ScoringArgs};
use crate::cli::typed::store_path::StorePath;
use topoi_run::request::Origin;
use topoi_run::request::imported::{Import, ImportFormat};
use topoi_store::Access;

/// Make a run of the topics that another program found, to browse and compare them here
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The file with the topics
    file: PathBuf,
    /// The corpus they are of
    #[arg(long)]
    corpus: String,
    /// What the file looks like
    #[arg(long, value_parser = named(ImportFormat::VARIANTS, |it| it.name(), |it| it.help()))]
    from: ImportFormat,
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
    let (import, k) = Import::from_file(&args.file, args.from)?;
    let request = args.options.request(Some(&store), &args.corpus, Origin::Import(import), k)?;
    let request = args.scoring.applied_to(request)?;
    let number = request.submit(&store)?;
    attend(&store, number, args.detach, args.printing.format())
}
