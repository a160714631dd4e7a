//! The document that chunks were cut from: its topics, and its chunks in their order.

use serde_json::json;

use crate::records::column::{Column, First, Kind, Width};
use crate::tui::keymap::{BACK, Keys, enter};
use crate::tui::list::screen::{Back, FindResult, ListQuestion, ListSpec, Listing};
use crate::tui::question::QuestionContext;
use crate::tui::screen::Selection;
use crate::tui::screens::corpus::question::{in_words, main_topics};
use crate::tui::screens::{corpus, corpus_or_corpora, run::question::WORDS};
use topoi_core::numbers::thousands;
use topoi_store::corpus::{chunk::Chunk, document::Document};

pub const NAME: &str = "Parent";
/// Chunks that are listed, and topics of the whole document that are named.
const ROWS: usize = 1000;
const TOPICS: usize = 6;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parent;

impl ListSpec for Parent {
    /// The chunk that led here, and what is said of the topics of the whole document.
    type About = (Chunk, String);
    /// A chunk, and the topic that it is most about, in words.
    type Row = (Document, String);

    const NAME: &'static str = NAME;
    const HELP: &'static str = "Parent: a document and its chunks";
    const FILE: &'static str = "chunks";
    const NOTHING: &'static str = "This document is a whole: it was not cut into chunks.";
    const BACK: Back = Some(corpus_or_corpora);
    const ROWS_ABOVE: u16 = 3;
    const ABOVE: fn(&Listing<Self>) -> String = |listing| listing.about.1.clone();
    const IS_OPENED_FOR: fn(&Selection) -> bool = |of| of.document.is_some();
    const KEYS: &'static Keys =
        &Keys::new("Document in chunks", &[enter("read", "read the chunk"), BACK]);
    const COLUMNS: fn() -> Vec<Column<Self::Row>> = || {
        let column = |name, kind, cell: fn(&Self::Row) -> _| Column::new(name, kind, cell);
        let key = column("key", Kind::Text, |(document, _)| json!(document.key));
        let tokens = column("tokens", Kind::Count, |(document, _)| json!(document.tokens));
        let topic = column("topic", Kind::Text, |(_, topic)| json!(topic));
        vec![
            key.listed(Width::Share(2)).sorted(First::Smallest),
            tokens.listed(Width::Cells(9)).sorted(First::Largest),
            topic.listed(Width::Share(1)).sorted(First::Smallest),
        ]
    };

    fn find(asked: &ListQuestion<Self>, asking: &mut QuestionContext<'_>) -> FindResult<Self> {
        let (store, cache) = (asking.store, &mut *asking.cache);
        let chunk = asked.of.document.map(|id| store.chunk(id)).transpose()?.flatten();
        let Some(chunk) = chunk else { return Ok(None) };
        let run = asking.runs.iter().find(|run| Some(run.id) == asked.of.run);
        let run = run.filter(|run| Some(run.corpus_id) == asked.of.corpus);
        let documents = store.chunks_of(chunk.parent_id, ROWS)?;
        let (mut of_chunks, mut said) = (Vec::new(), Vec::new());
        if let Some(run) = run {
            of_chunks = main_topics(store, cache, run, &documents)?;
            let names = cache.topics(store, run, WORDS)?;
            let all = store.topics_of_parent(run.id, chunk.parent_id)?.into_iter().take(TOPICS);
            said.extend(all.map(|topic| in_words(&names, topic).trim().to_string()));
        }
        of_chunks.resize(documents.len(), String::new());
        let said = match run.filter(|_| !said.is_empty()) {
            Some(run) => format!("Topics of the whole by run {}: {}", run.id, said.join(", ")),
            None => "No run that is open has topics of it.".into(),
        };
        let rows = documents.into_iter().zip(of_chunks).collect();
        Ok(Some(Listing { about: (chunk, said), rows }))
    }

    fn title(_of: &Selection, listing: Option<&Listing<Self>>) -> String {
        let chunk = listing.map(|listing| &listing.about.0);
        let Some(chunk) = chunk else { return "Document in chunks".into() };
        let title = chunk.title.as_ref().map(|title| format!(": {title}")).unwrap_or_default();
        format!("{}{title} ({} chunks)", chunk.parent, thousands(chunk.chunks))
    }

    fn follow(row: &Self::Row, shown: &[&Self::Row], of: &Selection) -> (&'static str, Selection) {
        let documents = shown.iter().map(|(document, _)| document.id).collect();
        (corpus::NAME, Selection { document: Some(row.0.id), documents, ..of.clone() })
    }

    fn crumb(listing: Option<&Listing<Self>>) -> Option<String> {
        Some(listing.map_or("parent".into(), |listing| listing.about.0.parent.clone()))
    }
}
