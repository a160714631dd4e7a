//! Saying what has changed in an updated run.

use super::output::say;
use crate::shown::{Shown, shown};
use topoi::numbers::{counted, thousands};
use topoi::run::request::start::ALIKE;
use topoi::run::saved::changes::{Changes, LostLabel};
use topoi::shell_word::shell_word;
use topoi::store::Store;
use topoi::store::result::topic::Topic;

/// Words that tell a topic.
const WORDS: usize = 6;

/// Says what became of the vocabulary, which topics are not what they were under their numbers, and which labels
/// no topic has any more.
///
/// # Errors
/// When the store cannot be read.
pub fn say_changes(store: &Store, run: i64, changes: &Changes) -> anyhow::Result<()> {
    let from = changes.from;
    say(&shown!(
        "vocabulary: {} new, {} no longer among the best",
        counted(changes.terms_new, "term"),
        thousands(changes.terms_gone)
    ));
    let (now, before) = (store.topics(run, WORDS)?, store.topics(from, WORDS)?);
    say(&shown!(
        "topics: {} of {} are what they were under the same number in run {from}",
        changes.topics.iter().filter(|topic| topic.is_same).count(),
        changes.topics.len()
    ));
    for change in changes.topics.iter().filter(|topic| !topic.is_same) {
        let like = match change.earlier.zip(change.cosine) {
            Some((earlier, cosine)) => {
                format!("cosine {cosine:.2} with {earlier}: {}", words(&before, earlier))
            }
            None => "like no earlier topic".into(),
        };
        say(&shown!("  {}: {} ({like})", change.topic, words(&now, change.topic)));
    }
    for LostLabel { topic, label, nearest, cosine } in &changes.labels_lost {
        say(&Shown::line(&format!(
            "the label {label:?} of topic {topic} of run {from} is not carried: the topic that is most like it \
             has cosine {cosine:.2}, and {ALIKE} is the least; `topoi label {run} {nearest} {}` gives it to \
             that one ({})",
            shell_word(label),
            words(&now, *nearest)
        )));
    }
    Ok(())
}

fn words(topics: &[Topic], number: u64) -> String {
    let found = topics.iter().find(|topic| topic.topic == number);
    let words = found.into_iter().flat_map(|topic| &topic.words);
    words.map(|word| word.word.as_str()).collect::<Vec<_>>().join(" ")
}
