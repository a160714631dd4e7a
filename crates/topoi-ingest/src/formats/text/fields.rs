//! Splitting records of delimited files into fields.
//!
//! A quoted field can contain delimiters, line breaks and doubled quotes. In tab-separated files, quotes can
//! also be part of the text: a field is quoted if a quote opens it and the next quote that is not doubled is
//! followed by a tab or the end.

use std::borrow::Cow;

/// The fields of a record of a file with `width` columns.
pub(crate) fn split(record: &str, delimiter: u8, width: usize) -> Vec<Cow<'_, str>> {
    if delimiter != b'\t' {
        return comma_fields(record, delimiter);
    }
    if !record.contains('"') {
        return record.split('\t').map(Cow::from).collect();
    }
    let quoted = tab_fields(record);
    // A tab between quotes that belong to the text separates two fields.
    if quoted.len() != width && width_of(record.as_bytes()) == width {
        return record.split('\t').map(unquoted_whole).collect();
    }
    quoted
}

/// Number of fields of a line if all its quotes belong to the text.
pub(crate) fn width_of(line: &[u8]) -> usize {
    memchr::memchr_iter(b'\t', line).count() + 1
}

/// A field without surrounding quotes, if its other quotes are doubled.
fn unquoted_whole(field: &str) -> Cow<'_, str> {
    tab_fields(field).pop().unwrap_or_default()
}

fn tab_fields(record: &str) -> Vec<Cow<'_, str>> {
    let mut fields = Vec::new();
    let mut rest = record;
    loop {
        let closed = rest.strip_prefix('"').and_then(|inner| match closing(inner.as_bytes()) {
            Closing::At(at) => Some((&inner[..at], &inner[at + 1..])),
            _ => None,
        });
        let (field, after) = match closed {
            Some((inner, after)) => {
                let field = if inner.contains('"') {
                    inner.replace("\"\"", "\"").into()
                } else {
                    Cow::from(inner)
                };
                (field, after.strip_prefix('\t'))
            }
            None => match rest.split_once('\t') {
                Some((field, after)) => (field.into(), Some(after)),
                None => (rest.into(), None),
            },
        };
        fields.push(field);
        match after {
            Some(after) => rest = after,
            None => return fields,
        }
    }
}

/// The end of a quoted field of a tab-separated file.
enum Closing {
    At(usize),
    /// Not closed before the end of the line.
    Open,
    /// Not a quoted field: a quote that is part of the text follows.
    Never,
}

/// Finds the quote that closes the one before `bytes`.
fn closing(bytes: &[u8]) -> Closing {
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'"', &bytes[from..]).map(|at| from + at) {
        match bytes.get(at + 1) {
            Some(b'"') => from = at + 2,
            Some(b'\t') | None => return Closing::At(at),
            Some(_) => return Closing::Never,
        }
    }
    Closing::Open
}

/// The state of quotes at the end of a line of a tab-separated file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TabQuotes {
    /// No quoted field is open.
    Closed,
    /// A quoted field is open.
    Open,
    /// The quotes of the field that was open belong to the text.
    Text,
}

/// The state of quotes at the end of a line, given whether a quoted field was open before it.
pub(crate) fn tab_quotes(line: &[u8], is_open: bool) -> TabQuotes {
    let mut rest = line;
    let mut is_within = is_open;
    loop {
        let inner = if is_within { Some(rest) } else { rest.strip_prefix(b"\"") };
        if let Some(inner) = inner {
            match closing(inner) {
                Closing::At(at) => rest = &inner[at + 1..],
                Closing::Open => return TabQuotes::Open,
                Closing::Never if is_within => return TabQuotes::Text,
                Closing::Never => {}
            }
        }
        is_within = false;
        match memchr::memchr(b'\t', rest) {
            Some(tab) => rest = &rest[tab + 1..],
            None => return TabQuotes::Closed,
        }
    }
}

fn comma_fields(record: &str, delimiter: u8) -> Vec<Cow<'_, str>> {
    let mut fields = Vec::new();
    let mut quotes = Quotes::at_record_start();
    let mut start = 0;
    for (at, &byte) in record.as_bytes().iter().enumerate() {
        if quotes.ends_field(byte, delimiter) {
            fields.push(unquoted(&record[start..at]));
            start = at + 1;
        }
    }
    fields.push(unquoted(&record[start..]));
    fields
}

/// A field without surrounding quotes, and with doubled ones made single.
fn unquoted(field: &str) -> Cow<'_, str> {
    let Some(rest) = field.strip_prefix('"') else { return field.into() };
    let mut text = String::with_capacity(rest.len());
    let mut quotes = Quotes::Within;
    for c in rest.chars() {
        let before = quotes;
        if c == '"' {
            quotes = match before {
                Quotes::Within => Quotes::Closed,
                _ => Quotes::Within,
            };
            if before == Quotes::Closed {
                text.push('"');
            }
        } else {
            text.push(c);
            if before == Quotes::Closed {
                quotes = Quotes::InField;
            }
        }
    }
    text.into()
}

/// The position of a reader within a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quotes {
    /// At the start of a field.
    AtStart,
    /// In an unquoted field, or after its quotes.
    InField,
    /// Within quotes.
    Within,
    /// After a closing quote, unless another one follows.
    Closed,
}

impl Quotes {
    pub(crate) fn at_record_start() -> Self {
        Self::AtStart
    }

    /// The position after the beginning of a record.
    pub(crate) fn after(bytes: &[u8], delimiter: u8) -> Self {
        let mut quotes = Self::at_record_start();
        quotes.pass(bytes, delimiter);
        quotes
    }

    /// Whether a line break here belongs to a field.
    pub(crate) fn is_open(self) -> bool {
        self == Self::Within
    }

    /// Advances over bytes.
    pub(crate) fn pass(&mut self, bytes: &[u8], delimiter: u8) {
        for &byte in bytes {
            self.ends_field(byte, delimiter);
        }
    }

    /// Advances over a byte; true if it separates two fields.
    fn ends_field(&mut self, byte: u8, delimiter: u8) -> bool {
        let quote = byte == b'"';
        let ends = byte == delimiter && *self != Self::Within;
        *self = match *self {
            _ if ends => Self::AtStart,
            Self::AtStart | Self::Closed if quote => Self::Within,
            Self::Within if quote => Self::Closed,
            Self::Within => Self::Within,
            _ => Self::InField,
        };
        ends
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn quotes_of_tab_separated_files_are_around_a_field_or_part_of_the_text() {
        let of = |record, width| split(record, b'\t', width);
        assert_eq!(of("1\t\"a\tb\"\tc", 3), ["1", "a\tb", "c"]);
        assert_eq!(of("1\t\"a\tb\"\tc", 4), ["1", "\"a", "b\"", "c"]);
        assert_eq!(of("\"a\nb\"\"\"\t\"\"", 2), ["a\nb\"", ""]);
        assert_eq!(of("\"some\" words\t6\" gun\t\"", 3), ["\"some\" words", "6\" gun", "\""]);
        assert_eq!(of("\"ships\tat \"sea\"", 2), ["\"ships", "at \"sea\""]);
    }

    #[test]
    fn a_quote_is_open_until_one_stands_before_a_tab_or_the_end() {
        let of = |line: &str, is_open| tab_quotes(line.as_bytes(), is_open);
        assert_eq!(of("1\t\"ships at sea", false), TabQuotes::Open);
        assert_eq!(of("1\t\"ships\" at \"sea", false), TabQuotes::Closed);
        assert_eq!(of("1\tships \"at sea", false), TabQuotes::Closed);
        assert_eq!(of("and\tharbour\"\t1999", true), TabQuotes::Closed);
        assert_eq!(of("and\tharbour\"\t\"1999", true), TabQuotes::Open);
        assert_eq!(of("and \"\"harbours\"\"", true), TabQuotes::Open);
        assert_eq!(of("said \"bye\"", true), TabQuotes::Text);
        assert_eq!(of("", true), TabQuotes::Open);
    }

    proptest! {
        #[test]
        fn records_are_split_as_the_csv_crate_splits_them(
            fields in prop::collection::vec("[a-z ,;\t\"\n]{0,6}", 1..5), is_tab: bool,
        ) {
            let delimiter = if is_tab { b'\t' } else { b',' };
            let mut writer = csv::WriterBuilder::new().quote_style(csv::QuoteStyle::Necessary)
                .delimiter(delimiter).from_writer(Vec::new());
            writer.write_record(&fields).expect("write");
            let text = String::from_utf8(writer.into_inner().expect("bytes")).expect("UTF-8");
            let record = text.strip_suffix('\n').expect("an end");
            prop_assume!(!record.is_empty());
            prop_assert_eq!(split(record, delimiter, fields.len()), fields);
            if is_tab {
                let mut state = TabQuotes::Closed;
                for line in record.split('\n') {
                    state = tab_quotes(line.as_bytes(), state == TabQuotes::Open);
                }
                prop_assert_eq!(state, TabQuotes::Closed);
            } else {
                let mut quotes = Quotes::at_record_start();
                quotes.pass(record.as_bytes(), delimiter);
                prop_assert!(!quotes.is_open());
            }
        }
    }
}
