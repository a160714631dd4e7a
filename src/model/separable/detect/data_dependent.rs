//! DDP: novel words by the rows of Ê as directions.

use ndarray::{Array2, ArrayView1};
use rayon::prelude::*;

use crate::model::separable::detect::Candidates;
use crate::model::separable::settings::SeparableSettings;

/// The words whose margin min_{j∈J_i}(C_ii − C_ij) is at least γ/2, the largest first.
///
/// With a distance d, J_i = {j : D_ij ≥ d/2}; without one J_i is the half of the words that are
/// farthest from i. Without a γ it is half the median of the 10·K largest margins, so that words
/// in the middle of everything, whose margin is noise about 0, stay out. `c` is ½(Ê + Êᵀ), W × W.
///
/// # Cost
/// A few W² operations.
///
/// # Source
/// Ding et al. 2013, algorithm 1 lines 5 to 10, and §6.1 (r = W/2, the s = 10·K largest; there
/// all s of them are taken).
pub(in crate::model::separable) fn novel_words(
    c: &Array2<f64>,
    settings: &SeparableSettings,
) -> Candidates {
    let words = c.nrows();
    let diagonal = c.diag().to_owned();
    let margins: Vec<f64> = (0..words)
        .into_par_iter()
        .map(|i| {
            let row = c.row(i);
            let far = |j: &usize| diagonal[i] - 2.0 * row[*j] + diagonal[*j];
            match settings.distance {
                Some(d) => margin(i, row, (0..words).filter(|j| *j != i && far(j) >= d / 2.0)),
                None => {
                    let mut order: Vec<(f64, usize)> =
                        (0..words).filter(|&j| j != i).map(|j| (far(&j), j)).collect();
                    let half = (words / 2).min(order.len());
                    if half < order.len() {
                        order.select_nth_unstable_by(half, |a, b| {
                            b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
                        });
                    }
                    margin(i, row, order[..half].iter().map(|&(_, j)| j))
                }
            }
        })
        .collect();
    let gamma = settings.margin.unwrap_or_else(|| usual_margin(&margins, settings.topics));
    let scores: Vec<f64> =
        margins.iter().map(|&margin| if margin >= gamma / 2.0 { margin } else { 0.0 }).collect();
    Candidates { margin: Some(gamma), ..Candidates::of_scores(&scores) }
}

/// C_ii less the largest C_ij; −∞ where there is no j.
fn margin(i: usize, row: ArrayView1<'_, f64>, far: impl Iterator<Item = usize>) -> f64 {
    row[i] - far.map(|j| row[j]).fold(f64::NEG_INFINITY, f64::max).max(f64::MIN)
}

/// Half the median of the 10·K largest margins.
fn usual_margin(margins: &[f64], topics: usize) -> f64 {
    let mut largest: Vec<f64> = margins.iter().copied().filter(|m| m.is_finite()).collect();
    largest.sort_unstable_by(|a, b| b.total_cmp(a));
    largest.truncate(10 * topics);
    largest.get(largest.len() / 2).map_or(0.0, |median| (median / 2.0).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::separable::settings::Detector;
    use ndarray::array;

    #[test]
    fn margins_are_those_of_the_definition() {
        // Words 0 and 1 are novel for one topic, 2 for another, 3 is a mixture.
        let c = array![
            [10.0, 9.0, 0.0, 5.0],
            [9.0, 10.0, 0.0, 5.0],
            [0.0, 0.0, 8.0, 4.0],
            [5.0, 5.0, 4.0, 4.5]
        ];
        let settings = SeparableSettings {
            distance: Some(6.0),
            margin: Some(2.0),
            ..SeparableSettings::new(Detector::DataDependent, 2)
        };
        // D: 01 → 2, 02 → 18, 03 → 4.5, 12 → 18, 13 → 4.5, 23 → 4.5.
        let found = novel_words(&c, &settings);
        assert_eq!(found.words, [0, 1, 2]);
        assert_eq!(found.scores, [5.0, 5.0, 4.0]);
        // Without thresholds: the two farthest words of each; margins 5, 5, 8 and −0.5, γ 2.5.
        let auto = SeparableSettings { distance: None, margin: None, ..settings };
        let found = novel_words(&c, &auto);
        assert_eq!((found.words, found.margin), (vec![2, 0, 1], Some(2.5)));
    }
}
