//! Names of keys, and from a key to what it does.
//!
//! A key is named as people write it: `j`, `G`, `Ctrl-D`, `PgDn`, `Shift-Tab`; a sequence is its
//! keys with blanks between, `g g`. The same names stand in the key table, the footer and the
//! help, so that what is shown is what works.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::keymap::{Action, Keys};

/// What a key, after those of an unfinished sequence, does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// It does this.
    Action(Action),
    /// It begins a sequence.
    Prefix,
    /// Nothing.
    Nothing,
}

/// The name of a key; `None` for a release and for keys no terminal sends reliably.
pub fn name(key: &KeyEvent) -> Option<String> {
    if key.kind == KeyEventKind::Release || key.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let plain = |name: &str| Some(name.to_string());
    match key.code {
        // Many terminals send the byte of Ctrl-H for Backspace and that of Ctrl-J for Enter.
        KeyCode::Char('h') if control => plain("Backspace"),
        KeyCode::Char('j') if control => plain("Enter"),
        KeyCode::Char(c) if control => Some(format!("Ctrl-{}", c.to_ascii_uppercase())),
        KeyCode::Char(' ') => plain("Space"),
        KeyCode::Char(c) => Some(c.to_string()),
        KeyCode::Enter => plain("Enter"),
        KeyCode::Esc => plain("Esc"),
        KeyCode::Tab => plain("Tab"),
        KeyCode::BackTab => plain("Shift-Tab"),
        KeyCode::Backspace => plain("Backspace"),
        KeyCode::Delete => plain("Delete"),
        KeyCode::Up => plain("Up"),
        KeyCode::Down => plain("Down"),
        KeyCode::Left => plain("Left"),
        KeyCode::Right => plain("Right"),
        KeyCode::Home => plain("Home"),
        KeyCode::End => plain("End"),
        KeyCode::PageUp => plain("PgUp"),
        KeyCode::PageDown => plain("PgDn"),
        KeyCode::F(number) => Some(format!("F{number}")),
        _ => None,
    }
}

/// The character a key types, if it types one.
pub fn typed(key: &KeyEvent) -> Option<char> {
    let with = key.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT);
    match key.code {
        KeyCode::Char(c) if with.is_empty() && key.kind != KeyEventKind::Release => Some(c),
        _ => None,
    }
}

/// What the keys of `sequence` do; earlier tables hide later ones.
pub fn find(tables: &[&Keys], sequence: &str) -> Found {
    let bindings = || tables.iter().flat_map(|table| table.bindings.iter());
    if let Some(binding) = bindings().find(|binding| binding.keys.contains(&sequence)) {
        return Found::Action(binding.action);
    }
    let begins =
        |keys: &&str| keys.strip_prefix(sequence).is_some_and(|rest| rest.starts_with(' '));
    if bindings().flat_map(|binding| binding.keys).any(begins) {
        Found::Prefix
    } else {
        Found::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::keymap::LIST;

    #[test]
    fn keys_are_named_as_people_write_them() {
        let key = |code, modifiers| name(&KeyEvent::new(code, modifiers)).expect("named");
        assert_eq!(key(KeyCode::Char('j'), KeyModifiers::NONE), "j");
        assert_eq!(key(KeyCode::Char('G'), KeyModifiers::SHIFT), "G");
        assert_eq!(key(KeyCode::Char('d'), KeyModifiers::CONTROL), "Ctrl-D");
        assert_eq!(key(KeyCode::Char('h'), KeyModifiers::CONTROL), "Backspace");
        assert_eq!(key(KeyCode::BackTab, KeyModifiers::SHIFT), "Shift-Tab");
    }

    #[test]
    fn a_sequence_is_found_after_its_prefix() {
        assert_eq!(find(&[&LIST], "g"), Found::Prefix);
        assert_eq!(find(&[&LIST], "g g"), Found::Action(Action::Top));
        assert_eq!(find(&[&LIST], "g x"), Found::Nothing);
    }
}
