//! The topics of a run in the documents of another corpus.

use serde_json::json;

use super::column::{Column, First, Kind, Width};
use topoi_run::saved::infer::TopicInCorpus;
use topoi_store::id::RunId;
use topoi_store::result::topic::Topic;
use topoi_store::{Store, StoreError};

/// A topic of a run with its shares in both corpora.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicInBoth {
    pub run: RunId,
    pub name: String,
    pub shares: TopicInCorpus,
}

/// Words of a topic that are its name where it has no label.
const WORDS: usize = 3;

/// The names of a run's topics: their labels, else their most probable words.
///
/// # Errors
/// When the store cannot be read.
pub fn names(store: &Store, run: RunId) -> Result<Vec<String>, StoreError> {
    let words = |topic: &Topic| {
        let words: Vec<&str> = topic.words.iter().map(|word| word.word.as_str()).collect();
        words.join(" ")
    };
    let name = |topic: Topic| topic.label.clone().unwrap_or_else(|| words(&topic));
    Ok(store.topics(run, WORDS)?.into_iter().map(name).collect())
}

/// The topics of a run with their names.
pub fn rows(run: RunId, shares: Vec<TopicInCorpus>, names: &[String]) -> Vec<TopicInBoth> {
    let name = |shares: &TopicInCorpus| names.get(shares.topic.index()).cloned();
    let row = |shares| TopicInBoth { run, name: name(&shares).unwrap_or_default(), shares };
    shares.into_iter().map(row).collect()
}

pub fn columns() -> Vec<Column<TopicInBoth>> {
    type Row = TopicInBoth;
    let difference = |row: &Row| row.shares.there - row.shares.here;
    vec![
        Column::new("topic", Kind::Number, |row: &Row| json!(row.shares.topic))
            .listed(Width::Cells(5))
            .sorted(First::Smallest),
        Column::new("name", Kind::Text, |row: &Row| json!(row.name)).listed(Width::Share(1)),
        Column::new("here", Kind::Share, |row: &Row| json!(row.shares.here))
            .listed(Width::Cells(8))
            .sorted(First::Largest),
        Column::new("there", Kind::Share, |row: &Row| json!(row.shares.there))
            .listed(Width::Cells(8))
            .sorted(First::Largest),
        Column::new("there_error", Kind::Share, |row: &Row| json!(row.shares.there_error))
            .titled("its error")
            .listed_from(70, Width::Cells(9)),
        Column::new("difference", Kind::Share, move |row: &Row| json!(difference(row)))
            .listed(Width::Cells(10))
            .sorted(First::Largest),
    ]
}
