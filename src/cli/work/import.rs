//! `import`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use serde::Serialize;
use strum::VariantArray;

use crate::cli::attend::attend;
use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print_outcome};
use crate::cli::typed::arguments::{Printing, named};
use crate::cli::typed::run_arguments::{CommonOptions, ScoringArgs};
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use crate::shown::{TerminalText, shown};
use topoi_core::numbers::thousands;
use topoi_run::request::Origin;
use topoi_run::request::document_topics::AssignedDocuments;
use topoi_run::request::imported::{Import, ImportFormat};
use topoi_store::{Access, Store};

/// Make a run of the topics that another program found, to browse and compare them here, or keep vectors of documents
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The file with the topics or vectors; of --from npy also the folder of an export
    file: PathBuf,
    /// The corpus they are of
    #[arg(long)]
    corpus: String,
    /// What the file looks like
    #[arg(long, value_parser = named(ImportFormat::VARIANTS, |it| it.name(), |it| it.help()))]
    from: ImportFormat,
    /// Of --from npy: the words of the array's columns, one a line or an array of JSON [default: words.json or words.txt
    /// beside it]
    #[arg(long, value_name = "FILE")]
    vocab: Option<PathBuf>,
    /// Of --from embeddings: the documents' keys of the array's rows, one a line or an array of JSON [default:
    /// documents.json or keys.txt beside it, else the order of the documents]
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// Of --from embeddings: make a run with K topics, the clusters of the vectors
    #[arg(short, long, value_name = "K")]
    k: Option<usize>,
    #[command(flatten)]
    scoring: ScoringArgs,
    #[command(flatten)]
    options: CommonOptions,
    /// Start the work and return at once
    #[arg(long)]
    detach: bool,
    #[command(flatten)]
    printing: Printing,
}

/// The outcome: vectors that are kept.
#[derive(Serialize)]
struct KeptVectors {
    corpus: String,
    dimensions: u64,
    documents: u64,
    without_vector: u64,
    matched_by: String,
}

/// Makes a run of the topics in a file, with documents and metrics as for any run, or keeps vectors of documents.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<ExitCode> {
    let is_of_vectors = args.from == ImportFormat::Embeddings;
    if !is_of_vectors && args.keys.is_some() {
        bail!(
            "--keys names the rows of --from embeddings; leave it out, or name words with --vocab"
        );
    }
    if is_of_vectors && args.vocab.is_some() {
        bail!(
            "--vocab names the words of --from npy; name the rows of --from embeddings with --keys"
        );
    }
    let mut store = store.open(Access::Write)?;
    let list = args.keys.as_deref().or(args.vocab.as_deref());
    let (import, found) = Import::from_file(&args.file, args.from, list)?;
    let k = match (is_of_vectors, args.k) {
        (false, Some(_)) => {
            bail!("-k is for clusters of --from embeddings; {} has its topics", args.from.name())
        }
        (false, None) => found,
        (true, k) => {
            let kept = keep_vectors(&mut store, &import, &args.corpus, k)?;
            let Some(k) = k else {
                return print_kept(&kept, args.printing.format());
            };
            say(&kept.text());
            k
        }
    };
    if let Some(found) = AssignedDocuments::from_import(&store, &import, &args.corpus)? {
        say(&shown!(
            "{} of {} rows are documents of {}, by their {}",
            thousands(found.documents() as u64),
            thousands(found.rows as u64),
            args.corpus,
            found.matched_by
        ));
    }
    let request = args.options.request(Some(&store), &args.corpus, Origin::Import(import), k)?;
    let request = args.scoring.applied_to(request)?;
    let number = request.submit(&store)?;
    attend(&store, number, args.detach, args.printing.format())
}

/// Keeps the vectors of a file in place of those that the corpus has; for `k` clusters if there are enough.
fn keep_vectors(
    store: &mut Store,
    import: &Import,
    corpus: &str,
    k: Option<usize>,
) -> anyhow::Result<KeptVectors> {
    let Some(matched) = import.vectors(store, corpus)? else {
        unreachable!("a file of vectors has vectors")
    };
    k.map_or(Ok(()), |k| matched.check_clusters(k))?;
    let row = store.corpus(corpus)?;
    let name = import.path.file_name().unwrap_or_default().to_string_lossy();
    store.save_vectors(row.id, (&name, &import.hash), &matched.found, |_| {})?;
    let documents = matched.found.ids.len() as u64;
    Ok(KeptVectors {
        corpus: row.name,
        dimensions: matched.found.vectors.dimensions() as u64,
        documents,
        without_vector: row.documents.saturating_sub(documents),
        matched_by: matched.matched_by.to_string(),
    })
}

impl KeptVectors {
    fn text(&self) -> TerminalText {
        let without = match self.without_vector {
            0 => String::new(),
            count => format!("; {} have none", thousands(count)),
        };
        shown!(
            "{} documents of {} have vectors of {} dimensions, by their {}{without}",
            thousands(self.documents),
            self.corpus,
            self.dimensions,
            self.matched_by
        )
    }
}

fn print_kept(kept: &KeptVectors, format: OutputFormat) -> anyhow::Result<ExitCode> {
    let columns = columns!(KeptVectors: corpus, dimensions, documents, without_vector, matched_by);
    print_outcome(kept, &columns, &shown!("{}\n", kept.text()), format)?;
    Ok(ExitCode::SUCCESS)
}
