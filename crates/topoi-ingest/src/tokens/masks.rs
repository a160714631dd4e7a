//! Kinds of text that are no words: addresses of pages and of people.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::LazyLock;

use regex::Regex;

use crate::error::{IngestError, Result};

/// A kind of text that is taken out before words are made.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Mask {
    /// `https://example.org/page`, `www.example.org`.
    Urls,
    /// `someone@example.org`.
    Emails,
    /// `@somebody`.
    Mentions,
}

static URLS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:(?:https?|ftp)://|www\.)[^\s<>]+").ok());
static EMAILS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)(?:mailto:)?[\w.+-]+@[\w-]+(?:\.[\w-]+)+").ok());
static MENTIONS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?:^|[^\w@.])(@\w+)").ok());

impl Mask {
    /// All kinds by their names.
    pub const NAMES: [(&'static str, Self); 3] =
        [("urls", Self::Urls), ("emails", Self::Emails), ("mentions", Self::Mentions)];

    fn regex(self) -> Option<&'static Regex> {
        match self {
            Self::Urls => URLS.as_ref(),
            Self::Emails => EMAILS.as_ref(),
            Self::Mentions => MENTIONS.as_ref(),
        }
    }

    /// A sign that every such text has.
    fn sign(self) -> &'static [char] {
        match self {
            Self::Urls => &['.', ':'],
            Self::Emails | Self::Mentions => &['@'],
        }
    }
}

impl fmt::Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, mask)| mask == self).map_or("", |(name, _)| name);
        f.pad(name)
    }
}

impl FromStr for Mask {
    type Err = IngestError;

    fn from_str(name: &str) -> Result<Self> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, mask)| *mask).ok_or_else(|| IngestError::UnknownChoice(name.into()))
    }
}

/// The text with spaces, as many bytes, in place of what is of these kinds.
pub(super) fn masked<'t>(text: &'t str, masks: &[Mask]) -> Cow<'t, str> {
    let mut text = Cow::Borrowed(text);
    for mask in masks {
        if !text.contains(mask.sign()) {
            continue;
        }
        let Some(regex) = mask.regex() else { continue };
        let places: Vec<Range<usize>> = regex
            .captures_iter(&text)
            .filter_map(|found| Some(found.get(1).or(found.get(0))?.range()))
            .collect();
        if places.is_empty() {
            continue;
        }
        let mut seen = String::with_capacity(text.len());
        let mut end = 0;
        for place in places {
            seen.push_str(&text[end..place.start]);
            seen.extend(std::iter::repeat_n(' ', place.len()));
            end = place.end;
        }
        seen.push_str(&text[end..]);
        text = Cow::Owned(seen);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_blank_and_everything_else_stays_where_it_was() {
        let text = "See https://t.co/abc?x=1, www.example.org and mail a.b@example.org to @some_user! #tag é@home a@b";
        let all = [Mask::Urls, Mask::Emails, Mask::Mentions];
        let seen = masked(text, &all);
        assert_eq!(seen.len(), text.len());
        let words: Vec<&str> = seen.split_whitespace().collect();
        assert_eq!(words, ["See", "and", "mail", "to", "!", "#tag", "é@home", "a@b"]);
        assert_eq!(masked(text, &[]), text);
        assert!(masked(text, &[Mask::Mentions]).contains("https://t.co/abc?x=1"));
    }
}
