//! `held-out`.

use crate::shown::shown;
use std::process::ExitCode;
use topoi_store::id::RunId;

use serde::Serialize;

use crate::cli::attend::{INTERRUPTED, attend_all};
use crate::cli::output::{OutputFormat, print, print_json, print_list};
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::run_arguments::RunOptions;
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use topoi_core::metric::held_out::{
    DOCUMENT_COMPLETION, HELD_OUT_DOCUMENTS, HELD_OUT_LOG_PROBABILITY, HELD_OUT_SUBSAMPLED,
    MAX_SCORED_TOKENS,
};
use topoi_core::numbers::{four_digits, thousands};
use topoi_run::request::{RunRequest, fields};
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Access, Store};

/// Score a model by documents it was not made from, over several splits
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[arg(help = fields::CORPUS.help, required_unless_present = "like")]
    corpus: Option<String>,
    #[arg(short, long = "k", value_name = "K", help = fields::K.help, required_unless_present = "like")]
    k: Option<usize>,
    /// Take corpus, model, K and settings from this run instead
    #[arg(value_parser = run_reference(), long, value_name = "RUN", conflicts_with_all = ["corpus", "k"])]
    like: Option<RunId>,
    /// How often the documents are split
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000))]
    splits: u64,
    /// The share of the documents that is held out
    #[arg(long, value_name = "SHARE", default_value_t = 0.2)]
    share: f64,
    #[command(flatten)]
    options: RunOptions,
    #[command(flatten)]
    printing: Printing,
}

/// Held-out scores of a model.
#[derive(Serialize)]
struct HeldOut {
    splits: Vec<Split>,
    held_out_log_probability: Spread,
    document_completion: Spread,
}

/// A split's run with its scores.
#[derive(Serialize)]
struct Split {
    run: RunId,
    documents: Option<f64>,
    /// The number of documents that were scored by a sample of their tokens.
    subsampled: Option<f64>,
    held_out_log_probability: Option<f64>,
    document_completion: Option<f64>,
}

/// Mean and sample standard deviation of the values that exist.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
struct Spread {
    mean: Option<f64>,
    deviation: Option<f64>,
}

/// Makes a run for each split of the documents and prints its held-out scores, with mean and deviation over the
/// splits. The runs are kept; they differ in the seed of the split alone. Ctrl-C cancels those that are not done.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<ExitCode> {
    if !(args.share > 0.0 && args.share < 1.0) {
        anyhow::bail!("share is {}, but must be above 0 and below 1", args.share);
    }
    let store = store.open(Access::Write)?;
    let request = match (args.like, &args.corpus, args.k) {
        (Some(run), ..) => RunRequest::from_run(&store.run(run)?)?,
        (None, Some(corpus), Some(k)) => args.options.request(Some(&store), corpus, k)?,
        (None, ..) => {
            anyhow::bail!("which corpus and which --k is not said; give both, or --like RUN")
        }
    };
    let mut runs = Vec::new();
    for split in 0..args.splits {
        let mut request = request.clone();
        request.settings =
            request.settings.holding_out(args.share, request.seed.wrapping_add(split));
        runs.push(request.submit(&store)?);
    }
    let Some(rows) = attend_all(&store, &runs)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    let splits = rows.iter().map(|row| split(&store, row)).collect::<anyhow::Result<Vec<_>>>()?;
    print_splits(splits, args.printing.format())?;
    Ok(ExitCode::SUCCESS)
}

/// The scores of a run that is over.
fn split(store: &Store, row: &Run) -> anyhow::Result<Split> {
    if row.status != RunStatus::Finished {
        let reason = row.error.as_deref().unwrap_or("the log may say why: `topoi log`");
        anyhow::bail!("run {} is {}: {reason}", row.id, row.status.as_str());
    }
    let metric = |name: &str| store.run_metric(row.id, name);
    Ok(Split {
        run: row.id,
        documents: metric(HELD_OUT_DOCUMENTS.id)?,
        subsampled: metric(HELD_OUT_SUBSAMPLED.id)?,
        held_out_log_probability: metric(HELD_OUT_LOG_PROBABILITY.id)?,
        document_completion: metric(DOCUMENT_COMPLETION.id)?,
    })
}

impl Spread {
    fn from_values(values: impl Iterator<Item = Option<f64>>) -> Self {
        let values: Vec<f64> = values.flatten().collect();
        let count = values.len() as f64;
        if values.is_empty() {
            return Self { mean: None, deviation: None };
        }
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt());
        Self { mean: Some(mean), deviation }
    }

    fn in_words(self) -> String {
        let shown = |value: Option<f64>| value.map_or("unknown".into(), four_digits);
        format!("{} ± {}", shown(self.mean), shown(self.deviation))
    }
}

fn print_splits(splits: Vec<Split>, format: OutputFormat) -> anyhow::Result<()> {
    let found = HeldOut {
        held_out_log_probability: Spread::from_values(
            splits.iter().map(|s| s.held_out_log_probability),
        ),
        document_completion: Spread::from_values(
            splits.iter().map(|split| split.document_completion),
        ),
        splits,
    };
    if format.is_json() {
        return Ok(print_json(&found, format)?);
    }
    let columns = columns!(
        Split: run, documents, subsampled, held_out_log_probability, document_completion
    );
    print_list(&columns, &found.splits, format)?;
    if format == OutputFormat::Table {
        print(&shown!(
            "held_out_log_probability {} nats a token\ndocument_completion {} nats a token\n",
            found.held_out_log_probability.in_words(),
            found.document_completion.in_words()
        ))?;
        if found.splits.iter().any(|split| split.subsampled > Some(0.0)) {
            let most = thousands(MAX_SCORED_TOKENS);
            print(&shown!(
                "subsampled documents have more than {most} tokens, of which a random {most} are scored\n"
            ))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_of_splits() {
        let spread = |values: &[f64]| Spread::from_values(values.iter().copied().map(Some));
        let expected = |mean, deviation| Spread { mean, deviation };
        assert_eq!(spread(&[1.0, 3.0]), expected(Some(2.0), Some(2.0f64.sqrt())));
        assert_eq!(spread(&[1.0]), expected(Some(1.0), None));
        assert_eq!(spread(&[]), expected(None, None));
    }
}
