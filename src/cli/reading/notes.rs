//! `notes`.

use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print_exact, print_list};
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::notes::columns;
use crate::shown::shown;
use topoi_run::notes::markdown;
use topoi_store::Access;
use topoi_store::id::RunId;
use topoi_store::note::NoteChoice;

/// List notes and bookmarks with their quotes and sources
///
/// `topoi note` and the key N of the workbench write them.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only notes with these words: in the note, the quote, its source, or what it is about
    #[arg(default_value = "", hide_default_value = true)]
    words: String,
    /// Only notes of this corpus
    #[arg(long, value_name = "NAME")]
    corpus: Option<String>,
    /// Only notes on this run and its topics
    #[arg(long, value_name = "RUN", value_parser = run_reference(), conflicts_with = "corpus")]
    run: Option<RunId>,
    /// Print them as Markdown
    #[arg(long, conflicts_with_all = ["output", "raw"])]
    markdown: bool,
    #[command(flatten)]
    printing: Printing,
}

pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    let store = path.open(Access::Read)?;
    let corpus = args.corpus.as_ref().map(|name| store.corpus(name)).transpose()?;
    if let Some(run) = args.run {
        store.run(run)?;
    }
    let choice =
        NoteChoice { corpus: corpus.map(|corpus| corpus.id), run: args.run, text: &args.words };
    let found = store.notes(choice)?;
    if args.markdown {
        return Ok(print_exact(&markdown(&found)).map(drop)?);
    }
    let format = args.printing.format();
    if found.is_empty() && format == OutputFormat::Table {
        say(&shown!("there is no such note; `topoi note` writes one, and N in the workbench"));
        return Ok(());
    }
    Ok(print_list(&columns(), &found, format)?)
}
