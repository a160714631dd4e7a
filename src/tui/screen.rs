//! What the workbench knows of a screen: everything around the screens (loop, keys, help, footer,
//! tabs, filters, orders, copying, exports, what is remembered) reaches them through [`Screen`]
//! alone.

use std::any::Any;
use std::fmt::Debug;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::effect::Source;
use super::input::Input;
use super::keymap::{Action, Binding, FILTER, Keys};
use super::list::ListState;
use super::list::columns::ExportTable;
use super::message::EffectOutcome;
use super::question::{AnyQuestion, Value};
use super::workbench::Workbench;
use topoi_store::Store;
use topoi_store::id::{CorpusId, DocumentId, RunId, TopicNumber};
use topoi_store::note::Passage;

/// A screen: what it keeps, what its keys do, what it asks the store, how it is drawn.
pub trait Screen: Any + Debug + CloneScreen {
    /// Its name in the line of tabs, by which others go to it.
    fn name(&self) -> &'static str;

    /// What the help says of the digit that goes there.
    fn help(&self) -> &'static str;

    /// Whether it has a tab and a digit. Rows, or keys of its own, lead to one that has none.
    fn has_tab(&self) -> bool {
        true
    }

    /// The key tables that hold now, the most special first; those of the workbench come after
    /// them.
    fn keys(&self) -> Vec<&'static Keys>;

    /// All key tables it ever has.
    fn tables(&self) -> Vec<&'static Keys> {
        self.keys().into_iter().chain(self.typing_keys()).collect()
    }

    /// Keys that go to this screen from everywhere, and there do something.
    fn shortcuts(&self) -> &'static [Binding] {
        &[]
    }

    /// Key tables that hold while something is typed here, for the help.
    fn typing_keys(&self) -> Vec<&'static Keys> {
        vec![&FILTER]
    }

    /// The label and the line that is typed now: letters and the keys of [`EDIT`] go to it.
    ///
    /// [`EDIT`]: super::keymap::EDIT
    fn input(&self) -> Option<(String, &Input)> {
        None
    }

    fn input_mut(&mut self) -> Option<&mut Input> {
        None
    }

    /// Whether every letter is text now, and only [`Screen::keys`] hold.
    fn is_typing(&self) -> bool {
        self.input().is_some()
    }

    /// Whether this letter is text now.
    fn accepts(&self, _letter: char) -> bool {
        self.is_typing()
    }

    fn type_in(&mut self, text: &str, workbench: &mut Workbench) {
        let Some(input) = self.input_mut() else { return };
        if !input.insert(text) {
            workbench.say(format!("at most {} letters have room here", input.longest()));
        }
    }

    /// Does what a key of this screen means; whether it has such a key. Moving in the list, for one, is left
    /// to the workbench.
    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool;

    /// Stops what is under way here, if anything is: Ctrl-C.
    fn interrupt(&mut self, _workbench: &mut Workbench) -> bool {
        false
    }

    /// The question whose answer it shows.
    fn question(&self) -> AnyQuestion;

    /// Takes the answer to its question.
    fn receive(&mut self, answer: Value, workbench: &mut Workbench);

    /// Takes the outcome of an effect, if it is of this screen.
    fn hear(&mut self, _news: &EffectOutcome, _workbench: &mut Workbench) {}

    /// It is about to be shown.
    fn arrive(&mut self, _navigation: &Navigation, _workbench: &mut Workbench) {}

    /// Whether it stays as it is when it is left and come back to: it has what must not be lost, such as edits.
    fn stays(&self) -> bool {
        false
    }

    /// It is shown as it was left; this was looked at meanwhile, where its rows led to.
    fn returned(&mut self, _seen: &Selection) {}

    /// Closes what lies within the screen over what it was shown for, if anything does.
    fn close(&mut self, _workbench: &mut Workbench) -> bool {
        false
    }

    /// Out of the screen, where the trail leads no further back.
    fn back(&mut self, workbench: &mut Workbench);

    /// What is open here, in a few words, for the line of the trail: `run 12`, `topic 5 market`.
    fn crumb(&self) -> Option<String> {
        None
    }

    /// Something has changed: wraps text anew and requests what is missing.
    fn settle(&mut self, _workbench: &mut Workbench) {}

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer);

    /// The line below the screen, where it is not the position in the list.
    fn status(&self, workbench: &Workbench) -> Option<Line<'static>> {
        let (label, input) = self.input()?;
        Some(input.line(workbench.look, &label, workbench.size.0.into()))
    }

    /// What is said after the place in the list, where there is room.
    fn remark(&self) -> Option<&'static str> {
        None
    }

    /// The list the keys go to, if there is one.
    fn list(&self) -> Option<&ListState> {
        None
    }

    fn list_mut(&mut self) -> Option<&mut ListState> {
        None
    }

    /// Rows of that list on the screen.
    fn list_rows(&self, _workbench: &Workbench) -> usize {
        1
    }

    /// The other list of the screen gets the keys: it was clicked on.
    fn focus_list(&mut self) {}

    /// The filter or the order of the list has changed.
    fn rearrange(&mut self, _workbench: &mut Workbench) {}

    /// The cursor of the list has moved.
    fn moved(&mut self, _workbench: &mut Workbench) {}

    /// What is shown as a plain table, for copying and export.
    fn sheet(&self) -> Option<ExportTable> {
        None
    }

    /// What is copied instead of the row under the cursor.
    fn text(&self, _workbench: &Workbench) -> Option<String> {
        None
    }

    /// What is copied instead of all rows.
    fn whole_text(&self) -> Option<String> {
        None
    }

    /// What a note is on; `None` for what [`Screen::subject`] says.
    fn noted(&self, _workbench: &Workbench) -> Option<Selection> {
        None
    }

    /// What is exported; `None` when there is nothing.
    fn export(&self) -> Option<Source> {
        self.sheet().filter(|sheet| !sheet.rows.is_empty()).map(Source::ExportTable)
    }

    /// Options of `topoi plot` that draw what is shown.
    fn figure(&self) -> Vec<String> {
        Vec::new()
    }

    /// What the user looks at here, for the screen that is gone to.
    fn subject(&self) -> Selection {
        Selection::default()
    }

    /// What is to be remembered of it when the workbench is left.
    fn remember(&self) -> serde_json::Value {
        serde_json::Value::Null
    }

    /// Brings it to where it was left.
    fn restore(
        &mut self,
        _left: &serde_json::Value,
        _previous: &PreviousSession<'_>,
        _workbench: &mut Workbench,
    ) {
    }
}

/// What is known of earlier times.
pub struct PreviousSession<'a> {
    pub store: &'a Store,
    /// The queries that were asked, oldest first.
    pub queries: &'a [String],
}

/// The way to a screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Navigation {
    pub to: &'static str,
    /// The screen that is left.
    pub from: &'static str,
    /// What the user looked at there.
    pub left: Selection,
    /// What is to be opened; `None` shows the screen as it was.
    pub open: Option<Selection>,
    /// Whether back leads to the screen that is left; else a new trail begins.
    pub follows: bool,
}

/// What a user can look at.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Selection {
    /// Row id of a corpus.
    pub corpus: Option<CorpusId>,
    pub corpus_name: Option<String>,
    /// Number of a run.
    pub run: Option<RunId>,
    /// Number of a topic of that run.
    pub topic: Option<TopicNumber>,
    /// A corpus that is looked at beside it.
    pub other_corpus: Option<CorpusId>,
    /// A topic that is looked at beside it.
    pub beside: Option<(RunId, TopicNumber)>,
    /// Numbers of runs to be compared.
    pub runs: Vec<RunId>,
    /// Row id of a document.
    pub document: Option<DocumentId>,
    /// The documents of the list it is in, in their order.
    pub documents: Vec<DocumentId>,
    /// The part of the document's text that is meant.
    pub passage: Option<Passage>,
    /// A term of the corpus.
    pub term: Option<String>,
    /// What was looked for in its texts.
    pub query: Option<String>,
    /// The name of the side it is to be seen from.
    pub view: Option<&'static str>,
    /// Whether the run is to be made again, with changes.
    pub again: bool,
    /// What is to be begun with it there, by one of the screen's own actions.
    pub begun: Option<Action>,
}

/// Screens are cloned behind their trait.
pub trait CloneScreen {
    fn boxed(&self) -> Box<dyn Screen>;
}

impl<S: Screen + Clone> CloneScreen for S {
    fn boxed(&self) -> Box<dyn Screen> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Screen> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}
