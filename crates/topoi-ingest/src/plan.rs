//! Planning an ingest before anything is written: the format of every source, and its vocabulary.

use std::path::{Path, PathBuf};

use super::error::{IngestError, Result};
use super::formats::Format;
use super::formats::counts::vocabulary;
use super::formats::files::listing::{has_single_documents, multi_document_files};
use super::metadata::is_table_without_text;
use super::named::{NamedPath, in_common, named};
use super::reading::first_texts;
use super::request::IngestRequest;
use super::settings::CorpusSettings;
use super::source::encoding::Encoding;
use super::source::{Source, printable};
use super::texts::chunks::ChunkChoice;
use super::tokens::language::languages::{self, GuessedLanguage};
use super::tokens::token_settings::TokenSettings;
use topoi_core::shell_word::{path_word, shell_word};

/// A source with a known format.
pub(crate) struct Planned {
    /// The file, or the common directory of several files.
    pub(super) path: PathBuf,
    pub(super) name: String,
    pub(super) format: Format,
    /// The files of a source with several files, in order; `None` for all files of a directory.
    pub(super) listed: Option<Vec<PathBuf>>,
    pub(super) encoding: Option<Encoding>,
    pub(super) vocabulary: Option<PathBuf>,
    /// Size and modification time; empty if it has none.
    pub(super) identity: String,
    /// An open source that cannot be opened twice (standard input, a pipe). Files are opened again, so that any
    /// number of them can be given.
    pub(super) open: Option<Source>,
    /// Remarks for the user, collected when it is opened.
    pub(super) remarks: Vec<String>,
    /// The column with the keys of documents, found when it is opened.
    pub(super) key_column: Option<String>,
}

impl Planned {
    fn new(path: PathBuf, format: Format, request: &IngestRequest) -> Self {
        Self {
            name: printable(&path),
            path,
            format,
            listed: None,
            encoding: request.encoding,
            vocabulary: None,
            identity: String::new(),
            open: None,
            remarks: Vec::new(),
            key_column: None,
        }
    }

    /// The source from its beginning. A pipe can be opened once only.
    pub(super) fn open(&mut self) -> Result<Source> {
        self.open.take().map_or_else(|| Source::open_as(&self.path, self.encoding), Ok)
    }

    /// Whether this file, among others, should be one document.
    fn is_document(&self, request: &IngestRequest) -> bool {
        let is_plain = request.format.is_none() && self.format == Format::default();
        self.listed.is_none()
            && self.open.is_none()
            && (self.format.is_document_per_file() || is_plain)
    }
}

/// The request with the chunks of the corpus that it adds to, whose settings are `saved` (JSON), where it asks for none.
pub(super) fn with_chunks_of(request: &IngestRequest, saved: Option<&str>) -> IngestRequest {
    let of_corpus = match saved.and_then(CorpusSettings::from_json) {
        Some(CorpusSettings::Text { chunks, .. }) => chunks.map(|chunks| chunks.by),
        _ => None,
    };
    let by = request.chunks.by.clone().or(of_corpus);
    IngestRequest { chunks: ChunkChoice { by, ..request.chunks.clone() }, ..request.clone() }
}

/// Plans all sources of a request. Several text files, or those of a pattern, are one source with a document
/// per file; a single one has a document per line.
pub(super) fn plan(request: &IngestRequest) -> Result<Vec<Planned>> {
    let mut planned = plan_all(request)?;
    set_metadata_aside(&mut planned, request);
    Ok(planned)
}

/// Takes tables about the other sources out of them, and says so.
fn set_metadata_aside(planned: &mut Vec<Planned>, request: &IngestRequest) {
    let is_named = |source: &Planned| request.metadata.as_ref() == Some(&source.path);
    let is_aside = |source: &Planned| {
        let is_file = source.listed.is_none() && source.open.is_none();
        is_named(source)
            || (is_file && source.format.is_table() && is_table_without_text(&source.path, request))
    };
    let has_documents = |source: &Planned| {
        !source.format.is_table() && (!source.path.is_dir() || has_single_documents(&source.path))
    };
    if planned.len() < 2 || request.names.metadata.is_some() || !planned.iter().any(has_documents) {
        return;
    }
    let (aside, mut kept): (Vec<Planned>, Vec<Planned>) =
        std::mem::take(planned).into_iter().partition(is_aside);
    let remark = |source: &Planned| {
        format!(
            "{:?} has no column {:?} and is taken for a table about the other documents; topoi fields {} --join {} joins it",
            source.name,
            request.names.text(),
            shell_word(&request.corpus),
            path_word(&source.path)
        )
    };
    let remarks = aside.iter().filter(|source| !is_named(source)).map(remark);
    if let Some(first) = kept.first_mut() {
        first.remarks.extend(remarks);
    }
    *planned = kept;
}

/// As [`plan`], with tables that have no text.
fn plan_all(request: &IngestRequest) -> Result<Vec<Planned>> {
    let (mut planned, mut documents, mut first) = (Vec::new(), Vec::new(), None);
    let all = named(&request.paths)?;
    let is_several = all.len() > 1 || all.iter().any(|named| named.by_pattern);
    for named in all {
        if named.path.is_dir() {
            planned.push(plan_directory(&named.path, request)?);
            let records = if request.format.is_none() {
                multi_document_files(&named.path)
            } else {
                Vec::new()
            };
            for path in records {
                planned.push(plan_file(&path, request)?);
            }
            continue;
        }
        let file = match plan_file(&named.path, request) {
            // An empty file among several is an empty document.
            Err(IngestError::Empty(_)) if is_several => {
                Planned::new(named.path.clone(), Format::default(), request)
            }
            other => other?,
        };
        if file.is_document(request) {
            first = first.or(Some(planned.len()));
            documents.push((named, file));
        } else {
            planned.push(file);
        }
    }
    let Some(at) = first else { return Ok(planned) };
    // A text that is to be cut into chunks is not cut into lines before.
    let are_files = documents.len() > 1
        || request.chunks.by.is_some()
        || documents
            .iter()
            .any(|(named, file)| named.by_pattern || file.format.is_document_per_file());
    if are_files {
        planned.insert(at, plan_documents(&documents, request));
    } else {
        planned.splice(at..at, documents.into_iter().map(|(_, file)| file));
    }
    Ok(planned)
}

/// Plans files that are one document each as one source.
fn plan_documents(files: &[(NamedPath, Planned)], request: &IngestRequest) -> Planned {
    let (path, listed) = in_common(files.iter().map(|(named, _)| named));
    let given = &files[0].0.given;
    let name = match files.iter().filter(|(named, _)| named.given != *given).count() {
        0 => printable(given),
        others => format!("{} and {others} others", printable(given)),
    };
    let first = files[0].1.format;
    let are_alike =
        first.is_document_per_file() && files.iter().all(|(_, file)| file.format == first);
    let format = if are_alike { first } else { Format::files() };
    Planned { name, listed: Some(listed), ..Planned::new(path, format, request) }
}

fn plan_directory(path: &Path, request: &IngestRequest) -> Result<Planned> {
    let name = printable(path);
    let format = request.format.unwrap_or(Format::files());
    if !format.is_document_per_file() {
        return Err(IngestError::Directory { directory: name, format: format.name() });
    }
    Ok(Planned::new(path.into(), format, request))
}

fn plan_file(path: &Path, request: &IngestRequest) -> Result<Planned> {
    let mut source = Source::open_as(path, request.encoding)?;
    let format = request.format.map_or_else(|| Format::recognise(&mut source), Ok)?;
    let vocabulary = vocabulary_of(path, &source, format, request)?;
    let (name, identity) = (source.name().to_string(), source.identity().to_string());
    let open = source.size().is_none().then_some(source);
    Ok(Planned { name, vocabulary, identity, open, ..Planned::new(path.into(), format, request) })
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
    match (source.size(), vocabulary::find_beside(path, format)) {
        (Some(_), Ok(beside)) => Ok(Some(beside)),
        _ if !format.needs_vocabulary() => Ok(None),
        (Some(_), Err(error)) => Err(error),
        (None, _) => {
            let file = source.name().into();
            Err(IngestError::UnnamedVocabulary { file, format: format.name() })
        }
    }
}

/// The common settings of all sources, if the corpus's settings are `saved` (JSON); for a new corpus whose stop words
/// are left open, with the language that its first texts seem to be of.
pub(super) fn settings(
    planned: &[Planned],
    request: &IngestRequest,
    saved: Option<&str>,
) -> Result<(CorpusSettings, Option<GuessedLanguage>)> {
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
    let mut guessed = None;
    let settings = match (counted, saved.and_then(CorpusSettings::from_json)) {
        (Some(counted), _) if !request.chunks.is_empty() => {
            return Err(IngestError::NoTextToChunk(counted.name.clone()));
        }
        (Some(_), _) => CorpusSettings::Counts,
        (None, Some(CorpusSettings::Text { tokens, chunks })) => CorpusSettings::Text {
            tokens: Box::new(request.tokens.resolve(&tokens)),
            chunks: request.chunks.resolve(chunks.as_ref())?,
        },
        (None, _) => {
            let mut tokens = request.tokens.clone();
            if saved.is_none() && tokens.stop_words.is_none() {
                let texts = first_texts(planned, request);
                guessed = languages::guess(texts.iter().map(String::as_str));
                let lists = guessed.as_ref().map(|language| language.stop_words().parse());
                tokens.stop_words = lists.transpose()?;
            }
            CorpusSettings::Text {
                tokens: Box::new(tokens.resolve(&TokenSettings::default())),
                chunks: request.chunks.resolve(None)?,
            }
        }
    };
    if let Some(saved) = saved {
        settings.check_same(&request.corpus, saved)?;
    }
    Ok((settings, guessed))
}
