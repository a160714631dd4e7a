//! The words that distinguish two corpora.

use crate::records::column::Column;
use crate::records::two_corpora::{WordOfCorpus, columns, words_of_corpora};
use crate::tui::keymap::{Action, BACK, Keys, enter, key};
use crate::tui::list::screen::{Back, FindResult, ListQuestion, ListSpec, Listing};
use crate::tui::question::QuestionContext;
use crate::tui::screen::Selection;
use crate::tui::screens::{corpora, topics_elsewhere, word};
use topoi_store::corpus::Corpus;

pub const NAME: &str = "Two corpora";

const TOPICS: Action = Action::Own("topics of the first in the second");

/// Words of each corpus.
const WORDS: usize = 200;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct TwoCorpora;

impl ListSpec for TwoCorpora {
    type About = [Corpus; 2];
    type Row = WordOfCorpus;

    const NAME: &'static str = NAME;
    const HELP: &'static str = "Two corpora: the words that distinguish them";
    const FILE: &'static str = "two-corpora";
    const NOTHING: &'static str =
        "Space marks a corpus of the list, and c on another sets the two side by side.";
    const EMPTY: &'static str = "No word is more in one corpus than in the other.";
    const BACK: Back = Some(|_| corpora::NAME);
    const IS_OPENED_FOR: fn(&Selection) -> bool = |of| of.other_corpus.is_some();
    const LEADS_TO: &'static [(Action, &'static str)] = &[(TOPICS, topics_elsewhere::NAME)];
    const COLUMNS: fn() -> Vec<Column<WordOfCorpus>> = columns;
    const KEYS: &'static Keys = &Keys::new(
        "Two corpora",
        &[
            enter("open", "where the word is used in the corpus that it distinguishes"),
            key(&["t"], TOPICS, "its topics there", "the topics of the first in the second"),
            BACK,
        ],
    );

    fn find(asked: &ListQuestion<Self>, asking: &mut QuestionContext<'_>) -> FindResult<Self> {
        let (Some(one), Some(other)) = (asked.of.corpus, asked.of.other_corpus) else {
            return Ok(None);
        };
        let store = asking.store;
        let corpora = [store.corpus_by_id(one)?, store.corpus_by_id(other)?];
        let rows = words_of_corpora(store, [&corpora[0], &corpora[1]], WORDS)?;
        Ok(Some(Listing { about: corpora, rows }))
    }

    fn title(_of: &Selection, listing: Option<&Listing<Self>>) -> String {
        listing.map_or_else(
            || NAME.into(),
            |listing| {
                let [one, other] = &listing.about;
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
        let [one, other] = &listing?.about;
        Some(format!("{} and {}", one.name, other.name))
    }
}
