//! Opening a planned source as documents, from its beginning or from a saved position.

use std::path::{Path, PathBuf};

use super::counts::numbered_words::WordNumbers;
use super::counts::triples::Triples;
use super::counts::vocabulary;
use super::files::ReadFile;
use super::files::file_kind::refusal;
use crate::batches::Batches;
use crate::batches::count_batches::CountBatches;
use crate::batches::text_batches::{ReadDocument, TextBatches};
use crate::batches::units::{Lines, Units};
use crate::error::Result;
use crate::plan::Planned;
use crate::preparer::Preparer;
use crate::request::IngestRequest;
use crate::source::encoding::Decoder;
use crate::source::{Mark, Source};
use topoi_store::ingest::source_position::SourcePosition;

/// Maps the words of a vocabulary to their positions in the corpus.
pub(crate) type MapWords<'w> = dyn FnMut(&[String]) -> Result<Vec<u32>> + 'w;

/// The documents of a source; `None` if its content before the position to resume from has changed.
pub(crate) type OpenResult<'a> = Result<Option<Box<dyn Batches + 'a>>>;

/// Settings that all sources of an ingest share.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) request: &'a IngestRequest,
    pub(crate) preparer: &'a Preparer,
    /// Receives the texts of documents in place of their preparation, from many threads and in no order.
    pub(crate) collector: Option<TextCollector<'a>>,
}

/// Receives texts.
pub(crate) type TextCollector<'c> = &'c (dyn Fn(String) + Sync);

impl<'a> Context<'a> {
    /// For documents that are prepared.
    pub(crate) fn new(request: &'a IngestRequest, preparer: &'a Preparer) -> Self {
        Self { request, preparer, collector: None }
    }

    /// Opens a source after the position `resume`.
    pub(crate) fn open(
        &self,
        planned: &mut Planned,
        map_words: &mut MapWords<'_>,
        resume: Option<&SourcePosition>,
    ) -> OpenResult<'a> {
        planned.format.open(FormatInput { context: *self, planned, map_words, resume })
    }
}

/// A planned source that a format opens.
pub(crate) struct FormatInput<'o, 'a> {
    context: Context<'a>,
    planned: &'o mut Planned,
    map_words: &'o mut MapWords<'o>,
    resume: Option<&'o SourcePosition>,
}

impl<'a> FormatInput<'_, 'a> {
    pub(super) fn request(&self) -> &'a IngestRequest {
        self.context.request
    }

    pub(super) fn path(&self) -> &Path {
        &self.planned.path
    }

    /// The files of the source, unless they are those of a directory.
    pub(super) fn listed(&self) -> Option<&[PathBuf]> {
        self.planned.listed.as_deref()
    }

    /// The function that reads a whole file as a document.
    pub(super) fn read_file(&self) -> Option<ReadFile> {
        self.planned.format.0.file
    }

    /// The source that is already open, if it cannot be opened twice.
    pub(super) fn take_open_source(&mut self) -> Option<Source> {
        self.planned.open.take()
    }

    /// The decoder of the source's bytes.
    pub(super) fn decoder(&self) -> Decoder<'a> {
        let preparer = self.context.preparer;
        let (guessed, mistaken) = (&preparer.guessed, &preparer.mistaken);
        Decoder { named: self.context.request.encoding, guessed, mistaken }
    }

    /// Adds remarks about the source for the user.
    pub(super) fn remark(&mut self, remarks: &[String]) {
        self.planned.remarks.extend_from_slice(remarks);
    }

    /// The column with the keys of documents was found.
    pub(super) fn found_key(&mut self, name: Option<&str>) {
        self.planned.key_column = name.map(String::from);
    }

    /// The source from its beginning.
    pub(super) fn any_source(&mut self) -> Result<Source> {
        self.planned.open()
    }

    /// The source from its beginning, checked to be text.
    pub(super) fn source(&mut self) -> Result<Source> {
        let source = self.any_source()?;
        refusal(&source).map_or(Ok(source), |mistake| Err(mistake.into()))
    }

    /// The saved position: the format's cursor, and the number of lines or files before it.
    pub(super) fn after(&self) -> (&str, u64) {
        self.resume.map_or(("", 0), |at| (&at.cursor, at.lines))
    }

    /// The mark to resume from.
    pub(super) fn mark(&self) -> Option<Mark> {
        self.resume.map(mark_of)
    }

    /// The mapping of word numbers, which are counted from `first`.
    pub(super) fn word_numbers(&mut self, first: u64) -> Result<WordNumbers> {
        let words = self.planned.vocabulary.as_deref().map(vocabulary::read).transpose()?;
        let positions = words.map(|words| (self.map_words)(&words)).transpose()?;
        Ok(WordNumbers { positions, first })
    }

    /// Opens a source with a document per line.
    pub(super) fn lines(self, source: Source, read: ReadDocument<'a>) -> OpenResult<'a> {
        self.cut(source, |source| Box::new(Lines(source)), read)
    }

    /// Opens a source that `cut` splits into documents that can be read separately.
    pub(super) fn cut(
        self,
        mut source: Source,
        cut: impl FnOnce(Source) -> Box<dyn Units + 'a>,
        read: ReadDocument<'a>,
    ) -> OpenResult<'a> {
        if let Some(mark) = self.resume.map(mark_of) {
            // The mark includes the header of a delimited file.
            if mark.bytes > 0 && !source.skip_to(&mark)? {
                return Ok(None);
            }
        }
        Ok(Some(self.texts(cut(source), read)))
    }

    /// Documents that can be read separately.
    pub(super) fn texts(
        self,
        units: Box<dyn Units + 'a>,
        read: ReadDocument<'a>,
    ) -> Box<dyn Batches + 'a> {
        let before = self.after().1;
        Box::new(TextBatches::new(units, read, self.context, before))
    }

    /// Opens a source of triples. All words of its vocabulary become terms of the corpus, in the order of the
    /// file, used or not.
    pub(super) fn triples(self, triples: Triples) -> OpenResult<'a> {
        let path = self.planned.vocabulary.as_deref().unwrap_or(Path::new(""));
        let words = vocabulary::read(path)?;
        vocabulary::check_length(path, words.len(), &self.planned.name, triples.layout.words)?;
        let positions = (self.map_words)(&words)?;
        let mark = self.resume.map(mark_of);
        let resume = mark.as_ref().map(|mark| (mark, self.after().0));
        let share = self.request().share;
        let batches = CountBatches::new(triples, positions, share, resume)?;
        Ok(batches.map(|batches| Box::new(batches) as Box<dyn Batches>))
    }
}

pub(crate) fn mark_of(at: &SourcePosition) -> Mark {
    Mark { bytes: at.bytes, lines: at.lines, hash: at.hash.clone() }
}
