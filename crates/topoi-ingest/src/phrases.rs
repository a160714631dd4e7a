//! Phrases by statistics: neighbours that stand together more often than their words would by chance.

use std::collections::HashMap;

use super::settings::CorpusSettings;
use super::tokens::rewrites::ends_between;
use super::tokens::{Tokenizer, Word, normalise};
use topoi_store::corpus::Corpus;
use topoi_store::{Store, StoreError};

/// Pairs of words that are held at a time: about 100 MB.
const MOST_PAIRS: usize = 4_000_000;

/// Two words that follow each other.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct FoundPhrase {
    /// The words, with a blank between them.
    pub phrase: String,
    /// How often they follow each other.
    pub count: u64,
    /// log(p(xy) / p(x)p(y)) / −log p(xy): 0 for words that are independent, 1 for words that stand nowhere else.
    pub npmi: f64,
    /// Dunning's G² of the two words' table of four: how sure it is that they are not independent.
    pub log_likelihood: f64,
    /// Of how many of its occurrences both words begin with a capital letter, from 0 to 1: near 1 for names.
    pub capitals: f64,
}

/// The phrases of a corpus.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct FoundPhrases {
    /// Those that are frequent and close enough, by log-likelihood, the largest first.
    pub phrases: Vec<FoundPhrase>,
    /// By how much a count can be too small: 0 where all pairs had room.
    pub most_missing: u64,
}

/// Which pairs are phrases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Least {
    /// They follow each other at least so often,
    pub count: u64,
    /// with at least this NPMI,
    pub npmi: f64,
    /// and both begin with a capital in at least this share of it.
    pub capitals: f64,
}

/// Finds the phrases in the texts of a corpus: pairs of words of which neither is dropped, with no sentence's
/// end between them, before they are stemmed. One pass over the texts; of all pairs at most four millions are
/// held at a time.
///
/// # Errors
/// When the store cannot be read.
pub fn phrases(store: &Store, corpus: &Corpus, least: Least) -> Result<FoundPhrases, StoreError> {
    let Some(CorpusSettings::Text { tokens, .. }) = CorpusSettings::from_json(&corpus.settings)
    else {
        return Ok(FoundPhrases { phrases: Vec::new(), most_missing: 0 });
    };
    let tokenizer = Tokenizer::new(&tokens);
    let mut neighbours = Neighbours::new(MOST_PAIRS);
    store.each_text(corpus.id, &mut |text| neighbours.add(&tokenizer, text))?;
    Ok(neighbours.found(least))
}

/// How often a pair was met since it is held, and how often it may have been met before.
#[derive(Debug, Clone, Copy)]
struct Met {
    count: u32,
    missing: u32,
    capitals: u32,
}

/// Words and pairs of neighbours with their counts. When there are too many pairs the rarest are forgotten
/// (lossy counting: Manku and Motwani 2002): a count is never too large, and too small by `forgotten` at most.
struct Neighbours {
    words: HashMap<Box<str>, u32, foldhash::fast::RandomState>,
    counts: Vec<u64>,
    pairs: HashMap<(u32, u32), Met, foldhash::fast::RandomState>,
    most: usize,
    forgotten: u32,
}

impl Neighbours {
    fn new(most: usize) -> Self {
        let (words, pairs) = (HashMap::default(), HashMap::default());
        Self { words, counts: Vec::new(), pairs, most, forgotten: 0 }
    }

    fn add(&mut self, tokenizer: &Tokenizer, text: &str) {
        let normal = tokenizer.normalise(text);
        let cased = normalise(text, false);
        // A few letters are longer as small ones; then nothing is taken for a name.
        let is_alike = cased.len() == normal.len();
        let is_capital = |word: &Word<'_>| {
            let rest = cased.get(word.place(&normal).start..).filter(|_| is_alike);
            rest.and_then(|rest| rest.chars().next()).is_some_and(char::is_uppercase)
        };
        let mut before: Option<(Word<'_>, u32)> = None;
        tokenizer.words_of(&normal, |word| {
            if tokenizer.term(word.text).is_none() {
                before = None;
                return;
            }
            let number = self.number(word.text);
            self.counts[number as usize] += 1;
            if let Some((last, first)) = before
                && !ends_between(&normal, &last, &word)
            {
                self.meet((first, number), is_capital(&last) && is_capital(&word));
            }
            before = Some((word, number));
        });
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.words.get(word) {
            return number;
        }
        #[expect(clippy::cast_possible_truncation, reason = "no memory holds 2³² words")]
        let number = self.counts.len() as u32;
        self.words.insert(word.into(), number);
        self.counts.push(0);
        number
    }

    fn meet(&mut self, pair: (u32, u32), is_name: bool) {
        let new = Met { count: 0, missing: self.forgotten, capitals: 0 };
        let met = self.pairs.entry(pair).or_insert(new);
        met.count = met.count.saturating_add(1);
        met.capitals = met.capitals.saturating_add(is_name.into());
        while self.pairs.len() > self.most {
            self.forgotten += 1;
            let forgotten = self.forgotten;
            self.pairs.retain(|_, met| met.count + met.missing > forgotten);
        }
    }

    fn found(self, least: Least) -> FoundPhrases {
        let all = self.counts.iter().sum::<u64>() as f64;
        let mut word_of: Vec<&str> = vec![""; self.counts.len()];
        self.words.iter().for_each(|(word, &number)| word_of[number as usize] = word);
        let phrase = |(&(first, second), met): (&(u32, u32), &Met)| {
            let count = u64::from(met.count);
            let of = |word: u32| self.counts[word as usize] as f64;
            let table = Table { both: count as f64, first: of(first), second: of(second), all };
            let npmi = table.npmi();
            let capitals = f64::from(met.capitals) / table.both;
            let is_phrase =
                count >= least.count && npmi >= least.npmi && capitals >= least.capitals;
            is_phrase.then(|| FoundPhrase {
                phrase: format!("{} {}", word_of[first as usize], word_of[second as usize]),
                count,
                npmi,
                log_likelihood: table.log_likelihood(),
                capitals,
            })
        };
        let mut phrases: Vec<FoundPhrase> = self.pairs.iter().filter_map(phrase).collect();
        phrases.sort_by(|a, b| {
            b.log_likelihood.total_cmp(&a.log_likelihood).then_with(|| a.phrase.cmp(&b.phrase))
        });
        FoundPhrases { phrases, most_missing: self.forgotten.into() }
    }
}

/// How often two words follow each other, each occurs, and all words do.
struct Table {
    both: f64,
    first: f64,
    second: f64,
    all: f64,
}

impl Table {
    /// # Source
    /// Bouma 2009.
    fn npmi(&self) -> f64 {
        let Self { both, first, second, all } = *self;
        let surprise = -(both / all).ln();
        // All tokens are the pair.
        if surprise <= 0.0 { 1.0 } else { (both * all / (first * second)).ln() / surprise }
    }

    /// # Source
    /// Dunning 1993, eq. for the binomial: 2 Σ k log(k · all / row · column).
    fn log_likelihood(&self) -> f64 {
        let Self { both, first, second, all } = *self;
        let cell = |k: f64, row: f64, column: f64| match k > 0.0 {
            true => k * (k * all / (row * column)).ln(),
            false => 0.0,
        };
        let neither = all - first - second + both;
        2.0 * (cell(both, first, second)
            + cell(first - both, first, all - second)
            + cell(second - both, all - first, second)
            + cell(neither, all - first, all - second))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::TokenSettings;

    const ALL: Least = Least { count: 1, npmi: -1.0, capitals: 0.0 };

    fn neighbours(texts: &[&str], most: usize) -> Neighbours {
        let tokenizer = Tokenizer::new(&TokenSettings::default());
        let mut neighbours = Neighbours::new(most);
        texts.iter().for_each(|text| neighbours.add(&tokenizer, text));
        neighbours
    }

    #[test]
    fn neighbours_are_measured_by_hand() {
        // "stock market" twice; stock 3 times, market 2 times, of 9 words.
        let texts = ["Stock market, stock of grain", "a stock-market! Grain house king"];
        let found = neighbours(&texts, 100).found(ALL);
        let phrases: Vec<(&str, u64)> =
            found.phrases.iter().map(|found| (found.phrase.as_str(), found.count)).collect();
        // No word was dropped between "grain" and "house"; a comma and "of" stand between the others.
        assert_eq!(phrases, [("house king", 1), ("stock market", 2), ("grain house", 1)]);
        let market = &found.phrases[1];
        let npmi = 3.0_f64.ln() / 4.5_f64.ln();
        assert!((market.npmi - npmi).abs() < 1e-12);
        let g2 = 2.0 * (2.0 * 3.0_f64.ln() + (9.0 / 21.0_f64).ln() + 6.0 * (54.0 / 42.0_f64).ln());
        assert!((market.log_likelihood - g2).abs() < 1e-12);
        assert_eq!(found.most_missing, 0);
        let frequent = neighbours(&texts, 100).found(Least { count: 2, npmi: 0.0, ..ALL });
        assert_eq!(frequent.phrases.len(), 1);
        assert!(neighbours(&texts, 100).found(Least { npmi: 1.1, ..ALL }).phrases.is_empty());
    }

    #[test]
    fn names_are_pairs_that_mostly_begin_with_capitals() {
        let texts = [
            "In New York a Stock market. New York's stock market, NEW YORK!",
            "new york, Éva Kovács",
        ];
        let found = neighbours(&texts, 100).found(ALL);
        let share =
            |phrase: &str| found.phrases.iter().find(|f| f.phrase == phrase).map(|f| f.capitals);
        assert_eq!(share("new york"), Some(0.75));
        assert_eq!((share("stock market"), share("éva kovács")), (Some(0.0), Some(1.0)));
        let names = neighbours(&texts, 100).found(Least { capitals: 0.7, ..ALL });
        let mut names: Vec<&str> =
            names.phrases.iter().map(|found| found.phrase.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["new york", "éva kovács"]);
    }

    proptest! {
        #[test]
        fn counts_in_little_room_are_never_too_large_and_too_small_by_what_is_said(
            text in "((aaa|bbb|ccc|ddd|eee) ){0,200}", most in 1usize..20,
        ) {
            let exact = neighbours(&[&text], 1000).found(ALL);
            let bounded = neighbours(&[&text], most);
            prop_assert!(bounded.pairs.len() <= most);
            let bounded = bounded.found(ALL);
            for FoundPhrase { phrase, count, .. } in exact.phrases {
                let held = bounded.phrases.iter().find(|found| found.phrase == phrase);
                let held = held.map_or(0, |found| found.count);
                prop_assert!(held <= count && count - held <= bounded.most_missing, "{}", phrase);
            }
        }
    }
}
