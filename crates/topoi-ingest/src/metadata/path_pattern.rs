//! Fields from the paths of documents, such as `{year}/{party}_{speaker}.txt`.

use std::fmt;
use std::str::FromStr;

use regex::Regex;
use serde_json::{Map, Value};

use crate::error::IngestError;

/// A pattern of paths with fields in braces.
#[derive(Debug, Clone)]
pub struct PathPattern {
    text: String,
    fields: Vec<String>,
    regex: Regex,
}

impl PathPattern {
    /// The fields, in their order.
    pub fn fields(&self) -> &[String] {
        &self.fields
    }

    /// The fields of a path that ends as the pattern says, a JSON object.
    pub(super) fn row(&self, path: &str) -> Option<String> {
        let found = self.regex.captures(path)?;
        let value = |text: &str| match text.parse::<i64>() {
            Ok(number) if number.to_string() == text => Value::from(number),
            _ => Value::from(text),
        };
        let values = found.iter().skip(1).flatten().map(|part| value(part.as_str()));
        let fields: Map<String, Value> = self.fields.iter().cloned().zip(values).collect();
        Some(Value::Object(fields).to_string())
    }
}

impl fmt::Display for PathPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl FromStr for PathPattern {
    type Err = IngestError;

    fn from_str(text: &str) -> Result<Self, IngestError> {
        let refused =
            |why: &str| IngestError::PathPattern { pattern: text.into(), why: why.into() };
        let (mut fields, mut regex, mut rest) = (Vec::new(), String::from("(?:^|/)"), text);
        while let Some((before, after)) = rest.split_once('{') {
            let (name, behind) =
                after.split_once('}').ok_or_else(|| refused("a { has no } after it"))?;
            if name.trim().is_empty() || name.contains(['{', '/']) {
                return Err(refused("braces hold the name of a field, as in {year}"));
            }
            if fields.iter().any(|field| field == name) {
                return Err(refused("a field stands twice"));
            }
            if before.is_empty() && !fields.is_empty() {
                return Err(refused("nothing parts two fields"));
            }
            regex.push_str(&regex::escape(before));
            regex.push_str("([^/]+?)");
            fields.push(name.to_string());
            rest = behind;
        }
        if fields.is_empty() {
            return Err(refused("it names no field; one is like {year}"));
        }
        regex.push_str(&regex::escape(rest));
        regex.push('$');
        let regex = Regex::new(&regex).map_err(|error| refused(&error.to_string()))?;
        Ok(Self { text: text.into(), fields, regex })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_gives_the_fields_that_its_pattern_names() {
        let row = |pattern: &str, path: &str| {
            pattern.parse::<PathPattern>().expect("a pattern").row(path)
        };
        let pattern = "{year}/{party}_{speaker}.txt";
        let expected = r#"{"party":"Lab","speaker":"A. B_C","year":1997}"#;
        assert_eq!(row(pattern, "1997/Lab_A. B_C.txt").as_deref(), Some(expected));
        assert_eq!(row(pattern, "/home/x/1997/Lab_A. B_C.txt").as_deref(), Some(expected));
        for path in ["1997/Lab.txt", "Lab_A.txt", "1997/Lab_A.xml", "1997/Lab_A.txt.bak"] {
            assert_eq!(row(pattern, path), None, "{path}");
        }
        assert_eq!(row("{id}", "007").as_deref(), Some(r#"{"id":"007"}"#));
        assert_eq!(row("x({a}).txt", "x(1).txt").as_deref(), Some(r#"{"a":1}"#));
        for wrong in ["", "a.txt", "{year", "{}", "{a}{b}", "{a}/{a}"] {
            assert!(wrong.parse::<PathPattern>().is_err(), "{wrong}");
        }
    }
}
