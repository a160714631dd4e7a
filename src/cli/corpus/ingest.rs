//! `topoi ingest`: adds documents to a corpus.

pub use super::ingest_arguments::IngestArgs as Arguments;
use crate::cli::bar::Line;
use crate::cli::output::{OutputFormat, print, print_json, print_list, say};
use crate::cli::store_path::StorePath;
use crate::records::column::{Column, Kind, columns};
use crate::records::numbers::thousands;
use topoi::ingest::reading::{DryDocument, dry_run};
use topoi::ingest::{IngestProgress, IngestSummary, SourceSummary, ingest};
use topoi::store::{Access, Store};

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let request = args.request()?;
    request.check()?;
    if args.dry_run {
        let store =
            store.path.exists().then(|| Store::open(&store.path, Access::Read)).transpose()?;
        return print_dry(
            &dry_run(store.as_ref(), &request, args.documents)?,
            args.printing.output,
        );
    }
    let store = store.open(Access::Create)?;
    let bar = Bar(Line::new(UNKNOWN_SIZE, 0));
    let summary = ingest(&store, &request, &bar);
    bar.0.finish();
    let summary = summary?;
    if let Some(place) = &summary.resumed {
        say(&format!("went on from {place}, where this ingest had ended"));
    }
    print_summary(&summary, args.printing.output)
}

/// How much of a file's name the bar shows; with it the bar fits 80 columns.
const NAME_WIDTH: usize = 24;
const KNOWN_SIZE: &str = "{prefix} {wide_bar} {percent}% {binary_bytes_per_sec}, {eta} left, {msg}";
const UNKNOWN_SIZE: &str =
    "{prefix} {spinner} {binary_bytes} {binary_bytes_per_sec}, {elapsed}, {msg}";

/// The bar on standard error; indicatif hides it when that is no terminal.
struct Bar(Line);

impl IngestProgress for Bar {
    fn source(&self, name: &str, bytes: Option<u64>) {
        let template = match bytes {
            Some(_) => KNOWN_SIZE,
            None => UNKNOWN_SIZE,
        };
        self.0.restart(template, bytes);
        let file_name = name.rsplit('/').next().unwrap_or(name);
        self.0.set_title(&file_name.chars().take(NAME_WIDTH).collect::<String>());
    }

    fn advanced(&self, bytes: u64, documents: u64, _nonzeros: u64) {
        self.0.set_message(&format!("{} documents", grouped(documents)));
        self.0.set_position(bytes);
    }
}

fn grouped(number: u64) -> String {
    thousands(i64::try_from(number).unwrap_or(i64::MAX))
}

fn print_summary(summary: &IngestSummary, format: OutputFormat) -> anyhow::Result<()> {
    match format {
        OutputFormat::Json => Ok(print_json(summary)?),
        OutputFormat::Csv => {
            let columns = columns!(
                SourceSummary: "source" = name, format, added, replaced, skipped, empty, duplicate,
                undecodable, malformed, nonzeros
            );
            Ok(print_list(&columns, &summary.sources, format)?)
        }
        OutputFormat::Table => {
            let mut text: String = summary.sources.iter().map(source_line).collect();
            text += &corpus_line(summary);
            Ok(print(&text)?)
        }
    }
}

fn source_line(source: &SourceSummary) -> String {
    let documents = if source.added == 1 { "document" } else { "documents" };
    let mut line = format!(
        "{} ({}): {} {documents} added, {} there already",
        source.name,
        source.format,
        grouped(source.added),
        grouped(source.skipped),
    );
    if source.replaced > 0 {
        line += &format!(", {} replaced", grouped(source.replaced));
    }
    line += &format!(", {} left out", grouped(source.left_out()));
    let reasons = [
        (source.empty, "empty"),
        (source.duplicate, "with the key of another"),
        (source.undecodable, "undecodable"),
        (source.malformed, "malformed"),
    ];
    let reasons = reasons.iter().filter(|(documents, _)| *documents > 0);
    let reasons: Vec<String> =
        reasons.map(|(documents, what)| format!("{} {what}", grouped(*documents))).collect();
    if !reasons.is_empty() {
        line += &format!(" ({})", reasons.join(", "));
    }
    line + "\n"
}

fn corpus_line(summary: &IngestSummary) -> String {
    let corpus = &summary.corpus;
    format!(
        "{}: {} documents, {} terms, {} tokens, {} nonzeros now\n",
        corpus.name,
        grouped(corpus.documents),
        grouped(corpus.terms),
        grouped(corpus.tokens),
        grouped(corpus.nonzeros),
    )
}

fn print_dry(documents: &[DryDocument], format: OutputFormat) -> anyhow::Result<()> {
    match format {
        OutputFormat::Json => Ok(print_json(&documents)?),
        OutputFormat::Csv => {
            let mut columns = columns!(DryDocument: source, format, key, title);
            columns.push(Column::new("tokens", Kind::Text, |row: &DryDocument| {
                row.tokens.join(" ").into()
            }));
            columns.extend(columns!(DryDocument: problem));
            Ok(print_list(&columns, documents, format)?)
        }
        // A row of tokens is wider than any terminal.
        OutputFormat::Table => {
            let text: String = documents.iter().map(dry_text).collect();
            Ok(print(&(text + "nothing was added: this was a dry run\n"))?)
        }
    }
}

fn dry_text(document: &DryDocument) -> String {
    let title = document.title.as_ref().map(|title| format!(" {title:?}")).unwrap_or_default();
    let fields = document.fields.as_ref().map(|fields| format!(" {fields}")).unwrap_or_default();
    let DryDocument { source, format, key, tokens, problem, .. } = document;
    let said = match problem {
        Some(problem) => format!("left out: {problem}"),
        None => tokens.join(" "),
    };
    format!("{source} ({format}) {key}{title}{fields}\n  {said}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_templates_of_the_bar_are_valid() {
        for template in [KNOWN_SIZE, UNKNOWN_SIZE] {
            assert!(indicatif::ProgressStyle::with_template(template).is_ok());
        }
    }

    #[test]
    fn a_line_says_what_was_left_out_and_why() {
        let source = SourceSummary {
            name: "a.csv".into(),
            format: topoi::ingest::Format::named("csv").expect("a format"),
            added: 1,
            malformed: 2000,
            empty: 1,
            ..SourceSummary::default()
        };
        let line = "a.csv (csv): 1 document added, 0 there already, 2,001 left out (1 empty, \
                    2,000 malformed)\n";
        assert_eq!(source_line(&source), line);
    }
}
