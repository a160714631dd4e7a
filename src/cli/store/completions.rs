//! `completions`.

use crate::shown::TerminalText;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::cli::commands::CommandLine;
use crate::cli::output::print;
use crate::cli::typed::store_path::StorePath;

/// Print completions for a shell, such as `topoi completions bash`
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Shell to make them for
    #[arg(value_enum)]
    shell: Shell,
}

pub fn run(arguments: &Arguments, _: &StorePath) -> anyhow::Result<()> {
    let mut text = Vec::new();
    generate(arguments.shell, &mut CommandLine::command(), "topoi", &mut text);
    Ok(print(&TerminalText::text(&String::from_utf8_lossy(&text)))?)
}
