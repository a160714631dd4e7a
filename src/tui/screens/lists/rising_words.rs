//! The words that rise in the documents that an update added.

use crate::records::column::{Column, First, Kind, Width};
use crate::tui::keymap::{BACK, Keys, enter};
use crate::tui::list::screen::{Back, FindResult, ListQuestion, ListSpec, Listing};
use crate::tui::question::QuestionContext;
use crate::tui::screen::Selection;
use crate::tui::screens::{run_or_runs, word};
use serde_json::json;
use topoi_store::id::CorpusId;
use topoi_store::result::novelty::RisingWord;

pub const NAME: &str = "Rising words";

#[derive(Debug, Clone, Default, PartialEq)]
pub struct RisingWords;

impl ListSpec for RisingWords {
    /// The corpus.
    type About = CorpusId;
    type Row = RisingWord;

    const NAME: &'static str = NAME;
    const HELP: &'static str =
        "Rising words: those that rise in the documents that an update added";
    const FILE: &'static str = "rising-words";
    const NOTHING: &'static str = "No run was chosen: U while a run is looked at.";
    const EMPTY: &'static str =
        "No word rises with this run: it is no update, or what it added is like what was there.";
    const BACK: Back = Some(run_or_runs);
    const IS_OPENED_FOR: fn(&Selection) -> bool = |of| of.run.is_some();
    const COLUMNS: fn() -> Vec<Column<RisingWord>> = columns;
    const KEYS: &'static Keys = &Keys::new(
        "Words that rise with an update",
        &[enter("open", "where the word is used"), BACK],
    );

    fn find(asked: &ListQuestion<Self>, asking: &mut QuestionContext<'_>) -> FindResult<Self> {
        let run = asking.runs.iter().find(|run| Some(run.id) == asked.of.run);
        let Some(run) = run else { return Ok(None) };
        let rows = asking.store.rising_words(run.id)?;
        Ok(Some(Listing { about: run.corpus_id, rows }))
    }

    fn title(of: &Selection, _listing: Option<&Listing<Self>>) -> String {
        format!("Words that rise in the documents that run {} added", of.run.unwrap_or_default())
    }

    fn follow(row: &Self::Row, _shown: &[&Self::Row], of: &Selection) -> (&'static str, Selection) {
        let subject = Selection { run: of.run, corpus: of.corpus, ..Selection::default() };
        (word::NAME, Selection { term: Some(row.word.clone()), ..subject })
    }

    fn crumb(_listing: Option<&Listing<Self>>) -> Option<String> {
        Some("rising words".into())
    }
}

fn columns() -> Vec<Column<RisingWord>> {
    type Row = RisingWord;
    vec![
        Column::new("word", Kind::Text, |row: &Row| json!(row.word)).listed(Width::Share(1)),
        Column::new("added", Kind::Count, |row: &Row| json!(row.added))
            .listed(Width::Cells(8))
            .sorted(First::Largest),
        Column::new("earlier", Kind::Count, |row: &Row| json!(row.earlier))
            .listed(Width::Cells(8))
            .sorted(First::Smallest),
        Column::new("p", Kind::Measure, |row: &Row| json!(row.p))
            .listed(Width::Cells(11))
            .sorted(First::Smallest),
    ]
}
