//! Edits of topics in terms of words and topic numbers, as people write and save them.

use serde::{Deserialize, Serialize};

use super::error::ShapeError;

/// The version of edit lists that is written, and the newest that is read.
const VERSION: u32 = 1;

/// One edit. Topics keep their numbers while a list is applied; new topics get the next numbers, in
/// the order of the edits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Edit {
    /// Anchors a new or an existing topic by one or more words together.
    Anchor {
        /// One or more words.
        words: Vec<String>,
        /// The topic whose anchors are replaced; `None` for a new topic.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        topic: Option<usize>,
    },
    /// Merges topics into the first of them.
    Merge {
        /// Two or more topics.
        topics: Vec<usize>,
    },
    /// Splits a topic in two: into the two anchors of a merged topic, by the words given, or by the
    /// two words farthest apart in its neighbourhood. The first half keeps the number.
    Split {
        /// Number of the topic while edits are applied.
        topic: usize,
        /// The words of each half; empty for the farthest pair.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        words: Vec<Vec<String>>,
    },
    /// Removes a word from all topics, as a stop word. A topic that loses its only anchor gets the
    /// word farthest from all others.
    Forbid {
        /// The word, as in the vocabulary.
        word: String,
    },
    /// Removes a topic.
    Drop {
        /// Number of the topic while edits are applied.
        topic: usize,
    },
    /// Fixes a topic's words, so that only the other topics change.
    Pin {
        /// Number of the topic while edits are applied.
        topic: usize,
    },
    /// Labels a topic.
    Label {
        /// Number of the topic while edits are applied.
        topic: usize,
        /// The label.
        text: String,
    },
}

/// A list of edits in order, as it is saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edits {
    version: u32,
    /// The edits, in order.
    pub edits: Vec<Edit>,
}

impl Default for Edits {
    fn default() -> Self {
        Self::from_iter([])
    }
}

impl FromIterator<Edit> for Edits {
    fn from_iter<I: IntoIterator<Item = Edit>>(edits: I) -> Self {
        Self { version: VERSION, edits: edits.into_iter().collect() }
    }
}

impl Edits {
    /// Parses a list of edits.
    ///
    /// # Errors
    /// [`ShapeError::Unreadable`] for invalid JSON and for a list of a later version.
    pub fn from_json(text: &str) -> Result<Self, ShapeError> {
        let unreadable =
            |reason: String| ShapeError::Unreadable { reason: reason.replace(['\n', '\r'], " ") };
        let found: Self = serde_json::from_str(text).map_err(|e| unreadable(e.to_string()))?;
        match found.version {
            VERSION => Ok(found),
            other => Err(unreadable(format!(
                "its version is {other}, and this program reads version {VERSION}"
            ))),
        }
    }
}

impl Edit {
    /// A short description of the edit, for lists.
    pub fn said(&self) -> String {
        match self {
            Self::Anchor { words, topic: None } => format!("new topic of {}", words.join(" + ")),
            Self::Anchor { words, topic: Some(topic) } => {
                format!("anchor topic {topic} by {}", words.join(" + "))
            }
            Self::Merge { topics } => {
                let topics: Vec<String> = topics.iter().map(ToString::to_string).collect();
                format!("merge topics {}", topics.join(", "))
            }
            Self::Split { topic, words } if words.is_empty() => format!("split topic {topic}"),
            Self::Split { topic, words } => {
                let halves: Vec<String> = words.iter().map(|words| words.join(" + ")).collect();
                format!("split topic {topic} into {}", halves.join(", "))
            }
            Self::Forbid { word } => format!("forbid {word}"),
            Self::Drop { topic } => format!("drop topic {topic}"),
            Self::Pin { topic } => format!("pin topic {topic}"),
            Self::Label { topic, text } => format!("label topic {topic} {text:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_read_as_they_are_written_and_no_others() {
        let anchor = Edit::Anchor { words: vec!["w01".into(), "w02".into()], topic: None };
        let edits: Edits =
            [anchor, Edit::Merge { topics: vec![3, 4] }, Edit::Forbid { word: "a".into() }]
                .into_iter()
                .collect();
        let text = serde_json::to_string(&edits).expect("json");
        assert_eq!(
            text,
            "{\"version\":1,\"edits\":[{\"anchor\":{\"words\":[\"w01\",\"w02\"]}},{\"merge\":{\"topics\":[3,4]}},\
             {\"forbid\":{\"word\":\"a\"}}]}"
        );
        assert_eq!(Edits::from_json(&text), Ok(edits));
        let later = text.replace("\"version\":1", "\"version\":2");
        let refused = Edits::from_json(&later);
        assert!(matches!(refused, Err(ShapeError::Unreadable { .. })), "{refused:?}");
        for wrong in ["", "[]", "{\"version\":1,\"edits\":[{\"unmerge\":{}}]}", "{\"version\":1}"] {
            let refused = Edits::from_json(wrong);
            assert!(matches!(refused, Err(ShapeError::Unreadable { .. })), "{refused:?}");
        }
    }
}
