//! Token settings: those saved with a corpus, and those that a command requests.

use std::fmt;
use std::str::FromStr;

use rust_stemmers::Algorithm;

use super::cut::Cut;
use super::language::elision::Elision;
use super::language::letters::Letters;
use super::language::stop_words::StopWords;
use super::masks::Mask;
use super::rewrites::{FixedPhrases, WordMap};
use crate::error::{IngestError, Result};
use crate::texts::repairs::TextRepairs;

/// How text becomes terms. Saved with the corpus; the same for every ingest into it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenSettings {
    /// Minimum number of characters of a word. 3: words of one and two letters are mostly initials, units and
    /// remains of formulas.
    pub min_length: usize,
    /// Maximum number of characters of a word. 40: longer ones are addresses and encodings.
    pub max_length: usize,
    /// Words that are dropped because they carry no topic.
    pub stop_words: StopWords,
    /// Whether stop words that are there all the same are meant to be.
    #[serde(default, skip_serializing_if = "is_default")]
    pub keeps_stop_words: bool,
    /// Characters that a word must have.
    #[serde(default, skip_serializing_if = "is_default")]
    pub characters: Characters,
    /// Treatment of capital letters.
    #[serde(default, skip_serializing_if = "is_default")]
    pub case: Case,
    /// Language of the Snowball stemmer.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stem: Stem,
    /// Maximum number of adjacent words that form an n-gram term, such as `new_york`. 1: no n-grams.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub ngrams: usize,
    /// How text is split into words.
    #[serde(rename = "tokens")]
    pub cut: Cut,
    /// Languages whose elided articles are no part of the next word.
    #[serde(default, skip_serializing_if = "is_default")]
    pub elision: Elision,
    /// Languages whose letters are written in one way.
    #[serde(default, skip_serializing_if = "is_default")]
    pub letters: Letters,
    /// Kinds of text that are no words, sorted.
    #[serde(default, skip_serializing_if = "is_default")]
    pub masks: Vec<Mask>,
    /// What is mended in texts before they become words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub texts: TextRepairs,
    /// Map of word forms, applied before dropping and stemming.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<WordMap>,
    /// Phrases that are one word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub join: Option<FixedPhrases>,
}

impl Default for TokenSettings {
    fn default() -> Self {
        Self {
            min_length: 3,
            max_length: 40,
            stop_words: StopWords::default(),
            keeps_stop_words: false,
            characters: Characters::default(),
            case: Case::default(),
            stem: Stem::default(),
            ngrams: 1,
            cut: Cut::default(),
            elision: Elision::default(),
            letters: Letters::default(),
            masks: Vec::new(),
            texts: TextRepairs::default(),
            map: None,
            join: None,
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn one() -> usize {
    1
}

fn is_one(number: &usize) -> bool {
    *number == 1
}

impl TokenSettings {
    /// # Errors
    /// [`IngestError::NoLength`] if no word can be kept; [`IngestError::NgramLength`].
    pub fn check(&self) -> Result<()> {
        let Self { min_length, max_length, ngrams, .. } = *self;
        if min_length > max_length {
            return Err(IngestError::NoLength { min_length, max_length });
        }
        if !(1..=5).contains(&ngrams) {
            return Err(IngestError::NgramLength(ngrams));
        }
        Ok(())
    }

    /// The first setting that differs from `saved`.
    pub(crate) fn difference(&self, saved: &Self) -> Option<Difference> {
        if !self.stop_words.drops_the_same(&saved.stop_words) {
            let (ours, theirs) = (self.stop_words.to_string(), saved.stop_words.to_string());
            return Some(match self.stop_words.difference(&saved.stop_words) {
                Some(content) if ours == theirs => Difference::Content("stop-words", content),
                _ => Difference::Value("stop-words", ours, theirs),
            });
        }
        let values = [
            (saved.cut.flag(), self.cut.to_string(), saved.cut.to_string()),
            ("min-length", self.min_length.to_string(), saved.min_length.to_string()),
            ("max-length", self.max_length.to_string(), saved.max_length.to_string()),
            ("characters", self.characters.to_string(), saved.characters.to_string()),
            ("case", self.case.to_string(), saved.case.to_string()),
            ("stem", self.stem.to_string(), saved.stem.to_string()),
            ("ngrams", self.ngrams.to_string(), saved.ngrams.to_string()),
            ("elision", self.elision.to_string(), saved.elision.to_string()),
            ("letters", self.letters.to_string(), saved.letters.to_string()),
            ("drop", names_of(&self.masks), names_of(&saved.masks)),
        ];
        let differs = values.into_iter().find(|(_, ours, theirs)| ours != theirs);
        if let Some((flag, ours, theirs)) = differs {
            return Some(Difference::Value(flag, ours, theirs));
        }
        let (ours, theirs) = (self.texts, saved.texts);
        let switches = [
            ("join-hyphens", ours.hyphens, theirs.hyphens),
            ("decode-entities", ours.entities, theirs.entities),
            ("drop-page-heads", ours.page_heads, theirs.page_heads),
        ];
        if let Some((flag, ..)) = switches.into_iter().find(|(_, ours, theirs)| ours != theirs) {
            return Some(Difference::Switch(flag));
        }
        let map = list_difference("map", &self.map, &saved.map, WordMap::difference);
        map.or_else(|| list_difference("join", &self.join, &saved.join, FixedPhrases::difference))
    }
}

/// A setting that is not that of the corpus.
#[derive(Debug)]
pub(crate) enum Difference {
    /// An option with another value: the option, this value, the saved value.
    Value(&'static str, String, String),
    /// A list with other lines: the option, and what differs.
    Content(&'static str, String),
    /// An option that the corpus was made without.
    Switch(&'static str),
}

fn list_difference<T: PartialEq + fmt::Display>(
    flag: &'static str,
    ours: &Option<T>,
    theirs: &Option<T>,
    content: fn(&T, &T) -> Option<String>,
) -> Option<Difference> {
    if let (Some(ours), Some(theirs)) = (ours, theirs) {
        // The same file by another name is the same.
        return Some(Difference::Content(flag, content(ours, theirs)?));
    }
    let shown = |list: &Option<T>| list.as_ref().map_or_else(|| "none".into(), T::to_string);
    (ours != theirs).then(|| Difference::Value(flag, shown(ours), shown(theirs)))
}

fn names_of(masks: &[Mask]) -> String {
    let names: Vec<String> = masks.iter().map(Mask::to_string).collect();
    if names.is_empty() { "no addresses".into() } else { names.join(",") }
}

/// Requested token settings. Open values are taken from the corpus, or are the defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenChoice {
    /// [`TokenSettings::min_length`].
    pub min_length: Option<usize>,
    /// [`TokenSettings::max_length`].
    pub max_length: Option<usize>,
    /// [`TokenSettings::stop_words`].
    pub stop_words: Option<StopWords>,
    /// [`TokenSettings::characters`].
    pub characters: Option<Characters>,
    /// [`TokenSettings::case`].
    pub case: Option<Case>,
    /// [`TokenSettings::stem`].
    pub stem: Option<Stem>,
    /// [`TokenSettings::ngrams`].
    pub ngrams: Option<usize>,
    /// [`TokenSettings::cut`].
    pub cut: Option<Cut>,
    /// [`TokenSettings::elision`]; without it that of the languages of the stop words.
    pub elision: Option<Elision>,
    /// [`TokenSettings::letters`]; without it those of the languages of the stop words.
    pub letters: Option<Letters>,
    /// [`TokenSettings::map`].
    pub map: Option<WordMap>,
    /// [`TokenSettings::join`].
    pub join: Option<FixedPhrases>,
    /// [`TokenSettings::masks`].
    pub masks: Option<Vec<Mask>>,
    /// Repairs of texts, in addition to those of the corpus.
    pub texts: TextRepairs,
    /// Words that are dropped in addition to [`TokenSettings::stop_words`].
    pub drop: Option<StopWords>,
}

impl TokenChoice {
    /// The settings for a corpus whose settings are `base`.
    pub fn resolve(&self, base: &TokenSettings) -> TokenSettings {
        let lists = self.stop_words.as_ref().map(|lists| lists.to_string());
        let of_lists = lists.as_deref().map(Elision::from_languages);
        let elision = self.elision.clone().or(of_lists);
        let of_lists = lists.as_deref().map(Letters::from_languages);
        let letters = self.letters.clone().or(of_lists);
        let stop_words = self.stop_words.clone().unwrap_or_else(|| base.stop_words.clone());
        TokenSettings {
            min_length: self.min_length.unwrap_or(base.min_length),
            max_length: self.max_length.unwrap_or(base.max_length),
            stop_words: self.drop.iter().fold(stop_words, StopWords::with),
            keeps_stop_words: base.keeps_stop_words,
            characters: self.characters.unwrap_or(base.characters),
            case: self.case.unwrap_or(base.case),
            stem: self.stem.unwrap_or(base.stem),
            ngrams: self.ngrams.unwrap_or(base.ngrams),
            cut: self.cut.clone().unwrap_or_else(|| base.cut.clone()),
            elision: elision.unwrap_or_else(|| base.elision.clone()),
            texts: TextRepairs {
                hyphens: self.texts.hyphens || base.texts.hyphens,
                entities: self.texts.entities || base.texts.entities,
                page_heads: self.texts.page_heads || base.texts.page_heads,
            },
            letters: letters.unwrap_or_else(|| base.letters.clone()),
            masks: self.masks.clone().unwrap_or_else(|| base.masks.clone()),
            map: self.map.clone().or_else(|| base.map.clone()),
            join: self.join.clone().or_else(|| base.join.clone()),
        }
    }
}

/// Implements names of an enumeration for the command line and saved settings.
macro_rules! named {
    ($type:ident, $unknown:expr, $($variant:ident = $name:literal),+) => {
        impl $type {
            /// All names, in the order of the help.
            pub const NAMES: &'static [&'static str] = &[$($name),+];
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $(Self::$variant => $name),+ })
            }
        }

        impl FromStr for $type {
            type Err = IngestError;

            fn from_str(name: &str) -> Result<Self> {
                match name {
                    $($name => Ok(Self::$variant),)+
                    _ => Err($unknown(name)),
                }
            }
        }
    };
}

/// Characters that a word must have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Characters {
    /// Words with at least one letter: "x2000" but not "2000".
    #[default]
    Letter,
    /// Words of letters only, and the marks that belong to them.
    Letters,
    /// All words, numbers too.
    Any,
}

named!(Characters, unknown_name, Letter = "letter", Letters = "letters", Any = "any");

/// Treatment of capital letters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Case {
    /// Text is lower-cased.
    #[default]
    Lower,
    /// Capital letters are kept.
    Keep,
}

named!(Case, unknown_name, Lower = "lower", Keep = "keep");

fn unknown_name(name: &str) -> IngestError {
    IngestError::UnknownChoice(name.into())
}

/// A language with a stemmer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the languages are named by their ISO 639-1 codes")]
pub enum Stem {
    #[default]
    None,
    Ar,
    Da,
    De,
    El,
    En,
    Es,
    Fi,
    Fr,
    Hu,
    It,
    Nl,
    No,
    Pt,
    Ro,
    Ru,
    Sv,
    Ta,
    Tr,
}

named!(
    Stem,
    |name: &str| IngestError::UnknownStemmer {
        name: name.into(),
        known: Stem::NAMES[1..].join(", ")
    },
    None = "none",
    Ar = "ar",
    Da = "da",
    De = "de",
    El = "el",
    En = "en",
    Es = "es",
    Fi = "fi",
    Fr = "fr",
    Hu = "hu",
    It = "it",
    Nl = "nl",
    No = "no",
    Pt = "pt",
    Ro = "ro",
    Ru = "ru",
    Sv = "sv",
    Ta = "ta",
    Tr = "tr"
);

impl Stem {
    pub(crate) fn algorithm(self) -> Option<Algorithm> {
        Some(match self {
            Self::None => return None,
            Self::Ar => Algorithm::Arabic,
            Self::Da => Algorithm::Danish,
            Self::De => Algorithm::German,
            Self::El => Algorithm::Greek,
            Self::En => Algorithm::English,
            Self::Es => Algorithm::Spanish,
            Self::Fi => Algorithm::Finnish,
            Self::Fr => Algorithm::French,
            Self::Hu => Algorithm::Hungarian,
            Self::It => Algorithm::Italian,
            Self::Nl => Algorithm::Dutch,
            Self::No => Algorithm::Norwegian,
            Self::Pt => Algorithm::Portuguese,
            Self::Ro => Algorithm::Romanian,
            Self::Ru => Algorithm::Russian,
            Self::Sv => Algorithm::Swedish,
            Self::Ta => Algorithm::Tamil,
            Self::Tr => Algorithm::Turkish,
        })
    }
}
