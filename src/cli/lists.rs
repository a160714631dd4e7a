//! `corpora`, `runs`.

use std::path::Path;

use serde_json::{Value, json};

use super::arguments::Printing;
use super::output::Table;
use super::store_path::opened;
use topoi::metric::coherence::variants::NPMI;
use topoi::run::life::queue::tend;
use topoi::run::life::spawn::reap;
use topoi::run::life::state_word;
use topoi::run::request::RunSettings;
use topoi::store::run::Run;
use topoi::store::{Access, Store};

/// Prints the corpora.
///
/// # Errors
/// When the store cannot be read or standard output cannot be written.
pub fn corpora(path: &Path, printing: Printing) -> anyhow::Result<()> {
    let corpora = Store::open(path, Access::Read)?.corpora()?;
    let has_parts = corpora.iter().any(|corpus| corpus.parts_elsewhere.is_some());
    let mut columns = vec!["name", "documents", "terms", "tokens", "nonzeros", "created_at"];
    if has_parts {
        columns.push("parts_elsewhere");
    }
    let mut table = Table::new(&columns);
    for corpus in corpora {
        table.rows.push(vec![
            json!(corpus.name),
            json!(corpus.documents),
            json!(corpus.terms),
            json!(corpus.tokens),
            json!(corpus.nonzeros),
            json!(corpus.created_at),
        ]);
        if let Some(row) = table.rows.last_mut().filter(|_| has_parts) {
            row.push(json!(corpus.parts_elsewhere));
        }
    }
    Ok(table.print(printing.output)?)
}

/// Prints the runs, newest first, after marking those whose worker died as interrupted
/// and starting those that may start.
///
/// # Errors
/// When the store cannot be read or standard output cannot be written.
pub fn runs(path: &Path, printing: Printing) -> anyhow::Result<()> {
    let store = Store::open(path, Access::Read)?;
    let mut runs = store.runs()?;
    if !runs.iter().all(|run| run.status.is_over()) {
        let writer = opened(path, Access::Write)?;
        reap(tend(&writer)?);
        runs = writer.runs()?;
    }
    let mut table = Table::new(&[
        "run",
        "corpus",
        "model",
        "k",
        "terms",
        "seed",
        "status",
        "seconds",
        "memory_mb",
        NPMI.id,
        "documents",
        "created_at",
    ]);
    let npmi = store.metric_of_runs(NPMI.id)?;
    for run in runs {
        let memory = run.peak_memory_bytes.map(|bytes| bytes as f64 / 1e6);
        table.rows.push(vec![
            json!(run.id),
            json!(run.corpus),
            json!(run.model),
            json!(run.k),
            json!(run.terms),
            json!(run.seed),
            Value::String(state_word(&store, &run)?.into()),
            json!(run.seconds),
            json!(memory),
            json!(npmi.get(&run.id)),
            json!(share(&run)),
            json!(run.created_at),
        ]);
    }
    Ok(table.print(printing.output)?)
}

/// Which part of the corpus a run is made from.
fn share(run: &Run) -> String {
    match RunSettings::share_of_documents(run) {
        1.0 => "all".into(),
        share => format!("{:.0}%", 100.0 * share),
    }
}
