//! `synth`.

use crate::shown::{TerminalText, shown};
use std::process::ExitCode;
use std::time::Duration;

pub use super::synth_arguments::SynthArgs as Arguments;
use super::synth_arguments::{Kind, SemiArgs, Target};
use crate::cli::attend::INTERRUPTED;
use crate::cli::bar::Bar;
use crate::cli::messages::say;
use crate::cli::output::print_list;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use topoi_core::shell_word::{path_word, shell_word};
use topoi_core::synth::KnownCorpus;
use topoi_core::synth::bitmap::bitmap;
use topoi_core::synth::files::write_files;
use topoi_core::synth::lda::lda;
use topoi_core::synth::semi::semi;
use topoi_core::synth::separable::separable;
use topoi_core::synth::swimmer::swimmer;
use topoi_core::synth::zipf::zipf;
use topoi_run::saved::topics::semi_topics;
use topoi_store::Access;

/// How long the work may take before progress is shown.
const PATIENCE: Duration = Duration::from_secs(2);

/// The sizes and the files of a corpus with known topics.
struct SynthReport {
    kind: &'static str,
    documents: u64,
    words: usize,
    topics: usize,
    tokens: u64,
    nonzeros: u64,
    corpus: String,
    truth: String,
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<ExitCode> {
    let (target, corpus) = match &args.kind {
        Kind::Lda(args) => {
            (&args.target, args.faults.faults().plant(lda(&args.settings())?, args.target.seed)?)
        }
        Kind::Separable(args) => (&args.target, separable(&args.settings())?),
        Kind::Semi(args) => (&args.target, from_run(store, args)?),
        Kind::Swimmer(args) => (&args.target, swimmer(&args.settings())?),
        Kind::Zipf(args) => (&args.target, zipf(&args.settings())?),
        Kind::Bitmap(args) => (&args.target, bitmap(&args.settings())?),
    };
    write(target, corpus)
}

fn from_run(store: &StorePath, args: &SemiArgs) -> anyhow::Result<KnownCorpus> {
    let store = store.open(Access::Read)?;
    let (words, topics) = semi_topics(&store, args.from)?;
    let row = store.run(args.from)?;
    let from = format!("run {} ({} of {}, k = {})", row.id, row.model, row.corpus, row.k);
    let corpus = semi(words, topics, &args.settings(from))?;
    Ok(args.faults.faults().plant(corpus, args.target.seed)?)
}

fn write(target: &Target, corpus: KnownCorpus) -> anyhow::Result<ExitCode> {
    let destination = target.destination(corpus.kind);
    let (kind, words, topics) = (corpus.kind, corpus.words.len(), corpus.topics.len());
    let bar = Bar::titled(&TerminalText::line(&destination.name), PATIENCE)?;
    let written = write_files(corpus, &destination, &bar);
    bar.finish();
    let (files, counts) = match written {
        Err(error) if error.is_cancel() => {
            say(&shown!("{error}"));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        other => other?,
    };
    let made = SynthReport {
        kind,
        documents: counts.documents,
        words,
        topics,
        tokens: counts.tokens,
        nonzeros: counts.nonzeros,
        corpus: files.documents.to_string_lossy().into(),
        truth: files.topics.to_string_lossy().into(),
    };
    let columns =
        columns!(SynthReport: kind, documents, words, topics, tokens, nonzeros, corpus, truth);
    print_list(&columns, &[made], target.output)?;
    let (name, documents) = (shell_word(&destination.name), path_word(&files.documents));
    say(&shown!("next: topoi ingest {name} {documents}"));
    Ok(ExitCode::SUCCESS)
}
