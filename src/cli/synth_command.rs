//! `synth`.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::json;

use super::attend::INTERRUPTED;
use super::bar::Bar;
use super::output::{Table, say};
use super::synth_arguments::{Kind, SemiArgs, SynthArgs, Target};
use topoi::run::saved::semi_topics::semi_topics;
use topoi::store::{Access, Store};
use topoi::synth::KnownCorpus;
use topoi::synth::bitmap::bitmap;
use topoi::synth::files::{CorpusFiles, Counts, write_files};
use topoi::synth::lda::lda;
use topoi::synth::semi::semi;
use topoi::synth::separable::separable;
use topoi::synth::swimmer::swimmer;
use topoi::synth::zipf::zipf;

/// How long it may take before progress is shown.
const PATIENCE: Duration = Duration::from_secs(2);

/// Makes a corpus with known truth and prints the sizes and the files.
///
/// # Errors
/// When a setting is out of its range, there is no such run, or the files cannot be written.
pub fn synth(path: &Path, args: &SynthArgs) -> anyhow::Result<ExitCode> {
    let (target, corpus) = match &args.kind {
        Kind::Lda(args) => (&args.target, lda(&args.settings())?),
        Kind::Separable(args) => (&args.target, separable(&args.settings())?),
        Kind::Semi(args) => (&args.target, from_run(path, args)?),
        Kind::Swimmer(args) => (&args.target, swimmer(&args.settings())?),
        Kind::Zipf(args) => (&args.target, zipf(&args.settings())?),
        Kind::Bitmap(args) => (&args.target, bitmap(&args.settings())?),
    };
    write(target, corpus)
}

fn from_run(path: &Path, args: &SemiArgs) -> anyhow::Result<KnownCorpus> {
    let store = Store::open(path, Access::Read)?;
    let (words, topics) = semi_topics(&store, args.from)?;
    let row = store.run(args.from)?;
    let from = format!("run {} ({} of {}, k = {})", row.id, row.model, row.corpus, row.k);
    Ok(semi(words, topics, &args.settings(from))?)
}

fn write(target: &Target, corpus: KnownCorpus) -> anyhow::Result<ExitCode> {
    let destination = target.destination(corpus.kind);
    let (kind, words, topics) = (corpus.kind, corpus.words.len(), corpus.topics.len());
    let bar = Bar::titled(&destination.name, PATIENCE)?;
    let written = write_files(corpus, &destination, &bar);
    bar.finish();
    let (files, counts) = match written {
        Err(error) if error.is_cancel() => {
            say(&error.to_string());
            return Ok(ExitCode::from(INTERRUPTED));
        }
        other => other?,
    };
    table(kind, words, topics, &files, counts).print(target.output)?;
    let (name, documents) = (&destination.name, files.documents.display());
    say(&format!("next: topoi ingest {name} {documents}"));
    Ok(ExitCode::SUCCESS)
}

fn table(kind: &str, words: usize, topics: usize, files: &CorpusFiles, counts: Counts) -> Table {
    let columns = ["kind", "documents", "words", "topics", "tokens", "nonzeros", "corpus", "truth"];
    let mut table = Table::new(&columns);
    table.rows.push(vec![
        json!(kind),
        json!(counts.documents),
        json!(words),
        json!(topics),
        json!(counts.tokens),
        json!(counts.nonzeros),
        json!(files.documents.to_string_lossy()),
        json!(files.topics.to_string_lossy()),
    ]);
    table
}
