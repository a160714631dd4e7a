//! The documents that are most like one: by their topics in a run, or by their words.

use crate::records::{column::Column, found};
use crate::tui::keymap::{Action, BACK, Keys, enter, key};
use crate::tui::list::screen::{Back, FindResult, ListQuestion, ListSpec, Listing};
use crate::tui::question::QuestionContext;
use crate::tui::screen::Selection;
use crate::tui::screens::{corpus, corpus::question::names, corpus_or_corpora};
use crate::tui::workbench::Workbench;
use topoi_run::saved::similar::{SimilarDocument, by_topics, by_words};
use topoi_store::{corpus::document::Document, id::RunId};

pub const NAME: &str = "Similar";
/// Documents that are listed.
const ROWS: usize = 200;
const OTHER_MEASURE: Action = Action::Own("by topics or words");

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Similar {
    /// Words are compared even where there are topics.
    pub by_words: bool,
}

impl ListSpec for Similar {
    /// The key of the document, and the run whose topics were compared; `None` for words.
    type About = (String, Option<RunId>);
    type Row = SimilarDocument;

    const NAME: &'static str = NAME;
    const HELP: &'static str = "Similar: documents like one";
    const FILE: &'static str = "similar";
    const NOTHING: &'static str = "No document was chosen: D while a document is read.";
    const EMPTY: &'static str = "No other document is like it.";
    const BACK: Back = Some(corpus_or_corpora);
    const IS_OPENED_FOR: fn(&Selection) -> bool = |of| of.document.is_some();
    const COLUMNS: fn() -> Vec<Column<SimilarDocument>> = found::similar;
    const KEYS: &'static Keys = &Keys::new(
        "Documents like one",
        &[
            enter("read", "read the document"),
            key(&["w"], OTHER_MEASURE, "topics/words", "compare topics, or words"),
            BACK,
        ],
    );

    fn find(asked: &ListQuestion<Self>, asking: &mut QuestionContext<'_>) -> FindResult<Self> {
        let store = asking.store;
        let Some((corpus, id)) = asked.of.corpus.zip(asked.of.document) else { return Ok(None) };
        let Some(document) = store.document(id)? else { return Ok(None) };
        let corpus = store.corpus_by_id(corpus)?;
        let run = asked.of.run.filter(|_| !asked.spec.by_words);
        let run = asking.runs.iter().find(|it| Some(it.id) == run && it.corpus_id == corpus.id);
        let read = || {
            let found = run.map(|run| by_topics(store, run, id, ROWS)).transpose()?.flatten();
            let by = run.map(|run| run.id).filter(|_| found.is_some());
            let mut rows = found.map_or_else(|| by_words(store, &corpus, id, ROWS), Ok)?;
            let documents: Vec<Document> = rows.iter().map(|row| row.document.clone()).collect();
            for (row, name) in rows.iter_mut().zip(names(store, &documents)?) {
                row.document.title = Some(name);
            }
            Ok((by, rows))
        };
        let version = store.documents_version()?;
        let (by, rows) = asking.cache.answered(asked, &corpus, version, read)?;
        Ok(Some(Listing { about: (document.key, by), rows }))
    }

    fn title(_of: &Selection, listing: Option<&Listing<Self>>) -> String {
        match listing.map(|listing| &listing.about) {
            None => "Documents like one".into(),
            Some((key, Some(run))) => format!("Documents like {key}, by their topics in run {run}"),
            Some((key, None)) => format!("Documents like {key}, by their words"),
        }
    }

    fn follow(row: &Self::Row, shown: &[&Self::Row], of: &Selection) -> (&'static str, Selection) {
        let documents = shown.iter().map(|row| row.document.id).collect();
        (corpus::NAME, Selection { document: Some(row.document.id), documents, ..of.clone() })
    }

    fn act(&mut self, action: Action, _: Option<&Self::Row>, _: &mut Workbench) -> bool {
        self.by_words ^= action == OTHER_MEASURE;
        action == OTHER_MEASURE
    }

    fn crumb(listing: Option<&Listing<Self>>) -> Option<String> {
        Some(listing.map_or("similar".into(), |listing| format!("like {}", listing.about.0)))
    }
}
