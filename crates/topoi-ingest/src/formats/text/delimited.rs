//! Comma- and tab-separated values: a line of names, then a document per record, with columns for text, id and
//! title; the others become fields.
//!
//! Quotes follow RFC 4180: a quoted field can contain delimiters, line breaks and doubled quotes.
//! In TSV, a quote that opens a field but is not closed before a tab or line end belongs to the text. So does
//! one that is not closed on its line, if that line and the next are complete records.

use std::borrow::Cow;

use serde_json::Value;

use super::fields::{Quotes, TabQuotes, split, tab_quotes};
use super::numbers::is_exact;
use crate::batches::record::{Content, Record};
use crate::batches::tab_records::TabRecords;
use crate::batches::text_batches::ReadDocument;
use crate::batches::units::{RawDocument, Records};
use crate::error::{InputLocation, Mistake, Reading, excerpt};
use crate::formats::definition::FormatDef;
use crate::formats::names::distinct_columns;
use crate::formats::opening::{FormatInput, OpenResult};
use crate::request::{Names, RowKey};
use crate::source::Source;

pub(crate) static CSV: FormatDef = FormatDef {
    name: "csv",
    help: "comma-separated values, with a line of names",
    endings: &["csv"],
    is_table: true,
    ..FormatDef::with_open(|input| open(input, None))
};

pub(crate) static TSV: FormatDef = FormatDef {
    name: "tsv",
    help: "tab-separated values, with a line of names",
    endings: &["tsv", "tab"],
    is_table: true,
    ..FormatDef::with_open(|input| open(input, Some(b'\t')))
};

/// Opens a file of columns; `usual` parts them where nothing else is said.
fn open<'a>(mut input: FormatInput<'_, 'a>, usual: Option<u8>) -> OpenResult<'a> {
    let mut source = input.source()?;
    source.begins_with_names()?;
    let named = delimiter_line(source.peek(0)?.unwrap_or_default());
    if named.is_some() {
        source.next_line()?;
    }
    for _ in 1..input.request().names.header_line.unwrap_or(1) {
        source.next_line()?;
    }
    let delimiter = input.request().names.delimiter.or(named).or(usual);
    let first = source.peek(0)?.unwrap_or_default();
    let delimiter = delimiter.unwrap_or_else(|| delimiter_of(first));
    let (read, width) = columns(&mut source, delimiter, &mut input)?;
    match delimiter {
        b'\t' => input.cut(source, |source| Box::new(TabRecords { source, width }), read),
        _ => input.cut(source, |source| Box::new(Records { source, delimiter }), read),
    }
}

/// What parts the columns by a line such as `sep=;`, which spreadsheets write and read.
fn delimiter_line(line: &[u8]) -> Option<u8> {
    match line.trim_ascii() {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter] => Some(*delimiter),
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'='] => Some(b'\t'),
        _ => None,
    }
}

/// Finds the columns of a file and skips its record of names. Returns the function that reads a record, and the
/// number of columns.
fn columns<'a>(
    source: &mut Source,
    delimiter: u8,
    input: &mut FormatInput<'_, 'a>,
) -> Reading<(ReadDocument<'a>, usize)> {
    let (names, decoder) = (&input.request().names, input.decoder());
    let before = source.mark().lines;
    let first_line = InputLocation { file: source.name().into(), line: before + 1 };
    let Some((mut first, lines, next)) = record_at(source, delimiter, 0)? else {
        let problem = "expected a line of names, found nothing";
        return Err(Mistake::source(first_line, problem, "leave the file out"));
    };
    if !names.headerless && names_no_rows(source, delimiter, &first, next)? {
        first.splice(0..0, ROW_NAMES.bytes().chain([delimiter]));
    }
    let columns =
        Columns::find(&decoder.decode(&first, &first_line)?, delimiter, names, &first_line)?;
    input.remark(&columns.renamed);
    input.found_key(columns.key_name());
    if !names.headerless {
        for _ in 0..lines {
            source.next_line()?;
        }
    }
    let (stem, width) = (source.stem().to_string(), columns.names.len());
    let read =
        move |d: RawDocument<'_>| columns.read(&decoder.decode(d.bytes, d.place)?, &stem, d.place);
    Ok((Box::new(read), width))
}

/// Maximum number of lines of a record of names.
const LINES_OF_NAMES: usize = 64;

/// The name of a column of row names that has none.
const ROW_NAMES: &str = "row";

/// Whether the first records, which begin `from` bytes further, have one field more than there are names: R's
/// `write.table` names no column of its row names.
fn names_no_rows(
    source: &mut Source,
    delimiter: u8,
    names: &[u8],
    mut from: usize,
) -> Reading<bool> {
    let width = |record: &[u8]| {
        let record = String::from_utf8_lossy(record).replace("\\\"", "\"\"");
        split(&record, delimiter, 0).len()
    };
    let mut records = 0;
    while records < 2
        && let Some((record, _, next)) = record_at(source, delimiter, from)?
    {
        if width(&record) != width(names) + 1 {
            return Ok(false);
        }
        (records, from) = (records + 1, next);
    }
    Ok(records > 0)
}

/// The record that begins `from` bytes further, its number of lines, and where the next begins; nothing is consumed.
fn record_at(
    source: &mut Source,
    delimiter: u8,
    from: usize,
) -> Reading<Option<(Vec<u8>, usize, usize)>> {
    let Some((line, taken)) = source.peek_at(from)? else { return Ok(None) };
    let mut from = from + taken;
    let next_line = from;
    let first = line.to_vec();
    let is_open = |record: &[u8]| match delimiter {
        b'\t' => tab_quotes(record, false) == TabQuotes::Open,
        _ => Quotes::after(record, delimiter).is_open(),
    };
    let mut record = first.clone();
    for lines in 1..LINES_OF_NAMES {
        if !is_open(&record) {
            return Ok(Some((record, lines, from)));
        }
        let Some((line, taken)) = source.peek_at(from)? else { break };
        record.push(b'\n');
        record.extend_from_slice(line);
        from += taken;
    }
    Ok(Some((first, 1, next_line)))
}

/// The columns of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Columns {
    delimiter: u8,
    names: Vec<String>,
    /// Remarks about names that were changed.
    pub(crate) renamed: Vec<String>,
    /// `None` in a table of metadata.
    text: Option<usize>,
    id: Option<usize>,
    title: Option<usize>,
    /// Columns kept as fields: (name as JSON, index), sorted by name.
    fields: Vec<(String, usize)>,
}

/// What a file called comma-separated is separated by: what its first line has most of, the semicolon of spreadsheets in
/// countries with a decimal comma among it.
pub(crate) fn delimiter_of(first_line: &[u8]) -> u8 {
    let count = |byte: &u8| memchr::memchr_iter(*byte, first_line).count();
    // Of equal ones the last: the comma.
    b"|\t;,".iter().copied().max_by_key(count).unwrap_or(b',')
}

/// The column of a table of metadata that has the keys of documents: the first of the usual names, or the first.
fn key_column(names: &[String]) -> Option<usize> {
    let place = |usual: &&str| names.iter().position(|name| name.eq_ignore_ascii_case(usual));
    KEY_COLUMNS.iter().find_map(place).or((!names.is_empty()).then_some(0))
}

/// Usual names of a column of keys of documents.
pub(super) const KEY_COLUMNS: [&str; 12] = [
    "key",
    "id",
    "filename",
    "file_name",
    "file",
    "path",
    "doc_id",
    "docid",
    "document",
    "doc",
    "document_id",
    "text_id",
];

impl Columns {
    /// The name of the column of keys, if there is one.
    pub(crate) fn key_name(&self) -> Option<&str> {
        self.id.map(|at| self.names[at].as_str())
    }

    /// Finds the columns from the first record: by its names, or by its number of fields.
    pub(crate) fn find(
        first: &str,
        delimiter: u8,
        wanted: &Names,
        place: &InputLocation,
    ) -> Reading<Self> {
        let names = split(first, delimiter, 0).into_iter();
        let mut names: Vec<String> =
            names.map(|name| name.trim().replace("\r\n", " ").replace(['\n', '\r'], " ")).collect();
        let mut renamed = Vec::new();
        if wanted.headerless {
            names = (1..=names.len()).map(|number| format!("column{number}")).collect();
        } else {
            renamed = distinct_columns(&mut names);
        }
        let find = |name: &str| {
            let usual = || {
                let is_usual = [wanted.text(), wanted.id(), wanted.title()].contains(&name);
                names.iter().position(|column| is_usual && column.eq_ignore_ascii_case(name))
            };
            let named = names.iter().position(|column| column == name).or_else(usual);
            let numbered = || name.parse().ok().filter(|n| (1..=names.len()).contains(n));
            named.or_else(|| numbered().map(|n: usize| n - 1))
        };
        let missing = |name: &str| {
            let columns = names.iter().take(12).map(|name| excerpt(name.as_bytes()));
            let shown = columns.collect::<Vec<_>>().join(", ");
            let remedy = match wanted.metadata.is_some() {
                true => "name one of them with --key",
                false if names.len() == 1 => {
                    "--delimiter says what parts the columns, --header-line which line names them, \
                     --text-field which is the text"
                }
                false => {
                    "name it with --text-field, --id-field or --title-field (a name, or a \
                     number from 1), and give --no-header if the file has no line of names"
                }
            };
            let problem = format!("no column {name:?}; the columns are {shown}");
            Mistake::source(place.clone(), problem, remedy)
        };
        let chosen = |name: &Option<String>, usual: &str| match name {
            Some(name) => find(name).map(Some).ok_or_else(|| missing(name)),
            None => Ok(names.iter().position(|column| column.eq_ignore_ascii_case(usual))),
        };
        let (mut id, mut title) = (chosen(&wanted.id, "id")?, chosen(&wanted.title, "title")?);
        let mut text = None;
        if let Some(key) = wanted.metadata {
            id = if key == RowKey::Place { None } else { id.or_else(|| key_column(&names)) };
            title = None;
        } else {
            text = Some(find(wanted.text()).ok_or_else(|| missing(wanted.text()))?);
        }
        let is_other = |&at: &usize| ![text, id, title].contains(&Some(at));
        let kept = (0..names.len()).filter(is_other).filter(|&at| {
            let by_number = || wanted.headerless && wanted.keeps(&(at + 1).to_string());
            wanted.keeps(&names[at]) || by_number()
        });
        let mut kept: Vec<usize> = kept.collect();
        kept.sort_by(|&one, &other| names[one].cmp(&names[other]));
        let as_json = |at: usize| (Value::from(names[at].as_str()).to_string(), at);
        let fields = kept.into_iter().map(as_json).collect();
        Ok(Self { delimiter, names, renamed, text, id, title, fields })
    }

    /// The document of a record; `None` for a blank line.
    pub(crate) fn read(
        &self,
        record: &str,
        stem: &str,
        place: &InputLocation,
    ) -> Reading<Option<Record>> {
        if record.trim().is_empty() {
            return Ok(None);
        }
        let width = self.names.len();
        let doubled = record.contains("\\\"").then(|| record.replace("\\\"", "\"\""));
        let mut values = split(record, self.delimiter, width);
        if values.len() != width
            && let Some(doubled) = &doubled
        {
            // Quotes with a backslash, as some programs write them.
            values = split(doubled, self.delimiter, width);
        }
        if values.len() != width {
            let problem = format!("{} fields, not {width}", values.len());
            let remedy = match doubled.is_some() {
                true => "quotes within a quoted field are doubled, not written with a backslash",
                false => "each record must have a field for each column of the first line",
            };
            return Err(Mistake::document(place.clone(), problem, remedy));
        }
        let value = |at: Option<usize>| at.map(|at| values[at].trim()).filter(|v| !v.is_empty());
        let key = value(self.id).map_or_else(|| format!("{stem}:{}", place.line), String::from);
        let content = match self.text {
            Some(at) => Content::Text(values[at].to_string()),
            None => Content::without_text(),
        };
        Ok(Some(Record {
            title: value(self.title).map(String::from),
            fields: self.fields_of(&values),
            ..Record::new(key, content)
        }))
    }
}

impl Columns {
    /// The non-empty fields of a record as a JSON object. A JSON map would be ten times slower for a million
    /// columns.
    fn fields_of(&self, values: &[Cow<'_, str>]) -> Option<String> {
        let mut json = String::new();
        let filled = |&&(_, at): &&(String, usize)| !values[at].is_empty();
        for (name, at) in self.fields.iter().filter(filled) {
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

/// Whether a field is a number in its usual notation, which SQL should compare as one.
fn is_number(field: &str) -> bool {
    let could_be = field.starts_with(|first: char| first.is_ascii_digit() || first == '-');
    let spelt = || serde_json::from_str::<Value>(field).ok().filter(Value::is_number);
    could_be
        && spelt().map(|number| number.to_string()).as_deref() == Some(field)
        && is_exact(field)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn place() -> InputLocation {
        InputLocation { file: "x.csv".into(), line: 1 }
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
    fn fields_are_those_of_a_map_and_columns_of_one_name_get_two() {
        let names = Names::default();
        let columns =
            Columns::find("text,b\",a,b,b,c,1,", b',', &names, &place()).expect("columns");
        let read = |line: &str| {
            let record = columns.read(line, "x", &place()).expect("read");
            record.expect("a document").fields
        };
        let expected =
            r#"{"1":"-","a":-1.5,"b":3,"b\"":"\"q\" \\","b_2":"007","c":12,"column8":"x"}"#;
        assert_eq!(read("w,\"\"\"q\"\" \\\",-1.5,3,007,12,-,x").as_deref(), Some(expected));
        assert_eq!(read("w,,,3,,1e400,,").as_deref(), Some(r#"{"b":3,"c":"1e400"}"#));
        let large = read("w,,9223372036854775807,9223372036854775808,,1.10,,");
        let expected = r#"{"a":9223372036854775807,"b":"9223372036854775808","c":"1.10"}"#;
        assert_eq!(large.as_deref(), Some(expected));
        assert_eq!(read("w,,,,,,,"), None);
        assert_eq!(columns.renamed.len(), 2);
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

    #[test]
    fn what_parts_the_columns_is_seen() {
        let of =
            [&b"id|text|year"[..], b"id\ttext\tyear", b"id,text", b"id;text", b"text", b"a|b,c"];
        assert_eq!(of.map(delimiter_of), [b'|', b'\t', b',', b';', b',', b',']);
        let lines = [&b"sep=;"[..], b"SEP=,", b"sep=\t", b"sep=", b"separate", b"sep=;;"];
        let seen = lines.map(delimiter_line);
        assert_eq!(seen, [Some(b';'), Some(b','), Some(b'\t'), Some(b'\t'), None, None]);
    }

    #[test]
    fn names_of_columns_are_known_in_capitals_and_quotes_by_a_backslash() {
        let columns =
            Columns::find("ID,Text,Year", b',', &Names::default(), &place()).expect("columns");
        let read = |line: &str| columns.read(line, "x", &place());
        let record = read(r#"7,"the captain said \"anchor, now\" loudly",1850"#);
        let record = record.expect("read").expect("a document");
        assert_eq!(
            (record.key.as_str(), record.fields.as_deref()),
            ("7", Some(r#"{"Year":1850}"#))
        );
        assert_eq!(record.content, Content::Text("the captain said \"anchor, now\" loudly".into()));
        let plain = read(r"8,C:\ship\,1").expect("read").expect("a document");
        assert_eq!(plain.content, Content::Text(r"C:\ship\".into()));
        let torn = read(r#"9,"a\" b"#).expect_err("short");
        assert!(torn.remedy.contains("backslash"), "{}", torn.remedy);
        // Both names are there: the one that is written so.
        let both = Columns::find("Text,text", b',', &Names::default(), &place()).expect("columns");
        let record = both.read("a,b", "x", &place()).expect("read").expect("a document");
        assert_eq!(record.content, Content::Text("b".into()));
    }

    proptest! {
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
