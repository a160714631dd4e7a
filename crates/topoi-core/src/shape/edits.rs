//! Edits of topics as people say and save them: words and numbers of topics.

use serde::{Deserialize, Serialize};

use super::error::ShapeError;

/// The version of the list that this program writes, and the newest that it reads.
const VERSION: u32 = 1;

/// One edit. Topics keep their numbers while a list is gone through; those that edits make have the next
/// numbers, in the order of the edits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Edit {
    /// Anchors a topic by words taken together: a new one, or the one of this number.
    Anchor {
        /// One or more.
        words: Vec<String>,
        /// The topic whose anchors these replace; `None` for a new topic.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        topic: Option<usize>,
    },
    /// Makes one topic of several, which has the number of the first.
    Merge {
        /// Two or more.
        topics: Vec<usize>,
    },
    /// Makes two topics of one: of the two anchors of a merged topic; of these words; or of the two words
    /// farthest apart in its neighbourhood. The first keeps the number.
    Split {
        /// Its number while the edits are gone through.
        topic: usize,
        /// The words of either half; none for the farthest.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        words: Vec<Vec<String>>,
    },
    /// Takes a word out of all topics, as if it had been on the list of stop words. A topic whose only anchor
    /// it is gets the word farthest from all others.
    Forbid {
        /// As it stands in the vocabulary, or should.
        word: String,
    },
    /// Takes a topic away.
    Drop {
        /// Its number while the edits are gone through.
        topic: usize,
    },
    /// Holds a topic to the words it has, so that others move around it.
    Pin {
        /// Its number while the edits are gone through.
        topic: usize,
    },
    /// Names a topic.
    Label {
        /// Its number while the edits are gone through.
        topic: usize,
        /// What it is called from then on.
        text: String,
    },
}

/// A list of edits, in their order, as it is saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edits {
    version: u32,
    /// In their order.
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
    /// Reads a list.
    ///
    /// # Errors
    /// [`ShapeError::Unreadable`], also for a list of a later version.
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
    /// The edit in a few words, as lists show it.
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
        let refused = Edits::from_json(&later).expect_err("a later version").to_string();
        assert!(refused.contains("its version is 2"), "{refused}");
        for wrong in ["", "[]", "{\"version\":1,\"edits\":[{\"unmerge\":{}}]}", "{\"version\":1}"] {
            let refused = Edits::from_json(wrong).expect_err(wrong).to_string();
            assert!(refused.contains("docs/reference/shaping.md"), "{refused}");
        }
    }
}
