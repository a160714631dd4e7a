//! `update`.

use crate::shown::{TerminalText, shown};
use std::process::ExitCode;
use topoi_store::id::RunId;

use serde::Serialize;

use crate::cli::attend::attend;
use crate::cli::bar::Bar;
use crate::cli::in_parts::run_in_parts;
use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print_outcome};
use crate::cli::typed::arguments::RunAgain;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use topoi_core::metric::model_figures::{DOCUMENTS_PROJECTED, FACTORISATION_PASSES};
use topoi_core::metric::revision::{DOCUMENTS_ADDED, DOCUMENTS_GONE, DOCUMENTS_READ_AGAIN};
use topoi_core::metric::run_process::DOCUMENTS_USED;
use topoi_core::numbers::{counted, four_digits, thousands};
use topoi_core::shell_word::shell_word;
use topoi_mpi::error::PartsError;
use topoi_mpi::work::RunChoice;
use topoi_run::request::update::{UpdateError, check_revisable, refitting, revising};
use topoi_run::work::revision::refit_gain::{RefitGain, refit_gain};
use topoi_store::run::Run;
use topoi_store::{Access, Store};

/// Continue a run with what is new, corrected and deleted in its corpus: a new run, whose topics are the same ones,
/// under the same numbers. The cost follows what has changed
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    again: RunAgain,
    /// Fit the model again to all documents, from where the run ended: lr-jsmf from its eigenvectors, rp from
    /// the sums it kept (--keep-sums). Topics can come and go
    #[arg(long)]
    refit: bool,
    /// Only say whether a refit would pay: fit topics anew to up to 20,000 documents of the run, and compare both on the
    /// documents that came later
    #[arg(long, conflicts_with_all = ["refit", "detach", "parts"])]
    weigh_refit: bool,
}

/// Follows the new run unless it is detached, and reports the work saved by the old one. Ctrl-C cancels it.
pub fn run(
    Arguments { again, refit, weigh_refit }: &Arguments,
    path: &StorePath,
) -> anyhow::Result<ExitCode> {
    let format = again.printing.format();
    let update = RunChoice::Update { of: again.run, refit: *refit };
    if let Some(wanted) = again.place.in_parts(|| Ok(update))? {
        let report = |store: &Store, number| say_what_was_spared(store, again.run, number);
        let ended = run_in_parts(path.path()?, &wanted, format, &report);
        return match ended.as_ref().err().and_then(|error| error.downcast_ref()) {
            Some(PartsError::Update(UpdateError::NothingNew { run, corpus })) => {
                print_up_to_date(UpToDate::new(*run, corpus.clone()), format)
            }
            _ => ended,
        };
    }
    let store = path.open(if *weigh_refit { Access::Read } else { Access::Write })?;
    let run = store.run(again.run)?;
    if *weigh_refit {
        return print_refit_gain(&store, &run, format);
    }
    let request = match if *refit { refitting(&store, &run) } else { revising(&store, &run) } {
        Err(UpdateError::NothingNew { run, corpus }) => {
            return print_up_to_date(UpToDate::new(run, corpus), format);
        }
        found => found?,
    };
    let number = request.submit(&store)?;
    let ended = attend(&store, number, again.detach, format)?;
    say_what_was_spared(&store, again.run, number)?;
    Ok(ended)
}

fn print_refit_gain(store: &Store, run: &Run, format: OutputFormat) -> anyhow::Result<ExitCode> {
    store.require_documents(&store.corpus_by_id(run.corpus_id)?)?;
    check_revisable(store, run)?;
    let bar = Bar::new(&shown!("weighing run {}", run.id))?;
    let found = refit_gain(store, run, &bar);
    bar.finish();
    let found = match found {
        Err(error) if error.is_cancel() => anyhow::bail!("interrupted; nothing was weighed"),
        other => other?,
    };
    let Some(found) = found else {
        anyhow::bail!(
            "run {0} has seen all documents of its corpus; `topoi ingest` new ones first, which tell it from others",
            run.id
        );
    };
    let advice = match (found.pays, refitting(store, run)) {
        (false, _) => "a refit does not pay".to_string(),
        (true, Ok(_)) => format!("a refit pays: `topoi update {} --refit`", run.id),
        (true, Err(_)) => {
            format!("a refit pays: `topoi run {} -k {}`", shell_word(&run.corpus), run.k)
        }
    };
    let columns = columns!(RefitGain: run, documents, fitted, log_probability, log_probability_refitted, gain, error, pays);
    let text = format!("{}\n{advice}\n", in_words(&found));
    print_outcome(&found, &columns, &TerminalText::text(&text), format)?;
    Ok(ExitCode::SUCCESS)
}

fn in_words(found: &RefitGain) -> String {
    format!(
        "{} that came later: {} nats a token by run {}, {} by topics fitted anew to {} of its documents; a gain of {} ± {}",
        counted(found.documents, "document"),
        four_digits(found.log_probability),
        found.run,
        four_digits(found.log_probability_refitted),
        thousands(found.fitted),
        four_digits(found.gain),
        four_digits(found.error),
    )
}

/// The outcome without a new run, as the corpus has not changed.
#[derive(Serialize)]
struct UpToDate {
    /// The number of the new run: none.
    run: Option<RunId>,
    status: &'static str,
    seconds: Option<f64>,
    from: RunId,
    corpus: String,
}

impl UpToDate {
    fn new(from: RunId, corpus: String) -> Self {
        Self { run: None, status: "up_to_date", seconds: None, from, corpus }
    }
}

fn print_up_to_date(found: UpToDate, format: OutputFormat) -> anyhow::Result<ExitCode> {
    let UpToDate { from, corpus, .. } = &found;
    let text =
        format!("corpus {corpus:?} has not changed since run {from}; there is nothing to update\n");
    let columns = columns!(UpToDate: run, status, seconds);
    print_outcome(&found, &columns, &TerminalText::text(&text), format)?;
    Ok(ExitCode::SUCCESS)
}

fn say_what_was_spared(store: &Store, old: RunId, new: RunId) -> anyhow::Result<()> {
    let passes = |run| store.run_metric(run, FACTORISATION_PASSES.id);
    if let (Some(before), Some(now)) = (passes(old)?, passes(new)?) {
        say(&shown!("run {new} made {now} passes to factorise, run {old} made {before}"));
    }
    let of_new = |name| store.run_metric(new, name);
    let numbers = [DOCUMENTS_ADDED.id, DOCUMENTS_READ_AGAIN.id, DOCUMENTS_GONE.id].map(of_new);
    if let [Ok(Some(added)), Ok(Some(again)), Ok(Some(gone))] = numbers {
        say(&shown!(
            "run {new} read {} and {} again, took out {} that are gone, and shares the others with run {old}",
            counted(added as u64, "new document"),
            thousands(again as u64),
            thousands(gone as u64),
        ));
    }
    if let (Some(all), Some(read)) = (of_new(DOCUMENTS_USED.id)?, of_new(DOCUMENTS_PROJECTED.id)?) {
        let spared = all - read;
        say(&shown!(
            "run {new} projected {read} new documents and has the sums of {spared} from run {old}"
        ));
    }
    Ok(())
}
