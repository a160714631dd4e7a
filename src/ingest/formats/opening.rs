//! From a planned source to its documents, from the beginning or from where they were left.

use std::path::Path;

use super::delimited::{Columns, delimiter_of};
use super::directory::{self, Files};
use super::numbered_words::WordNumbers;
use super::triples::Triples;
use super::{jsonl, ldac, lines, mallet, matrix_market, svmlight, uci, vocabulary, vowpal_wabbit};
use crate::ingest::batches::Batches;
use crate::ingest::batches::count_batches::CountBatches;
use crate::ingest::batches::text_batches::{ReadDocument, TextBatches};
use crate::ingest::batches::units::{Lines, Records};
use crate::ingest::error::{Mistake, Place, Result};
use crate::ingest::formats::Format;
use crate::ingest::plan::Planned;
use crate::ingest::request::IngestRequest;
use crate::ingest::source::{Mark, Source};
use crate::ingest::tokens::Tokenizer;
use crate::ingest::tokens::lexicon::Lexicon;
use crate::store::ingest::source_position::SourcePosition;

/// Gives the words of a vocabulary their positions in the corpus.
pub(crate) type PlaceWords<'w> = dyn FnMut(&[String]) -> Result<Vec<u32>> + 'w;

/// What all sources of an ingest share.
pub(crate) struct Context<'a> {
    pub(crate) request: &'a IngestRequest,
    pub(crate) tokenizer: &'a Tokenizer,
    pub(crate) lexicon: &'a Lexicon,
}

impl<'a> Context<'a> {
    /// The documents of a source after `resume`; `None` when the source before that place is not
    /// what it was.
    pub(crate) fn open(
        &self,
        planned: &mut Planned,
        place: &mut PlaceWords<'_>,
        resume: Option<&SourcePosition>,
    ) -> Result<Option<Box<dyn Batches + 'a>>> {
        let mark = resume.map(mark_of);
        let cursor = resume.map_or("", |at| at.cursor.as_str());
        let before = resume.map_or(0, |at| at.lines);
        match planned.format {
            Format::Directory => {
                let after = (!cursor.is_empty()).then(|| Path::new(cursor));
                let names = &self.request.names;
                let read: ReadDocument<'a> = Box::new(|document| directory::read(document, names));
                let files = Files::open(&planned.path, after, before)?;
                Ok(Some(self.texts(Box::new(files), read, before)))
            }
            Format::Uci | Format::MatrixMarket => {
                let source = planned.open()?;
                let triples = match planned.format {
                    Format::Uci => uci::open(source)?,
                    _ => matrix_market::open(source, self.request.transposed)?,
                };
                let positions = positions_of_triples(planned, &triples, place)?;
                let resume = mark.as_ref().map(|mark| (mark, cursor));
                let batches = CountBatches::new(triples, positions, resume)?;
                Ok(batches.map(|batches| Box::new(batches) as Box<dyn Batches>))
            }
            _ => self.open_records(planned, place, mark.as_ref()),
        }
    }

    /// A source of which every line or record is a document.
    fn open_records(
        &self,
        planned: &mut Planned,
        place: &mut PlaceWords<'_>,
        mark: Option<&Mark>,
    ) -> Result<Option<Box<dyn Batches + 'a>>> {
        let mut source = planned.open()?;
        let stem = source.stem().to_string();
        let before = mark.map_or(0, |mark| mark.lines);
        let names = &self.request.names;
        let columns = match planned.format {
            Format::Csv | Format::Tsv => Some(self.columns(&mut source, planned.format)?),
            _ => None,
        };
        let words = match planned.format {
            Format::Ldac | Format::Svmlight => Some(self.word_numbers(planned, place)?),
            _ => None,
        };
        if let Some(mark) = mark {
            // The header of a delimited file is part of what the mark counts.
            if mark.bytes > 0 && !source.skip_to(mark)? {
                return Ok(None);
            }
        }
        let delimiter = columns.as_ref().map(|(delimiter, _)| *delimiter);
        let read: ReadDocument<'a> = match (planned.format, columns, words) {
            (_, Some((_, columns)), _) => Box::new(move |d| columns.read(d.bytes, &stem, d.place)),
            (Format::Ldac, _, Some(words)) => {
                Box::new(move |d| ldac::read(d.bytes, &stem, &words, d.place))
            }
            (_, _, Some(words)) => {
                Box::new(move |d| svmlight::read(d.bytes, &stem, &words, names, d.place))
            }
            (Format::Jsonl, ..) => Box::new(move |d| jsonl::read(d.bytes, &stem, names, d.place)),
            (Format::Vw, ..) => {
                Box::new(move |d| vowpal_wabbit::read(d.bytes, &stem, names, d.place))
            }
            (Format::Mallet, ..) => Box::new(move |d| mallet::read(d.bytes, names, d.place)),
            _ => Box::new(move |d| lines::read(d.bytes, &stem, d.place)),
        };
        Ok(Some(match delimiter {
            Some(delimiter) if delimiter != b'\t' => {
                self.texts(Box::new(Records { source, delimiter }), read, before)
            }
            _ => self.texts(Box::new(Lines(source)), read, before),
        }))
    }

    fn texts(
        &self,
        units: Box<dyn crate::ingest::batches::units::Units + 'a>,
        read: ReadDocument<'a>,
        before: u64,
    ) -> Box<dyn Batches + 'a> {
        Box::new(TextBatches::new(units, read, self.tokenizer, self.lexicon, before))
    }

    /// Finds the columns of a delimited file and passes over its line of names.
    fn columns(&self, source: &mut Source, format: Format) -> Result<(u8, Columns)> {
        let first_line = Place { file: source.name().into(), line: 1 };
        let nothing = || {
            let remedy = "leave the file out";
            Mistake::source(first_line.clone(), "expected a line of names, found nothing", remedy)
        };
        let first = source.peek(0)?.ok_or_else(nothing)?.to_vec();
        let delimiter = if format == Format::Tsv { b'\t' } else { delimiter_of(&first) };
        let columns = Columns::find(&first, delimiter, &self.request.names, &first_line)?;
        if !self.request.names.headerless {
            source.next_line()?;
        }
        Ok((delimiter, columns))
    }

    fn word_numbers(&self, planned: &Planned, place: &mut PlaceWords<'_>) -> Result<WordNumbers> {
        let words = planned.vocabulary.as_deref().map(vocabulary::read).transpose()?;
        let positions = words.map(|words| place(&words)).transpose()?;
        let is_from_one = planned.format == Format::Svmlight && !self.request.zero_based;
        Ok(WordNumbers { positions, first: u64::from(is_from_one) })
    }
}

pub(crate) fn mark_of(at: &SourcePosition) -> Mark {
    Mark { bytes: at.bytes, lines: at.lines, hash: at.hash.clone() }
}

/// Positions of the words of a source's vocabulary; all of them become terms of the corpus in
/// the order of the file, used or not.
fn positions_of_triples(
    planned: &Planned,
    triples: &Triples,
    place: &mut PlaceWords<'_>,
) -> Result<Vec<u32>> {
    let path = planned.vocabulary.as_deref().unwrap_or(Path::new(""));
    let words = vocabulary::read(path)?;
    vocabulary::check_length(path, words.len(), &planned.name, triples.layout.words)?;
    place(&words)
}
