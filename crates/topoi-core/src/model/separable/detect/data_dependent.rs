//! DDP: novel words by the rows of Ê as directions.

use ndarray::{Array2, ArrayView1};
use rayon::prelude::*;

use crate::model::separable::detect::Candidates;
use crate::model::separable::settings::SeparableSettings;

/// The words whose margin min_{j∈J_i}(C_ii − C_ij) is at least γ/2, the largest first.
///
/// With a distance d, J_i = {j : D_ij ≥ d/2}; without one J_i is the given share of the words, those
/// farthest from i. A word that has none in J_i is not taken for novel: as printed it would be, with every margin.
/// Without a γ it is half the median of the 10·K largest margins, so that words
/// in the middle of everything, whose margin is noise about 0, stay out; or the n·K words with the largest positive
/// margins are taken. `c` is ½(Ê + Êᵀ), W × W.
///
/// # Cost
/// A few W² operations.
///
/// # Source
/// Ding et al. 2013, algorithm 1 lines 5 to 10, and §6.1 (r = W/2, the s = 10·K largest).
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
                    let half =
                        ((words as f64 * settings.far) as usize).clamp(1, order.len().max(1));
                    let half = half.min(order.len());
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
    if let (None, Some(of_topic)) = (settings.margin, settings.novel_per_topic) {
        let mut largest = Candidates::of_scores(&margins);
        largest.truncate(of_topic * settings.topics);
        return largest;
    }
    let gamma = settings.margin.unwrap_or_else(|| usual_margin(&margins, settings.topics));
    let scores: Vec<f64> =
        margins.iter().map(|&margin| if margin >= gamma / 2.0 { margin } else { 0.0 }).collect();
    Candidates { margin: Some(gamma), ..Candidates::of_scores(&scores) }
}

/// C_ii less the largest C_ij; −∞ where there is no j.
fn margin(i: usize, row: ArrayView1<'_, f64>, far: impl Iterator<Item = usize>) -> f64 {
    far.map(|j| row[j]).reduce(f64::max).map_or(f64::NEG_INFINITY, |most| row[i] - most)
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
        // The two largest margins, and those over the one word that is farthest.
        let top = SeparableSettings { novel_per_topic: Some(1), ..auto };
        let found = novel_words(&c, &top);
        assert_eq!((found.words, found.scores, found.margin), (vec![2, 0], vec![8.0, 5.0], None));
        let found = novel_words(&c, &SeparableSettings { far: 0.25, ..top });
        assert_eq!((found.words, found.scores), (vec![0, 1], vec![10.0, 10.0]));
    }

    #[test]
    fn a_word_that_is_far_from_none_is_not_novel() {
        let c = array![[3.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 9.0]];
        let settings = SeparableSettings {
            distance: Some(18.0),
            margin: Some(1.0),
            ..SeparableSettings::new(Detector::DataDependent, 2)
        };
        // D: 01 → 3, 02 → 12, 12 → 9: word 1 is far from word 2 alone.
        let found = novel_words(&c, &settings);
        assert_eq!((found.words, found.scores), (vec![2, 0, 1], vec![8.0, 3.0, 1.0]));
        let none = SeparableSettings { distance: Some(100.0), ..settings };
        assert!(novel_words(&c, &none).words.is_empty());
        let none = SeparableSettings { margin: None, ..none };
        assert!(novel_words(&c, &none).words.is_empty());
    }
}
