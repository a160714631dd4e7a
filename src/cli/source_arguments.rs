//! Where documents come from, for every command that reads them.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use topoi::ingest::{Format, IngestRequest, Names};

/// Files with documents, and what is in them.
#[derive(Debug, Args)]
pub struct SourceArgs {
    /// Files, directories and patterns such as 'news/*.jsonl'; plain, gzip or zstd; - is standard
    /// input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// What the sources hold: directory (of text files), lines (a document each), jsonl (a JSON
    /// object a line), csv, tsv, uci (docword), matrix-market, ldac (Blei), svmlight, vw (Vowpal
    /// Wabbit), mallet (name, label, text), or auto to look at each
    #[arg(long, default_value = "auto", hide_possible_values = true, value_parser =
        PossibleValuesParser::new(Format::ALL.map(Format::name)).try_map(|name| name.parse::<Format>()))]
    format: Format,
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

impl SourceArgs {
    /// Reading them for `corpus`, all else as usual.
    pub fn request(&self, corpus: &str) -> IngestRequest {
        let names =
            Names { text: self.text_field.clone(), id: self.id_field.clone(), ..Names::default() };
        IngestRequest {
            format: self.format,
            vocabulary: self.vocab.clone(),
            names,
            ..IngestRequest::new(corpus, self.paths.iter().cloned())
        }
    }
}
