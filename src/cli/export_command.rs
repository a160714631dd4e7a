//! `export`.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::output::{print, print_json};
use topoi::export::format::{Format, export, export_comparison, usual_place_of_comparison};
use topoi::export::saved_model::SavedModel;
use topoi::store::{Access, Store};

/// Arguments of `export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The run's number, as `topoi runs` lists it; several for one page that compares them (--to
    /// html), the others' topics matched with those of the first
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<i64>,
    /// What it is written as
    #[arg(long, value_enum)]
    pub to: Format,
    /// The file, or the folder for formats of several files [default: run-RUN and the format, or
    /// compare-RUN-RUN.html, in the working directory]
    #[arg(short = 'o', long = "output", value_name = "PATH")]
    pub place: Option<PathBuf>,
    /// Replace what is there: an ordinary file, or the files of an earlier export in its folder
    #[arg(long)]
    pub force: bool,
    /// Of --to dfr-browser: the field of documents over which topics are spread [default: their
    /// date; their largest topic where they have none]
    #[arg(long, value_name = "FIELD")]
    pub by: Option<String>,
    /// Say what was written as JSON
    #[arg(long)]
    pub json: bool,
}

/// Writes a saved run, or the comparison of several, as files for other tools.
///
/// # Errors
/// When a run has no topics, the runs cannot be compared, or the files cannot be written.
pub fn run(path: &Path, args: &ExportArgs) -> anyhow::Result<()> {
    let store = Store::open(path, Access::Read)?;
    let place = args.place.clone();
    if let [run] = args.runs[..] {
        let model = SavedModel::read(&store, run)?;
        let place = place.unwrap_or_else(|| args.to.usual_place(run));
        let written = export(&model, args.to, &place, args.force, args.by.as_deref())?;
        if args.json {
            return Ok(print_json(&json!({ "run": run, "written": written }))?);
        }
        return Ok(print(&format!("run {run} is in {}\n", written.display()))?);
    }
    let place = place.unwrap_or_else(|| usual_place_of_comparison(&args.runs));
    let written = export_comparison(&store, &args.runs, args.to, &place, args.force)?;
    if args.json {
        return Ok(print_json(&json!({ "runs": args.runs, "written": written }))?);
    }
    let runs: Vec<String> = args.runs.iter().map(i64::to_string).collect();
    Ok(print(&format!("runs {} are compared in {}\n", runs.join(", "), written.display()))?)
}
