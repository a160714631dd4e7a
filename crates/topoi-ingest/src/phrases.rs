//! Statistical phrases: adjacent words that occur together more often than by chance.

use std::collections::HashMap;

use super::settings::CorpusSettings;
use super::tokens::rewrites::ends_between;
use super::tokens::{Tokenizer, Word, normalise};
use topoi_store::corpus::Corpus;
use topoi_store::{Store, StoreError};

/// Maximum number of word pairs in memory: about 100 MB.
const MAX_PAIRS: usize = 4_000_000;

/// Two adjacent words.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct FoundPhrase {
    /// The words, separated by a space.
    pub phrase: String,
    /// Number of times they are adjacent.
    pub count: u64,
    /// log(p(xy) / p(x)p(y)) / −log p(xy): 0 for independent words, 1 for words that occur only together.
    pub npmi: f64,
    /// Dunning's G² of the 2 × 2 table of the two words: the evidence against their independence.
    pub log_likelihood: f64,
    /// Share of occurrences in which both words begin with a capital letter, 0 to 1: near 1 for names.
    pub capitals: f64,
}

/// The phrases of a corpus.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct FoundPhrases {
    /// Phrases above the thresholds, by descending log-likelihood.
    pub phrases: Vec<FoundPhrase>,
    /// Maximum undercount of any pair: 0 if all pairs fitted in memory.
    pub most_missing: u64,
}

/// Thresholds for phrases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhraseThresholds {
    /// Minimum number of occurrences.
    pub count: u64,
    /// Minimum NPMI.
    pub npmi: f64,
    /// Minimum share of occurrences with capital letters.
    pub capitals: f64,
}

/// Finds the phrases in the texts of a corpus.
/// Phrases are pairs of adjacent, unstemmed words within a sentence. Neither word is dropped. Reads the texts once,
/// with at most four million pairs in memory.
pub fn phrases(
    store: &Store,
    corpus: &Corpus,
    least: PhraseThresholds,
) -> Result<FoundPhrases, StoreError> {
    let Some(CorpusSettings::Text { tokens, .. }) = CorpusSettings::from_json(&corpus.settings)
    else {
        return Ok(FoundPhrases { phrases: Vec::new(), most_missing: 0 });
    };
    let tokenizer = Tokenizer::new(&tokens);
    let mut neighbours = PairCounter::new(MAX_PAIRS);
    store.each_text(corpus.id, &mut |text| neighbours.add(&tokenizer, text))?;
    Ok(neighbours.found(least))
}

/// A word that begins with a capital letter within sentences.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct FoundName {
    /// The word.
    pub name: String,
    /// Number of its occurrences that do not begin a sentence.
    pub count: u64,
    /// Share of these that begin with a capital letter, 0 to 1.
    pub capitals: f64,
}

/// Finds the single words that are mostly capitalised where they do not begin a sentence, the most frequent first:
/// names, in languages that write other words small. Reads the texts once.
///
/// # Errors
/// When the store cannot be read.
pub fn single_names(
    store: &Store,
    corpus: &Corpus,
    least: PhraseThresholds,
) -> Result<Vec<FoundName>, StoreError> {
    let Some(CorpusSettings::Text { tokens, .. }) = CorpusSettings::from_json(&corpus.settings)
    else {
        return Ok(Vec::new());
    };
    let tokenizer = Tokenizer::new(&tokens);
    let mut counts = NameCounts::default();
    store.each_text(corpus.id, &mut |text| count_names(&tokenizer, text, &mut counts))?;
    let name = |(name, (count, capitals)): (Box<str>, (u64, u64))| {
        let capitals = capitals as f64 / count as f64;
        let is_name = count >= least.count && capitals >= least.capitals;
        is_name.then(|| FoundName { name: name.into(), count, capitals })
    };
    let mut names: Vec<FoundName> = counts.into_iter().filter_map(name).collect();
    names.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
    Ok(names)
}

/// Of each word, its occurrences that do not begin a sentence, and those of them that begin with a capital letter.
type NameCounts = HashMap<Box<str>, (u64, u64), foldhash::fast::RandomState>;

fn count_names(tokenizer: &Tokenizer, text: &str, counts: &mut NameCounts) {
    let texts = BothCases::new(tokenizer, text);
    let mut before: Option<Word<'_>> = None;
    tokenizer.words_of(&texts.normal, |word| {
        let is_within = before.is_some_and(|last| !ends_between(&texts.normal, &last, &word));
        if is_within && tokenizer.term(word.text).is_some() {
            let count = match counts.get_mut(word.text) {
                Some(count) => count,
                None => counts.entry(word.text.into()).or_default(),
            };
            count.0 += 1;
            count.1 += u64::from(texts.is_capital(&word));
        }
        before = Some(word);
    });
}

/// A text as the tokenizer reads it, and with its capital letters.
struct BothCases {
    normal: String,
    /// `None` where a letter becomes longer in lower case: then capitals are not detected.
    cased: Option<String>,
}

impl BothCases {
    fn new(tokenizer: &Tokenizer, text: &str) -> Self {
        let normal = tokenizer.normalise(text).to_string();
        let cased = normalise(text, false).to_string();
        Self { cased: Some(cased).filter(|cased| cased.len() == normal.len()), normal }
    }

    fn is_capital(&self, word: &Word<'_>) -> bool {
        let cased = self.cased.as_ref();
        let rest = cased.and_then(|cased| cased.get(word.place(&self.normal).start..));
        rest.and_then(|rest| rest.chars().next()).is_some_and(char::is_uppercase)
    }
}

/// Calls `visit` with the two words of each pair that could be a phrase, and whether both begin with capital letters.
pub fn each_pair(tokenizer: &Tokenizer, text: &str, visit: &mut dyn FnMut(&str, &str, bool)) {
    each_kept_word(tokenizer, text, &mut |before, word| {
        if let Some((before, are_capitals)) = before {
            visit(before, word, are_capitals);
        }
    });
}

/// Receives the word right before and whether both begin with capitals, and a word.
type VisitWord<'v> = dyn FnMut(Option<(&str, bool)>, &str) + 'v;

/// Calls `visit` with each word that is kept, and with the kept word right before it in its sentence and whether both
/// begin with capital letters.
fn each_kept_word(tokenizer: &Tokenizer, text: &str, visit: &mut VisitWord<'_>) {
    let texts = BothCases::new(tokenizer, text);
    let is_capital = |word: &Word<'_>| texts.is_capital(word);
    let mut before: Option<Word<'_>> = None;
    tokenizer.words_of(&texts.normal, |word| {
        if tokenizer.term(word.text).is_none() {
            before = None;
            return;
        }
        let last = before.filter(|last| !ends_between(&texts.normal, last, &word));
        visit(last.map(|last| (last.text, is_capital(&last) && is_capital(&word))), word.text);
        before = Some(word);
    });
}

/// Counts of a pair since it entered memory, and the maximum undercount before.
#[derive(Debug, Clone, Copy)]
struct PairCount {
    count: u32,
    missing: u32,
    capitals: u32,
}

/// Words and pairs of adjacent words with their counts.
/// If there are too many pairs, the rarest are removed (lossy counting: Manku and Motwani 2002). A count is
/// never too large, and too small by at most `forgotten`.
struct PairCounter {
    words: HashMap<Box<str>, u32, foldhash::fast::RandomState>,
    counts: Vec<u64>,
    pairs: HashMap<(u32, u32), PairCount, foldhash::fast::RandomState>,
    most: usize,
    forgotten: u32,
}

impl PairCounter {
    fn new(most: usize) -> Self {
        let (words, pairs) = (HashMap::default(), HashMap::default());
        Self { words, counts: Vec::new(), pairs, most, forgotten: 0 }
    }

    fn add(&mut self, tokenizer: &Tokenizer, text: &str) {
        // The word before, which is counted already.
        let mut last = 0;
        each_kept_word(tokenizer, text, &mut |before, word| {
            let number = self.number(word);
            self.counts[number as usize] += 1;
            if let Some((_, are_capitals)) = before {
                self.count_pair((last, number), are_capitals);
            }
            last = number;
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

    fn count_pair(&mut self, pair: (u32, u32), is_name: bool) {
        let new = PairCount { count: 0, missing: self.forgotten, capitals: 0 };
        let met = self.pairs.entry(pair).or_insert(new);
        met.count = met.count.saturating_add(1);
        met.capitals = met.capitals.saturating_add(is_name.into());
        while self.pairs.len() > self.most {
            self.forgotten += 1;
            let forgotten = self.forgotten;
            self.pairs.retain(|_, met| met.count + met.missing > forgotten);
        }
    }

    fn found(self, least: PhraseThresholds) -> FoundPhrases {
        let all = self.counts.iter().sum::<u64>() as f64;
        let mut word_of: Vec<&str> = vec![""; self.counts.len()];
        self.words.iter().for_each(|(word, &number)| word_of[number as usize] = word);
        let phrase = |(&(first, second), met): (&(u32, u32), &PairCount)| {
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

/// Counts for the 2 × 2 table of two words: of the pair, of each word, and of all words.
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
        // Every token belongs to the pair.
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

    const ALL: PhraseThresholds = PhraseThresholds { count: 1, npmi: -1.0, capitals: 0.0 };

    #[test]
    fn names_are_counted_where_they_do_not_begin_a_sentence() {
        let tokenizer = Tokenizer::new(&TokenSettings::default());
        let mut counts = NameCounts::default();
        let text = "Then Ann met Bob. Ann saw the sea, and Bob the Sea. Ships came; Bob was ill.";
        count_names(&tokenizer, text, &mut counts);
        let of = |word: &str| counts.get(word).copied();
        assert_eq!(of("ann"), Some((1, 1)));
        // A semicolon ends what a pair can be in, and a capital behind it tells nothing.
        assert_eq!(of("bob"), Some((2, 2)));
        assert_eq!((of("sea"), of("ships"), of("the")), (Some((2, 1)), None, None));
    }

    fn neighbours(texts: &[&str], most: usize) -> PairCounter {
        let tokenizer = Tokenizer::new(&TokenSettings::default());
        let mut neighbours = PairCounter::new(most);
        texts.iter().for_each(|text| neighbours.add(&tokenizer, text));
        neighbours
    }

    #[test]
    fn neighbours_are_measured_by_hand() {
        // "stock market" occurs twice; "stock" 3 times and "market" twice among 9 words.
        let texts = ["Stock market, stock of grain", "a stock-market! Grain house king"];
        let found = neighbours(&texts, 100).found(ALL);
        let phrases: Vec<(&str, u64)> =
            found.phrases.iter().map(|found| (found.phrase.as_str(), found.count)).collect();
        // No word was dropped between "grain" and "house"; a comma or "of" separates the other pairs.
        assert_eq!(phrases, [("house king", 1), ("stock market", 2), ("grain house", 1)]);
        let market = &found.phrases[1];
        let npmi = 3.0_f64.ln() / 4.5_f64.ln();
        assert!((market.npmi - npmi).abs() < 1e-12);
        let g2 = 2.0 * (2.0 * 3.0_f64.ln() + (9.0 / 21.0_f64).ln() + 6.0 * (54.0 / 42.0_f64).ln());
        assert!((market.log_likelihood - g2).abs() < 1e-12);
        assert_eq!(found.most_missing, 0);
        let frequent =
            neighbours(&texts, 100).found(PhraseThresholds { count: 2, npmi: 0.0, ..ALL });
        assert_eq!(frequent.phrases.len(), 1);
        assert!(
            neighbours(&texts, 100).found(PhraseThresholds { npmi: 1.1, ..ALL }).phrases.is_empty()
        );
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
        let names = neighbours(&texts, 100).found(PhraseThresholds { capitals: 0.7, ..ALL });
        let mut names: Vec<&str> =
            names.phrases.iter().map(|found| found.phrase.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["new york", "éva kovács"]);
    }

    proptest! {
        #[test]
        fn bounded_counts_are_never_too_large_and_too_small_by_at_most_the_reported_number(
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
