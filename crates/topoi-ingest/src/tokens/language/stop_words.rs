//! Words that are dropped because they carry no topic: lists by language, and users' files.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use unicode_segmentation::UnicodeSegmentation;

use super::languages;
use crate::error::IngestError;
use crate::source::{lines_of, read_list};
use crate::tokens::normalise;
use crate::tokens::unspaced::is_unspaced;

/// English function words, one per line; lines that start with `#` are comments.
/// The list must never change, because corpora refer to it by name. Lists of other languages are saved with the
/// corpus.
pub(super) const ENGLISH: &str = include_str!("stop_words_en.txt");

/// The words to drop. Parsed from names joined by commas: `none`, `en`, other languages (the ISO lists of the
/// crate stop-words), and files of words.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Saved", into = "Saved")]
pub struct StopWords {
    names: String,
    has_english: bool,
    others: BTreeSet<String>,
    /// Those of `others` that users have listed themselves; not saved.
    listed: BTreeSet<String>,
}

/// Saved form: `"en"`, or names and the words beyond the English list.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
enum Saved {
    Name(String),
    Lists { names: String, english: bool, words: BTreeSet<String> },
}

impl From<StopWords> for Saved {
    fn from(StopWords { names, has_english, others, listed: _ }: StopWords) -> Self {
        match others.is_empty() {
            true => Self::Name(if has_english { "en".into() } else { "none".into() }),
            false => Self::Lists { names, english: has_english, words: others },
        }
    }
}

impl TryFrom<Saved> for StopWords {
    type Error = String;

    fn try_from(saved: Saved) -> Result<Self, String> {
        match saved {
            Saved::Lists { names, english, words } => {
                Ok(Self { names, has_english: english, others: words, listed: BTreeSet::new() })
            }
            Saved::Name(name) if name == "en" => Ok(Self::english()),
            Saved::Name(name) if name == "none" => Ok(Self::none()),
            Saved::Name(name) => Err(format!("no list of stop words {name:?}")),
        }
    }
}

impl Default for StopWords {
    fn default() -> Self {
        Self::english()
    }
}

impl StopWords {
    /// English function words.
    pub fn english() -> Self {
        Self { has_english: true, names: "en".into(), ..Self::none() }
    }

    /// No words.
    pub fn none() -> Self {
        let (others, listed) = (BTreeSet::new(), BTreeSet::new());
        Self { names: "none".into(), has_english: false, others, listed }
    }

    /// Whether the same words are dropped, whatever the names of the lists.
    pub(crate) fn drops_the_same(&self, other: &Self) -> bool {
        (self.has_english, &self.others) == (other.has_english, &other.others)
    }

    /// The words, normalised as by the tokenizer.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        let english = if self.has_english { ENGLISH } else { "" };
        words_of(english).chain(self.others.iter().map(String::as_str))
    }

    /// The words that users have listed themselves.
    pub(crate) fn listed(&self) -> impl Iterator<Item = &str> {
        self.listed.iter().map(String::as_str)
    }

    /// How these words differ from others, for people; `None` where they do not.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        let [ours, theirs] = [self, other].map(|list| list.words().collect::<BTreeSet<_>>());
        differences(&ours, &theirs)
    }

    /// Adds the words of `more`.
    #[must_use]
    pub(crate) fn with(mut self, more: &Self) -> Self {
        let known: BTreeSet<&str> = self.words().collect();
        let new: Vec<String> =
            more.words().filter(|word| !known.contains(word)).map(String::from).collect();
        if !new.is_empty() {
            self.names = format!("{},{}", self.names, more.names);
            self.others.extend(new);
        }
        self.listed.extend(more.listed.iter().cloned());
        self
    }

    /// Users' words: words and files of words, separated by commas.
    ///
    /// # Errors
    /// [`IngestError::Unreadable`].
    pub fn from_words(words: &str) -> Result<Self, IngestError> {
        let mut lists = Self { names: words.into(), ..Self::none() };
        for word in words.split(',').map(str::trim) {
            if !lists.add_file(word)? {
                lists.add_list(word);
            }
        }
        lists.listed = lists.others.clone();
        Ok(lists)
    }

    fn add_list(&mut self, text: &str) {
        for line in words_of(text) {
            let normal = normalise(line.trim(), true);
            for word in normal.split_whitespace() {
                // "don't" may be one word in a list and two by the rules of splitting. In scripts without
                // spaces, words are those that a dictionary finds.
                match word.chars().any(is_unspaced) {
                    true => self.others.extend([word.to_string()]),
                    false => self.others.extend(word.unicode_words().map(String::from)),
                }
            }
        }
    }

    /// Adds the words of a file; false if there is no such file.
    fn add_file(&mut self, name: &str) -> Result<bool, IngestError> {
        if !Path::new(name).is_file() {
            return Ok(false);
        }
        let mut own = Self::none();
        own.add_list(&read_list(Path::new(name))?);
        self.others.extend(own.others.iter().cloned());
        self.listed.extend(own.others);
        Ok(true)
    }
}

/// How a list differs from another: the numbers of what only one of them has, with an example of each.
pub(in crate::tokens) fn differences(
    ours: &BTreeSet<&str>,
    theirs: &BTreeSet<&str>,
) -> Option<String> {
    let only = |these: &BTreeSet<&str>, those: &BTreeSet<&str>, verb: &str| {
        let first = these.difference(those).next()?;
        let all = these.difference(those).count();
        Some(match all {
            1 => format!("{verb} {first:?}"),
            all => format!("{verb} {all}, such as {first:?}"),
        })
    };
    let parts = [only(theirs, ours, "lacks"), only(ours, theirs, "adds")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" and "))
}

pub(in crate::tokens) fn words_of(list: &str) -> impl Iterator<Item = &str> {
    lines_of(list).filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
}

impl fmt::Display for StopWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.names)
    }
}

impl FromStr for StopWords {
    type Err = IngestError;

    fn from_str(names: &str) -> Result<Self, IngestError> {
        let mut lists = Self { names: names.into(), ..Self::none() };
        for name in names.split(',').map(str::trim) {
            match name {
                "none" => {}
                "en" => lists.has_english = true,
                _ => match languages::list(name) {
                    Some(words) => lists.add_list(&words),
                    None if lists.add_file(name)? => {}
                    None => return Err(languages::unknown(name)),
                },
            }
        }
        Ok(lists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_english_words_are_as_the_tokenizer_sees_words() {
        let english = StopWords::english();
        let words: Vec<&str> = english.words().collect();
        assert!((300..400).contains(&words.len()), "{}", words.len());
        for word in words {
            assert_eq!(normalise(word, true).unicode_words().collect::<Vec<_>>(), [word]);
        }
    }

    #[test]
    fn lists_are_joined_and_saved_word_by_word() {
        let directory = tempfile::tempdir().expect("tempdir");
        let file = directory.path().join("mine.txt");
        std::fs::write(&file, "# remark\nTopoi\n\nnew york\n").expect("write");
        let lists: StopWords = format!("en,de,{}", file.display()).parse().expect("lists");
        let words: Vec<&str> = lists.words().collect();
        for word in ["the", "und", "topoi", "york"] {
            assert!(words.contains(&word), "{word}");
        }
        let json = serde_json::to_string(&lists).expect("JSON");
        let again: StopWords = serde_json::from_str(&json).expect("read");
        assert!(again.drops_the_same(&lists));
        assert!(!lists.drops_the_same(&"en,de".parse().expect("lists")));
        for name in ["en", "none"] {
            let lists: StopWords = name.parse().expect("a list");
            assert_eq!(serde_json::to_string(&lists).expect("JSON"), format!("{name:?}"));
        }
        let own = StopWords::from_words(&format!("king,{}", file.display())).expect("words");
        assert_eq!(own.words().collect::<Vec<_>>(), ["king", "new", "topoi", "york"]);
        let (en, both) = (StopWords::english(), StopWords::english().with(&own));
        assert_eq!(both.words().count(), en.words().count() + 4);
        assert_eq!(both.clone().with(&own), both);
    }

    #[test]
    fn an_unknown_language_is_refused_with_the_names_nearest_to_it() {
        let refusal = |name: &str| name.parse::<StopWords>().expect_err("no list").to_string();
        let end = "; topoi stop-words lists the languages; others are none and a file of words, one a \
                   line; join several with commas";
        assert_eq!(
            refusal("german"),
            format!("\"german\" is not a list of stop words; did you mean de (German)?{end}")
        );
        assert_eq!(refusal("xq"), format!("\"xq\" is not a list of stop words{end}"));
    }

    #[test]
    fn every_list_that_there_is_has_a_language_with_a_name() {
        let known: Vec<&str> = languages::LANGUAGES.iter().map(|language| language.code).collect();
        assert_eq!(known, stop_words::available_languages());
        assert!(
            known
                .iter()
                .all(|code| languages::list(code).is_some_and(|list| list.lines().count() > 20))
        );
    }
}
