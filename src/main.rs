//! The program: parse, dispatch, one line for an error.

mod cli;
mod records;
mod tui;

use std::process::ExitCode;

use crate::cli::arguments::Arguments;
use crate::cli::dispatch::dispatch;
use crate::cli::output::{one_line, say};
use clap::Parser;

fn main() -> ExitCode {
    match dispatch(Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            // `{:#}` puts the causes of an error on its one line.
            say(&one_line(&format!("error: {error:#}")));
            ExitCode::FAILURE
        }
    }
}
