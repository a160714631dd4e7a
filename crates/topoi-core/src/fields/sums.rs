//! Sums over the documents of a group, and the shares of topics they give.

use super::interval::t;
use crate::fields::spread::{ENOUGH, TOO_FEW};

/// What is known of the topics of a group of documents after one pass: additive over documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Sums {
    /// Documents added so far.
    pub documents: u64,
    /// Σ w, the weights of documents.
    pub weight: f64,
    /// Σ w².
    square: f64,
    /// Σ w θ, Σ w² θ and Σ w² θ² of each topic.
    topics: Vec<[f64; 3]>,
}

/// The share of a topic in a group, and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Σ w θ / Σ w.
    pub share: f64,
    /// The standard error of it, from the spread of documents; `None` for one document.
    pub error: Option<f64>,
    /// Degrees of freedom of the error: documents less one, less groups where the spread is pooled.
    pub freedom: f64,
    /// Whether the error is made of the spread of the documents of all groups.
    pub is_pooled: bool,
}

/// How far the share of a topic in a group is from that in all other documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The share here less the share there.
    pub difference: f64,
    /// The ends of its interval.
    pub interval: Option<(f64, f64)>,
}

impl Sums {
    /// Those of no document, for so many topics.
    pub fn none(topics: usize) -> Self {
        Self { documents: 0, weight: 0.0, square: 0.0, topics: vec![[0.0; 3]; topics] }
    }

    /// Length of the rows that are added, K.
    pub fn topics(&self) -> usize {
        self.topics.len()
    }

    /// Adds a document with weight `w`.
    pub fn add(&mut self, theta: &[f64], w: f64) {
        self.documents += 1;
        self.weight += w;
        self.square += w * w;
        for (sums, theta) in self.topics.iter_mut().zip(theta) {
            let weighted = w * theta;
            sums[0] += weighted;
            sums[1] += w * weighted;
            sums[2] += weighted * weighted;
        }
    }

    /// Adds the documents of another.
    pub fn merge(&mut self, other: &Self) {
        self.combine(other, 1.0);
        self.documents += other.documents;
    }

    /// All documents of this that are not in `part`, which is a part of it.
    pub fn without(&self, part: &Self) -> Self {
        let mut rest = self.clone();
        rest.combine(part, -1.0);
        rest.documents = self.documents.saturating_sub(part.documents);
        rest
    }

    fn combine(&mut self, other: &Self, sign: f64) {
        self.weight += sign * other.weight;
        self.square += sign * other.square;
        for (sums, other) in self.topics.iter_mut().zip(&other.topics) {
            sums.iter_mut().zip(other).for_each(|(sum, other)| *sum += sign * other);
        }
    }

    /// The share of a topic. Documents are the sampling unit: the variance of Σ w θ / Σ w is
    /// n/(n−1) · Σ w² (θ − share)² / (Σ w)², which for equal weights is the usual one of a mean.
    ///
    /// `None` where the documents have no weight.
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

    /// The documents of equal weights that say as much as these: (Σ w)² / Σ w².
    fn effective(&self) -> f64 {
        self.weight * self.weight / self.square
    }
}

/// The spread of documents within their groups, the same for all of them. Shares are skewed: a few documents near 0
/// have hardly any spread of their own, so that groups of few documents take this one where it is larger
/// ([`super::spread`]).
#[derive(Debug, Clone)]
pub struct Pooled {
    /// By topic, the variance of a document's share.
    variances: Vec<f64>,
    /// Documents less groups.
    freedom: f64,
}

impl Pooled {
    /// Of the documents of these groups.
    pub fn new<'a>(topics: usize, groups: impl Iterator<Item = &'a Sums>) -> Self {
        let (mut spreads, mut squares, mut freedom) = (vec![0.0; topics], 0.0, 0.0);
        for group in groups.filter(|group| group.documents > 1 && group.weight > 0.0) {
            let n = group.documents as f64;
            freedom += n - 1.0;
            squares += group.square * (n - 1.0) / n;
            spreads.iter_mut().enumerate().for_each(|(topic, sum)| *sum += group.spread(topic));
        }
        let variances =
            spreads.into_iter().map(|sum| if squares > 0.0 { sum / squares } else { 0.0 });
        Self { variances: variances.collect(), freedom }
    }

    /// The share of a topic in a group, with the larger of its own error and the pooled one where the group has few
    /// documents; without one where it has too few for any.
    pub fn share(&self, group: &Sums, topic: usize) -> Option<Share> {
        let share = group.share(topic)?;
        let effective = group.effective();
        let Some(own) = share.error.filter(|_| effective > TOO_FEW) else {
            return Some(Share { error: None, ..share });
        };
        let pooled = (self.variances[topic] / effective).sqrt();
        let is_pooled = effective < ENOUGH && pooled >= own && self.freedom > 0.0;
        Some(match effective < ENOUGH && self.freedom > 0.0 {
            true => {
                Share { error: Some(own.max(pooled)), freedom: self.freedom, is_pooled, ..share }
            }
            false => share,
        })
    }
}

impl Share {
    /// The ends of the 95% interval, share ± t · error, cut off at 0 and 1.
    pub fn interval(self) -> Option<(f64, f64)> {
        let half = t(self.freedom) * self.error?;
        Some(((self.share - half).max(0.0), (self.share + half).min(1.0)))
    }

    /// The difference from the share in other documents, with Welch's degrees of freedom.
    pub fn less(self, other: Self) -> Difference {
        let difference = self.share - other.share;
        let interval = self.error.zip(other.error).map(|(one, two)| {
            let (one, two) = (one * one, two * two);
            let freedom =
                (one + two).powi(2) / (one * one / self.freedom + two * two / other.freedom);
            // Degrees of a pooled spread are those of all documents, which both shares have.
            let freedom = match self.is_pooled || other.is_pooled {
                true => self.freedom.max(other.freedom),
                false => freedom,
            };
            // Without any spread there is nothing to be unsure of.
            let freedom = if freedom.is_finite() { freedom.max(1.0) } else { f64::MAX };
            let half = t(freedom) * (one + two).sqrt();
            (difference - half, difference + half)
        });
        Difference { difference, interval }
    }
}

impl Difference {
    /// How far its interval stays from 0: what documents are sure of; below 0 where it has 0 inside, and the
    /// least for a group of one document.
    pub fn sure(self) -> f64 {
        let (low, high) = self.interval.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        low.max(-high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::ShortStream;

    fn of(thetas: &[f64], weights: &[f64]) -> Sums {
        let mut sums = Sums::none(1);
        thetas.iter().zip(weights).for_each(|(&theta, &w)| sums.add(&[theta], w));
        sums
    }

    #[test]
    fn a_share_is_the_mean_and_its_error_that_of_a_mean() {
        let share = of(&[0.1, 0.2, 0.6], &[1.0; 3]).share(0).expect("a share");
        assert!((share.share - 0.3).abs() < 1e-15);
        // s² = (0.04 + 0.01 + 0.09) / 2, over 3 documents.
        assert!((share.error.expect("three") - (0.07_f64 / 3.0).sqrt()).abs() < 1e-15);
        let (low, high) = share.interval().expect("three");
        assert!(low == 0.0 && (high - (0.3 + 4.3027 * (0.07_f64 / 3.0).sqrt())).abs() < 1e-4);
        assert_eq!(of(&[0.4], &[1.0]).share(0).and_then(Share::interval), None);
        assert_eq!(of(&[], &[]).share(0), None);
    }

    #[test]
    fn weights_count_documents_as_often_as_they_say() {
        let share = of(&[0.1, 0.7], &[30.0, 10.0]).share(0).expect("a share");
        assert!((share.share - 0.25).abs() < 1e-15);
        let equal = of(&[0.1, 0.7, 0.3], &[5.0; 3]).share(0);
        assert!(
            (equal.and_then(|s| s.error).expect("e")
                - of(&[0.1, 0.7, 0.3], &[1.0; 3]).share(0).and_then(|s| s.error).expect("e"))
            .abs()
                < 1e-15
        );
    }

    #[test]
    fn a_group_of_few_documents_has_the_larger_of_its_spread_and_that_of_all() {
        let few = of(&[0.1, 0.1], &[1.0; 2]);
        let many = of(&[0.0, 0.6].repeat(60), &[1.0; 120]);
        let pooled = Pooled::new(1, [&few, &many].into_iter());
        let own = many.share(0).and_then(|share| share.error).expect("an error");
        let share = pooled.share(&few, 0).expect("a share");
        // All but nothing of the pooled variance, 0.09, is that of the 120: over 2 documents.
        let expected = (60.0_f64 * 2.0 * 0.09 / 120.0 / 2.0).sqrt();
        assert!(share.is_pooled && (share.error.expect("an error") - expected).abs() < 1e-9);
        assert!((share.freedom - 120.0).abs() < 1e-9);
        assert_eq!(pooled.share(&many, 0).and_then(|share| share.error), Some(own));
        // One document, or one that outweighs the others, has no interval.
        for alone in [of(&[0.4], &[1.0]), of(&[0.4, 0.1], &[100.0, 1.0])] {
            let share = pooled.share(&alone, 0).expect("a share");
            assert_eq!((share.interval(), share.less(share).interval), (None, None));
        }
    }

    #[test]
    fn the_rest_is_all_without_the_group() {
        let (group, rest) = (of(&[0.5, 0.25], &[1.0; 2]), of(&[0.125, 0.0, 0.0625], &[1.0; 3]));
        let mut all = group.clone();
        all.merge(&rest);
        assert_eq!(all.without(&group), rest);
        let difference = group.share(0).expect("g").less(rest.share(0).expect("r"));
        assert!((difference.difference - (0.375 - 0.0625)).abs() < 1e-15);
        let (low, high) = difference.interval.expect("an interval");
        assert!((low + high) / 2.0 - difference.difference < 1e-12 && difference.sure() == low);
    }

    /// Coverage of 95% intervals of a mean of skewed shares over 40 documents, in 2,000 samples: the binomial
    /// spread of the figure is 0.005, and of 40 squared uniforms the interval holds a little less often. A false
    /// alarm is rarer than one in a million.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let (samples, mut held) = (2000_u32, 0);
        for sample in 0..samples {
            let mut random = ShortStream::of(7, sample.into());
            let mut uniform = || random.below(1 << 50) as f64 / (1_u64 << 50) as f64;
            let thetas: Vec<f64> = (0..40).map(|_| uniform().powi(2)).collect();
            let (low, high) =
                of(&thetas, &[1.0; 40]).share(0).and_then(Share::interval).expect("an interval");
            held += u32::from((low..=high).contains(&(1.0 / 3.0)));
        }
        let coverage = f64::from(held) / f64::from(samples);
        assert!((0.925..=0.965).contains(&coverage), "{coverage}");
    }
}
