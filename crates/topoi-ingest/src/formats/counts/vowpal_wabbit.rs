//! Vowpal Wabbit: `[label [importance]] ['tag]|namespace feature[:count] …`; and BigARTM's dialect, in which
//! the first word is the document's key and `|class` begins a modality.
//!
//! Features are terms. Names of namespaces are not part of them.

use serde_json::{Map, Value};

use super::numbered_words::parse_count;
use crate::batches::record::{Content, Record};
use crate::error::{InputLocation, Mistake, Reading, excerpt, utf8};
use crate::formats::definition::{ContentKind, FormatDef, are_alike};
use crate::formats::opening::{FormatInput, OpenResult};
use crate::request::Names;

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "vw",
    help: "Vowpal Wabbit",
    content: ContentKind::WordCounts,
    endings: &["vw"],
    looks_alike: |source| are_alike(source, is_line),
    ..FormatDef::with_open(open)
};

fn open<'a>(mut input: FormatInput<'_, 'a>) -> OpenResult<'a> {
    let source = input.source()?;
    let (stem, names) = (source.stem().to_string(), &input.request().names);
    input.lines(source, Box::new(move |d| read(d.bytes, &stem, names, d.place)))
}

/// The document of a line; `None` for a blank one.
pub(crate) fn read(
    line: &[u8],
    stem: &str,
    names: &Names,
    place: &InputLocation,
) -> Reading<Option<Record>> {
    let line = utf8(line, place)?;
    if line.trim().is_empty() {
        return Ok(None);
    }
    let Some((head, features)) = line.split_once('|') else {
        let remedy = "correct the line: label, a bar, and features, such as `1 |text some words:3`";
        let problem =
            format!("expected a bar (|) before the features, found {}", excerpt(line.as_bytes()));
        return Err(Mistake::document(place.clone(), problem, remedy));
    };
    let (key, label) = head_of(head);
    let mut fields = Map::new();
    if let Some(label) = label {
        fields.insert("label".into(), Value::String(label.into()));
    }
    let key = key.map_or_else(|| format!("{stem}:{}", place.line), String::from);
    let content = Content::Terms(terms(features, place)?);
    Ok(Some(Record { fields: names.fields_of(fields), ..Record::new(key, content) }))
}

/// The document's key and label. A tag is a key, and so is a first word that is not a number.
fn head_of(head: &str) -> (Option<&str>, Option<&str>) {
    let (mut key, mut label) = (None, None);
    for (index, word) in head.split_ascii_whitespace().enumerate() {
        match word.strip_prefix('\'') {
            Some(tag) => key = Some(tag),
            None if index == 0 && word.parse::<f64>().is_err() => key = Some(word),
            None if index == 0 => label = Some(word),
            None if head.ends_with(word) && word.parse::<f64>().is_err() => key = Some(word),
            None => {}
        }
    }
    (key.filter(|key| !key.is_empty()), label)
}

/// The features of all namespaces with their counts, in order of first appearance.
fn terms(features: &str, place: &InputLocation) -> Reading<Vec<(String, u32)>> {
    let mut terms: Vec<(String, u32)> = Vec::new();
    let mut indices = std::collections::HashMap::new();
    for part in features.split('|') {
        // A word adjacent to the bar is the namespace's name; a space after the bar means that there is none.
        let named = !part.starts_with(char::is_whitespace);
        for feature in part.split_ascii_whitespace().skip(usize::from(named)) {
            let (term, count) = feature.split_once(':').unwrap_or((feature, "1"));
            let Some(count) = parse_count(count).filter(|_| !term.is_empty()) else {
                return Err(invalid_feature(feature, place));
            };
            let index = *indices.entry(term).or_insert(terms.len());
            match terms.get_mut(index) {
                None => terms.push((term.into(), count)),
                Some((_, sum)) => match sum.checked_add(count) {
                    Some(more) => *sum = more,
                    None => return Err(invalid_feature(feature, place)),
                },
            }
        }
    }
    terms.retain(|&(_, count)| count > 0);
    Ok(terms)
}

fn invalid_feature(found: &str, place: &InputLocation) -> Mistake {
    let found = excerpt(found.as_bytes());
    let problem = format!("expected a feature with a whole count, found {found}");
    Mistake::document(
        place.clone(),
        problem,
        "correct the line (counts must be whole, not weights)",
    )
}

/// Whether a line can have this format: a bar after at most three words, and features with counts.
pub(crate) fn is_line(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let Some((head, features)) = line.split_once('|') else { return false };
    let place = InputLocation { file: "".into(), line: 0 };
    let has_counts = features.split_ascii_whitespace().any(|feature| {
        feature
            .split_once(':')
            .is_some_and(|(term, count)| !term.is_empty() && parse_count(count).is_some())
    });
    head.split_ascii_whitespace().count() <= 3 && has_counts && terms(features, &place).is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn place() -> InputLocation {
        InputLocation { file: "x".into(), line: 3 }
    }

    fn record(line: &str) -> Record {
        read(line.as_bytes(), "x", &Names::default(), &place()).expect("read").expect("document")
    }

    fn terms_of(line: &str) -> String {
        let Content::Terms(terms) = record(line).content else { panic!("no terms") };
        terms.iter().map(|(term, count)| format!("{term}={count}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn keys_come_from_tags_and_first_words() {
        assert_eq!(record("| 12:3").key, "x:3");
        assert_eq!(record("1 1.0 'news7|t word").key, "news7");
        assert_eq!(record("doc_17 |@default_class new_york:2").key, "doc_17");
        assert_eq!(record("-1 | a").fields.as_deref(), Some(r#"{"label":"-1"}"#));
    }

    #[test]
    fn features_of_all_namespaces_are_terms() {
        assert_eq!(terms_of("| 12:3 40:1"), "12=3 40=1");
        assert_eq!(terms_of("d |text state value:2 state |author mdp"), "state=2 value=2 mdp=1");
        let read = |line: &str| read(line.as_bytes(), "x", &Names::default(), &place());
        assert!(read("no bar here").expect_err("no bar").problem.starts_with("expected a bar"));
        assert!(read("| a:0.5").expect_err("weight").problem.starts_with("expected a feature"));
        assert!(is_line(b"| 12:3") && is_line(b"d |x a b:2") && !is_line(b"this | that"));
    }

    proptest! {
        #[test]
        fn no_line_makes_reading_panic(bytes: Vec<u8>, text in "[a-c0-9:| '.-]{0,40}") {
            for line in [&bytes[..], text.as_bytes()] {
                let _ = read(line, "x", &Names::default(), &place());
                let _ = is_line(line);
            }
        }
    }
}
