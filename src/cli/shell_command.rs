//! `completions` and `man`: what a shell and a manual reader want of the program.

use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use super::arguments::Arguments;
use super::output::print;

/// Arguments of `completions`.
#[derive(Debug, Clone, Copy, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write topoi.1 and a page for every command into this folder, instead of printing topoi.1
    #[arg(long, value_name = "FOLDER")]
    pub into: Option<PathBuf>,
}

/// Prints the completions for a shell.
///
/// # Errors
/// When standard output cannot be written, other than by a closed pipe.
pub fn completions(args: CompletionsArgs) -> anyhow::Result<()> {
    let mut text = Vec::new();
    generate(args.shell, &mut Arguments::command(), "topoi", &mut text);
    Ok(print(&String::from_utf8_lossy(&text))?)
}

/// Prints the manual page, or writes those of all commands.
///
/// # Errors
/// When the pages cannot be written.
pub fn man(args: &ManArgs) -> anyhow::Result<()> {
    let Some(folder) = &args.into else {
        let mut text = Vec::new();
        clap_mangen::Man::new(Arguments::command()).render(&mut text)?;
        return Ok(print(&String::from_utf8_lossy(&text))?);
    };
    let write = || {
        std::fs::create_dir_all(folder)?;
        clap_mangen::generate_to(Arguments::command(), folder)
    };
    write().map_err(|error| {
        anyhow::anyhow!("{}: {error}; give --into a folder that can be written", folder.display())
    })?;
    Ok(print(&format!("the pages are in {}; read one with `man -l`\n", folder.display()))?)
}
