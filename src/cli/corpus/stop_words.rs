//! `stop-words`.

use anyhow::Context;
use serde::Serialize;
use serde_json::json;

use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print, print_json, print_list};
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::{Column, Kind, columns};
use crate::shown::shown;
use topoi_core::numbers::counted;
use topoi_core::shell_word::shell_word;
use topoi_ingest::tokens::language::languages::{
    LANGUAGES, Language, keep_stop_words, list, unknown,
};
use topoi_run::saved::common_words::{CommonWord, CommonWords, common_words};
use topoi_run::saved::topics::newest_run;
use topoi_store::id::TopicNumber;
use topoi_store::{Access, Store};

/// List the languages that have stop words, or the words of one; suggest words of a corpus to leave out
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The language, by its code: en, de, zh, …
    language: Option<String>,
    /// The stop words that are in this corpus are meant to be there: nothing more is said about them
    #[arg(long, value_name = "CORPUS", conflicts_with = "language")]
    keep: Option<String>,
    /// Words of this corpus that are in many documents and in most topics of its newest run alike: a list for
    /// `run --stop-list`, with what leaving them out would do
    #[arg(long, value_name = "CORPUS", conflicts_with_all = ["language", "keep"])]
    suggest: Option<String>,
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
    if let Some(name) = &args.suggest {
        return suggest(&store.open(Access::Read)?, name, args.printing.format());
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

/// Prints the words that are everywhere, and says what leaving them out would do.
fn suggest(store: &Store, name: &str, format: OutputFormat) -> anyhow::Result<()> {
    let corpus = store.corpus(name)?;
    let run = newest_run(store, &corpus)?.with_context(|| {
        format!(
            "{name} has no run whose topics its words could be in; `topoi run {}` makes one",
            shell_word(name)
        )
    })?;
    let CommonWords { words, topics, tokens, too_short } = common_words(store, &run)?;
    if words.is_empty() {
        say(&shown!(
            "no word is in many documents of {name} and in most topics of run {} alike",
            run.id
        ));
    }
    match format {
        // The output is a file for --stop-list, as that of a language is.
        OutputFormat::Table => {
            let lines: String = words.iter().map(|word| format!("{}\n", word.word)).collect();
            print(&shown!("{lines}"))?;
        }
        OutputFormat::Json | OutputFormat::JsonLines => print_json(&words, format)?,
        _ => print_list(&suggested_columns(), &words, format)?,
    }
    if words.is_empty() {
        return Ok(());
    }
    let begin = words.iter().map(|word| word.first_in.len()).sum::<usize>();
    say(&shown!(
        "{}: {:.1}% of the tokens of run {}, {begin} of whose {topics} topics begin with one of them; without \
         them {} would be too short",
        counted(words.len() as u64, "word"),
        100.0 * tokens,
        run.id,
        match too_short {
            0 => "no document".into(),
            _ => counted(too_short, "document"),
        }
    ));
    let name = shell_word(name);
    say(&shown!(
        "put those that say nothing into a file, one a line, for `topoi run {name} --stop-list FILE`; -o csv has \
         their figures"
    ));
    Ok(())
}

fn suggested_columns() -> Vec<Column<CommonWord>> {
    type Row = CommonWord;
    vec![
        Column::new("word", Kind::Text, |row: &Row| json!(row.word)),
        Column::new("documents", Kind::Share, |row: &Row| json!(row.documents)),
        Column::new("tokens", Kind::Count, |row: &Row| json!(row.tokens)),
        Column::new("evenness", Kind::Share, |row: &Row| json!(row.evenness)),
        Column::new("commonness", Kind::Share, |row: &Row| json!(row.commonness)),
        Column::new("first_in", Kind::Text, |row: &Row| json!(listed(&row.first_in))),
    ]
}

fn listed(topics: &[TopicNumber]) -> String {
    topics.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
