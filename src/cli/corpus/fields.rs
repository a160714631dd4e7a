//! `fields`.

use crate::cli::messages::say;
use crate::cli::output::print_list;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::{Column, Kind as ColumnKind};
use crate::shown::shown;
use serde_json::json;
use topoi_core::fields::kind::Kind;
use topoi_core::numbers::counted;
use topoi_core::shell_word::shell_word;
use topoi_run::groups::fields::{Field, fields};
use topoi_store::Access;

/// Number of values in a line.
const VALUES: usize = 4;

/// List the fields of a corpus's documents: what kind they are, their values, their gaps
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the corpus
    corpus: String,
    #[arg(long, value_name = "NAME=KIND", value_parser = assignment,
          help = format!("Say what a field is: {}", Kind::all_names()))]
    set: Vec<(String, Kind)>,
    /// Take exactly these values as missing in every field, beside empty ones and null; none for no others. It is
    /// saved with the corpus
    #[arg(long, value_name = "MARK,MARK", value_delimiter = ',')]
    missing: Vec<String>,
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
    let is_read = args.set.is_empty() && args.missing.is_empty();
    let access = if is_read { Access::Read } else { Access::Write };
    let store = store.open(access)?;
    let mut corpus = store.corpus(&args.corpus)?;
    store.require_documents(&corpus)?;
    if !args.missing.is_empty() {
        store.set_missing_marks(corpus.id, &marks(&args.missing))?;
        corpus = store.corpus(&args.corpus)?;
    }
    if !args.set.is_empty() {
        let names: Vec<String> = args.set.iter().map(|(name, _)| name.clone()).collect();
        // Refuses unknown names before anything is written.
        fields(&store, &corpus, &names)?;
        for (name, kind) in &args.set {
            store.set_field_kind(corpus.id, name, kind.name())?;
        }
    }
    let found = fields(&store, &corpus, &[])?;
    print_list(&columns(), &found, args.printing.format())?;
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
        text("commonest", |field| {
            let commonest = field.tally.commonest(VALUES).into_iter();
            commonest.map(|(value, n)| format!("{value} ({n})")).collect::<Vec<_>>().join(", ")
        }),
    ]
}
