//! Texts in figures and pages: escaped, measured, cut; shares in per cent.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Mean width of a character as a share of the font size.
const LETTER: f64 = 0.56;

/// Escapes a text for XML and HTML; an [unsafe](is_unsafe) character becomes a space.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if is_unsafe(c) => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

/// Whether `c` is a control character, invalid in XML, or reverses the direction of the text around it.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{fffe}' | '\u{ffff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Estimated width of a text at this font size; the reader's font is unknown.
pub fn width(text: &str, size: f64) -> f64 {
    text.width() as f64 * LETTER * size
}

/// The text, cut to `room` and ended with `…` where it is wider.
pub fn cut(text: &str, size: f64, room: f64) -> Cow<'_, str> {
    if width(text, size) <= room {
        return Cow::Borrowed(text);
    }
    let mut left = room / (LETTER * size) - 1.0;
    let fits = |c: &char| {
        left -= c.width().unwrap_or(0) as f64;
        left >= 0.0
    };
    let kept: String = text.chars().take_while(fits).collect();
    Cow::Owned(format!("{}…", kept.trim_end()))
}

/// A share in per cent: whole from 10%, one decimal from 0.1%, else two.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent.abs() {
        size if size == 0.0 || size >= 9.95 => format!("{percent:.0}%"),
        size if size >= 0.05 => format!("{percent:.1}%"),
        _ => format!("{percent:.2}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_becomes_markup_or_breaks_xml() {
        let hostile = "a<b> & \"c\" 'd'\n\u{0}\u{1b}[1m\u{ffff}\u{202e}é";
        assert_eq!(escaped(hostile), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;   [1m  é");
    }

    #[test]
    fn texts_are_cut_where_room_ends_and_wide_letters_take_more_of_it() {
        assert_eq!(cut("short", 10.0, 60.0), "short");
        assert_eq!(cut("rather a long text", 10.0, 60.0), "rather a…");
        assert_eq!(cut("東京都庁舎前", 10.0, 60.0), "東京都庁…");
        assert_eq!(cut("none", 10.0, 0.0), "…");
    }

    #[test]
    fn shares_have_the_digits_that_tell_something() {
        let told = [0.0, 0.000_12, 0.0123, 0.0996, -0.5].map(percent);
        assert_eq!(told, ["0%", "0.01%", "1.2%", "10%", "-50%"]);
    }
}
