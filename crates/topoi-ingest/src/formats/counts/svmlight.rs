//! SVMlight (libsvm): a document per line, `target feature:value feature:value … # comment`, with features
//! counted from 1. The target becomes the field `target`; `qid:n` is skipped.

use serde_json::{Map, Value};

use super::numbered_words::{WordNumbers, invalid_pair, parse_pair};
use crate::batches::record::Record;
use crate::batches::units::RawDocument;
use crate::error::{InputLocation, Reading, excerpt, utf8};
use crate::formats::definition::{ContentKind, FormatDef, LINES_ALIKE, are_alike};
use crate::formats::opening::{FormatInput, OpenResult};
use crate::request::Names;
use crate::source::Source;

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "svmlight",
    help: "SVMlight or libsvm",
    content: ContentKind::NumberCounts,
    looks_alike: has_alike_lines_and_features,
    ..FormatDef::with_open(open)
};

fn open<'a>(mut input: FormatInput<'_, 'a>) -> OpenResult<'a> {
    let (source, request) = (input.source()?, input.request());
    let first = u64::from(!request.zero_based);
    let (stem, words) = (source.stem().to_string(), input.word_numbers(first)?);
    let read = move |d: RawDocument<'_>| read(d.bytes, &stem, &words, &request.names, d.place);
    input.lines(source, Box::new(read))
}

fn has_alike_lines_and_features(source: &mut Source) -> Reading<bool> {
    if !are_alike(source, is_line)? {
        return Ok(false);
    }
    for index in 0..LINES_ALIKE {
        if source.peek(index)?.is_some_and(has_features) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The document of a line; `None` for a blank line or a comment.
pub(crate) fn read(
    line: &[u8],
    stem: &str,
    words: &WordNumbers,
    names: &Names,
    place: &InputLocation,
) -> Reading<Option<Record>> {
    let line = utf8(line, place)?;
    let mut parts = line.split('#').next().unwrap_or_default().split_ascii_whitespace().peekable();
    let target = parts.next_if(|part| !part.contains(':'));
    let pairs = parts
        .filter(|part| !part.starts_with("qid:"))
        .map(|text| parse_pair(text).ok_or_else(|| invalid_pair(text, place)))
        .collect::<Reading<Vec<_>>>()?;
    if target.is_none() && pairs.is_empty() {
        return Ok(None);
    }
    let mut fields = Map::new();
    if let Some(target) = target {
        if !is_target(target) {
            return Err(invalid_target(target, place));
        }
        fields.insert("target".into(), Value::String(target.into()));
    }
    let content = words.content(&pairs, place)?;
    let key = format!("{stem}:{}", place.line);
    Ok(Some(Record { fields: names.fields_of(fields), ..Record::new(key, content) }))
}

/// Whether a text is a number, or several separated by commas.
fn is_target(text: &str) -> bool {
    text.split(',').all(|label| label.parse::<f64>().is_ok())
}

fn invalid_target(found: &str, place: &InputLocation) -> crate::error::Mistake {
    let found = excerpt(found.as_bytes());
    let problem = format!("expected the target, a number, found {found}");
    crate::error::Mistake::document(place.clone(), problem, "correct the line")
}

/// Whether a line can have this format; a target alone, or a comment, does.
pub(crate) fn is_line(line: &[u8]) -> bool {
    features(line).is_some()
}

/// Whether a line has this format and features.
pub(crate) fn has_features(line: &[u8]) -> bool {
    features(line).is_some_and(|features| features > 0)
}

/// The number of features of a line of this format.
fn features(line: &[u8]) -> Option<usize> {
    let line = std::str::from_utf8(line).ok()?;
    let mut parts = line.split('#').next().unwrap_or_default().split_ascii_whitespace();
    if !parts.next().is_none_or(is_target) {
        return None;
    }
    let pairs = parts.filter(|part| !part.starts_with("qid:")).map(parse_pair);
    pairs.collect::<Option<Vec<_>>>().map(|pairs| pairs.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::batches::record::Content;

    fn words() -> WordNumbers {
        WordNumbers { positions: None, first: 1 }
    }

    fn place() -> InputLocation {
        InputLocation { file: "x".into(), line: 3 }
    }

    #[test]
    fn a_line_is_a_document() {
        let read = |line: &str| read(line.as_bytes(), "x", &words(), &Names::default(), &place());
        let record = read("-1 qid:3 2:1 7:2.0 # remark").expect("read").expect("a document");
        assert_eq!(record.content, Content::Terms(vec![("2".into(), 1), ("7".into(), 2)]));
        assert_eq!(
            (record.key.as_str(), record.fields.as_deref()),
            ("x:3", Some(r#"{"target":"-1"}"#))
        );
        assert_eq!(read("# a remark").expect("read"), None);
        assert!(has_features(b"1,3 1:2") && !has_features(b"1") && !is_line(b"some text 1:2"));
        assert_eq!(
            read("cat 1:2").expect_err("label").problem,
            "expected the target, a number, found \"cat\""
        );
        let weight = "expected a pair word:count of whole numbers, found \"2:0.5\"";
        assert_eq!(read("1 2:0.5").expect_err("weight").problem, weight);
    }

    proptest! {
        #[test]
        fn no_line_makes_reading_panic(bytes: Vec<u8>, text in "[0-9: .e#-]{0,40}") {
            for line in [&bytes[..], text.as_bytes()] {
                let _ = read(line, "x", &words(), &Names::default(), &place());
                let _ = is_line(line);
            }
        }
    }
}
