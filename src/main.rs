//! The program: parse, dispatch, one line for an error.

use std::process::ExitCode;

use clap::Parser;
use topoi::cli::arguments::Arguments;
use topoi::cli::dispatch::dispatch;
use topoi::cli::output::{one_line, say};

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
