//! `verify`.

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::attend::INTERRUPTED;
use super::bar::Bar;
use super::life_arguments::VerifyArgs;
use super::output::{Table, say};
use topoi::run::life::state_word;
use topoi::run::saved::verify::{Comparison, verify};
use topoi::store::run::Run;
use topoi::store::{Access, Store};

/// Recomputes a run and prints whether its corpus, vocabulary and result are the same to the
/// bit, a line each. Exit code 0 when they are, 1 when one is not. Saves nothing.
///
/// # Errors
/// When there is no such run, it has no result, or it cannot be recomputed.
pub fn verify_run(path: &Path, args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let store = Store::open(path, Access::Read)?;
    let row = store.run(args.run)?;
    anyhow::ensure!(
        row.result_hash.is_some(),
        "run {} is {} and has no result to verify",
        row.id,
        state_word(&store, &row)?
    );
    let bar = Bar::new(&format!("run {}", args.run))?;
    let found = verify(&store, &row, &bar);
    bar.finish();
    let found = match found {
        Err(error) if error.is_cancel() => return Ok(ExitCode::from(INTERRUPTED)),
        other => other?,
    };
    table(&found).print(args.printing.output)?;
    let differ: Vec<_> = found.iter().filter(|part| !part.is_same()).map(|p| p.what).collect();
    if differ.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    say(&format!("run {} is not the same: {}", row.id, why(&row, &differ)));
    Ok(ExitCode::FAILURE)
}

fn table(found: &[Comparison]) -> Table {
    let mut table = Table::new(&["what", "verdict", "saved", "recomputed"]);
    for part in found {
        table.rows.push(vec![
            json!(part.what),
            json!(if part.is_same() { "same" } else { "different" }),
            part.saved.as_ref().map_or(Value::Null, |hash| hex(hash)),
            hex(&part.recomputed),
        ]);
    }
    table
}

fn hex(hash: &[u8]) -> Value {
    Value::String(hash.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The first of corpus, vocabulary and result that differs is the cause of the others.
fn why(row: &Run, differ: &[&str]) -> String {
    let cause = match differ[0] {
        "corpus" => format!("corpus {} has changed since the run", row.corpus),
        "vocabulary" => "the same documents give another vocabulary".into(),
        _ => "the same documents and words give another result".into(),
    };
    let this = env!("CARGO_PKG_VERSION");
    match row.program_version.as_str() {
        made_by if made_by == this => format!("{cause} (both by topoi {this})"),
        "" => format!(
            "{cause}; it was made by an older version that did not say which, this is {this}"
        ),
        other => format!("{cause}; it was made by another version, topoi {other}, this is {this}"),
    }
}
