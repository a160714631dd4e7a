//! `run`.

use std::process::ExitCode;

use crate::cli::attend::attend;
use crate::cli::in_parts::{PartsArgs, run_in_parts};
use crate::cli::messages::say;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::run_arguments::{RunAloneArgs, RunOptions, ScoringArgs, with_default};
use crate::cli::typed::store_path::StorePath;
use crate::shown::shown;
use topoi_core::model::Model;
use topoi_core::model::topic_model::StartsFrom;
use topoi_core::shell_word::shell_word;
use topoi_mpi::work::RunChoice;
use topoi_run::request::settings::SEEDS;
use topoi_run::request::usual::usual_k;
use topoi_run::request::{RunRequest, fields};
use topoi_store::{Access, Store};

/// Run a topic model on a corpus and save the run
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[arg(help = fields::CORPUS.help)]
    pub corpus: String,
    #[arg(short, long = "k", value_name = "K", help = with_default(fields::K, fields::USUAL_K))]
    pub k: Option<usize>,
    #[command(flatten)]
    pub options: RunOptions,
    #[command(flatten)]
    pub scoring: ScoringArgs,
    #[command(flatten)]
    alone: RunAloneArgs,
    /// A name for the run, which can stand for its number
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// Start the run and return at once; `topoi watch` follows it
    #[arg(long, conflicts_with = "parts")]
    pub detach: bool,
    #[command(flatten)]
    pub place: PartsArgs,
    #[command(flatten)]
    pub printing: Printing,
}

/// The names of the models that can start from topics.
fn models_from_topics() -> String {
    Model::names_that(|model| model.card().starts_from == StartsFrom::Topics)
}

/// Submits and starts a run; follows it unless it is detached. Ctrl-C cancels the run.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<ExitCode> {
    let in_parts = args.place.in_parts(|| {
        let Some(k) = args.k else {
            anyhow::bail!("a run in parts takes no K by itself; give -k, the number of topics");
        };
        let request = Box::new(args.request(None, k)?);
        Ok(RunChoice::New { request, name: args.name.clone() })
    })?;
    if let Some(wanted) = in_parts {
        return run_in_parts(store.path()?, &wanted, args.printing.format(), &|_, _| Ok(()));
    }
    let store = store.open(Access::Write)?;
    let k = args.k.map_or_else(|| k_of(&store, args), Ok)?;
    let number = args.request(Some(&store), k)?.submit(&store)?;
    store.name_run(number, args.name.as_deref())?;
    attend(&store, number, args.detach, args.printing.format())
}

impl Arguments {
    /// The request for a run with K topics. Defaults that depend on the corpus are read from `store`, if given.
    pub fn request(&self, store: Option<&Store>, k: usize) -> anyhow::Result<RunRequest> {
        if store.is_none() && self.alone.given(SEEDS.name).is_some() {
            anyhow::bail!("a run in parts takes no --seeds; leave them out");
        }
        let plain = self.options.request(store, &self.corpus, k)?;
        let mut request = self.alone.applied_to(self.scoring.applied_to(plain)?)?;
        if request.settings.start.is_some() && !request.origin.starts_from_topics() {
            let model = request.origin.name();
            let those = models_from_topics();
            anyhow::bail!(
                "{model} starts from no topics; leave --start out, or use --model {those}"
            );
        }
        let Some(store) = store else { return Ok(request) };
        if let Some(start) = request.settings.start {
            request.start_from(store, start)?;
        }
        if let Some(seeds) = request.settings.seeds.take() {
            let corpus = store.corpus(&self.corpus)?;
            let seeds = seeds.resolved(store, &corpus, &request.settings, k)?;
            request.settings.seeds = Some(seeds);
        }
        Ok(request)
    }
}

/// The default K, reported with the command to search for a better one.
fn k_of(store: &Store, args: &Arguments) -> anyhow::Result<usize> {
    let corpus = store.corpus(&args.corpus)?;
    let k = usual_k(&corpus, args.options.common.terms()?);
    let name = shell_word(&corpus.name);
    let list: Vec<String> =
        [k / 2, k, 2 * k].iter().filter(|&&k| k > 1).map(ToString::to_string).collect();
    say(&shown!(
        "-k {k}: what {} documents usually have (docs/guide/choosing-k.md); to look for better: `topoi sweep {name} -k {}`",
        corpus.documents,
        list.join(",")
    ));
    Ok(k)
}
