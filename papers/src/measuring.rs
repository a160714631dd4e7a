//! Measures a figure, with the program, the machine and the settings it was measured with.

use std::path::Path;
use std::process::Command;

use crate::catalogue::{FIGURES, Figure};
use crate::fingerprint;
use crate::laboratory;
use crate::pages::saved::{Program, Saved};

/// Measures and judges a figure; `seeds` corpora or seeds where it is given.
///
/// # Errors
/// When a corpus is missing, or a run fails that the figure cannot do without.
pub fn measured(figure: &Figure, quick: bool, seeds: Option<u64>) -> Result<Saved, String> {
    let mut saved = Saved { quick, asked: seeds, ..figure.empty() };
    fingerprint::begin();
    let begun = laboratory::processor_seconds();
    (figure.measure)(&mut saved)?;
    saved.seconds = Some((laboratory::processor_seconds() - begun).round());
    let uses = fingerprint::computed(&fingerprint::used())?;
    saved.program = Program { uses, ..program() };
    saved.claims = (figure.judge)(&saved);
    Ok(saved)
}

/// The figures whose program computes something else today, with what that is.
///
/// # Errors
/// When results cannot be read or a fingerprint not be made.
pub fn stale(root: &Path) -> Result<Vec<(&'static Figure, Vec<String>)>, String> {
    let all = Saved::all(root)?;
    let uses = all.iter().flat_map(|saved| &saved.program.uses);
    let today = fingerprint::computed(&uses.map(|(name, _)| name.clone()).collect())?;
    let of = |figure: &'static Figure| {
        let saved = all.iter().find(|saved| saved.figure == figure.name);
        let changed = match saved {
            Some(saved) => fingerprint::changed(saved, &today),
            None => vec!["it was never measured".into()],
        };
        (!changed.is_empty()).then_some((figure, changed))
    };
    Ok(FIGURES.iter().filter_map(of).collect())
}

/// This program and this machine; what is used of it is not known yet.
fn program() -> Program {
    let changed = ["status", "--porcelain", "--untracked-files=no", "--", "crates", "papers/src"];
    let mark = if output("git", &changed).is_empty() { "" } else { "+" };
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let names = cpu.lines().filter(|line| line.starts_with("model name"));
    let name = names.filter_map(|line| line.split_once(": ")).map(|(_, name)| name.trim()).next();
    Program {
        version: env!("CARGO_PKG_VERSION").into(),
        commit: output("git", &["rev-parse", "--short=10", "HEAD"]) + mark,
        date: output("date", &["-u", "+%F"]),
        machine: name.unwrap_or(std::env::consts::ARCH).into(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        ..Program::default()
    }
}

/// What a command prints in this repository; nothing where it fails.
fn output(command: &str, arguments: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let made = Command::new(command).args(arguments).current_dir(root).output();
    let printed = made.ok().filter(|made| made.status.success());
    printed.map_or(String::new(), |made| String::from_utf8_lossy(&made.stdout).trim().into())
}
