//! `bounds`: how many topics, or components, there could be.

use std::path::Path;

use super::bar::Bar;
use super::bounds_arguments::BoundsArgs;
use super::bounds_report::{component_report, topic_report};
use super::parts_command::in_parts;
use super::store_path::opened;
use topoi::bound::gaussian::{GaussianSettings, component_bounds};
use topoi::bound::lda::LdaSettings;
use topoi::ingest::points::read_points;
use topoi::parts::bounds::{call_off, follow, lead};
use topoi::parts::error::PartsError;
use topoi::run::choose_k::bounds::{Bounds, BoundsError, BoundsRequest, bounds};
use topoi::run::request::RunSettings;
use topoi::store::{Access, Store};
use topoi::stream::parts::Parts;

/// Computes and prints bounds; those of a corpus are saved.
///
/// # Errors
/// When there is no such corpus, run or file, a setting is out of its range, the corpus cannot be
/// read, or standard output cannot be written.
pub fn run(path: &Path, args: &BoundsArgs) -> anyhow::Result<()> {
    match (&args.corpus, &args.gmm) {
        (_, Some(file)) => of_points(file, args),
        (Some(corpus), None) => of_corpus(path, corpus, args),
        (None, None) => anyhow::bail!("name a corpus, or a file of points with --gmm"),
    }
}

fn of_corpus(path: &Path, corpus: &str, args: &BoundsArgs) -> anyhow::Result<()> {
    if let Some(pattern) = &args.place.parts {
        return in_parts(|parts| of_part(path, corpus, args, pattern, parts));
    }
    let mut store = opened(path, Access::Write)?;
    let request = request(&store, corpus, args)?;
    let bar = Bar::new(corpus)?;
    let done = bounds(&mut store, &request, &bar);
    bar.finish();
    print(corpus, args, done)
}

/// As one of the processes that `mpirun` has started; part 0 prints and saves.
fn of_part(
    path: &Path,
    corpus: &str,
    args: &BoundsArgs,
    pattern: &str,
    parts: &dyn Parts,
) -> anyhow::Result<()> {
    if parts.number() > 0 {
        // Part 0 meets the same error and says it for all.
        let _ = follow(parts);
        return Ok(());
    }
    let asked = opened(path, Access::Write)
        .map_err(anyhow::Error::from)
        .and_then(|store| Ok((request(&store, corpus, args)?, store)));
    let (request, mut store) = asked.inspect_err(|_| call_off(parts))?;
    let bar = Bar::new(corpus)?;
    let done = lead(&mut store, &request, pattern, parts, &bar);
    bar.finish();
    match done {
        Err(PartsError::Bounds(error)) => print(corpus, args, Err(error)),
        other => print(corpus, args, Ok(other?)),
    }
}

fn print(corpus: &str, args: &BoundsArgs, done: Result<Bounds, BoundsError>) -> anyhow::Result<()> {
    let found = match done {
        Err(error) if error.is_cancel() => anyhow::bail!("interrupted; no bounds are saved"),
        other => other?,
    };
    Ok(topic_report(corpus, &found).print(args.printing.output)?)
}

/// What is asked for, held against the store.
fn request(store: &Store, corpus: &str, args: &BoundsArgs) -> anyhow::Result<BoundsRequest> {
    store.corpus(corpus)?;
    let material = material(store, corpus, args)?;
    Ok(BoundsRequest {
        corpus: corpus.into(),
        material: RunSettings { threads: args.threads, ..material },
        lda: LdaSettings { alpha: args.alpha, beta: args.beta, delta: args.delta, seed: args.seed },
    })
}

/// Vocabulary and shortest document: of a run, or as typed.
fn material(store: &Store, corpus: &str, args: &BoundsArgs) -> anyhow::Result<RunSettings> {
    let Some(run) = args.of_run else {
        return Ok(RunSettings {
            terms: args.terms,
            min_tokens: args.min_tokens,
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
    Ok(RunSettings::of(&run)?)
}

fn of_points(file: &Path, args: &BoundsArgs) -> anyhow::Result<()> {
    let points = read_points(file)?;
    let settings = GaussianSettings {
        alpha: args.alpha,
        delta: args.delta,
        sigma: args.sigma,
        sigma_mu: args.sigma_mu,
    };
    let found = component_bounds(&points, &settings)?;
    Ok(component_report(points.dim(), &settings, &found).print(args.printing.output)?)
}
