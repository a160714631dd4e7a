//! Comma- and tab-separated values: a line of names, then a document a record, with chosen
//! columns for text, id and title, and the others kept as fields.
//!
//! CSV as RFC 4180 has it: a field in quotes can hold delimiters, line breaks and doubled quotes.
//! In TSV a record is a line, and quotes belong to the text unless they are around a whole field.

use std::borrow::Cow;

use serde_json::Value;

use crate::ingest::batches::record::{Content, Record};
use crate::ingest::batches::text_batches::ReadDocument;
use crate::ingest::batches::units::Records;
use crate::ingest::error::{Mistake, Place, Reading, excerpt};
use crate::ingest::formats::FormatDef;
use crate::ingest::request::Names;
use crate::ingest::source::Source;
use crate::ingest::source::encoding::Decoder;

pub(crate) static CSV: FormatDef = FormatDef {
    name: "csv",
    help: "comma-separated values, with a line of names",
    endings: &["csv"],
    open: |mut opening| {
        let mut source = opening.source()?;
        let delimiter = delimiter_of(source.peek(0)?.unwrap_or_default());
        let read = columns(&mut source, delimiter, &opening.request().names, opening.decoder())?;
        opening.cut(source, |source| Box::new(Records { source, delimiter }), read)
    },
    ..FormatDef::USUAL
};

pub(crate) static TSV: FormatDef = FormatDef {
    name: "tsv",
    help: "tab-separated values, with a line of names",
    endings: &["tsv", "tab"],
    open: |mut opening| {
        let mut source = opening.source()?;
        let read = columns(&mut source, b'\t', &opening.request().names, opening.decoder())?;
        opening.lines(source, read)
    },
    ..FormatDef::USUAL
};

/// Finds the columns of a file and passes over its line of names; how its records are read.
fn columns<'a>(
    source: &mut Source,
    delimiter: u8,
    names: &Names,
    decoder: Decoder<'a>,
) -> Reading<ReadDocument<'a>> {
    let first_line = Place { file: source.name().into(), line: 1 };
    let Some(first) = source.peek(0)?.map(<[u8]>::to_vec) else {
        let problem = "expected a line of names, found nothing";
        return Err(Mistake::source(first_line, problem, "leave the file out"));
    };
    let first = decoder.decode(&first, &first_line)?;
    let columns = Columns::find(&first, delimiter, names, &first_line)?;
    if !names.headerless {
        source.next_line()?;
    }
    let stem = source.stem().to_string();
    Ok(Box::new(move |d| columns.read(&decoder.decode(d.bytes, d.place)?, &stem, d.place)))
}

/// Where the columns of a file are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Columns {
    delimiter: u8,
    names: Vec<String>,
    text: usize,
    id: Option<usize>,
    title: Option<usize>,
    /// Columns kept as fields, in the order of their names, with these as JSON.
    fields: Vec<(String, usize)>,
}

/// The delimiter of a comma-separated file: the semicolon where its first line has more of them,
/// as spreadsheets write in countries of the decimal comma.
pub(crate) fn delimiter_of(first_line: &[u8]) -> u8 {
    let count = |byte| memchr::memchr_iter(byte, first_line).count();
    if count(b';') > count(b',') { b';' } else { b',' }
}

impl Columns {
    /// Finds the columns by the first record of a file: its names, or how many it has.
    pub(crate) fn find(first: &str, delimiter: u8, wanted: &Names, place: &Place) -> Reading<Self> {
        let mut names: Vec<String> =
            split(first, delimiter).into_iter().map(|name| name.trim().to_string()).collect();
        if wanted.headerless {
            names = (1..=names.len()).map(|number| format!("column{number}")).collect();
        }
        let find = |name: &str| {
            let named = names.iter().position(|column| column == name);
            let numbered = || name.parse().ok().filter(|n| (1..=names.len()).contains(n));
            named.or_else(|| numbered().map(|n: usize| n - 1))
        };
        let missing = |name: &str| {
            let columns = names.iter().take(12).map(|name| excerpt(name.as_bytes()));
            let shown = columns.collect::<Vec<_>>().join(", ");
            let remedy = "name it with --text-field, --id-field or --title-field (a name, or a \
                          number from 1), and give --no-header if the file has no line of names";
            let problem = format!("no column {name:?}; the columns are {shown}");
            Mistake::source(place.clone(), problem, remedy)
        };
        let chosen = |name: &Option<String>, usual: &str| match name {
            Some(name) => find(name).map(Some).ok_or_else(|| missing(name)),
            None => Ok(names.iter().position(|column| column == usual)),
        };
        let (id, title) = (chosen(&wanted.id, "id")?, chosen(&wanted.title, "title")?);
        let text = find(wanted.text()).ok_or_else(|| missing(wanted.text()))?;
        let is_other = |&at: &usize| at != text && Some(at) != id && Some(at) != title;
        let kept = (0..names.len()).filter(is_other).filter(|&at| {
            let by_number = || wanted.headerless && wanted.keeps(&(at + 1).to_string());
            wanted.keeps(&names[at]) || by_number()
        });
        let mut kept: Vec<usize> = kept.collect();
        kept.sort_by(|&one, &other| names[one].cmp(&names[other]));
        let as_json = |at: usize| (Value::from(names[at].as_str()).to_string(), at);
        let fields = kept.into_iter().map(as_json).collect();
        Ok(Self { delimiter, names, text, id, title, fields })
    }

    /// The document of a record; `None` for a blank line.
    pub(crate) fn read(&self, record: &str, stem: &str, place: &Place) -> Reading<Option<Record>> {
        if record.trim().is_empty() {
            return Ok(None);
        }
        let values = split(record, self.delimiter);
        if values.len() != self.names.len() {
            let problem = format!("{} fields, not {}", values.len(), self.names.len());
            let remedy = "each record must have a field for each column of the first line";
            return Err(Mistake::document(place.clone(), problem, remedy));
        }
        let value = |at: Option<usize>| at.map(|at| values[at].trim()).filter(|v| !v.is_empty());
        let key = value(self.id).map_or_else(|| format!("{stem}:{}", place.line), String::from);
        Ok(Some(Record {
            key,
            title: value(self.title).map(String::from),
            fields: self.fields_of(&values),
            content: Content::Text(values[self.text].to_string()),
        }))
    }
}

impl Columns {
    /// The fields of a record as a JSON object, without those that are empty; of columns of one name
    /// the last that is not. Written by hand: a map of a million columns takes ten times as long.
    fn fields_of(&self, values: &[Cow<'_, str>]) -> Option<String> {
        let mut json = String::new();
        let filled = |&&(_, at): &&(String, usize)| !values[at].is_empty();
        let mut fields = self.fields.iter().filter(filled).peekable();
        while let Some((name, at)) = fields.next() {
            if fields.peek().is_some_and(|(next, _)| next == name) {
                continue;
            }
            json.push(if json.is_empty() { '{' } else { ',' });
            json.push_str(name);
            json.push(':');
            if is_number(&values[*at]) {
                json.push_str(&values[*at]);
            } else {
                json.push_str(&Value::from(&*values[*at]).to_string());
            }
        }
        (!json.is_empty()).then(|| json + "}")
    }
}

/// Whether a field is a number in its usual spelling, which SQL is to compare as one.
fn is_number(field: &str) -> bool {
    let could_be = field.starts_with(|first: char| first.is_ascii_digit() || first == '-');
    let spelt = || serde_json::from_str::<Value>(field).ok().filter(Value::is_number);
    could_be && spelt().map(|number| number.to_string()).as_deref() == Some(field)
}

fn split(record: &str, delimiter: u8) -> Vec<Cow<'_, str>> {
    if delimiter == b'\t' {
        record.split('\t').map(tab_field).collect()
    } else {
        comma_fields(record, delimiter)
    }
}

fn tab_field(field: &str) -> Cow<'_, str> {
    let inner = field.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inner {
        Some(inner) if !inner.replace("\"\"", "").contains('"') => {
            inner.replace("\"\"", "\"").into()
        }
        _ => field.into(),
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

/// A field without the quotes around it, and doubled ones in it single.
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

/// Where in a record a reader stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quotes {
    /// At the start of a field.
    AtStart,
    /// In a field without quotes, or behind its quotes.
    InField,
    /// Within quotes.
    Within,
    /// Behind a quote that closes, unless another one follows.
    Closed,
}

impl Quotes {
    pub(crate) fn at_record_start() -> Self {
        Self::AtStart
    }

    /// Whether a line break here belongs to a field.
    pub(crate) fn is_open(self) -> bool {
        self == Self::Within
    }

    /// Goes over bytes.
    pub(crate) fn pass(&mut self, bytes: &[u8], delimiter: u8) {
        for &byte in bytes {
            self.ends_field(byte, delimiter);
        }
    }

    /// Goes over a byte; true when it is a delimiter between fields.
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

    fn place() -> Place {
        Place { file: "x.csv".into(), line: 1 }
    }

    #[test]
    fn columns_are_found_by_name_or_number_and_the_rest_are_fields() {
        let columns = Columns::find("id,year,text,note", b',', &Names::default(), &place());
        let record = columns.expect("columns").read("7,1999,\"a, \"\"b\"\"\nc\",", "x", &place());
        let record = record.expect("read").expect("a document");
        assert_eq!(
            (record.key.as_str(), record.fields.as_deref()),
            ("7", Some(r#"{"year":1999}"#))
        );
        assert_eq!(record.content, Content::Text("a, \"b\"\nc".into()));
        let wanted = Names { text: Some("1".into()), headerless: true, ..Names::default() };
        let columns = Columns::find("some \"words\"\ttrain\ttech", b'\t', &wanted, &place());
        let record = columns.expect("columns").read("\"some\" words\ttrain\t007", "x", &place());
        let record = record.expect("read").expect("a document");
        assert_eq!(record.content, Content::Text("\"some\" words".into()));
        assert_eq!(record.fields.as_deref(), Some(r#"{"column2":"train","column3":"007"}"#));
    }

    #[test]
    fn fields_are_those_of_a_map_and_the_last_of_a_name_that_is_filled_counts() {
        let names = Names::default();
        let columns = Columns::find("text,b\",a,b,b,c,1", b',', &names, &place()).expect("columns");
        let read = |line: &str| {
            let record = columns.read(line, "x", &place()).expect("read");
            record.expect("a document").fields
        };
        let expected = r#"{"1":"-","a":-1.5,"b":"007","b\"":"\"q\" \\","c":12}"#;
        assert_eq!(read("w,\"\"\"q\"\" \\\",-1.5,3,007,12,-").as_deref(), Some(expected));
        assert_eq!(read("w,,,3,,1e400,").as_deref(), Some(r#"{"b":3,"c":"1e400"}"#));
        assert_eq!(read("w,,,,,,"), None);
    }

    #[test]
    fn mistakes_say_what_there_is() {
        let error = Columns::find("a,b", b',', &Names::default(), &place()).expect_err("no text");
        assert_eq!(error.problem, "no column \"text\"; the columns are \"a\", \"b\"");
        let columns = Columns::find("text,b", b',', &Names::default(), &place()).expect("columns");
        let error = columns.read("x", "x", &place()).expect_err("short");
        assert_eq!(error.problem, "1 fields, not 2");
        assert_eq!(delimiter_of(b"a;b,c;d"), b';');
    }

    proptest! {
        #[test]
        fn records_are_split_as_the_csv_crate_splits_them(
            fields in prop::collection::vec("[a-z ,;\"\n]{0,6}", 1..5),
        ) {
            let mut writer = csv::WriterBuilder::new().quote_style(csv::QuoteStyle::Necessary)
                .from_writer(Vec::new());
            writer.write_record(&fields).expect("write");
            let text = String::from_utf8(writer.into_inner().expect("bytes")).expect("UTF-8");
            let record = text.trim_end_matches('\n');
            prop_assume!(!record.is_empty());
            prop_assert_eq!(split(record, b','), fields);
            let mut quotes = Quotes::at_record_start();
            quotes.pass(record.as_bytes(), b',');
            prop_assert!(!quotes.is_open());
        }

        #[test]
        fn no_record_makes_reading_panic(header: String, record: String, delimiter in "[,;\t]") {
            let wanted = Names { text: Some("1".into()), ..Names::default() };
            let delimiter = delimiter.as_bytes()[0];
            if let Ok(columns) = Columns::find(&header, delimiter, &wanted, &place()) {
                let _ = columns.read(&record, "x", &place());
            }
        }
    }
}
