//! `documents`.

use std::path::Path;

use super::arguments::Printing;
use super::output::print_list;
use crate::records::documents;
use topoi::run::saved::topic_documents::topic_documents;
use topoi::store::{Access, Store};

/// Arguments of `documents`.
#[derive(Debug, clap::Args)]
pub struct DocumentsArgs {
    /// The corpus
    corpus: String,
    /// Rows to print at most
    #[arg(long, default_value_t = 50)]
    limit: usize,
    /// List those that are most about a topic of this run
    #[arg(long, requires = "topic")]
    run: Option<i64>,
    /// The topic, 0 to K − 1
    #[arg(long, requires = "run")]
    topic: Option<u64>,
    #[command(flatten)]
    printing: Printing,
}

/// Prints the first documents of a corpus, or those that are most about a topic.
///
/// # Errors
/// When there is no such corpus, run or topic, or standard output cannot be written.
pub fn list_documents(path: &Path, args: &DocumentsArgs) -> anyhow::Result<()> {
    let store = Store::open(path, Access::Read)?;
    let corpus = store.corpus(&args.corpus)?;
    store.require_documents(&corpus)?;
    if let (Some(run), Some(topic)) = (args.run, args.topic) {
        return of_topic(&store, args, run, topic);
    }
    let found = store.documents(corpus.id, 0, args.limit)?;
    Ok(print_list(&documents::columns(), &found, args.printing.output)?)
}

fn of_topic(store: &Store, args: &DocumentsArgs, run: i64, topic: u64) -> anyhow::Result<()> {
    let row = store.run(run)?;
    if row.corpus != args.corpus {
        anyhow::bail!("run {run} is of corpus {}; name that corpus, or another run", row.corpus);
    }
    let found = topic_documents(store, &row, topic, args.limit)?;
    Ok(print_list(&documents::of_topic(), &found, args.printing.output)?)
}
