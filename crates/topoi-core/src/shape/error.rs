//! Errors of edits. After an error nothing is changed.

/// Edits that cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// The list does not parse.
    #[error(
        "the edits cannot be read: {reason}; docs/reference/shaping.md shows what they look like"
    )]
    Unreadable {
        /// What is wrong with it.
        reason: String,
    },
    /// A word is not in the vocabulary.
    #[error("{word:?} is not in the vocabulary of the run{}", nearest(near))]
    UnknownWord {
        /// The word as written.
        word: String,
        /// Similar words of the vocabulary.
        near: Vec<String>,
    },
    /// No topic has this number.
    #[error("there is no topic {topic}; the topics are {there}")]
    UnknownTopic {
        /// The number requested.
        topic: usize,
        /// The existing numbers.
        there: String,
    },
    /// A word would be an anchor of two topics.
    #[error(
        "{word:?} is an anchor of topic {topic} already; use another word, or merge the two topics"
    )]
    WordTwice {
        /// The word.
        word: String,
        /// The topic with this anchor.
        topic: usize,
    },
    /// A word is both forbidden and an anchor of a pinned topic.
    #[error(
        "{word:?} is forbidden and an anchor of the pinned topic {topic}; take one of the two edits out"
    )]
    ForbiddenAndPinned {
        /// The word.
        word: String,
        /// Number of the topic while edits are applied.
        topic: usize,
    },
    /// A forbidden word would become an anchor.
    #[error(
        "{word:?} is forbidden, and cannot be an anchor; use another word, or take the edit that forbids it out"
    )]
    Forbidden {
        /// The word.
        word: String,
    },
    /// A pinned topic would change.
    #[error("topic {topic} is pinned; take the edit that pins it out to change it")]
    Pinned {
        /// Number of the topic while edits are applied.
        topic: usize,
    },
    /// The topics have no anchors.
    #[error(
        "topics of {model} have no anchors; merge, drop, pin and label them and forbid words, or make a \
         run of lr-jsmf to anchor and split"
    )]
    NoAnchors {
        /// Name of the model.
        model: String,
    },
    /// An edit is incomplete.
    #[error("{what}")]
    Incomplete {
        /// What is missing, and what to do.
        what: String,
    },
    /// The words of an anchor have no common neighbours.
    #[error("no word stands beside all of {}; anchor topic {topic} by fewer of them", words.join(", "))]
    NothingInCommon {
        /// Number of the topic while edits are applied.
        topic: usize,
        /// The words of the anchor.
        words: Vec<String>,
    },
    /// An anchor depends linearly on others.
    #[error(
        "topic {topic} cannot be told from those before it: its anchor {} is used just as theirs are; \
         use another word, or drop the topic", words.join(" + ")
    )]
    Dependent {
        /// Number of the topic while edits are applied.
        topic: usize,
        /// The words of the anchor.
        words: Vec<String>,
    },
    /// Too few independent anchors are left.
    #[error(
        "there are fewer independent anchors than topics: none is left for topic {topic}; drop it, or \
         forbid fewer words"
    )]
    NoneLeft {
        /// Number of the topic while edits are applied.
        topic: usize,
    },
    /// All words of a topic are forbidden.
    #[error("topic {topic} has no word that is not forbidden; drop it, or forbid fewer words")]
    Wordless {
        /// Number of the topic while edits are applied.
        topic: usize,
    },
    /// Fewer than two topics are left.
    #[error("the edits leave {left} topics, and a run has two or more; drop or merge fewer")]
    TooFew {
        /// Topics that would be left.
        left: usize,
    },
}

fn nearest(near: &[String]) -> String {
    match near {
        [] => String::new(),
        near => format!(" (near it: {})", near.join(", ")),
    }
}
