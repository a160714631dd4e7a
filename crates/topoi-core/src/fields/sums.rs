//! Sums over the documents of a group, and the topic shares that they give.

use super::interval::t_quantile;
use crate::fields::spread::{ENOUGH_DOCUMENTS, TOO_FEW_DOCUMENTS, is_beyond_chance};

/// Sums over the documents of a group that topic shares are computed from. They are additive over
/// documents.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct GroupSums {
    /// Documents added so far.
    pub documents: u64,
    /// Σ w, with w the weights of documents.
    pub weight: f64,
    /// Σ w².
    square: f64,
    /// Σ w²/n, with n the tokens of documents.
    by_tokens: f64,
    /// Σ w θ, Σ w² θ and Σ w² θ² of each topic.
    topics: Vec<[f64; 3]>,
}

/// The share of a topic in a group, with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Σ w θ / Σ w.
    pub share: f64,
    /// Standard error from the spread of documents; `None` for one document.
    pub error: Option<f64>,
    /// Degrees of freedom of the error: documents minus one, or documents minus groups for a pooled
    /// spread.
    pub freedom: f64,
    /// Whether the error uses the pooled spread of all groups.
    pub is_pooled: bool,
}

/// The difference between a topic's share in a group and in all other documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The share in the group minus the share elsewhere.
    pub difference: f64,
    /// Ends of the 95% interval.
    pub interval: Option<(f64, f64)>,
}

impl GroupSums {
    /// Empty sums for `topics` topics.
    pub fn new(topics: usize) -> Self {
        Self {
            documents: 0,
            weight: 0.0,
            square: 0.0,
            by_tokens: 0.0,
            topics: vec![[0.0; 3]; topics],
        }
    }

    /// Number of topics K, the length of the rows that are added.
    pub fn topics(&self) -> usize {
        self.topics.len()
    }

    /// Adds a document with weight `w`; `inverse_tokens` is one over its number of tokens.
    pub fn add(&mut self, theta: &[f64], w: f64, inverse_tokens: f64) {
        self.documents += 1;
        self.weight += w;
        self.square += w * w;
        self.by_tokens += w * w * inverse_tokens;
        for (sums, theta) in self.topics.iter_mut().zip(theta) {
            let weighted = w * theta;
            sums[0] += weighted;
            sums[1] += w * weighted;
            sums[2] += weighted * weighted;
        }
    }

    /// Adds the documents of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.combine(other, 1.0);
        self.documents += other.documents;
    }

    /// The documents of `self` without those of its subset `part`.
    pub fn without(&self, part: &Self) -> Self {
        let mut rest = self.clone();
        rest.combine(part, -1.0);
        rest.documents = self.documents.saturating_sub(part.documents);
        rest
    }

    fn combine(&mut self, other: &Self, sign: f64) {
        self.weight += sign * other.weight;
        self.square += sign * other.square;
        self.by_tokens += sign * other.by_tokens;
        for (sums, other) in self.topics.iter_mut().zip(&other.topics) {
            sums.iter_mut().zip(other).for_each(|(sum, other)| *sum += sign * other);
        }
    }

    /// The share of a topic; `None` where the documents have no weight.
    ///
    /// Documents are the sampling unit: the variance of Σ w θ / Σ w is n/(n−1) · Σ w² (θ − share)²
    /// / (Σ w)². For equal weights that is the usual variance of a mean.
    pub fn share(&self, topic: usize) -> Option<Share> {
        let [first, ..] = *self.topics.get(topic)?;
        if self.documents == 0 || self.weight <= 0.0 {
            return None;
        }
        let n = self.documents as f64;
        let error = (n > 1.0).then(|| (n / (n - 1.0) * self.spread(topic)).sqrt() / self.weight);
        Some(Share { share: first / self.weight, error, freedom: n - 1.0, is_pooled: false })
    }

    /// Σ w² (θ − share)².
    fn spread(&self, topic: usize) -> f64 {
        let [first, second, third] = self.topics[topic];
        let share = first / self.weight;
        (third - 2.0 * share * second + share * share * self.square).max(0.0)
    }

    /// Effective number of documents, (Σ w)² / Σ w².
    fn effective(&self) -> f64 {
        self.weight * self.weight / self.square
    }
}

/// The spread of documents within their groups, pooled over all groups. Shares are skewed: a few
/// documents near 0 have hardly any spread, so groups of few documents use the pooled spread
/// ([`super::spread`]).
///
/// A document of n tokens is taken to have a variance that all documents have, and that of a token
/// over n: documents of a small group may be shorter than others.
#[derive(Debug, Clone)]
pub struct PooledSpread {
    /// By topic, the variance that every document has, and that of a token.
    variances: Vec<(f64, f64)>,
    /// Documents minus groups.
    freedom: f64,
}

impl PooledSpread {
    /// The pooled spread of the documents of `groups`. `token_variances` has the variance of a share
    /// from one token, by topic; 0 where it is not known.
    pub fn new<'a>(
        topics: usize,
        groups: impl Iterator<Item = &'a GroupSums>,
        token_variances: &[f64],
    ) -> Self {
        let (mut spreads, mut squares, mut freedom) = (vec![0.0; topics], 0.0, 0.0);
        let mut by_tokens = 0.0;
        for group in groups.filter(|group| group.documents > 1 && group.weight > 0.0) {
            let n = group.documents as f64;
            freedom += n - 1.0;
            squares += group.square * (n - 1.0) / n;
            by_tokens += group.by_tokens * (n - 1.0) / n;
            spreads.iter_mut().enumerate().for_each(|(topic, sum)| *sum += group.spread(topic));
        }
        let variances = |(topic, sum): (usize, f64)| {
            let token = token_variances.get(topic).copied().unwrap_or(0.0);
            let of_tokens = (token * by_tokens).min(sum);
            let over = |sum: f64, squares: f64| if squares > 0.0 { sum / squares } else { 0.0 };
            (over(sum - of_tokens, squares), over(of_tokens, by_tokens))
        };
        Self { variances: spreads.into_iter().enumerate().map(variances).collect(), freedom }
    }

    /// The share of a topic in a group. A group of few documents has the pooled error, unless its own
    /// is larger by more than chance, and `None` where it has too few.
    pub fn share(&self, group: &GroupSums, topic: usize) -> Option<Share> {
        let share = group.share(topic)?;
        let effective = group.effective();
        let Some(own) = share.error.filter(|_| effective > TOO_FEW_DOCUMENTS) else {
            return Some(Share { error: None, ..share });
        };
        if effective >= ENOUGH_DOCUMENTS || self.freedom <= 0.0 {
            return Some(share);
        }
        let (all, token) = self.variances[topic];
        let pooled = (all * group.square + token * group.by_tokens).sqrt() / group.weight;
        let is_pooled = !is_beyond_chance(own * own, pooled * pooled, effective);
        let error = Some(if is_pooled { pooled } else { own });
        Some(Share { error, freedom: self.freedom, is_pooled, ..share })
    }
}

impl Share {
    /// Ends of the 95% interval, share ± t · error. They may lie outside of 0 to 1, as may the share.
    pub fn interval(self) -> Option<(f64, f64)> {
        let half = t_quantile(self.freedom) * self.error?;
        Some((self.share - half, self.share + half))
    }

    /// The difference from the share in other documents, with Welch's degrees of freedom.
    pub fn minus(self, other: Self) -> Difference {
        let difference = self.share - other.share;
        let interval = self.error.zip(other.error).map(|(one, two)| {
            let (one, two) = (one * one, two * two);
            let freedom =
                (one + two).powi(2) / (one * one / self.freedom + two * two / other.freedom);
            // A pooled spread has the degrees of freedom of all documents, which both shares use.
            let freedom = match self.is_pooled || other.is_pooled {
                true => self.freedom.max(other.freedom),
                false => freedom,
            };
            // Without any spread there is no uncertainty.
            let freedom = if freedom.is_finite() { freedom.max(1.0) } else { f64::MAX };
            let half = t_quantile(freedom) * (one + two).sqrt();
            (difference - half, difference + half)
        });
        Difference { difference, interval }
    }
}

impl Difference {
    /// The distance of the interval from 0; negative where it contains 0, and −∞ without an
    /// interval.
    pub fn distance_from_zero(self) -> f64 {
        let (low, high) = self.interval.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        low.max(-high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::ShortStream;

    fn sums(thetas: &[f64], weights: &[f64]) -> GroupSums {
        let mut sums = GroupSums::new(1);
        thetas.iter().zip(weights).for_each(|(&theta, &w)| sums.add(&[theta], w, 0.0));
        sums
    }

    #[test]
    fn a_share_is_the_mean_and_its_error_that_of_a_mean() {
        let share = sums(&[0.1, 0.2, 0.6], &[1.0; 3]).share(0).expect("a share");
        assert!((share.share - 0.3).abs() < 1e-15);
        // s² = (0.04 + 0.01 + 0.09) / 2, over 3 documents.
        assert!((share.error.expect("three") - (0.07_f64 / 3.0).sqrt()).abs() < 1e-15);
        let (low, high) = share.interval().expect("three");
        assert!(
            (low + high - 0.6).abs() < 1e-12
                && (high - (0.3 + 4.3027 * (0.07_f64 / 3.0).sqrt())).abs() < 1e-4
        );
        assert_eq!(sums(&[0.4], &[1.0]).share(0).and_then(Share::interval), None);
        assert_eq!(sums(&[], &[]).share(0), None);
    }

    #[test]
    fn weights_count_documents_as_often_as_they_say() {
        let share = sums(&[0.1, 0.7], &[30.0, 10.0]).share(0).expect("a share");
        assert!((share.share - 0.25).abs() < 1e-15);
        let equal = sums(&[0.1, 0.7, 0.3], &[5.0; 3]).share(0);
        assert!(
            (equal.and_then(|s| s.error).expect("e")
                - sums(&[0.1, 0.7, 0.3], &[1.0; 3]).share(0).and_then(|s| s.error).expect("e"))
            .abs()
                < 1e-15
        );
    }

    #[test]
    fn a_group_of_few_documents_has_the_spread_of_all() {
        let few = sums(&[0.1, 0.1], &[1.0; 2]);
        let many = sums(&[0.0, 0.6].repeat(60), &[1.0; 120]);
        let pooled = PooledSpread::new(1, [&few, &many].into_iter(), &[]);
        let own = many.share(0).and_then(|share| share.error).expect("an error");
        let share = pooled.share(&few, 0).expect("a share");
        // The pooled variance, 0.09, comes almost entirely from the group of 120; the share is over
        // 2 documents.
        let expected = (60.0_f64 * 2.0 * 0.09 / 120.0 / 2.0).sqrt();
        assert!(share.is_pooled && (share.error.expect("an error") - expected).abs() < 1e-9);
        assert!((share.freedom - 120.0).abs() < 1e-9);
        assert_eq!(pooled.share(&many, 0).and_then(|share| share.error), Some(own));
        // One document, or one that outweighs the others, has no interval.
        for alone in [sums(&[0.4], &[1.0]), sums(&[0.4, 0.1], &[100.0, 1.0])] {
            let share = pooled.share(&alone, 0).expect("a share");
            assert_eq!((share.interval(), share.minus(share).interval), (None, None));
        }
    }

    #[test]
    fn the_rest_is_all_without_the_group() {
        let (group, rest) = (sums(&[0.5, 0.25], &[1.0; 2]), sums(&[0.125, 0.0, 0.0625], &[1.0; 3]));
        let mut all = group.clone();
        all.merge(&rest);
        assert_eq!(all.without(&group), rest);
        let difference = group.share(0).expect("g").minus(rest.share(0).expect("r"));
        assert!((difference.difference - (0.375 - 0.0625)).abs() < 1e-15);
        let (low, high) = difference.interval.expect("an interval");
        assert!(
            (low + high) / 2.0 - difference.difference < 1e-12
                && difference.distance_from_zero() == low
        );
    }

    /// Coverage of 95% intervals of a mean of skewed shares over 40 documents, in 2,000 samples.
    /// The binomial deviation of the coverage is 0.005, and for 40 squared uniforms it is slightly
    /// below 95%. A false alarm is rarer than one in a million.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let (samples, mut held) = (2000_u32, 0);
        for sample in 0..samples {
            let mut random = ShortStream::new(7, sample.into());
            let mut uniform = || random.below(1 << 50) as f64 / (1_u64 << 50) as f64;
            let thetas: Vec<f64> = (0..40).map(|_| uniform().powi(2)).collect();
            let (low, high) =
                sums(&thetas, &[1.0; 40]).share(0).and_then(Share::interval).expect("an interval");
            held += u32::from((low..=high).contains(&(1.0 / 3.0)));
        }
        let coverage = f64::from(held) / f64::from(samples);
        assert!((0.925..=0.965).contains(&coverage), "{coverage}");
    }
}
