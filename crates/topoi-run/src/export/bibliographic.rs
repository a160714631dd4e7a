//! Author, source and date of a document, from fields with usual names.

use serde_json::{Map, Value};

/// Names of fields with authors, ignoring case; the first one that a document has counts.
const AUTHORS: [&str; 5] = ["author", "authors", "byline", "creator", "by"];
const SOURCES: [&str; 6] = ["journal", "source", "publication", "venue", "newspaper", "booktitle"];
const DATES: [&str; 9] = [
    "date",
    "published",
    "pubdate",
    "publication_date",
    "published_at",
    "issued",
    "created",
    "created_at",
    "year",
];

/// What a bibliography has of a document beside its title; missing texts are empty.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Bibliographic {
    pub(super) author: String,
    pub(super) source: String,
    /// The date as written in its field.
    pub(super) published: String,
}

impl Bibliographic {
    /// From the fields of a document.
    pub(super) fn from_fields(fields: &Map<String, Value>) -> Self {
        let first = |names: &[&str]| {
            let of = |name: &&str| fields.iter().find(|field| field.0.eq_ignore_ascii_case(name));
            let mut texts = names.iter().filter_map(of).map(|(_, value)| text(value));
            texts.find(|text| !text.is_empty()).unwrap_or_default()
        };
        Self { author: first(&AUTHORS), source: first(&SOURCES), published: first(&DATES) }
    }
}

/// A value in one line: lists separated by commas, objects by their name.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().into(),
        Value::Number(number) => number.to_string(),
        Value::Bool(is) => is.to_string(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(", "),
        Value::Object(object) => object.get("name").map(text).unwrap_or_default(),
        Value::Null => String::new(),
    }
}
