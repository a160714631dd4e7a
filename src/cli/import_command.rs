//! `import`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::arguments::Printing;
use super::attend::attend;
use super::run_arguments::{CommonOptions, ScoringArgs};
use super::store_path::opened;
use topoi::run::request::Origin;
use topoi::run::request::imported::{Import, ImportFormat};
use topoi::store::Access;

/// Arguments of `import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The file with the topics
    pub file: PathBuf,
    /// The corpus they are of
    #[arg(long)]
    pub corpus: String,
    /// What the file looks like
    #[arg(long, value_enum)]
    pub from: ImportFormat,
    /// What they are scored by: documents that were not used to make them.
    #[command(flatten)]
    pub scoring: ScoringArgs,
    /// Vocabulary and the rest.
    #[command(flatten)]
    pub options: CommonOptions,
    /// Start the work and return at once
    #[arg(long)]
    pub detach: bool,
    #[command(flatten)]
    /// How to print.
    pub printing: Printing,
}

/// Makes a run of the topics in a file: its documents and metrics are found as for any run.
///
/// # Errors
/// When the file has no topics, the request is wrong, or the run fails.
pub fn run(path: &Path, args: &ImportArgs) -> anyhow::Result<ExitCode> {
    let store = opened(path, Access::Write)?;
    let (import, k) = Import::of(&args.file, args.from)?;
    let request = args.options.request(&args.corpus, Origin::Import(import), k)?;
    let request = args.scoring.applied_to(request);
    let number = request.submit(&store)?;
    attend(&store, number, args.detach, args.printing.output)
}
