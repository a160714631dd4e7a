//! Text to terms: Unicode normalisation (NFKC), lower case, Unicode word boundaries (UAX 29), a
//! choice of the words that are kept, stems, and n-grams.

pub(crate) mod lexicon;
pub mod stop_words;
pub mod token_settings;

use std::borrow::Cow;
use std::collections::HashSet;

use rust_stemmers::Stemmer;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use self::token_settings::{Case, Characters, TokenSettings};

/// Between the words of an n-gram.
const JOINT: char = '_';

/// Takes text apart into terms. What it drops and what becomes of a word depend on the word
/// alone, so a word that was seen needs no second look.
pub struct Tokenizer {
    settings: TokenSettings,
    stop_words: HashSet<String, foldhash::fast::RandomState>,
    stemmer: Option<Stemmer>,
}

impl std::fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokenizer").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Tokenizer {
    /// A tokenizer of these settings.
    pub fn new(settings: &TokenSettings) -> Self {
        Self {
            settings: settings.clone(),
            stop_words: settings.stop_words.words().map(String::from).collect(),
            stemmer: settings.stem.algorithm().map(Stemmer::create),
        }
    }

    /// The terms of `text`, one for each token: the words in their order, each followed by the
    /// n-grams that end with it, shorter ones first.
    pub fn tokens(&self, text: &str) -> Vec<String> {
        let normal = self.normalise(text);
        let mut tokens = Vec::new();
        let mut phrase = Phrase::default();
        for word in normal.unicode_words() {
            match self.term(word) {
                None => phrase.breaks(),
                Some(term) => {
                    if self.settings.ngrams > 1 {
                        phrase.push(&term, self.settings.ngrams);
                    }
                    tokens.push(term.into_owned());
                    tokens.extend((2..=phrase.len()).map(|n| phrase.last(n).to_string()));
                }
            }
        }
        tokens
    }

    /// Calls `visit` with each of the terms of [`Tokenizer::tokens`].
    pub fn each_token(&self, text: &str, mut visit: impl FnMut(&str)) {
        self.tokens(text).iter().for_each(|token| visit(token));
    }

    /// The text as its words are looked for.
    pub(crate) fn normalise(&self, text: &str) -> String {
        normalise(text, self.settings.case == Case::Lower)
    }

    /// How many words the longest n-grams have.
    pub(crate) fn ngrams(&self) -> usize {
        self.settings.ngrams
    }

    /// The term of a word; `None` if the word is dropped.
    pub(crate) fn term<'a>(&self, word: &'a str) -> Option<Cow<'a, str>> {
        if !self.keeps(word) {
            return None;
        }
        Some(match &self.stemmer {
            Some(stemmer) => stemmer.stem(word),
            None => Cow::Borrowed(word),
        })
    }

    fn keeps(&self, word: &str) -> bool {
        // A word has at most as many characters as bytes, so most need no counting.
        let bytes = word.len();
        let length = if bytes < self.settings.min_length { bytes } else { word.chars().count() };
        (self.settings.min_length..=self.settings.max_length).contains(&length)
            && self.has_characters(word)
            && !self.is_stop_word(word)
    }

    fn has_characters(&self, word: &str) -> bool {
        match self.settings.characters {
            Characters::Letter => word.chars().any(char::is_alphabetic),
            Characters::Letters => {
                word.chars().any(char::is_alphabetic) && !word.chars().any(char::is_numeric)
            }
            Characters::Any => true,
        }
    }

    fn is_stop_word(&self, word: &str) -> bool {
        match self.settings.case {
            Case::Lower => self.stop_words.contains(word),
            Case::Keep => self.stop_words.contains(&normalise(word, true)),
        }
    }
}

/// The terms that stand together before a place in a text, joined.
#[derive(Debug, Default)]
pub(crate) struct Phrase {
    joined: String,
    starts: Vec<usize>,
}

impl Phrase {
    /// A word was dropped here: nothing stands together across it.
    pub(crate) fn breaks(&mut self) {
        self.joined.clear();
        self.starts.clear();
    }

    /// Adds a term, and forgets those that are more than `most` back.
    pub(crate) fn push(&mut self, term: &str, most: usize) {
        if self.starts.len() == most {
            let gone = self.starts.get(1).copied().unwrap_or(0);
            self.joined.drain(..gone);
            self.starts.remove(0);
            self.starts.iter_mut().for_each(|start| *start -= gone);
        }
        if !self.joined.is_empty() {
            self.joined.push(JOINT);
        }
        self.starts.push(self.joined.len());
        self.joined.push_str(term);
    }

    /// How many terms stand together.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The last `n` of them, joined.
    pub(crate) fn last(&self, n: usize) -> &str {
        let start = self.starts.len().checked_sub(n).and_then(|at| self.starts.get(at));
        start.map_or("", |&start| &self.joined[start..])
    }
}

/// NFKC, with the typographic apostrophe as the plain one, and lower case if wanted.
pub(crate) fn normalise(text: &str, lower: bool) -> String {
    if text.is_ascii() {
        return if lower { text.to_ascii_lowercase() } else { text.to_string() };
    }
    let composed: String = text.nfkc().map(|c| if c == '\u{2019}' { '\'' } else { c }).collect();
    // Lower case can decompose (İ), hence a second time.
    if lower { composed.to_lowercase().nfkc().collect() } else { composed }
}

#[cfg(test)]
#[path = "test_tokens.rs"]
mod tests;
