//! Hypergeometric draws in constant time: the number of a word's tokens among those drawn from a
//! document.
//!
//! This is our own code, as the bits of a draw must not change with the version of a crate.
//!
//! Written by hand, as a crate's draws may change with its version and results must not.

use libm::{exp, log, log1p};

use super::ShortStream;

/// Largest count for which drawing token by token is faster than rejection sampling.
const ONE_BY_ONE: u64 = 256;

/// An urn with `all` tokens, `chosen` of which are drawn without replacement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Urn {
    /// Tokens in the urn, below 2⁶³.
    pub all: u64,
    /// Tokens to draw, at most `all`.
    pub chosen: u64,
}

impl Urn {
    /// Draws how many of `count` tokens of one word are chosen, and removes the `count` tokens from
    /// the urn. `count` is at most `all`.
    #[inline]
    pub(crate) fn take(&mut self, count: u64, random: &mut ShortStream) -> u64 {
        let taken = if count <= ONE_BY_ONE {
            self.one_by_one(count, random)
        } else {
            Table { row: count, column: self.chosen, all: self.all }.draw(random)
        };
        self.all -= count;
        self.chosen -= taken;
        taken
    }

    #[inline]
    fn one_by_one(self, count: u64, random: &mut ShortStream) -> u64 {
        let (mut left, mut open) = (self.all, self.chosen);
        for _ in 0..count {
            // A token is drawn with the probability that its position is one of the `open` ones.
            open -= u64::from(random.below(left) < open);
            left -= 1;
        }
        self.chosen - open
    }
}

/// A 2 × 2 table with given margins: tokens of the word or not, drawn or not.
#[derive(Debug, Clone, Copy)]
struct Table {
    row: u64,
    column: u64,
    all: u64,
}

impl Table {
    /// Draws the upper left cell by rejection from a flat top with exponential tails. Fewer than
    /// five tries are expected, for any margins.
    ///
    /// # Source
    /// Devroye 1987, "A simple generator for discrete log-concave distributions": where p is
    /// log-concave with mode m, p(m + x) ≤ p(m)·min(1, exp(1 − p(m)·|x|)).
    #[cold]
    #[inline(never)]
    fn draw(self, random: &mut ShortStream) -> u64 {
        let least = self.column.saturating_sub(self.all - self.row);
        let most = self.row.min(self.column);
        if least == most {
            return least;
        }
        let mode = self.mode();
        let log_highest = self.log_probability(mode);
        let highest = exp(log_highest);
        let top = 1.0 + highest / 2.0;
        loop {
            let (tail, distance) = if random.unit() * (1.0 + top) <= top {
                (0.0, random.unit() * top)
            } else {
                let beyond = -log(1.0 - random.unit());
                (beyond, top + beyond)
            };
            let steps = (distance / highest).round() as u64;
            let is_below = random.below(2) == 0;
            let value = if is_below { mode.checked_sub(steps) } else { mode.checked_add(steps) };
            let height = log(1.0 - random.unit()) - tail;
            if let Some(value) = value.filter(|value| (least..=most).contains(value))
                && height <= self.log_probability(value) - log_highest
            {
                return value;
            }
        }
    }

    fn mode(self) -> u64 {
        let product = (u128::from(self.row) + 1) * (u128::from(self.column) + 1);
        (product / (u128::from(self.all) + 2)) as u64
    }

    /// The logarithm of the probability of `value` in the upper left cell.
    ///
    /// Factorials are split into n·log n − n and a small remainder. The large parts are summed as
    /// deviations of the cells from their expectations, so that cells of 2⁵³ lose no digits to
    /// cancellation.
    ///
    /// # Source
    /// Loader 2000, "Fast and accurate computation of binomial probabilities".
    fn log_probability(self, value: u64) -> f64 {
        let (row, column) = (self.row, self.column);
        let (other_row, other_column) = (self.all - row, self.all - column);
        let share = |margins: (u64, u64)| margins.0 as f64 / self.all as f64 * margins.1 as f64;
        let deviation = value as f64 - share((row, column));
        // The lower right cell is all − row − column + value; computed left to right it may be
        // negative.
        let cells = [
            (value, share((row, column)), deviation),
            (row - value, share((row, other_column)), -deviation),
            (column - value, share((other_row, column)), -deviation),
            (other_row - (column - value), share((other_row, other_column)), deviation),
        ];
        let margins = stirling_remainder(row)
            + stirling_remainder(other_row)
            + stirling_remainder(column)
            + stirling_remainder(other_column);
        let lost = cells.map(|(cell, expected, deviation)| {
            let change = deviation / expected;
            let divergence = match cell {
                0 => expected,
                _ => expected * ((1.0 + change) * log1p(change) - change),
            };
            divergence + stirling_remainder(cell)
        });
        margins - stirling_remainder(self.all) - lost.iter().sum::<f64>()
    }
}

/// log n! − (n·log n − n), by Stirling's series for n ≥ 16.
fn stirling_remainder(n: u64) -> f64 {
    if n == 0 {
        return 0.0;
    }
    let x = n as f64;
    if n < 16 {
        let factorial: f64 = (1..=n).map(|i| i as f64).product();
        return log(factorial) - x * log(x) + x;
    }
    let square = x * x;
    let series = (1.0 / 12.0
        - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / (1680.0 * square)) / square) / square)
        / x;
    0.5 * log(std::f64::consts::TAU * x) + series
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probabilities of all values, by the ratio of each to the one before.
    fn enumerated(table: Table) -> Vec<f64> {
        let Table { row, column, all } = table;
        let least = column.saturating_sub(all - row);
        let most = row.min(column);
        let mut weights = vec![0.0; least as usize];
        let mut log_weight = 0.0f64;
        let mut logs = vec![0.0];
        for value in least..most {
            let up = (row - value) as f64 * (column - value) as f64;
            let down = (value + 1) as f64 * (all + value + 1 - row - column) as f64;
            log_weight += (up / down).ln();
            logs.push(log_weight);
        }
        let highest = logs.iter().copied().fold(f64::MIN, f64::max);
        let sum: f64 = logs.iter().map(|log| (log - highest).exp()).sum();
        weights.extend(logs.iter().map(|log| (log - highest).exp() / sum));
        weights
    }

    const TABLES: [Table; 7] = [
        Table { row: 4, column: 5, all: 10 },
        Table { row: 1, column: 1, all: 2 },
        Table { row: 9, column: 3, all: 10 },
        Table { row: 60, column: 31, all: 100 },
        Table { row: 300, column: 500, all: 1000 },
        Table { row: 999, column: 500, all: 1001 },
        Table { row: 300, column: 20_000, all: 40_001 },
    ];

    #[test]
    fn probabilities_are_those_of_enumeration() {
        for table in TABLES {
            for (value, probability) in enumerated(table).into_iter().enumerate() {
                if probability > 1e-280 {
                    let log = table.log_probability(value as u64);
                    let miss = (log - probability.ln()).abs();
                    assert!(miss < 1e-10, "{table:?} {value}: {log} {}", probability.ln());
                }
            }
        }
    }

    #[test]
    fn numbers_are_drawn_as_often_as_enumeration_says() {
        // χ² of 200,000 draws by rejection and of 200,000 one by one, with values expected fewer
        // than ten times pooled. Wilson and Hilferty's cube root is normal to within a percent of
        // its deviation. With bounds at five deviations one seed in 200,000 raises a false alarm
        // over all fourteen tests. The seed is fixed.
        let key = crate::random::key(11, "urns");
        for (number, table) in TABLES.into_iter().enumerate() {
            let urn = Urn { all: table.all, chosen: table.column };
            let draws: [&dyn Fn(&mut ShortStream) -> u64; 2] =
                [&|random| table.draw(random), &|random| urn.one_by_one(table.row, random)];
            for draw in draws {
                let mut random = ShortStream::new(key, number as u64);
                let probabilities = enumerated(table);
                let mut counts = vec![0.0; probabilities.len()];
                let drawn = 200_000;
                for _ in 0..drawn {
                    counts[draw(&mut random) as usize] += 1.0;
                }
                let (mut squares, mut values) = (0.0, 0.0);
                let (mut seldom, mut seldom_expected) = (0.0, 0.0);
                for (count, probability) in counts.iter().zip(&probabilities) {
                    let expected = probability * f64::from(drawn);
                    if expected < 10.0 {
                        seldom += count;
                        seldom_expected += expected;
                    } else {
                        squares += (count - expected) * (count - expected) / expected;
                        values += 1.0;
                    }
                }
                if seldom_expected >= 10.0 {
                    squares += (seldom - seldom_expected).powi(2) / seldom_expected;
                    values += 1.0;
                }
                let free: f64 = values - 1.0;
                let part = 2.0 / (9.0 * free);
                let deviations = ((squares / free).cbrt() - (1.0 - part)) / part.sqrt();
                assert!(deviations < 5.0, "{table:?}: χ² {squares} of {free}");
            }
        }
    }

    #[test]
    fn counts_of_billions_have_the_mean_and_variance_of_the_law() {
        // 4·10⁹ of 10¹⁰ and of 2⁵² tokens, half of which are drawn: 20,000 draws have a mean
        // within σ/√20000 and a variance within 1% of the law's; bounds at five deviations.
        for all in [10_000_000_000u64, 1 << 52] {
            let table = Table { row: 4_000_000_000, column: all / 2, all };
            let share = table.row as f64 / all as f64;
            let variance = table.row as f64 / 4.0 * (1.0 - share);
            let mut random = ShortStream::new(crate::random::key(5, "billions"), 1);
            let misses: Vec<f64> = (0..20_000)
                .map(|_| table.draw(&mut random) as f64 - table.row as f64 / 2.0)
                .collect();
            let mean = misses.iter().sum::<f64>() / 2e4;
            let found = misses.iter().map(|miss| miss * miss).sum::<f64>() / 2e4;
            assert!(mean.abs() < 5.0 * (variance / 2e4).sqrt(), "{mean}");
            assert!((found / variance - 1.0).abs() < 0.05, "{found} {variance}");
        }
    }
}
