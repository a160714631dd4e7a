//! `fields`.

use std::path::{Path, PathBuf};

use crate::cli::bar::Line;
use crate::cli::messages::say;
use crate::cli::output::print_list;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::{Column, Kind as ColumnKind};
use crate::shown::shown;
use clap::builder::PossibleValuesParser;
use serde_json::json;
use topoi_core::fields::date::Date;
use topoi_core::fields::kind::{Grouping, Kind, ValueSummary};
use topoi_core::numbers::{counted, thousands};
use topoi_core::shell_word::shell_word;
use topoi_ingest::metadata::{
    JoinBy, JoinSummary, MetadataTable, PathPattern, RowKey, TableOptions, join, join_paths,
};
use topoi_ingest::{Encoding, IngestError};
use topoi_run::groups::fields::{Field, fields};
use topoi_store::corpus::Corpus;
use topoi_store::{Access, Store};

/// Number of values in a line.
const VALUES: usize = 4;
/// Letters of a value in a table.
const VALUE_LETTERS: usize = 40;

/// List the fields of a corpus's documents: what kind they are, their values, their gaps
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the corpus
    corpus: String,
    #[arg(long, value_name = "NAME=KIND", value_parser = assignment,
          help = format!("Say what a field is: {}", Kind::all_names()))]
    set: Vec<(String, Kind)>,
    /// How the dates of the fields that --set makes dates are written where they have several meanings: dmy and mdy
    /// (3/5/2019), epoch (seconds since 1970), or excel (days since 1900)
    #[arg(long, value_name = "FORM", requires = "set", value_parser = PossibleValuesParser::new(Kind::date_forms()))]
    date_form: Option<String>,
    /// Take exactly these values as missing in every field, beside empty ones and null; none for no others. It is
    /// saved with the corpus
    #[arg(long, value_name = "MARK,MARK", value_delimiter = ',')]
    missing: Vec<String>,
    /// Join a table to the documents (CSV, TSV, XLSX, ODS, JSON Lines): each row gives a document its fields, over those
    /// of its source, also when it is ingested again. Joined again, it replaces what it gave
    #[arg(long, value_name = "FILE", conflicts_with = "from_path")]
    join: Option<PathBuf>,
    /// The column of the table with the documents' keys, or their file names with or without folders and endings
    /// [default: key, id, filename and their like, else the first]
    #[arg(long, value_name = "COLUMN", requires = "join", conflicts_with = "by_row")]
    key: Option<String>,
    /// The field of the documents that the column is compared with [default: their keys]
    #[arg(long, value_name = "FIELD", requires = "join", conflicts_with = "by_row")]
    on: Option<String>,
    /// The first row is of the first document, and so on
    #[arg(long, requires = "join")]
    by_row: bool,
    /// The sheet of a spreadsheet [default: the only one that is filled]
    #[arg(long, value_name = "NAME", requires = "join")]
    sheet: Option<String>,
    /// The encoding of the table [default: recognised]
    #[arg(long, value_name = "NAME", requires = "join")]
    encoding: Option<Encoding>,
    /// Take fields from the paths that documents have as keys, such as '{year}/{party}_{speaker}.txt'
    #[arg(long, value_name = "PATTERN")]
    from_path: Option<PathPattern>,
    #[command(flatten)]
    printing: Printing,
}

fn assignment(text: &str) -> Result<(String, Kind), String> {
    let named = text
        .rsplit_once('=')
        .and_then(|(name, kind)| Some((name.into(), kind.parse::<Kind>().ok()?)));
    named.ok_or_else(|| format!("it is NAME=KIND, with {} as KIND", Kind::all_names()))
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let joins = args.join.is_some() || args.from_path.is_some();
    let is_read = args.set.is_empty() && args.missing.is_empty() && !joins;
    let access = if is_read { Access::Read } else { Access::Write };
    let mut store = store.open(access)?;
    let mut corpus = store.corpus(&args.corpus)?;
    store.require_documents(&corpus)?;
    if joins {
        args.join(&mut store, &corpus)?;
    }
    if !args.missing.is_empty() {
        store.set_missing_marks(corpus.id, &marks(&args.missing))?;
        corpus = store.corpus(&args.corpus)?;
    }
    if !args.set.is_empty() {
        let kinds = args.kinds();
        let names: Vec<String> = kinds.iter().map(|(name, _)| name.clone()).collect();
        // Refuses unknown names, and kinds that nothing is of, before anything is written.
        let before = fields(&store, &corpus, &names)?;
        for (name, kind) in &kinds {
            let Some(field) = before.iter().find(|field| field.name == *name) else { continue };
            let tally = &field.tally;
            anyhow::ensure!(
                tally.values == 0 || tally.unreadable(*kind) < tally.values,
                "no value of field {name:?} can be read as a {}, such as {:?}; {}",
                kind.name(),
                tally.unreadable_value(*kind).unwrap_or_default(),
                remedy_of_form(tally)
            );
            let unreadable = tally.unreadable(*kind);
            if unreadable > 0 {
                say(&shown!(
                    "{} of field {name:?} cannot be read as a {}, such as {:?}; {}",
                    counted(unreadable, "value"),
                    kind.name(),
                    tally.unreadable_value(*kind).unwrap_or_default(),
                    remedy_of_form(tally)
                ));
            }
        }
        for (name, kind) in &kinds {
            store.set_field_kind(corpus.id, name, kind.name())?;
        }
    }
    let found = fields(&store, &corpus, &[])?;
    print_list(&columns(), &found, args.printing.format())?;
    for field in found.iter().filter(|field| !field.is_set) {
        if let Some(line) = possible_dates(&corpus.name, field) {
            say(&shown!("{line}"));
        }
    }
    let marked: u64 = found.iter().map(|field| field.marked).sum();
    if marked > 0 || !args.missing.is_empty() {
        let marks = match corpus.missing.is_empty() {
            true => "none beside empty ones".into(),
            false => corpus.missing.join(","),
        };
        say(&shown!(
            "values that are missing: {marks} ({}); `topoi fields {} --missing MARK,MARK` changes which",
            counted(marked, "value"),
            shell_word(&corpus.name)
        ));
    }
    Ok(())
}

/// The command that makes a field one of dates, where all of its values could be some in a form, and by two numbers or
/// its name they are.
fn possible_dates(corpus: &str, field: &Field) -> Option<String> {
    let (values, name) = (&field.tally, field.name.to_lowercase());
    if field.kind.def().date.is_some() || values.values == 0 || values.distinct().is_none() {
        return None;
    }
    let all: Vec<&str> = values.commonest(usize::MAX).into_iter().map(|(value, _)| value).collect();
    let forms = Kind::possible_forms(&all);
    let are_dates = forms.len() > 1 || name.contains("date") || name.contains("time");
    let form = forms.first().filter(|_| are_dates)?;
    Some(format!(
        "field {:?} could be dates ({}): topoi fields {} --set {} --date-form {form}",
        field.name,
        forms.join(" or "),
        shell_word(corpus),
        shell_word(&format!("{}=date", field.name))
    ))
}

/// The forms in which the values that are no dates could be some.
fn remedy_of_form(values: &ValueSummary) -> String {
    let commonest = values.commonest(usize::MAX).into_iter().map(|(value, _)| value);
    let undated: Vec<&str> = commonest.filter(|value| Date::parse(value).is_none()).collect();
    match Kind::possible_forms(&undated)[..] {
        [] => "docs/reference/fields.md lists the forms".into(),
        [form] => format!("--date-form {form} reads them"),
        [one, other, ..] => format!("--date-form {one} or {other} says which they are"),
    }
}

impl Arguments {
    /// The kinds that fields are set to, dates with their form.
    fn kinds(&self) -> Vec<(String, Kind)> {
        let in_form = |kind: Kind| {
            let form = self.date_form.as_deref();
            form.and_then(|form| kind.in_form(form)).unwrap_or(kind)
        };
        self.set.iter().map(|(name, kind)| (name.clone(), in_form(*kind))).collect()
    }

    /// Joins the table or the paths, and says what came of it.
    fn join(&self, store: &mut Store, corpus: &Corpus) -> anyhow::Result<()> {
        if let Some(pattern) = &self.from_path {
            return join_pattern(store, corpus, pattern);
        }
        let Some(path) = &self.join else { return Ok(()) };
        let options = TableOptions {
            row_key: if self.by_row { RowKey::Place } else { RowKey::Column },
            key: self.key.clone(),
            sheet: self.sheet.clone(),
            encoding: self.encoding,
        };
        let by = match &self.on {
            _ if self.by_row => JoinBy::Row,
            Some(field) => JoinBy::Field(field.clone()),
            None => JoinBy::Key,
        };
        join_table(store, corpus, path, &options, &by)
    }
}

/// Joins what the paths of documents say, and says what came of it.
pub fn join_pattern(
    store: &mut Store,
    corpus: &Corpus,
    pattern: &PathPattern,
) -> anyhow::Result<()> {
    let summary = with_bar(corpus, |progress| join_paths(store, corpus, pattern, progress))?;
    anyhow::ensure!(
        summary.documents > 0,
        "no document of {} has a key like {pattern}; the first is {:?}",
        corpus.name,
        summary.without_row.first.first().map_or("", String::as_str)
    );
    say_joined(&summary);
    Ok(())
}

/// Joins the table in a file, and says what came of it.
pub fn join_table(
    store: &mut Store,
    corpus: &Corpus,
    path: &Path,
    options: &TableOptions,
    by: &JoinBy,
) -> anyhow::Result<()> {
    let table = MetadataTable::read(path, options)?;
    table.remarks.iter().for_each(|remark| say(&shown!("{}: {remark}", path.display())));
    let rows = table.rows.len() as u64;
    anyhow::ensure!(
        *by != JoinBy::Row || rows == corpus.documents,
        "{}: {}, and {} has {}; --by-row wants a row for each",
        path.display(),
        counted(rows, "row"),
        corpus.name,
        counted(corpus.documents, "document")
    );
    let summary = with_bar(corpus, |progress| join(store, corpus, &table, by, progress))?;
    anyhow::ensure!(
        summary.documents > 0,
        "{}: no row is of a document: its column {:?} has {:?}, and the documents have {:?}; --key names another \
         column, --on a field to compare it with",
        path.display(),
        summary.key,
        summary.without_document.first.first().map_or("nothing", String::as_str),
        summary.without_row.first.first().map_or("nothing", String::as_str)
    );
    say_joined(&summary);
    Ok(())
}

fn with_bar<T>(
    corpus: &Corpus,
    work: impl FnOnce(&mut dyn FnMut(u64)) -> Result<T, IngestError>,
) -> anyhow::Result<T> {
    let line = Line::new("{prefix} {wide_bar} {percent}%, {eta} left", corpus.documents);
    line.set_title(&shown!("fields of {}", corpus.name));
    let done = work(&mut |documents| line.set_position(documents));
    line.finish();
    Ok(done?)
}

fn say_joined(summary: &JoinSummary) {
    let JoinSummary { documents, changed, fields, key, .. } = summary;
    say(&shown!(
        "joined by {key}: {} have {}, {} of them changed",
        counted(*documents, "document"),
        fields.join(", "),
        thousands(*changed)
    ));
    let parts = [
        (&summary.without_row, "document", "without a row"),
        (&summary.without_document, "row", "of no document"),
        (&summary.ambiguous, "document", "left out, as several rows could be of it"),
        (
            &summary.sharing,
            "document",
            "left out, as others in other folders have the same file name; name folders in the table",
        ),
    ];
    for (some, what, how) in parts.into_iter().filter(|(some, ..)| some.count > 0) {
        let more = if some.count > some.first.len() as u64 { " …" } else { "" };
        say(&shown!("{} {how}: {}{more}", counted(some.count, what), some.first.join(", ")));
    }
}

/// The marks as typed, without repetitions; "none" alone means no mark.
fn marks(typed: &[String]) -> Vec<String> {
    let mut marks: Vec<String> = Vec::new();
    for mark in typed.iter().map(|mark| mark.trim()).filter(|mark| !mark.is_empty()) {
        if !marks.iter().any(|known| known == mark) {
            marks.push(mark.into());
        }
    }
    if marks == ["none"] { Vec::new() } else { marks }
}

/// The commonest values of a field, as many letters of each.
fn commonest(field: &Field, letters: usize) -> String {
    let shown = |(value, n): (&str, u64)| {
        let begins: String = value.chars().take(letters).collect();
        let more = if begins.len() < value.len() { "…" } else { "" };
        format!("{begins}{more} ({n})")
    };
    field.tally.commonest(VALUES).into_iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// The value that the others of a category are compared with, unless a formula names another.
fn reference(field: &Field) -> Option<&str> {
    matches!(field.kind.def().grouping, Grouping::Values).then(|| field.tally.first()).flatten()
}

fn columns() -> Vec<Column<Field>> {
    let text = |name: &'static str, value: fn(&Field) -> String| {
        Column::new(name, ColumnKind::Text, move |field: &Field| json!(value(field)))
    };
    let count = |name: &'static str, value: fn(&Field) -> Option<u64>| {
        Column::new(name, ColumnKind::Count, move |field: &Field| json!(value(field)))
    };
    vec![
        text("field", |field| field.name.clone()),
        text("kind", |field| field.kind.name().into()),
        Column::new("set", ColumnKind::Text, |field: &Field| json!(field.is_set))
            .printed_as(|field| if field.is_set { "set".into() } else { String::new() }),
        count("documents", |field| Some(field.tally.values)),
        count("without", |field| Some(field.without)),
        count("marked", |field| Some(field.marked)),
        count("unreadable", |field| Some(field.tally.unreadable(field.kind))),
        count("values", |field| Some(field.tally.distinct()? as u64)),
        Column::new("reference", ColumnKind::Text, |field: &Field| json!(reference(field))),
        text("commonest", |field| commonest(field, usize::MAX))
            .printed_as(|field| commonest(field, VALUE_LETTERS)),
    ]
}
