//! `demo`: the sample corpora in a store of their own, with a run on each, in the workbench.

use crate::shown::shown;
use crate::tui;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use topoi_store::id::RunId;

use crate::cli::follow::follow;
use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print};
use crate::cli::saved::topics::print_lines;
use crate::cli::typed::store_path::{self, StorePath};
use topoi_core::metric::words::ranking::Ranking;
use topoi_ingest::{IngestRequest, NoProgress, ingest};
use topoi_run::life::queue::start_queued;
use topoi_run::life::spawn::reap;
use topoi_run::request::RunRequest;
use topoi_store::run::RunStatus;
use topoi_store::{Access, Store};

/// Fill a store with the sample corpora, run a model on each, open the workbench
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// A sample corpus built into the program, with the settings of its run.
struct Sample {
    corpus: &'static str,
    files: &'static [(&'static str, &'static str)],
    topics: usize,
}

const SAMPLES: &[Sample] = &[
    Sample {
        corpus: "eight-subjects",
        files: &[(
            "eight_subjects.jsonl",
            include_str!("../../../sample_corpora/eight_subjects.jsonl"),
        )],
        topics: 8,
    },
    Sample {
        corpus: "swimmer",
        files: &[
            ("docword.swimmer.txt", include_str!("../../../sample_corpora/docword.swimmer.txt")),
            ("vocab.swimmer.txt", include_str!("../../../sample_corpora/vocab.swimmer.txt")),
        ],
        topics: 13,
    },
];

/// Path of the demonstration's store: beside the default store, unless `--store` or `$TOPOI_STORE` names one.
fn demo_store_path(store: &StorePath) -> anyhow::Result<PathBuf> {
    let path = store.path()?;
    Ok(if store.is_named { path.to_path_buf() } else { path.with_file_name("demo.db") })
}

/// Fills the store, runs a model on each corpus, and prints the topics; on a terminal the workbench opens instead. A
/// second call reuses the store.
pub fn run(_: &Arguments, store: &StorePath) -> anyhow::Result<ExitCode> {
    let path = demo_store_path(store)?;
    let store = store_path::open(&path, Access::Create)?;
    say(&shown!("the demonstration's store is {}", path.display()));
    let is_terminal = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    for sample in SAMPLES {
        add_documents(&store, sample)?;
        let run = run_of(&store, sample)?;
        if !is_terminal {
            let topics = store.topics(run, 8)?;
            print(&shown!("\n{}: run {run}, {} topics\n", sample.corpus, topics.len()))?;
            print_lines(&topics, Ranking::Probability, false, OutputFormat::Table)?;
        }
    }
    if is_terminal {
        drop(store);
        return Ok(ExitCode::from(
            u8::try_from(tui::open(&path, tui::WorkbenchOptions::configured())?).unwrap_or(1),
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// Ingests a sample from files, as users do; existing documents are skipped.
fn add_documents(store: &Store, sample: &Sample) -> anyhow::Result<()> {
    let directory = std::env::temp_dir().join(format!("topoi-demo-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    for (name, content) in sample.files {
        std::fs::write(directory.join(name), content)?;
    }
    let request = IngestRequest::new(sample.corpus, [directory.join(sample.files[0].0)]);
    let summary = ingest(store, &request, &NoProgress);
    std::fs::remove_dir_all(&directory)?;
    let corpus = summary?.corpus;
    say(&shown!(
        "{}: {} documents, {} terms, {} tokens",
        corpus.name,
        corpus.documents,
        corpus.terms,
        corpus.tokens
    ));
    Ok(())
}

/// The number of a finished run of the sample, which is created if there is none.
fn run_of(store: &Store, sample: &Sample) -> anyhow::Result<RunId> {
    let finished = store.runs()?.into_iter().find(|run| {
        run.corpus == sample.corpus
            && run.k == sample.topics as u64
            && run.status == RunStatus::Finished
    });
    if let Some(run) = finished {
        return Ok(run.id);
    }
    let number = RunRequest::new(sample.corpus, sample.topics).submit(store)?;
    reap(start_queued(store)?);
    let run = follow(store, number, &AtomicBool::new(false))?;
    if run.status != RunStatus::Finished {
        let reason = run.error.unwrap_or_default();
        anyhow::bail!("run {number} was {}: {reason}", run.status.as_str());
    }
    say(&shown!("run {number}: {} topics in {:.2} s", run.k, run.seconds.unwrap_or_default()));
    Ok(number)
}
