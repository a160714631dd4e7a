//! The formats a source can have, and telling which one it has.

use std::fmt;
use std::str::FromStr;

use super::error::{IngestError, Result};
use super::source::Source;
use super::uci::{integer, triple};

/// How many lines may be blank before the first that tells the format.
const BLANK_LINES: usize = 64;

/// What a source is read as.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Told by the first lines.
    #[default]
    Auto,
    /// A `docword` file of the UCI bag-of-words collections, with its vocabulary.
    Uci,
    /// One JSON object a line.
    Jsonl,
    /// One document a line.
    Lines,
}

impl Format {
    /// All formats, in the order help shows them.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Uci, Self::Jsonl, Self::Lines];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Uci => "uci",
            Self::Jsonl => "jsonl",
            Self::Lines => "lines",
        }
    }

    /// This format, or for [`Format::Auto`] the one that the first lines of `source` show: three
    /// lines of one integer and then one of three is `uci`; a JSON object is `jsonl`; anything
    /// else is `lines`. Takes no line from the source.
    pub(super) fn recognise(self, source: &mut Source) -> Result<Self> {
        if self != Self::Auto {
            return Ok(self);
        }
        if is_uci(source)? {
            return Ok(Self::Uci);
        }
        for index in 0..BLANK_LINES {
            match source.peek(index)? {
                None => return Err(IngestError::Empty(source.name().into())),
                Some(line) if line.trim_ascii().is_empty() => {}
                Some(line) if is_json_object(line) => return Ok(Self::Jsonl),
                Some(_) => return Ok(Self::Lines),
            }
        }
        Ok(Self::Lines)
    }
}

fn is_json_object(line: &[u8]) -> bool {
    type Object = std::collections::HashMap<String, serde::de::IgnoredAny>;
    line.trim_ascii_start().starts_with(b"{") && serde_json::from_slice::<Object>(line).is_ok()
}

fn is_uci(source: &mut Source) -> Result<bool> {
    let mut triples = 0;
    for index in 0..3 {
        match source.peek(index)?.and_then(integer) {
            Some(number) => triples = number,
            None => return Ok(false),
        }
    }
    Ok(match source.peek(3)? {
        Some(line) if !line.trim_ascii().is_empty() => triple(line).is_some(),
        _ => triples == 0,
    })
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = IngestError;

    fn from_str(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| IngestError::UnknownFormat(name.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognised(text: &str) -> String {
        let mut source = Source::from_bytes("x", text.as_bytes().to_vec()).expect("source");
        match Format::Auto.recognise(&mut source) {
            Ok(format) => format.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_first_lines_tell_the_format() {
        assert_eq!(recognised("2\n3\n1\n1 2 3\n"), "uci");
        assert_eq!(recognised("2 \r\n3\r\n1\r\n1 2 3\r\n"), "uci");
        assert_eq!(recognised("2\n3\n0\n"), "uci");
        assert_eq!(recognised("2\n3\n4\n"), "lines");
        assert_eq!(recognised("2\n3\n1\n1 2\n"), "lines");
        assert_eq!(recognised("\n \n{\"text\": \"a\"}\n"), "jsonl");
        assert_eq!(recognised("{curly} but not JSON\n"), "lines");
        assert_eq!(recognised("[1, 2]\n"), "lines");
        assert_eq!(recognised("a line\n"), "lines");
        assert!(recognised("\n\n").starts_with("x: empty, so its format cannot be told"));
    }

    #[test]
    fn names_are_read_back() {
        for format in Format::ALL {
            assert_eq!(format.name().parse::<Format>().expect("name"), format);
        }
        let error = "csv".parse::<Format>().expect_err("no such format");
        assert_eq!(
            error.to_string(),
            "\"csv\" is not a format; there are auto, uci, jsonl and lines"
        );
    }
}
