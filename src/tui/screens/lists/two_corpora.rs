//! The words that distinguish two corpora.

use crate::records::column::Column;
use crate::records::two_corpora::{WordOfCorpus, columns, words_of_corpora};
use crate::tui::keymap::{BACK, Keys, enter};
use crate::tui::list::screen::{Back, FindResult, ListQuestion, ListSpec, Listing};
use crate::tui::question::QuestionContext;
use crate::tui::screen::Selection;
use crate::tui::screens::{corpora, word};
use topoi_core::shell_word::shell_word;
use topoi_store::corpus::Corpus;
use topoi_store::id::RunId;
use topoi_store::run::RunStatus;

pub const NAME: &str = "Two corpora";

/// Words of each corpus.
const WORDS: usize = 200;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct TwoCorpora;

/// The two, with the newest finished run of the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Both {
    corpora: [Corpus; 2],
    run: Option<RunId>,
}

impl ListSpec for TwoCorpora {
    type About = Both;
    type Row = WordOfCorpus;

    const NAME: &'static str = NAME;
    const HELP: &'static str = "Two corpora: the words that distinguish them";
    const FILE: &'static str = "two-corpora";
    const NOTHING: &'static str =
        "Space marks a corpus of the list, and c on another sets the two side by side.";
    const EMPTY: &'static str = "No word is more in one corpus than in the other.";
    const BACK: Back = Some(|_| corpora::NAME);
    const IS_OPENED_FOR: fn(&Selection) -> bool = |of| of.other_corpus.is_some();
    const COLUMNS: fn() -> Vec<Column<WordOfCorpus>> = columns;
    const ROWS_ABOVE: u16 = 2;
    const ABOVE: fn(&Listing<Self>) -> String = |listing| topics_of_one(&listing.about);
    const KEYS: &'static Keys = &Keys::new(
        "Two corpora",
        &[enter("open", "where the word is used in the corpus that it distinguishes"), BACK],
    );

    fn find(asked: &ListQuestion<Self>, asking: &mut QuestionContext<'_>) -> FindResult<Self> {
        let (Some(one), Some(other)) = (asked.of.corpus, asked.of.other_corpus) else {
            return Ok(None);
        };
        let store = asking.store;
        let corpora = [store.corpus_by_id(one)?, store.corpus_by_id(other)?];
        let rows = words_of_corpora(store, [&corpora[0], &corpora[1]], WORDS)?;
        let mut finished = asking.runs.iter().filter(|run| run.status == RunStatus::Finished);
        let run = finished.find(|run| run.corpus_id == one).map(|run| run.id);
        Ok(Some(Listing { about: Both { corpora, run }, rows }))
    }

    fn title(_of: &Selection, listing: Option<&Listing<Self>>) -> String {
        listing.map_or_else(
            || NAME.into(),
            |listing| {
                let [one, other] = &listing.about.corpora;
                format!("Words that distinguish {} and {}", one.name, other.name)
            },
        )
    }

    fn follow(
        row: &Self::Row,
        _shown: &[&Self::Row],
        _of: &Selection,
    ) -> (&'static str, Selection) {
        let (corpus, term) = (Some(row.corpus.id), Some(row.word.word.clone()));
        (word::NAME, Selection { corpus, term, ..Selection::default() })
    }

    fn crumb(listing: Option<&Listing<Self>>) -> Option<String> {
        let [one, other] = &listing?.about.corpora;
        Some(format!("{} and {}", one.name, other.name))
    }
}

/// How the topics of the first corpus are found in the second.
fn topics_of_one(both: &Both) -> String {
    let [one, other] = &both.corpora;
    match both.run {
        Some(run) => format!(
            "The topics of {} (run {run}) in {}: topoi infer {run} --corpus {}",
            one.name,
            other.name,
            shell_word(&other.name)
        ),
        None => {
            format!("{} has no run yet whose topics could be found in {}.", one.name, other.name)
        }
    }
}
