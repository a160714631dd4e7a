//! Character references in plain text, such as `&amp;` and `&#233;`: remains of a web page.

use std::borrow::Cow;

use quick_xml::escape::resolve_html5_entity;

/// Maximum number of bytes of a reference: the longest name of HTML has 33.
const LONGEST: usize = 36;

/// The text with references in place of which their characters stand, and their number. Those that were written
/// twice, as `&amp;eacute;`, are decoded twice.
pub(super) fn decoded(text: &str) -> (Cow<'_, str>, u64) {
    let (once, found) = decoded_once(text);
    match found {
        0 => (text.into(), 0),
        _ => (decoded_once(&once).0.into_owned().into(), found),
    }
}

/// Number of references in a text.
pub(super) fn count(text: &str) -> u64 {
    let mut found = 0;
    each(text, |_, _, _| found += 1);
    found
}

fn decoded_once(text: &str) -> (Cow<'_, str>, u64) {
    let (mut decoded, mut end, mut found) = (String::new(), 0, 0);
    each(text, |start, length, characters| {
        decoded.push_str(&text[end..start]);
        decoded.push_str(characters);
        end = start + length;
        found += 1;
    });
    if found == 0 {
        return (text.into(), 0);
    }
    decoded.push_str(&text[end..]);
    (decoded.into(), found)
}

/// Calls `visit` with start, length and characters of each reference.
fn each(text: &str, mut visit: impl FnMut(usize, usize, &str)) {
    let mut end = 0;
    for start in memchr::memchr_iter(b'&', text.as_bytes()) {
        let rest = &text.as_bytes()[start + 1..];
        let Some(length) = rest.iter().take(LONGEST).position(|byte| *byte == b';') else {
            continue;
        };
        // Bytes before a semicolon are whole characters.
        let name = &text[start + 1..start + 1 + length];
        if start < end || name.is_empty() {
            continue;
        }
        let whole = length + 2;
        let mut buffer = [0; 4];
        let characters = match name.strip_prefix('#') {
            Some(number) => numbered(number).map(|c| &*c.encode_utf8(&mut buffer)),
            None => resolve_html5_entity(name),
        };
        if let Some(characters) = characters {
            visit(start, whole, characters);
            end = start + whole;
        }
    }
}

/// The character of a number, `233` or `xE9`. Numbers of control characters are those of Windows-1252, as in HTML.
fn numbered(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => number.parse().ok()?,
    };
    match u8::try_from(code) {
        Ok(byte @ 0x80..=0x9f) => {
            let bytes = [byte];
            let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes);
            text.chars().next()
        }
        Ok(0..=8) => None,
        _ => char::from_u32(code),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn references_become_their_characters_and_all_else_stays() {
        let cases = [
            ("caf&eacute; &amp; th&#233; &#xE9;t&#XE9;", "café & thé été", 5),
            ("AT&T &c. & &unknown; &; &#; &#x; &#0;", "AT&T &c. & &unknown; &; &#; &#x; &#0;", 0),
            ("don&#146;t&nbsp;&quot;go&quot;", "don’t\u{a0}\"go\"", 4),
            ("&amp;eacute; &amp;amp;", "é &", 2),
            ("&&lt;&#1114112;", "&<&#1114112;", 1),
        ];
        for (text, expected, found) in cases {
            assert_eq!(decoded(text), (expected.into(), found), "{text}");
            assert_eq!(count(text), found, "{text}");
        }
    }

    proptest! {
        #[test]
        fn text_without_references_stays(text in "(\\PC|[&;#x0-9 ]){0,40}") {
            let (decoded, found) = decoded(&text);
            prop_assert!(found > 0 || decoded == text);
            prop_assert_eq!(count(&text), found);
        }
    }
}
