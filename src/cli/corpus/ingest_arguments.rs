//! What can be typed after `topoi ingest`.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::cli::arguments::Printing;
use crate::cli::source_arguments::SourceArgs;
use topoi::ingest::{
    Case, Characters, IngestError, IngestRequest, Names, OnError, Stem, TokenChoice,
};
use topoi::store::ingest::BATCH_BYTES;

/// Add documents to a corpus
///
/// A document that is there already is skipped, one that has changed replaces its old version.
/// Documents are saved as they are read: an ingest that is killed goes on where it was when the
/// same command is given again.
#[derive(Debug, clap::Args)]
pub struct IngestArgs {
    /// The corpus to add to
    corpus: String,
    #[command(flatten)]
    source: SourceArgs,
    /// The column or key that holds the title [default: title]
    #[arg(long, value_name = "NAME", help_heading = "Columns")]
    title_field: Option<String>,
    /// The columns or keys to keep as fields, separated by commas, or none [default: all others]
    #[arg(long, value_name = "NAMES", help_heading = "Columns")]
    fields: Option<String>,
    /// The first line of a CSV or TSV file is a document, not names; columns have numbers from 1
    #[arg(long, help_heading = "Columns")]
    no_header: bool,
    /// The columns of a Matrix Market file are the documents
    #[arg(long, help_heading = "Columns")]
    transpose: bool,
    /// Words of an SVMlight file are counted from 0
    #[arg(long, help_heading = "Columns")]
    zero_based: bool,
    /// Words to drop from text: none, languages (en, de, …) and files of words, separated by
    /// commas [default: en]
    #[arg(long, value_name = "LISTS", help_heading = TOKENS)]
    stop_words: Option<String>,
    /// Drop words of fewer characters from text [default: 3]
    #[arg(long, value_name = "N", help_heading = TOKENS)]
    min_length: Option<usize>,
    /// Drop words of more characters from text [default: 40]
    #[arg(long, value_name = "N", help_heading = TOKENS)]
    max_length: Option<usize>,
    /// Words that are kept have a letter, are all letters, or any [default: letter]
    #[arg(long, value_name = "RULE", help_heading = TOKENS, value_parser =
        PossibleValuesParser::new(Characters::NAMES).try_map(|name| name.parse::<Characters>()))]
    characters: Option<Characters>,
    /// What becomes of capital letters [default: lower]
    #[arg(long, value_name = "RULE", help_heading = TOKENS, value_parser =
        PossibleValuesParser::new(Case::NAMES).try_map(|name| name.parse::<Case>()))]
    case: Option<Case>,
    /// Take the endings off words of this language (Snowball) [default: none]
    #[arg(long, value_name = "LANGUAGE", help_heading = TOKENS, value_parser =
        PossibleValuesParser::new(Stem::NAMES).try_map(|name| name.parse::<Stem>()))]
    stem: Option<Stem>,
    /// Up to N words that stand together are terms too, such as new_york [default: 1]
    #[arg(long, value_name = "N", help_heading = TOKENS)]
    ngrams: Option<usize>,
    /// What to do with a document that cannot be read: stop there, or leave it out and go on
    #[arg(long, value_enum, default_value_t)]
    on_error: OnErrorArg,
    /// Save after this many kilobytes of text and counts; between two batches others can write to
    /// the store
    #[arg(long, value_name = "N", default_value_t = BATCH_BYTES >> 10, value_parser = batch_size())]
    batch_kb: usize,
    /// Show the first documents of each source with their tokens, and add nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// How many documents a dry run shows of each source
    #[arg(long, value_name = "N", default_value_t = 5, requires = "dry_run")]
    pub(super) documents: usize,
    #[command(flatten)]
    pub(super) printing: Printing,
}

fn batch_size() -> impl TypedValueParser<Value = usize> {
    clap::value_parser!(u32).range(1..=1 << 20).map(|kilobytes| kilobytes as usize)
}

const TOKENS: &str = "Tokens (kept with the corpus, the same for every ingest into it)";

/// [`OnError`] as it is typed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum OnErrorArg {
    /// Stop there
    #[default]
    Stop,
    /// Leave it out, write why to the ledger, and go on
    Skip,
}

impl IngestArgs {
    /// What is asked for.
    ///
    /// # Errors
    /// When a list of stop words is not there.
    pub(super) fn request(&self) -> Result<IngestRequest, IngestError> {
        let fields = self.fields.as_ref().map(|names| {
            let names = names.split(',').map(|name| name.trim().to_string());
            names.filter(|name| !name.is_empty() && name != "none").collect()
        });
        let request = self.source.request(&self.corpus);
        Ok(IngestRequest {
            names: Names {
                title: self.title_field.clone(),
                fields,
                headerless: self.no_header,
                ..request.names
            },
            transposed: self.transpose,
            zero_based: self.zero_based,
            tokens: TokenChoice {
                min_length: self.min_length,
                max_length: self.max_length,
                stop_words: self.stop_words.as_ref().map(|names| names.parse()).transpose()?,
                characters: self.characters,
                case: self.case,
                stem: self.stem,
                ngrams: self.ngrams,
            },
            batch_bytes: self.batch_kb << 10,
            on_error: match self.on_error {
                OnErrorArg::Stop => OnError::Stop,
                OnErrorArg::Skip => OnError::Skip,
            },
            ..request
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi::ingest::{Format, StopWords};

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
        assert_eq!(plain.args.request().expect("request"), expected);
        let line = ["ingest", "nips", "a", "--format", "uci", "--stop-words", "none"];
        let args = Whole::try_parse_from(line).expect("arguments").args;
        let request = args.request().expect("request");
        assert_eq!(request.format, Format::named("uci"));
        assert_eq!(request.tokens.stop_words, Some(StopWords::none()));
        let line =
            ["ingest", "n", "a", "--fields", "year, by", "--on-error", "skip", "--stem", "en"];
        let request = Whole::try_parse_from(line).expect("arguments").args.request();
        let request = request.expect("request");
        assert_eq!(request.names.fields, Some(vec!["year".into(), "by".into()]));
        assert_eq!((request.on_error, request.tokens.stem), (OnError::Skip, Some(Stem::En)));
        assert!(Whole::try_parse_from(["ingest", "nips"]).is_err());
        assert!(Whole::try_parse_from(["ingest", "nips", "a", "--format", "xml"]).is_err());
    }
}
