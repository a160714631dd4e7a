//! The content of the index for a document, encoded so that SQLite's tokenizer splits it as the corpus's
//! tokenizer did.
//!
//! FTS5 would fold capital letters and split words at dots and apostrophes. Every ASCII character other than a
//! lower-case letter, digit or underscore is therefore written as `^` and two hexadecimal digits. FTS5 leaves
//! all other characters unchanged. Prefixes of a word stay prefixes of its encoding.

use serde_json::Value;

use super::SearchableDocument;

/// A function that calls its second argument with each word of a text, in order.
pub type Words<'a> = &'a (dyn Fn(&str, &mut dyn FnMut(&str)) + Sync);

/// A row of the index.
#[derive(Debug, Default, PartialEq)]
pub(super) struct IndexRow {
    pub(super) words: String,
    pub(super) fields: String,
    /// Names of the fields.
    pub(super) names: Vec<String>,
}

impl IndexRow {
    pub(super) fn new(document: SearchableDocument<'_>, words: Words<'_>) -> Self {
        let mut row = Self::default();
        if let Some(text) = document.text {
            row.words.reserve(text.len());
            words(text, &mut |word| {
                push_encoded(&mut row.words, word);
                row.words.push(' ');
            });
        }
        each_field(document, &mut |name, value| {
            if row.names.last().is_none_or(|last| last != name) {
                row.names.push(name.into());
            }
            words(value, &mut |word| {
                push_field(&mut row.fields, name, word);
                row.fields.push(' ');
            });
        });
        row
    }

    /// Number of words in each column.
    pub(super) fn lengths(&self) -> [u64; 2] {
        [&self.words, &self.fields]
            .map(|text| text.split(' ').filter(|word| !word.is_empty()).count() as u64)
    }
}

/// Decodes the numbers of words that FTS5 saves for a row: an SQLite varint for each of the two columns.
pub(super) fn read_lengths(bytes: &[u8]) -> Option<[u64; 2]> {
    let mut bytes = bytes.iter();
    // Varints of nine bytes are for numbers above 2⁵⁶, which no text reaches.
    let mut next = || {
        let mut number = 0_u64;
        for &byte in bytes.by_ref().take(8) {
            number = number << 7 | u64::from(byte & 0x7f);
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    };
    Some([next()?, next()?])
}

/// Calls `visit` with the name, in lower case, and the value of every field of a document: its key, its title
/// and the fields of its source.
fn each_field(document: SearchableDocument<'_>, visit: &mut dyn FnMut(&str, &str)) {
    visit("key", document.key);
    if let Some(title) = document.title {
        visit("title", title);
    }
    let Some(Ok(Value::Object(fields))) = document.fields.map(serde_json::from_str) else {
        return;
    };
    for (name, value) in &fields {
        each_value(&name.to_lowercase(), value, visit);
    }
}

fn each_value(name: &str, value: &Value, visit: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::Null => {}
        Value::String(text) => visit(name, text),
        Value::Array(values) => values.iter().for_each(|value| each_value(name, value, visit)),
        other => visit(name, &other.to_string()),
    }
}

/// Appends the encoding of a word.
pub(super) fn push_encoded(to: &mut String, word: &str) {
    for c in word.chars() {
        if c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || !c.is_ascii() {
            to.push(c);
        } else {
            to.push('^');
            to.extend(format!("{:02x}", u32::from(c)).chars());
        }
    }
}

/// The word with this encoding.
pub(super) fn decoded(encoded: &str) -> String {
    let mut pieces = encoded.split('^');
    let mut word = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let sign = piece.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        word.extend(sign.map(char::from));
        word.push_str(piece.get(2..).unwrap_or_default());
    }
    word
}

/// Appends the encoding of a word of a field.
pub(super) fn push_field(to: &mut String, name: &str, word: &str) {
    push_encoded(to, name);
    to.push('=');
    push_encoded(to, word);
}

/// The values of a field, whose name is as in [`each_field`].
pub(super) fn field_values(document: SearchableDocument<'_>, field: &str) -> Vec<String> {
    let mut values = Vec::new();
    each_field(document, &mut |name, value| {
        if name == field {
            values.push(value.to_string());
        }
    });
    values
}

pub(super) fn field_names(document: SearchableDocument<'_>) -> Vec<String> {
    let mut names = Vec::new();
    each_field(document, &mut |name, _| names.push(name.to_string()));
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_so_that_no_two_are_the_same() {
        let encoded = |word: &str| {
            let mut text = String::new();
            push_encoded(&mut text, word);
            text
        };
        for word in ["don't", "U.S", "new_york市", "^", "a=b"] {
            assert_eq!(decoded(&encoded(word)), word);
        }
        assert_eq!(encoded("don't"), "don^27t");
        assert_eq!(encoded("U.S"), "^55^2e^53");
        assert_eq!(encoded("new_york市"), "new_york市");
    }

    #[test]
    fn lengths_are_read_as_sqlite_writes_numbers() {
        assert_eq!(read_lengths(&[5, 0x81, 0x00]), Some([5, 128]));
        assert_eq!(read_lengths(&[0xff, 0x7f, 0]), Some([16383, 0]));
        for damaged in [&[] as &[u8], &[5], &[0x80, 0x80], &[0xff; 12]] {
            assert_eq!(read_lengths(damaged), None);
        }
    }

    #[test]
    fn a_row_has_the_words_of_the_text_and_of_every_field() {
        let document = SearchableDocument {
            key: "k1",
            title: Some("A Title"),
            fields: Some(r#"{"Year": 2004, "by": ["Ann", "Bo"], "none": null}"#),
            text: Some("Two words"),
        };
        let words: Words<'_> = &|text, visit| text.to_lowercase().split(' ').for_each(visit);
        let row = IndexRow::new(document, words);
        assert_eq!(row.words, "two words ");
        assert_eq!(row.fields, "key=k1 title=a title=title year=2004 by=ann by=bo ");
        assert_eq!(row.names, ["key", "title", "year", "by"]);
        assert_eq!(field_values(document, "by"), ["Ann", "Bo"]);
    }
}
