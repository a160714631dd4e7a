//! The UCI bag-of-words format: three header lines (documents D, words W, triples N), then N
//! lines `document word count`, ids counted from 1, all lines of a document together.

use super::triples::{Layout, LineKind, Triples, header_line, integer, integers};
use super::{FormatDef, Holds};
use crate::ingest::error::Reading;
use crate::ingest::source::Source;

pub(super) static FORMAT: FormatDef = FormatDef {
    name: "uci",
    help: "docword of the UCI bag-of-words collections",
    holds: Holds::NumbersOfVocabulary,
    has_signature: is_source,
    open: |mut opening| {
        let triples = header(opening.source()?)?;
        opening.triples(triples)
    },
    ..FormatDef::USUAL
};

const THREE_LINES: &str = "a docword file starts with three such lines (documents, words, triples)";

/// Reads the header.
///
/// # Errors
/// When it is not three lines of one integer each.
pub(super) fn header(mut source: Source) -> Reading<Triples> {
    let documents = header_line(&mut source, "documents", THREE_LINES)?;
    let words = header_line(&mut source, "words", THREE_LINES)?;
    let triples = header_line(&mut source, "triples", THREE_LINES)?;
    Ok(Triples::new(source, Layout { documents, words, triples, lines: LineKind::Integers }))
}

/// Whether a source begins as this format does.
pub(crate) fn is_source(source: &mut Source) -> Reading<bool> {
    let mut triples = 0;
    for index in 0..3 {
        match source.peek(index)?.and_then(integer) {
            Some(number) => triples = number,
            None => return Ok(false),
        }
    }
    Ok(match source.peek(3)? {
        Some(line) if !line.trim_ascii().is_empty() => integers(line).is_some(),
        _ => triples == 0,
    })
}

#[cfg(test)]
#[path = "test_uci.rs"]
mod tests;
