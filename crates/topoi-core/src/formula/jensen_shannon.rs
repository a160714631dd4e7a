//! The Jensen-Shannon divergence between two distributions over words.

use std::cmp::Ordering;

/// The Jensen-Shannon divergence in bits, from 0 (equal) to 1 (no common word): ½ Σ
/// [p log₂(2p/(p + q)) + q log₂(2q/(p + q))]. Distributions are given as (word, probability),
/// ascending by word, each word once.
///
/// Where the probabilities of one side sum to less than 1, the rest is assumed to lie on words that
/// the other side lacks. That is an upper bound on the divergence for any placement of the rest.
/// Words without positive probability are skipped.
///
/// # Cost
/// One pass over both.
///
/// # Source
/// Lin 1991, "Divergence measures based on the Shannon entropy", equation 4.1 with equal weights.
pub fn jensen_shannon<W: Copy + Ord>(a: &[(W, f64)], b: &[(W, f64)]) -> f64 {
    let (mut of_a, mut of_b) = (positive(a).peekable(), positive(b).peekable());
    let (mut sum, mut sum_a, mut sum_b) = (0.0, 0.0, 0.0);
    loop {
        let order = match (of_a.peek(), of_b.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((a, _)), Some((b, _))) => a.cmp(b),
        };
        let p = if order.is_le() { of_a.next().map_or(0.0, |(_, p)| p) } else { 0.0 };
        let q = if order.is_ge() { of_b.next().map_or(0.0, |(_, q)| q) } else { 0.0 };
        sum_a += p;
        sum_b += q;
        sum += if order.is_eq() { part(p, p + q) + part(q, p + q) } else { p + q };
    }
    let missing = (1.0 - sum_a).max(0.0) + (1.0 - sum_b).max(0.0);
    ((sum + missing) / 2.0).clamp(0.0, 1.0)
}

/// p log₂(2p / (p + q)).
fn part(p: f64, both: f64) -> f64 {
    p * (2.0 * p / both).log2()
}

fn positive<W: Copy>(words: &[(W, f64)]) -> impl Iterator<Item = (W, f64)> + '_ {
    words.iter().copied().filter(|&(_, p)| p > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// H(½(P + Q)) − ½H(P) − ½H(Q) over all words; missing probability is on a word of its own.
    fn by_entropies(a: &[f64], b: &[f64]) -> f64 {
        let whole = |own: &[f64], at: usize| {
            let mut all = own.to_vec();
            all.extend([0.0, 0.0]);
            all[own.len() + at] = 1.0 - own.iter().sum::<f64>();
            all
        };
        let entropy =
            |p: &[f64]| -> f64 { p.iter().filter(|&&p| p > 0.0).map(|p| -p * p.log2()).sum() };
        let (a, b) = (whole(a, 0), whole(b, 1));
        let mean: Vec<f64> = a.iter().zip(&b).map(|(p, q)| (p + q) / 2.0).collect();
        entropy(&mean) - (entropy(&a) + entropy(&b)) / 2.0
    }

    proptest! {
        #[test]
        fn it_is_the_entropy_of_the_mean_less_the_mean_of_the_entropies(
            a in prop::collection::vec(0u8..5, 12),
            b in prop::collection::vec(0u8..5, 12),
            missing in 1u8..4,
        ) {
            let scaled = |counts: &[u8], missing: u8| -> Vec<f64> {
                let sum: f64 = counts.iter().map(|&n| f64::from(n)).sum();
                counts.iter().map(|&n| f64::from(n) / (sum + f64::from(missing))).collect()
            };
            let (a, b) = (scaled(&a, missing), scaled(&b, 1));
            let words = |p: &[f64]| -> Vec<(i64, f64)> { (0..).zip(p.iter().copied()).collect() };
            let found = jensen_shannon(&words(&a), &words(&b));
            prop_assert!((found - by_entropies(&a, &b)).abs() < 1e-12);
            prop_assert_eq!(found, jensen_shannon(&words(&b), &words(&a)));
        }
    }

    #[test]
    fn the_same_is_at_0_and_nothing_in_common_at_1() {
        let a = [(1, 0.5), (4, 0.25), (9, 0.25)];
        assert_eq!(jensen_shannon(&a, &a), 0.0);
        assert_eq!(jensen_shannon(&a, &[(2, 0.5), (3, 0.5)]), 1.0);
        assert_eq!(jensen_shannon(&a, &[]), 1.0);
        // A quarter of it may lie on other words.
        assert_eq!(jensen_shannon(&a[..2], &a[..2]), 0.25);
        // By hand: ½ (1 + log₂(4/3) − … ) of {1} and {1, 2} in halves: 1 − ¾·log₂3 + ½.
        let found = jensen_shannon(&[(1, 1.0)], &[(1, 0.5), (2, 0.5)]);
        assert!((found - (1.5 - 0.75 * 3_f64.log2())).abs() < 1e-15);
    }
}
