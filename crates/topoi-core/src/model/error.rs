//! Errors of models.

use crate::stream::StreamError;

/// Why a model gave no topics.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The corpus could not be streamed, or the work was cancelled.
    #[error("{0}")]
    Stream(#[from] StreamError),
    /// The co-occurrence has fewer independent rows than topics were asked for.
    #[error(
        "only {found} anchor words could be found for {asked} topics: the co-occurrence has no \
         more independent rows"
    )]
    TooFewAnchors {
        /// How many there were.
        found: usize,
        /// Topics asked for, K.
        asked: usize,
    },
    /// The novel words fall into fewer groups than topics were asked for.
    #[error("{words} words may be novel, in {groups} groups, for {asked} topics")]
    TooFewNovelWords {
        /// Words that may be novel.
        words: usize,
        /// Groups they fall into.
        groups: usize,
        /// Topics asked for, K.
        asked: usize,
    },
    /// More topics than the model can name.
    #[error("{asked} topics are more than the {most} this model can tell apart")]
    TooManyTopics {
        /// Topics it can tell apart.
        most: usize,
        /// Topics asked for, K.
        asked: usize,
    },
    /// The counts have less structure than topics were asked for.
    #[error(
        "only {found} topics could be found for {asked}: nothing of the counts is left for more"
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
