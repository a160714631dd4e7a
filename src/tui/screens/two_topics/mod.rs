//! Two topics side by side: their words, their documents, their shares over time.

mod question;
mod view;

pub use question::{TopicSide, TwoTopicsQuestion};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::keymap::{Action, Action as A, Keys, SCROLL, key};
use crate::tui::list::ListState;
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::screen::{Navigation, Screen, Selection};
use crate::tui::screens::{run, run_or_runs};
use crate::tui::workbench::Workbench;
use topoi_store::id::{RunId, TopicNumber};

pub const NAME: &str = "Two topics";

static KEYS: Keys = Keys::new(
    "Two topics",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "open", "the first topic in its run"),
        key(&["Tab"], A::NextField, "other first", "the other topic first"),
        key(&["h", "Left"], A::Back, "", "back"),
    ],
);

#[derive(Debug, Clone, Default)]
pub struct TwoTopicsScreen {
    /// The two topics, with their runs.
    topics: Option<[(RunId, TopicNumber); 2]>,
    /// `None` before the first answer; what was found of the two, in their order.
    answer: Option<Option<Box<[TopicSide; 2]>>>,
    list: ListState,
}

impl TwoTopicsScreen {
    /// The two topics in their order, once they are here.
    pub fn sides(&self) -> Option<&[TopicSide; 2]> {
        self.answer.as_ref()?.as_deref()
    }
}

impl Screen for TwoTopicsScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "Two topics: words, documents, time side by side"
    }

    fn has_tab(&self) -> bool {
        false
    }

    fn keys(&self) -> Vec<&'static Keys> {
        vec![&KEYS, &SCROLL]
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        match (action, &mut self.topics) {
            (Action::Enter, Some([(run, topic), _])) => {
                let (run, topic) = (Some(*run), Some(*topic));
                workbench.follow(run::NAME, Selection { run, topic, ..Selection::default() });
            }
            (Action::NextField, Some(topics)) => topics.swap(0, 1),
            _ => return false,
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(TwoTopicsQuestion { topics: self.topics })
    }

    fn receive(&mut self, answer: Value, _workbench: &mut Workbench) {
        if let Some(answer) = answer.take::<Option<Box<[TopicSide; 2]>>>() {
            self.answer = Some(answer);
            let rows = view::rows_of_words(self);
            self.list.filter_rows(&vec![(); rows], |(), _| true);
        }
    }

    fn arrive(&mut self, navigation: &Navigation, _workbench: &mut Workbench) {
        let open = navigation.open.as_ref();
        let both = open.and_then(|open| Some([(open.run?, open.topic?), open.beside?]));
        if both.is_some() && both != self.topics {
            *self = Self { topics: both, ..Self::default() };
        }
    }

    fn back(&mut self, workbench: &mut Workbench) {
        workbench.go(run_or_runs(workbench));
    }

    fn crumb(&self) -> Option<String> {
        let [(one, first), (two, second)] = self.topics?;
        Some(format!("topics {first} of {one} and {second} of {two}"))
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, workbench.look, area, buffer);
    }

    fn list(&self) -> Option<&ListState> {
        Some(&self.list)
    }

    fn list_mut(&mut self) -> Option<&mut ListState> {
        Some(&mut self.list)
    }

    fn list_rows(&self, workbench: &Workbench) -> usize {
        view::rows(self, workbench.body())
    }

    fn subject(&self) -> Selection {
        let first = self.topics.map(|topics| topics[0]);
        let (run, topic) = first.unzip();
        Selection { run, topic, ..Selection::default() }
    }
}
