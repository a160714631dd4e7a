//! The program: parse, dispatch, one line for an error.

mod base_directory;
mod cli;
mod process_one;
mod records;
mod shown;
mod this_program;
mod tui;

use crate::shown::TerminalText;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::ExitCode;

use rustix::process::{Resource, getrlimit};

use crate::cli::commands::CommandLine;
use crate::cli::messages::warn;
use crate::cli::remedy::explained;
use crate::this_program::this_program;
use topoi_run::life::spawn::Program;
use topoi_run::life::threads::{NO_THREAD, notice_lack_of_threads, threads_lacked};

fn main() -> ExitCode {
    if let Some(code) = process_one::supervise() {
        return code;
    }
    if let Err(why) = check_address_space() {
        return failed(&why);
    }
    if let Ok(path) = this_program() {
        Program { path, end: |code| std::process::exit(code), explain: explained }.set();
    }
    let typed = match CommandLine::typed() {
        Ok(typed) => typed,
        Err(code) => return code,
    };
    notice_lack_of_threads();
    match catch_unwind(AssertUnwindSafe(|| typed.run())) {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => failed(&explained(error.as_ref())),
        Err(_) if threads_lacked() => failed(NO_THREAD),
        Err(panic) => resume_unwind(panic),
    }
}

/// Megabytes of address space with which every command starts: below, threads and the allocator end the process
/// before it can say why.
const LEAST_ADDRESS_SPACE: u64 = 200;

fn check_address_space() -> Result<(), String> {
    match getrlimit(Resource::As).current.map(|bytes| bytes / 1_000_000) {
        Some(limit) if limit < LEAST_ADDRESS_SPACE => Err(format!(
            "`ulimit -v` leaves this process {limit} MB, and topoi needs {LEAST_ADDRESS_SPACE} MB and what a run takes; \
             raise it"
        )),
        _ => Ok(()),
    }
}

fn failed(why: &str) -> ExitCode {
    warn(&TerminalText::line(&format!("error: {why}")));
    ExitCode::FAILURE
}
