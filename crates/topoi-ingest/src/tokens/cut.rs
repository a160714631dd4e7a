//! Splitting text into words.

use std::fmt;
use std::str::FromStr;

use regex::Regex;

use super::unspaced::{Dictionaries, spaced_words};
use crate::error::{IngestError, Result};

/// How text is split into words.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    /// At Unicode word boundaries (UAX 29), and by dictionaries in scripts without spaces between words;
    /// without `_` around words and the possessive `'s`.
    #[default]
    Words,
    /// At Unicode word boundaries only; every Chinese character is a word.
    Unicode,
    /// At whitespace: for text that another program has split.
    Whitespace,
    /// The matches of a regular expression, or of its first group if it has one.
    Pattern(Pattern),
}

/// A regular expression that matches words.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern(Regex);

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for Pattern {}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.0.as_str().into()
    }
}

impl TryFrom<String> for Pattern {
    type Error = IngestError;

    fn try_from(pattern: String) -> Result<Self> {
        let reason = match Regex::new(&pattern) {
            Ok(regex) if regex.find("").is_none() => return Ok(Self(regex)),
            Ok(_) => "it matches where no letter is".into(),
            Err(error) => last_line(&error.to_string()),
        };
        Err(IngestError::TokenPattern { pattern, reason })
    }
}

/// The problem, without the lines that show the pattern.
fn last_line(message: &str) -> String {
    message.lines().last().unwrap_or_default().trim_start_matches("error: ").into()
}

impl FromStr for Pattern {
    type Err = IngestError;

    fn from_str(pattern: &str) -> Result<Self> {
        pattern.to_string().try_into()
    }
}

impl Cut {
    /// The choices that have a name.
    pub const NAMES: &'static [&'static str] = &["words", "whitespace", "unicode"];

    /// The option that selects it.
    pub(super) fn flag(&self) -> &'static str {
        if matches!(self, Self::Pattern(_)) { "token-pattern" } else { "tokens" }
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Words => "words",
            Self::Unicode => "unicode",
            Self::Whitespace => "whitespace",
            Self::Pattern(Pattern(regex)) => regex.as_str(),
        })
    }
}

impl FromStr for Cut {
    type Err = IngestError;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "words" => Ok(Self::Words),
            "unicode" => Ok(Self::Unicode),
            "whitespace" => Ok(Self::Whitespace),
            _ => Err(IngestError::UnknownChoice(name.into())),
        }
    }
}

/// Splits normalised text; created once per corpus.
#[derive(Debug, Clone)]
pub(super) enum Cutter {
    Words(Dictionaries),
    Unicode,
    Whitespace,
    Pattern(Regex),
}

impl Cutter {
    pub(super) fn new(cut: &Cut) -> Self {
        match cut {
            Cut::Words => Self::Words(Dictionaries::default()),
            Cut::Unicode => Self::Unicode,
            Cut::Whitespace => Self::Whitespace,
            Cut::Pattern(Pattern(regex)) => Self::Pattern(regex.clone()),
        }
    }

    /// Calls `visit` with the words of a normalised text in order. `is_stop_word` recognises words in `'s` that
    /// are not possessives.
    pub(super) fn words<'t>(
        &self,
        text: &'t str,
        is_stop_word: impl Fn(&str) -> bool,
        mut visit: impl FnMut(&'t str),
    ) {
        match self {
            Self::Words(dictionaries) => dictionaries.words(text, &mut |word| {
                let word = bare(word, &is_stop_word);
                if !word.is_empty() {
                    visit(word);
                }
            }),
            Self::Unicode => spaced_words(text, &mut visit),
            Self::Whitespace => text.split_whitespace().for_each(visit),
            Self::Pattern(regex) if regex.captures_len() > 1 => {
                let groups = regex.captures_iter(text).filter_map(|found| found.get(1));
                groups.map(|found| found.as_str()).filter(|word| !word.is_empty()).for_each(visit);
            }
            Self::Pattern(regex) => {
                let found = regex.find_iter(text).map(|found| found.as_str());
                found.filter(|word| !word.is_empty()).for_each(visit);
            }
        }
    }
}

/// A word without the `_` of italics in plain text and without a possessive ending.
fn bare(word: &str, is_stop_word: impl Fn(&str) -> bool) -> &str {
    let bytes = word.as_bytes();
    let word = match (bytes.first(), bytes.last()) {
        (Some(b'_'), _) | (_, Some(b'_')) => word.trim_matches('_'),
        _ => word,
    };
    match word.strip_suffix("'s").or_else(|| word.strip_suffix("'S")) {
        Some(owner) if !is_stop_word(word) => owner,
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TokenSettings, Tokenizer};

    fn tokens(cut: Cut, text: &str) -> String {
        Tokenizer::new(&TokenSettings { cut, ..TokenSettings::default() }).tokens(text).join(" ")
    }

    #[test]
    fn italics_of_plain_text_and_endings_of_possessives_are_no_part_of_a_word() {
        let text = "_Emma’s_ father; the _white_ house's snake_case, it's Let's";
        assert_eq!(tokens(Cut::Words, text), "emma father white house snake_case");
        assert_eq!(tokens(Cut::Unicode, text), "_emma's_ father _white_ house's snake_case");
    }

    #[test]
    fn words_can_be_separated_by_whitespace_or_matched_by_a_pattern() {
        assert_eq!(tokens(Cut::Whitespace, "C++ code, node.js;"), "c++ code, node.js;");
        let pattern = |pattern: &str| Cut::Pattern(pattern.parse().expect("a pattern"));
        assert_eq!(tokens(pattern("[a-z]+[+]*"), "abc++ def"), "abc++ def");
        assert_eq!(tokens(pattern("#([a-z]+)"), "one #two three #four"), "two four");
    }

    #[test]
    fn a_pattern_that_finds_no_words_is_refused_with_the_reason() {
        let refusal = |pattern: &str| pattern.parse::<Pattern>().expect_err("wrong").to_string();
        assert_eq!(
            refusal("[a"),
            "--token-pattern \"[a\": unclosed character class; correct the regular expression"
        );
        assert_eq!(
            refusal("x*"),
            "--token-pattern \"x*\": it matches where no letter is; correct the regular expression"
        );
        for saved in [r#"{"pattern":"[a"}"#, r#""syllables""#] {
            assert!(serde_json::from_str::<Cut>(saved).is_err());
        }
    }

    #[test]
    fn a_way_of_cutting_is_saved_by_its_name() {
        for (cut, saved) in [
            (Cut::Words, r#""words""#),
            (Cut::Whitespace, r#""whitespace""#),
            (Cut::Pattern("a+".parse().expect("a pattern")), r#"{"pattern":"a+"}"#),
        ] {
            assert_eq!(serde_json::to_string(&cut).expect("JSON"), saved);
            assert_eq!(serde_json::from_str::<Cut>(saved).expect("saved"), cut);
        }
        assert!(
            Cut::NAMES.iter().all(|name| name.parse::<Cut>().is_ok_and(|c| c.to_string() == *name))
        );
    }
}
