//! From text to terms: Unicode normalisation (NFKC), lower case, splitting into words, fixed phrases, word map,
//! dropping, stemming, and n-grams.

pub mod cut;
pub mod dropped;
pub mod given;
pub mod language;
mod least_cost;
pub mod lexicon;
pub mod masks;
mod normal;
pub mod rewrites;
pub mod token_settings;
mod unspaced;
pub mod words_in_text;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use rust_stemmers::Stemmer;

use self::cut::{Cut, Cutter};
pub(crate) use self::normal::normalise;
use self::rewrites::Phrases;
use self::token_settings::{Case, Characters, TokenSettings};

/// Joins the words of an n-gram or fixed phrase.
const JOINT: char = '_';
const JOINT_TEXT: &str = "_";

type Words = HashSet<String, foldhash::fast::RandomState>;

/// Splits text into terms. Whether a word is dropped, and its term, depend on the word alone, so they can be
/// cached.
pub struct Tokenizer {
    settings: TokenSettings,
    cutter: Cutter,
    phrases: Phrases,
    map: HashMap<String, String, foldhash::fast::RandomState>,
    stop_words: Words,
    stemmer: Option<Stemmer>,
}

/// A word of a normalised text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word<'t> {
    /// The word; for a fixed phrase, its words joined.
    pub(crate) text: &'t str,
    /// First word in the text.
    first: &'t str,
    /// Last word in the text; equal to `first` unless this is a phrase.
    last: &'t str,
}

impl<'t> Word<'t> {
    fn new(word: &'t str) -> Self {
        Self { text: word, first: word, last: word }
    }

    /// The byte range of this word in `text`, which contains it.
    pub(crate) fn place(&self, text: &str) -> Range<usize> {
        let at = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        at(self.first)..at(self.last) + self.last.len()
    }
}

impl std::fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokenizer").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Tokenizer {
    /// A tokenizer with these settings.
    pub fn new(settings: &TokenSettings) -> Self {
        let lower = settings.case == Case::Lower;
        let forms = settings.map.iter().flat_map(|map| &map.forms);
        let mut tokenizer = Self {
            settings: settings.clone(),
            cutter: Cutter::new(&settings.cut),
            phrases: Phrases::default(),
            map: HashMap::default(),
            stop_words: settings
                .stop_words
                .words()
                .map(|word| settings.letters.unified(word, true).into_owned())
                .collect(),
            stemmer: settings.stem.algorithm().map(Stemmer::create),
        };
        tokenizer.map = forms
            .map(|(form, to)| [form, to].map(|word| tokenizer.normal_word(word, lower)))
            .map(|[form, to]| (form, to))
            .collect();
        for phrase in settings.join.iter().flat_map(|join| &join.phrases) {
            let normal = tokenizer.normalise(phrase);
            let mut words = Vec::new();
            tokenizer.each_single_word(&normal, |word| words.push(word.to_string()));
            tokenizer.phrases.add(words);
        }
        tokenizer
    }

    /// The terms of `text`, one per token: words in order, each followed by the n-grams that end with it,
    /// shorter ones first.
    pub fn tokens(&self, text: &str) -> Vec<String> {
        let normal = self.normalise(text);
        let mut tokens = Vec::new();
        let mut phrase = Phrase::default();
        self.words_of(&normal, |word| match self.term(word.text) {
            None => phrase.breaks(),
            Some(term) => {
                if self.settings.ngrams > 1 {
                    phrase.push(&term, self.settings.ngrams);
                }
                tokens.push(term.into_owned());
                tokens.extend((2..=phrase.len()).map(|n| phrase.last(n).to_string()));
            }
        });
        tokens
    }

    /// Calls `visit` with each term of [`Tokenizer::tokens`].
    pub fn each_token(&self, text: &str, mut visit: impl FnMut(&str)) {
        self.tokens(text).iter().for_each(|token| visit(token));
    }

    /// Normalises text for splitting into words.
    pub(crate) fn normalise(&self, text: &str) -> String {
        self.normal_word(&self.masked(text), self.settings.case == Case::Lower)
    }

    /// A normalised word, in small letters if `lower`.
    fn normal_word(&self, word: &str, lower: bool) -> String {
        let letters = &self.settings.letters;
        match letters.is_empty() {
            true => normalise(word, lower),
            // Composed first: letters and their signs can be written apart.
            false => normalise(&letters.unified(&normalise(word, false), lower), lower),
        }
    }

    /// The text with blanks in place of what is no word, at the same length.
    fn masked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        masks::masked(text, &self.settings.masks)
    }

    /// Maximum number of words of an n-gram.
    pub(crate) fn ngrams(&self) -> usize {
        self.settings.ngrams
    }

    /// Whether terms can consist of several words.
    pub(crate) fn joins_words(&self) -> bool {
        self.settings.ngrams > 1 || !self.phrases.is_empty()
    }

    /// Whether terms can differ from the words in texts.
    pub(crate) fn has_forms(&self) -> bool {
        self.stemmer.is_some()
    }

    /// Calls `visit` with all words of a normalised text, including dropped ones. A fixed phrase is one word.
    pub(crate) fn words_of<'t>(&'t self, normal: &'t str, mut visit: impl FnMut(Word<'t>)) {
        if self.phrases.is_empty() {
            return self.each_single_word(normal, |word| visit(Word::new(word)));
        }
        let mut words = Vec::new();
        self.each_single_word(normal, |word| words.push(Word::new(word)));
        let mut rest = &words[..];
        while let Some(first) = rest.first() {
            let joined = self.phrases.at_start_of(rest, normal);
            let length = joined.map_or(1, |(_, length)| length);
            let last = rest[length - 1].last;
            visit(joined.map_or(*first, |(text, _)| Word { text, first: first.first, last }));
            rest = &rest[length..];
        }
    }

    /// Calls `visit` with all words of a normalised text. The words of fixed phrases are separate.
    fn each_single_word<'t>(&self, normal: &'t str, mut visit: impl FnMut(&'t str)) {
        let elision = &self.settings.elision;
        self.cutter.words(
            normal,
            |word| self.is_stop_word(word),
            |word| visit(if elision.is_empty() { word } else { elision.without_article(word) }),
        );
    }

    /// The form and the term of a word; `None` if the word is dropped.
    pub(crate) fn form_and_term<'a>(&'a self, word: &'a str) -> Option<(&'a str, Cow<'a, str>)> {
        let form = self.mapped(word);
        self.keeps(form).then(|| (form, self.stemmed(form)))
    }

    /// The term of a word; `None` if the word is dropped.
    pub fn term<'a>(&'a self, word: &'a str) -> Option<Cow<'a, str>> {
        self.form_and_term(word).map(|(_, term)| term)
    }

    /// The word that `word` is mapped to.
    fn mapped<'a>(&'a self, word: &'a str) -> &'a str {
        if self.map.is_empty() {
            return word;
        }
        self.map.get(word).map_or(word, String::as_str)
    }

    fn stemmed<'a>(&self, word: &'a str) -> Cow<'a, str> {
        self.stemmer.as_ref().map_or(Cow::Borrowed(word), |stemmer| stemmer.stem(word))
    }

    fn keeps(&self, word: &str) -> bool {
        (self.has_length(word) || self.phrases.has(word))
            && self.has_characters(word)
            && !self.is_stop_word(word)
    }

    fn has_length(&self, word: &str) -> bool {
        let TokenSettings { min_length, max_length, .. } = self.settings;
        // A word has at most as many characters as bytes, so most need no counting.
        if word.len() < min_length.min(2) {
            return false;
        }
        let length = word.chars().count();
        let has_syllables =
            || self.settings.cut != Cut::Unicode && word.chars().any(unspaced::is_syllable);
        length <= max_length && (length >= min_length || (length >= 2 && has_syllables()))
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

    pub(crate) fn is_stop_word(&self, word: &str) -> bool {
        match self.settings.case {
            Case::Lower => self.stop_words.contains(word),
            Case::Keep => self.stop_words.contains(&self.normal_word(word, true)),
        }
    }
}

/// The last terms in a row, joined.
#[derive(Debug, Default)]
pub(crate) struct Phrase {
    joined: String,
    starts: Vec<usize>,
}

impl Phrase {
    /// Forgets all terms: a word was dropped here, and n-grams do not span it.
    pub(crate) fn breaks(&mut self) {
        self.joined.clear();
        self.starts.clear();
    }

    /// Adds a term and forgets those more than `most` terms back.
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

    /// Number of terms in the row.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The last `n` terms, joined.
    pub(crate) fn last(&self, n: usize) -> &str {
        let start = self.starts.len().checked_sub(n).and_then(|at| self.starts.get(at));
        start.map_or("", |&start| &self.joined[start..])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tokens::language::stop_words::StopWords;
    use crate::tokens::token_settings::Stem;

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
    fn words_of_two_syllables_are_kept_and_single_characters_are_dropped_by_default() {
        assert_eq!(tokens("我们的市场和经济"), "我们 市场 经济");
        assert_eq!(tokens("한국 서울은 나"), "한국 서울은");
        let one = TokenSettings { min_length: 1, ..TokenSettings::default() };
        assert_eq!(Tokenizer::new(&one).tokens("我们的市场").join(" "), "我们 的 市场");
        let zh = TokenSettings { stop_words: "zh".parse().expect("a list"), ..Default::default() };
        assert_eq!(Tokenizer::new(&zh).tokens("我们的市场和经济").join(" "), "市场 经济");
    }

    #[test]
    fn length_and_stop_words_can_be_set() {
        let settings = TokenSettings {
            min_length: 1,
            max_length: 3,
            stop_words: StopWords::none(),
            ..TokenSettings::default()
        };
        assert_eq!(Tokenizer::new(&settings).tokens("I am the king"), ["i", "am", "the"]);
        assert!(settings.check().is_ok());
        let none = TokenSettings { min_length: 4, ..settings.clone() };
        assert_eq!(
            none.check().expect_err("no length").to_string(),
            "words of at least 4 and at most 3 characters: there are none"
        );
    }

    #[test]
    fn numbers_capitals_and_stems_can_be_chosen() {
        let with =
            |settings: TokenSettings, text: &str| Tokenizer::new(&settings).tokens(text).join(" ");
        let usual = TokenSettings::default;
        let any = TokenSettings { characters: Characters::Any, ..usual() };
        assert_eq!(with(any, "In 2024 x2000 machines"), "2024 x2000 machines");
        let letters = TokenSettings { characters: Characters::Letters, ..usual() };
        assert_eq!(with(letters, "In 2024 x2000 machines"), "machines");
        let keep = TokenSettings { case: Case::Keep, ..usual() };
        assert_eq!(with(keep, "The Turkish turkey, THE end"), "Turkish turkey end");
        let stem = TokenSettings { stem: Stem::En, ..usual() };
        assert_eq!(with(stem, "running runners run"), "run runner run");
        let german = TokenSettings { stem: Stem::De, ..usual() };
        assert_eq!(with(german, "Häuser"), "haus");
    }

    #[test]
    fn ngrams_join_adjacent_words_and_do_not_span_dropped_ones() {
        let settings = TokenSettings { ngrams: 3, ..TokenSettings::default() };
        let tokens = Tokenizer::new(&settings).tokens("New York state of mind works");
        let expected = "new york new_york state york_state new_york_state mind works mind_works";
        assert_eq!(tokens.join(" "), expected);
        let five = "one1 two2 three3 four4 five5";
        let four = TokenSettings { ngrams: 4, ..TokenSettings::default() };
        assert_eq!(Tokenizer::new(&four).tokens(five).len(), 5 + 4 + 3 + 2);
        assert!(TokenSettings { ngrams: 6, ..TokenSettings::default() }.check().is_err());
    }

    proptest! {
        #[test]
        fn every_token_is_one_the_settings_allow(
            text in "(\\PC| ){0,80}", min_length in 1usize..5, more in 0usize..10,
        ) {
            let max_length = min_length + more;
            let settings = TokenSettings { min_length, max_length, ..TokenSettings::default() };
            let tokenizer = Tokenizer::new(&settings);
            for token in tokenizer.tokens(&text) {
                let least = match token.chars().any(unspaced::is_syllable) {
                    true => min_length.min(2),
                    false => min_length,
                };
                prop_assert!((least..=max_length).contains(&token.chars().count()));
                prop_assert!(token.chars().any(char::is_alphabetic));
                prop_assert!(!tokenizer.stop_words.contains(token.as_str()));
            }
        }

        #[test]
        fn tokens_of_tokens_are_the_same(text in "([A-Za-zÀ-ÿ0-9'.,-]| ){0,80}") {
            let once = tokens(&text);
            prop_assert_eq!(tokens(&once), once);
        }

        #[test]
        fn plain_text_is_treated_as_any_other(text in "[ -~]{0,60}") {
            let settings = TokenSettings { stop_words: StopWords::none(), ..Default::default() };
            let tokenizer = Tokenizer::new(&settings);
            let mut with_more = tokenizer.tokens(&format!("{text} é"));
            with_more.retain(|token| token != "é");
            prop_assert_eq!(tokenizer.tokens(&text), with_more);
        }
    }
}
