//! One document a line; a blank line is none, but counts as a line in the keys.

use crate::batches::record::{Content, Record};
use crate::error::{Place, Reading};
use crate::formats::{FormatDef, Opened, Opening};

pub(crate) static FORMAT: FormatDef =
    FormatDef { name: "lines", help: "a document a line", ..FormatDef::USUAL };

pub(crate) fn open<'a>(mut opening: Opening<'_, 'a>) -> Opened<'a> {
    let source = opening.source()?;
    let (stem, decoder) = (source.stem().to_string(), opening.decoder());
    opening
        .lines(source, Box::new(move |d| read(&decoder.decode(d.bytes, d.place)?, &stem, d.place)))
}

/// The document of line `place.line`, whose key is `stem:line`.
fn read(text: &str, stem: &str, place: &Place) -> Reading<Option<Record>> {
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
        let record = read("some words", "news", &place(7)).expect("read").expect("a document");
        assert_eq!(record.key, "news:7");
        assert_eq!(record.content, Content::Text("some words".into()));
        assert_eq!(read(" \t", "news", &place(8)).expect("read"), None);
    }
}
