//! The palette: every action with its key, and the topics, runs, corpora and documents that answer to
//! what is typed. Its actions are read off the key tables.

mod fuzzy;
mod question;
mod view;

pub use question::{PaletteAnswer, PaletteQuestion};
pub use view::draw;

use super::keymap::{Action, Binding, FILTER, Keys};
use super::list::ListState;
use super::screen::Subject;
use super::state::State;

/// The longest text that is typed into it.
const LONGEST: usize = 200;

/// What an entry does when it is chosen.
#[derive(Debug, Clone, PartialEq)]
pub enum Does {
    Act(Action),
    /// A key of another screen: goes there and says what it does there.
    Lead {
        to: &'static str,
        notice: String,
    },
    Open {
        to: &'static str,
        subject: Box<Subject>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Where it belongs: the heading of its keys, or what kind of thing it is.
    pub of: String,
    pub words: String,
    /// Its key; empty for what has none.
    pub key: &'static str,
    pub does: Does,
}

impl Entry {
    fn score(&self, typed: &str) -> Option<i32> {
        let nearer = if matches!(self.does, Does::Lead { .. }) { 0 } else { 6 };
        let words = fuzzy::score(typed, &format!("{} {}", self.words, self.of))?;
        // Who types a key wants to know what it does.
        Some(words + nearer + if self.key == typed { 40 } else { 0 })
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Palette {
    pub typed: String,
    /// Whatever can be done on the screen that is open, or on any.
    actions: Vec<Entry>,
    /// What the store has for what is typed.
    found: Vec<Entry>,
    /// The entries that answer to what is typed, the best first.
    shown: Vec<Entry>,
    pub list: ListState,
}

impl Palette {
    pub fn of(state: &State) -> Self {
        let mut palette = Self { actions: actions(state), ..Self::default() };
        palette.arrange();
        palette
    }

    pub fn entries(&self) -> &[Entry] {
        &self.shown
    }

    pub fn selected(&self) -> Option<&Entry> {
        self.shown.get(self.list.cursor)
    }

    /// Changes what is typed.
    pub fn edit(&mut self, change: impl FnOnce(&mut String)) {
        change(&mut self.typed);
        self.typed.retain(|letter| !letter.is_control());
        if let Some((end, _)) = self.typed.char_indices().nth(LONGEST) {
            self.typed.truncate(end);
        }
        self.list = ListState::default();
        self.arrange();
    }

    pub fn receive(&mut self, answer: PaletteAnswer) {
        self.found = answer.entries;
        self.arrange();
    }

    fn arrange(&mut self) {
        let typed = self.typed.trim();
        let all = self.found.iter().chain(&self.actions);
        let mut scored: Vec<(i32, &Entry)> =
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
fn actions(state: &State) -> Vec<Entry> {
    let here = state.screen_keys();
    let mut entries: Vec<Entry> = Vec::new();
    for table in &here {
        let act = |binding: &Binding| Entry {
            of: table.title.into(),
            words: binding.help.into(),
            key: binding.keys.first().copied().unwrap_or_default(),
            does: Does::Act(binding.action),
        };
        entries.extend(table.bindings.iter().map(act));
    }
    let titles: Vec<&str> = here.iter().map(|table| table.title).chain([FILTER.title]).collect();
    for screen in state.screens.iter().filter(|screen| screen.name() != state.bench.shown) {
        let tables = screen.keys();
        let others = tables.iter().filter(|table| !titles.contains(&table.title));
        entries.extend(others.flat_map(|table| leads(screen.name(), table)));
    }
    entries
}

fn leads(screen: &'static str, table: &Keys) -> Vec<Entry> {
    let lead = |binding: &Binding| {
        let key = binding.keys.first().copied().unwrap_or_default();
        let notice = format!("{key} here: {}", binding.help);
        let does = Does::Lead { to: screen, notice };
        Entry { of: table.title.into(), words: binding.help.into(), key, does }
    };
    table.bindings.iter().map(lead).collect()
}
