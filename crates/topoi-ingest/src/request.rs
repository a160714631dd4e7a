//! What to ingest, and how.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::chunks::ChunkChoice;
use super::error::{IngestError, Result};
use super::formats::Format;
use super::named::named;
use super::source::encoding::Encoding;
use super::source::printable;
use super::tokens::token_settings::{TokenChoice, TokenSettings};
use topoi_store::ingest::BATCH_BYTES;

/// What to do with a document that cannot be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    /// Stop there.
    #[default]
    Stop,
    /// Leave it out, write why to the ledger, and go on.
    Skip,
}

/// What to ingest, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IngestRequest {
    /// The corpus to add to; it is created if it is not there.
    pub corpus: String,
    /// The sources in order: files, directories, patterns; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// The format of all of them, or `None` to look at each.
    pub format: Option<Format>,
    /// The encoding of all of them, or `None` to tell it by their bytes.
    pub encoding: Option<Encoding>,
    /// The vocabulary of the sources of numbered words; the one beside each if `None`.
    pub vocabulary: Option<PathBuf>,
    /// Which columns or keys hold what.
    pub names: Names,
    /// Matrix Market: the columns are the documents.
    pub transposed: bool,
    /// SVMlight: words are counted from 0.
    pub zero_based: bool,
    /// How text becomes terms, as far as it is not as the corpus has it.
    pub tokens: TokenChoice,
    /// How long documents are cut into chunks, as far as it is not as the corpus has it.
    pub chunks: ChunkChoice,
    /// What to do with a document that cannot be read.
    pub on_error: OnError,
    /// Bytes of text and counts after which documents are saved.
    pub batch_bytes: usize,
}

impl IngestRequest {
    /// A request with the usual settings.
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
            batch_bytes: BATCH_BYTES,
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
        self.tokens.on(&TokenSettings::default()).check()?;
        let files = self.files()?;
        if files.iter().filter(|path| *path == Path::new("-")).count() > 1 {
            return Err(IngestError::StdinTwice);
        }
        let files = files.iter().filter(|path| *path != Path::new("-"));
        match files.chain(&self.vocabulary).find(|path| !path.exists()) {
            Some(missing) => Err(IngestError::Missing(printable(missing))),
            None => Ok(()),
        }
    }

    /// The sources with every pattern replaced by the files that fit it, in order of their names.
    pub(super) fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(named(&self.paths)?.into_iter().map(|named| named.path).collect())
    }

    /// How many files its sources are, and their bytes.
    ///
    /// # Errors
    /// When a source is not there.
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

    /// Everything that the documents depend on, as JSON: an unfinished ingest is resumed when
    /// the same is asked for. `"{}"` where a source cannot be read again.
    pub(super) fn identity(&self, files: &[PathBuf], settings: &str) -> String {
        if files.iter().any(|path| !path.is_file() && !path.is_dir()) {
            return "{}".into();
        }
        let absolute = |path: &PathBuf| {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            printable(&path)
        };
        serde_json::json!({
            "paths": files.iter().map(absolute).collect::<Vec<_>>(),
            "format": self.format.map_or("auto", Format::name),
            "encoding": self.encoding,
            "vocabulary": self.vocabulary.as_ref().map(absolute),
            "names": self.names,
            "transposed": self.transposed,
            "zero_based": self.zero_based,
            "settings": settings,
            "batch_bytes": self.batch_bytes,
        })
        .to_string()
    }
}

/// Names of columns (CSV, TSV: or their numbers from 1) or of keys (JSON).
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Names {
    /// The text; `text` unless named.
    pub text: Option<String>,
    /// The key of the document; `id` unless named, and a number is made up where there is none.
    pub id: Option<String>,
    /// The title; `title` unless named.
    pub title: Option<String>,
    /// The fields to keep; all the others unless named.
    pub fields: Option<Vec<String>>,
    /// The sheet of a spreadsheet; the only one that is filled unless named.
    pub sheet: Option<String>,
    /// Whether a CSV or TSV file or a spreadsheet has no line of names.
    pub headerless: bool,
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

    /// Whether a field of this name is kept.
    pub(super) fn keeps(&self, name: &str) -> bool {
        self.fields.as_ref().is_none_or(|fields| fields.iter().any(|field| field == name))
    }

    /// What is kept of the rest of an object, as JSON; `None` when nothing is.
    pub(super) fn fields_of(&self, mut rest: Map<String, Value>) -> Option<String> {
        rest.retain(|name, value| self.keeps(name) && !value.is_null());
        (!rest.is_empty()).then(|| Value::Object(rest).to_string())
    }
}
