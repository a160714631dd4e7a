//! The most probable words of topics.

use ndarray::{Array2, ArrayView1};

/// Word numbers of the `count` largest positive entries of a column, largest first; of equal
/// entries the lower word is first. O(W log W).
pub fn top_words(column: ArrayView1<'_, f64>, count: usize) -> Vec<usize> {
    // A copy, because the entries of a column of B are a row apart.
    let values = column.to_vec();
    let words = (0..values.len()).filter(|&word| values[word] > 0.0).collect();
    largest(words, |word| values[word], count)
}

/// The `count` of `words` with the largest values, largest first; of equal values the lower word is
/// first.
pub fn largest(mut words: Vec<usize>, value: impl Fn(usize) -> f64, count: usize) -> Vec<usize> {
    let order = |a: &usize, b: &usize| value(*b).total_cmp(&value(*a)).then(a.cmp(b));
    if count < words.len() {
        words.select_nth_unstable_by(count, order);
        words.truncate(count);
    }
    words.sort_by(order);
    words
}

/// [`top_words`] of every column of B (W × K), in one pass over its rows. A word is examined again
/// only where it is above the `count` best words of a topic so far. O(W·K).
pub fn top_words_of_topics(topics: &Array2<f64>, count: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); topics.ncols()];
    if count == 0 {
        return found;
    }
    let first = |words: Vec<usize>, topic| largest(words, |word| topics[(word, topic)], count);
    let mut least = vec![0.0; topics.ncols()];
    for (word, row) in topics.rows().into_iter().enumerate() {
        for (topic, (&value, least)) in row.iter().zip(&mut least).enumerate() {
            if value > *least {
                found[topic].push(word);
                if found[topic].len() >= 2 * count {
                    found[topic] = first(std::mem::take(&mut found[topic]), topic);
                    *least = topics[(found[topic][count - 1], topic)];
                }
            }
        }
    }
    found.into_iter().enumerate().map(|(topic, words)| first(words, topic)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use proptest::prelude::*;

    #[test]
    fn ties_go_to_the_lower_word_and_zeros_are_left_out() {
        let column = array![0.1, 0.0, 0.4, 0.1, 0.4];
        assert_eq!(top_words(column.view(), 3), [2, 4, 0]);
        assert_eq!(top_words(column.view(), 9), [2, 4, 0, 3]);
    }

    proptest! {
        #[test]
        fn topics_together_have_the_words_that_each_has(
            values in prop::collection::vec(0u8..6, 3 * 40), count in 0usize..50,
        ) {
            let topics = Array2::from_shape_fn((40, 3), |(w, t)| f64::from(values[3 * w + t]));
            let each: Vec<_> = topics.columns().into_iter().map(|b| top_words(b, count)).collect();
            prop_assert_eq!(top_words_of_topics(&topics, count), each);
        }
    }
}
