//! MALLET's format, a document per line: name, label, text, with whitespace or commas between the first two
//! (`^(\S*)[\s,]*(\S*)[\s,]*(.*)$`, the default of its `import-file`).

use serde_json::{Value, json};

use crate::batches::record::{Content, Record};
use crate::formats::definition::FormatDef;
use crate::formats::opening::{FormatInput, OpenResult};
use crate::request::Names;

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "mallet",
    help: "MALLET: name, label and text a line",
    endings: &["mallet"],
    ..FormatDef::with_open(open)
};

fn open<'a>(mut input: FormatInput<'_, 'a>) -> OpenResult<'a> {
    let (source, names) = (input.source()?, &input.request().names);
    let decoder = input.decoder();
    input.lines(source, Box::new(move |d| Ok(read(&decoder.decode(d.bytes, d.place)?, names))))
}

/// The document of a line: the name is its key, and the label becomes the field `label`.
fn read(line: &str, names: &Names) -> Option<Record> {
    if line.trim().is_empty() {
        return None;
    }
    let (name, rest) = word(line);
    let (label, text) = word(rest);
    let mut fields = serde_json::Map::new();
    fields.insert("label".into(), json!(label));
    fields.retain(|_, value| *value != Value::String(String::new()));
    let content = Content::Text(text.into());
    Some(Record { fields: names.fields_of(fields), ..Record::new(name.into(), content) })
}

/// The characters up to whitespace, and the rest after whitespace and commas.
fn word(text: &str) -> (&str, &str) {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (word, rest.trim_start_matches(|c: char| c.is_whitespace() || c == ','))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_name_label_and_text() {
        let read = |line: &str| read(line, &Names::default());
        let record = read("doc1\ten\tSome words, and more").expect("a document");
        assert_eq!(
            (record.key.as_str(), record.fields.as_deref()),
            ("doc1", Some(r#"{"label":"en"}"#))
        );
        assert_eq!(record.content, Content::Text("Some words, and more".into()));
        let record = read("a , b , c").expect("a document");
        assert_eq!((record.key.as_str(), record.content), ("a", Content::Text("c".into())));
        assert_eq!(read("only").expect("a document").content, Content::Text(String::new()));
        assert_eq!(read(" \t"), None);
    }
}
