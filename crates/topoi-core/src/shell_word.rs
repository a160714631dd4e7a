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

/// The words as a line that [`split_line`] and a shell read again.
#[must_use]
pub fn line_of(words: &[String]) -> String {
    words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ")
}

/// The words of a line: between blanks, where `'` and `"` quote and `\` takes the next letter as it is. `None` where a
/// quote has no end.
#[must_use]
pub fn split_line(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(end), letter) if letter == end => quote = None,
            (Some('\''), letter) => word.get_or_insert_default().push(letter),
            (_, '\\') => word.get_or_insert_default().push(letters.next()?),
            (None, '\'' | '"') => (quote, word) = (Some(letter), word.or(Some(String::new()))),
            (None, letter) if letter.is_whitespace() => words.extend(word.take()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
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
    fn a_line_is_split_into_the_words_it_was_made_of() {
        let words = ["effects", "3", "~ year", "it's", "", "a\\b", "\"x\"", "Ω"].map(String::from);
        assert_eq!(split_line(&line_of(&words)), Some(words.to_vec()));
        let split = |line| split_line(line).map(|words| words.join("|"));
        assert_eq!(
            split(" --effects  \"~ a\" x\\ y a'b c'd ").as_deref(),
            Some("--effects|~ a|x y|ab cd")
        );
        assert_eq!((split(""), split("'a"), split("a\\")), (Some(String::new()), None, None));
    }

    #[test]
    fn what_a_shell_would_read_otherwise_is_quoted() {
        let words = ["s.db", "κείμενα", "", "my store.db", "it's", "$HOME", "a;b", "~/x"];
        let quoted =
            ["s.db", "κείμενα", "''", "'my store.db'", r"'it'\''s'", "'$HOME'", "'a;b'", "'~/x'"];
        assert_eq!(words.map(shell_word), quoted);
    }
}
