//! `corpora`, `documents`, `terms`, `runs`.

use std::path::Path;

use serde_json::{Value, json};

use super::arguments::{ListOfCorpus, Printing};
use super::output::Table;
use crate::run::life::state_word;
use crate::run::queue::tend;
use crate::run::spawn::reap;
use crate::store::Store;

/// Prints the corpora.
///
/// # Errors
/// When the store cannot be read or standard output cannot be written.
pub fn corpora(path: &Path, printing: Printing) -> anyhow::Result<()> {
    let mut table = Table::new(&["name", "documents", "terms", "tokens", "nonzeros", "created_at"]);
    for corpus in Store::open_existing(path)?.corpora()? {
        table.rows.push(vec![
            json!(corpus.name),
            json!(corpus.documents),
            json!(corpus.terms),
            json!(corpus.tokens),
            json!(corpus.nonzeros),
            json!(corpus.created_at),
        ]);
    }
    Ok(table.print(printing.output)?)
}

/// Prints the first documents of a corpus.
///
/// # Errors
/// When the store cannot be read or standard output cannot be written.
pub fn documents(path: &Path, list: &ListOfCorpus) -> anyhow::Result<()> {
    let store = Store::open_existing(path)?;
    let corpus = store.corpus(&list.corpus)?;
    let mut table = Table::new(&["id", "key", "tokens", "title", "source"]);
    for document in store.documents(corpus.id, 0, list.limit)? {
        table.rows.push(vec![
            json!(document.id),
            json!(document.key),
            json!(document.tokens),
            json!(document.title),
            json!(document.source),
        ]);
    }
    Ok(table.print(list.printing.output)?)
}

/// Prints the runs, newest first, after marking those whose worker died as interrupted
/// and starting those that may start.
///
/// # Errors
/// When the store cannot be read or standard output cannot be written.
pub fn runs(path: &Path, printing: Printing) -> anyhow::Result<()> {
    let store = Store::open_existing(path)?;
    let mut runs = store.runs()?;
    if !runs.iter().all(|run| run.status.is_over()) {
        let writer = Store::open(path)?;
        reap(tend(&writer)?);
        runs = writer.runs()?;
    }
    let mut table = Table::new(&[
        "run",
        "corpus",
        "model",
        "k",
        "seed",
        "status",
        "seconds",
        "memory_mb",
        "npmi",
        "created_at",
    ]);
    for run in runs {
        let npmi = store.run_metric(run.id, "npmi")?;
        let memory = run.peak_memory_bytes.map(|bytes| bytes as f64 / 1e6);
        table.rows.push(vec![
            json!(run.id),
            json!(run.corpus),
            json!(run.model),
            json!(run.k),
            json!(run.seed),
            Value::String(state_word(&store, &run)?.into()),
            json!(run.seconds),
            json!(memory),
            json!(npmi),
            json!(run.created_at),
        ]);
    }
    Ok(table.print(printing.output)?)
}
