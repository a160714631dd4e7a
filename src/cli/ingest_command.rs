//! `topica ingest`: adds documents to a corpus.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use indicatif::{ProgressBar, ProgressStyle};

use crate::ingest::{
    Format, IngestProgress, IngestRequest, IngestSummary, SourceSummary, StopWords, TokenSettings,
    ingest,
};
use crate::store::Store;

/// Adds documents to a corpus, creating it if it is not there.
///
/// A document that is there already is skipped, so the same command can be given again. If
/// anything is wrong with any file, nothing is added.
#[derive(Debug, clap::Args)]
pub struct IngestArgs {
    /// The corpus to add to
    corpus: String,
    /// Files, plain or gzip; - is standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// What the files hold: uci (docword, with its vocabulary), jsonl (one JSON object a line),
    /// lines (one document a line), or auto to look at each
    #[arg(long, default_value = "auto", hide_possible_values = true, value_parser =
        PossibleValuesParser::new(Format::ALL.map(Format::name)).try_map(|name| name.parse::<Format>()))]
    format: Format,
    /// The words of a uci file, one a line [default: vocab.NAME.txt beside docword.NAME.txt, or
    /// FILE.vocab]
    #[arg(long, value_name = "FILE")]
    vocab: Option<PathBuf>,
    /// The field of a JSON object that holds the text
    #[arg(long, value_name = "FIELD", default_value = "text")]
    text_field: String,
    /// Words to drop from text
    #[arg(long, value_name = "LIST", default_value = "en", value_parser =
        PossibleValuesParser::new(["en", "none"]).try_map(|name| name.parse::<StopWords>()))]
    stop_words: StopWords,
    /// Drop words of fewer characters from text
    #[arg(long, value_name = "N", default_value_t = TokenSettings::default().min_length)]
    min_length: usize,
    /// Drop words of more characters from text
    #[arg(long, value_name = "N", default_value_t = TokenSettings::default().max_length)]
    max_length: usize,
}

impl IngestArgs {
    fn request(&self) -> IngestRequest {
        IngestRequest {
            corpus: self.corpus.clone(),
            paths: self.paths.clone(),
            format: self.format,
            vocabulary: self.vocab.clone(),
            text_field: self.text_field.clone(),
            tokens: TokenSettings {
                min_length: self.min_length,
                max_length: self.max_length,
                stop_words: self.stop_words,
            },
        }
    }
}

/// Ingests into the store at `store_path` and prints what was done.
///
/// # Errors
/// When the store cannot be written or a source is not as it should be; then nothing is added.
pub fn run(store_path: &Path, args: &IngestArgs) -> anyhow::Result<()> {
    let request = args.request();
    request.check()?;
    let store = Store::open(store_path)?;
    let bar = Bar(ProgressBar::new(0));
    let summary = ingest(&store, &request, &bar);
    bar.0.finish_and_clear();
    print(&summary?)
}

/// How much of a file's name the bar shows; with it the bar fits 80 columns.
const NAME_WIDTH: usize = 24;
const KNOWN_SIZE: &str = "{prefix} {wide_bar} {percent}% {binary_bytes_per_sec}, {eta} left, {msg}";
const UNKNOWN_SIZE: &str =
    "{prefix} {spinner} {binary_bytes} {binary_bytes_per_sec}, {elapsed}, {msg}";

/// The bar on standard error; indicatif hides it when that is no terminal.
struct Bar(ProgressBar);

impl IngestProgress for Bar {
    fn source(&self, name: &str, bytes: Option<u64>) {
        let template = match bytes {
            Some(_) => KNOWN_SIZE,
            None => UNKNOWN_SIZE,
        };
        // Both templates are constants that a test reads.
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.0.set_style(style);
        }
        self.0.reset();
        match bytes {
            Some(bytes) => self.0.set_length(bytes),
            None => self.0.unset_length(),
        }
        let file_name = name.rsplit('/').next().unwrap_or(name);
        self.0.set_prefix(file_name.chars().take(NAME_WIDTH).collect::<String>());
    }

    fn advanced(&self, bytes: u64, documents: u64, _nonzeros: u64) {
        self.0.set_message(format!("{} documents", grouped(documents)));
        self.0.set_position(bytes);
    }
}

/// Writes the summary to standard output; a reader that has gone away is no error.
fn print(summary: &IngestSummary) -> anyhow::Result<()> {
    let mut text = String::new();
    for source in &summary.sources {
        text += &source_line(source);
    }
    text += &corpus_line(summary);
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

fn source_line(source: &SourceSummary) -> String {
    let documents = if source.added == 1 { "document" } else { "documents" };
    let mut line = format!(
        "{} ({}): {} {documents} added, {} there already, {} left out",
        source.name,
        source.format,
        grouped(source.added),
        grouped(source.skipped),
        grouped(source.left_out()),
    );
    match (source.empty, source.clashing) {
        (0, 0) => {}
        (_, 0) => line += " (empty)",
        (0, _) => line += " (their key has other content in the corpus)",
        (empty, clashing) => {
            line += &format!(
                " ({} empty, {} whose key has other content in the corpus)",
                grouped(empty),
                grouped(clashing)
            );
        }
    }
    line + "\n"
}

fn corpus_line(summary: &IngestSummary) -> String {
    let corpus = &summary.corpus;
    format!(
        "{}: {} documents, {} terms, {} tokens, {} nonzeros now\n",
        corpus.name,
        grouped(corpus.documents),
        grouped(corpus.terms),
        grouped(corpus.tokens),
        grouped(corpus.nonzeros),
    )
}

/// A number with a comma between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, clap::Parser)]
    struct Whole {
        #[command(flatten)]
        args: IngestArgs,
    }

    #[test]
    fn arguments_become_a_request() {
        use clap::{CommandFactory, Parser};
        Whole::command().debug_assert();
        let plain = Whole::try_parse_from(["ingest", "nips", "a", "-"]).expect("arguments");
        let expected = IngestRequest::new("nips", ["a".into(), "-".into()]);
        assert_eq!(plain.args.request(), expected);
        let line = ["ingest", "nips", "a", "--format", "uci", "--stop-words", "none"];
        let request = Whole::try_parse_from(line).expect("arguments").args.request();
        assert_eq!((request.format, request.tokens.stop_words), (Format::Uci, StopWords::None));
        assert!(Whole::try_parse_from(["ingest", "nips"]).is_err());
        assert!(Whole::try_parse_from(["ingest", "nips", "a", "--format", "csv"]).is_err());
    }

    #[test]
    fn the_templates_of_the_bar_are_valid() {
        for template in [KNOWN_SIZE, UNKNOWN_SIZE] {
            assert!(ProgressStyle::with_template(template).is_ok());
        }
    }

    #[test]
    fn thousands_are_set_apart() {
        let numbers = [0, 12, 123, 1_234, 123_456, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "12", "123", "1,234", "123,456", "1,234,567"]);
    }
}
