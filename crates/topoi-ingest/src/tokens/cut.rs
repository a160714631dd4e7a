//! How text is cut into words.

use std::fmt;
use std::str::FromStr;

use regex::Regex;

use super::unspaced::{Dictionaries, spaced_words};
use crate::error::{IngestError, Result};

/// How text is cut into words.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    /// At Unicode's word boundaries (UAX 29), and by dictionaries where words have no blanks between them;
    /// without `_` around words and the `'s` of possessives.
    #[default]
    Words,
    /// At Unicode's word boundaries alone, a Chinese character each.
    Unicode,
    /// At blanks: for text whose words were found by another program.
    Whitespace,
    /// What a regular expression matches, or its first group where it has one.
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

/// What is wrong, of a message that shows the pattern before.
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
    /// The ways that have a name.
    pub const NAMES: &'static [&'static str] = &["words", "whitespace", "unicode"];

    /// The option that asks for it.
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

/// Cuts normalised text; made once for a corpus.
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

    /// Calls `visit` with the words of a normalised text in their order; `is_stop_word` tells those that end
    /// in `'s` and are no possessive.
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

/// A word without what stands for italics in plain text, and without the ending of a possessive.
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
    fn words_can_stand_between_blanks_or_be_what_a_pattern_matches() {
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
