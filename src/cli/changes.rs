//! Reporting the changes in an updated run.

use super::messages::say;
use crate::shown::{TerminalText, shown};
use topoi_core::shell_word::shell_word;
use topoi_run::saved::changes::Changes;
use topoi_store::Store;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::result::topic::Topic;

/// Number of words that describe a topic.
const WORDS: usize = 6;

/// Reports the changes of the vocabulary, the topics that have changed under their numbers, and the labels that are
/// lost.
pub fn say_changes(store: &Store, run: RunId, changes: &Changes) -> anyhow::Result<()> {
    let from = changes.from;
    say(&TerminalText::line(&changes.vocabulary_in_words()));
    let (now, before) = (store.topics(run, WORDS)?, store.topics(from, WORDS)?);
    say(&TerminalText::line(&changes.topics_in_words()));
    let name = |topic| format!("{topic} ({})", words(&now, topic));
    for news in changes.news_in_words(name) {
        say(&TerminalText::line(&news));
    }
    let is_added = |topic| changes.news.topics_added.iter().any(|added| added.topic == topic);
    let others = changes.topics.iter().filter(|change| !change.is_same && !is_added(change.topic));
    for change in others {
        let like = match change.earlier.zip(change.cosine) {
            Some((earlier, cosine)) => {
                format!("cosine {cosine:.2} with {earlier}: {}", words(&before, earlier))
            }
            None => "like no earlier topic".into(),
        };
        say(&shown!("  {}: {} ({like})", change.topic, words(&now, change.topic)));
    }
    for lost in &changes.labels_lost {
        say(&TerminalText::line(&format!(
            "{}; `topoi label {run} {} {}` gives it to that one ({})",
            changes.lost_label_in_words(lost),
            lost.nearest,
            shell_word(&lost.label),
            words(&now, lost.nearest)
        )));
    }
    Ok(())
}

fn words(topics: &[Topic], number: TopicNumber) -> String {
    let found = topics.iter().find(|topic| topic.topic == number);
    let words = found.into_iter().flat_map(|topic| &topic.words);
    words.map(|word| word.word.as_str()).collect::<Vec<_>>().join(" ")
}
