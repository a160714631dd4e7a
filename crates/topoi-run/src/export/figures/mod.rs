//! Figures of saved results: shares of topics, groups and periods, effects, maps of documents, metrics by number of
//! topics.

pub mod correlations;
pub mod effects;
pub mod groups;
pub mod map;
pub mod sweep;

use topoi_core::plot::axis::Axis;
use topoi_core::plot::bars::{Bar, Bars};
use topoi_core::plot::figure::Figure;
use topoi_store::result::topic::Topic;
use topoi_store::result::topic_shares::TopicShares;

/// A topic as figures show it.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicSummary {
    /// Its number, and its label if it has one.
    pub name: String,
    /// Its most probable words, separated by blanks.
    pub words: String,
    /// Its shares of the corpus.
    pub shares: TopicShares,
}

impl TopicSummary {
    /// Its number and label; without a label its number and words.
    pub fn title(&self) -> String {
        let has_name = self.name.contains(' ');
        if has_name { self.name.clone() } else { format!("{} {}", self.name, self.words) }
    }
}

impl From<&Topic> for TopicSummary {
    fn from(topic: &Topic) -> Self {
        let label = topic.label.as_ref().map(|label| format!(" {label}")).unwrap_or_default();
        let words: Vec<&str> = topic.words.iter().map(|word| word.word.as_str()).collect();
        Self {
            name: format!("{}{label}", topic.topic),
            words: words.join(" "),
            shares: topic.shares,
        }
    }
}

/// The sizes of topics in a corpus, the largest first.
pub fn shares(title: &str, topics: &[TopicSummary]) -> Figure {
    let mut largest: Vec<&TopicSummary> = topics.iter().collect();
    largest.sort_by(|a, b| b.shares.size().total_cmp(&a.shares.size()));
    let bar = |topic: &&TopicSummary| Bar {
        name: topic.name.clone(),
        detail: topic.words.clone(),
        value: topic.shares.size(),
        interval: None,
    };
    Bars {
        title: title.into(),
        x: Axis::with_shares(&format!(
            "share of {}",
            topics.first().map_or("documents", |topic| topic.shares.size_of())
        )),
        bars: largest.iter().map(bar).collect(),
        ..Bars::default()
    }
    .figure()
}
