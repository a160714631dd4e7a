//! The stored form of a topic's word probabilities: whole numbers of [`WHOLE`], as a plain JSON array, so that any reader
//! of SQLite can use it and a million of them are written in the time of a few rows.
//!
//! The topics of a run are rounded to it before anything is computed from them ([`round_topics`]), so that what is saved is
//! the result itself. A word of a topic that thirty million tokens belong to is known to a ten-thousandth of a token.

use ndarray::Array2;

/// The number that stands for a probability of 1.
pub const WHOLE: u64 = 1_000_000_000_000;

/// The whole number of a probability; at least 1 for a positive one, so that no word leaves its topic by rounding.
pub fn whole_number(probability: f64) -> u64 {
    match probability > 0.0 {
        true => ((probability * WHOLE as f64).round() as u64).max(1),
        false => 0,
    }
}

/// The probability of a whole number, as SQL's division gives it.
pub fn probability(whole_number: u64) -> f64 {
    whole_number as f64 / WHOLE as f64
}

/// A probability as it is saved.
pub fn rounded(value: f64) -> f64 {
    probability(whole_number(value))
}

/// Rounds B (W × K, columns sum to 1) to whole numbers. What the numbers of a column lack of [`WHOLE`] goes to its largest,
/// of equal ones to the first. O(W·K).
pub fn round_topics(topics: &mut Array2<f64>) {
    let k = topics.ncols();
    let (mut sums, mut largest) = (vec![0u64; k], vec![(0u64, 0usize); k]);
    for (word, mut row) in topics.rows_mut().into_iter().enumerate() {
        for (topic, value) in row.iter_mut().enumerate() {
            let number = whole_number(*value);
            sums[topic] += number;
            if number > largest[topic].0 {
                largest[topic] = (number, word);
            }
            *value = probability(number);
        }
    }
    let words = topics.nrows() as u64;
    for (topic, (sum, (number, word))) in sums.into_iter().zip(largest).enumerate() {
        // A column that does not sum to 1 stays as it is.
        if sum.abs_diff(WHOLE) <= words && number + WHOLE > sum {
            topics[(word, topic)] = probability(number + WHOLE - sum);
        }
    }
}

/// The JSON array of whole numbers.
pub fn write(numbers: impl Iterator<Item = u64>) -> String {
    let mut text = String::from("[");
    for number in numbers {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(itoa::Buffer::new().format(number));
    }
    text.push(']');
    text
}

/// The probabilities of what [`write()`] made for `words` words.
///
/// # Errors
/// What is wrong, in words that follow "the probabilities of its topic 3". Stores may come from anybody.
pub fn read(text: &str, words: usize) -> Result<Vec<f64>, &'static str> {
    let numbers: Vec<u64> =
        serde_json::from_str(text).map_err(|_| "are no JSON that topoi writes")?;
    if numbers.len() != words {
        return Err("are not as many as its vocabulary has terms");
    }
    if numbers.iter().any(|&number| number > WHOLE) {
        return Err("are not all from 0 to 1");
    }
    Ok(numbers.into_iter().map(probability).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use proptest::prelude::*;

    #[test]
    fn columns_sum_to_one_and_what_they_lack_goes_to_the_largest() {
        let third = 1.0 / 3.0;
        let mut topics = array![[third, 0.5], [third, 0.5 - 1e-15], [third, 1e-15]];
        round_topics(&mut topics);
        let numbers = topics.mapv(whole_number);
        let expected = array![
            [333_333_333_334, 499_999_999_999],
            [333_333_333_333, 500_000_000_000],
            [333_333_333_333, 1]
        ];
        assert_eq!(numbers, expected);
    }

    proptest! {
        #[test]
        fn rounding_keeps_sums_zeros_and_differences_below_a_unit_a_word(
            column in prop::collection::vec(prop_oneof![Just(0.0), 1e-14f64..1.0], 1..200),
        ) {
            let sum: f64 = column.iter().sum();
            prop_assume!(sum > 0.0);
            let exact: Vec<f64> = column.iter().map(|value| value / sum).collect();
            let mut topics = Array2::from_shape_vec((column.len(), 1), exact.clone()).expect("shape");
            round_topics(&mut topics);
            let numbers: Vec<u64> = topics.iter().map(|&value| whole_number(value)).collect();
            prop_assert_eq!(numbers.iter().sum::<u64>(), WHOLE);
            let far = (column.len() + 1) as f64 / WHOLE as f64;
            for (before, after) in exact.iter().zip(&topics) {
                prop_assert!((before - after).abs() <= far);
                prop_assert_eq!(*before > 0.0, *after > 0.0);
            }
            let once = topics.clone();
            round_topics(&mut topics);
            prop_assert_eq!(&once, &topics);
            let read = read(&write(numbers.into_iter()), column.len()).expect("as written");
            prop_assert_eq!(read, topics.into_iter().collect::<Vec<f64>>());
        }
    }

    #[test]
    fn what_is_no_array_of_as_many_probabilities_is_refused() {
        for (text, says) in [
            ("[1,2", "are no JSON that topoi writes"),
            ("[1,-2]", "are no JSON that topoi writes"),
            ("[0.5,1]", "are no JSON that topoi writes"),
            ("[1]", "are not as many as its vocabulary has terms"),
            ("[0,1000000000001]", "are not all from 0 to 1"),
        ] {
            assert_eq!(read(text, 2), Err(says));
        }
    }
}
