//! `unify`.

use std::path::PathBuf;

use crate::cli::in_parts::{PartsArgs, in_parts};
use crate::cli::output::print_list;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::{self, StorePath};
use crate::records::column::columns;
use topoi_core::stream::parts::Parts;
use topoi_mpi::unify::{call_off, unify};
use topoi_store::part::unify::PartTerms;
use topoi_store::{Access, Store};

/// Give stores that were filled on several machines one vocabulary, to run models on all of them
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The stores of the parts, in the order of their numbers
    #[arg(required_unless_present = "parts", conflicts_with = "parts", value_name = "PART")]
    stores: Vec<PathBuf>,
    #[command(flatten)]
    place: PartsArgs,
    /// The corpus's name, in every part and in the store of the whole
    #[arg(long, value_name = "NAME")]
    corpus: String,
    #[command(flatten)]
    printing: Printing,
}

/// A corpus in parts.
struct UnifiedCorpus {
    corpus: String,
    parts: usize,
    documents: u64,
    terms: u64,
    tokens: u64,
    nonzeros: u64,
}

pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    match &args.place.parts {
        Some(pattern) => in_parts(&args.place, |parts| unify_as_part(path, args, pattern, parts)),
        None => {
            let name = &args.corpus;
            // All parts are read before a store is created for the whole.
            let terms = args.stores.iter().map(|part| PartTerms::from_store(part, name));
            let terms: Vec<PartTerms> = terms.collect::<Result<_, _>>()?;
            let mut store = path.open(Access::Create)?;
            let told = store.unify(name, &terms)?;
            for (part, told) in args.stores.iter().zip(&told) {
                store_path::open(part, Access::Write)?.assign_part(name, told)?;
            }
            print_whole(&store, args, told.len())
        }
    }
}

fn unify_as_part(
    path: &StorePath,
    args: &Arguments,
    pattern: &str,
    parts: &dyn Parts,
) -> anyhow::Result<()> {
    if parts.number() > 0 {
        // Part 0 reports the same error for all parts.
        let _ = unify(None, &args.corpus, pattern, parts);
        return Ok(());
    }
    let mut store = path.open(Access::Create).inspect_err(|_| call_off(parts))?;
    let count = unify(Some(&mut store), &args.corpus, pattern, parts)?;
    print_whole(&store, args, count)
}

fn print_whole(store: &Store, args: &Arguments, parts: usize) -> anyhow::Result<()> {
    let corpus = store.corpus(&args.corpus)?;
    let whole = UnifiedCorpus {
        corpus: corpus.name,
        parts,
        documents: corpus.documents,
        terms: corpus.terms,
        tokens: corpus.tokens,
        nonzeros: corpus.nonzeros,
    };
    let columns = columns!(UnifiedCorpus: corpus, parts, documents, terms, tokens, nonzeros);
    Ok(print_list(&columns, &[whole], args.printing.format())?)
}
