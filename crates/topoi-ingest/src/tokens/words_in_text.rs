//! All words of a text with their positions, as in the full-text index.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::{JOINT, JOINT_TEXT, Phrase, Tokenizer, Word};

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedWord {
    /// Its byte range in the text. Two words can share a letter that normalisation splits.
    pub place: Range<usize>,
    /// The word, normalised, lower-cased and stemmed as the corpus's terms are. Unlike terms, these include
    /// stop words, short words and numbers, which phrases can contain.
    pub word: String,
}

/// A term of a corpus at a position in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedTerm {
    /// Its byte range in the text; for an n-gram, from its first word to its last.
    pub place: Range<usize>,
    /// The word or n-gram, as in the corpus.
    pub term: String,
}

impl Tokenizer {
    /// All words of `text` in order.
    ///
    /// The text is split into words before they are normalised, so that positions are known. Terms are made in
    /// the opposite order, which differs only for characters that normalisation splits into several words.
    pub fn words(&self, text: &str) -> Vec<PlacedWord> {
        let mut words = Vec::new();
        self.each_word(text, |place, word| {
            words.push(PlacedWord { place, word: self.listed(word).into_owned() });
        });
        words
    }

    /// The terms of [`Tokenizer::tokens`] with their positions.
    pub fn placed_terms(&self, text: &str) -> Vec<PlacedTerm> {
        let (mut terms, mut phrase, mut starts) = (Vec::new(), Phrase::default(), Vec::new());
        let normal = NormalisedText::new(self, text);
        self.words_of(&normal.text, |word| {
            let place = normal.place(word.place(&normal.text), text);
            let Some(term) = self.term(word.text) else {
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

    /// `text` as consecutive pieces: words with their terms, and the text between words without terms. A fixed
    /// phrase is one word; n-grams are not included.
    pub fn pieces<'t>(&self, text: &'t str) -> Vec<(&'t str, Vec<String>)> {
        let normal = NormalisedText::new(self, text);
        let mut placed = Vec::new();
        self.words_of(&normal.text, |word| {
            if let Some(term) = self.term(word.text) {
                let place = normal.place(word.place(&normal.text), text);
                placed.push(PlacedTerm { place, term: term.into_owned() });
            }
        });
        pieces(text, placed)
    }

    /// The terms that can be displayed as `form`: the form itself, its stem, or the stems of its words.
    pub fn terms_shown_as(&self, form: &str) -> Vec<String> {
        let mut terms = vec![form.to_string()];
        if self.has_forms() {
            let stems: Vec<_> = form.split(JOINT).map(|word| self.stemmed(word)).collect();
            terms.extend([self.stemmed(form).into_owned(), stems.join(JOINT_TEXT)]);
        }
        terms
    }

    /// Calls `visit` with every word, normalised but not stemmed. The words of fixed phrases are separate.
    fn each_word(&self, text: &str, mut visit: impl FnMut(Range<usize>, &str)) {
        let normal = NormalisedText::new(self, text);
        self.each_single_word(&normal.text, |word| {
            visit(normal.place(Word::new(word).place(&normal.text), text), word);
        });
    }

    /// Calls `visit` with each word of [`Tokenizer::words`].
    pub fn visit_words(&self, text: &str, visit: &mut dyn FnMut(&str)) {
        let normal = self.normalise(text);
        self.each_single_word(&normal, |word| visit(&self.listed(word)));
    }

    /// A normalised word as in [`Tokenizer::words`].
    pub(crate) fn listed<'a>(&'a self, word: &'a str) -> Cow<'a, str> {
        self.stemmed(self.mapped(word))
    }

    /// The words of a query term, as words of texts are made.
    pub fn plain_words(&self, text: &str) -> Vec<String> {
        self.words(text).into_iter().map(|placed| placed.word).collect()
    }

    /// The words of a prefix query, normalised but not stemmed.
    pub fn unstemmed_words(&self, text: &str) -> Vec<String> {
        let mut words = Vec::new();
        self.each_word(text, |_, word| words.push(word.to_string()));
        words
    }
}

/// Splits `text` into pieces at its terms, which are sorted by position.
pub fn pieces(text: &str, placed: Vec<PlacedTerm>) -> Vec<(&str, Vec<String>)> {
    let (mut pieces, mut end): (Vec<(&str, Vec<String>)>, usize) = (Vec::new(), 0);
    for PlacedTerm { place, term } in placed {
        if place.start > end {
            pieces.push((&text[end..place.start], Vec::new()));
        }
        match pieces.last_mut().filter(|_| place.start < end) {
            // One word of the text can become several by normalisation.
            Some((_, terms)) => terms.push(term),
            None => {
                pieces.push((&text[place.clone()], vec![term]));
                end = place.end;
            }
        }
    }
    if end < text.len() {
        pieces.push((&text[end..], Vec::new()));
    }
    pieces
}

/// A text that was normalised in parts, so that positions in it can be mapped to the original text.
struct NormalisedText {
    text: String,
    /// (start of a part in the normalised text, start in the original), ascending. Empty if both have the same
    /// length, letter by letter.
    starts: Vec<(usize, usize)>,
}

impl NormalisedText {
    fn new(tokenizer: &Tokenizer, text: &str) -> Self {
        if text.is_ascii() && tokenizer.settings.letters.is_empty() {
            return Self { text: tokenizer.normalise(text), starts: Vec::new() };
        }
        let mut placed = Self { text: String::with_capacity(text.len()), starts: Vec::new() };
        let text = tokenizer.masked(text);
        for (start, part) in text.split_word_bound_indices() {
            placed.starts.push((placed.text.len(), start));
            placed.text.push_str(&tokenizer.normalise(part));
        }
        placed.starts.push((placed.text.len(), text.len()));
        placed
    }

    /// Maps a byte range of the normalised text to the original text `of`: whole parts if lengths differ.
    fn place(&self, normal: Range<usize>, of: &str) -> Range<usize> {
        if self.starts.is_empty() {
            return normal;
        }
        let part = |at: usize| {
            let next = self.starts.partition_point(|&(start, _)| start <= at);
            let ends = self.starts.get(next).or(self.starts.last()).copied();
            (self.starts[next.saturating_sub(1)], ends.unwrap_or((self.text.len(), of.len())))
        };
        // Within a part of unchanged length, letters are assumed to have kept their positions.
        let exact = |at: usize, ((normal, start), (normal_end, end)): ((_, _), (usize, usize))| {
            (normal_end - normal == end - start).then_some(start + (at - normal))
        };
        let (first, last) = (part(normal.start), part(normal.end.saturating_sub(1)));
        let start = exact(normal.start, first).map_or(first.0.1, |at| of.floor_char_boundary(at));
        start..exact(normal.end, last).map_or(last.1.1, |at| of.ceil_char_boundary(at))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tokens::cut::Cut;
    use crate::tokens::language::stop_words::StopWords;
    use crate::tokens::token_settings::{Case, Stem, TokenSettings};

    #[test]
    fn every_word_has_its_place_in_the_text() {
        let text = "The CAFE\u{301}s of 2024: don’t ﬁx 市场经济";
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
            ("市场", "市场"),
            ("经济", "经济"),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn an_ngram_extends_from_its_first_word_to_its_last() {
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
            ngrams in 1_usize..4, keep in any::<bool>(), stem in any::<bool>(), cut in 0_usize..4,
        ) {
            let pattern = || Cut::Pattern("[^ .,]+".parse().expect("a pattern"));
            let settings = TokenSettings {
                ngrams,
                case: if keep { Case::Keep } else { Case::Lower },
                stem: if stem { Stem::En } else { Stem::None },
                min_length: 1,
                stop_words: StopWords::none(),
                cut: Cut::NAMES.get(cut).map_or_else(pattern, |name| name.parse().expect("a name")),
                ..TokenSettings::default()
            };
            let tokenizer = Tokenizer::new(&settings);
            let placed = tokenizer.placed_terms(&text).into_iter().map(|placed| placed.term);
            prop_assert_eq!(placed.collect::<Vec<_>>(), tokenizer.tokens(&text));
        }

        #[test]
        fn places_are_in_the_text_in_order_and_pieces_are_the_text(text in "(\\PC|[ \n我们学习ﬁｶﾞ_']){0,60}") {
            let tokenizer = Tokenizer::new(&TokenSettings { min_length: 1, ..Default::default() });
            let mut before = 0..0;
            for PlacedWord { place, .. } in tokenizer.words(&text) {
                prop_assert!(text.get(place.clone()).is_some());
                // A character that normalises to several, such as ㏞, can end one word and be the next.
                let follows = place.start >= before.start && place.end >= before.end;
                prop_assert!(follows, "{:?} {:?}", before, place);
                before = place;
            }
            let pieces: String = tokenizer.pieces(&text).into_iter().map(|(piece, _)| piece).collect();
            prop_assert_eq!(pieces, text);
        }
    }
}
