//! Text to words: Unicode normalisation (NFKC), lower case, Unicode word boundaries, and a choice
//! of the words that are kept.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::error::{IngestError, Result};
use super::record::count_each;

/// English function words, one a line; lines that start with `#` are remarks.
const ENGLISH: &str = include_str!("stop_words_en.txt");

/// How text becomes terms. Saved with the corpus, the same for every ingest into it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenSettings {
    /// Shorter words are dropped, in characters. 3: one and two letters are mostly initials,
    /// units and remains of formulas.
    pub min_length: usize,
    /// Longer words are dropped, in characters. 40: longer ones are addresses and encodings.
    pub max_length: usize,
    /// Which words are dropped for carrying no topic.
    pub stop_words: StopWords,
}

impl Default for TokenSettings {
    fn default() -> Self {
        Self { min_length: 3, max_length: 40, stop_words: StopWords::En }
    }
}

impl TokenSettings {
    /// # Errors
    /// When no word can be kept.
    pub fn check(&self) -> Result<()> {
        let Self { min_length, max_length, .. } = *self;
        if min_length > max_length {
            return Err(IngestError::NoLength { min_length, max_length });
        }
        Ok(())
    }
}

/// A list of words that are dropped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StopWords {
    /// English function words.
    #[default]
    En,
    /// None are dropped.
    None,
}

impl StopWords {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::None => "none",
        }
    }

    fn words(self) -> HashSet<&'static str> {
        let text = match self {
            Self::En => ENGLISH,
            Self::None => "",
        };
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
    }
}

impl fmt::Display for StopWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for StopWords {
    type Err = IngestError;

    fn from_str(name: &str) -> Result<Self> {
        let found = [Self::En, Self::None].into_iter().find(|list| list.name() == name);
        found.ok_or_else(|| IngestError::UnknownStopWords(name.into()))
    }
}

/// Takes text apart into words.
#[derive(Debug)]
pub struct Tokenizer {
    settings: TokenSettings,
    stop_words: HashSet<&'static str>,
}

impl Tokenizer {
    /// A tokenizer of these settings.
    pub fn new(settings: &TokenSettings) -> Self {
        Self { settings: settings.clone(), stop_words: settings.stop_words.words() }
    }

    /// The distinct terms of `text` with their counts, in order of first appearance.
    pub fn count(&self, text: &str) -> Vec<(String, u32)> {
        count_each(self.kept(&normalise(text)))
    }

    /// The terms of `text`, one for each token.
    pub fn tokens(&self, text: &str) -> Vec<String> {
        self.kept(&normalise(text)).map(str::to_string).collect()
    }

    /// Calls `visit` with the term of each token of `text`, in their order.
    pub fn each_token(&self, text: &str, visit: impl FnMut(&str)) {
        self.kept(&normalise(text)).for_each(visit);
    }

    fn kept<'a>(&'a self, normalised: &'a str) -> impl Iterator<Item = &'a str> {
        normalised.unicode_words().filter(|word| self.keeps(word))
    }

    fn keeps(&self, word: &str) -> bool {
        // A word has at most as many characters as bytes, so most need no counting.
        let bytes = word.len();
        let length = if bytes < self.settings.min_length { bytes } else { word.chars().count() };
        (self.settings.min_length..=self.settings.max_length).contains(&length)
            && word.chars().any(char::is_alphabetic)
            && !self.stop_words.contains(word)
    }
}

/// NFKC and lower case, with the typographic apostrophe as the plain one.
fn normalise(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let composed: String = text.nfkc().map(|c| if c == '\u{2019}' { '\'' } else { c }).collect();
    // Lower case can decompose (İ), hence a second time.
    composed.to_lowercase().nfkc().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tokens(text: &str) -> String {
        Tokenizer::new(&TokenSettings::default()).tokens(text).join(" ")
    }

    #[test]
    fn words_are_normalised_and_chosen() {
        assert_eq!(tokens("The STATE, and its value-iteration!"), "state value iteration");
        assert_eq!(tokens("a ﬁne 2024 x2000 i.e. ok"), "fine x2000 i.e");
        assert_eq!(tokens("Don’t go; we can't. Café CAFE\u{301}"), "café café");
        assert_eq!(tokens("ΟΔΟΣ Straße İstanbul"), "οδος straße i\u{307}stanbul");
        assert_eq!(tokens(&"x".repeat(41)), "");
        assert_eq!(tokens(&"x".repeat(40)), "x".repeat(40));
    }

    #[test]
    fn length_and_stop_words_can_be_set() {
        let settings = TokenSettings { min_length: 1, max_length: 3, stop_words: StopWords::None };
        assert_eq!(Tokenizer::new(&settings).tokens("I am the king"), ["i", "am", "the"]);
        assert!(settings.check().is_ok());
        let none = TokenSettings { min_length: 4, ..settings };
        assert_eq!(
            none.check().expect_err("no length").to_string(),
            "words of at least 4 and at most 3 characters: there are none; raise --max-length or lower --min-length"
        );
    }

    #[test]
    fn the_stop_words_are_as_the_tokenizer_sees_words() {
        let words = StopWords::En.words();
        assert!((300..400).contains(&words.len()), "{}", words.len());
        assert_eq!(words.len(), ENGLISH.lines().filter(|line| !line.starts_with('#')).count());
        for word in words {
            assert_eq!(normalise(word).unicode_words().collect::<Vec<_>>(), [word]);
        }
    }

    proptest! {
        #[test]
        fn every_token_is_one_the_settings_allow(
            text in "(\\PC| ){0,80}", min_length in 1usize..5, more in 0usize..10,
        ) {
            let max_length = min_length + more;
            let settings = TokenSettings { min_length, max_length, stop_words: StopWords::En };
            let tokenizer = Tokenizer::new(&settings);
            for token in tokenizer.tokens(&text) {
                prop_assert!((min_length..=max_length).contains(&token.chars().count()));
                prop_assert!(token.chars().any(char::is_alphabetic));
                prop_assert!(!tokenizer.stop_words.contains(token.as_str()));
            }
        }

        #[test]
        fn counts_add_up_to_the_tokens(text in "([a-d]{3} ?){0,40}") {
            let tokenizer = Tokenizer::new(&TokenSettings::default());
            let tokens = tokenizer.tokens(&text);
            let counts = tokenizer.count(&text);
            prop_assert_eq!(counts.iter().map(|c| c.1 as usize).sum::<usize>(), tokens.len());
            for (term, count) in counts {
                prop_assert_eq!(tokens.iter().filter(|t| **t == term).count(), count as usize);
            }
        }

        #[test]
        fn tokens_of_tokens_are_the_same(text in "([A-Za-zÀ-ÿ0-9'.,-]| ){0,80}") {
            let once = tokens(&text);
            prop_assert_eq!(tokens(&once), once);
        }

        #[test]
        fn plain_text_is_treated_as_any_other(text in "[ -~]{0,60}") {
            let settings = TokenSettings { stop_words: StopWords::None, ..Default::default() };
            let tokenizer = Tokenizer::new(&settings);
            let mut with_more = tokenizer.tokens(&format!("{text} é"));
            with_more.retain(|token| token != "é");
            prop_assert_eq!(tokenizer.tokens(&text), with_more);
        }
    }
}
