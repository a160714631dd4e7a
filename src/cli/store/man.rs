//! `man`.

use crate::shown::{TerminalText, shown};
use std::path::PathBuf;

use clap::CommandFactory;

use crate::cli::commands::CommandLine;
use crate::cli::output::print;
use crate::cli::typed::store_path::StorePath;

/// Print the manual page
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Write topoi.1 and a page for every command into this folder, instead of printing topoi.1
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

pub fn run(arguments: &Arguments, _: &StorePath) -> anyhow::Result<()> {
    let Some(folder) = &arguments.into else {
        let mut text = Vec::new();
        clap_mangen::Man::new(CommandLine::command()).render(&mut text)?;
        return Ok(print(&TerminalText::text(&String::from_utf8_lossy(&text)))?);
    };
    let write = || {
        std::fs::create_dir_all(folder)?;
        clap_mangen::generate_to(CommandLine::command(), folder)
    };
    write().map_err(|error| {
        anyhow::anyhow!("{}: {error}; give --into a folder that can be written", folder.display())
    })?;
    Ok(print(&shown!("the pages are in {}; read one with `man -l`\n", folder.display()))?)
}
