//! `export`.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::output::{print, print_json};
use crate::export::format::{Format, export};
use crate::export::saved_model::SavedModel;
use crate::store::Store;

/// Arguments of `export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The run's number, as `topica runs` lists it
    pub run: i64,
    /// What it is written as
    #[arg(long, value_enum)]
    pub to: Format,
    /// The file, or the folder for formats of several files [default: run-RUN and the format, in the
    /// working directory]
    #[arg(short = 'o', long = "output", value_name = "PATH")]
    pub place: Option<PathBuf>,
    /// Replace what is there
    #[arg(long)]
    pub force: bool,
    /// Say what was written as JSON
    #[arg(long)]
    pub json: bool,
}

/// Writes a saved run as files for other tools.
///
/// # Errors
/// When the run has no topics, or the files cannot be written.
pub fn run(path: &Path, args: &ExportArgs) -> anyhow::Result<()> {
    let store = Store::open_existing(path)?;
    let model = SavedModel::read(&store, args.run)?;
    let place = args.place.clone().unwrap_or_else(|| args.to.usual_place(args.run));
    let written = export(&model, args.to, &place, args.force)?;
    if args.json {
        return Ok(print_json(&json!({ "run": args.run, "written": written }))?);
    }
    Ok(print(&format!("run {} is in {}\n", args.run, written.display()))?)
}
