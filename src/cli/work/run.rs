//! `run`.

use std::process::ExitCode;

use crate::cli::arguments::Printing;
use crate::cli::attend::attend;
use crate::cli::in_parts::{PartsArgs, run_in_parts};
use crate::cli::run_arguments::{RunOptions, ScoringArgs};
use crate::cli::store_path::StorePath;
use topoi::model::topic_model::StartsFrom;
use topoi::parts::work::{Wanted, Which};
use topoi::run::request::fields;
use topoi::store::Access;

/// Run a topic model on a corpus and save the run
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[arg(help = fields::CORPUS.help)]
    pub corpus: String,
    #[arg(short, long = "k", value_name = "K", help = fields::K.help)]
    pub k: usize,
    #[command(flatten)]
    pub options: RunOptions,
    #[command(flatten)]
    pub scoring: ScoringArgs,
    /// Start from the topics of this run, which has as many; lda-gibbs alone
    #[arg(long, value_name = "RUN")]
    start: Option<i64>,
    /// Start the run and return at once; `topoi watch` follows it
    #[arg(long, conflicts_with = "parts")]
    pub detach: bool,
    #[command(flatten)]
    pub place: PartsArgs,
    #[command(flatten)]
    pub printing: Printing,
}

/// Saves and starts a run; follows it unless it is detached. Ctrl-C cancels the run.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<ExitCode> {
    let mut request = args.scoring.applied_to(args.options.request(&args.corpus, args.k)?);
    if args.start.is_some() && request.origin.card().starts_from != StartsFrom::Topics {
        let model = request.origin.name();
        anyhow::bail!("{model} starts from no topics; leave --start out, or use --model lda-gibbs");
    }
    request.settings.start = args.start;
    if let Some(pattern) = args.place.parts.clone() {
        let wanted = Wanted { run: Which::New(Box::new(request)), pattern };
        return run_in_parts(&store.path, &wanted, args.printing.format());
    }
    let store = store.open(Access::Write)?;
    let number = request.submit(&store)?;
    attend(&store, number, args.detach, args.printing.format())
}
