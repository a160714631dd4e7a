//! JSON objects whose numbers stay as written.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::numbers::is_exact;
use crate::formats::names::distinct;

/// Maximum nesting of values of fields.
const MAX_DEPTH: usize = 128;

/// Why an object is not a document.
#[derive(Debug)]
pub(super) enum JsonProblem {
    Json(serde_json::Error),
    /// The key or title is invalid.
    Object(String),
    /// The text, tokens or counts are invalid.
    Content(String),
}

impl From<serde_json::Error> for JsonProblem {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

/// A value, as far as documents need it.
pub(super) enum Json<'j> {
    Null,
    String(String),
    /// As written.
    Number(&'j str),
    /// As written.
    Boolean(&'j str),
    Other,
}

impl<'j> Json<'j> {
    pub(super) fn new(json: &'j str) -> serde_json::Result<Self> {
        Ok(match json.as_bytes().first() {
            Some(b'"') => Self::String(serde_json::from_str(json)?),
            Some(b'-' | b'0'..=b'9') => Self::Number(json),
            Some(b'n') => Self::Null,
            Some(b't' | b'f') => Self::Boolean(json),
            _ => Self::Other,
        })
    }
}

/// The members of an object, in order.
#[derive(Debug)]
pub(super) struct Object<'j>(pub(super) Vec<(String, &'j RawValue)>);

impl<'j> Object<'j> {
    /// Gives repeated names a number; returns a remark about the changes.
    pub(super) fn distinct(&mut self) -> Option<String> {
        let members = &mut self.0;
        let is_twice = |at: usize| members[..at].iter().any(|(name, _)| *name == members[at].0);
        // Most objects have few members.
        if members.len() <= 32 && !(1..members.len()).any(is_twice) {
            return None;
        }
        let mut names: Vec<String> =
            members.iter_mut().map(|(name, _)| std::mem::take(name)).collect();
        let said = distinct(&mut names);
        members.iter_mut().zip(names).for_each(|(member, name)| member.0 = name);
        (!said.is_empty()).then(|| said.join("; "))
    }

    pub(super) fn get(&self, name: &str) -> Option<&'j str> {
        self.0.iter().find(|(found, _)| found == name).map(|(_, value)| value.get())
    }

    pub(super) fn remove(&mut self, name: &str) -> Option<&'j str> {
        let at = self.0.iter().position(|(found, _)| found == name)?;
        Some(self.0.remove(at).1.get())
    }

    /// The members that are `kept`, sorted by name; `None` if there are none.
    pub(super) fn into_json(
        mut self,
        kept: impl Fn(&str, &str) -> bool,
    ) -> serde_json::Result<Option<String>> {
        self.0.retain(|(name, value)| kept(name, value.get()));
        if self.0.is_empty() {
            return Ok(None);
        }
        let mut json = String::new();
        self.write(&mut json, 0)?;
        Ok(Some(json))
    }

    fn write(mut self, json: &mut String, depth: usize) -> serde_json::Result<()> {
        self.0.sort_by(|one, other| one.0.cmp(&other.0));
        json.push('{');
        for (at, (name, value)) in self.0.iter().enumerate() {
            if at > 0 {
                json.push(',');
            }
            json.push_str(&serde_json::to_string(name)?);
            json.push(':');
            write(value.get(), json, depth)?;
        }
        json.push('}');
        Ok(())
    }
}

/// Appends a value without whitespace. A number is written unchanged, or as text if readers would round it.
fn write(value: &str, json: &mut String, depth: usize) -> serde_json::Result<()> {
    if depth > MAX_DEPTH {
        return Err(serde_json::Error::custom("recursion limit exceeded"));
    }
    match value.as_bytes().first() {
        Some(b'{') => {
            let mut object: Object<'_> = serde_json::from_str(value)?;
            object.distinct();
            object.write(json, depth + 1)?;
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(value)?;
            json.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    json.push(',');
                }
                write(item.get(), json, depth + 1)?;
            }
            json.push(']');
        }
        Some(b'"') => {
            let text: String = serde_json::from_str(value)?;
            json.push_str(&serde_json::to_string(&text)?);
        }
        Some(b'-' | b'0'..=b'9') if !is_exact(value) => {
            json.extend(["\"", value, "\""]);
        }
        _ => json.push_str(value),
    }
    Ok(())
}

impl<'de: 'j, 'j> Deserialize<'de> for Object<'j> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Object(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}
