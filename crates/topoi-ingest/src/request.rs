//! Requests to ingest.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::error::{IngestError, Result};
use super::formats::Format;
use super::named::named;
use super::share::Share;
use super::source::encoding::Encoding;
use super::source::printable;
use super::texts::chunks::ChunkChoice;
use super::tokens::token_settings::{TokenChoice, TokenSettings};
use topoi_store::ingest::BATCH_BYTES;

/// What to do with a document that cannot be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    /// Stop.
    #[default]
    Stop,
    /// Leave it out, record the reason in the ledger, and continue.
    Skip,
}

/// What becomes of documents of the corpus that the sources do not have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Absent {
    /// They stay: the sources are something to add.
    #[default]
    Stay,
    /// They are deleted, unless that were more than half of the documents: the sources are the corpus.
    Delete,
    /// They are deleted, however many they are.
    DeleteAny,
}

/// A request to ingest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IngestRequest {
    /// The corpus to add to; created if it does not exist.
    pub corpus: String,
    /// The sources in order: files, directories, patterns; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// The format of all sources; `None` to recognise each.
    pub format: Option<Format>,
    /// The encoding of all sources; `None` to recognise it from the bytes.
    pub encoding: Option<Encoding>,
    /// The vocabulary of sources of numbered words; `None` to use the file beside each.
    pub vocabulary: Option<PathBuf>,
    /// Names of columns or keys.
    pub names: Names,
    /// Matrix Market: columns are documents.
    pub transposed: bool,
    /// SVMlight: words are counted from 0.
    pub zero_based: bool,
    /// Token settings; open values are taken from the corpus.
    pub tokens: TokenChoice,
    /// Chunk settings; open values are taken from the corpus.
    pub chunks: ChunkChoice,
    /// What to do with a document that cannot be read.
    pub on_error: OnError,
    /// What becomes of documents that the sources do not have.
    pub absent: Absent,
    /// A table of metadata among the sources, which is no source.
    pub metadata: Option<PathBuf>,
    /// Which of the documents are taken.
    pub share: Share,
    /// Bytes of text and counts per saved batch.
    pub batch_bytes: usize,
}

impl IngestRequest {
    /// A request with default settings.
    pub fn new(corpus: &str, paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            corpus: corpus.into(),
            paths: paths.into_iter().collect(),
            format: None,
            encoding: None,
            vocabulary: None,
            names: Names::default(),
            transposed: false,
            zero_based: false,
            tokens: TokenChoice::default(),
            chunks: ChunkChoice::default(),
            on_error: OnError::Stop,
            absent: Absent::Stay,
            metadata: None,
            share: Share::ALL,
            batch_bytes: BATCH_BYTES,
        }
    }

    /// Checks everything that can be checked without opening a source, so that a mistyped name creates no
    /// store.
    ///
    /// # Errors
    /// [`IngestError::NoName`]; [`IngestError::StdinTwice`]; [`IngestError::Missing`] for a source or
    /// vocabulary; [`IngestError::Pattern`]; errors of the token settings.
    pub fn check(&self) -> Result<()> {
        if self.corpus.trim().is_empty() {
            return Err(IngestError::NoName);
        }
        self.tokens.resolve(&TokenSettings::default()).check()?;
        let files = self.files()?;
        if files.iter().filter(|path| *path == Path::new("-")).count() > 1 {
            return Err(IngestError::StdinTwice);
        }
        let files = files.iter().filter(|path| *path != Path::new("-"));
        match files.chain(&self.vocabulary).chain(&self.metadata).find(|path| !path.exists()) {
            Some(missing) => Err(IngestError::Missing(printable(missing))),
            None => Ok(()),
        }
    }

    /// The sources, with every pattern replaced by the matching files, sorted by name.
    pub(super) fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(named(&self.paths)?.into_iter().map(|named| named.path).collect())
    }

    /// The number of files of all sources and their total bytes.
    ///
    /// # Errors
    /// As [`IngestRequest::check`].
    pub fn size(&self) -> Result<(u64, u64)> {
        self.check()?;
        let mut waiting: Vec<PathBuf> = self.files()?;
        let (mut files, mut bytes) = (0, 0);
        while let Some(path) = waiting.pop() {
            let entries = path.is_dir().then(|| std::fs::read_dir(&path).ok()).flatten();
            match entries {
                Some(entries) => waiting.extend(entries.flatten().map(|entry| entry.path())),
                None => {
                    files += 1;
                    bytes += std::fs::metadata(&path).map_or(0, |found| found.len());
                }
            }
        }
        Ok((files, bytes))
    }

    /// Everything that the documents depend on, as JSON: an unfinished ingest resumes if the same is requested.
    /// `"{}"` if a source cannot be read again.
    pub(super) fn identity(&self, files: &[PathBuf], settings: &str) -> String {
        if files.iter().any(|path| !path.is_file() && !path.is_dir()) {
            return "{}".into();
        }
        let absolute = |path: &PathBuf| {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            printable(&path)
        };
        let mut identity = serde_json::json!({
            "paths": files.iter().map(absolute).collect::<Vec<_>>(),
            "format": self.format.map_or("auto", Format::name),
            "encoding": self.encoding,
            "vocabulary": self.vocabulary.as_ref().map(absolute),
            "names": self.names,
            "transposed": self.transposed,
            "zero_based": self.zero_based,
            "settings": settings,
            "batch_bytes": self.batch_bytes,
        });
        if self.share != Share::ALL {
            identity["share_of_keys"] = serde_json::json!(self.share);
        }
        identity.to_string()
    }
}

/// What the documents of the records of a table of metadata are known by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RowKey {
    /// A column with their keys.
    #[default]
    Column,
    /// The record's place: all columns are fields.
    Place,
}

/// Names of columns (CSV, TSV: or numbers from 1) or of keys (JSON).
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Names {
    /// The text; default `text`.
    pub text: Option<String>,
    /// The document's key; default `id`. Documents without one get a number.
    pub id: Option<String>,
    /// The title; default `title`.
    pub title: Option<String>,
    /// The fields to keep; default all others.
    pub fields: Option<Vec<String>>,
    /// The sheet of a spreadsheet; default the only non-empty one.
    pub sheet: Option<String>,
    /// Whether a CSV or TSV file or a spreadsheet has no row of names.
    pub headerless: bool,
    /// What parts the columns of a CSV or TSV file; without one it is recognised.
    pub delimiter: Option<u8>,
    /// The line of a CSV or TSV file that the names of its columns are on, from 1; default the first.
    pub header_line: Option<u64>,
    /// A record is of a document that is there: it has fields, and no text.
    #[serde(skip)]
    pub metadata: Option<RowKey>,
}

impl Names {
    pub(super) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or("text")
    }

    pub(super) fn id(&self) -> &str {
        self.id.as_deref().unwrap_or("id")
    }

    pub(super) fn title(&self) -> &str {
        self.title.as_deref().unwrap_or("title")
    }

    /// Whether a field with this name is kept.
    pub(super) fn keeps(&self, name: &str) -> bool {
        self.fields.as_ref().is_none_or(|fields| fields.iter().any(|field| field == name))
    }

    /// The kept members of an object, as JSON; `None` if there are none.
    pub(super) fn fields_of(&self, mut rest: Map<String, Value>) -> Option<String> {
        rest.retain(|name, value| self.keeps(name) && !value.is_null());
        (!rest.is_empty()).then(|| Value::Object(rest).to_string())
    }
}
