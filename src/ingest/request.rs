//! One ingest from beginning to end: look at every source, then read them all in one transaction.

use std::path::{Path, PathBuf};

use crate::store::Store;
use crate::store::ingest::IngestWriter;

use super::error::{IngestError, Result};
use super::format::Format;
use super::progress::IngestProgress;
use super::settings::CorpusSettings;
use super::source::Source;
use super::summary::{IngestSummary, SourceSummary};
use super::tokens::{TokenSettings, Tokenizer};
use super::{batch, jsonl, lines, uci, vocabulary};

/// What to ingest, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IngestRequest {
    /// The corpus to add to; it is created if it is not there.
    pub corpus: String,
    /// The sources in order; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// The format of all of them, or [`Format::Auto`] to look at each.
    pub format: Format,
    /// The vocabulary of the `uci` sources; the one beside each if `None`.
    pub vocabulary: Option<PathBuf>,
    /// The field of a JSON object that holds the text.
    pub text_field: String,
    /// How text becomes terms.
    pub tokens: TokenSettings,
}

impl IngestRequest {
    /// A request with the usual settings.
    pub fn new(corpus: &str, paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            corpus: corpus.into(),
            paths: paths.into_iter().collect(),
            format: Format::Auto,
            vocabulary: None,
            text_field: "text".into(),
            tokens: TokenSettings::default(),
        }
    }

    /// Refuses what can be refused without opening a source, so that a mistyped name does not
    /// create a store.
    ///
    /// # Errors
    /// When the corpus has no name, a setting makes no sense, or a source is not there.
    pub fn check(&self) -> Result<()> {
        if self.corpus.trim().is_empty() {
            return Err(IngestError::NoName);
        }
        self.tokens.check()?;
        if self.paths.iter().filter(|path| *path == Path::new("-")).count() > 1 {
            return Err(IngestError::StdinTwice);
        }
        let files = self.paths.iter().filter(|path| *path != Path::new("-"));
        match files.chain(&self.vocabulary).find(|path| !path.exists()) {
            Some(missing) => Err(IngestError::Missing(missing.display().to_string())),
            None => Ok(()),
        }
    }
}

/// A source whose format is known.
struct Planned<'r> {
    path: &'r Path,
    name: String,
    format: Format,
    vocabulary: Option<PathBuf>,
    /// Kept open if it cannot be opened twice (standard input, a pipe). Files are opened again,
    /// so that any number of them can be given.
    open: Option<Source>,
}

/// Adds the documents of all sources to the corpus, in one transaction: an error leaves the
/// store as it was. A document that is there already (same key, same content) is skipped.
///
/// # Errors
/// The first thing that is wrong, in the order of sources and lines.
pub fn ingest(
    store: &Store,
    request: &IngestRequest,
    progress: &dyn IngestProgress,
) -> Result<IngestSummary> {
    request.check()?;
    let planned =
        request.paths.iter().map(|path| plan(path, request)).collect::<Result<Vec<_>>>()?;
    let settings = settings(&planned, request)?;
    let mut writer = IngestWriter::begin(
        store,
        &request.corpus,
        &settings.to_json(),
        &join(planned.iter().map(|source| source.name.as_str())),
        &join(planned.iter().map(|source| source.format.name())),
    )?;
    settings.check_same(&request.corpus, &store.corpus(&request.corpus)?.settings)?;
    let tokenizer = Tokenizer::new(&request.tokens);
    let mut sources = Vec::new();
    for source in planned {
        sources.push(read(source, request, &tokenizer, &mut writer, progress)?);
    }
    let counts = writer.finish()?;
    Ok(IngestSummary { counts, sources, corpus: store.corpus(&request.corpus)? })
}

fn plan<'r>(path: &'r Path, request: &IngestRequest) -> Result<Planned<'r>> {
    let mut source = Source::open(path)?;
    let format = request.format.recognise(&mut source)?;
    let vocabulary = match (format, &request.vocabulary) {
        (Format::Uci, Some(named)) => Some(named.clone()),
        (Format::Uci, None) if source.size().is_none() => {
            return Err(IngestError::UnnamedVocabulary(source.name().into()));
        }
        (Format::Uci, None) => Some(vocabulary::beside(path)?),
        _ => None,
    };
    let name = source.name().to_string();
    let open = source.size().is_none().then_some(source);
    Ok(Planned { path, name, format, vocabulary, open })
}

/// The settings all sources have in common.
fn settings(planned: &[Planned<'_>], request: &IngestRequest) -> Result<CorpusSettings> {
    let counted = planned.iter().find(|source| source.format == Format::Uci);
    let text = planned.iter().find(|source| source.format != Format::Uci);
    match (counted, text, &request.vocabulary) {
        (Some(counted), Some(text), _) => {
            Err(IngestError::MixedKinds { counted: counted.name.clone(), text: text.name.clone() })
        }
        (None, _, Some(vocabulary)) => Err(IngestError::NeedlessVocabulary(vocabulary.clone())),
        (Some(_), None, _) => Ok(CorpusSettings::Counts),
        (None, ..) => Ok(CorpusSettings::Text { tokens: request.tokens.clone() }),
    }
}

fn read(
    planned: Planned<'_>,
    request: &IngestRequest,
    tokenizer: &Tokenizer,
    writer: &mut IngestWriter<'_>,
    progress: &dyn IngestProgress,
) -> Result<SourceSummary> {
    let Planned { path, name, format, vocabulary, open } = planned;
    let mut source = open.map_or_else(|| Source::open(path), Ok)?;
    progress.source(&name, source.size());
    let mut summary = SourceSummary::new(&name, format);
    if let Some(vocabulary) = vocabulary {
        uci::ingest_uci(&mut source, &vocabulary, writer, progress, &mut summary)?;
    } else {
        let stem = source.stem().to_string();
        let read: &batch::ReadLine<'_> = match format {
            Format::Jsonl => &|line, place| jsonl::read(line, &stem, &request.text_field, place),
            _ => &|line, place| lines::read(line, &stem, place),
        };
        batch::ingest_lines(&mut source, read, tokenizer, writer, progress, &mut summary)?;
    }
    progress.advanced(source.consumed(), summary.documents(), summary.nonzeros);
    Ok(summary)
}

/// The distinct names, joined, as the ledger shows them.
fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut distinct: Vec<&str> = Vec::new();
    for name in names {
        if distinct.last() != Some(&name) {
            distinct.push(name);
        }
    }
    distinct.join(", ")
}
