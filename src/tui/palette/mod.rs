//! The palette: every action with its key, and the topics, runs, corpora and documents that answer to
//! what is typed. Its actions are read off the key tables.

mod fuzzy;
mod question;
mod view;

pub use question::{PaletteAnswer, PaletteQuestion};
pub use view::draw;

use super::input::Input;
use super::keymap::{Action, Binding, FILTER, Keys};
use super::list::ListState;
use super::screen::Selection;
use super::state::State;

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
        let words = fuzzy::score(typed, &format!("{} {}", self.words, self.of))?;
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
    pub fn of(state: &State) -> Self {
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

    pub fn type_in(&mut self, text: &str) {
        self.typed.insert(text);
        self.begin();
    }

    /// Moves the cursor in what is typed, or erases.
    pub fn edit(&mut self, action: Action) {
        let before = self.typed.as_str().to_string();
        self.typed.act(action);
        if self.typed.as_str() != before {
            self.begin();
        }
    }

    /// Shows the best entries for what is typed.
    fn begin(&mut self) {
        self.list = ListState::default();
        self.arrange();
    }

    pub fn receive(&mut self, answer: PaletteAnswer) {
        self.found = answer.entries;
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

    pub fn step(&mut self, rows: isize) {
        self.list.step(rows, self.shown.len());
    }
}

/// What the keys do here, then what those of the other screens do there.
fn actions(state: &State) -> Vec<PaletteEntry> {
    let here = state.screen_keys();
    let mut entries: Vec<PaletteEntry> = Vec::new();
    for table in &here {
        let act = |binding: &Binding| PaletteEntry {
            of: table.title.into(),
            words: binding.help.into(),
            key: binding.keys.first().copied().unwrap_or_default(),
            does: EntryAction::Act(binding.action),
        };
        entries.extend(table.bindings.iter().map(act));
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
