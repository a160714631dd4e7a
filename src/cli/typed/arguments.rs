//! Arguments that several commands have.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use strum::{VariantArray, VariantNames};

use super::run_reference::run_reference;
use crate::cli::in_parts::PartsArgs;
use crate::cli::messages::say;
use crate::cli::output::OutputFormat;
use crate::shown::shown;
use topoi_core::fields::date::PeriodLength;
use topoi_core::judge::LONGEST_NAME;
use topoi_core::metric::words::ranking::Ranking;
use topoi_core::numbers::thousands;
use topoi_ingest::{Absent, Encoding, Format, IngestRequest, Names, OnError};
use topoi_run::user::parse_name;
use topoi_store::id::RunId;

#[derive(Debug, Clone, Copy, Args)]
pub struct Printing {
    /// How to print the result
    #[arg(long, short, value_enum, default_value_t, env = "TOPOI_OUTPUT")]
    output: OutputFormat,
    /// With --output csv, cells as they are, also those that a spreadsheet would run as formulas:
    /// without this they have a ' before them
    #[arg(long)]
    raw: bool,
}

impl Printing {
    pub fn format(self) -> OutputFormat {
        self.output.or_raw(self.raw)
    }
}
/// The name of a person.
pub fn person(name: &str) -> Result<String, String> {
    parse_name(name)
        .ok_or_else(|| format!("a name has from 1 to {LONGEST_NAME} bytes, all of them seen"))
}

/// Rows of a list that a table shows by default.
const SHOWN: usize = 50;

/// How many rows of a list are printed.
#[derive(Debug, Clone, Copy, Args)]
pub struct RowLimit {
    /// Rows to print at most [default: all; as a table 50]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

impl RowLimit {
    /// Maximum number of rows in this format.
    pub fn rows(self, format: OutputFormat) -> usize {
        let usual = if format == OutputFormat::Table { SHOWN } else { usize::MAX };
        self.limit.unwrap_or(usual)
    }

    /// Reports that a table leaves out rows by default.
    pub fn say_what_is_left_out(self, format: OutputFormat, all: usize) {
        if self.limit.is_none() && all > self.rows(format) {
            say(&shown!("{SHOWN} of {} rows; --limit prints more", thousands(all as i64)));
        }
    }
}

#[derive(Debug, Clone, Copy, Args)]
pub struct RunNumber {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    pub run: RunId,
    #[command(flatten)]
    pub printing: Printing,
}

/// By what the words of topics are ranked where they are listed.
#[derive(Debug, Clone, Copy, Args)]
pub struct Ranked {
    /// What a topic's words are ranked by
    #[arg(long, value_name = "RANKING", default_value = Ranking::default().name(),
          value_parser = ranking())]
    pub rank: Ranking,
}

/// Parses the name of a ranking.
pub fn ranking() -> impl TypedValueParser<Value = Ranking> {
    named(Ranking::VARIANTS, |it| it.name(), |it| it.help())
}

/// Parses the name of a period length.
pub fn period() -> impl TypedValueParser<Value = PeriodLength> {
    PossibleValuesParser::new(<PeriodLength as VariantNames>::VARIANTS)
        .try_map(|name| name.parse::<PeriodLength>())
}

/// Parses the name of one of `all`.
pub fn named<T: Clone + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(&T) -> &'static str,
    help: fn(&T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values = all.iter().map(move |it| PossibleValue::new(name(it)).help(help(it)));
    let found = move |given: String| {
        // Clap has refused all other names.
        all.iter().find(|it| name(it) == given).cloned().ok_or("unknown")
    };
    PossibleValuesParser::new(values).try_map(found)
}

/// A run to resume or to repeat.
#[derive(Debug, Args)]
pub struct RunAgain {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    pub run: RunId,
    /// Start the run and return at once; `topoi watch` follows it
    #[arg(long, conflicts_with = "parts")]
    pub detach: bool,
    #[command(flatten)]
    pub place: PartsArgs,
    #[command(flatten)]
    pub printing: Printing,
}

/// Files with documents, and what is in them.
#[derive(Debug, Args)]
pub struct SourceArgs {
    /// Files, directories and patterns such as 'news/*.jsonl'; plain, gzip or zstd; - is standard
    /// input. Several text files, or those of a pattern, are a document each
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// What the sources hold
    #[arg(long, default_value = "auto", value_parser = PossibleValuesParser::new(formats()))]
    format: String,
    /// How the text is encoded, such as utf-8, windows-1252 or shift_jis [default: UTF-8, or what the
    /// bytes show]
    #[arg(long, value_name = "NAME")]
    encoding: Option<Encoding>,
    /// The words of a file of numbered words, one a line [default: vocab.NAME.txt beside
    /// docword.NAME.txt, or FILE.vocab, NAME.vocab, vocab.txt beside the file]
    #[arg(long, value_name = "FILE")]
    vocab: Option<PathBuf>,
    /// The column or key that holds the text [default: text]
    #[arg(long, value_name = "NAME", help_heading = "Columns")]
    text_field: Option<String>,
    /// The column or key that holds the document's key [default: id, else a number is made up]
    #[arg(long, value_name = "NAME", help_heading = "Columns")]
    id_field: Option<String>,
}

/// Whether the sources are the whole corpus.
#[derive(Debug, Args)]
pub struct ExactlyArgs {
    /// The corpus is what is given and nothing else: delete the documents that are not in it
    #[arg(long)]
    exactly: bool,
    /// Delete them even if they are more than half of the corpus
    #[arg(long, requires = "exactly")]
    yes: bool,
}

impl ExactlyArgs {
    /// What becomes of documents that the sources do not have.
    pub fn absent(&self) -> Absent {
        match (self.exactly, self.yes) {
            (false, _) => Absent::Stay,
            (true, false) => Absent::Delete,
            (true, true) => Absent::DeleteAny,
        }
    }
}

fn formats() -> impl Iterator<Item = PossibleValue> {
    let all = Format::all().map(|format| PossibleValue::new(format.name()).help(format.help()));
    all.chain([PossibleValue::new("auto").help("look at each source")])
}

impl SourceArgs {
    /// The request to ingest these sources into `corpus`, with defaults for everything else.
    pub fn request(&self, corpus: &str) -> IngestRequest {
        let names =
            Names { text: self.text_field.clone(), id: self.id_field.clone(), ..Names::default() };
        IngestRequest {
            // "auto" is not a format.
            format: Format::named(&self.format),
            encoding: self.encoding,
            vocabulary: self.vocab.clone(),
            names,
            ..IngestRequest::new(corpus, self.paths.iter().cloned())
        }
    }
}

/// [`OnError`] as it is typed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum OnErrorArg {
    /// Stop there
    #[default]
    Stop,
    /// Leave it out, write why to the ledger, and go on
    Skip,
}

impl From<OnErrorArg> for OnError {
    fn from(typed: OnErrorArg) -> Self {
        match typed {
            OnErrorArg::Stop => Self::Stop,
            OnErrorArg::Skip => Self::Skip,
        }
    }
}
