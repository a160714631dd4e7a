//! Factors of many levels, whose means are taken out of all columns in place of a coefficient for
//! each.

use std::collections::HashMap;

use ndarray::Array2;
use rayon::prelude::*;

use crate::effects::EffectsError;
use crate::progress::Progress;

/// The squared length of the means that are left in a column, over that of the column, at which they
/// count as taken out.
const TOLERANCE: f64 = 1e-24;
/// Steps for a column at most.
const MAX_STEPS: usize = 10_000;

/// Factors to absorb over some documents.
#[derive(Debug, Clone)]
pub(super) struct Absorbed {
    factors: Vec<AbsorbedFactor>,
    /// By pair of factors, the levels that occur together.
    together: Vec<LevelPairs>,
    weights: Option<Vec<f64>>,
}

/// The levels of two factors that occur together.
#[derive(Debug, Clone)]
struct LevelPairs {
    /// The places of the factors.
    factors: (usize, usize),
    /// Level of the one, level of the other, sum of the weights of the documents with both.
    sums: Vec<(u32, u32, f64)>,
}

#[derive(Debug, Clone)]
struct AbsorbedFactor {
    /// The level of every document.
    codes: Vec<u32>,
    /// By level, the sum of its documents' weights.
    totals: Vec<f64>,
}

impl Absorbed {
    /// Factors by the level of every document; the documents' weights.
    pub(super) fn new(factors: Vec<Vec<u32>>, weights: Option<Vec<f64>>) -> Self {
        let weight = |document: usize| weights.as_ref().map_or(1.0, |weights| weights[document]);
        let factor = |codes: Vec<u32>| {
            let mut totals = vec![0.0; codes.iter().max().map_or(0, |last| *last as usize + 1)];
            for (document, code) in codes.iter().enumerate() {
                totals[*code as usize] += weight(document);
            }
            AbsorbedFactor { codes, totals }
        };
        let factors: Vec<AbsorbedFactor> = factors.into_iter().map(factor).collect();
        let mut together = Vec::new();
        for (one, first) in factors.iter().enumerate() {
            for (other, second) in factors.iter().enumerate().skip(one + 1) {
                let mut pairs: Vec<(u32, u32, usize)> = first
                    .codes
                    .iter()
                    .zip(&second.codes)
                    .enumerate()
                    .map(|(document, (a, b))| (*a, *b, document))
                    .collect();
                pairs.par_sort_unstable();
                let mut sums: Vec<(u32, u32, f64)> = Vec::new();
                for (a, b, document) in pairs {
                    match sums.last_mut() {
                        Some(last) if (last.0, last.1) == (a, b) => last.2 += weight(document),
                        _ => sums.push((a, b, weight(document))),
                    }
                }
                together.push(LevelPairs { factors: (one, other), sums });
            }
        }
        Self { factors, together, weights }
    }

    /// Number of coefficients that they stand for: their levels, less one for each factor after the
    /// first. Factors of which each level lies within one of `clusters` do not count, as clustered
    /// errors allow for them, except for their common mean.
    pub(super) fn coefficients(&self, clusters: Option<&[u32]>) -> usize {
        let is_within = |factor: &AbsorbedFactor| {
            let Some(clusters) = clusters else { return false };
            let mut of_level = HashMap::new();
            let mut own = factor.codes.iter().zip(clusters);
            own.all(|(level, cluster)| *of_level.entry(level).or_insert(cluster) == cluster)
        };
        let levels = |factor: &AbsorbedFactor| {
            if is_within(factor) {
                1
            } else {
                factor.totals.iter().filter(|sum| **sum > 0.0).count()
            }
        };
        let all: usize = self.factors.iter().map(levels).sum();
        all + 1 - self.factors.len().max(1)
    }

    /// Takes the means of all levels out of every column, so that none is left.
    pub(super) fn take_out(&self, columns: &mut Array2<f64>) {
        let mut each: Vec<Vec<f64>> =
            columns.columns().into_iter().map(|column| column.to_vec()).collect();
        each.par_iter_mut().for_each(|column| self.take_out_of(column));
        for (mut column, own) in columns.columns_mut().into_iter().zip(&each) {
            column.iter_mut().zip(own).for_each(|(to, value)| *to = *value);
        }
    }

    /// As [`Self::take_out`], of shares in single precision.
    ///
    /// # Errors
    /// [`EffectsError::Cancelled`]; then some columns are as they were.
    pub(super) fn take_out_shares_in_words(
        &self,
        shares: &mut Array2<f32>,
        progress: &dyn Progress,
    ) -> Result<(), EffectsError> {
        progress.begin("absorbed fields", shares.ncols() as u64, "");
        let at_once = rayon::current_num_threads().max(1);
        for from in (0..shares.ncols()).step_by(at_once) {
            if progress.cancelled() {
                return Err(EffectsError::Cancelled);
            }
            let end = (from + at_once).min(shares.ncols());
            let mut each: Vec<Vec<f64>> = (from..end)
                .map(|at| shares.column(at).iter().map(|&share| share.into()).collect())
                .collect();
            each.par_iter_mut().for_each(|column| self.take_out_of(column));
            for (at, own) in (from..end).zip(&each) {
                let to = shares.column_mut(at);
                to.into_iter().zip(own).for_each(|(to, value)| *to = *value as f32);
            }
            progress.step(end as u64, None);
        }
        Ok(())
    }

    /// The effects u of all levels minimise Σ w (y − Σ u)². Their normal equations are solved by
    /// conjugate gradients, preconditioned by the levels' weights; with one factor that is one step.
    fn take_out_of(&self, column: &mut [f64]) {
        let weight =
            |document: usize| self.weights.as_ref().map_or(1.0, |weights| weights[document]);
        let whole: f64 = column.iter().enumerate().map(|(at, y)| weight(at) * y * y).sum();
        let sums = |factor: &AbsorbedFactor| {
            let mut sums = vec![0.0; factor.totals.len()];
            for (document, (code, value)) in factor.codes.iter().zip(&*column).enumerate() {
                sums[*code as usize] += weight(document) * value;
            }
            sums
        };
        let mut rest: Vec<Vec<f64>> = self.factors.iter().map(sums).collect();
        let mut effects: Vec<Vec<f64>> = rest.iter().map(|sums| vec![0.0; sums.len()]).collect();
        let mut step = self.means(&rest);
        let mut square = dot(&rest, &step);
        for _ in 0..MAX_STEPS {
            if square.is_nan() || square <= TOLERANCE * whole {
                break;
            }
            let moved = self.normal_product(&step);
            let length = square / dot(&step, &moved);
            add(&mut effects, &step, length);
            add(&mut rest, &moved, -length);
            let next = self.means(&rest);
            let next_square = dot(&rest, &next);
            let part = next_square / square;
            for (step, next) in step.iter_mut().flatten().zip(next.iter().flatten()) {
                *step = next + part * *step;
            }
            square = next_square;
        }
        for (factor, effects) in self.factors.iter().zip(&effects) {
            for (value, code) in column.iter_mut().zip(&factor.codes) {
                *value -= effects[*code as usize];
            }
        }
    }

    /// Sums over the levels' documents, over the levels' weights.
    fn means(&self, sums: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let of = |(sums, factor): (&Vec<f64>, &AbsorbedFactor)| {
            let mean = |(sum, total): (&f64, &f64)| if *total > 0.0 { sum / total } else { 0.0 };
            sums.iter().zip(&factor.totals).map(mean).collect()
        };
        sums.iter().zip(&self.factors).map(of).collect()
    }

    /// By level, the weighted sum over its documents of the sum of their levels' `effects`.
    fn normal_product(&self, effects: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let own = |(effects, factor): (&Vec<f64>, &AbsorbedFactor)| {
            effects.iter().zip(&factor.totals).map(|(effect, total)| effect * total).collect()
        };
        let mut sums: Vec<Vec<f64>> = effects.iter().zip(&self.factors).map(own).collect();
        for &LevelPairs { factors: (one, other), sums: ref pairs } in &self.together {
            for &(a, b, weight) in pairs {
                sums[one][a as usize] += weight * effects[other][b as usize];
                sums[other][b as usize] += weight * effects[one][a as usize];
            }
        }
        sums
    }
}

fn dot(one: &[Vec<f64>], other: &[Vec<f64>]) -> f64 {
    one.iter().flatten().zip(other.iter().flatten()).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [Vec<f64>], more: &[Vec<f64>], times: f64) {
    to.iter_mut().flatten().zip(more.iter().flatten()).for_each(|(to, more)| *to += times * more);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_level_has_a_mean_left_and_what_is_taken_out_is_of_the_levels() {
        let n = 400;
        let codes: Vec<Vec<u32>> = vec![
            (0..n).map(|at| at * at % 17).collect(),
            (0..n).map(|at| at * 7 % 23).collect(),
            (0..n).map(|at| at / 40).collect(),
        ];
        let weights: Vec<f64> = (0..n).map(|at| 0.5 + f64::from(at % 5)).collect();
        let effect =
            |factor: usize, level: u32| f64::from(level * level % 11) * (factor as f64 + 1.0);
        let noise: Vec<f64> = (0..n).map(|at| (f64::from(at) * 12.9898).sin()).collect();
        let take_out = |levels: f64| {
            let absorbed = Absorbed::new(codes.clone(), Some(weights.clone()));
            let value = |(document, _): (usize, usize)| {
                let sum = |factor: usize| effect(factor, codes[factor][document]);
                noise[document] + levels * (0..3).map(sum).sum::<f64>()
            };
            let mut column = Array2::from_shape_fn((n as usize, 1), value);
            absorbed.take_out(&mut column);
            column.column(0).to_vec()
        };
        let left = take_out(3.0);
        for codes in &codes {
            for level in 0..23 {
                let sum: f64 = (0..n as usize)
                    .filter(|at| codes[*at] == level)
                    .map(|at| weights[at] * left[at])
                    .sum();
                assert!(sum.abs() < 1e-8, "{level}: {sum}");
            }
        }
        // Effects of levels are gone to the last bit but rounding; the rest is that of the noise.
        let alone = take_out(0.0);
        assert!(left.iter().zip(&alone).all(|(one, other)| (one - other).abs() < 1e-9));
        // 17 squares have 9 residues.
        let absorbed = Absorbed::new(codes.clone(), None);
        assert_eq!(absorbed.coefficients(None), 9 + 23 + 10 - 2);
        assert_eq!(absorbed.coefficients(Some(&codes[2])), 9 + 23 + 1 - 2);
    }
}
