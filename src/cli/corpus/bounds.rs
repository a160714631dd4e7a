//! `bounds`: bounds on the number of topics or of components.

use crate::shown::TerminalText;
use std::path::{Path, PathBuf};
use topoi_store::id::RunId;

use super::bounds_report::{component_report, topic_report};
use crate::cli::bar::Bar;
use crate::cli::in_parts::{PartsArgs, in_parts};
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::run_arguments::{min_tokens_of, with_default};
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::cli::typed::vocabulary_arguments::VocabularyArgs;
use topoi_core::bound::gaussian::{GaussianSettings, component_bounds};
use topoi_core::bound::lda::LdaSettings;
use topoi_core::model::setting::Value;
use topoi_core::stream::parts::Parts;
use topoi_ingest::points::read_points;
use topoi_mpi::bounds::{call_off, follow, lead};
use topoi_mpi::error::PartsError;
use topoi_run::choose_k::bounds::{Bounds, BoundsError, BoundsRequest, bounds};
use topoi_run::request::{RunSettings, settings};
use topoi_store::{Access, Store};

const GMM: &str = "Points instead of a corpus";

/// Bound the number of topics of a corpus before any model is run
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the corpus
    #[arg(required_unless_present = "gmm", conflicts_with = "gmm")]
    corpus: Option<String>,
    #[arg(long, default_value_t = 5000, help = settings::TERMS.help)]
    terms: usize,
    #[arg(long, help = with_default(settings::MIN_TOKENS, settings::USUAL_MIN_TOKENS))]
    min_tokens: Option<u64>,
    #[command(flatten)]
    vocabulary: VocabularyArgs,
    /// Use the vocabulary and the shortest length of documents of this run
    #[arg(value_parser = run_reference(), long, value_name = "RUN", conflicts_with_all = ["terms", "min_tokens", "vocabulary",
        "min-documents", "max-documents", "min-count", "matching", "stop-list", "keep-list", "by",
        "gmm"])]
    of_run: Option<RunId>,
    /// The prior of each topic in a document (of each component's weight, with --gmm)
    #[arg(long, value_name = "A", default_value_t = LdaSettings::default().alpha)]
    alpha: f64,
    /// The prior of each word in a topic
    #[arg(long, value_name = "B", default_value_t = LdaSettings::default().beta)]
    beta: f64,
    /// The lower bound is wrong at most this often
    #[arg(long, value_name = "D", default_value_t = LdaSettings::default().delta)]
    delta: f64,
    /// Seed of the eigenpairs' start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 0, help = settings::THREADS.help)]
    threads: u64,
    /// Bound the components of a mixture of spherical Gaussians from the points in this file
    /// (CSV or Matrix Market, rows are points)
    #[arg(long, value_name = "FILE", help_heading = GMM, conflicts_with = "parts")]
    gmm: Option<PathBuf>,
    /// The points' deviation from their centre in each dimension [default: estimated]
    #[arg(long, value_name = "S", help_heading = GMM, requires = "gmm")]
    sigma: Option<f64>,
    /// The centres' deviation from 0 in each dimension [default: estimated]
    #[arg(long, value_name = "S", help_heading = GMM, requires = "gmm")]
    sigma_mu: Option<f64>,
    #[command(flatten)]
    place: PartsArgs,
    #[command(flatten)]
    printing: Printing,
}

/// Computes and prints bounds; those of a corpus are saved.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    match (&args.corpus, &args.gmm) {
        (_, Some(file)) => print_component_bounds(file, args),
        (Some(corpus), None) => corpus_bounds(store, corpus, args),
        (None, None) => anyhow::bail!("name a corpus, or a file of points with --gmm"),
    }
}

fn corpus_bounds(path: &StorePath, corpus: &str, args: &Arguments) -> anyhow::Result<()> {
    if let Some(pattern) = &args.place.parts {
        return in_parts(&args.place, |parts| part_bounds(path, corpus, args, pattern, parts));
    }
    let mut store = path.open(Access::Write)?;
    let request = request(&store, corpus, args)?;
    let bar = Bar::new(&TerminalText::line(corpus))?;
    let done = bounds(&mut store, &request, &bar);
    bar.finish();
    print(corpus, args, done)
}

/// Runs as one of the processes that `mpirun` starts; part 0 prints and saves.
fn part_bounds(
    path: &StorePath,
    corpus: &str,
    args: &Arguments,
    pattern: &str,
    parts: &dyn Parts,
) -> anyhow::Result<()> {
    if parts.number() > 0 {
        // Part 0 reports the same error for all parts.
        let _ = follow(parts);
        return Ok(());
    }
    let asked =
        path.open(Access::Write).and_then(|store| Ok((request(&store, corpus, args)?, store)));
    let (request, mut store) = asked.inspect_err(|_| call_off(parts))?;
    let bar = Bar::new(&TerminalText::line(corpus)).inspect_err(|_| call_off(parts))?;
    let done = lead(&mut store, &request, pattern, parts, &bar);
    bar.finish();
    match done {
        Err(PartsError::Bounds(error)) => print(corpus, args, Err(error)),
        other => print(corpus, args, Ok(other?)),
    }
}

fn print(corpus: &str, args: &Arguments, done: Result<Bounds, BoundsError>) -> anyhow::Result<()> {
    let found = match done {
        Err(error) if error.is_cancel() => anyhow::bail!("interrupted; no bounds are saved"),
        other => other?,
    };
    Ok(topic_report(corpus, &found).print(args.printing.format())?)
}

/// The request, checked against the store.
fn request(store: &Store, corpus: &str, args: &Arguments) -> anyhow::Result<BoundsRequest> {
    store.corpus(corpus)?;
    settings::THREADS.check(Value::Count(args.threads))?;
    let material = material(store, corpus, args)?;
    Ok(BoundsRequest {
        corpus: corpus.into(),
        material: RunSettings { threads: args.threads as usize, ..material },
        lda: LdaSettings { alpha: args.alpha, beta: args.beta, delta: args.delta, seed: args.seed },
    })
}

/// Vocabulary and minimum tokens: of a run, or as typed.
fn material(store: &Store, corpus: &str, args: &Arguments) -> anyhow::Result<RunSettings> {
    let Some(run) = args.of_run else {
        return Ok(RunSettings {
            terms: args.terms,
            min_tokens: args.min_tokens.map_or_else(|| min_tokens_of(store, corpus), Ok)?,
            vocabulary: args.vocabulary.choice(Some(args.terms))?,
            ..RunSettings::default()
        });
    };
    let run = store.run(run)?;
    anyhow::ensure!(
        run.corpus == corpus,
        "run {} is of corpus {}, not of {corpus}; name that corpus, or another --of-run",
        run.id,
        run.corpus
    );
    Ok(RunSettings::from_run(&run)?)
}

fn print_component_bounds(file: &Path, args: &Arguments) -> anyhow::Result<()> {
    let points = read_points(file)?;
    let settings = GaussianSettings {
        alpha: args.alpha,
        delta: args.delta,
        sigma: args.sigma,
        sigma_mu: args.sigma_mu,
    };
    let found = component_bounds(&points, &settings)?;
    Ok(component_report(points.dim(), &settings, &found).print(args.printing.format())?)
}
