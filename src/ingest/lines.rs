//! One document a line; a blank line is none, but counts as a line in the keys.

use super::error::{IngestError, Place, Result};
use super::record::{Content, Record};

/// The document of line `place.line`, whose key is `stem:line`.
pub(super) fn read(line: &[u8], stem: &str, place: &Place) -> Result<Option<Record>> {
    let text = utf8(line, place)?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let key = format!("{stem}:{}", place.line);
    Ok(Some(Record { key, title: None, content: Content::Text(text.into()) }))
}

/// The line as text.
///
/// # Errors
/// When it is not UTF-8.
pub(super) fn utf8<'a>(line: &'a [u8], place: &Place) -> Result<&'a str> {
    std::str::from_utf8(line).map_err(|error| IngestError::NotUtf8 {
        place: place.clone(),
        column: error.valid_up_to() + 1,
    })
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
        let error = read(b"caf\xe9", "news", &place(3)).expect_err("not UTF-8");
        assert_eq!(
            error.to_string(),
            "news.txt:3: not UTF-8 (byte 4 of the line); nothing was added: convert the file, \
             for example with `iconv -f latin1 -t utf-8`"
        );
    }
}
