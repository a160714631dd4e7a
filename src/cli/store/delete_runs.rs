//! Deletion of one run, of several, or of all but the newest of a corpus.

use anyhow::{Context, bail, ensure};
use serde::Serialize;

use super::consent::{Consent, all_counted, would};
use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print, print_list, print_outcome};
use crate::cli::typed::arguments::Printing;
use crate::records::column::columns;
use crate::shown::{TerminalText, shown};
use topoi_core::numbers::counted;
use topoi_run::life::delete::{delete_runs, runs_of, runs_started_from};
use topoi_run::life::retention::Retention;
use topoi_store::Store;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::delete::RunContents;
use topoi_store::id::RunId;
use topoi_store::run::{Run, RunStatus};

/// The outcome for a run: what is, or would be, deleted.
#[derive(Serialize)]
struct DeletedRun {
    run: RunId,
    corpus: String,
    model: String,
    topics: u64,
    words: u64,
    judgements: u64,
    results: u64,
    notes: u64,
}

/// The runs that `targets` name, ascending: numbers, and ranges such as `3..7` with both ends.
///
/// # Errors
/// For a target that is neither, a number without a run, and a range without any.
pub fn named(store: &Store, targets: &[String]) -> anyhow::Result<Vec<Run>> {
    let mut runs = Vec::new();
    for target in targets {
        if let Some((first, last)) = range(target) {
            let mut within = store.runs()?;
            within.retain(|run| (first..=last).contains(&run.id));
            ensure!(!within.is_empty(), "no run has a number from {first} to {last}");
            runs.extend(within);
        } else {
            let number = target.parse().ok().with_context(|| {
                format!("{target:?} is not the number of a run; `topoi runs` lists them")
            })?;
            runs.push(store.run(number)?);
        }
    }
    runs.sort_unstable_by_key(|run| run.id);
    runs.dedup_by_key(|run| run.id);
    Ok(runs)
}

/// The ends of a range of run numbers such as `3..7`.
pub fn range(target: &str) -> Option<(RunId, RunId)> {
    let (first, last) = target.split_once("..")?;
    Some((first.parse().ok()?, last.parse().ok()?))
}

/// The finished runs of a corpus that are not kept, and what ended otherwise before one of them, ascending.
pub fn all_but(store: &Store, corpus: &Corpus, kept: &Retention) -> anyhow::Result<Vec<Run>> {
    let mut runs = runs_of(store, corpus)?;
    let finished = runs.iter().filter(|run| run.status == RunStatus::Finished);
    let kept = kept.kept(finished.clone());
    let newest = finished.map(|run| run.id).find(|id| !kept.contains(id));
    runs.retain(|run| {
        run.status.is_over() && newest.is_some_and(|id| run.id <= id) && !kept.contains(&run.id)
    });
    runs.reverse();
    Ok(runs)
}

/// Deletes runs after counting and confirmation. The outcome is a list if `is_list`.
pub fn delete(
    store: &mut Store,
    runs: &[Run],
    consent: &Consent,
    printing: Printing,
    is_list: bool,
) -> anyhow::Result<()> {
    let deleted = runs.iter().map(|run| {
        let RunContents { topics, words, judgements, results, notes } =
            store.count_run_contents(run.id)?;
        let (corpus, model) = (run.corpus.clone(), run.model.clone());
        Ok(DeletedRun { run: run.id, corpus, model, topics, words, judgements, results, notes })
    });
    let deleted = deleted.collect::<anyhow::Result<Vec<DeletedRun>>>()?;
    for (started, from) in runs_started_from(store, runs)? {
        say(&shown!("run {started} started from run {from}, without which it cannot be verified"));
    }
    let text = if deleted.is_empty() {
        "there is no such run; nothing was deleted\n".to_string()
    } else {
        let what = described(&deleted);
        if consent.agree(&what)? {
            delete_runs(store, runs)?;
            match &deleted[..] {
                [run] => format!("run {} is deleted\n", run.run),
                _ => format!("runs {} are deleted\n", numbers(&deleted)),
            }
        } else {
            would(&what)
        }
    };
    let columns =
        columns!(DeletedRun: run, corpus, model, topics, words, judgements, results, notes);
    let output = printing.format();
    match &deleted[..] {
        [run] if !is_list => print_outcome(run, &columns, &TerminalText::text(&text), output)?,
        _ if output == OutputFormat::Table => print(&TerminalText::text(&text))?,
        deleted => print_list(&columns, deleted, output)?,
    }
    Ok(())
}

/// Runs to be deleted, with what they contain.
fn described(runs: &[DeletedRun]) -> String {
    let sum = |count: fn(&DeletedRun) -> u64| runs.iter().map(count).sum::<u64>();
    let counts = [(sum(|run| run.topics), "topic"), (sum(|run| run.words), "word")];
    // Topics can be computed again; judgements and notes of people cannot, and results were kept on purpose.
    let kept = [
        (sum(|run| run.judgements), "judgement"),
        (sum(|run| run.results), "kept result"),
        (sum(|run| run.notes), "note"),
    ];
    let kept = kept.into_iter().filter(|(count, _)| *count > 0);
    let counts = all_counted(&counts.into_iter().chain(kept).collect::<Vec<_>>());
    match runs {
        [DeletedRun { run, corpus, model, .. }] => {
            format!("run {run} ({corpus}, {model}: {counts})")
        }
        _ => format!("{} ({}: {counts})", counted(runs.len() as u64, "run"), numbers(runs)),
    }
}

/// The numbers of runs, such as "1, 2, 5".
fn numbers(runs: &[DeletedRun]) -> String {
    runs.iter().map(|run| run.run.to_string()).collect::<Vec<_>>().join(", ")
}

/// Refuses `--keep-last` without one corpus.
pub fn corpus_of(targets: &[String]) -> anyhow::Result<&str> {
    match targets {
        [corpus] => Ok(corpus),
        _ => bail!("--keep-last takes one corpus, such as `topoi delete CORPUS --keep-last 7`"),
    }
}
