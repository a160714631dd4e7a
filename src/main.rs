//! The program: parse, dispatch, one line for an error.

mod cli;
mod records;
mod shown;
mod tui;

use crate::shown::Shown;
use std::process::ExitCode;

use crate::cli::commands::CommandLine;
use crate::cli::output::say;
use topoi::run::life::spawn::Program;

fn main() -> ExitCode {
    if let Ok(path) = std::env::current_exe() {
        Program { path, end: || std::process::exit(0) }.set();
    }
    let typed = match CommandLine::typed() {
        Ok(typed) => typed,
        Err(code) => return code,
    };
    match typed.run() {
        Ok(code) => code,
        Err(error) => {
            // `{:#}` puts the causes of an error on its one line.
            say(&Shown::line(&format!("error: {error:#}")));
            ExitCode::FAILURE
        }
    }
}
