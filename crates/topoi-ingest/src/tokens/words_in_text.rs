//! All words of a text with their places in it, as the full-text index has them.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::{JOINT, JOINT_TEXT, Phrase, Tokenizer, Word};

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedWord {
    /// The bytes of the text that it stands for; words share those of a letter that is in both once it is normalised.
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
            words.push(PlacedWord { place, word: self.stemmed(self.mapped(word)).into_owned() });
        });
        words
    }

    /// The terms of [`Tokenizer::tokens`] with their places.
    pub fn placed_terms(&self, text: &str) -> Vec<PlacedTerm> {
        let (mut terms, mut phrase, mut starts) = (Vec::new(), Phrase::default(), Vec::new());
        let normal = Placed::new(self, text);
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

    /// `text` in pieces that together are the text: a word with its terms (a fixed phrase is one, of n-grams
    /// none are here), or what lies between words, without any.
    pub fn pieces<'t>(&self, text: &'t str) -> Vec<(&'t str, Vec<String>)> {
        let normal = Placed::new(self, text);
        let mut placed = Vec::new();
        self.words_of(&normal.text, |word| {
            if let Some(term) = self.term(word.text) {
                let place = normal.place(word.place(&normal.text), text);
                placed.push(PlacedTerm { place, term: term.into_owned() });
            }
        });
        pieces(text, placed)
    }

    /// The terms that can be shown as `form`: itself, and its stem or the stems of its words.
    pub fn terms_shown_as(&self, form: &str) -> Vec<String> {
        let mut terms = vec![form.to_string()];
        if self.has_forms() {
            let stems: Vec<_> = form.split(JOINT).map(|word| self.stemmed(word)).collect();
            terms.extend([self.stemmed(form).into_owned(), stems.join(JOINT_TEXT)]);
        }
        terms
    }

    /// Calls `visit` with every word, normalised and not stemmed; fixed phrases are taken apart.
    fn each_word(&self, text: &str, mut visit: impl FnMut(Range<usize>, &str)) {
        let normal = Placed::new(self, text);
        self.words_apart(&normal.text, |word| {
            visit(normal.place(Word::of(word).place(&normal.text), text), word);
        });
    }

    /// Calls `visit` with each of [`Tokenizer::words`].
    pub fn visit_words(&self, text: &str, visit: &mut dyn FnMut(&str)) {
        let normal = self.normalise(text);
        self.words_apart(&normal, |word| visit(&self.stemmed(self.mapped(word))));
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
}

/// `text` in pieces by the places of its terms, ascending.
pub fn pieces(text: &str, placed: Vec<PlacedTerm>) -> Vec<(&str, Vec<String>)> {
    let (mut pieces, mut end): (Vec<(&str, Vec<String>)>, usize) = (Vec::new(), 0);
    for PlacedTerm { place, term } in placed {
        if place.start > end {
            pieces.push((&text[end..place.start], Vec::new()));
        }
        match pieces.last_mut().filter(|_| place.start < end) {
            // One word of the text can be several once it is normalised.
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

/// A text normalised part by part, so that places in it can be told in the text.
struct Placed {
    text: String,
    /// Where parts begin in the normalised text and in the text, ascending. None where both are of one length
    /// letter for letter.
    starts: Vec<(usize, usize)>,
}

impl Placed {
    fn new(tokenizer: &Tokenizer, text: &str) -> Self {
        if text.is_ascii() {
            return Self { text: tokenizer.normalise(text), starts: Vec::new() };
        }
        let mut placed = Self { text: String::with_capacity(text.len()), starts: Vec::new() };
        for (start, part) in text.split_word_bound_indices() {
            placed.starts.push((placed.text.len(), start));
            placed.text.push_str(&tokenizer.normalise(part));
        }
        placed.starts.push((placed.text.len(), text.len()));
        placed
    }

    /// The bytes of `of`, the text, that some of the normalised text stand for: whole parts where they have other
    /// lengths.
    fn place(&self, normal: Range<usize>, of: &str) -> Range<usize> {
        if self.starts.is_empty() {
            return normal;
        }
        let part = |at: usize| {
            let next = self.starts.partition_point(|&(start, _)| start <= at);
            let ends = self.starts.get(next).or(self.starts.last()).copied();
            (self.starts[next.saturating_sub(1)], ends.unwrap_or((self.text.len(), of.len())))
        };
        // Within a part that has kept its length, letters are taken to stand where they stood.
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
    use crate::tokens::stop_words::StopWords;
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
                // A letter that normalises to several, such as ㏞, can end a word and be the next.
                let follows = place.start >= before.start && place.end >= before.end;
                prop_assert!(follows, "{:?} {:?}", before, place);
                before = place;
            }
            let pieces: String = tokenizer.pieces(&text).into_iter().map(|(piece, _)| piece).collect();
            prop_assert_eq!(pieces, text);
        }
    }
}
