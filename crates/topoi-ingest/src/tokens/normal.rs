//! Normalising text: one spelling of each letter.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// NFKC that splits no word, with a plain apostrophe, without what is not seen or stands at words without being of them,
/// and optionally lower case.
pub(crate) fn normalise(text: &str, lower: bool) -> String {
    if text.is_ascii() {
        let text = if lower { text.to_ascii_lowercase() } else { text.to_string() };
        return if text.contains('`') { text.replace('`', "'") } else { text };
    }
    let composed =
        with_am(APOSTROPHES.replaced(&nfkc(&visible(text)), |_, _| Some("'")).into_owned());
    if !lower {
        return composed;
    }
    let lowered = composed.to_lowercase();
    // Lower-casing can decompose (İ), hence the second pass.
    match nfkc(&lowered) {
        Cow::Owned(normal) => normal,
        Cow::Borrowed(_) => lowered,
    }
}

/// Characters that people type for an apostrophe. Where they are quotation marks, they part words as that does.
fn is_apostrophe(c: char) -> bool {
    matches!(
        c,
        '`' | '\u{b4}' | '\u{2bc}' | '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' | '\u{ff07}'
    )
}

/// Characters to be replaced, found by the bytes that they begin with: most texts have few of these.
struct Marks {
    leads: [bool; 256],
    is_one: fn(char) -> bool,
}

const APOSTROPHES: Marks = Marks::new(b"`\xc2\xca\xe2\xef", is_apostrophe);
const UNSEEN: Marks = Marks::new(b"\xc2\xcd\xd8\xd9\xe1\xe2\xef\xf3", is_unseen);

impl Marks {
    const fn new(bytes: &[u8], is_one: fn(char) -> bool) -> Self {
        let mut leads = [false; 256];
        let mut at = 0;
        while at < bytes.len() {
            leads[bytes[at] as usize] = true;
            at += 1;
        }
        Self { leads, is_one }
    }

    /// The place of the first of them from `from` on.
    fn find(&self, text: &str, from: usize) -> Option<(usize, char)> {
        let bytes = text.as_bytes()[from..].iter().enumerate();
        let leads = bytes.filter(|(_, byte)| self.leads[usize::from(**byte)]);
        leads
            .filter_map(|(at, _)| Some((from + at, text[from + at..].chars().next()?)))
            .find(|(_, c)| (self.is_one)(*c))
    }

    /// The text with what `with` says for each of them and what is written before it; `None` leaves it.
    fn replaced<'t>(
        &self,
        text: &'t str,
        with: impl Fn(&str, char) -> Option<&'static str>,
    ) -> Cow<'t, str> {
        let Some(mut found) = self.find(text, 0) else { return text.into() };
        let (mut written, mut end) = (String::with_capacity(text.len()), 0);
        loop {
            let (at, c) = found;
            written.push_str(&text[end..at]);
            end = at + c.len_utf8();
            match with(&written, c) {
                Some(instead) => written.push_str(instead),
                None => written.push(c),
            }
            let Some(next) = self.find(text, end) else { break };
            found = next;
        }
        written.push_str(&text[end..]);
        written.into()
    }
}

fn is_unseen(c: char) -> bool {
    is_ignorable(c) || is_joiner(c) || is_mark_behind_words(c)
}

/// The text without characters that have no shape, and with a space in place of a footnote's number or the mark of a
/// brand, which NFKC would make letters of the word before them.
fn visible(text: &str) -> Cow<'_, str> {
    UNSEEN.replaced(text, |before, c| match c {
        _ if is_mark_behind_words(c) => Some(" "),
        _ if is_joiner(c) && before.chars().next_back().is_some_and(is_joined_script) => None,
        _ => Some(""),
    })
}

/// Soft hyphens, tatweel, marks of direction, variation selectors, joiners of no script, byte order marks.
fn is_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{640}' | '\u{180e}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{e0100}'..='\u{e01ef}'
    )
}

/// What keeps letters apart or joins them in scripts whose letters change their shape.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Letters of scripts from Arabic to those of India and South-East Asia.
fn is_joined_script(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{10ff}' | '\u{1780}'..='\u{1cff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
}

/// Superscript digits, as those of footnotes, and the marks of brands.
fn is_mark_behind_words(c: char) -> bool {
    matches!(
        c,
        '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{2070}' | '\u{2074}'
            ..='\u{2079}' | '\u{2122}' | '\u{2120}'
    )
}

/// NFKC, except for characters at which it would split words. Most texts are in NFKC already.
fn nfkc(text: &str) -> Cow<'_, str> {
    if is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        return text.into();
    }
    let mut normal = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(tears) {
        let length = rest[at..].chars().next().map_or(0, char::len_utf8);
        normal.extend(rest[..at].nfkc());
        normal.push_str(&rest[at..at + length]);
        rest = &rest[at + length..];
    }
    normal.extend(rest.nfkc());
    normal.into()
}

/// Whether NFKC turns this character into a space and a mark, or into two characters of which dictionaries know
/// only the composed one. None of them combines with a neighbour.
fn tears(c: char) -> bool {
    matches!(
        c,
        // Thai and Lao am, Lao ho no and ho mo.
        '\u{e33}' | '\u{eb3}' | '\u{edc}' | '\u{edd}'
        // Spacing accents, breathings and lines.
        | '\u{a8}' | '\u{af}' | '\u{b4}' | '\u{b8}' | '\u{2d8}'..='\u{2dd}' | '\u{37a}' | '\u{384}'..='\u{385}'
        | '\u{1fbd}' | '\u{1fbf}'..='\u{1fc1}' | '\u{1fcd}'..='\u{1fcf}' | '\u{1fdd}'..='\u{1fdf}'
        | '\u{1fed}'..='\u{1fee}' | '\u{1ffd}'..='\u{1ffe}' | '\u{2017}' | '\u{203e}' | '\u{fe49}'..='\u{fe4c}'
        | '\u{ffe3}'
        // Japanese sound marks, Arabic vowel signs.
        | '\u{309b}'..='\u{309c}' | '\u{fc5e}'..='\u{fc63}' | '\u{fe70}' | '\u{fe72}' | '\u{fe74}' | '\u{fe76}'
        | '\u{fe78}' | '\u{fe7a}' | '\u{fe7c}' | '\u{fe7e}'
    )
}

/// Composes the Thai and Lao vowel am where it is written as two characters, also with a tone mark between
/// them.
fn with_am(text: String) -> String {
    if !text.contains(['\u{e4d}', '\u{ecd}']) {
        return text;
    }
    let mut composed = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['\u{e4d}', '\u{ecd}']) {
        composed.push_str(&rest[..at]);
        let mut after = rest[at..].chars();
        let ring = after.next();
        let (long, am, tones) = match ring {
            Some('\u{e4d}') => ('\u{e32}', '\u{e33}', '\u{e48}'..='\u{e4b}'),
            _ => ('\u{eb2}', '\u{eb3}', '\u{ec8}'..='\u{ecb}'),
        };
        let tone = after.clone().next().filter(|tone| tones.contains(tone));
        let mut behind = after.clone();
        if tone.is_some() {
            behind.next();
        }
        if behind.next() == Some(long) {
            composed.extend(tone);
            composed.push(am);
            rest = behind.as_str();
        } else {
            composed.extend(ring);
            rest = after.as_str();
        }
    }
    composed + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_character_becomes_a_blank_and_a_mark_or_half_a_letter() {
        for c in ('\u{80}'..=char::MAX).filter(|&c| !tears(c)) {
            let made: Vec<char> = std::iter::once(c).nfkc().collect();
            let is_mark = |c: char| unicode_normalization::char::is_combining_mark(c);
            let is_torn = made.len() > 1 && (made[0] == ' ' && is_mark(made[1]));
            let is_half = made.len() > 1 && is_mark(made[0]) && !is_mark(c);
            assert!(!is_torn && !is_half, "U+{:04X} becomes {made:?}", u32::from(c));
        }
    }

    #[test]
    fn what_is_not_seen_is_in_no_word() {
        let marks = "\u{ad}\u{200e}\u{200f}\u{200d}\u{200c}\u{2060}\u{feff}\u{fe0f}\u{34f}";
        for mark in marks.chars() {
            assert_eq!(
                normalise(&format!("Wert{mark}papier{mark}"), true),
                "wertpapier",
                "{mark:?}"
            );
        }
        assert_eq!(normalise("\u{200f}שלום\u{200f} \u{202b}עולם\u{202c}", true), "שלום עולם");
        // Persian and the scripts of India are written with them.
        for word in ["می\u{200c}خواهم", "क्\u{200d}ष"] {
            assert_eq!(normalise(word, true), word);
        }
    }

    #[test]
    fn footnotes_and_brands_are_no_letters_and_apostrophes_are_one() {
        assert_eq!(
            normalise("captain¹ harbour²³ Sony™ CO₂ H₂O", true),
            "captain  harbour   sony  co2 h2o"
        );
        for word in ["don‘t", "don’t", "don´t", "don`t", "donʼt", "don′t", "don＇t"] {
            assert_eq!(normalise(word, true), "don't", "{word}");
        }
        assert_eq!(normalise("п’ять", true), normalise("п'ять", true));
    }

    #[test]
    fn thai_and_lao_am_is_one_letter_however_it_is_written() {
        for text in ["ตำรวจ", "ตํารวจ"] {
            assert_eq!(normalise(text, true), "ตำรวจ");
        }
        for text in ["น้ำ", "นํ้า", "น้ํา"] {
            assert_eq!(normalise(text, true), "น้ำ", "{text:?}");
        }
        for text in ["ນ້ຳ", "ນໍ້າ"] {
            assert_eq!(normalise(text, true), "ນ້ຳ", "{text:?}");
        }
        assert_eq!(normalise("ໜູ ໝາ ﬁ don´t", true), "ໜູ ໝາ fi don't");
        assert_eq!(normalise("ํ ໍກ ํ้", true), "ํ ໍກ ํ้");
    }

    #[test]
    fn every_mark_begins_with_a_byte_that_is_looked_for() {
        for c in '\0'..=char::MAX {
            let lead = usize::from(c.encode_utf8(&mut [0; 4]).as_bytes()[0]);
            for marks in [&APOSTROPHES, &UNSEEN] {
                assert!(!(marks.is_one)(c) || marks.leads[lead], "U+{:04X}", u32::from(c));
            }
        }
    }

    proptest! {
        #[test]
        fn a_text_that_is_normal_already_is_normalised_as_any_other(
            text in "([a-zA-Z ]{0,4}|[é\u{2019}£İΣσß\u{212b}ﬁ\u{301}e漢ｱﾞ\u{344}]){0,20}",
        ) {
            let composed: String =
                text.nfkc().map(|c| if c == '\u{2019}' { '\'' } else { c }).collect();
            let lowered: String = composed.to_lowercase().nfkc().collect();
            prop_assert_eq!(normalise(&text, false), composed);
            prop_assert_eq!(normalise(&text, true), lowered);
        }
    }
}
