//! Held-out document completion: how well one half of a document predicts the other.

use crate::model::documents::cvb0::{Cvb0, Cvb0Buffers};
use crate::model::documents::topic_rows::{DocumentCounts, TopicRows};

/// The estimator of the second half's probability.
#[derive(Debug)]
pub struct DocumentCompletion<'a> {
    rows: &'a TopicRows,
    proportions: Cvb0<'a>,
}

impl<'a> DocumentCompletion<'a> {
    /// An estimator for the topics `rows`. `proportions` estimates θ of the first half.
    pub fn new(rows: &'a TopicRows, proportions: Cvb0<'a>) -> Self {
        Self { rows, proportions }
    }

    /// Σ over the second half of `tokens` of log Σ_k B_wk θ_k, in nats, and the number of tokens in
    /// that half. θ is estimated from the first half alone. `tokens` are word numbers in random
    /// order; the second half is the larger one of an odd number.
    ///
    /// # Source
    /// Wallach et al. 2009, §5.1; Asuncion et al. 2009, §4; stm's `eval.heldout`.
    pub fn log_probability(&self, tokens: &[u32], work: &mut Cvb0Buffers) -> (f64, usize) {
        let (seen, unseen) = tokens.split_at(tokens.len() / 2);
        let (words, counts) = count_words(seen);
        self.proportions.infer(DocumentCounts { words: &words, counts: &counts }, work);
        let log = |&word: &u32| {
            let row = self.rows.row(word).iter().zip(work.theta());
            libm::log(row.map(|(b, share)| b * share).sum())
        };
        (unseen.iter().map(log).sum(), unseen.len())
    }
}

/// The distinct words of `tokens`, ascending, and their counts.
fn count_words(tokens: &[u32]) -> (Vec<u32>, Vec<f64>) {
    let mut sorted = tokens.to_vec();
    sorted.sort_unstable();
    let mut counts: Vec<f64> = Vec::new();
    let mut words: Vec<u32> = Vec::new();
    for word in sorted {
        match counts.last_mut().filter(|_| words.last() == Some(&word)) {
            Some(count) => *count += 1.0,
            None => {
                words.push(word);
                counts.push(1.0);
            }
        }
    }
    (words, counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;

    #[test]
    fn the_second_half_is_scored_with_what_the_first_half_says() {
        // Two topics without a common word. The first half is two tokens of topic 0, so that θ₀ =
        // (2 + 0.5) / (2 + 1); the second half is one word of each topic.
        let tiny = 1e-300;
        let b = Array2::from_shape_vec((3, 2), vec![0.5, tiny, 0.5, tiny, tiny, 1.0]);
        let rows = TopicRows::new(&b.expect("3 × 2"));
        let completion = DocumentCompletion::new(&rows, Cvb0::new(&rows, &[0.5, 0.5], 1e-12));
        let (log, tokens) = completion.log_probability(&[0, 1, 1, 2], &mut Cvb0Buffers::default());
        let expected = (0.5 * 2.5 / 3.0f64).ln() + (0.5 / 3.0f64).ln();
        assert_eq!(tokens, 2);
        assert!((log - expected).abs() < 1e-9, "{log} {expected}");
        let (_, tokens) = completion.log_probability(&[0, 1, 2], &mut Cvb0Buffers::default());
        assert_eq!(tokens, 2);
    }

    #[test]
    fn words_are_counted() {
        assert_eq!(count_words(&[4, 1, 4]), (vec![1, 4], vec![1.0, 2.0]));
        assert_eq!(count_words(&[]), (vec![], vec![]));
    }
}
