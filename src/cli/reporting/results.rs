//! `results`.

use std::io::{IsTerminal, stdout};
use std::path::PathBuf;

use crate::cli::destination::FigureFile;
use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print_exact, print_json, print_list};
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::results::{cells_of, columns, said_of};
use crate::shown::{TerminalText, shown};
use topoi_store::Access;
use topoi_store::id::RunId;
use topoi_store::result::saved_result::{ResultContent, SavedResult};

/// List the results that were kept with --save, or show one
///
/// `topoi effects`, `topoi by` and `topoi plot` keep what they compute under the name of `--save`. A table is shown as
/// it was, also where the run's documents have changed since; a figure is written to the file of --into.
/// `topoi delete results NAME` deletes one.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The name of a result, to show it
    name: Option<String>,
    /// Only results of this run
    #[arg(long, value_name = "RUN", value_parser = run_reference(), conflicts_with = "name")]
    run: Option<RunId>,
    /// Write the figure to this file, as .svg, .pdf or .png
    #[arg(long, value_name = "FILE", requires = "name")]
    into: Option<PathBuf>,
    /// Take the letters of a PDF or PNG from this font (TrueType or OpenType) where it has them
    #[arg(long, value_name = "FILE", requires = "into")]
    font: Option<PathBuf>,
    /// Replace the file that is there
    #[arg(long, requires = "into")]
    force: bool,
    #[command(flatten)]
    printing: Printing,
}

pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    let store = path.open(Access::Read)?;
    let format = args.printing.format();
    let Some(name) = &args.name else {
        if let Some(run) = args.run {
            store.run(run)?;
        }
        let found = store.results(args.run)?;
        if found.is_empty() && format == OutputFormat::Table {
            say(&shown!("no result is kept; --save NAME of `effects`, `by` and `plot` keeps one"));
            return Ok(());
        }
        return Ok(print_list(&columns(|it| it), &found, format)?);
    };
    let found = store.result(name)?;
    match (store.result_content(&found)?, &args.into) {
        (ResultContent::Figure(svg), _) => figure(args, &found, &svg),
        (ResultContent::Table { .. }, Some(_)) => anyhow::bail!(
            "result {name:?} is a table, and --into writes figures; `topoi results {} --output csv` prints it for a file",
            topoi_core::shell_word::shell_word(name)
        ),
        (content, None) => table(&found, &content, format),
    }
}

fn figure(args: &Arguments, found: &SavedResult, svg: &str) -> anyhow::Result<()> {
    let Some(place) = &args.into else {
        anyhow::ensure!(
            !stdout().is_terminal(),
            "result {:?} is a figure; --into FILE writes it, as .svg, .pdf or .png",
            found.name
        );
        return Ok(print_exact(svg).map(drop)?);
    };
    let file = FigureFile::new(Some(place), args.font.as_deref())?;
    if let Some(written) = file.write(place, svg, args.force)? {
        say(&shown!("{} is drawn in {}", found.title, written.display()));
    }
    Ok(())
}

fn table(found: &SavedResult, content: &ResultContent, format: OutputFormat) -> anyhow::Result<()> {
    let ResultContent::Table { answer, columns, .. } = content else { return Ok(()) };
    if format.is_json() {
        return Ok(print_json(answer, format)?);
    }
    print_list(&cells_of(columns), content.rows(), format)?;
    if format != OutputFormat::Table {
        return Ok(());
    }
    for line in said_of(found, answer) {
        say(&TerminalText::line(&line));
    }
    Ok(())
}
