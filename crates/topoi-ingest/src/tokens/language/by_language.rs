//! Rules that some languages have, chosen by the codes of these.

use std::fmt;
use std::str::FromStr;

use crate::error::{IngestError, Result};

/// A rule of a language.
pub trait LanguageRule: Copy + PartialEq + 'static {
    /// The languages that have one, by their codes.
    const ALL: &'static [(&'static str, Self)];

    /// The error for another language.
    fn unknown(code: &str) -> IngestError;
}

/// The chosen languages with their rules; none by default. As text, their codes joined by commas, or `none`.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String", bound = "")]
pub struct ByLanguage<R: LanguageRule>(Vec<(&'static str, R)>);

impl<R: LanguageRule> ByLanguage<R> {
    /// Of these languages, or names of lists of stop words, those that have a rule.
    pub fn from_languages(codes: &str) -> Self {
        let codes: Vec<&str> = codes.split(',').map(str::trim).collect();
        Self(R::ALL.iter().filter(|(code, _)| codes.contains(code)).copied().collect())
    }

    /// Whether no language is chosen.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The rules.
    pub(in crate::tokens) fn rules(&self) -> impl Iterator<Item = R> {
        self.0.iter().map(|(_, rule)| *rule)
    }
}

impl<R: LanguageRule> Default for ByLanguage<R> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<R: LanguageRule> fmt::Display for ByLanguage<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_empty() {
            true => f.pad("none"),
            false => {
                let codes: Vec<&str> = self.0.iter().map(|(code, _)| *code).collect();
                f.pad(&codes.join(","))
            }
        }
    }
}

impl<R: LanguageRule> FromStr for ByLanguage<R> {
    type Err = IngestError;

    fn from_str(codes: &str) -> Result<Self> {
        let mut chosen = Vec::new();
        for code in codes.split(',').map(str::trim).filter(|code| *code != "none") {
            let found = R::ALL.iter().find(|(known, _)| *known == code);
            chosen.push(*found.ok_or_else(|| R::unknown(code))?);
        }
        Ok(Self(chosen))
    }
}

impl<R: LanguageRule> TryFrom<String> for ByLanguage<R> {
    type Error = IngestError;

    fn try_from(codes: String) -> Result<Self> {
        codes.parse()
    }
}

impl<R: LanguageRule> From<ByLanguage<R>> for String {
    fn from(chosen: ByLanguage<R>) -> Self {
        chosen.to_string()
    }
}
