//! Words that were seen before and the positions of their terms, shared by all threads. Most words of a
//! document need one look-up only.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{RwLock, RwLockReadGuard};

use crate::tokens::dropped::{DropRule, DroppedWords};
use crate::tokens::{Phrase, Tokenizer};

/// The term of a word that was seen before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KnownTerm {
    /// Position of its term.
    pub(crate) position: u32,
    /// Number of its form, if terms differ from their words.
    pub(crate) form: Option<NonZeroU32>,
}

/// A word as written in normalised text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Surface {
    pub(crate) text: Box<str>,
    /// Whether it is an n-gram: a single word can look like one.
    pub(crate) is_ngram: bool,
}

/// A term of a document without a known position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewTerm {
    /// The word in the text.
    pub(crate) surface: Option<Surface>,
    /// The word before stemming, if words are stemmed.
    pub(crate) form: Option<Box<str>>,
    pub(crate) term: String,
    /// Number of occurrences in the document.
    pub(crate) count: u32,
}

/// The terms of a text with their counts.
#[derive(Debug, Default)]
pub(crate) struct TermCounts {
    /// (position, count) of known terms, sorted by position.
    pub(crate) entries: Vec<(u32, u32)>,
    /// (form number, count) of forms of known words.
    pub(crate) forms: Vec<(u32, u32)>,
    /// Unknown terms, in order of first appearance.
    pub(crate) new: Vec<NewTerm>,
    /// Dropped words.
    pub(crate) dropped: DroppedWords,
}

/// Whether a word is kept.
#[derive(Debug, Clone, Copy)]
enum WordOutcome {
    Kept(KnownTerm),
    Dropped(DropRule),
}

type Map<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// Words and n-grams that were seen. With stems, several words share a position. Grows with the vocabulary, not
/// with the text.
#[derive(Debug, Default)]
struct Vocabulary {
    words: Map<Box<str>, WordOutcome>,
    ngrams: Map<Box<str>, KnownTerm>,
    /// Words that users have listed to be dropped, and whether one was.
    listed: Map<Box<str>, AtomicBool>,
}

/// Lines of users' lists that no text matched.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Unmatched {
    /// Words to drop.
    pub drop: Vec<String>,
    /// Forms of the word map.
    pub map: Vec<String>,
    /// Phrases to join, their words joined.
    pub join: Vec<String>,
}

/// Maps words in normalised text to their terms.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    seen: RwLock<Vocabulary>,
}

/// The lexicon, locked for reading during a batch.
pub(crate) struct LockedLexicon<'l>(RwLockReadGuard<'l, Vocabulary>);

impl Lexicon {
    /// A lexicon of the stop words, which are the most frequent dropped words.
    pub(crate) fn new(tokenizer: &Tokenizer) -> Self {
        let dropped = tokenizer.stop_words.iter().filter(|word| tokenizer.term(word).is_none());
        let words = dropped
            .map(|word| (word.as_str().into(), WordOutcome::Dropped(tokenizer.drop_rule(word))))
            .collect();
        let listed = tokenizer.settings.stop_words.listed();
        let listed = listed.map(|word| (word.into(), AtomicBool::new(false))).collect();
        Self { seen: RwLock::new(Vocabulary { words, ngrams: Map::default(), listed }) }
    }

    /// What users' lists have that no text had: words to drop, forms to map, phrases to join.
    pub(crate) fn unmatched(&self, tokenizer: &Tokenizer) -> Unmatched {
        let seen = self.seen.read().unwrap_or_else(|e| e.into_inner());
        let is_new = |word: &&String| !seen.words.contains_key(word.as_str());
        let sorted = |mut words: Vec<String>| {
            words.sort_unstable();
            words
        };
        let dropped = seen.listed.iter().filter(|(_, was_seen)| !was_seen.load(Relaxed));
        Unmatched {
            drop: sorted(dropped.map(|(word, _)| word.to_string()).collect()),
            map: sorted(tokenizer.map.keys().filter(is_new).cloned().collect()),
            join: sorted(tokenizer.phrases.all().filter(is_new).cloned().collect()),
        }
    }

    /// Locks the lexicon for reading.
    pub(crate) fn read(&self) -> LockedLexicon<'_> {
        LockedLexicon(self.seen.read().unwrap_or_else(|e| e.into_inner()))
    }

    /// Adds words.
    pub(crate) fn learn(&self, words: impl Iterator<Item = (Surface, KnownTerm)>) {
        let mut known = self.seen.write().unwrap_or_else(|e| e.into_inner());
        for (Surface { text, is_ngram }, seen) in words {
            if is_ngram {
                known.ngrams.insert(text, seen);
            } else {
                known.words.insert(text, WordOutcome::Kept(seen));
            }
        }
    }
}

impl LockedLexicon<'_> {
    /// The terms of a text with their counts.
    pub(crate) fn count(&self, tokenizer: &Tokenizer, text: &str) -> TermCounts {
        let normal = tokenizer.normalise(text);
        let mut found = TermCounter::new(&self.0);
        if tokenizer.ngrams() > 1 {
            found.count_words_and_ngrams(tokenizer, &normal);
        } else {
            tokenizer.words_of(&normal, |word| found.count_word(tokenizer, word.text));
        }
        found.into_counts()
    }
}

/// The terms of one text while it is counted. Unknown words are counted at once: a list of all would need more
/// memory than a long text.
struct TermCounter<'k, 't> {
    known: &'k Vocabulary,
    positions: Vec<u32>,
    forms: Vec<u32>,
    new: Vec<NewTerm>,
    /// Indices of words and n-grams in `new`.
    new_words: Map<&'t str, usize>,
    new_ngrams: Map<Box<str>, usize>,
    dropped: DroppedWords,
}

impl<'k, 't> TermCounter<'k, 't> {
    fn new(known: &'k Vocabulary) -> Self {
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

    fn count_word(&mut self, tokenizer: &'t Tokenizer, word: &'t str) {
        match self.known.words.get(word) {
            Some(&WordOutcome::Kept(seen)) => return self.count_known(seen),
            Some(&WordOutcome::Dropped(rule)) => {
                // Written once: a word that is written again and again would be fought for by all threads.
                if let Some(was_seen) = self.known.listed.get(word)
                    && !was_seen.load(Relaxed)
                {
                    was_seen.store(true, Relaxed);
                }
                return self.dropped.count(rule);
            }
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

    fn count_known(&mut self, KnownTerm { position, form }: KnownTerm) {
        self.positions.push(position);
        self.forms.extend(form.map(NonZeroU32::get));
    }

    fn count_again(&mut self, at: usize) {
        let count = &mut self.new[at].count;
        *count = count.saturating_add(1);
    }

    fn count_words_and_ngrams(&mut self, tokenizer: &'t Tokenizer, normal: &'t str) {
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
            self.count_word(tokenizer, word.text);
            for n in 2..=terms.len() {
                self.count_ngram(tokenizer, forms.last(n), terms.last(n));
            }
        });
    }

    fn count_ngram(&mut self, tokenizer: &Tokenizer, form: &str, term: &str) {
        if let Some(&seen) = self.known.ngrams.get(form) {
            self.count_known(seen);
        } else if let Some(&at) = self.new_ngrams.get(form) {
            self.count_again(at);
        } else {
            self.new_ngrams.insert(form.into(), self.new.len());
            let surface = Some(Surface { text: form.into(), is_ngram: true });
            let form = tokenizer.has_forms().then(|| form.into());
            self.new.push(NewTerm { surface, form, term: term.into(), count: 1 });
        }
    }

    fn into_counts(self) -> TermCounts {
        let (entries, forms) = (run_lengths(self.positions), run_lengths(self.forms));
        TermCounts { entries, forms, new: self.new, dropped: self.dropped }
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
            let lexicon = Lexicon::new(&tokenizer);
            let mut terms: Vec<String> = Vec::new();
            for word in learnt.split_whitespace() {
                let term = tokenizer.term(word).expect("kept").into_owned();
                let known = terms.iter().position(|t| *t == term);
                let position = known.unwrap_or(terms.len());
                if known.is_none() {
                    terms.push(term);
                }
                let surface = Surface { text: word.into(), is_ngram: false };
                let seen = KnownTerm { position: position as u32, form: None };
                lexicon.learn([(surface, seen)].into_iter());
            }
            let TermCounts { entries, new, .. } = lexicon.read().count(&tokenizer, &text);
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
