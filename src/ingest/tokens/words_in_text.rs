//! All words of a text with their places in it, as the full-text index has them.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::{Phrase, Tokenizer};

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedWord {
    /// The bytes of the text that it stands for.
    pub place: Range<usize>,
    /// Normalised, in lower case and stemmed as the corpus's terms are. Unlike these, stop words, short
    /// words and numbers are words too: phrases have them.
    pub word: String,
}

/// A term of a corpus at a place of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedTerm {
    /// The bytes of the text, of an n-gram from its first word to its last.
    pub place: Range<usize>,
    /// The word or n-gram as the corpus has it.
    pub term: String,
}

impl Tokenizer {
    /// All words of `text` in their order.
    ///
    /// The text is cut into words first and these are normalised then, so that the places are known;
    /// terms are made the other way round, which differs in letters alone that normalisation takes
    /// apart into several words.
    pub fn words(&self, text: &str) -> Vec<PlacedWord> {
        let mut words = Vec::new();
        self.each_word(text, |place, word| {
            words.push(PlacedWord { place, word: self.stemmed(word).into_owned() });
        });
        words
    }

    /// The terms of [`Tokenizer::tokens`] with their places.
    pub fn placed_terms(&self, text: &str) -> Vec<PlacedTerm> {
        let (mut terms, mut phrase, mut starts) = (Vec::new(), Phrase::default(), Vec::new());
        self.each_word(text, |place, word| {
            let Some(term) = self.term(word) else {
                phrase.breaks();
                return;
            };
            phrase.push(&term, self.settings.ngrams);
            starts.push(place.start);
            terms.push(PlacedTerm { place: place.clone(), term: term.into_owned() });
            for n in 2..=phrase.len() {
                let start = starts[starts.len() - n];
                let term = phrase.last(n).to_string();
                terms.push(PlacedTerm { place: start..place.end, term });
            }
        });
        terms
    }

    /// Calls `visit` with every word, normalised and not stemmed.
    fn each_word(&self, text: &str, mut visit: impl FnMut(Range<usize>, &str)) {
        for (start, part) in text.split_word_bound_indices() {
            // Blanks and punctuation, most often.
            if part.len() == 1 && !part.as_bytes()[0].is_ascii_alphanumeric() {
                continue;
            }
            let normal = self.normalise(part);
            for word in normal.unicode_words() {
                visit(start..start + part.len(), word);
            }
        }
    }

    /// Calls `visit` with each of [`Tokenizer::words`].
    pub fn visit_words(&self, text: &str, visit: &mut dyn FnMut(&str)) {
        self.each_word(text, |_, word| visit(&self.stemmed(word)));
    }

    /// The words of what was typed, where one is looked for: as those of texts.
    pub fn plain_words(&self, text: &str) -> Vec<String> {
        self.words(text).into_iter().map(|placed| placed.word).collect()
    }

    /// The beginning of a word as it was typed: as words of texts, but whole, without its ending taken
    /// off.
    pub fn unstemmed_words(&self, text: &str) -> Vec<String> {
        let mut words = Vec::new();
        self.each_word(text, |_, word| words.push(word.to_string()));
        words
    }

    fn stemmed<'a>(&self, word: &'a str) -> Cow<'a, str> {
        self.stemmer.as_ref().map_or(Cow::Borrowed(word), |stemmer| stemmer.stem(word))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ingest::tokens::stop_words::StopWords;
    use crate::ingest::tokens::token_settings::{Case, Stem, TokenSettings};

    #[test]
    fn every_word_has_its_place_in_the_text() {
        let text = "The CAFE\u{301}s of 2024: don’t ﬁx 市场";
        let words = Tokenizer::new(&TokenSettings::default()).words(text);
        let shown: Vec<(&str, &str)> =
            words.iter().map(|word| (&text[word.place.clone()], &*word.word)).collect();
        let expected = [
            ("The", "the"),
            ("CAFE\u{301}s", "cafés"),
            ("of", "of"),
            ("2024", "2024"),
            ("don’t", "don't"),
            ("ﬁx", "fix"),
            ("市", "市"),
            ("场", "场"),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn an_ngram_stands_from_its_first_word_to_its_last() {
        let settings = TokenSettings { ngrams: 2, ..TokenSettings::default() };
        let text = "New York, the new  state";
        let terms = Tokenizer::new(&settings).placed_terms(text);
        let shown: Vec<(&str, &str)> =
            terms.iter().map(|term| (&text[term.place.clone()], &*term.term)).collect();
        let expected = [
            ("New", "new"),
            ("York", "york"),
            ("New York", "new_york"),
            ("new", "new"),
            ("state", "state"),
            ("new  state", "new_state"),
        ];
        assert_eq!(shown, expected);
    }

    proptest! {
        #[test]
        fn placed_terms_are_the_tokens(
            text in "([A-Za-zÀ-ÿ0-9'.,:_市场ß-]| |\n){0,80}",
            ngrams in 1_usize..4, keep in any::<bool>(), stem in any::<bool>(),
        ) {
            let settings = TokenSettings {
                ngrams,
                case: if keep { Case::Keep } else { Case::Lower },
                stem: if stem { Stem::En } else { Stem::None },
                min_length: 1,
                stop_words: StopWords::none(),
                ..TokenSettings::default()
            };
            let tokenizer = Tokenizer::new(&settings);
            let placed = tokenizer.placed_terms(&text).into_iter().map(|placed| placed.term);
            prop_assert_eq!(placed.collect::<Vec<_>>(), tokenizer.tokens(&text));
        }
    }
}
