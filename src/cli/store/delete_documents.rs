//! `delete documents`.

use crate::cli::arguments::Printing;
use crate::cli::output::{OutputFormat, print, print_list};
use crate::cli::store_path::StorePath;
use crate::records::column::columns;
use crate::records::numbers::thousands;
use topoi::store::Access;
use topoi::store::corpus::delete::Selection;

#[derive(Debug, clap::Args)]
#[group(id = "which", required = true, multiple = false, args = ["key", "condition"])]
pub struct DocumentsArgs {
    /// The corpus
    corpus: String,
    /// The documents with these keys
    #[arg(long, value_name = "KEY", num_args = 1..)]
    key: Vec<String>,
    /// The documents of which this SQL is true, such as "fields->>'year' < 1990"; the columns are
    /// those of `document` in schema/README.md
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
    /// Only say how many there are
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    printing: Printing,
}

/// The documents that were deleted, or would be; their tokens and nonzeros are counted as they go.
struct DeletedDocuments {
    documents: u64,
    tokens: Option<u64>,
    nonzeros: Option<u64>,
    documents_left: u64,
}

/// Deletes documents and prints how much that was.
///
/// # Errors
/// When a key is not there, the SQL is wrong, or the store cannot be written.
pub fn delete_documents(path: &StorePath, args: &DocumentsArgs) -> anyhow::Result<()> {
    let mut store = path.open(if args.dry_run { Access::Read } else { Access::Write })?;
    // The user's SQL gets a connection that cannot write.
    let reader = path.open(Access::Read)?;
    let corpus = store.corpus(&args.corpus)?;
    let selection = match &args.condition {
        Some(condition) => Selection::Where(condition),
        None => Selection::Keys(&args.key),
    };
    let ids = reader.select_documents(&args.corpus, selection)?;
    let format = args.printing.output;
    let columns = columns!(DeletedDocuments: documents, tokens, nonzeros, documents_left);
    if args.dry_run {
        let documents = ids.len() as u64;
        if format == OutputFormat::Table {
            let number = thousands(documents as i64);
            return Ok(print(&format!("{number} documents would be deleted; nothing was\n"))?);
        }
        let documents_left = corpus.documents;
        let found = DeletedDocuments { documents, tokens: None, nonzeros: None, documents_left };
        return Ok(print_list(&columns, &[found], format)?);
    }
    let deleted = store.delete_documents(corpus.id, &ids)?;
    let corpus = store.corpus_by_id(corpus.id)?;
    if format == OutputFormat::Table {
        return Ok(print(&format!(
            "{} documents, {} tokens deleted\n{}: {} documents, {} tokens, {} nonzeros now\n",
            thousands(deleted.documents as i64),
            thousands(deleted.tokens as i64),
            corpus.name,
            thousands(corpus.documents as i64),
            thousands(corpus.tokens as i64),
            thousands(corpus.nonzeros as i64),
        ))?);
    }
    let deleted = DeletedDocuments {
        documents: deleted.documents,
        tokens: Some(deleted.tokens),
        nonzeros: Some(deleted.nonzeros),
        documents_left: corpus.documents,
    };
    Ok(print_list(&columns, &[deleted], format)?)
}
