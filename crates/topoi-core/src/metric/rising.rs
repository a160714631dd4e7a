//! Words that documents have more often than the documents before them.

use crate::formula::chance::by_chance;

/// Documents that were added need to have a word.
const FEWEST: u64 = 5;
/// How many times as many of the added documents as of the earlier ones have the word.
const TIMES: f64 = 2.0;
/// Probability that any word rises where documents come in no order.
const LEVEL: f64 = 0.01;

/// A word that rises.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RisingWord {
    pub word: usize,
    /// Added documents with it.
    pub added: u64,
    /// Earlier documents with it.
    pub earlier: u64,
    /// The probability of `added` or more documents with it by chance.
    pub p: f64,
}

/// The words that clearly more of the added documents have than of the earlier ones, the clearest first. `frequencies` has
/// (added, earlier) document frequencies by word, `all` the documents. Where documents come in no order, a word is among them
/// with a probability of at most .01 for all words together (Bonferroni).
pub fn rising_words(frequencies: &[[u64; 2]], all: [u64; 2]) -> Vec<RisingWord> {
    let tested = frequencies.iter().filter(|[added, earlier]| added + earlier >= FEWEST).count();
    let level = LEVEL / tested.max(1) as f64;
    let share = |found: u64, all: u64| found as f64 / all.max(1) as f64;
    let mut rising: Vec<RisingWord> = (0..)
        .zip(frequencies)
        .filter(|(_, [added, earlier])| {
            *added >= FEWEST && share(*added, all[0]) >= TIMES * share(*earlier, all[1])
        })
        .map(|(word, &[added, earlier])| RisingWord {
            word,
            added,
            earlier,
            p: by_chance([added, earlier], all, 1.0),
        })
        .filter(|found| found.p <= level)
        .collect();
    rising.sort_by(|a, b| a.p.total_cmp(&b.p).then(b.added.cmp(&a.added)));
    rising
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::random::stream;

    #[test]
    fn a_word_that_comes_rises_and_one_that_stays_does_not() {
        let rising = rising_words(&[[40, 0], [30, 900], [12, 20], [4, 0]], [100, 3000]);
        let words: Vec<usize> = rising.iter().map(|found| found.word).collect();
        assert_eq!(words, [0, 2]);
        assert!(rising[0].p < 1e-40 && rising_words(&[], [0, 0]).is_empty());
    }

    /// 200 corpora of 1,000 documents in no order, the last 50 of which were added; words are as frequent as rank to the
    /// power -1. With a false-alarm rate of .01 each, 9 or more have a rising word in one such test of 4,000.
    #[test]
    fn in_documents_without_an_order_hardly_a_word_rises() {
        let mut with_some = 0;
        for seed in 0..200 {
            let mut random = stream(seed, "no order");
            let frequencies: Vec<[u64; 2]> = (1..400)
                .map(|rank| {
                    let mut found = [0, 0];
                    for document in 0..1000 {
                        let has = random.random::<f64>() < 1.0 / f64::from(rank);
                        found[usize::from(document < 950)] += u64::from(has);
                    }
                    found
                })
                .collect();
            with_some += usize::from(!rising_words(&frequencies, [50, 950]).is_empty());
        }
        assert!(with_some <= 8, "{with_some}");
    }
}
