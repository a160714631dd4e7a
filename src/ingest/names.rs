//! Which columns or keys of a source are a document's text, id and title, and which are kept.

use serde_json::{Map, Value};

/// Names of columns (CSV, TSV: or their numbers from 1) or of keys (JSON).
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Names {
    /// The text; `text` unless named.
    pub text: Option<String>,
    /// The key of the document; `id` unless named, and a number is made up where there is none.
    pub id: Option<String>,
    /// The title; `title` unless named.
    pub title: Option<String>,
    /// The fields to keep; all the others unless named.
    pub fields: Option<Vec<String>>,
    /// Whether a CSV or TSV file has no line of names.
    pub headerless: bool,
}

impl Names {
    pub(super) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or("text")
    }

    pub(super) fn id(&self) -> &str {
        self.id.as_deref().unwrap_or("id")
    }

    pub(super) fn title(&self) -> &str {
        self.title.as_deref().unwrap_or("title")
    }

    /// Whether a field of this name is kept.
    pub(super) fn keeps(&self, name: &str) -> bool {
        self.fields.as_ref().is_none_or(|fields| fields.iter().any(|field| field == name))
    }

    /// What is kept of the rest of an object, as JSON; `None` when nothing is.
    pub(super) fn fields_of(&self, mut rest: Map<String, Value>) -> Option<String> {
        rest.retain(|name, value| self.keeps(name) && !value.is_null());
        (!rest.is_empty()).then(|| Value::Object(rest).to_string())
    }
}
