//! `delete documents`.

use std::path::{Path, PathBuf};

use super::consent::{Consent, all_counted, can_ask, would};
use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print, print_list};
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use crate::shown::{TerminalText, shown};
use anyhow::Context;
use topoi_core::numbers::{counted, thousands};
use topoi_run::life;
use topoi_store::corpus::delete::DocumentChoice;
use topoi_store::id::DocumentId;
use topoi_store::{Access, Store};

#[derive(Debug, clap::Args)]
#[group(id = "which", required = true, multiple = false, args = ["key", "keys", "condition"])]
pub struct DocumentsArgs {
    /// Name of the corpus
    corpus: String,
    /// The documents with these keys
    #[arg(long, value_name = "KEY", num_args = 1..)]
    key: Vec<String>,
    /// The documents whose keys this file has, one a line; - is standard input. Keys that the corpus
    /// does not have are counted
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// The documents of which this SQL is true, such as "fields->>'year' < 1990"; the columns are
    /// those of `document` in schema/README.md
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    printing: Printing,
}

/// The outcome for documents: what is, or would be, deleted. Nonzeros are counted during the deletion.
struct DeletedDocuments {
    documents: u64,
    tokens: u64,
    nonzeros: Option<u64>,
    documents_left: u64,
}

/// Deletes documents, after counting and confirmation, and prints the counts.
pub fn run(args: &DocumentsArgs, path: &StorePath) -> anyhow::Result<()> {
    let mut store = path.open(args.consent.access())?;
    // The user's SQL runs on a connection that cannot write.
    let reader = path.open(Access::Read)?;
    let corpus = store.corpus(&args.corpus)?;
    let ids = match (&args.condition, &args.keys) {
        (Some(condition), _) => {
            reader.select_documents(&args.corpus, DocumentChoice::Where(condition))?
        }
        (None, Some(file)) => documents_of_file(&reader, &args.corpus, file)?,
        (None, None) => reader.select_documents(&args.corpus, DocumentChoice::Keys(&args.key))?,
    };
    let (documents, tokens) = (ids.len() as u64, reader.tokens_of(corpus.id, &ids)?);
    let counts = all_counted(&[(documents, "document"), (tokens, "token")]);
    let all = thousands(corpus.documents);
    let what = format!("{counts} of the {all} documents of corpus {}", corpus.name);
    if !ids.is_empty() && (args.consent.dry_run || (!args.consent.yes && can_ask())) {
        say(&TerminalText::text(&first_of(&reader, &ids)?));
    }
    // An empty deletion needs no confirmation.
    let goes = (ids.is_empty() && !args.consent.dry_run) || args.consent.agree(&what)?;
    if !goes {
        let documents_left = corpus.documents.saturating_sub(documents);
        let found = DeletedDocuments { documents, tokens, nonzeros: None, documents_left };
        return print_documents(&found, &would(&what), args);
    }
    let deleted = life::delete::delete_documents(&mut store, &corpus, &ids)?;
    let corpus = store.corpus_by_id(corpus.id)?;
    let text = format!(
        "{} deleted\n{}: {} now\n",
        all_counted(&[(deleted.documents, "document"), (deleted.tokens, "token")]),
        corpus.name,
        all_counted(&[
            (corpus.documents, "document"),
            (corpus.tokens, "token"),
            (corpus.nonzeros, "nonzero"),
        ]),
    );
    let deleted = DeletedDocuments {
        documents: deleted.documents,
        tokens: deleted.tokens,
        nonzeros: Some(deleted.nonzeros),
        documents_left: corpus.documents,
    };
    print_documents(&deleted, &text, args)
}

/// The ids of the documents whose keys `file` has; says how many of the keys the corpus does not have.
pub fn documents_of_file(
    store: &Store,
    corpus: &str,
    file: &Path,
) -> anyhow::Result<Vec<DocumentId>> {
    let text = if file == Path::new("-") {
        std::io::read_to_string(std::io::stdin())
    } else {
        std::fs::read_to_string(file)
    };
    let text = text.with_context(|| format!("cannot read {}", file.display()))?;
    let keys = text.lines().map(str::trim).filter(|key| !key.is_empty());
    let keys: Vec<String> = keys.map(String::from).collect();
    let (ids, unknown) = store.documents_with_keys(corpus, &keys)?;
    if let Some(first) = unknown.first() {
        let count = counted(unknown.len() as u64, "key");
        let file = file.display();
        say(&shown!("{file}: corpus {corpus} has no document with {count}, such as {first:?}"));
    }
    Ok(ids)
}

/// Number of documents shown before they are deleted.
const SHOWN: usize = 10;

/// The first of the documents to be deleted, a line each.
fn first_of(store: &Store, ids: &[DocumentId]) -> anyhow::Result<String> {
    let mut lines = Vec::new();
    for &id in ids.iter().take(SHOWN) {
        if let Some(document) = store.document(id)? {
            let title = document.title.map(|title| format!(": {title}")).unwrap_or_default();
            lines.push(format!("  {}{title}", document.key));
        }
    }
    match ids.len().saturating_sub(SHOWN) {
        0 => {}
        more => lines.push(format!("  and {} more", thousands(more as u64))),
    }
    Ok(lines.join("\n"))
}

fn print_documents(
    found: &DeletedDocuments,
    text: &str,
    args: &DocumentsArgs,
) -> anyhow::Result<()> {
    let columns = columns!(DeletedDocuments: documents, tokens, nonzeros, documents_left);
    match args.printing.format() {
        OutputFormat::Table => Ok(print(&TerminalText::text(text))?),
        format => Ok(print_list(&columns, std::slice::from_ref(found), format)?),
    }
}
