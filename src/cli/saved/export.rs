//! `export`.

use crate::shown::TerminalText;
use std::path::{Path, PathBuf};
use topoi_store::id::RunId;

use clap::ValueEnum;
use serde::Serialize;

use crate::cli::destination::{is_standard_output, output_at};
use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print_outcome};
use crate::cli::typed::arguments::named;
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::{Column, Kind, columns};
use topoi_run::export::format::{ExportOptions, FORMATS, Format, export, export_comparison};
use topoi_run::export::saved_model::SavedModel;
use topoi_store::Access;

/// Write a saved run as files for other tools
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it; several for one page that compares them (--to
    /// html), the others' topics matched with those of the first
    #[arg(value_parser = run_reference(), value_name = "RUN", required = true)]
    runs: Vec<RunId>,
    /// What it is written as
    #[arg(long, value_parser = named(FORMATS, |it| it.name, |it| it.help))]
    to: Format,
    /// The file, or the folder for formats of several files; - is standard output [default: run-RUN and the format, or
    /// compare-RUN-RUN.html, in the working directory]
    #[arg(short = 'o', long, value_name = "PATH")]
    into: Option<PathBuf>,
    /// Replace what is there: an ordinary file, or the files of an earlier export in its folder
    #[arg(long)]
    force: bool,
    /// Of --to dfr-browser: the field of documents over which topics are spread [default: their
    /// date; their largest topic where they have none]
    #[arg(long, value_name = "FIELD")]
    by: Option<String>,
    /// Cells of CSV as they are, also those that a spreadsheet would run as formulas: without this
    /// they have a ' before them
    #[arg(long)]
    raw: bool,
    /// How to print what was written [default: table] [possible values: table, json, csv]
    #[arg(long, value_name = "OUTPUT", value_parser = Output::read)]
    output: Option<Output>,
    /// Say what was written as JSON: what --output json was before other commands had it
    #[arg(long, hide = true, conflicts_with = "output")]
    json: bool,
}

/// The value of `--output`. It was the destination in earlier versions, and may still be a path.
#[derive(Debug, Clone, PartialEq)]
enum Output {
    Format(OutputFormat),
    Place(PathBuf),
}

impl Output {
    /// A path with the name of a format can be given as `./json` or by `--into`.
    fn read(text: &str) -> Result<Self, String> {
        let format = OutputFormat::from_str(text, false);
        Ok(format.map_or_else(|_| Self::Place(text.into()), Self::Format))
    }
}

/// The outcome of the export of a run.
#[derive(Serialize)]
struct ExportedRun {
    run: RunId,
    written: String,
}

/// The outcome of the export of a comparison.
#[derive(Serialize)]
struct ExportedRuns {
    runs: Vec<RunId>,
    written: String,
}

impl Arguments {
    fn place(&self) -> anyhow::Result<Option<PathBuf>> {
        match (&self.into, &self.output) {
            (Some(into), Some(Output::Place(place))) => anyhow::bail!(
                "--output {} names a place, and so does --into {}; give one of them",
                place.display(),
                into.display()
            ),
            (None, Some(Output::Place(place))) => Ok(Some(place.clone())),
            (into, _) => Ok(into.clone()),
        }
    }

    fn format(&self) -> OutputFormat {
        match &self.output {
            Some(Output::Format(format)) => format.or_raw(self.raw),
            _ if self.json => OutputFormat::Json,
            _ => OutputFormat::Table,
        }
    }
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let (place, format) = (args.place()?, args.format());
    let name = |path: &Path| path.to_string_lossy().into_owned();
    if let [run] = args.runs[..] {
        let model = SavedModel::read(&store, run)?;
        let place = place.unwrap_or_else(|| args.to.default_path(run));
        let output = output_at(&place, args.force)?;
        let options = ExportOptions { by: args.by.as_deref(), raw: args.raw };
        let written = export(&model, args.to, output, options)?;
        let left_out = model.coverage.as_ref().filter(|of| of.is_partial());
        let left_out = left_out.map(|coverage| format!("{coverage}\n")).unwrap_or_default();
        let text = format!("run {run} is in {}\n{left_out}", written.display());
        if is_standard_output(&place) {
            if !left_out.is_empty() {
                say(&TerminalText::line(left_out.trim_end()));
            }
            return Ok(());
        }
        let exported = ExportedRun { run, written: name(&written) };
        return Ok(print_outcome(
            &exported,
            &columns!(ExportedRun: run, written),
            &TerminalText::text(&text),
            format,
        )?);
    }
    let place = place.unwrap_or_else(|| args.to.default_comparison_path(&args.runs));
    let output = output_at(&place, args.force)?;
    let written = export_comparison(&store, &args.runs, args.to, output)?;
    if is_standard_output(&place) {
        return Ok(());
    }
    let runs: Vec<String> = args.runs.iter().map(RunId::to_string).collect();
    let runs = runs.join(", ");
    let text = format!("runs {runs} are compared in {}\n", written.display());
    let exported = ExportedRuns { runs: args.runs.clone(), written: name(&written) };
    let mut columns = columns!(ExportedRuns: written);
    columns.insert(0, Column::new("runs", Kind::Text, move |_| runs.clone().into()));
    Ok(print_outcome(&exported, &columns, &TerminalText::text(&text), format)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Whole {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn a_place_that_was_given_as_output_is_still_one() {
        let read = |more: &[&str]| {
            let line = [&["export", "1", "--to", "csv"], more].concat();
            Whole::try_parse_from(line).expect("arguments").arguments
        };
        for old_and_new in [["-o", "x"], ["--into", "x"], ["--output", "x"]] {
            let arguments = read(&old_and_new);
            assert_eq!(arguments.place().expect("a place"), Some("x".into()));
            assert_eq!(arguments.format(), OutputFormat::Table);
        }
        for json in [&["--json"][..], &["--output", "json"]] {
            assert_eq!(read(json).format(), OutputFormat::Json);
            assert_eq!(read(json).place().expect("none"), None);
        }
        let named = read(&["-o", "x", "--output", "csv"]);
        assert_eq!(named.place().expect("a place"), Some("x".into()));
        assert_eq!(named.format(), OutputFormat::Csv);
        assert!(read(&["-o", "x", "--output", "y"]).place().is_err());
    }
}
