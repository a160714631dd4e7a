//! The initial topics of tokens.

use ndarray::{Array2, ArrayView1};

use super::lane::LANES;
use super::sampler::on_part;
use crate::random::{ShortStream, key};
use crate::stream::StreamError;
use crate::stream::documents::Documents;

/// The initial topics of the tokens of each lane.
///
/// Without given topics they are uniform. Evenly mixed topics can develop in any direction. Topics
/// that start by growing together, each token drawn given those before it, are mixtures that the
/// chain does not leave (papers/factorisation.md has numbers). With given topics (W × K) and α, a
/// token is drawn given those before it in its document.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
pub(super) fn start(
    documents: &Documents<'_>,
    topics: usize,
    given: Option<(&Array2<f64>, f64)>,
    seed: u64,
) -> Result<Vec<Vec<u16>>, StreamError> {
    let key = key(seed, &on_part(documents, "start".into()));
    let of_lane = |blocks| {
        let mut of_tokens = Vec::new();
        let mut chances = vec![0.0; topics];
        documents.visit(blocks, |batch| {
            for (&number, (words, counts, length)) in batch.numbers.iter().zip(batch.documents()) {
                let mut random = ShortStream::new(key, number);
                let Some((of_words, alpha)) = given else {
                    let topic = |_| (random.unit() * topics as f64) as u16;
                    of_tokens.extend((0..length as usize).map(topic));
                    continue;
                };
                let mut of_document = vec![alpha; topics];
                for (&word, &count) in words.iter().zip(counts) {
                    for _ in 0..count as usize {
                        let of_word = of_words.row(word as usize);
                        let topic = draw(of_word, &of_document, &mut chances, random.unit());
                        of_document[topic] += 1.0;
                        of_tokens.push(topic as u16);
                    }
                }
            }
        })?;
        Ok(of_tokens)
    };
    documents.lanes_without_parts(LANES).into_iter().map(of_lane).collect()
}

/// Probability of a word that a topic lacks. Words that all topics lack are then drawn evenly.
const UNKNOWN_PROBABILITY: f64 = 1e-12;

/// Draws a topic of a word, p(k) ∝ φ_wk·θ_k, from a number in [0, 1). `sums` is a buffer.
fn draw(of_word: ArrayView1<'_, f64>, of_document: &[f64], sums: &mut [f64], unit: f64) -> usize {
    let mut sum = 0.0;
    for ((own, share), out) in of_word.iter().zip(of_document).zip(&mut *sums) {
        sum += (own + UNKNOWN_PROBABILITY) * share;
        *out = sum;
    }
    sums.partition_point(|&below| below <= unit * sum).min(sums.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::lda_gibbs::sampler::tests::many;
    use crate::progress::Silent;

    /// Initial tokens of each word (40) and topic (2).
    fn counts(documents: &Documents<'_>, given: &Array2<f64>) -> Array2<f64> {
        let lanes = start(documents, 2, Some((given, 0.1)), 5).expect("in memory");
        let mut topics = lanes.into_iter().flatten();
        let mut counts = Array2::zeros((40, 2));
        documents
            .visit(0..15, |batch| {
                for (&word, &count) in batch.words.iter().zip(&batch.counts) {
                    for topic in topics.by_ref().take(count as usize) {
                        counts[(word as usize, usize::from(topic))] += 1.0;
                    }
                }
            })
            .expect("in memory");
        counts
    }

    #[test]
    fn tokens_begin_in_the_topics_that_are_given_as_often_as_these_say() {
        let source = many();
        let positions: Vec<u32> = (0..40).collect();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        // One topic has only the words below 20, the other has all words.
        let given = Array2::from_shape_fn((40, 2), |(word, topic)| match topic {
            1 => f64::from(u8::from(word < 20)) / 20.0,
            _ => 1.0 / 40.0,
        });
        let found = counts(&documents, &given);
        assert!((20..40).all(|word| found[(word, 1)] == 0.0));
        // 150 documents of 15 tokens, with α = 0.1 for each topic, drawn with odds 1 to 2 and each
        // token given those before it: shares near 0 and 1, with a mean above 2/3 whose deviation
        // is below 0.04. Five deviations are exceeded by chance once in three million seeds.
        let share = found.slice(ndarray::s![..20, 1]).sum() / (150.0 * 15.0);
        assert!(share > 0.667 - 0.2 && share < 1.0, "{share}");
        assert_eq!(counts(&documents, &given), found);
        // Words that no topic has can go to any topic.
        let found = counts(&documents, &Array2::zeros((40, 2)));
        assert!(found.sum_axis(ndarray::Axis(0)).iter().all(|&tokens| tokens > 1000.0));
    }
}
