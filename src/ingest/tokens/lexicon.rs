//! Words that were seen before and the positions of their terms, shared by all threads: most
//! words of a document need one look-up and nothing else.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{RwLock, RwLockReadGuard};

use unicode_segmentation::UnicodeSegmentation;

use crate::ingest::tokens::{Phrase, Tokenizer};

type Positions = HashMap<Box<str>, u32, foldhash::fast::RandomState>;

/// A term of a document whose position was not known when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewTerm {
    /// The word it stands for in text.
    pub(crate) surface: Option<Box<str>>,
    pub(crate) term: String,
    /// How often the document has it.
    pub(crate) count: u32,
}

/// Word, as it stands in normalised text, to the position of its term. With stems, several words
/// share a position. Grows with the vocabulary, not with the text.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    positions: RwLock<Positions>,
}

/// The lexicon as it is for the length of a batch.
pub(crate) struct Known<'l>(RwLockReadGuard<'l, Positions>);

impl Lexicon {
    /// Locks the lexicon for reading.
    pub(crate) fn read(&self) -> Known<'_> {
        Known(self.positions.read().unwrap_or_else(|e| e.into_inner()))
    }

    /// Adds words.
    pub(crate) fn learn(&self, words: impl Iterator<Item = (Box<str>, u32)>) {
        let mut positions = self.positions.write().unwrap_or_else(|e| e.into_inner());
        positions.extend(words);
    }
}

impl Known<'_> {
    /// The terms of a text with their counts: those of known position, sorted by it, and the
    /// others in order of first appearance.
    pub(crate) fn count(
        &self,
        tokenizer: &Tokenizer,
        text: &str,
    ) -> (Vec<(u32, u32)>, Vec<NewTerm>) {
        let normal = tokenizer.normalise(text);
        let mut found = Found { known: self, positions: Vec::new(), new: Vec::new() };
        if tokenizer.ngrams() > 1 {
            found.words_and_ngrams(tokenizer, &normal);
        } else {
            found.words(tokenizer, &normal);
        }
        let positions = std::mem::take(&mut found.positions);
        (run_lengths(positions), found.new_terms())
    }
}

/// The tokens of one text.
struct Found<'k, 't> {
    known: &'k Known<'k>,
    positions: Vec<u32>,
    new: Vec<(Cow<'t, str>, String)>,
}

impl<'t> Found<'_, 't> {
    fn words(&mut self, tokenizer: &Tokenizer, normal: &'t str) {
        for word in normal.unicode_words() {
            if let Some(&position) = self.known.0.get(word) {
                self.positions.push(position);
            } else if let Some(term) = tokenizer.term(word) {
                self.new.push((word.into(), term.into_owned()));
            }
        }
    }

    fn words_and_ngrams(&mut self, tokenizer: &Tokenizer, normal: &'t str) {
        let mut phrase = Phrase::default();
        for word in normal.unicode_words() {
            let Some(term) = tokenizer.term(word) else {
                phrase.breaks();
                continue;
            };
            phrase.push(&term, tokenizer.ngrams());
            match self.known.0.get(word) {
                Some(&position) => self.positions.push(position),
                None => self.new.push((word.into(), term.into_owned())),
            }
            for n in 2..=phrase.len() {
                let joined = phrase.last(n);
                match self.known.0.get(joined) {
                    Some(&position) => self.positions.push(position),
                    None => self.new.push((joined.to_string().into(), joined.to_string())),
                }
            }
        }
    }

    fn new_terms(self) -> Vec<NewTerm> {
        let mut indices: HashMap<Cow<'_, str>, usize, foldhash::fast::RandomState> =
            HashMap::default();
        let mut terms: Vec<NewTerm> = Vec::new();
        for (surface, term) in self.new {
            match indices.get(&surface) {
                Some(&index) => terms[index].count = terms[index].count.saturating_add(1),
                None => {
                    let kept: Box<str> = surface.as_ref().into();
                    indices.insert(surface, terms.len());
                    terms.push(NewTerm { surface: Some(kept), term, count: 1 });
                }
            }
        }
        terms
    }
}

/// Each distinct position with its number of occurrences, ascending.
fn run_lengths(mut positions: Vec<u32>) -> Vec<(u32, u32)> {
    positions.sort_unstable();
    let mut entries: Vec<(u32, u32)> = Vec::with_capacity(positions.len());
    for position in positions {
        match entries.last_mut() {
            Some(last) if last.0 == position => last.1 += 1,
            _ => entries.push((position, 1)),
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::ingest::tokens::token_settings::{Stem, TokenSettings};

    proptest! {
        #[test]
        fn counts_are_those_of_the_tokens_whatever_is_known(
            text in "([a-c]{3}|the|running|runs|[A-C]{3}|é{3}|[ .'])([ ,]|){0,2}([a-c]{3} ?){0,30}",
            learnt in "([a-c]{3} ){0,10}", ngrams in 1usize..4,
        ) {
            let settings = TokenSettings { ngrams, stem: Stem::En, ..TokenSettings::default() };
            let tokenizer = Tokenizer::new(&settings);
            let lexicon = Lexicon::default();
            let mut terms: Vec<String> = Vec::new();
            for word in learnt.split_whitespace() {
                let term = tokenizer.term(word).expect("kept").into_owned();
                let known = terms.iter().position(|t| *t == term);
                let position = known.unwrap_or(terms.len());
                if known.is_none() {
                    terms.push(term);
                }
                lexicon.learn([(word.into(), position as u32)].into_iter());
            }
            let (entries, new) = lexicon.read().count(&tokenizer, &text);
            let mut counts: BTreeMap<String, u32> = BTreeMap::new();
            for (position, count) in entries {
                *counts.entry(terms[position as usize].clone()).or_default() += count;
            }
            for term in new {
                *counts.entry(term.term).or_default() += term.count;
            }
            let mut expected: BTreeMap<String, u32> = BTreeMap::new();
            for token in tokenizer.tokens(&text) {
                *expected.entry(token).or_default() += 1;
            }
            prop_assert_eq!(counts, expected);
        }
    }
}
