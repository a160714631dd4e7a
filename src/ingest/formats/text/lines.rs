//! One document a line; a blank line is none, but counts as a line in the keys.

use crate::ingest::batches::record::{Content, Record};
use crate::ingest::error::{Place, Reading, utf8};
use crate::ingest::formats::{FormatDef, Opened, Opening};

pub(crate) static FORMAT: FormatDef =
    FormatDef { name: "lines", help: "a document a line", ..FormatDef::USUAL };

pub(crate) fn open<'a>(mut opening: Opening<'_, 'a>) -> Opened<'a> {
    let source = opening.source()?;
    let stem = source.stem().to_string();
    opening.lines(source, Box::new(move |d| read(d.bytes, &stem, d.place)))
}

/// The document of line `place.line`, whose key is `stem:line`.
pub(crate) fn read(line: &[u8], stem: &str, place: &Place) -> Reading<Option<Record>> {
    let text = utf8(line, place)?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let key = format!("{stem}:{}", place.line);
    Ok(Some(Record::new(key, Content::Text(text.into()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u64) -> Place {
        Place { file: "news.txt".into(), line }
    }

    #[test]
    fn a_line_is_a_document_and_a_blank_line_is_none() {
        let record = read(b"some words", "news", &place(7)).expect("read").expect("a document");
        assert_eq!(record.key, "news:7");
        assert_eq!(record.content, Content::Text("some words".into()));
        assert_eq!(read(b" \t", "news", &place(8)).expect("read"), None);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_named_with_their_place() {
        let mistake = read(b"caf\xe9", "news", &place(3)).expect_err("not UTF-8");
        assert_eq!(
            (mistake.place.to_string(), mistake.problem),
            ("news.txt:3".into(), "not UTF-8 (byte 4 of the line)".into())
        );
    }
}
