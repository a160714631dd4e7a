//! The program: parse, dispatch, one line for an error.

mod base_directory;
mod cli;
mod process_one;
mod records;
mod shown;
mod tui;

use crate::shown::Shown;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::ExitCode;

use rustix::process::{Resource, getrlimit};

use crate::cli::commands::CommandLine;
use crate::cli::output::say;
use topoi_run::life::spawn::Program;
use topoi_run::life::threads::{NO_THREAD, notice_lack_of_threads, threads_lacked};

fn main() -> ExitCode {
    if let Some(code) = process_one::supervise() {
        return code;
    }
    if let Err(why) = check_address_space() {
        return failed(&why);
    }
    if let Ok(path) = std::env::current_exe() {
        Program { path, end: || std::process::exit(0) }.set();
    }
    let typed = match CommandLine::typed() {
        Ok(typed) => typed,
        Err(code) => return code,
    };
    notice_lack_of_threads();
    match catch_unwind(AssertUnwindSafe(|| typed.run())) {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => failed(&with_causes(&error)),
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
    say(&Shown::line(&format!("error: {why}")));
    ExitCode::FAILURE
}

/// An error and its causes on one line, up to the first that the line says already: most errors
/// tell their cause where it belongs, before what to do about it.
fn with_causes(error: &anyhow::Error) -> String {
    let mut line = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if line.contains(&cause) {
            break;
        }
        line = format!("{line}: {cause}");
    }
    line
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::with_causes;
    use topoi_store::StoreError;

    #[test]
    fn a_cause_is_told_once_and_before_the_remedy() {
        let source = || std::io::Error::other("the disk is gone");
        let file = StoreError::File { path: "a".into(), source: source() };
        let told = "a: the disk is gone; check that the store's directory can be written";
        assert_eq!(with_causes(&file.into()), told);
        let wrapped = Err::<(), _>(source()).context("cannot draw").expect_err("wrapped");
        assert_eq!(with_causes(&wrapped), "cannot draw: the disk is gone");
    }
}
