//! `similar`.

use crate::cli::output::print_list;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::run_reference::find_run;
use crate::cli::typed::store_path::StorePath;
use crate::records::found;
use topoi_core::shell_word::shell_word;
use topoi_run::saved::similar::{by_topics, by_vectors, by_words};
use topoi_store::corpus::Corpus;
use topoi_store::id::RunId;
use topoi_store::{Access, Store};

/// List the documents that are most like one, by their topics in a run, their words or their vectors
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number or name, as `topoi runs` lists it; with --words or --vectors, the corpus
    #[arg(value_name = "RUN")]
    of: String,
    /// The document's key, as `topoi documents` lists it
    document: String,
    /// Compare the words of a corpus's documents, for which no run is needed
    #[arg(long)]
    words: bool,
    /// Compare the vectors (embeddings) of a corpus's documents, which `topoi import --from embeddings` keeps
    #[arg(long, conflicts_with = "words")]
    vectors: bool,
    /// Rows to print at most
    #[arg(long, default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    printing: Printing,
}

/// Prints the nearest documents: by the Hellinger distance of their proportions, or by the cosine of their tf-idf
/// vectors or of those that were imported.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let run = match (args.words || args.vectors, args.of.parse::<RunId>()) {
        (true, _) => None,
        (false, Ok(number)) => Some(store.run(number)?),
        (false, Err(_)) => {
            let found = find_run(&args.of);
            Some(store.run(found.map_err(|e| {
                anyhow::anyhow!("{e}, and with --words or --vectors a corpus is named")
            })?)?)
        }
    };
    let corpus = store.corpus(run.as_ref().map_or(&args.of, |run| &run.corpus))?;
    store.require_documents(&corpus)?;
    let id = store.id_of_document(&corpus, &args.document)?;
    let similar = match &run {
        Some(run) => by_topics(&store, run, id, args.limit)?.ok_or_else(|| {
            let (run, corpus) = (run.id, shell_word(&corpus.name));
            anyhow::anyhow!(
                "run {run} did not look at document {:?}; `topoi similar --words {corpus} KEY` \
                 compares words",
                args.document
            )
        })?,
        None if args.vectors => by_vectors(&store, &corpus, id, args.limit)?
            .ok_or_else(|| without_vector(&store, &corpus, &args.document))?,
        None => by_words(&store, &corpus, id, args.limit)?,
    };
    Ok(print_list(&found::similar(), &similar, args.printing.format())?)
}

/// Why a document has no vector to compare.
fn without_vector(store: &Store, corpus: &Corpus, document: &str) -> anyhow::Error {
    let name = shell_word(&corpus.name);
    match store.embedding(corpus.id) {
        Err(error) => error.into(),
        Ok(Some(embedding)) if embedding.documents > 0 => anyhow::anyhow!(
            "document {document:?} has no vector from {}: it came or changed since; import vectors of all documents \
             with `topoi import FILE --corpus {name} --from embeddings`",
            embedding.source
        ),
        Ok(_) => anyhow::anyhow!(
            "{} has no vectors of its documents; import some with `topoi import FILE --corpus {name} --from embeddings`",
            corpus.name
        ),
    }
}
