//! The palette: every action with its key, and the topics, runs, corpora and documents that answer to
//! what is typed. Its actions are read off the key tables.

mod fuzzy;
mod question;
mod synonyms;
mod view;

pub use question::{PaletteAnswer, PaletteQuestion};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::PAGE;
use crate::tui::input::Input;
use crate::tui::keymap::{Action, Binding, EDIT, FILTER, Keys, PALETTE};
use crate::tui::list::{ListState, distance};
use crate::tui::overlay::{Overlay, Reaction};
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::screen::Selection;
use crate::tui::state::State;
use crate::tui::workbench::Workbench;

/// The longest text that is typed into it, in cells.
const LONGEST: usize = 200;

/// What an entry does when it is chosen.
#[derive(Debug, Clone, PartialEq)]
pub enum EntryAction {
    Act(Action),
    /// A key of another screen: goes there and says what it does there.
    Lead {
        to: &'static str,
        notice: String,
    },
    Open {
        to: &'static str,
        subject: Box<Selection>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct PaletteEntry {
    /// Where it belongs: the heading of its keys, or what kind of thing it is.
    pub of: String,
    pub words: String,
    /// Its key; empty for what has none.
    pub key: &'static str,
    pub does: EntryAction,
}

impl PaletteEntry {
    fn score(&self, typed: &str) -> Option<i32> {
        let nearer = if matches!(self.does, EntryAction::Lead { .. }) { 0 } else { 6 };
        let text = format!("{} {}", self.words, self.of);
        let words = fuzzy::score(typed, &synonyms::with_synonyms(typed, text))?;
        // A typed key is searched by what it does.
        Some(words + nearer + if self.key == typed { 40 } else { 0 })
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Palette {
    pub typed: Input,
    /// Whatever can be done on the screen that is open, or on any.
    actions: Vec<PaletteEntry>,
    /// What the store has for what is typed.
    found: Vec<PaletteEntry>,
    /// The entries that answer to what is typed, the best first.
    shown: Vec<PaletteEntry>,
    pub list: ListState,
}

impl Palette {
    /// The palette over the screen that is shown.
    pub fn new(state: &State) -> Self {
        let typed = Input::new(LONGEST);
        let mut palette = Self { typed, actions: actions(state), ..Self::default() };
        palette.arrange();
        palette
    }

    pub fn entries(&self) -> &[PaletteEntry] {
        &self.shown
    }

    pub fn selected(&self) -> Option<&PaletteEntry> {
        self.shown.get(self.list.cursor)
    }

    /// Shows the best entries for what is typed.
    fn begin(&mut self) {
        self.list = ListState::default();
        self.arrange();
    }

    fn arrange(&mut self) {
        let typed = self.typed.as_str().trim();
        let all = self.found.iter().chain(&self.actions);
        let mut scored: Vec<(i32, &PaletteEntry)> =
            all.filter_map(|entry| Some((entry.score(typed)?, entry))).collect();
        if !typed.is_empty() {
            scored.sort_by_key(|(score, _)| -score);
        }
        self.shown = scored.into_iter().map(|(_, entry)| entry.clone()).collect();
    }

    /// Does what the selected entry is for.
    fn choose(&self, workbench: &mut Workbench) -> Reaction {
        match self.selected().map(|entry| entry.does.clone()) {
            Some(EntryAction::Act(action)) => return Reaction::Act(action),
            Some(EntryAction::Lead { to, notice }) => {
                workbench.go(to);
                workbench.say(notice);
            }
            Some(EntryAction::Open { to, subject }) => workbench.open(to, *subject),
            None => {}
        }
        Reaction::Close
    }
}

impl Overlay for Palette {
    fn keys(&self) -> Vec<&'static Keys> {
        vec![&PALETTE, &EDIT]
    }

    fn accepts(&self, _letter: char) -> bool {
        true
    }

    fn type_in(&mut self, text: &str) {
        self.typed.insert(text);
        self.begin();
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> Reaction {
        let before = self.typed.as_str().to_string();
        match action {
            Action::Accept => return self.choose(workbench),
            Action::Clear => return Reaction::Close,
            _ if self.typed.act(action) => {}
            _ => {
                if let Some(rows) = distance(action, PAGE) {
                    self.list.step(rows, self.shown.len());
                }
            }
        }
        if self.typed.as_str() != before {
            self.begin();
        }
        Reaction::Stay
    }

    fn click(&mut self, place: usize, workbench: &mut Workbench) -> Reaction {
        self.list.cursor = place;
        self.choose(workbench)
    }

    fn question(&self, workbench: &Workbench) -> Option<AnyQuestion> {
        let (corpus, run) = (workbench.open_corpus, workbench.open_run);
        let typed = self.typed.as_str().to_string();
        (!typed.is_empty()).then(|| AnyQuestion::new(PaletteQuestion { typed, corpus, run }))
    }

    fn receive(&mut self, answer: Value, _workbench: &mut Workbench) -> Reaction {
        if let Some(PaletteAnswer { entries }) = answer.take() {
            self.found = entries;
            self.arrange();
        }
        Reaction::Stay
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, workbench.look, area, buffer);
    }
}

/// What the keys do here, then what those of the other screens do there.
fn actions(state: &State) -> Vec<PaletteEntry> {
    let here = state.screen_keys();
    let has_rows = state.screen().list().is_none_or(|list| list.reachable() > 0);
    let mut entries: Vec<PaletteEntry> = Vec::new();
    for table in &here {
        let act = |binding: &Binding| PaletteEntry {
            of: table.title.into(),
            words: binding.help.into(),
            key: binding.keys.first().copied().unwrap_or_default(),
            does: EntryAction::Act(binding.action),
        };
        let works = |binding: &&Binding| has_rows || !binding.action.needs_rows();
        entries.extend(table.bindings.iter().filter(works).map(act));
    }
    let titles: Vec<&str> = here.iter().map(|table| table.title).chain([FILTER.title]).collect();
    for screen in state.screens.iter().filter(|screen| screen.name() != state.workbench.shown) {
        let tables = screen.keys();
        let others = tables.iter().filter(|table| !titles.contains(&table.title));
        entries.extend(others.flat_map(|table| leads(screen.name(), table)));
    }
    entries
}

fn leads(screen: &'static str, table: &Keys) -> Vec<PaletteEntry> {
    let lead = |binding: &Binding| {
        let key = binding.keys.first().copied().unwrap_or_default();
        let notice = format!("{key} here: {}", binding.help);
        let does = EntryAction::Lead { to: screen, notice };
        PaletteEntry { of: table.title.into(), words: binding.help.into(), key, does }
    };
    table.bindings.iter().map(lead).collect()
}
