//! Errors of models.

use crate::stream::StreamError;

/// Why a model gave no topics.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The corpus could not be streamed, or the work was cancelled.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// The co-occurrence has fewer independent rows than topics were asked for.
    #[error(
        "only {found} anchor words could be found for {asked} topics: the co-occurrence has no \
         more independent rows; {}", remedy(*found)
    )]
    TooFewAnchors {
        /// How many there were.
        found: usize,
        /// Topics asked for, K.
        asked: usize,
    },
    /// The novel words fall into fewer groups than topics were asked for.
    #[error(
        "{words} words may be novel, in {groups} groups, for {asked} topics; try a smaller --distance or \
         more --projections, or {}", remedy(*groups)
    )]
    TooFewNovelWords {
        /// Words that may be novel.
        words: usize,
        /// Groups they fall into.
        groups: usize,
        /// Topics asked for, K.
        asked: usize,
    },
    /// More topics than the model can name.
    #[error("{asked} topics are more than the {most} this model can tell apart; {}", remedy(*most))]
    TooManyTopics {
        /// Topics it can tell apart.
        most: usize,
        /// Topics asked for, K.
        asked: usize,
    },
    /// The counts have less structure than topics were asked for.
    #[error(
        "only {found} topics could be found for {asked}: nothing of the counts is left for more; {}",
        remedy(*found)
    )]
    TooFewFactors {
        /// How many there were.
        found: usize,
        /// Topics asked for, K.
        asked: usize,
    },
    /// The words of a seeded topic have no word beside which all of them stand.
    #[error(
        "the seed words of topic {topic} stand beside no word in common; seed it with fewer, or with \
         words that are used together"
    )]
    SeedsApart {
        /// Number of the topic, from 0.
        topic: usize,
    },
    /// The seeds of a topic are used as those of topics before it.
    #[error(
        "the seed words of topic {topic} are used just as those of topics before it; leave it out, or \
         seed it with other words"
    )]
    SeedsDepend {
        /// Number of the topic, from 0.
        topic: usize,
    },
}

/// What to do where a corpus has no more than `found` topics: 2 are the least that a run can have.
fn remedy(found: usize) -> &'static str {
    match found {
        0 | 1 => "add documents of other words, or use --model lda-gibbs or nmf-kl",
        _ => "use a smaller -k, or more documents or terms",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_k_is_a_remedy_only_where_there_is_one() {
        for (found, has_smaller) in [(0, false), (1, false), (2, true), (7, true)] {
            let errors = [
                ModelError::TooFewAnchors { found, asked: found + 1 },
                ModelError::TooFewFactors { found, asked: found + 1 },
                ModelError::TooFewNovelWords { words: 9, groups: found, asked: found + 1 },
                ModelError::TooManyTopics { most: found, asked: found + 1 },
            ];
            for error in errors.map(|error| error.to_string()) {
                assert_eq!(error.contains("smaller -k"), has_smaller, "{error}");
            }
        }
    }
}
