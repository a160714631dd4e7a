//! `vocabularies`.

use crate::cli::output::print_list;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use topoi_store::Access;
use topoi_store::corpus::vocabulary::NamedVocabulary;

/// List a corpus's named vocabularies
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the corpus
    corpus: String,
    #[command(flatten)]
    printing: Printing,
}

pub fn run(arguments: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let corpus = store.corpus(&arguments.corpus)?;
    let columns = columns!(NamedVocabulary: name, terms, "rules" = settings, created_at);
    let rows = store.named_vocabularies(corpus.id)?;
    Ok(print_list(&columns, &rows, arguments.printing.format())?)
}
