//! `stop-words`.

use serde::Serialize;

use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print, print_json, print_list};
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use crate::shown::shown;
use topoi_ingest::tokens::language::languages::{
    LANGUAGES, Language, keep_stop_words, list, unknown,
};
use topoi_store::Access;

/// List the languages that have stop words, or the words of one; or say that a corpus keeps its own
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The language, by its code: en, de, zh, …
    language: Option<String>,
    /// The stop words that are in this corpus are meant to be there: nothing more is said about them
    #[arg(long, value_name = "CORPUS", conflicts_with = "language")]
    keep: Option<String>,
    #[command(flatten)]
    printing: Printing,
}

/// A language in the list.
#[derive(Debug, Serialize)]
struct LanguageRow {
    code: &'static str,
    language: &'static str,
    words: usize,
}

/// A word of a list.
#[derive(Debug, Serialize)]
struct WordRow<'a> {
    word: &'a str,
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    if let Some(name) = &args.keep {
        let store = store.open(Access::Write)?;
        let corpus = store.corpus(name)?;
        keep_stop_words(&store, &corpus)?;
        say(&shown!("{name} keeps its stop words"));
        return Ok(());
    }
    let format = args.printing.format();
    let Some(code) = &args.language else {
        let row = |&Language { code, name }: &Language| {
            let words = list(code).map_or(0, |words| words.lines().count());
            LanguageRow { code, language: name, words }
        };
        let rows: Vec<LanguageRow> = LANGUAGES.iter().map(row).collect();
        return match format {
            OutputFormat::Json | OutputFormat::JsonLines => Ok(print_json(&rows, format)?),
            _ => Ok(print_list(&columns!(LanguageRow: code, language, words), &rows, format)?),
        };
    };
    let words = list(code).ok_or_else(|| unknown(code))?;
    match format {
        // The output is a file for --stop-words and --drop.
        OutputFormat::Table => Ok(print(&shown!("{words}\n"))?),
        OutputFormat::Json | OutputFormat::JsonLines => {
            Ok(print_json(&words.lines().collect::<Vec<_>>(), format)?)
        }
        _ => {
            let rows: Vec<WordRow<'_>> = words.lines().map(|word| WordRow { word }).collect();
            Ok(print_list(&columns!(WordRow<'_>: word), &rows, format)?)
        }
    }
}
