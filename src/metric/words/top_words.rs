//! The most probable words of topics.

use ndarray::{Array2, ArrayView1};
use rayon::prelude::*;

/// Word numbers of the `count` largest entries of a column that are above zero, largest first;
/// equal ones go to the lower word. O(W log W).
pub fn top_words(column: ArrayView1<'_, f64>, count: usize) -> Vec<usize> {
    // In B the entries of a column are a row apart.
    let values = column.to_vec();
    let words = (0..values.len()).filter(|&word| values[word] > 0.0).collect();
    largest(words, |word| values[word], count)
}

/// The `count` of `words` with the largest values, largest first; equal ones go to the lower word.
pub fn largest(mut words: Vec<usize>, value: impl Fn(usize) -> f64, count: usize) -> Vec<usize> {
    let order = |a: &usize, b: &usize| value(*b).total_cmp(&value(*a)).then(a.cmp(b));
    if count < words.len() {
        words.select_nth_unstable_by(count, order);
        words.truncate(count);
    }
    words.sort_by(order);
    words
}

/// [`top_words`] of every column of B (W × K).
pub fn top_words_of_topics(topics: &Array2<f64>, count: usize) -> Vec<Vec<usize>> {
    (0..topics.ncols())
        .into_par_iter()
        .map(|topic| top_words(topics.column(topic), count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn ties_go_to_the_lower_word_and_zeros_are_left_out() {
        let column = array![0.1, 0.0, 0.4, 0.1, 0.4];
        assert_eq!(top_words(column.view(), 3), [2, 4, 0]);
        assert_eq!(top_words(column.view(), 9), [2, 4, 0, 3]);
    }
}
