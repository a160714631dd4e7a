//! From a planned source to its documents, from the beginning or from where they were left.

use std::path::{Path, PathBuf};

use super::counts::numbered_words::WordNumbers;
use super::counts::triples::Triples;
use super::counts::vocabulary;
use super::files::ReadFile;
use super::files::what_it_is::refusal;
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

/// Gives the words of a vocabulary their positions in the corpus.
pub(crate) type PlaceWords<'w> = dyn FnMut(&[String]) -> Result<Vec<u32>> + 'w;

/// The documents of a source; `None` when what stands before the place to go on from has changed.
pub(crate) type Opened<'a> = Result<Option<Box<dyn Batches + 'a>>>;

/// What all sources of an ingest share.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) request: &'a IngestRequest,
    pub(crate) preparer: &'a Preparer,
}

impl<'a> Context<'a> {
    /// The documents of a source after `resume`.
    pub(crate) fn open(
        &self,
        planned: &mut Planned,
        place: &mut PlaceWords<'_>,
        resume: Option<&SourcePosition>,
    ) -> Opened<'a> {
        planned.format.open(Opening { context: *self, planned, place, resume })
    }
}

/// A source that its format makes documents of.
pub(crate) struct Opening<'o, 'a> {
    context: Context<'a>,
    planned: &'o mut Planned,
    place: &'o mut PlaceWords<'o>,
    resume: Option<&'o SourcePosition>,
}

impl<'a> Opening<'_, 'a> {
    pub(super) fn request(&self) -> &'a IngestRequest {
        self.context.request
    }

    pub(super) fn path(&self) -> &Path {
        &self.planned.path
    }

    /// The files it consists of, unless they are those of a directory.
    pub(super) fn listed(&self) -> Option<&[PathBuf]> {
        self.planned.listed.as_deref()
    }

    /// How a whole file becomes a document.
    pub(super) fn read_file(&self) -> Option<ReadFile> {
        self.planned.format.0.file
    }

    /// What was opened before, as it cannot be opened twice.
    pub(super) fn held(&mut self) -> Option<Source> {
        self.planned.open.take()
    }

    /// How its bytes become text.
    pub(super) fn decoder(&self) -> Decoder<'a> {
        Decoder { named: self.context.request.encoding, guessed: &self.context.preparer.guessed }
    }

    /// What people are to know of the source.
    pub(super) fn remark(&mut self, remarks: &[String]) {
        self.planned.remarks.extend_from_slice(remarks);
    }

    /// The source from its beginning, whatever it is.
    pub(super) fn any_source(&mut self) -> Result<Source> {
        self.planned.open()
    }

    /// The source from its beginning, which is text.
    pub(super) fn source(&mut self) -> Result<Source> {
        let source = self.any_source()?;
        refusal(&source).map_or(Ok(source), |mistake| Err(mistake.into()))
    }

    /// Where to go on from: what the format noted, and how many lines or files came before.
    pub(super) fn after(&self) -> (&str, u64) {
        self.resume.map_or(("", 0), |at| (&at.cursor, at.lines))
    }

    /// The place to go on from.
    pub(super) fn mark(&self) -> Option<Mark> {
        self.resume.map(mark_of)
    }

    /// What the numbers of words from `first` on stand for.
    pub(super) fn word_numbers(&mut self, first: u64) -> Result<WordNumbers> {
        let words = self.planned.vocabulary.as_deref().map(vocabulary::read).transpose()?;
        let positions = words.map(|words| (self.place)(&words)).transpose()?;
        Ok(WordNumbers { positions, first })
    }

    /// Every line that follows is a document, or none.
    pub(super) fn lines(self, source: Source, read: ReadDocument<'a>) -> Opened<'a> {
        self.cut(source, |source| Box::new(Lines(source)), read)
    }

    /// What follows is `cut` into documents, which do not depend on each other.
    pub(super) fn cut(
        self,
        mut source: Source,
        cut: impl FnOnce(Source) -> Box<dyn Units + 'a>,
        read: ReadDocument<'a>,
    ) -> Opened<'a> {
        if let Some(mark) = self.resume.map(mark_of) {
            // The header of a delimited file is part of what the mark counts.
            if mark.bytes > 0 && !source.skip_to(&mark)? {
                return Ok(None);
            }
        }
        Ok(Some(self.texts(cut(source), read)))
    }

    /// Documents that do not depend on each other.
    pub(super) fn texts(
        self,
        units: Box<dyn Units + 'a>,
        read: ReadDocument<'a>,
    ) -> Box<dyn Batches + 'a> {
        let before = self.after().1;
        Box::new(TextBatches::new(units, read, self.context, before))
    }

    /// The documents of triples. All words of their vocabulary become terms of the corpus in the order
    /// of the file, used or not.
    pub(super) fn triples(self, triples: Triples) -> Opened<'a> {
        let path = self.planned.vocabulary.as_deref().unwrap_or(Path::new(""));
        let words = vocabulary::read(path)?;
        vocabulary::check_length(path, words.len(), &self.planned.name, triples.layout.words)?;
        let positions = (self.place)(&words)?;
        let mark = self.resume.map(mark_of);
        let resume = mark.as_ref().map(|mark| (mark, self.after().0));
        let batches = CountBatches::new(triples, positions, resume)?;
        Ok(batches.map(|batches| Box::new(batches) as Box<dyn Batches>))
    }
}

pub(crate) fn mark_of(at: &SourcePosition) -> Mark {
    Mark { bytes: at.bytes, lines: at.lines, hash: at.hash.clone() }
}
