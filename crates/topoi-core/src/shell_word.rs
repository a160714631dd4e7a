//! Quoting of words for a shell, in commands that people copy from messages and screens.

use std::path::Path;

/// The word as one shell argument: quoted unless it has only letters, digits and characters without
/// a meaning to shells.
#[must_use]
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// A path as one argument.
#[must_use]
pub fn path_word(path: &Path) -> String {
    shell_word(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_read_otherwise_is_quoted() {
        let words = ["s.db", "κείμενα", "", "my store.db", "it's", "$HOME", "a;b", "~/x"];
        let quoted =
            ["s.db", "κείμενα", "''", "'my store.db'", r"'it'\''s'", "'$HOME'", "'a;b'", "'~/x'"];
        assert_eq!(words.map(shell_word), quoted);
    }
}
