//! A document per line. A blank line is not a document, but counts as a line in the keys.

use crate::batches::record::{Content, Record};
use crate::error::{InputLocation, Reading};
use crate::formats::definition::FormatDef;
use crate::formats::opening::{FormatInput, OpenResult};

pub(crate) static FORMAT: FormatDef =
    FormatDef { name: "lines", help: "a document a line", ..FormatDef::with_open(open) };

pub(crate) fn open<'a>(mut input: FormatInput<'_, 'a>) -> OpenResult<'a> {
    let source = input.source()?;
    let (stem, decoder) = (source.stem().to_string(), input.decoder());
    input.lines(source, Box::new(move |d| read(&decoder.decode(d.bytes, d.place)?, &stem, d.place)))
}

/// The document of line `place.line`, with the key `stem:line`.
fn read(text: &str, stem: &str, place: &InputLocation) -> Reading<Option<Record>> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let key = format!("{stem}:{}", place.line);
    Ok(Some(Record::new(key, Content::Text(text.into()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u64) -> InputLocation {
        InputLocation { file: "news.txt".into(), line }
    }

    #[test]
    fn a_line_is_a_document_and_a_blank_line_is_none() {
        let record = read("some words", "news", &place(7)).expect("read").expect("a document");
        assert_eq!(record.key, "news:7");
        assert_eq!(record.content, Content::Text("some words".into()));
        assert_eq!(read(" \t", "news", &place(8)).expect("read"), None);
    }
}
