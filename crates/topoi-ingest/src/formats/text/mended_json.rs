//! JSON as other programs write it, made sound: numbers that are none, halves of characters, commas behind objects; and
//! fields within fields.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::request::Names;

/// What stands for half of a character that UTF-16 writes as two.
const REPLACEMENT: &str = "\\ufffd";
/// What Python and JavaScript write for numbers that JSON has not.
const NO_NUMBERS: [&str; 3] = ["-Infinity", "Infinity", "NaN"];

/// The line with what no JSON has replaced, and a remark about it; `None` if nothing was.
pub(super) fn mended(line: &str) -> Option<(String, &'static str)> {
    let mut text = String::with_capacity(line.len());
    let (mut has_nan, mut has_half, mut is_within) = (false, false, false);
    let mut rest = line.trim_end();
    let had_comma = rest.ends_with("},");
    if had_comma {
        rest = &rest[..rest.len() - 1];
    }
    while let Some(letter) = rest.chars().next() {
        let mut taken = letter.len_utf8();
        if is_within && letter == '\\' {
            let (escape, length) = escape(rest);
            has_half |= escape == REPLACEMENT;
            text.push_str(escape);
            rest = &rest[length..];
            continue;
        }
        if letter == '"' {
            is_within = !is_within;
        }
        match NO_NUMBERS.iter().find(|word| !is_within && rest.starts_with(**word)) {
            Some(word) => {
                has_nan = true;
                taken = word.len();
                text.push_str("null");
            }
            None => text.push(letter),
        }
        rest = &rest[taken..];
    }
    let said = match (has_nan, has_half) {
        (true, _) => "NaN and Infinity are read as null",
        (_, true) => "half of a character (a lone surrogate) is read as U+FFFD",
        _ => "the comma behind an object is left out",
    };
    (has_nan || has_half || had_comma).then_some((text, said))
}

/// The escape at the start of a text, and its length there.
fn escape(rest: &str) -> (&str, usize) {
    let unit = |at: usize| {
        let digits = rest.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let is_high = |unit: u16| (0xd800..0xdc00).contains(&unit);
    let is_low = |unit: u16| (0xdc00..0xe000).contains(&unit);
    match (unit(0), unit(6)) {
        (Some(high), Some(low)) if is_high(high) && is_low(low) => (&rest[..12], 12),
        (Some(one), _) if is_high(one) || is_low(one) => (REPLACEMENT, 6),
        _ => {
            let length = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
            (&rest[..length], length)
        }
    }
}

type Members = BTreeMap<String, Box<RawValue>>;

/// The line with the fields that are named by a path, such as `data.text`, at its top; `None` if none is.
pub(super) fn lifted(line: &str, names: &Names) -> Option<String> {
    let paths = [Some(names.text()), names.id.as_deref(), names.title.as_deref()];
    let mut found = None;
    for path in paths.into_iter().flatten().filter(|path| path.contains('.')) {
        let text = found.as_deref().unwrap_or(line);
        if let Some((rest, value)) = take(text, path) {
            let mut members: Members = serde_json::from_str(&rest).ok()?;
            members.insert(path.into(), value);
            found = serde_json::to_string(&members).ok();
        }
    }
    found
}

/// An object without the member at a path, and that member.
fn take(object: &str, path: &str) -> Option<(String, Box<RawValue>)> {
    let mut members: Members = serde_json::from_str(object).ok()?;
    if let Some(value) = members.remove(path) {
        return Some((serde_json::to_string(&members).ok()?, value));
    }
    let (outer, inner) = path.split_once('.')?;
    let (rest, value) = take(members.get(outer)?.get(), inner)?;
    match rest.as_str() {
        "{}" => _ = members.remove(outer),
        _ => _ = members.insert(outer.into(), RawValue::from_string(rest).ok()?),
    }
    Some((serde_json::to_string(&members).ok()?, value))
}
