//! Runs on the command line: by number, by name, or the latest of a corpus.

use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::builder::{StringValueParser, TypedValueParser};

use super::store_path::StorePath;
use crate::cli::remedy::explained;
use topoi_store::id::RunId;
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Access, Store};

/// What follows the name of a corpus in place of a run's number.
const LATEST: &str = "@latest";

/// The store of `--store`, which names of runs are looked up in.
static STORE: OnceLock<Option<PathBuf>> = OnceLock::new();

/// Remembers `--store` of these arguments: the parsers of single arguments do not see the others.
pub fn look_up_in_store_of(arguments: &[String]) {
    let after = |(at, argument): (usize, &String)| match argument.strip_prefix("--store") {
        Some("") => arguments.get(at + 1).cloned(),
        Some(rest) => rest.strip_prefix('=').map(String::from),
        None => None,
    };
    let path = arguments.iter().enumerate().find_map(after).map(PathBuf::from);
    STORE.get_or_init(|| path);
}

/// Parses a run: its number, the name that `topoi name` gave it, or CORPUS@latest, the newest finished run of a
/// corpus. The store is opened only for the last two.
pub fn run_reference() -> impl TypedValueParser<Value = RunId> {
    StringValueParser::new().try_map(|text| match text.parse() {
        Ok(number) => Ok(number),
        Err(_) => find_run(&text).map_err(|error| RunLookupError(explained(error.as_ref()))),
    })
}

/// Why there is no such run: an error of what was asked for, not of how it was typed.
#[derive(Debug)]
pub struct RunLookupError(String);

impl fmt::Display for RunLookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RunLookupError {}

/// The run of this name, or of CORPUS@latest.
pub fn find_run(text: &str) -> anyhow::Result<RunId> {
    let store = StorePath::find(STORE.get().cloned().flatten()).open(Access::Read)?;
    match text.strip_suffix(LATEST) {
        Some(corpus) => latest(&store, corpus),
        None => named(&store.runs()?, text),
    }
}

/// The newest finished run of a corpus.
fn latest(store: &Store, corpus: &str) -> anyhow::Result<RunId> {
    let corpus = store.corpus(corpus)?;
    let runs = store.runs()?;
    let mut finished =
        runs.iter().filter(|run| run.corpus_id == corpus.id && run.status == RunStatus::Finished);
    match finished.next() {
        Some(run) => Ok(run.id),
        None => anyhow::bail!(
            "corpus {:?} has no finished run; start one with `topoi run`",
            corpus.name
        ),
    }
}

/// The one of `runs` with this name.
fn named(runs: &[Run], name: &str) -> anyhow::Result<RunId> {
    let mut named: Vec<RunId> =
        runs.iter().filter(|run| run.name.as_deref() == Some(name)).map(|run| run.id).collect();
    named.sort_unstable();
    match &named[..] {
        [run] => Ok(*run),
        [] if runs.iter().any(|run| run.corpus == name) => {
            anyhow::bail!("no run has this name; the newest of corpus {name:?} is {name}@latest")
        }
        [] => anyhow::bail!("no run has this number or name; `topoi runs` lists them"),
        several => {
            let numbers: Vec<String> = several.iter().map(RunId::to_string).collect();
            anyhow::bail!("runs {} have this name; give a number", numbers.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_that_of_one_run() {
        let run = |id, name: &str| Run { id: RunId(id), name: Some(name.into()), ..Run::default() };
        let runs = [run(5, "draft"), run(3, "final"), run(2, "draft"), Run::default()];
        assert_eq!(named(&runs, "final").expect("one"), RunId(3));
        let error = |name: &str| named(&runs, name).expect_err("none").to_string();
        assert_eq!(error("draft"), "runs 2, 5 have this name; give a number");
        assert!(error("Final").starts_with("no run has this number or name"));
        let of_news = [Run { corpus: "news".into(), ..Run::default() }];
        let told = named(&of_news, "news").expect_err("none").to_string();
        assert_eq!(told, "no run has this name; the newest of corpus \"news\" is news@latest");
    }
}
