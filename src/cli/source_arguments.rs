//! Where documents come from, for every command that reads them.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use topoi::ingest::{Format, IngestRequest, Names};

/// Files with documents, and what is in them.
#[derive(Debug, Args)]
pub struct SourceArgs {
    /// Files, directories and patterns such as 'news/*.jsonl'; plain, gzip or zstd; - is standard
    /// input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// What the sources hold
    #[arg(long, default_value = "auto", value_parser = PossibleValuesParser::new(formats()))]
    format: String,
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

fn formats() -> impl Iterator<Item = PossibleValue> {
    let all = Format::all().map(|format| PossibleValue::new(format.name()).help(format.help()));
    all.chain([PossibleValue::new("auto").help("look at each source")])
}

impl SourceArgs {
    /// Reading them for `corpus`, all else as usual.
    pub fn request(&self, corpus: &str) -> IngestRequest {
        let names =
            Names { text: self.text_field.clone(), id: self.id_field.clone(), ..Names::default() };
        IngestRequest {
            // "auto" is none of them.
            format: Format::named(&self.format),
            vocabulary: self.vocab.clone(),
            names,
            ..IngestRequest::new(corpus, self.paths.iter().cloned())
        }
    }
}
