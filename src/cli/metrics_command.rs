//! `metrics`: a run's measures, and measuring it again.

use std::path::Path;

use super::arguments::MetricsArgs;
use super::bar::Bar;
use super::output::print_list;
use super::store_path::opened;
use super::topics_command::finished_topics;
use crate::records::metrics;
use topoi::metric::coherence_variants::{COHERENCE_VARIANTS, CoherenceVariant, coherence_variant};
use topoi::run::work::recompute::recompute;
use topoi::store::Access;

/// Prints a run's metrics, measured again first where that is asked for.
///
/// # Errors
/// When there is no such run or variant, it cannot be measured, or standard output cannot be
/// written.
pub fn print_metrics(path: &Path, args: &MetricsArgs) -> anyhow::Result<()> {
    let access = if args.recompute { Access::Write } else { Access::Read };
    let mut store = opened(path, access)?;
    store.run(args.run)?;
    if args.recompute {
        let variants = variants_named(&args.variants)?;
        finished_topics(&store, args.run, 1)?;
        let row = store.run(args.run)?;
        let bar = Bar::new(&format!("run {}", args.run))?;
        let done = recompute(&mut store, &row, &variants, &bar);
        bar.finish();
        match done {
            Err(error) if error.is_cancel() => {
                anyhow::bail!("interrupted; run {} keeps the metrics it had", args.run)
            }
            other => other?,
        }
    }
    let mut metrics = store.metrics(args.run)?;
    let mut columns = metrics::columns();
    if args.topics {
        columns.insert(0, metrics::topic());
    } else {
        metrics.retain(|metric| metric.topic.is_none());
    }
    Ok(print_list(&columns, &metrics, args.printing.output)?)
}

/// The variants of these names; `all` is all of them.
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
