//! Draws from a finite distribution in constant time.

use rand::RngExt;
use rand_chacha::ChaCha12Rng;

/// A column of the table: one word below the threshold, another above it.
#[derive(Debug, Clone, Copy)]
struct Column {
    threshold: f64,
    below: u32,
    above: u32,
}

/// The alias method: a distribution over words as equally likely columns.
///
/// # Cost
/// O(n) to build, O(1) to draw from, 16 bytes for each word of positive probability.
///
/// # Source
/// Walker 1977; built as in Vose 1991.
#[derive(Debug)]
pub(crate) struct AliasTable {
    columns: Vec<Column>,
}

impl AliasTable {
    /// A table of (word, weight) on any scale. Words of weight 0 are never drawn; at least one
    /// weight must be positive.
    pub(crate) fn new(weights: &[(u32, f64)]) -> Self {
        let weights: Vec<(u32, f64)> = weights.iter().copied().filter(|w| w.1 > 0.0).collect();
        let scale = weights.len() as f64 / weights.iter().map(|w| w.1).sum::<f64>();
        let mut columns: Vec<Column> = weights
            .iter()
            .map(|&(word, weight)| Column { threshold: weight * scale, below: word, above: word })
            .collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..columns.len()).partition(|&at| columns[at].threshold < 1.0);
        while let (Some(&low), Some(&high)) = (small.last(), large.last()) {
            small.pop();
            columns[low].above = columns[high].below;
            columns[high].threshold -= 1.0 - columns[low].threshold;
            if columns[high].threshold < 1.0 {
                large.pop();
                small.push(high);
            }
        }
        // Columns left over, by rounding or not, are filled by their own word, which `above` is.
        Self { columns }
    }

    /// Draws a word.
    pub(crate) fn draw(&self, rng: &mut ChaCha12Rng) -> u32 {
        let place = rng.random::<f64>() * self.columns.len() as f64;
        let at = (place as usize).min(self.columns.len() - 1);
        let column = self.columns[at];
        if place - (at as f64) < column.threshold { column.below } else { column.above }
    }

    /// The probability of every word that can be drawn, computed from the columns.
    #[cfg(test)]
    fn probabilities(&self) -> std::collections::BTreeMap<u32, f64> {
        let mut found = std::collections::BTreeMap::new();
        for column in &self.columns {
            let below = column.threshold.min(1.0);
            *found.entry(column.below).or_insert(0.0) += below / self.columns.len() as f64;
            *found.entry(column.above).or_insert(0.0) += (1.0 - below) / self.columns.len() as f64;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn columns_hold_every_word_with_its_probability(
            weights in prop::collection::vec(prop_oneof![Just(0.0), 0.0..1.0f64, 0.0..1e-9f64], 1..40),
        ) {
            prop_assume!(weights.iter().any(|&w| w > 0.0));
            let numbered: Vec<(u32, f64)> = (0u32..).zip(weights.iter().copied()).collect();
            let found = AliasTable::new(&numbered).probabilities();
            let sum: f64 = weights.iter().sum();
            for (word, weight) in numbered {
                let probability = found.get(&word).copied().unwrap_or(0.0);
                prop_assert!((probability - weight / sum).abs() < 1e-12);
                prop_assert!(weight > 0.0 || probability == 0.0);
            }
        }
    }

    #[test]
    fn words_are_drawn_as_often_as_they_are_likely() {
        // 100,000 draws, a deviation of at most 0.0016. Bounds at 5 deviations for 3 words: a false
        // alarm for fewer than two seeds in a million.
        let table = AliasTable::new(&[(7, 5.0), (2, 0.0), (9, 3.0), (4, 2.0)]);
        let mut rng = stream(5, "alias");
        let mut counts = [0.0f64; 10];
        (0..100_000).for_each(|_| counts[table.draw(&mut rng) as usize] += 1e-5);
        for (word, expected) in [(7, 0.5), (9, 0.3), (4, 0.2)] {
            assert!((counts[word] - expected).abs() < 0.008, "{word}: {}", counts[word]);
        }
        assert_eq!(counts[2], 0.0);
    }
}
