//! The keys of actions, which the user can choose.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::tui::keymap::{
    self, Binding, CONFIRM, EDIT, FILTER, GLOSSARY, HELP, JOB, Keys, LIST, PALETTE, TOO_SMALL,
};
use crate::tui::screen::Screen;
use crate::tui::screens;

/// Every key table there is; those that all screens share first.
fn tables(screens: &[Box<dyn Screen>]) -> Vec<Keys> {
    let shared = [keymap::everywhere(screens), LIST.clone(), FILTER.clone(), PALETTE.clone()];
    let more = [
        EDIT.clone(),
        JOB.clone(),
        GLOSSARY.clone(),
        HELP.clone(),
        CONFIRM.clone(),
        TOO_SMALL.clone(),
    ];
    let of_screens = screens.iter().flat_map(|screen| screen.tables()).cloned();
    let mut tables: Vec<Keys> = Vec::new();
    for table in shared.into_iter().chain(more).chain(of_screens) {
        if !tables.iter().any(|other| other.title == table.title) {
            tables.push(table);
        }
    }
    tables
}

/// What the configuration can give keys to: (name, its keys in all tables, what it does).
pub fn actions() -> Vec<(String, Vec<&'static str>, &'static str)> {
    let mut rows: BTreeMap<String, (Vec<&'static str>, &'static str)> = BTreeMap::new();
    for binding in tables(&screens::all()).iter().flat_map(|table| table.bindings.iter()) {
        let (keys, _) = rows.entry(binding.action.name()).or_insert((Vec::new(), binding.help));
        keys.extend(binding.keys);
    }
    let row = |(name, (mut keys, help)): (String, (Vec<&'static str>, &'static str))| {
        let mut seen = Vec::new();
        keys.retain(|key| {
            !seen.contains(key) && {
                seen.push(*key);
                true
            }
        });
        (name, keys, help)
    };
    rows.into_iter().map(row).collect()
}

/// The key tables that differ from the program's, by their headings: an action that the user has given
/// keys has those alone, and no other action of its table has them; if it holds on every screen, no
/// other action at all.
pub fn rebound(
    screens: &[Box<dyn Screen>],
    own: &BTreeMap<String, Vec<String>>,
) -> BTreeMap<&'static str, Keys> {
    if own.is_empty() {
        return BTreeMap::new();
    }
    let own: BTreeMap<&str, &'static [&'static str]> =
        own.iter().map(|(name, keys)| (name.as_str(), lasting(keys))).collect();
    let tables = tables(screens);
    let given = |table: &Keys| -> Vec<&'static str> {
        let names = table.bindings.iter().map(|binding| binding.action.name());
        names
            .filter_map(|name| own.get(name.as_str()))
            .flat_map(|keys| keys.iter().copied())
            .collect()
    };
    let everywhere: Vec<&str> = tables.iter().take(2).flat_map(given).collect();
    let typing = [
        JOB.title,
        GLOSSARY.title,
        FILTER.title,
        PALETTE.title,
        HELP.title,
        CONFIRM.title,
        TOO_SMALL.title,
    ];
    let rebind = |table: &Keys| {
        let mut taken = given(table);
        if !typing.contains(&table.title) {
            taken.extend(&everywhere);
        }
        let bind = |binding: &Binding| {
            let keys = match own.get(binding.action.name().as_str()) {
                Some(keys) => keys,
                None if binding.keys.iter().any(|key| taken.contains(key)) => {
                    let free = binding.keys.iter().filter(|key| !taken.contains(key));
                    lasting(&free.map(ToString::to_string).collect::<Vec<_>>())
                }
                None => binding.keys,
            };
            Binding { keys, ..*binding }
        };
        let bindings: Vec<Binding> = table.bindings.iter().map(bind).collect();
        (table.title, Keys { title: table.title, bindings: Cow::Owned(bindings) })
    };
    tables.iter().map(rebind).collect()
}

/// Keys as tables have them, which live as long as the program; made once, when it starts.
fn lasting(keys: &[String]) -> &'static [&'static str] {
    let keys = keys.iter().map(|key| &*key.clone().leak()).collect::<Vec<&'static str>>();
    keys.leak()
}

const NAMED: [&str; 17] = [
    "Space",
    "Enter",
    "Esc",
    "Tab",
    "Shift-Tab",
    "Backspace",
    "Delete",
    "Up",
    "Down",
    "Left",
    "Right",
    "Shift-Left",
    "Shift-Right",
    "Home",
    "End",
    "PgUp",
    "PgDn",
];

/// Whether these are names of keys with blanks between.
pub fn is_sequence(keys: &str) -> bool {
    let is_key = |key: &str| {
        let letter = |text: &str| text.chars().count() == 1 && !text.contains(char::is_control);
        let control = key.strip_prefix("Ctrl-").is_some_and(|rest| {
            letter(rest) && rest.starts_with(|letter: char| letter.is_ascii_uppercase())
        });
        let function = key
            .strip_prefix('F')
            .and_then(|number| number.parse::<u8>().ok())
            .is_some_and(|it| (1..=12).contains(&it));
        NAMED.contains(&key) || letter(key) || control || function
    };
    !keys.is_empty() && keys.split(' ').all(is_key)
}
