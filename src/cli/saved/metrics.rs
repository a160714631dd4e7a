//! `metrics`: shows the metrics of a run, and measures it again.

use super::topics::finished_topics;
use crate::cli::bar::Bar;
use crate::cli::messages::say;
use crate::cli::output::print_list;
use crate::cli::typed::arguments::{Printing, ranking};
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::metrics;
use crate::shown::shown;
use topoi_core::metric::coherence::variants::{
    COHERENCE_VARIANTS, CoherenceVariant, coherence_variant,
};
use topoi_core::metric::words::ranking::Ranking;
use topoi_run::judging::scores::metrics_with_scores;
use topoi_run::work::against::{Agreement, measure_against};
use topoi_run::work::recompute::{measure_ranking, recompute};
use topoi_run::work::work_error::WorkError;
use topoi_store::id::RunId;
use topoi_store::run::Run;
use topoi_store::{Access, Store};

/// Show a run's metrics
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    /// Also the metrics of each topic
    #[arg(long)]
    topics: bool,
    /// Measure the run again first, from its saved topics and the corpus. What only the model
    /// knew while it worked (residuals, kkt_gap) stays as it was saved
    #[arg(long)]
    recompute: bool,
    /// Measure again first, with further coherence variants such as umass@gensim,cv@gensim, or all; with
    /// --rank those of its words
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    variants: Vec<String>,
    /// Measure the coherence of the topics' first words by this ranking first, and how many of them
    /// differ; saved as npmi@RANKING …
    #[arg(long, value_name = "RANKING", value_parser = ranking())]
    rank: Option<Ranking>,
    /// Hold each document's largest topic against its value of this field first, such as label, and
    /// save the agreement: nmi@FIELD, ami@FIELD, purity@FIELD. May be given several times
    #[arg(long, value_name = "FIELD")]
    against: Vec<String>,
    #[command(flatten)]
    printing: Printing,
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let again = args.recompute || (!args.variants.is_empty() && args.rank.is_none());
    let measures = again || args.rank.is_some() || !args.against.is_empty();
    let access = if measures { Access::Write } else { Access::Read };
    let mut store = store.open(access)?;
    store.run(args.run)?;
    let variants = variants_named(&args.variants)?;
    if again {
        measured(&mut store, args.run, |store, row, bar| recompute(store, row, &variants, bar))?;
    }
    if let Some(ranking) = args.rank {
        measured(&mut store, args.run, |store, row, bar| {
            measure_ranking(store, row, ranking, &variants, bar)
        })?;
    }
    for field in &args.against {
        against(&mut store, args.run, field)?;
    }
    let mut metrics = metrics_with_scores(&store, &store.run(args.run)?)?;
    let mut columns = metrics::columns();
    if args.topics {
        columns.insert(0, metrics::topic());
    } else {
        metrics.retain(|metric| metric.topic.is_none());
    }
    Ok(print_list(&columns, &metrics, args.printing.format())?)
}

/// Does `work` on a run that has topics, with a progress bar; Ctrl-C cancels it.
fn measured(
    store: &mut Store,
    run: RunId,
    work: impl FnOnce(&mut Store, &Run, &Bar) -> Result<(), WorkError>,
) -> anyhow::Result<()> {
    finished_topics(store, run, 1)?;
    let row = store.run(run)?;
    let bar = Bar::new(&shown!("run {run}"))?;
    let done = work(store, &row, &bar);
    bar.finish();
    match done {
        Err(error) if error.is_cancel() => {
            anyhow::bail!("interrupted; run {run} keeps the metrics it had")
        }
        other => Ok(other?),
    }
}

/// Compares the topics of a run's documents with `field`; warns if less than half of them have it.
fn against(store: &mut Store, run: RunId, field: &str) -> anyhow::Result<()> {
    finished_topics(store, run, 1)?;
    let row = store.run(run)?;
    let Agreement { with, documents, .. } = measure_against(store, &row, field)?;
    if 2 * with < documents {
        say(&shown!(
            "{with} of {documents} documents have a value of {field:?}; the others are left out"
        ));
    }
    Ok(())
}

/// The variants of these names; `all` means all.
fn variants_named(names: &[String]) -> anyhow::Result<Vec<&'static CoherenceVariant>> {
    if names.iter().any(|name| name == "all") {
        return Ok(COHERENCE_VARIANTS.iter().collect());
    }
    let find = |name: &String| {
        coherence_variant(name).ok_or_else(|| {
            let known: Vec<String> = COHERENCE_VARIANTS.iter().map(|v| v.full_name()).collect();
            anyhow::anyhow!(
                "there is no coherence variant {name:?}; there are: {}, all",
                known.join(", ")
            )
        })
    };
    names.iter().map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_found_by_either_name_and_unknown_ones_are_listed() {
        let names = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<Vec<_>>();
        let found = variants_named(&names(&["npmi", "npmi@exact"])).expect("known");
        assert_eq!(found[0], found[1]);
        assert_eq!(
            variants_named(&names(&["all"])).expect("known").len(),
            COHERENCE_VARIANTS.len()
        );
        let error = variants_named(&names(&["cv@mallet"])).expect_err("unknown").to_string();
        assert!(error.contains("cv@mallet") && error.contains("cv@gensim"), "{error}");
    }
}
