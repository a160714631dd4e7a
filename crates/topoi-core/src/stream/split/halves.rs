//! Documents split into two independent halves of their tokens, the same way on every pass.

use crate::random::hypergeometric::Urn;
use crate::random::{ShortStream, key};
use crate::stream::documents::Batch;
use crate::stream::panel::Side;

/// Lengths below 2⁵³ are exact sums of the counts.
const EXACT: f64 = (1u64 << 53) as f64;

/// Splits documents into halves. The halves of a document depend only on the seed, its number and its
/// words; nothing is stored.
#[derive(Debug, Clone, Copy)]
pub struct Splitter {
    key: u64,
}

/// One half of every document of a batch.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Half {
    ends: Vec<u32>,
    words: Vec<u32>,
    shares: Vec<f64>,
}

impl Half {
    /// The half documents. Values are x_im / h_m, each word's share of the half's h_m tokens.
    pub fn documents(&self) -> impl Iterator<Item = Side<'_>> + Clone {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let range = start..end as usize;
            start = end as usize;
            Side { words: &self.words[range.clone()], values: &self.shares[range] }
        })
    }

    fn clear(&mut self) {
        self.ends.clear();
        self.words.clear();
        self.shares.clear();
    }

    fn push(&mut self, word: u32, tokens: u64) {
        if tokens > 0 {
            self.words.push(word);
            self.shares.push(tokens as f64);
        }
    }

    /// Ends a document: divides its counts by `tokens`.
    fn end(&mut self, tokens: u64) {
        let start = self.ends.last().map_or(0, |&end| end as usize);
        self.shares[start..].iter_mut().for_each(|share| *share /= tokens as f64);
        self.ends.push(self.words.len() as u32);
    }
}

/// Both halves, X and X′, of the documents of a batch.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Halves {
    /// X, the first halves.
    pub first: Half,
    /// X′, the second halves.
    pub second: Half,
}

impl Splitter {
    /// The splitter of a run with this seed.
    pub fn new(seed: u64) -> Self {
        Self { key: key(seed, "halves of documents") }
    }

    /// Splits every document of `batch` into `halves` and replaces their contents. The first half
    /// is a random half of the n tokens, drawn without replacement; the second is the rest. Where n
    /// is odd a fair coin decides which half gets the extra token. Takes at most a few hundred
    /// random numbers a word, however often it occurs. Both halves of a document of one token are
    /// empty.
    ///
    /// # Source
    /// Ding et al. 2013, §4.1 A; Ding et al. 2015, §IV-A.
    pub fn split(&self, batch: &Batch, halves: &mut Halves) {
        halves.first.clear();
        halves.second.clear();
        for ((words, counts, length), &number) in batch.documents().zip(&batch.numbers) {
            if length < 2.0 {
                // One token is in no pair of halves.
                halves.first.end(1);
                halves.second.end(1);
                continue;
            }
            let mut random = ShortStream::new(self.key, number);
            let tokens = if length < EXACT {
                length as u64
            } else {
                counts.iter().map(|&count| count as u64).sum()
            };
            let wanted = tokens / 2 + (tokens % 2) * random.below(2);
            let mut urn = Urn { all: tokens, chosen: wanted };
            for (&word, &count) in words.iter().zip(counts) {
                let count = count as u64;
                let taken = urn.take(count, &mut random);
                halves.first.push(word, taken);
                halves.second.push(word, count - taken);
            }
            halves.first.end(wanted);
            halves.second.end(tokens - wanted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(ids: std::ops::Range<i64>, words: &[u32], counts: &[f64]) -> Batch {
        let mut batch = Batch::default();
        for id in ids {
            batch.ids.push(id);
            batch.numbers.push(id as u64);
            batch.words.extend(words);
            batch.counts.extend(counts);
            batch.ends.push(batch.words.len() as u32);
            batch.lengths.push(counts.iter().sum());
        }
        batch
    }

    #[test]
    fn the_halves_of_a_document_add_up_and_are_the_same_on_every_pass() {
        let batch = batch(5..300, &[1, 4, 7, 9], &[3.0, 1.0, 8.0, 1.0]);
        let (mut halves, mut again) = (Halves::default(), Halves::default());
        Splitter::new(3).split(&batch, &mut halves);
        Splitter::new(3).split(&batch, &mut again);
        assert_eq!(halves, again);
        Splitter::new(4).split(&batch, &mut again);
        assert_ne!(halves, again);
        let sides = halves.first.documents().zip(halves.second.documents());
        let mut longer = 0;
        for (first, second) in sides {
            assert!((first.values.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!((second.values.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            // Thirteen tokens: one half has six, the other seven, and together they have each
            // word as often as the document.
            let adds_up = |a: f64, b: f64| {
                [(1, 3.0), (4, 1.0), (7, 8.0), (9, 1.0)].into_iter().all(|(word, count)| {
                    let of = |side: &Side<'_>, tokens: f64| {
                        let at = side.words.iter().position(|&other| other == word);
                        at.map_or(0.0, |at| side.values[at] * tokens)
                    };
                    (of(&first, a) + of(&second, b) - count).abs() < 1e-9
                })
            };
            assert!(adds_up(7.0, 6.0) || adds_up(6.0, 7.0));
            longer += i32::from(adds_up(7.0, 6.0));
        }
        // A coin 295 times: 147.5 ± 8.6; bounds at five deviations.
        assert!((105..190).contains(&longer), "{longer}");
    }

    #[test]
    fn a_word_is_split_as_drawing_without_replacement_does() {
        // Word 0 has 4 of 10 tokens, five go to the first half: hypergeometric, mean 2, variance
        // 5·0.4·0.6·5/9 = 0.667. Over 20,000 documents the mean's deviation is 0.0058 and the
        // variance's about 0.0067; bounds at five deviations (the seed is fixed).
        let batch = batch(0..20_000, &[0, 1], &[4.0, 6.0]);
        let mut halves = Halves::default();
        Splitter::new(1).split(&batch, &mut halves);
        let taken: Vec<f64> = halves
            .first
            .documents()
            .map(|side| if side.words[0] == 0 { side.values[0] * 5.0 } else { 0.0 })
            .collect();
        let mean = taken.iter().sum::<f64>() / taken.len() as f64;
        let variance = taken.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / taken.len() as f64;
        assert!((mean - 2.0).abs() < 0.029, "{mean}");
        assert!((variance - 0.667).abs() < 0.034, "{variance}");
    }

    #[test]
    fn a_word_that_occurs_four_billion_times_takes_no_time_to_split() {
        // One random number a token was half an hour here.
        let batch = batch(0..40, &[0, 1, 2], &[4e9, 1.0, 4e9]);
        let mut halves = Halves::default();
        Splitter::new(1).split(&batch, &mut halves);
        for side in halves.first.documents().chain(halves.second.documents()) {
            // A deviation of 1.1·10⁻⁵ around one half.
            assert!((side.values[0] - 0.5).abs() < 6e-5, "{:?}", side.values);
        }
    }
}
