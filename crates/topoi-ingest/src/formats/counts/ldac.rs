//! Blei's LDA-C: a document per line, `M word:count word:count …`, with M the number of pairs and words counted
//! from 0.

use super::numbered_words::{WordNumbers, invalid_pair, parse_pair};
use crate::batches::record::Record;
use crate::error::{InputLocation, Mistake, Reading, excerpt, utf8};
use crate::formats::definition::{ContentKind, FormatDef, LINES_ALIKE, are_alike};
use crate::formats::opening::{FormatInput, OpenResult};
use crate::source::Source;

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "ldac",
    help: "LDA-C by Blei",
    content: ContentKind::VocabularyNumberCounts,
    looks_alike,
    ..FormatDef::with_open(open)
};

fn open<'a>(mut input: FormatInput<'_, 'a>) -> OpenResult<'a> {
    let source = input.source()?;
    let (stem, words) = (source.stem().to_string(), input.word_numbers(0)?);
    input.lines(source, Box::new(move |d| read(d.bytes, &stem, &words, d.place)))
}

/// The document of a line; an empty one is `0`. `None` for a blank line.
pub(crate) fn read(
    line: &[u8],
    stem: &str,
    words: &WordNumbers,
    place: &InputLocation,
) -> Reading<Option<Record>> {
    let mut parts = utf8(line, place)?.split_ascii_whitespace();
    let Some(announced) = parts.next() else { return Ok(None) };
    let Ok(announced) = announced.parse::<u64>() else {
        let found = excerpt(announced.as_bytes());
        let problem = format!("expected the number of different words, found {found}");
        let remedy = "correct the line: it is that number and as many pairs word:count";
        return Err(Mistake::document(place.clone(), problem, remedy));
    };
    let pairs = parts.map(|text| parse_pair(text).ok_or_else(|| invalid_pair(text, place)));
    let pairs = pairs.collect::<Reading<Vec<_>>>()?;
    if pairs.len() as u64 != announced {
        let problem = format!("{} pairs, but the line says {announced}", pairs.len());
        let remedy = "correct the number at its start, or copy the file again";
        return Err(Mistake::document(place.clone(), problem, remedy));
    }
    let key = format!("{stem}:{}", place.line);
    Ok(Some(Record::new(key, words.content(&pairs, place)?)))
}

/// Whether the first lines have this format: all are numbers and pairs, and at least half of them as many pairs as they
/// say, so that a wrong number among them is reported as such.
fn looks_alike(source: &mut Source) -> Reading<bool> {
    if !are_alike(source, has_pairs)? {
        return Ok(false);
    }
    let (mut lines, mut sound) = (0, 0);
    while lines < LINES_ALIKE
        && let Some(line) = source.peek(lines)?
    {
        lines += 1;
        sound += usize::from(is_line(line));
    }
    Ok(2 * sound >= lines)
}

/// Whether a line is a number and pairs.
fn has_pairs(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let mut parts = line.split_ascii_whitespace();
    parts.next().is_some_and(|first| first.parse::<usize>().is_ok())
        && parts.all(|pair| parse_pair(pair).is_some())
}

/// Whether a line has this format: if one line does, all do.
pub(crate) fn is_line(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let mut parts = line.split_ascii_whitespace();
    let announced = parts.next().and_then(|first| first.parse::<usize>().ok());
    let pairs: Option<Vec<_>> = parts.map(parse_pair).collect();
    announced.is_some() && announced == pairs.map(|pairs| pairs.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::batches::record::Content;

    fn words() -> WordNumbers {
        WordNumbers { positions: Some(vec![0, 1, 2, 3]), first: 0 }
    }

    fn problem(line: &str) -> String {
        let place = InputLocation { file: "x".into(), line: 2 };
        read(line.as_bytes(), "x", &words(), &place).expect_err("a mistake").problem
    }

    #[test]
    fn a_line_is_a_document() {
        let place = InputLocation { file: "ap.dat".into(), line: 2 };
        let record = read(b"2 3:1 0:2 ", "ap", &words(), &place).expect("read").expect("document");
        assert_eq!(record, Record::new("ap:2".into(), Content::Entries(vec![(0, 2), (3, 1)])));
        let empty = read(b"0 ", "ap", &words(), &place).expect("read").expect("document");
        assert_eq!(empty.content, Content::Entries(vec![]));
        assert!(is_line(b"2 3:1 0:2") && is_line(b"0") && !is_line(b"1 3:1 0:2") && !is_line(b""));
    }

    #[test]
    fn each_mistake_is_named() {
        assert_eq!(problem("x 1:2"), "expected the number of different words, found \"x\"");
        assert_eq!(problem("2 1:2"), "1 pairs, but the line says 2");
        assert_eq!(
            problem("1 1:-2"),
            "expected a pair word:count of whole numbers, found \"1:-2\""
        );
        assert_eq!(problem("1 4:2"), "word 4 is outside the vocabulary's 0 to 3");
        let large = "word 1 occurs more than 4294967295 times";
        assert_eq!(problem("2 1:4294967295 1:1"), large);
    }

    proptest! {
        #[test]
        fn no_line_makes_reading_panic(bytes: Vec<u8>, text in "[0-9: .e-]{0,40}") {
            let place = InputLocation { file: "x".into(), line: 1 };
            for line in [&bytes[..], text.as_bytes()] {
                let _ = read(line, "x", &words(), &place);
                let _ = is_line(line);
            }
        }
    }
}
