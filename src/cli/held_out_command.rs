//! `held-out`.

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

use super::arguments::Printing;
use super::attend::{INTERRUPTED, attend_all};
use super::output::{OutputFormat, Table, four_digits, print, print_json};
use super::run_arguments::RunOptions;
use super::store_path::opened;
use topoi::metric::held_out::{DOCUMENT_COMPLETION, HELD_OUT_DOCUMENTS, HELD_OUT_LOG_PROBABILITY};
use topoi::run::request::fields;
use topoi::store::run::{Run, RunStatus};
use topoi::store::{Access, Store};

/// The metrics that are put together.
const SCORES: [&str; 2] = [HELD_OUT_LOG_PROBABILITY.id, DOCUMENT_COMPLETION.id];

/// Arguments of `held-out`.
#[derive(Debug, clap::Args)]
pub struct HeldOutArgs {
    #[arg(help = fields::CORPUS.help)]
    /// The corpus.
    corpus: String,
    #[arg(short, long = "k", value_name = "K", help = fields::K.help)]
    /// K.
    k: usize,
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

/// A split's run and its scores.
struct Split {
    run: i64,
    documents: Option<f64>,
    scores: [Option<f64>; 2],
}

/// Makes a run for each split of the documents, on those that are not held out, and prints how
/// probable each finds the others, with mean and deviation over the splits. The runs stay, and
/// differ in the seed of their split alone. Ctrl-C cancels those that are not done.
///
/// # Errors
/// When the request is wrong or a run fails.
pub fn held_out(path: &Path, args: &HeldOutArgs) -> anyhow::Result<ExitCode> {
    if !(args.share > 0.0 && args.share < 1.0) {
        anyhow::bail!("share is {}, but must be above 0 and below 1; change --share", args.share);
    }
    let store = opened(path, Access::Write)?;
    let request = args.options.request(&args.corpus, args.k)?;
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
    print_splits(&splits, args.printing.output)?;
    Ok(ExitCode::SUCCESS)
}

/// What a run that is over says of its split.
fn split(store: &Store, row: &Run) -> anyhow::Result<Split> {
    if row.status != RunStatus::Finished {
        let reason = row.error.as_deref().unwrap_or("the log may say why: `topoi log`");
        anyhow::bail!("run {} is {}: {reason}", row.id, row.status.as_str());
    }
    let metric = |name: &str| store.run_metric(row.id, name);
    Ok(Split {
        run: row.id,
        documents: metric(HELD_OUT_DOCUMENTS.id)?,
        scores: [metric(SCORES[0])?, metric(SCORES[1])?],
    })
}

/// Mean and standard deviation (of a sample) of what there is.
fn spread(values: &[f64]) -> (Option<f64>, Option<f64>) {
    let count = values.len() as f64;
    if values.is_empty() {
        return (None, None);
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (Some(mean), (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt()))
}

fn print_splits(splits: &[Split], format: OutputFormat) -> anyhow::Result<()> {
    let spreads = [0, 1].map(|score| {
        spread(&splits.iter().filter_map(|split| split.scores[score]).collect::<Vec<_>>())
    });
    let mut table = Table::new(&["run", "documents", SCORES[0], SCORES[1]]);
    let row = |split: &Split| {
        let [log, completion] = split.scores;
        vec![json!(split.run), json!(split.documents), json!(log), json!(completion)]
    };
    table.rows = splits.iter().map(row).collect();
    if format == OutputFormat::Json {
        let mut value = json!({ "splits": table.as_json() });
        for (name, (mean, deviation)) in SCORES.iter().zip(spreads) {
            value[name] = json!({ "mean": mean, "deviation": deviation });
        }
        return Ok(print_json(&value)?);
    }
    table.print(format)?;
    if format == OutputFormat::Table {
        for (name, spread) in SCORES.iter().zip(spreads) {
            print(&format!("{name} {} nats a token\n", as_text(spread)))?;
        }
    }
    Ok(())
}

fn as_text((mean, deviation): (Option<f64>, Option<f64>)) -> String {
    let shown = |value: Option<f64>| value.map_or("unknown".into(), four_digits);
    format!("{} ± {}", shown(mean), shown(deviation))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_of_splits() {
        assert_eq!(spread(&[1.0, 3.0]), (Some(2.0), Some(2.0f64.sqrt())));
        assert_eq!(spread(&[1.0]), (Some(1.0), None));
        assert_eq!(spread(&[]), (None, None));
    }
}
