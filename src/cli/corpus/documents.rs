//! `documents`.

use crate::cli::arguments::Printing;
use crate::cli::output::print_list;
use crate::cli::store_path::StorePath;
use crate::records::documents;
use topoi::run::saved::topics::topic_documents;
use topoi::store::{Access, Store};

/// List a corpus's documents, or those that are most about a topic
#[derive(Debug, clap::Args)]
pub struct Arguments {
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

pub fn run(arguments: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let corpus = store.corpus(&arguments.corpus)?;
    store.require_documents(&corpus)?;
    if let (Some(run), Some(topic)) = (arguments.run, arguments.topic) {
        return of_topic(&store, arguments, run, topic);
    }
    let found = store.documents(corpus.id, 0, arguments.limit)?;
    Ok(print_list(&documents::columns(), &found, arguments.printing.format())?)
}

fn of_topic(store: &Store, arguments: &Arguments, run: i64, topic: u64) -> anyhow::Result<()> {
    let row = store.run(run)?;
    if row.corpus != arguments.corpus {
        anyhow::bail!("run {run} is of corpus {}; name that corpus, or another run", row.corpus);
    }
    let found = topic_documents(store, &row, topic, arguments.limit)?;
    Ok(print_list(&documents::of_topic(), &found, arguments.printing.format())?)
}
