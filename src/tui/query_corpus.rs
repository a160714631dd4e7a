//! Asking the store for a corpus and its documents.

use super::data::{CorpusPage, CorpusQuery, DocumentSheet, LegendTopic, WordRow};
use super::recall::{Colours, Recall};
use topoi::run::saved::coloured_text::Piece;
use topoi::store::run::{Run, RunStatus};
use topoi::store::{Store, StoreError};

/// Longer texts are cut: nobody scrolls through more, and every letter is measured.
const MOST_LETTERS: usize = 200_000;

/// A page of documents and the first terms.
///
/// # Errors
/// When the store cannot be read.
pub fn corpus(
    store: &Store,
    asked: &CorpusQuery,
    recall: &mut Recall,
) -> Result<Option<CorpusPage>, StoreError> {
    let mut corpora = store.corpora()?.into_iter();
    let Some(corpus) = corpora.find(|corpus| asked.id.is_none_or(|id| corpus.id == id)) else {
        return Ok(None);
    };
    let documents = (corpus.clone(), asked.filter.clone(), asked.order, asked.page);
    let terms = (corpus.clone(), asked.term_filter.clone(), asked.term_order);
    let (documents, matching) = recall.documents(store, documents)?;
    let (terms, matching_terms) = recall.terms(store, terms)?;
    Ok(Some(CorpusPage { documents, terms, matching, matching_terms, corpus }))
}

/// A document with the topics of its words in a run: `run`, else the newest that has topics.
///
/// # Errors
/// When the store cannot be read.
pub fn document(
    store: &Store,
    runs: &[Run],
    corpus: i64,
    id: i64,
    run: Option<i64>,
    recall: &mut Recall,
) -> Result<Option<DocumentSheet>, StoreError> {
    let Some(document) = store.document(id)? else { return Ok(None) };
    let corpus = store.corpus_by_id(corpus)?;
    let finished =
        runs.iter().filter(|r| r.corpus_id == corpus.id && r.status == RunStatus::Finished);
    let runs: Vec<i64> = finished.map(|run| run.id).collect();
    let run = run.filter(|run| runs.contains(run)).or(runs.first().copied());
    let mut text = store.document_text(id)?.unwrap_or_default();
    let end = text.char_indices().nth(MOST_LETTERS).map(|(end, _)| end);
    text.truncate(end.unwrap_or(text.len()));
    let counts = store.document_counts(id)?;
    let plain = || vec![Piece { text: text.clone(), topic: None }];
    let colours = run.map(|run| recall.colours(store, run)).transpose()?;
    let topics = colours.map(|colours| colours.words.in_document(store, id)).transpose()?;
    let pieces = match (&topics, text.is_empty()) {
        (_, true) => Vec::new(),
        (Some(topics), false) => topics.pieces(&corpus, &text),
        (None, false) => plain(),
    };
    let row = |(word, count): (String, u64)| {
        let topic = topics.as_ref().and_then(|topics| topics.topic(&word));
        WordRow { word, count, topic }
    };
    let words: Vec<WordRow> = counts.into_iter().map(row).collect();
    let legend = colours.map(|colours| legend(colours, &words)).unwrap_or_default();
    Ok(Some(DocumentSheet { document, runs, run, legend, pieces, is_cut: end.is_some(), words }))
}

/// The topics of a document's tokens, that of most tokens first.
fn legend(colours: &Colours, words: &[WordRow]) -> Vec<LegendTopic> {
    let of = |topic: u64| -> u64 {
        words.iter().filter(|row| row.topic == Some(topic)).map(|row| row.count).sum()
    };
    let all: u64 = words.iter().filter(|row| row.topic.is_some()).map(|row| row.count).sum();
    let mut legend: Vec<LegendTopic> = colours
        .topics
        .iter()
        .map(|topic| LegendTopic { share: of(topic.topic) as f64 / all as f64, ..topic.clone() })
        .filter(|topic| topic.share > 0.0)
        .collect();
    legend.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.topic.cmp(&b.topic)));
    legend
}
