//! Words that distinguish two corpora.

use serde_json::json;

use super::column::{Column, First, Kind, Width};
use topoi_run::groups::keywords::{GroupWord, keywords_of_corpora};
use topoi_store::corpus::Corpus;
use topoi_store::{Store, StoreError};

/// Tokens of the prior, as `topoi keywords` has it by default.
const PRIOR: f64 = 1000.0;

/// A word and the corpus that it distinguishes.
#[derive(Debug, Clone, PartialEq)]
pub struct WordOfCorpus {
    pub corpus: Corpus,
    pub word: GroupWord,
    /// Occurrences in a million tokens of the corpus, and of the other.
    pub per_million: [f64; 2],
}

/// At most `most` words of each corpus, the clearest of both first.
///
/// # Errors
/// When the store cannot be read.
pub fn words_of_corpora(
    store: &Store,
    corpora: [&Corpus; 2],
    most: usize,
) -> Result<Vec<WordOfCorpus>, StoreError> {
    let mut words = keywords_of_corpora(store, (corpora[0], corpora[1]), PRIOR, most)?.concat();
    words.sort_by(|a, b| b.z.total_cmp(&a.z));
    let rate = |tokens: f64, corpus: &Corpus| 1e6 * tokens / corpus.tokens.max(1) as f64;
    let row = |word: GroupWord| {
        let (here, there) = (corpora[word.group], corpora[1 - word.group]);
        let per_million = [rate(word.here, here), rate(word.there, there)];
        WordOfCorpus { corpus: here.clone(), word, per_million }
    };
    Ok(words.into_iter().map(row).collect())
}

pub fn columns() -> Vec<Column<WordOfCorpus>> {
    type Row = WordOfCorpus;
    vec![
        Column::new("word", Kind::Text, |row: &Row| json!(row.word.word)).listed(Width::Share(1)),
        Column::new("corpus", Kind::Text, |row: &Row| json!(row.corpus.name))
            .listed(Width::Cells(14))
            .sorted(First::Smallest),
        Column::new("times", Kind::Count, |row: &Row| json!(row.word.here as u64))
            .listed(Width::Cells(9))
            .sorted(First::Largest),
        Column::new("per_million", Kind::Measure, |row: &Row| json!(row.per_million[0]))
            .titled("a million")
            .listed(Width::Cells(10))
            .sorted(First::Largest),
        Column::new("elsewhere", Kind::Measure, |row: &Row| json!(row.per_million[1]))
            .titled("in the other")
            .listed(Width::Cells(12))
            .sorted(First::Largest),
        Column::new("log_odds", Kind::Measure, |row: &Row| json!(row.word.log_odds))
            .titled("log odds")
            .listed_from(90, Width::Cells(9))
            .sorted(First::Largest),
        Column::new("z", Kind::Measure, |row: &Row| json!(row.word.z))
            .listed(Width::Cells(7))
            .sorted(First::Largest),
    ]
}
