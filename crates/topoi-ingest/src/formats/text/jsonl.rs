//! A JSON object per line: a document's `text` (or another field), its `tokens` as a list or both, or its
//! `counts` as an object; optionally with `id` or `key`, and `title`. Other members are kept as fields.

use std::collections::HashMap;

use serde_json::Value;

use super::delimited::KEY_COLUMNS;
use super::json::{Json, JsonProblem, Object};
use super::mended_json::{lifted, mended};
use crate::batches::record::{Content, Record, count_each};
use crate::error::{InputLocation, Mistake, Reading};
use crate::formats::definition::{FormatDef, first_line};
use crate::formats::opening::{FormatInput, OpenResult};
use crate::request::{Names, RowKey};
use crate::source::Source;
use crate::tokens::given::GivenTokens;

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "jsonl",
    help: "a JSON object a line",
    endings: &["jsonl", "ndjson"],
    has_signature: begins_with_an_object,
    is_table: true,
    ..FormatDef::with_open(open)
};

fn open<'a>(mut input: FormatInput<'_, 'a>) -> OpenResult<'a> {
    let mut source = input.source()?;
    refuse_other_json(&mut source)?;
    let (stem, names) = (source.stem().to_string(), &input.request().names);
    let has_text = begins_with_a_text(&mut source, names)?;
    let decoder = input.decoder();
    input.lines(
        source,
        Box::new(move |d| {
            read(&decoder.decode(d.bytes, d.place)?, &stem, (names, has_text), d.place)
        }),
    )
}

/// Whether the first object has the field of the text: then objects without it are documents without a text.
fn begins_with_a_text(source: &mut Source, names: &Names) -> Reading<bool> {
    let Some(index) = first_line(source)? else { return Ok(false) };
    let line = String::from_utf8_lossy(source.peek(index)?.unwrap_or_default()).into_owned();
    let lifted = lifted(&line, names);
    let object = serde_json::from_str::<Object<'_>>(lifted.as_deref().unwrap_or(&line));
    Ok(object.is_ok_and(|object| object.get(names.text()).is_some()))
}

const OF_ARRAY: &str = "make it an object a line with `jq -c '.[]' FILE > FILE.lines.jsonl`";
const OF_OBJECTS: &str = "make it an object a line with `jq -c . FILE > FILE.lines.jsonl`";

/// Refuses JSON that is no object a line, with the command that makes it that.
fn refuse_other_json(source: &mut Source) -> Reading<()> {
    let Some(index) = first_line(source)? else { return Ok(()) };
    let place = InputLocation { file: source.name().into(), line: index as u64 + 1 };
    let line = String::from_utf8_lossy(source.peek(index)?.unwrap_or_default()).into_owned();
    let (problem, remedy) = match line.trim_start().chars().next() {
        Some('[') => ("a JSON array, not an object a line", OF_ARRAY),
        Some('{') if is_cut_off(&line) => ("an object over several lines", OF_OBJECTS),
        _ => return Ok(()),
    };
    Err(Mistake::source(place, problem, remedy))
}

/// Whether a line is the beginning of an object.
fn is_cut_off(line: &str) -> bool {
    serde_json::from_str::<Object<'_>>(line).is_err_and(|error| error.is_eof())
}

fn begins_with_an_object(source: &mut Source) -> Reading<bool> {
    type Object = HashMap<String, serde::de::IgnoredAny>;
    let Some(index) = first_line(source)? else { return Ok(false) };
    let line = source.peek(index)?.unwrap_or_default();
    let is_braced = line.trim_ascii_start().starts_with(b"{");
    Ok(is_braced && serde_json::from_slice::<Object>(line).is_ok())
}

const EXAMPLE: &str =
    "each line must be one object such as {\"id\": \"1\", \"text\": \"some words\"}";
const ONE_OF: &str = "text must be a string, tokens a list of strings, or counts an object of \
                      whole numbers above 0; --text-field names another field for the text";

/// The document of a line; `None` for a blank one.
fn read(
    line: &str,
    stem: &str,
    (names, has_text): (&Names, bool),
    place: &InputLocation,
) -> Reading<Option<Record>> {
    if line.trim().is_empty() {
        return Ok(None);
    }
    let wrong = |problem: String, remedy| Mistake::document(place.clone(), problem, remedy);
    let unsound = |error: serde_json::Error| {
        let column = error.column();
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        wrong(format!("not a JSON object ({reason} at column {column})"), EXAMPLE)
    };
    let lifted = lifted(line, names);
    let line = lifted.as_deref().unwrap_or(line);
    // Most lines are sound, and parsed once.
    let has_halves = ["\\ud", "\\uD"].iter().any(|escape| line.contains(escape));
    let sound = if has_halves { None } else { serde_json::from_str::<Object<'_>>(line).ok() };
    let mended = if sound.is_none() { mended(line) } else { None };
    let (mut object, said) = match (sound, &mended) {
        (Some(object), _) => (object, None),
        (None, Some((text, said))) => (serde_json::from_str(text).map_err(unsound)?, Some(*said)),
        (None, None) => (serde_json::from_str(line).map_err(unsound)?, None),
    };
    let remark = object.distinct().or_else(|| said.map(String::from));
    let read = || -> std::result::Result<Record, JsonProblem> {
        if let Some(key) = names.metadata {
            return metadata(object, (names, key), stem, place.line);
        }
        let title = match object.remove(names.title()).map(Json::new).transpose()? {
            None | Some(Json::Null) => None,
            Some(Json::String(title)) => Some(title),
            Some(Json::Number(title) | Json::Boolean(title)) => Some(title.into()),
            Some(Json::Other) => {
                return Err(JsonProblem::Object(
                    "the title is neither a string nor a number".into(),
                ));
            }
        };
        let key = key_of(&mut object, names)?;
        let key = key.unwrap_or_else(|| format!("{stem}:{}", place.line));
        let lacks = |name: &str| object.get(name).is_none();
        let content = match has_text && [names.text(), "tokens", "counts"].into_iter().all(lacks) {
            true => Content::Text(String::new()),
            false => content(&mut object, names.text())?,
        };
        let fields = object.into_json(|name, value| names.keeps(name) && value != "null")?;
        Ok(Record { key, title, fields, content, remark })
    };
    read().map(Some).map_err(|problem| match problem {
        JsonProblem::Object(problem) => wrong(problem, EXAMPLE),
        JsonProblem::Content(problem) => wrong(problem, ONE_OF),
        // The column is relative to the whole line.
        JsonProblem::Json(error) => {
            unsound(serde_json::from_str::<Value>(line).err().unwrap_or(error))
        }
    })
}

/// The record of a line of metadata: its key, and all else as fields.
fn metadata(
    mut object: Object<'_>,
    (names, key): (&Names, RowKey),
    stem: &str,
    line: u64,
) -> std::result::Result<Record, JsonProblem> {
    if key == RowKey::Place {
        let fields = object.into_json(|name, value| names.keeps(name) && value != "null")?;
        return Ok(Record {
            fields,
            ..Record::new(format!("{stem}:{line}"), Content::without_text())
        });
    }
    let usual = KEY_COLUMNS.iter().find(|name| object.get(name).is_some());
    let named = names.id.clone().or_else(|| usual.map(ToString::to_string));
    let names = Names { id: named, ..names.clone() };
    let key = key_of(&mut object, &names)?.unwrap_or_else(|| format!("{stem}:{line}"));
    let fields = object.into_json(|name, value| names.keeps(name) && value != "null")?;
    Ok(Record { fields, ..Record::new(key, Content::without_text()) })
}

/// The value of the id field; if none is named, of `id` or else `key`. A number is used as written.
fn key_of(
    object: &mut Object<'_>,
    names: &Names,
) -> std::result::Result<Option<String>, JsonProblem> {
    let candidates: &[&str] = if names.id.is_some() { &[names.id()] } else { &["id", "key"] };
    for name in candidates {
        match object.remove(name).map(Json::new).transpose()? {
            None | Some(Json::Null) => {}
            Some(Json::String(key)) => return Ok(Some(key)),
            Some(Json::Number(key)) => return Ok(Some(key.into())),
            Some(_) => {
                return Err(JsonProblem::Object("the id is neither a string nor a number".into()));
            }
        }
    }
    Ok(None)
}

fn content(object: &mut Object<'_>, text_field: &str) -> std::result::Result<Content, JsonProblem> {
    let wrong = |problem: String| Err(JsonProblem::Content(problem));
    if let Some(paragraphs) = object.get(text_field).and_then(paragraphs) {
        return Ok(Content::Text(paragraphs));
    }
    match object.remove(text_field).map(Json::new).transpose()? {
        None => {}
        Some(Json::String(text)) if !object.get("tokens").is_some_and(is_list) => {
            return Ok(Content::Text(text));
        }
        Some(Json::String(text)) => {
            let tokens = object.remove("tokens").unwrap_or("[]");
            let wrong = |what| JsonProblem::Content(format!("the field \"tokens\" {what}"));
            let tokens = GivenTokens::from_value(serde_json::from_str(tokens)?).map_err(wrong)?;
            return Ok(Content::Tokens { text, tokens });
        }
        Some(Json::Null) => return Ok(Content::Text(String::new())),
        Some(Json::Number(text) | Json::Boolean(text)) => return Ok(Content::Text(text.into())),
        Some(Json::Other) => {
            return wrong(format!(
                "the field {text_field:?} is neither a string nor a list of strings"
            ));
        }
    }
    match (object.remove("tokens"), object.remove("counts")) {
        (Some(tokens), _) if is_list(tokens) => tokens_of(serde_json::from_str(tokens)?),
        (None, Some(counts)) if counts.starts_with('{') => counts_of(serde_json::from_str(counts)?),
        (Some(_), _) => wrong("the field \"tokens\" is not a list".into()),
        (None, Some(_)) => wrong("the field \"counts\" is not an object".into()),
        (None, None) => {
            wrong(format!("none of the fields {text_field:?}, \"tokens\" and \"counts\" is there"))
        }
    }
}

/// The paragraphs of a text that is a list of strings, a blank line between two.
fn paragraphs(json: &str) -> Option<String> {
    let paragraphs: Vec<String> = is_list(json).then(|| serde_json::from_str(json).ok())??;
    Some(paragraphs.join("\n\n"))
}

fn is_list(json: &str) -> bool {
    json.starts_with('[')
}

fn tokens_of(tokens: Vec<Value>) -> std::result::Result<Content, JsonProblem> {
    if tokens.iter().all(|token| token.as_str().is_some_and(|token| !token.is_empty())) {
        Ok(Content::Terms(count_each(tokens.iter().filter_map(Value::as_str))))
    } else {
        Err(JsonProblem::Content("the field \"tokens\" has an item that is no word".into()))
    }
}

fn counts_of(counts: Object<'_>) -> std::result::Result<Content, JsonProblem> {
    let mut terms = Vec::with_capacity(counts.0.len());
    for (term, count) in counts.0 {
        match count.get().parse::<u32>() {
            Ok(count) if count > 0 && !term.is_empty() => terms.push((term, count)),
            _ => {
                return Err(JsonProblem::Content(format!(
                    "the count of {term:?} is {}",
                    count.get()
                )));
            }
        }
    }
    terms.sort_unstable();
    match terms.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => {
            Err(JsonProblem::Content(format!("the count of {:?} stands twice", pair[0].0)))
        }
        None => Ok(Content::Terms(terms)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(text: &str) -> Reading<Option<Record>> {
        read(
            text,
            "news",
            (&Names::default(), false),
            &InputLocation { file: "news.jsonl".into(), line: 4 },
        )
    }

    fn record(text: &str) -> Record {
        line(text).expect("read").expect("a document")
    }

    fn error(text: &str) -> String {
        let mistake = line(text).expect_err("a mistake");
        format!("{}: {}", mistake.place, mistake.problem)
    }

    #[test]
    fn keys_and_titles_come_from_their_fields() {
        assert_eq!(record(r#"{"id": "a", "text": ""}"#).key, "a");
        assert_eq!(record(r#"{"key": 17, "text": ""}"#).key, "17");
        assert_eq!(record(r#"{"id": null, "text": ""}"#).key, "news:4");
        assert_eq!(record(r#"{"text": "", "title": "T"}"#).title.as_deref(), Some("T"));
        assert_eq!(line("  ").expect("read"), None);
        let fields = record(r#"{"text": "", "year": 1999, "by": {"name": "A"}}"#).fields;
        assert_eq!(fields.as_deref(), Some(r#"{"by":{"name":"A"},"year":1999}"#));
        assert_eq!(record(r#"{"text": ""}"#).fields, None);
    }

    #[test]
    fn numbers_keep_all_their_digits() {
        let key = |id: &str| record(&format!("{{\"id\": {id}, \"text\": \"\"}}")).key;
        assert_eq!(key("123456789012345678901"), "123456789012345678901");
        assert_eq!(key("1.10"), "1.10");
        let line = r#"{"text": "", "v": 1.10, "n": 123456789012345678902, "d": 0.1000000000000000055,
            "e": 1e400, "in": [{"b": 2.50, "a": 18446744073709551615}], "s": "\u00e9\/"}"#;
        let expected = r#"{"d":"0.1000000000000000055","e":"1e400","in":[{"a":"18446744073709551615","b":2.50}],"n":"123456789012345678902","s":"é/","v":1.10}"#;
        assert_eq!(record(line).fields.as_deref(), Some(expected));
    }

    #[test]
    fn a_repeated_key_is_kept_under_two_names() {
        let found = record(r#"{"id": 1, "text": "a", "tag": "x", "text": "b", "tag": "y"}"#);
        assert_eq!(found.content, Content::Text("a".into()));
        assert_eq!(found.fields.as_deref(), Some(r#"{"tag":"x","tag_2":"y","text_2":"b"}"#));
        let said = found.remark.expect("a remark");
        assert!(said.contains("\"text\"") && said.contains("\"tag_2\""), "{said}");
    }

    #[test]
    fn content_is_text_or_tokens_or_counts() {
        let terms = |terms: &[(&str, u32)]| {
            Content::Terms(terms.iter().map(|&(term, count)| (term.to_string(), count)).collect())
        };
        assert_eq!(record(r#"{"text": "some words"}"#).content, Content::Text("some words".into()));
        let tokens = record(r#"{"tokens": ["New York", "is", "New York"]}"#);
        assert_eq!(tokens.content, terms(&[("New York", 2), ("is", 1)]));
        assert_eq!(record(r#"{"counts": {"b": 2, "a": 1}}"#).content, terms(&[("a", 1), ("b", 2)]));
        let both = record(r#"{"text": "Some words", "tokens": [["word", 5, 10], "some"], "n": 1}"#);
        let list = serde_json::json!([["word", 5, 10], "some"]);
        let tokens = GivenTokens::from_value(list).expect("tokens");
        assert_eq!(both.content, Content::Tokens { text: "Some words".into(), tokens });
        assert_eq!(both.fields.as_deref(), Some(r#"{"n":1}"#));
        // A number is an ordinary field.
        let counted = record(r#"{"text": "Some words", "tokens": 2}"#);
        assert_eq!(counted.content, Content::Text("Some words".into()));
        let place = InputLocation { file: "x".into(), line: 1 };
        let body = Names { text: Some("body".into()), ..Names::default() };
        let named = read(r#"{"body": "other"}"#, "x", (&body, false), &place).expect("read");
        assert_eq!(named.expect("a document").content, Content::Text("other".into()));
    }

    #[test]
    fn texts_and_titles_are_read_as_they_are_written() {
        let text = |line: &str| match record(line).content {
            Content::Text(text) => text,
            other => panic!("{other:?}"),
        };
        assert_eq!(text(r#"{"text": null}"#), "");
        assert_eq!(text(r#"{"text": 1984}"#), "1984");
        assert_eq!(text(r#"{"text": ["one two", "three"]}"#), "one two\n\nthree");
        let titled =
            |title: &str| record(&format!("{{\"text\": \"a\", \"title\": {title}}}")).title;
        assert_eq!(titled("1984").as_deref(), Some("1984"));
        assert_eq!(titled("null"), None);
        assert_eq!(titled("false").as_deref(), Some("false"));
        assert!(error(r#"{"text": "a", "title": []}"#).contains("title"));
    }

    #[test]
    fn what_other_programs_write_for_json_is_mended_and_told() {
        let nan = record(r#"{"text": "a NaN", "score": NaN, "low": -Infinity, "n": 1.10}"#);
        assert_eq!((nan.fields.as_deref(), nan.remark.is_some()), (Some(r#"{"n":1.10}"#), true));
        assert_eq!(nan.content, Content::Text("a NaN".into()));
        let half = record(r#"{"text": "a \ud83d b \ud83d\ude00 \udc00"}"#);
        assert_eq!(half.content, Content::Text("a \u{fffd} b 😀 \u{fffd}".into()));
        assert!(half.remark.is_some_and(|said| said.contains("U+FFFD")));
        let comma = record(r#"{"id": "a", "text": "b"}, "#);
        assert_eq!((comma.key.as_str(), comma.content), ("a", Content::Text("b".into())));
    }

    #[test]
    fn a_field_within_another_is_named_by_its_path() {
        let names = Names {
            text: Some("data.body.text".into()),
            id: Some("meta.id".into()),
            ..Names::default()
        };
        let place = InputLocation { file: "x".into(), line: 1 };
        let line = r#"{"meta": {"id": 7}, "data": {"body": {"text": "words"}, "v": 1.10}, "n": 12345678901234567890123}"#;
        let record = read(line, "x", (&names, false), &place).expect("read").expect("a document");
        assert_eq!((record.key.as_str(), record.content), ("7", Content::Text("words".into())));
        let kept = r#"{"data":{"v":1.10},"n":"12345678901234567890123"}"#;
        assert_eq!(record.fields.as_deref(), Some(kept));
        let flat = Names { text: Some("data.text".into()), ..Names::default() };
        let record = read(r#"{"data.text": "words"}"#, "x", (&flat, false), &place).expect("read");
        assert_eq!(record.expect("a document").content, Content::Text("words".into()));
    }

    #[test]
    fn each_mistake_is_named_with_its_line() {
        let at = |what: &str| format!("news.jsonl:4: {what}");
        let not = "not a JSON object (EOF while parsing a value at column 9)";
        assert_eq!(error("{\"text\": "), at(not));
        let not = "not a JSON object (invalid type: integer `3`, expected a map at column 1)";
        assert_eq!(error("3"), at(not));
        let other = "the field \"text\" is neither a string nor a list of strings";
        assert_eq!(error("{\"text\": {}}"), at(other));
        assert_eq!(error("{\"text\": [1]}"), at(other));
        let none = "none of the fields \"text\", \"tokens\" and \"counts\" is there";
        assert_eq!(error("{\"body\": \"x\"}"), at(none));
        assert_eq!(error("{\"counts\": {\"a\": 0}}"), at("the count of \"a\" is 0"));
        assert_eq!(error("{\"counts\": {\"a\": 1.5}}"), at("the count of \"a\" is 1.5"));
        assert_eq!(
            error("{\"tokens\": [1]}"),
            at("the field \"tokens\" has an item that is no word")
        );
        let twice = "the count of \"a\" stands twice";
        assert_eq!(error(r#"{"counts": {"a": 1, "b": 1, "a": 2}}"#), at(twice));
        let id = "the id is neither a string nor a number";
        assert_eq!(error("{\"id\": [], \"text\": \"\"}"), at(id));
    }

    proptest! {
        #[test]
        fn no_line_makes_reading_panic(
            any in ".{0,100}", text in "[{}\\[\\]\":,a0 ]{0,30}",
        ) {
            let place = InputLocation { file: "x".into(), line: 1 };
            let _ = read(&any, "x", (&Names::default(), false), &place);
            let _ = read(&text, "x", (&Names::default(), false), &place);
        }

        #[test]
        fn any_text_comes_through(text in ".*", key in ".+") {
            let json = serde_json::json!({ "id": key, "text": text }).to_string();
            let record = record(&json);
            prop_assert_eq!(record, Record::new(key, Content::Text(text)));
        }
    }
}
