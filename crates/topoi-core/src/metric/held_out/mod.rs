//! The probability, under topics, of documents they were not fitted to.

pub mod document_completion;
pub mod left_to_right;

use std::ops::Range;

use rayon::prelude::*;

use self::document_completion::DocumentCompletion;
use self::left_to_right::LeftToRight;
use crate::metric::better::Better;
use crate::metric::definition::{Aspect, Scope, Tag, ValueRange, metric_def};
use crate::model::documents::cvb0::{Cvb0, Cvb0Buffers};
use crate::model::documents::topic_rows::TopicRows;
use crate::random::hypergeometric::Urn;
use crate::random::{ShortStream, key};
use crate::stream::StreamError;
use crate::stream::documents::{Batch, Documents};

metric_def! {
    /// log p(document, B, α) of documents the run was not made from, nats a token; left to right
    /// with 20 particles, zeros of B smoothed by η = 0.01 (`settings`)
    pub const HELD_OUT_LOG_PROBABILITY {
        id: "held_out_log_probability",
        scope: Scope::Run,
        better: Some(Better::Larger),
        range: ValueRange::up_to(0.0),
        source: "Ding et al. 2015, §VI-B; Wallach et al. 2009, alg. 3; [documents.md](documents.md)",
        tags: &[Tag::Sweep, Tag::RecommendsK(Aspect::Prediction)],
    }
}
metric_def! {
    /// the standard error of `held_out_log_probability`, over documents
    pub const HELD_OUT_LOG_PROBABILITY_ERROR {
        id: "held_out_log_probability_error",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "",
        tags: &[],
    }
}
metric_def! {
    /// log p(second half of a held-out document) given its first half, nats a token
    pub const DOCUMENT_COMPLETION {
        id: "document_completion",
        scope: Scope::Run,
        better: Some(Better::Larger),
        range: ValueRange::up_to(0.0),
        source: "Wallach et al. 2009, §5.1",
        tags: &[Tag::Sweep, Tag::RecommendsK(Aspect::Prediction)],
    }
}
metric_def! {
    /// the standard error of `document_completion`, over documents
    pub const DOCUMENT_COMPLETION_ERROR {
        id: "document_completion_error",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "",
        tags: &[],
    }
}
metric_def! {
    /// held-out documents that were scored
    pub const HELD_OUT_DOCUMENTS {
        id: "held_out_documents",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "",
        tags: &[],
    }
}
metric_def! {
    /// held-out documents of more than 50,000 tokens in the vocabulary, of which a random 50,000 were scored
    pub const HELD_OUT_SUBSAMPLED {
        id: "held_out_subsampled",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "[documents.md](documents.md)",
        tags: &[],
    }
}

/// Particles of the left-to-right estimate.
pub const PARTICLES: usize = 20;
/// Largest number of tokens scored in a document. The left-to-right estimate stores the topic of
/// every token in every particle, and a document may have billions of tokens.
pub const MAX_SCORED_TOKENS: u64 = 50_000;
/// Bytes that a thread needs for each scored token: the token, and its topic in every particle,
/// twice during resampling. A growing list has up to twice the capacity it needs.
const BYTES_PER_TOKEN: usize = 4 + 2 * 2 * 4 * PARTICLES;
/// Share of a document's tokens that the last sweep may move when θ of its first half has
/// converged.
const TOLERANCE: f64 = 1e-3;

/// A mean per token over documents, with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PerToken {
    /// Mean in nats a token.
    pub mean: f64,
    /// Standard error, with documents as independent draws; NaN for fewer than two.
    pub error: f64,
}

/// Scores of topics on documents they were not fitted to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeldOut {
    /// Number of documents scored.
    pub documents: u64,
    /// Documents with more than [`MAX_SCORED_TOKENS`] tokens, scored by a random sample of that
    /// size.
    pub subsampled: u64,
    /// log p(document | B, α), by [`LeftToRight`].
    pub log_probability: PerToken,
    /// log p(second half | first half, B, α) over the tokens of the second half, by [`DocumentCompletion`].
    pub completion: PerToken,
}

/// Bytes of memory for scoring in `threads` threads, where no document has more than `tokens`.
pub fn bytes(threads: usize, tokens: usize) -> usize {
    threads * BYTES_PER_TOKEN * tokens.min(MAX_SCORED_TOKENS as usize)
}

/// Scores `documents` by topics `rows` and α (K numbers). Tokens are shuffled and particles drawn
/// from a random stream for each document, which depends on `seed` and its id. Documents with more
/// than [`MAX_SCORED_TOKENS`] tokens are scored by a random sample of that size, drawn without
/// replacement. Words outside the vocabulary do not count. `None` when there is no document.
///
/// # Cost
/// About 12·K operations for each token and particle. The result does not depend on the number of
/// threads.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
pub fn held_out(
    documents: &Documents<'_>,
    rows: &TopicRows,
    alpha: &[f64],
    seed: u64,
) -> Result<Option<HeldOut>, StreamError> {
    let scorer = Scorer {
        key: key(seed, "held-out documents"),
        left_to_right: LeftToRight::new(rows, alpha, PARTICLES),
        completion: DocumentCompletion::new(rows, Cvb0::new(rows, alpha, TOLERANCE)),
    };
    let of_lane = |lane: Range<usize>| {
        let mut scores = Vec::new();
        documents.visit(lane, |batch| scores.extend(scorer.batch(batch)))?;
        Ok(scores)
    };
    let here = documents.by_lane(of_lane)?.into_iter().flatten();
    let numbers: Vec<f64> = here.flat_map(|score| score.numbers()).collect();
    let scores: Vec<Score> = documents
        .share_numbers(&numbers)?
        .iter()
        .flat_map(|part| part.as_chunks().0)
        .map(|&numbers| Score::from_numbers(numbers))
        .collect();
    if scores.is_empty() {
        return Ok(None);
    }
    let whole: Vec<_> = scores.iter().map(|score| (score.log, score.tokens)).collect();
    let halves: Vec<_> = scores.iter().map(|score| (score.completion, score.completed)).collect();
    Ok(Some(HeldOut {
        documents: scores.len() as u64,
        subsampled: scores.iter().filter(|score| score.is_subsampled > 0.0).count() as u64,
        log_probability: per_token(&whole),
        completion: per_token(&halves),
    }))
}

struct Scorer<'a> {
    key: u64,
    left_to_right: LeftToRight<'a>,
    completion: DocumentCompletion<'a>,
}

/// The scores of a document, before averaging.
struct Score {
    log: f64,
    tokens: f64,
    completion: f64,
    completed: f64,
    /// 1 where only a sample of the tokens was scored, else 0.
    is_subsampled: f64,
}

impl Score {
    fn numbers(&self) -> [f64; 5] {
        [self.log, self.tokens, self.completion, self.completed, self.is_subsampled]
    }

    fn from_numbers([log, tokens, completion, completed, is_subsampled]: [f64; 5]) -> Self {
        Self { log, tokens, completion, completed, is_subsampled }
    }
}

impl Scorer<'_> {
    fn batch(&self, batch: &Batch) -> Vec<Score> {
        let documents: Vec<_> = batch.numbers.iter().zip(batch.documents()).collect();
        let score =
            |work: &mut Cvb0Buffers,
             &(&number, (words, counts, _)): &(&u64, (&[u32], &[f64], f64))| {
                let mut random = ShortStream::new(self.key, number);
                let sample = subsample(counts, &mut random);
                let tokens = shuffled(words, sample.as_deref().unwrap_or(counts), &mut random);
                let log = self.left_to_right.log_probability(&tokens, &mut random);
                let (completion, completed) = self.completion.log_probability(&tokens, work);
                Score {
                    log,
                    tokens: tokens.len() as f64,
                    completion,
                    completed: completed as f64,
                    is_subsampled: f64::from(sample.is_some()),
                }
            };
        documents.par_iter().map_init(Cvb0Buffers::default, score).collect()
    }
}

/// The counts of [`MAX_SCORED_TOKENS`] of a document's tokens, drawn without replacement; `None`
/// where it has no more than those.
fn subsample(counts: &[f64], random: &mut ShortStream) -> Option<Vec<f64>> {
    let all = counts.iter().map(|&count| count as u64).sum();
    let mut urn = Urn { all, chosen: MAX_SCORED_TOKENS };
    let mut take = |&count: &f64| urn.take(count as u64, random) as f64;
    (all > MAX_SCORED_TOKENS).then(|| counts.iter().map(&mut take).collect())
}

/// The tokens of a document in random order (Fisher–Yates shuffle).
fn shuffled(words: &[u32], counts: &[f64], random: &mut ShortStream) -> Vec<u32> {
    let tokens = words.iter().zip(counts);
    let mut tokens: Vec<u32> =
        tokens.flat_map(|(&word, &count)| std::iter::repeat_n(word, count as usize)).collect();
    for last in (1..tokens.len()).rev() {
        tokens.swap(last, random.below(last as u64 + 1) as usize);
    }
    tokens
}

/// Σ logs over Σ tokens, with the standard error of a ratio of means.
fn per_token(documents: &[(f64, f64)]) -> PerToken {
    let tokens: f64 = documents.iter().map(|(_, tokens)| tokens).sum();
    let mean = documents.iter().map(|(log, _)| log).sum::<f64>() / tokens;
    let squares: f64 = documents.iter().map(|(log, tokens)| (log - mean * tokens).powi(2)).sum();
    let count = documents.len() as f64;
    PerToken { mean, error: (squares * count / (count - 1.0)).sqrt() / tokens }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::documents::test_corpus::small;
    use crate::progress::Silent;
    use crate::stream::documents::sample::Sample;

    #[test]
    fn true_topics_score_better_than_spread_ones_and_threads_change_no_bit() {
        let (b, source, positions) = small();
        let sample = Some(Sample { seed: 1, from: 0.0, to: 0.3 });
        let documents = Documents::new(&source, &positions, 2, &Silent).with_sample(sample);
        let score = |b: &ndarray::Array2<f64>, threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
            let rows = TopicRows::with_smoothing(b, 1e4);
            let alpha = [0.2, 0.4, 0.1];
            let found = pool.install(|| held_out(&documents, &rows, &alpha, 5));
            found.expect("in memory").expect("documents")
        };
        let truth = score(&b, 1);
        assert_eq!(truth, score(&b, 5));
        let spread = score(&b.mapv(|entry| 0.5 * entry + 0.5 / 60.0), 2);
        assert!((80..160).contains(&truth.documents), "{}", truth.documents);
        for (better, worse) in
            [(truth.log_probability, spread.log_probability), (truth.completion, spread.completion)]
        {
            assert!(better.mean > worse.mean + 3.0 * better.error, "{better:?} {worse:?}");
            assert!(better.error > 0.0 && better.error < 0.1);
        }
        // The first half carries information about the second.
        assert!(truth.completion.mean > truth.log_probability.mean);
    }

    #[test]
    fn the_error_is_that_of_a_ratio() {
        // Two documents: mean −20/10; residuals ±2; √(8 · 2/1)/10.
        let found = per_token(&[(-8.0, 5.0), (-12.0, 5.0)]);
        assert_eq!((found.mean, found.error), (-2.0, 0.4));
        assert!(per_token(&[(-8.0, 5.0)]).error.is_nan());
    }

    #[test]
    fn of_a_document_of_billions_of_tokens_a_sample_is_drawn_and_of_a_short_one_nothing() {
        // 50,000 of 12·10⁹ tokens, a third of them of the first word: the deviation of its count is
        // 105, and the bound is at five deviations (the stream is fixed).
        let mut random = ShortStream::new(3, 1);
        let sample = subsample(&[4e9, 7.0, 8e9], &mut random).expect("a sample");
        assert_eq!(sample.iter().sum::<f64>(), MAX_SCORED_TOKENS as f64);
        assert!((sample[0] - 50_000.0 / 3.0).abs() < 527.0 && sample[1] <= 7.0, "{sample:?}");
        assert_eq!(subsample(&[49_999.0, 1.0], &mut random), None);
        let sample = subsample(&[50_000.0, 1.0], &mut random).expect("a sample");
        assert_eq!(sample.iter().sum::<f64>(), 50_000.0);
    }

    #[test]
    fn shuffling_keeps_every_token() {
        let mut tokens = shuffled(&[1, 7], &[2.0, 3.0], &mut ShortStream::new(1, 2));
        tokens.sort_unstable();
        assert_eq!(tokens, [1, 1, 7, 7, 7]);
    }
}
