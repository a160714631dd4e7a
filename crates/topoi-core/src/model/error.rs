//! Errors of models.

use crate::stream::StreamError;

/// A model could not be fitted.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The corpus could not be streamed, or the work was cancelled.
    #[error("{0}")]
    Stream(#[from] StreamError),
    /// The co-occurrence has fewer independent rows than the K topics requested.
    #[error(
        "only {found} anchor words could be found for {asked} topics: the co-occurrence has no \
         more independent rows"
    )]
    TooFewAnchors {
        /// Number of anchors found.
        found: usize,
        /// K, the number of topics requested.
        asked: usize,
    },
    /// The novel words form fewer groups than the K topics requested.
    #[error("{words} words may be novel, in {groups} groups, for {asked} topics")]
    TooFewNovelWords {
        /// Candidate novel words.
        words: usize,
        /// Number of their groups.
        groups: usize,
        /// K, the number of topics requested.
        asked: usize,
    },
    /// More topics were requested than the model can distinguish.
    #[error("{asked} topics are more than the {most} this model can tell apart")]
    TooManyTopics {
        /// Largest number of topics.
        most: usize,
        /// K, the number of topics requested.
        asked: usize,
    },
    /// The counts have a lower rank than the K topics requested.
    #[error(
        "only {found} topics could be found for {asked}: nothing of the counts is left for more"
    )]
    TooFewFactors {
        /// Number of topics found.
        found: usize,
        /// K, the number of topics requested.
        asked: usize,
    },
    /// The seed words of a topic share no word that occurs with all of them.
    #[error(
        "the seed words of topic {topic} stand beside no word in common; seed it with fewer, or with \
         words that are used together"
    )]
    SeedsApart {
        /// Number of the topic, from 0.
        topic: usize,
    },
    /// The row of a topic's seed words depends linearly on those of earlier topics.
    #[error(
        "the seed words of topic {topic} are used just as those of topics before it; leave it out, or \
         seed it with other words"
    )]
    SeedsDepend {
        /// Number of the topic, from 0.
        topic: usize,
    },
}
