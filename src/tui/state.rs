//! The whole state: the screens, what they share, and the keys that hold.

use std::collections::{BTreeMap, VecDeque};

use super::config;
use super::keymap::{self, Keys};
use super::list::ListState;
use super::question::Request;
use super::screen::Screen;
use super::screens;
use super::trail::Trail;
use super::view::layout;
use super::view::look::Appearance;
use super::workbench::Workbench;

/// Everything the workbench knows.
#[derive(Debug, Clone)]
pub struct State {
    pub workbench: Workbench,
    /// In the order of their digits; never empty.
    pub screens: Vec<Box<dyn Screen>>,
    /// The screens that back leads to.
    pub trail: Trail,
    /// The keys that hold on every screen.
    everywhere: Keys,
    /// Key tables that the user has changed, by their headings.
    rebound: BTreeMap<&'static str, Keys>,
    /// What was asked last: the screen shows the answer to it.
    asked: Option<Request>,
    /// The generation of the last answer.
    answered: u64,
    /// Keys for rows that are not there yet, with what each types: they are pressed when the rows come.
    pub typed_ahead: VecDeque<(String, Option<char>)>,
}

/// What the keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    /// To nothing: the terminal is too small to be drawn on.
    TooSmall,
    /// To what lies over the screen.
    Overlay,
    /// To the filter that is being typed.
    Filter,
    /// To a text on the screen that is being typed.
    Text,
    Screen,
}

impl State {
    /// The workbench as it opens: on the first of all screens.
    pub fn new(store: &str, look: Appearance, size: (u16, u16)) -> Self {
        Self::with_screens(screens::all(), store, look, size)
    }

    pub fn with_screens(
        screens: Vec<Box<dyn Screen>>,
        store: &str,
        look: Appearance,
        size: (u16, u16),
    ) -> Self {
        let workbench = Workbench::new(screens[0].name(), store, look, size);
        let everywhere = keymap::everywhere(&screens);
        Self {
            workbench,
            screens,
            trail: Trail::default(),
            everywhere,
            rebound: BTreeMap::new(),
            asked: None,
            answered: 0,
            typed_ahead: VecDeque::new(),
        }
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.screens.iter().position(|screen| screen.name() == name)
    }

    /// Whether there is a screen of this name.
    pub fn has(&self, name: &str) -> bool {
        self.place(name).is_some()
    }

    pub fn screen(&self) -> &dyn Screen {
        &*self.screens[self.place(self.workbench.shown).unwrap_or(0)]
    }

    /// The screen that is shown and what all share, to be changed.
    pub fn parts(&mut self) -> (&mut dyn Screen, &mut Workbench) {
        let place = self.place(self.workbench.shown).unwrap_or(0);
        (&mut *self.screens[place], &mut self.workbench)
    }

    /// Leaves the screen for another that is followed to: both are kept as they are.
    pub fn leave(&mut self, to: &str) {
        let place = |name| self.place(name).unwrap_or(0);
        let (from, to) = (place(self.workbench.shown), place(to));
        self.trail.push(self.screens[from].clone(), self.screens[to].clone(), &self.workbench);
    }

    /// Shows the screen that was left last as it was then; whether there is one.
    pub fn step_back(&mut self) -> bool {
        let Some((mut screen, to)) = self.trail.pop(&mut self.workbench) else { return false };
        screen.returned(&self.screen().subject());
        let name = screen.name();
        for screen in [to, screen] {
            if let Some(place) = self.place(screen.name()).filter(|&at| !self.screens[at].stays()) {
                self.screens[place] = screen;
            }
        }
        self.show(name)
    }

    /// Shows the screen of this name, if there is one.
    pub fn show(&mut self, name: &str) -> bool {
        let found = self.place(name);
        if let Some(place) = found {
            self.workbench.shown = self.screens[place].name();
        }
        found.is_some()
    }

    pub fn focus(&self) -> Focus {
        match &self.workbench.overlay {
            _ if !layout::is_enough(self.workbench.size) => Focus::TooSmall,
            Some(_) => Focus::Overlay,
            None if self.screen().is_typing() => Focus::Text,
            None if self.screen().list().is_some_and(|list| list.typing) => Focus::Filter,
            None => Focus::Screen,
        }
    }

    /// Has the user's own keys hold.
    pub fn rebind(&mut self, own: &BTreeMap<String, Vec<String>>) {
        self.rebound = config::rebound(&self.screens, own);
    }

    fn as_rebound<'k>(&'k self, table: &'k Keys) -> &'k Keys {
        self.rebound.get(table.title).unwrap_or(table)
    }

    /// The key tables that hold now, the most special first.
    pub fn keys(&self) -> Vec<&Keys> {
        let tables = match self.focus() {
            Focus::TooSmall => vec![&keymap::TOO_SMALL],
            Focus::Overlay => self.workbench.overlay.iter().flat_map(|over| over.keys()).collect(),
            Focus::Filter => vec![&keymap::FILTER, &keymap::EDIT],
            Focus::Text | Focus::Screen => return self.screen_keys(),
        };
        tables.into_iter().map(|table| self.as_rebound(table)).collect()
    }

    /// The key tables of the screen itself, whatever lies over it.
    pub fn screen_keys(&self) -> Vec<&Keys> {
        let screen = self.screen();
        let everywhere = (!screen.is_typing()).then_some(&self.everywhere);
        let edit = screen.input().is_some().then_some(&keymap::EDIT);
        let tables = screen.keys().into_iter().chain(edit).chain(everywhere);
        tables.map(|table| self.as_rebound(table)).collect()
    }

    /// The question whose answer the screen shows, of a new generation.
    pub fn question(&mut self) -> Request {
        self.workbench.generation += 1;
        let generation = self.workbench.generation;
        let request = Request { generation, ..self.request() };
        self.asked = Some(request.clone());
        request
    }

    /// The last question was answered, or failed.
    pub fn set_answered(&mut self) {
        self.answered = self.workbench.generation;
    }

    /// Whether the last question has no answer yet.
    pub fn awaits_answer(&self) -> bool {
        self.answered < self.workbench.generation
    }

    /// Whether the screen is a list whose first rows are still being read.
    pub fn awaits_rows(&self) -> bool {
        let is_empty = |list: &ListState| list.reachable() == 0 && !list.is_filtered();
        self.answered < self.workbench.generation && self.screen().list().is_some_and(is_empty)
    }

    /// Whether the question of what is shown is another than the one that was asked last.
    pub fn has_other_question(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| {
            let Request { generation: _, question, without } = self.request();
            (&asked.question, &asked.without) != (&question, &without)
        })
    }

    fn request(&self) -> Request {
        let of_overlay = self.workbench.overlay.as_ref();
        let question = of_overlay.and_then(|over| over.question(&self.workbench));
        let question = question.unwrap_or_else(|| self.screen().question());
        let (generation, without) = (self.workbench.generation, self.workbench.deleted.clone());
        Request { generation, question, without }
    }
}
