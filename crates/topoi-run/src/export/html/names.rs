//! The names of a run's topics on its page.

use maud::{Markup, html};

use super::ExportedTopic;
use super::charts::NAME_WORDS;
use crate::export::error::ExportError;
use crate::export::saved_model::SavedModel;
use crate::naming::proposed_names;

/// The name of a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TopicName {
    /// The label that somebody gave it.
    Label(String),
    /// The best phrase of those that `topoi label` proposes.
    Proposed(String),
    /// Its most probable words, where there is neither.
    Words(String),
}

impl TopicName {
    /// The names of all topics. Reads the clearest documents of each topic, unless all topics have labels.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub(super) fn all(model: &SavedModel<'_>) -> Result<Vec<Self>, ExportError> {
        let needs_names = model.topics.iter().any(|topic| topic.label.is_none());
        let proposed = match needs_names {
            true => proposed_names(model.store(), &model.run, 1)?,
            false => Vec::new(),
        };
        let name = |(number, topic): (usize, &ExportedTopic)| {
            let phrase = || Some(proposed.get(number)?.phrases.first()?.phrase.clone());
            match (&topic.label, phrase()) {
                (Some(label), _) => Self::Label(label.clone()),
                (None, Some(phrase)) => Self::Proposed(phrase),
                (None, None) => Self::Words(model.summary(number, NAME_WORDS).words),
            }
        };
        Ok(model.topics.iter().enumerate().map(name).collect())
    }

    /// The name as text, as in tooltips.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Label(name) | Self::Words(name) => name.clone(),
            Self::Proposed(name) => format!("{name} (proposed)"),
        }
    }

    /// The name, marked where nobody gave it.
    pub(super) fn markup(&self) -> Markup {
        html! {
            @match self {
                Self::Label(name) => (name),
                Self::Proposed(name) => { (name) " " small.proposed { "proposed" } },
                Self::Words(name) => span.q { (name) },
            }
        }
    }
}
