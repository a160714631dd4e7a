//! Words that were seen before and the positions of their terms, shared by all threads: most
//! words of a document need one look-up and nothing else.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{RwLock, RwLockReadGuard};

use crate::tokens::dropped::{DropRule, DroppedWords};
use crate::tokens::{Phrase, Tokenizer};

/// What is known of a word that was seen before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    /// The position of its term.
    pub(crate) position: u32,
    /// The number of its form, where terms are written otherwise than the words they are made of.
    pub(crate) form: Option<NonZeroU32>,
}

/// A word as it stands in normalised text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Surface {
    pub(crate) text: Box<str>,
    /// Whether it is of several words: a word can be written as an n-gram is joined.
    pub(crate) is_ngram: bool,
}

/// A term of a document whose position was not known when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewTerm {
    /// The word it stands for in text.
    pub(crate) surface: Option<Surface>,
    /// The word before it was stemmed, where words are.
    pub(crate) form: Option<Box<str>>,
    pub(crate) term: String,
    /// How often the document has it.
    pub(crate) count: u32,
}

/// The terms of a text with their counts.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    /// Those of known position, sorted by it.
    pub(crate) entries: Vec<(u32, u32)>,
    /// Forms of known words by number, with their counts.
    pub(crate) forms: Vec<(u32, u32)>,
    /// The others in order of first appearance.
    pub(crate) new: Vec<NewTerm>,
    /// The words that are no terms.
    pub(crate) dropped: DroppedWords,
}

/// What becomes of a word.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Kept(Seen),
    Dropped(DropRule),
}

type Map<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// Words that were seen, and n-grams. With stems, several words share a position. Grows with the vocabulary, not
/// with the text.
#[derive(Debug, Default)]
struct Vocabulary {
    words: Map<Box<str>, Fate>,
    ngrams: Map<Box<str>, Seen>,
}

/// Word, as it stands in normalised text, to its term.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    seen: RwLock<Vocabulary>,
}

/// The lexicon as it is for the length of a batch.
pub(crate) struct Known<'l>(RwLockReadGuard<'l, Vocabulary>);

impl Lexicon {
    /// Knows, to begin with, what is dropped most: the stop words.
    pub(crate) fn of(tokenizer: &Tokenizer) -> Self {
        let dropped = tokenizer.stop_words.iter().filter(|word| tokenizer.term(word).is_none());
        let words = dropped
            .map(|word| (word.as_str().into(), Fate::Dropped(tokenizer.drop_rule(word))))
            .collect();
        Self { seen: RwLock::new(Vocabulary { words, ngrams: Map::default() }) }
    }

    /// Locks the lexicon for reading.
    pub(crate) fn read(&self) -> Known<'_> {
        Known(self.seen.read().unwrap_or_else(|e| e.into_inner()))
    }

    /// Adds words.
    pub(crate) fn learn(&self, words: impl Iterator<Item = (Surface, Seen)>) {
        let mut known = self.seen.write().unwrap_or_else(|e| e.into_inner());
        for (Surface { text, is_ngram }, seen) in words {
            if is_ngram {
                known.ngrams.insert(text, seen);
            } else {
                known.words.insert(text, Fate::Kept(seen));
            }
        }
    }
}

impl Known<'_> {
    /// The terms of a text with their counts.
    pub(crate) fn count(&self, tokenizer: &Tokenizer, text: &str) -> Counted {
        let normal = tokenizer.normalise(text);
        let mut found = Found::of(&self.0);
        if tokenizer.ngrams() > 1 {
            found.words_and_ngrams(tokenizer, &normal);
        } else {
            tokenizer.words_of(&normal, |word| found.word(tokenizer, word.text));
        }
        found.counted()
    }
}

/// The tokens of one text. Words that are not known are counted as they come: of a long text they would
/// take more memory than the text.
struct Found<'k, 't> {
    known: &'k Vocabulary,
    positions: Vec<u32>,
    forms: Vec<u32>,
    new: Vec<NewTerm>,
    /// Where words and n-grams stand in `new`.
    new_words: Map<&'t str, usize>,
    new_ngrams: Map<Box<str>, usize>,
    dropped: DroppedWords,
}

impl<'k, 't> Found<'k, 't> {
    fn of(known: &'k Vocabulary) -> Self {
        Self {
            known,
            positions: Vec::new(),
            forms: Vec::new(),
            new: Vec::new(),
            new_words: Map::default(),
            new_ngrams: Map::default(),
            dropped: DroppedWords::default(),
        }
    }

    fn word(&mut self, tokenizer: &'t Tokenizer, word: &'t str) {
        match self.known.words.get(word) {
            Some(&Fate::Kept(seen)) => return self.see(seen),
            Some(&Fate::Dropped(rule)) => return self.dropped.count(rule),
            None => {}
        }
        if let Some(&at) = self.new_words.get(word) {
            return self.count_again(at);
        }
        let Some((form, term)) = tokenizer.form_and_term(word) else {
            return self.dropped.count(tokenizer.drop_rule(word));
        };
        self.new_words.insert(word, self.new.len());
        let surface = Some(Surface { text: word.into(), is_ngram: false });
        let form = tokenizer.has_forms().then(|| form.into());
        self.new.push(NewTerm { surface, form, term: term.into_owned(), count: 1 });
    }

    fn see(&mut self, Seen { position, form }: Seen) {
        self.positions.push(position);
        self.forms.extend(form.map(NonZeroU32::get));
    }

    fn count_again(&mut self, at: usize) {
        let count = &mut self.new[at].count;
        *count = count.saturating_add(1);
    }

    fn words_and_ngrams(&mut self, tokenizer: &'t Tokenizer, normal: &'t str) {
        let (mut terms, mut forms) = (Phrase::default(), Phrase::default());
        tokenizer.words_of(normal, |word| {
            let Some((form, term)) = tokenizer.form_and_term(word.text) else {
                terms.breaks();
                forms.breaks();
                self.dropped.count(tokenizer.drop_rule(word.text));
                return;
            };
            terms.push(&term, tokenizer.ngrams());
            forms.push(form, tokenizer.ngrams());
            self.word(tokenizer, word.text);
            for n in 2..=terms.len() {
                self.ngram(tokenizer, forms.last(n), terms.last(n));
            }
        });
    }

    fn ngram(&mut self, tokenizer: &Tokenizer, form: &str, term: &str) {
        if let Some(&seen) = self.known.ngrams.get(form) {
            self.see(seen);
        } else if let Some(&at) = self.new_ngrams.get(form) {
            self.count_again(at);
        } else {
            self.new_ngrams.insert(form.into(), self.new.len());
            let surface = Some(Surface { text: form.into(), is_ngram: true });
            let form = tokenizer.has_forms().then(|| form.into());
            self.new.push(NewTerm { surface, form, term: term.into(), count: 1 });
        }
    }

    fn counted(self) -> Counted {
        let (entries, forms) = (run_lengths(self.positions), run_lengths(self.forms));
        Counted { entries, forms, new: self.new, dropped: self.dropped }
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
    use crate::tokens::token_settings::{Stem, TokenSettings};

    proptest! {
        #[test]
        fn counts_are_those_of_the_tokens_whatever_is_known(
            text in "([a-c]{3}|the|running|runs|[A-C]{3}|é{3}|[ .'])([ ,]|){0,2}([a-c]{3} ?){0,30}",
            learnt in "([a-c]{3} ){0,10}", ngrams in 1usize..4,
        ) {
            let settings = TokenSettings { ngrams, stem: Stem::En, ..TokenSettings::default() };
            let tokenizer = Tokenizer::new(&settings);
            let lexicon = Lexicon::of(&tokenizer);
            let mut terms: Vec<String> = Vec::new();
            for word in learnt.split_whitespace() {
                let term = tokenizer.term(word).expect("kept").into_owned();
                let known = terms.iter().position(|t| *t == term);
                let position = known.unwrap_or(terms.len());
                if known.is_none() {
                    terms.push(term);
                }
                let surface = Surface { text: word.into(), is_ngram: false };
                let seen = Seen { position: position as u32, form: None };
                lexicon.learn([(surface, seen)].into_iter());
            }
            let Counted { entries, new, .. } = lexicon.read().count(&tokenizer, &text);
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
