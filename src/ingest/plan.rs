//! Before anything is written: the format of every source is recognised, and its vocabulary found.

use std::path::{Path, PathBuf};

use super::error::{IngestError, Result};
use super::formats::Format;
use super::formats::counts::vocabulary;
use super::request::IngestRequest;
use super::settings::CorpusSettings;
use super::source::Source;
use super::tokens::token_settings::TokenSettings;

/// A source whose format is known.
pub(crate) struct Planned {
    pub(super) path: PathBuf,
    pub(super) name: String,
    pub(super) format: Format,
    pub(super) vocabulary: Option<PathBuf>,
    /// Size and time of change; empty for what has none.
    pub(super) identity: String,
    /// Kept open if it cannot be opened twice (standard input, a pipe). Files are opened again,
    /// so that any number of them can be given.
    pub(super) open: Option<Source>,
}

impl Planned {
    /// The source from its beginning. A pipe can be opened once.
    pub(super) fn open(&mut self) -> Result<Source> {
        self.open.take().map_or_else(|| Source::open(&self.path), Ok)
    }
}

/// Looks at a source.
pub(super) fn plan(path: PathBuf, request: &IngestRequest) -> Result<Planned> {
    let name = path.display().to_string();
    if path.is_dir() {
        let format = request.format.unwrap_or(Format::of_directories());
        if !format.is_of_directories() {
            return Err(IngestError::Directory { directory: name, format: format.name() });
        }
        let identity = String::new();
        return Ok(Planned { path, name, format, vocabulary: None, identity, open: None });
    }
    if request.format.is_some_and(Format::is_of_directories) {
        return Err(IngestError::NotADirectory(name));
    }
    let mut source = Source::open(&path)?;
    let format = request.format.map_or_else(|| Format::of(&mut source), Ok)?;
    let vocabulary = vocabulary_of(&path, &source, format, request)?;
    let (name, identity) = (source.name().to_string(), source.identity().to_string());
    let open = source.size().is_none().then_some(source);
    Ok(Planned { path, name, format, vocabulary, identity, open })
}

fn vocabulary_of(
    path: &Path,
    source: &Source,
    format: Format,
    request: &IngestRequest,
) -> Result<Option<PathBuf>> {
    if !format.has_numbered_words() {
        return Ok(None);
    }
    if let Some(named) = &request.vocabulary {
        return Ok(Some(named.clone()));
    }
    match (source.size(), vocabulary::beside(path, format)) {
        (Some(_), Ok(beside)) => Ok(Some(beside)),
        _ if !format.needs_vocabulary() => Ok(None),
        (Some(_), Err(error)) => Err(error),
        (None, _) => {
            let file = source.name().into();
            Err(IngestError::UnnamedVocabulary { file, format: format.name() })
        }
    }
}

/// The settings all sources have in common, where those of the corpus are `saved` (JSON).
pub(super) fn settings(
    planned: &[Planned],
    request: &IngestRequest,
    saved: Option<&str>,
) -> Result<CorpusSettings> {
    let counted = planned.iter().find(|source| source.format.is_counted());
    let text = planned.iter().find(|source| !source.format.is_counted());
    if let (Some(counted), Some(text)) = (counted, text) {
        let (counted, text) = (counted.name.clone(), text.name.clone());
        return Err(IngestError::MixedKinds { counted, text });
    }
    let numbered = planned.iter().any(|source| source.format.has_numbered_words());
    if let Some(vocabulary) = request.vocabulary.as_ref().filter(|_| !numbered) {
        return Err(IngestError::NeedlessVocabulary(vocabulary.clone()));
    }
    let settings = match (counted, saved.and_then(CorpusSettings::from_json)) {
        (Some(counted), _) if !request.chunks.is_empty() => {
            return Err(IngestError::NoTextToChunk(counted.name.clone()));
        }
        (Some(_), _) => CorpusSettings::Counts,
        (None, Some(CorpusSettings::Text { tokens, chunks })) => CorpusSettings::Text {
            tokens: request.tokens.on(&tokens),
            chunks: request.chunks.on(chunks.as_ref())?,
        },
        (None, _) => CorpusSettings::Text {
            tokens: request.tokens.on(&TokenSettings::default()),
            chunks: request.chunks.on(None)?,
        },
    };
    if let Some(saved) = saved {
        settings.check_same(&request.corpus, saved)?;
    }
    Ok(settings)
}
