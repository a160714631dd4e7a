//! A list screen as somebody would add it: this file is all it takes, besides `mod` and its line among the screens.

use serde_json::json;

use crate::records::column::{Column, First, Kind, Width};
use crate::tui::keymap::{Action, BACK, Binding, Keys, enter, key};
use crate::tui::list::screen::{Back, FindResult, ListQuestion, ListSpec, Listing};
use crate::tui::question::QuestionContext;
use crate::tui::screen::Selection;
use crate::tui::screens::{corpus, corpus_or_corpora};
use crate::tui::workbench::Workbench;

pub const NAME: &str = "Languages";
const COUNT: Action = Action::Own("count languages");

/// Counts how often its key was pressed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Languages {
    pub counted: usize,
}

impl ListSpec for Languages {
    type About = ();
    /// A language and how many people speak it.
    type Row = (String, u64);

    const NAME: &'static str = NAME;
    const HELP: &'static str = "the languages of a corpus";
    const FILE: &'static str = "languages";
    const NOTHING: &'static str = "There is no corpus.";
    const HAS_TAB: bool = true;
    const BACK: Back = Some(corpus_or_corpora);
    const SHORTCUTS: &'static [Binding] = &[key(&["g h"], COUNT, "", "count the languages here")];
    const KEYS: &'static Keys = &Keys::new(
        "Languages",
        &[enter("open", "its documents"), key(&["x"], COUNT, "count", "count them"), BACK],
    );
    const COLUMNS: fn() -> Vec<Column<Self::Row>> = || {
        vec![
            Column::new("language", Kind::Text, |row: &Self::Row| json!(row.0))
                .listed(Width::Share(1))
                .sorted(First::Smallest),
            Column::new("speakers", Kind::Count, |row: &Self::Row| json!(row.1))
                .listed(Width::Cells(12))
                .sorted(First::Largest),
        ]
    };

    fn find(_asked: &ListQuestion<Self>, _asking: &mut QuestionContext<'_>) -> FindResult<Self> {
        Ok(Some(Listing { about: (), rows: Vec::new() }))
    }

    fn title(_of: &Selection, _listing: Option<&Listing<Self>>) -> String {
        "Languages".into()
    }

    fn follow(
        _row: &Self::Row,
        _shown: &[&Self::Row],
        of: &Selection,
    ) -> (&'static str, Selection) {
        (corpus::NAME, of.clone())
    }

    fn act(&mut self, action: Action, _row: Option<&Self::Row>, workbench: &mut Workbench) -> bool {
        self.counted += usize::from(action == COUNT);
        workbench.say(format!("counted {} times", self.counted));
        action == COUNT
    }
}
