//! Reads XML as a stream, with line numbers for errors. Only the entities of XML and HTML are expanded. Nesting
//! and the length of pieces are limited.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};

use quick_xml::XmlVersion;
use quick_xml::errors::Error;
use quick_xml::escape::{resolve_html5_entity, resolve_xml_entity};
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::QName;
use quick_xml::reader::Reader;

use super::flow::{Flow, TextGap};
use super::package::{ReadRefusal, unreadable};
use crate::error::{InputLocation, Mistake, Reading};
use crate::source::MAX_DOCUMENT_BYTES;

const MAX_DEPTH: usize = 1000;

/// Receives the parts of an XML file. Names have no prefix.
pub(in crate::formats) trait Visitor {
    fn start(&mut self, element: &Element<'_>);
    fn end(&mut self, name: &str);
    fn text(&mut self, text: &str);

    /// # Errors
    /// If more text was received than a document may have.
    fn check(&self, place: &InputLocation) -> Reading<()>;
}

/// The start tag of an element.
pub(in crate::formats) struct Element<'e>(&'e BytesStart<'e>);

impl Element<'_> {
    pub(in crate::formats) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    pub(in crate::formats) fn attribute(&self, name: &str) -> Option<String> {
        self.attributes(name).next()
    }

    /// All attributes with this name, in any namespace.
    pub(in crate::formats) fn attributes(&self, name: &str) -> impl Iterator<Item = String> {
        let is_it = move |key: QName<'_>| key.local_name().into_inner() == name;
        let mut attributes = self.0.attributes();
        attributes.with_checks(false);
        let found = attributes.flatten().filter(move |found| is_it(found.key));
        found.filter_map(|found| {
            Some(found.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned())
        })
    }
}

/// Counts lines, and the bytes of the current piece.
struct CountingReader<'c, R> {
    inner: R,
    lines: &'c Cell<u64>,
    piece: &'c Cell<usize>,
}

impl<R: BufRead> Read for CountingReader<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let length = bytes.len().min(out.len());
        out[..length].copy_from_slice(&bytes[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for CountingReader<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.piece.get() > MAX_DOCUMENT_BYTES {
            let problem = "a tag, or text between two, of more than 64 MiB";
            return Err(ReadRefusal { problem, remedy: "leave the file out" }.into());
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        if let Ok(bytes) = self.inner.fill_buf() {
            let lines = memchr::memchr_iter(b'\n', &bytes[..length.min(bytes.len())]).count();
            self.lines.set(self.lines.get() + lines as u64);
        }
        self.piece.set(self.piece.get() + length);
        self.inner.consume(length);
    }
}

/// Passes the XML of `input`, which is UTF-8, to `visitor`.
///
/// # Errors
/// The first error in the XML, with its line.
pub(in crate::formats) fn walk(
    input: impl Read,
    place: &InputLocation,
    visitor: &mut dyn Visitor,
) -> Reading<()> {
    let (lines, piece) = (Cell::new(0), Cell::new(0));
    let here = || InputLocation { line: lines.get() + 1, ..place.clone() };
    let input = CountingReader {
        inner: BufReader::with_capacity(1 << 16, input),
        lines: &lines,
        piece: &piece,
    };
    let mut reader = Reader::from_reader(input);
    reader.config_mut().allow_dangling_amp = true;
    let (mut buffer, mut depth, mut elements) = (Vec::new(), 0, 0_u64);
    loop {
        buffer.clear();
        piece.set(0);
        match reader.read_event_into(&mut buffer).map_err(|error| wrong(&error, here()))? {
            Event::Start(element) => {
                (depth, elements) = (depth + 1, elements + 1);
                if depth > MAX_DEPTH {
                    let problem = format!("elements nested more than {MAX_DEPTH} deep");
                    return Err(Mistake::document(here(), problem, "leave the file out"));
                }
                visitor.start(&Element(&element));
            }
            Event::Empty(element) => {
                elements += 1;
                let element = Element(&element);
                visitor.start(&element);
                visitor.end(element.name());
            }
            Event::End(element) => {
                depth -= 1;
                visitor.end(element.local_name().into_inner());
            }
            Event::Text(text) => visitor.text(&text),
            Event::CData(text) => visitor.text(&text),
            Event::GeneralRef(entity) => match entity.resolve_char_ref() {
                Ok(Some(character)) => visitor.text(character.encode_utf8(&mut [0; 4])),
                Ok(None) => {
                    let known =
                        resolve_xml_entity(&entity).or_else(|| resolve_html5_entity(&entity));
                    visitor.text(known.ok_or_else(|| unknown_entity(&entity, here()))?);
                }
                Err(error) => return Err(wrong(&error, here())),
            },
            Event::Eof if depth > 0 => {
                let problem = "the XML ends within an element";
                return Err(Mistake::document(here(), problem, "copy or download it again"));
            }
            Event::Eof if elements == 0 => {
                let problem = "no XML: there is no element in it";
                let remedy = "leave the file out, or read it with --format text";
                return Err(Mistake::document(here(), problem, remedy));
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
        visitor.check(place)?;
    }
}

fn unknown_entity(name: &str, place: InputLocation) -> Mistake {
    let name: String = name.chars().take(40).collect();
    let problem =
        format!("the entity &{name}; is neither of XML nor of HTML, and entities are not expanded");
    let remedy = "expand them, for example with `xmllint --noent FILE`, if you trust the file";
    Mistake::document(place, problem, remedy)
}

fn wrong(error: &Error, place: InputLocation) -> Mistake {
    match error {
        Error::Io(error) => unreadable(error, place),
        Error::Encoding(_) => {
            let remedy = "say how it is encoded, for example with --encoding windows-1252";
            Mistake::document(place, "not UTF-8, nor what it says of its encoding", remedy)
                .undecodable()
        }
        error => {
            // The message cites element names verbatim, which may contain line breaks.
            let said = error.to_string().replace(char::is_control, " ");
            let problem = format!("not well-formed XML ({said})");
            let remedy =
                "mend it there (`xmllint --noout FILE` says more), or read it with --format html";
            Mistake::document(place, problem, remedy)
        }
    }
}

/// Collects the texts of elements with certain names.
pub(in crate::formats) struct ElementTexts<'n> {
    names: &'n [&'n str],
    /// (name, text) in document order.
    pub(in crate::formats) found: Vec<(String, String)>,
    open: Option<(String, Flow)>,
}

impl<'n> ElementTexts<'n> {
    pub(in crate::formats) fn new(names: &'n [&'n str]) -> Self {
        Self { names, found: Vec::new(), open: None }
    }

    /// The text of the first of these names that has an element.
    pub(in crate::formats) fn first(&self, names: &[&str]) -> Option<String> {
        let text = |name: &&str| self.found.iter().find(|(found, _)| found == name);
        names.iter().find_map(text).map(|(_, text)| text.clone())
    }

    /// The texts of all elements with this name, joined.
    pub(in crate::formats) fn all(&self, name: &str) -> Option<String> {
        let texts =
            self.found.iter().filter(|(found, _)| found == name).map(|(_, text)| text.as_str());
        let texts: Vec<&str> = texts.take(100).collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }
}

impl Visitor for ElementTexts<'_> {
    fn start(&mut self, element: &Element<'_>) {
        if self.open.is_none() && self.names.contains(&element.name()) {
            self.open = Some((element.name().into(), Flow::default()));
        }
    }

    fn end(&mut self, name: &str) {
        if let Some((name, flow)) = self.open.take_if(|(open, _)| open == name)
            && let Some(text) = flow.into_filled()
        {
            self.found.push((name, text));
        }
    }

    fn text(&mut self, text: &str) {
        if let Some((_, flow)) = &mut self.open {
            flow.words(text);
        }
    }

    fn check(&self, place: &InputLocation) -> Reading<()> {
        self.open.as_ref().map_or(Ok(()), |(_, flow)| flow.check_length(place))
    }
}

/// Paragraphs of a word processor's document: the text within certain elements, with gaps for others.
pub(in crate::formats) struct Paragraphs<'p> {
    pub(in crate::formats) flow: Flow,
    /// The element whose text is read; `None` for all.
    pub(in crate::formats) within: Option<&'p str>,
    /// Elements that are skipped with their content.
    pub(in crate::formats) skipped: &'p [&'p str],
    /// The gaps around elements.
    pub(in crate::formats) gaps: &'p [(&'p str, TextGap)],
    /// The element that is a hyphen within a word.
    hyphen: Option<&'p str>,
    pub(in crate::formats) inside: usize,
    pub(in crate::formats) skipping: Vec<String>,
}

impl<'p> Paragraphs<'p> {
    pub(in crate::formats) fn new(
        within: Option<&'p str>,
        skipped: &'p [&'p str],
        gaps: &'p [(&'p str, TextGap)],
    ) -> Self {
        let flow = Flow::default();
        Self { flow, within, skipped, gaps, hyphen: None, inside: 0, skipping: Vec::new() }
    }

    /// The same with an element that stands for a hyphen.
    pub(in crate::formats) fn with_hyphen(self, element: &'p str) -> Self {
        Self { hyphen: Some(element), ..self }
    }

    fn leave_gap(&mut self, name: &str) {
        if let Some(&(_, gap)) = self.gaps.iter().find(|(of, _)| *of == name) {
            self.flow.gap(gap);
        }
    }
}

impl Visitor for Paragraphs<'_> {
    fn start(&mut self, element: &Element<'_>) {
        let name = element.name();
        if !self.skipping.is_empty() || self.skipped.contains(&name) {
            self.skipping.push(name.into());
            return;
        }
        if self.hyphen == Some(name) {
            self.flow.words("-");
        }
        self.inside += usize::from(self.within == Some(name));
        self.leave_gap(name);
    }

    fn end(&mut self, name: &str) {
        if self.skipping.pop().is_some() {
            return;
        }
        self.inside -= usize::from(self.within == Some(name));
        self.leave_gap(name);
    }

    fn text(&mut self, text: &str) {
        if self.skipping.is_empty() && (self.within.is_none() || self.inside > 0) {
            self.flow.words(text);
        }
    }

    fn check(&self, place: &InputLocation) -> Reading<()> {
        self.flow.check_length(place)
    }
}
