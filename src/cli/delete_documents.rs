//! `delete documents`.

use std::path::Path;

use serde_json::json;

use super::arguments::Printing;
use super::output::{OutputFormat, Table, print, thousands};
use super::store_path::opened;
use topoi::store::corpus::delete::Selection;
use topoi::store::{Access, Store};

/// Arguments of `delete documents`.
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

/// Deletes documents and prints how much that was.
///
/// # Errors
/// When a key is not there, the SQL is wrong, or the store cannot be written.
pub fn delete_documents(path: &Path, args: &DocumentsArgs) -> anyhow::Result<()> {
    let mut store = opened(path, if args.dry_run { Access::Read } else { Access::Write })?;
    // The user's SQL gets a connection that cannot write.
    let reader = Store::open(path, Access::Read)?;
    let corpus = store.corpus(&args.corpus)?;
    let selection = match &args.condition {
        Some(condition) => Selection::Where(condition),
        None => Selection::Keys(&args.key),
    };
    let ids = reader.select_documents(&args.corpus, selection)?;
    if args.dry_run {
        let number = thousands(ids.len() as i64);
        return Ok(print(&format!("{number} documents would be deleted; nothing was\n"))?);
    }
    let deleted = store.delete_documents(corpus.id, &ids)?;
    let corpus = store.corpus_by_id(corpus.id)?;
    if args.printing.output == OutputFormat::Table {
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
    let mut table = Table::new(&["documents", "tokens", "nonzeros", "documents_left"]);
    table.rows.push(vec![
        json!(deleted.documents),
        json!(deleted.tokens),
        json!(deleted.nonzeros),
        json!(corpus.documents),
    ]);
    Ok(table.print(args.printing.output)?)
}
