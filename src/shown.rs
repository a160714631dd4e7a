//! Text that may go to a terminal, whatever it came from: a store, a file, a path, a message.

use std::fmt;

/// Text in which every character is seen. What a terminal would act on, and what would be there
/// without being seen, stands as its number: `\u{1b}`. Nothing else becomes one by itself, so that
/// what prints cannot be given anything else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TerminalText(String);

impl TerminalText {
    /// On one line: line breaks and tabs are blanks.
    pub fn line(text: &str) -> Self {
        Self(escaped(text, |_| false))
    }

    /// With its line breaks and tabs.
    pub fn text(text: &str) -> Self {
        Self(escaped(text, |c| c == '\n' || c == '\t'))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Display for TerminalText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// As `format!`, of texts that may hold anything, with line breaks where the format has them.
macro_rules! shown {
    ($($text:tt)*) => { $crate::shown::TerminalText::text(&format!($($text)*)) };
}
pub(crate) use shown;

fn escaped(text: &str, is_kept: impl Fn(char) -> bool) -> String {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            _ if is_kept(c) => shown.push(c),
            '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                shown.push(' ');
            }
            ZWNJ | ZWJ if joins(before, letters.peek().copied()) => shown.push(c),
            _ if is_unseen(c) => shown.extend(c.escape_unicode()),
            _ => shown.push(c),
        }
        before = Some(c);
    }
    shown
}

const ZWNJ: char = '\u{200c}';
const ZWJ: char = '\u{200d}';

/// Whether a joiner between these belongs to the spelling, as in Persian and the scripts of India:
/// elsewhere it makes two words look the same, and in emoji terminals do not agree how wide it is.
fn joins(before: Option<char>, after: Option<char>) -> bool {
    // Arabic to Vedic: the scripts whose letters change shape beside their neighbours.
    let is_of_script = |c: char| matches!(c, '\u{600}'..='\u{1cff}' | '\u{a800}'..='\u{abff}');
    before.is_some_and(is_of_script) && after.is_some_and(is_of_script)
}

/// Whether a letter with the marks on it can go to a terminal as it is.
pub fn is_visible(letter: &str) -> bool {
    let mut before = None;
    letter.is_ascii() && !letter.contains(|c: char| c.is_control())
        || letter.chars().all(|c| {
            // What follows the joiner is in the next cell.
            let is_joined = (c == ZWNJ || c == ZWJ) && joins(before, before);
            before = Some(c);
            is_joined || !is_unseen(c)
        })
}

/// Control characters, and those that change or hide what stands beside them: bidirectional
/// controls, zero-width characters, tags, and letters that are drawn as nothing.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_act_on_or_hide_is_seen() {
        let line = |text: &str| TerminalText::line(text).into_string();
        assert_eq!(line("\u{1b}]52;c;cm0=\u{7}"), "\\u{1b}]52;c;cm0=\\u{7}");
        assert_eq!(line("\u{9b}31m\u{7f}"), "\\u{9b}31m\\u{7f}");
        assert_eq!(line("a\u{202e}b\u{2066}c\u{2069}"), "a\\u{202e}b\\u{2066}c\\u{2069}");
        assert_eq!(line("\u{feff}pay\u{200b}p\u{200d}al"), "\\u{feff}pay\\u{200b}p\\u{200d}al");
        assert_eq!(line("two\r\nlines\there"), "two  lines here");
        assert_eq!(TerminalText::text("two\r\nlines\there").as_str(), "two \nlines\there");
        let name = "na\u{ef}ve \u{4e3b}\u{984c} e\u{301} \u{5e9}\u{5dc}";
        assert_eq!(line(name), name);
    }

    #[test]
    fn joiners_stay_between_letters_that_need_them_and_are_seen_elsewhere() {
        for word in [
            "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
            "\u{915}\u{94d}\u{200d}\u{937}",
        ] {
            assert_eq!(TerminalText::line(word).as_str(), word);
        }
        assert!(is_visible("\u{6cc}\u{200c}") && is_visible("e\u{301}"));
        assert!(
            ["\u{1b}", "\u{1f469}\u{200d}\u{1f4bb}", "a\u{200d}"].iter().all(|c| !is_visible(c))
        );
        let emoji = TerminalText::line("\u{1f469}\u{200d}\u{1f4bb}");
        assert_eq!(emoji.as_str(), "\u{1f469}\\u{200d}\u{1f4bb}");
        assert_eq!(TerminalText::line("\u{645}\u{200c}").as_str(), "\u{645}\\u{200c}");
    }
}
