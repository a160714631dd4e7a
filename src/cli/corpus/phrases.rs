//! `phrases`.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::cli::messages::say;
use crate::cli::output::print_list;
use crate::cli::typed::arguments::{Printing, RowLimit};
use crate::cli::typed::store_path::StorePath;
use crate::records::column::{Column, Kind, columns};
use crate::shown::shown;
use serde_json::json;
use topoi_core::numbers::counted;
use topoi_ingest::phrases::{FoundName, FoundPhrase, PhraseThresholds, phrases, single_names};
use topoi_store::Access;

/// List pairs of words that stand together more often than by chance, and save them for --join
///
/// What is saved is a list to look through: delete what is no phrase, and ingest with `--join FILE`.
/// Of a corpus that was made so, phrases of three words and more are found.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the corpus
    corpus: String,
    /// The pair occurs at least so often
    #[arg(long, value_name = "N", default_value_t = 10)]
    min_count: u64,
    /// The pair's normalised pointwise mutual information is at least this, from -1 to 1
    #[arg(long, value_name = "X", default_value_t = 0.5, allow_negative_numbers = true)]
    min_npmi: f64,
    /// Names alone: pairs of which both words begin with a capital in most places (four of five)
    #[arg(long)]
    names: bool,
    /// Single names instead of pairs, of which those that say nothing can be dropped: words that begin with a capital
    /// in most places within sentences. Of no use for languages that write all nouns so
    #[arg(long, requires = "names", conflicts_with = "min_npmi")]
    single: bool,
    #[command(flatten)]
    limit: RowLimit,
    /// Write all of them to this file, for `topoi ingest --join FILE`, of --single for `--drop FILE`
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    printing: Printing,
}

/// Minimum share of the occurrences of a name in which it is capitalised.
const NAMES: f64 = 0.8;

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let corpus = store.corpus(&args.corpus)?;
    store.require_documents(&corpus)?;
    let capitals = if args.names { NAMES } else { 0.0 };
    let least = PhraseThresholds { count: args.min_count.max(1), npmi: args.min_npmi, capitals };
    if args.single {
        return names(args, &single_names(&store, &corpus, least)?, &corpus.name);
    }
    let found = phrases(&store, &corpus, least)?;
    let head = format!("Phrases of {:?}: delete those that are none.", corpus.name);
    save(args.save.as_deref(), &head, found.phrases.iter().map(|found| &found.phrase))?;
    let format = args.printing.format();
    let rows = &found.phrases[..args.limit.rows(format).min(found.phrases.len())];
    let mut columns = columns!(FoundPhrase: phrase, count);
    columns.push(Column::new("npmi", Kind::Measure, |row: &FoundPhrase| json!(row.npmi)));
    columns.push(Column::new("log_likelihood", Kind::Measure, |row: &FoundPhrase| {
        json!(row.log_likelihood)
    }));
    columns.push(Column::new("capitals", Kind::Share, |row: &FoundPhrase| json!(row.capitals)));
    print_list(&columns, rows, format)?;
    args.limit.say_what_is_left_out(format, found.phrases.len());
    let error = match found.most_missing {
        0 => String::new(),
        most => {
            format!("; counts may be up to {most} too small, as there are more pairs than are held")
        }
    };
    say(&shown!(
        "{} of at least {} and an NPMI of at least {}{error}",
        counted(found.phrases.len() as u64, "phrase"),
        counted(least.count, "occurrence"),
        args.min_npmi
    ));
    Ok(())
}

/// Lists single names.
fn names(args: &Arguments, found: &[FoundName], corpus: &str) -> anyhow::Result<()> {
    let head = format!("Names of {corpus:?}: delete those that say something of the texts.");
    save(args.save.as_deref(), &head, found.iter().map(|found| &found.name))?;
    let format = args.printing.format();
    let mut columns = columns!(FoundName: name, count);
    columns.push(Column::new("capitals", Kind::Share, |row: &FoundName| json!(row.capitals)));
    print_list(&columns, &found[..args.limit.rows(format).min(found.len())], format)?;
    args.limit.say_what_is_left_out(format, found.len());
    let least = counted(args.min_count.max(1), "occurrence");
    say(&shown!("{} of at least {least} within sentences", counted(found.len() as u64, "name")));
    Ok(())
}

/// Writes a list to be looked through, if it has a file.
fn save<'w>(
    file: Option<&Path>,
    head: &str,
    words: impl Iterator<Item = &'w String>,
) -> anyhow::Result<()> {
    let Some(file) = file else { return Ok(()) };
    let text: String = std::iter::once(format!("# {head}\n"))
        .chain(words.map(|word| format!("{word}\n")))
        .collect();
    std::fs::write(file, text)
        .with_context(|| format!("{}: cannot be written; name another file", file.display()))
}
