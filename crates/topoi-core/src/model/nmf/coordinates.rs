//! Coordinate descent on a document's h.

use super::kernel::{IterationInputs, LEAST_ENTRY};
use super::rows::{GROUP, Group, Rows, dot, total};

/// A document laid out for sweeps: its words are adjacent, in whole groups. Words that pad the last
/// group have count 0 and are in no topic.
#[derive(Debug, Default)]
pub(super) struct Coordinates {
    /// Number of groups of words.
    width: usize,
    /// W's rows of the document's words, transposed: `width` groups for each topic.
    w: Vec<Group>,
    /// x.
    counts: Vec<Group>,
    /// p = Wh.
    means: Vec<Group>,
    /// 1/p.
    inverses: Vec<Group>,
    /// x/p.
    ratios: Vec<Group>,
}

impl Coordinates {
    /// Loads a document with weights `h`.
    #[inline(always)]
    pub(super) fn load(
        &mut self,
        h: &[Group],
        words: &[u32],
        counts: &[f64],
        fixed: IterationInputs<'_>,
    ) {
        let topics = h.len() * GROUP;
        self.width = words.len().div_ceil(GROUP);
        self.w.resize(topics * self.width, [0.0; GROUP]);
        for own in [&mut self.counts, &mut self.means, &mut self.inverses, &mut self.ratios] {
            own.resize(self.width, [0.0; GROUP]);
        }
        for (group, words) in words.chunks(GROUP).enumerate() {
            let counts = &counts[group * GROUP..];
            self.counts[group] =
                std::array::from_fn(|at| if at < words.len() { counts[at] } else { 0.0 });
            self.means[group] = [1.0; GROUP];
            for (at, &word) in words.iter().enumerate() {
                self.means[group][at] = dot(fixed.w.row(word as usize), h).max(LEAST_ENTRY);
            }
            self.transpose(group, words, fixed.w);
            for at in 0..GROUP {
                self.inverses[group][at] = 1.0 / self.means[group][at];
                self.ratios[group][at] = self.counts[group][at] * self.inverses[group][at];
            }
        }
    }

    #[inline(always)]
    fn transpose(&mut self, group: usize, words: &[u32], w: &Rows) {
        for of in 0..w.width() {
            let rows: [Group; GROUP] = std::array::from_fn(|at| match words.get(at) {
                Some(&word) => w.row(word as usize)[of],
                None => [0.0; GROUP],
            });
            let of_topics = self.w[of * GROUP * self.width..].chunks_mut(self.width);
            for (topic, of_topic) in of_topics.take(GROUP).enumerate() {
                of_topic[group] = std::array::from_fn(|at| rows[at][topic]);
            }
        }
    }

    /// Improves every h_k in turn, given the others.
    #[inline(always)]
    pub(super) fn sweep(&mut self, h: &mut [Group], divisors: &[Group]) {
        let topics = h.as_flattened_mut().iter_mut().zip(divisors.as_flattened());
        for (topic, (h, &divisor)) in topics.enumerate() {
            let (pull, curvature) = self.derivatives(topic);
            let new = improved_coordinate(*h, pull, curvature, divisor);
            let change = new - *h;
            // Most weights are zero and stay zero, which saves the divisions.
            if change != 0.0 {
                *h = new;
                self.update_means(topic, change);
            }
        }
    }

    /// Σ x·w/p and Σ x·(w/p)² of a topic.
    #[inline(always)]
    fn derivatives(&self, topic: usize) -> (f64, f64) {
        let (mut pull, mut curvature) = ([0.0; GROUP], [0.0; GROUP]);
        let w = &self.w[topic * self.width..][..self.width];
        for ((w, ratios), inverses) in w.iter().zip(&self.ratios).zip(&self.inverses) {
            for at in 0..GROUP {
                let own = w[at] * ratios[at];
                pull[at] += own;
                curvature[at] += own * (w[at] * inverses[at]);
            }
        }
        (total(pull), total(curvature))
    }

    #[inline(always)]
    fn update_means(&mut self, topic: usize, change: f64) {
        let w = &self.w[topic * self.width..][..self.width];
        let of_words = self.means.iter_mut().zip(&mut self.inverses).zip(&mut self.ratios);
        for (((means, inverses), ratios), (w, counts)) in of_words.zip(w.iter().zip(&self.counts)) {
            for at in 0..GROUP {
                means[at] = (means[at] + change * w[at]).max(LEAST_ENTRY);
                inverses[at] = 1.0 / means[at];
                ratios[at] = counts[at] * inverses[at];
            }
        }
    }
}

/// An improved h_k for the objective divisor·h_k − Σ x·ln p, whose derivative is divisor − `pull`.
///
/// Newton's step upwards cannot overshoot, because the derivative is concave. Downwards it may, so
/// the longer of two safe steps is taken: Newton's, damped as for a self-concordant function
/// (counts are at least 1), and the multiplicative one, which stays above the optimum.
#[inline(always)]
pub(super) fn improved_coordinate(h: f64, pull: f64, curvature: f64, divisor: f64) -> f64 {
    if curvature <= 0.0 {
        return 0.0;
    }
    let slope = pull - divisor;
    let newton = slope / curvature;
    if slope >= 0.0 {
        return h + newton;
    }
    let decrement = -slope / curvature.sqrt();
    (h + newton / (1.0 + decrement)).min(h * pull / divisor).max(0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::improved_coordinate;

    proptest! {
        #[test]
        fn a_coordinate_never_gets_worse(
            words in prop::collection::vec((1u32..50, 1e-6..1.0f64, 1e-9..10.0f64), 1..6),
            h in 0.0..100.0f64,
            divisor in 0.01..2.0f64,
        ) {
            let sum = |of: &dyn Fn(f64, f64, f64) -> f64| -> f64 {
                words.iter().map(|&(x, w, rest)| of(f64::from(x), w, rest + h * w)).sum()
            };
            let pull = sum(&|x, w, p| x * w / p);
            let curvature = sum(&|x, w, p| x * (w / p).powi(2));
            let objective = |h: f64| -> f64 {
                let of_word = |&(x, w, rest): &(u32, f64, f64)| f64::from(x) * (rest + h * w).ln();
                divisor * h - words.iter().map(of_word).sum::<f64>()
            };
            let new = improved_coordinate(h, pull, curvature, divisor);
            prop_assert!(new >= 0.0);
            let (before, after) = (objective(h), objective(new));
            prop_assert!(after <= before + 1e-9 * (1.0 + before.abs()), "{before} {after}");
        }
    }
}
