//! Values of a document's fields, from the JSON object in which a store keeps them.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

/// A value as text: strings are trimmed, other values are written as JSON. `None` for null and for
/// an empty string.
pub fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.trim().to_string()).filter(|text| !text.is_empty()),
        other => Some(other.to_string()),
    }
}

/// All values by name; empty where `fields` is not a JSON object.
pub fn all(fields: Option<&str>) -> Map<String, Value> {
    fields.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// Marks for missing values, such as R's `NA`. A value that equals a mark is missing, as is an
/// empty one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MissingMarks {
    marks: Vec<String>,
}

impl MissingMarks {
    /// Exactly these marks, without spaces around them.
    pub fn new(marks: &[String]) -> Self {
        Self { marks: marks.to_vec() }
    }

    /// Whether a value, as returned by [`text`], is a mark.
    pub fn is_mark(&self, text: &str) -> bool {
        self.marks.iter().any(|mark| mark == text)
    }

    /// A value as returned by [`text`]; `None` where it is missing.
    pub fn text(&self, value: &Value) -> Option<String> {
        text(value).filter(|text| !self.is_mark(text))
    }

    /// Sets `values` to the value of each of `names`; missing values and marks become `None`.
    pub fn some(&self, fields: Option<&str>, names: &[String], values: &mut Vec<Option<String>>) {
        some(fields, names, values);
        for value in values {
            *value = value.take().filter(|text| !self.is_mark(text));
        }
    }
}

/// Sets `values` to the value of each of `names`. Marks of missing values are kept.
pub fn some(fields: Option<&str>, names: &[String], values: &mut Vec<Option<String>>) {
    values.clear();
    values.resize(names.len(), None);
    if let Some(fields) = fields {
        let mut json = serde_json::Deserializer::from_str(fields);
        // Text that is not a JSON object has no values.
        let read = |value| text(&value);
        let _ = json.deserialize_map(NamedValues { names, values, read });
    }
}

/// The value of `name` as it is; `None` where there is none.
pub fn one(fields: &str, name: &str) -> Option<Value> {
    let mut found = [None];
    let mut json = serde_json::Deserializer::from_str(fields);
    let _ = json.deserialize_map(NamedValues { names: &[name], values: &mut found, read: Some });
    found[0].take()
}

/// Names of all values, in their order; none where `fields` is not a JSON object.
pub fn names(fields: Option<&str>) -> Vec<Cow<'_, str>> {
    let mut json = serde_json::Deserializer::from_str(fields.unwrap_or_default());
    json.deserialize_map(Names).unwrap_or_default()
}

struct Names;

impl<'de> Visitor<'de> for Names {
    type Value = Vec<Cow<'de, str>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut names = Vec::new();
        while let Some(Name(name)) = map.next_key()? {
            names.push(name);
            map.next_value::<IgnoredAny>()?;
        }
        Ok(names)
    }
}

/// A name, borrowed where it can be.
#[derive(serde::Deserialize)]
#[serde(transparent)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// Sets each of `values` to what `read` makes of the value of the name in its place.
struct NamedValues<'a, S, V> {
    names: &'a [S],
    values: &'a mut [Option<V>],
    read: fn(Value) -> Option<V>,
}

impl<'de, S: AsRef<str>, V> Visitor<'de> for NamedValues<'_, S, V> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(place) = map.next_key_seed(NameIndex(self.names))? {
            match place {
                Some(place) => self.values[place] = (self.read)(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// Deserialises a key as its index among the names.
struct NameIndex<'a, S>(&'a [S]);

impl<'de, S: AsRef<str>> DeserializeSeed<'de> for NameIndex<'_, S> {
    type Value = Option<usize>;

    fn deserialize<D: serde::Deserializer<'de>>(self, key: D) -> Result<Self::Value, D::Error> {
        let Name(key) = serde::Deserialize::deserialize(key)?;
        Ok(self.0.iter().position(|name| name.as_ref() == key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn empty_values_are_none_and_others_are_told_as_they_are() {
        let texts = [json!(null), json!("  "), json!(" a "), json!(1999), json!(["x", "y"])];
        let found: Vec<Option<String>> = texts.iter().map(text).collect();
        let some = |text: &str| Some(text.to_string());
        assert_eq!(found, [None, None, some("a"), some("1999"), some("[\"x\",\"y\"]")]);
    }

    #[test]
    fn a_mark_of_missing_values_is_none_and_what_only_resembles_it_is_a_value() {
        let missing = MissingMarks::new(&["NA".into(), "-99".into()]);
        let texts = [json!("NA"), json!(" NA "), json!("na"), json!("NA1"), json!(-99), json!("")];
        let found: Vec<Option<String>> = texts.iter().map(|value| missing.text(value)).collect();
        let some = |text: &str| Some(text.to_string());
        assert_eq!(found, [None, None, some("na"), some("NA1"), None, None]);
        let mut values = Vec::new();
        let names = ["a", "b"].map(String::from);
        missing.some(Some(r#"{"a":"NA","b":"b"}"#), &names, &mut values);
        assert_eq!(values, [None, some("b")]);
        MissingMarks::default().some(Some(r#"{"a":"NA","b":"b"}"#), &names, &mut values);
        assert_eq!(values, [some("NA"), some("b")]);
    }

    #[test]
    fn the_wanted_values_are_found_among_others_whatever_stands_there() {
        let names = ["b", "é\"", "none"].map(String::from);
        let mut values = Vec::new();
        some(Some(r#"{"a":{"b":1},"\u00e9\"":" x ","b":7,"c":[1,2]}"#), &names, &mut values);
        assert_eq!(values, [Some("7".into()), Some("x".into()), None]);
        for wrong in [None, Some("["), Some("[1]"), Some("{\"b\":")] {
            some(wrong, &names, &mut values);
            assert_eq!(values, [None, None, None]);
        }
    }
}
