//! Why edits are refused; then nothing is changed.

/// Why edits are refused.
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
    /// A word is not one of those the topics are made of.
    #[error("{word:?} is not in the vocabulary of the run{}", nearest(near))]
    UnknownWord {
        /// As it stands in the vocabulary, or should.
        word: String,
        /// Words of the vocabulary that are spelt much like it.
        near: Vec<String>,
    },
    /// No topic has this number.
    #[error("there is no topic {topic}; the topics are {there}")]
    UnknownTopic {
        /// The number that was asked for.
        topic: usize,
        /// The numbers there are.
        there: String,
    },
    /// A word would be the anchor of two topics.
    #[error(
        "{word:?} is an anchor of topic {topic} already; use another word, or merge the two topics"
    )]
    WordTwice {
        /// As it stands in the vocabulary, or should.
        word: String,
        /// The topic that has it.
        topic: usize,
    },
    /// A word that a pinned topic is anchored by, or that was forbidden, is asked to be the opposite.
    #[error(
        "{word:?} is forbidden and an anchor of the pinned topic {topic}; take one of the two edits out"
    )]
    ForbiddenAndPinned {
        /// As it stands in the vocabulary, or should.
        word: String,
        /// Its number while the edits are gone through.
        topic: usize,
    },
    /// A forbidden word is to be an anchor.
    #[error(
        "{word:?} is forbidden, and cannot be an anchor; use another word, or take the edit that forbids it out"
    )]
    Forbidden {
        /// As it stands in the vocabulary, or should.
        word: String,
    },
    /// A pinned topic is to be changed.
    #[error("topic {topic} is pinned; take the edit that pins it out to change it")]
    Pinned {
        /// Its number while the edits are gone through.
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
    /// An edit lacks what it needs.
    #[error("{what}")]
    Incomplete {
        /// What, and what to do.
        what: String,
    },
    /// Anchors' words have no neighbours in common.
    #[error("no word stands beside all of {}; anchor topic {topic} by fewer of them", words.join(", "))]
    NothingInCommon {
        /// Its number while the edits are gone through.
        topic: usize,
        /// Words that were to anchor it together.
        words: Vec<String>,
    },
    /// An anchor is used just as others are.
    #[error(
        "topic {topic} cannot be told from those before it: its anchor {} is used just as theirs are; \
         use another word, or drop the topic", words.join(" + ")
    )]
    Dependent {
        /// Its number while the edits are gone through.
        topic: usize,
        /// The words of its anchor.
        words: Vec<String>,
    },
    /// No word is left to be an anchor.
    #[error(
        "there are fewer independent anchors than topics: none is left for topic {topic}; drop it, or \
         forbid fewer words"
    )]
    NoneLeft {
        /// Its number while the edits are gone through.
        topic: usize,
    },
    /// All words of a topic are forbidden.
    #[error("topic {topic} has no word that is not forbidden; drop it, or forbid fewer words")]
    Wordless {
        /// Its number while the edits are gone through.
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
        [] => "; `topoi terms` lists the words of a corpus".into(),
        near => format!("; did you mean {}?", near.join(" or ")),
    }
}
