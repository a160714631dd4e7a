//! The source of a document or passage, in a form for citations that people set.

use std::ops::Range;

use serde_json::{Map, Value};
use topoi_store::corpus::document::Document;

/// The form where none is set.
pub const DEFAULT_FORM: &str = "[{author}: ][\u{201c}{title}\u{201d}, ][{date}, ]{key}[, {place}]";

/// Fields that are looked at for a name of the form, the first that a document has.
const ALIASES: [(&str, &[&str]); 2] = [
    ("author", &["author", "authors", "creator", "speaker", "by", "byline", "name"]),
    ("date", &["date", "published", "pubdate", "issued", "created", "year"]),
];
/// What a document has besides its fields.
const OF_DOCUMENT: [&str; 4] = ["title", "key", "place", "corpus"];

/// A form for citations: text with the names of fields in braces, such as `{author}, {title}[, {date}]`. A part in
/// brackets is left out where the document has not all of its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitationForm {
    form: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Field(String),
    Optional(Vec<Part>),
}

/// What is wrong with a form for citations.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{form:?} is no form for citations: {problem}; such as {DEFAULT_FORM:?}")]
pub struct CitationError {
    form: String,
    problem: &'static str,
}

/// What is cited.
#[derive(Debug, Clone, Copy)]
pub struct Cited<'a> {
    /// Name of the corpus.
    pub corpus: &'a str,
    /// The document.
    pub document: &'a Document,
    /// Its fields, a JSON object.
    pub fields: Option<&'a str>,
    /// The characters of its text, counted from 0, that a passage has.
    pub place: Option<&'a Range<u64>>,
}

impl Default for CitationForm {
    fn default() -> Self {
        DEFAULT_FORM.parse().unwrap_or(Self { form: String::new(), parts: Vec::new() })
    }
}

impl std::fmt::Display for CitationForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.form)
    }
}

impl std::str::FromStr for CitationForm {
    type Err = CitationError;

    fn from_str(form: &str) -> Result<Self, CitationError> {
        let wrong = |problem| CitationError { form: form.into(), problem };
        let (mut parts, mut outer) = (Vec::new(), None::<Vec<Part>>);
        let mut rest = form;
        while let Some(sign) = rest.find(['{', '}', '[', ']']) {
            let (text, after) = rest.split_at(sign);
            if !text.is_empty() {
                parts.push(Part::Text(text.into()));
            }
            rest = &after[1..];
            match &after[..1] {
                "{" => {
                    let (name, after) = rest.split_once('}').ok_or(wrong("a { without its }"))?;
                    if name.trim().is_empty() || name.contains(['{', '[', ']']) {
                        return Err(wrong("{ and } have the name of a field between them"));
                    }
                    parts.push(Part::Field(name.trim().to_lowercase()));
                    rest = after;
                }
                "[" if outer.is_some() => return Err(wrong("a [ within [ ]")),
                "[" => outer = Some(std::mem::take(&mut parts)),
                "]" => {
                    let before = outer.take().ok_or(wrong("a ] without its ["))?;
                    let inside = std::mem::replace(&mut parts, before);
                    parts.push(Part::Optional(inside));
                }
                _ => return Err(wrong("a } without its {")),
            }
        }
        if outer.is_some() {
            return Err(wrong("a [ without its ]"));
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.into()));
        }
        if parts.is_empty() {
            return Err(wrong("it is empty"));
        }
        Ok(Self { form: form.into(), parts })
    }
}

impl CitationForm {
    /// The source of what is cited, on one line. A field outside of brackets that the document has not is left out.
    pub fn cite(&self, cited: Cited<'_>) -> String {
        let fields: Map<String, Value> =
            cited.fields.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
        let mut text = String::new();
        write(&self.parts, &|name| value(name, &cited, &fields), &mut text);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Writes parts; returns whether all their fields have values.
fn write(parts: &[Part], value: &dyn Fn(&str) -> Option<String>, text: &mut String) -> bool {
    let mut has_all = true;
    for part in parts {
        match part {
            Part::Text(plain) => text.push_str(plain),
            Part::Field(name) => match value(name) {
                Some(value) => text.push_str(&value),
                None => has_all = false,
            },
            Part::Optional(inside) => {
                let before = text.len();
                if !write(inside, value, text) {
                    text.truncate(before);
                }
            }
        }
    }
    has_all
}

/// The value that a document's fields (a JSON object) have for a name of a form, such as `author` or `date`.
pub fn field_of(name: &str, fields: Option<&str>) -> Option<String> {
    field(name, &fields.and_then(|json| serde_json::from_str(json).ok())?)
}

fn value(name: &str, cited: &Cited<'_>, fields: &Map<String, Value>) -> Option<String> {
    if OF_DOCUMENT.contains(&name) {
        return match name {
            "title" => cited.document.title.clone().filter(|title| !title.trim().is_empty()),
            "key" => Some(cited.document.key.clone()),
            "corpus" => Some(cited.corpus.into()),
            _ => cited
                .place
                .map(|place| format!("characters {}\u{2013}{}", place.start + 1, place.end)),
        };
    }
    field(name, fields)
}

fn field(name: &str, fields: &Map<String, Value>) -> Option<String> {
    let field = |name: &str| {
        let exact = fields.get(name);
        exact.or_else(|| {
            fields.iter().find(|(field, _)| field.to_lowercase() == name).map(|(_, value)| value)
        })
    };
    let aliases = ALIASES.iter().find(|(alias, _)| *alias == name);
    match aliases {
        Some((_, names)) => names.iter().find_map(|name| shown(field(name)?)),
        None => shown(field(name)?),
    }
}

/// The value of a field as text; `None` for a missing one.
fn shown(value: &Value) -> Option<String> {
    let text = match value {
        Value::Null | Value::Object(_) => return None,
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().filter_map(shown).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    };
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use topoi_store::id::DocumentId;

    use super::*;

    fn cited(form: &str, fields: &str, place: Option<&Range<u64>>) -> String {
        let form: CitationForm = form.parse().expect("a form");
        let document = Document {
            id: DocumentId(12),
            key: "letters/12".into(),
            title: Some("To a\nfriend".into()),
            tokens: 3,
            source: "letters.csv".into(),
        };
        form.cite(Cited { corpus: "letters", document: &document, fields: Some(fields), place })
    }

    #[test]
    fn what_a_document_has_not_is_left_out_with_its_brackets() {
        let fields = r#"{"Speaker": ["Ann Lee", "Bob"], "year": 1815, "empty": " "}"#;
        assert_eq!(
            cited(DEFAULT_FORM, fields, Some(&(9..140))),
            "Ann Lee, Bob: \u{201c}To a friend\u{201d}, 1815, letters/12, characters 10\u{2013}140"
        );
        assert_eq!(cited(DEFAULT_FORM, "{}", None), "\u{201c}To a friend\u{201d}, letters/12");
        assert_eq!(
            cited("{corpus}/{key}[ ({empty})] {nothing}", fields, None),
            "letters/letters/12"
        );
    }

    #[test]
    fn a_form_that_is_none_says_what_is_wrong() {
        for (form, problem) in [
            ("", "it is empty"),
            ("{author", "a { without its }"),
            ("{}", "the name of a field"),
            ("[[{a}]]", "a [ within [ ]"),
            ("a]", "a ] without its ["),
            ("[a", "a [ without its ]"),
            ("a}", "a } without its {"),
        ] {
            let error = form.parse::<CitationForm>().expect_err(form).to_string();
            assert!(error.contains(problem), "{form}: {error}");
        }
    }
}
