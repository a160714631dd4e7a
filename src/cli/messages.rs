//! Messages on standard error, which `--quiet` silences and `--log` keeps.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use anyhow::Context;
use clap::builder::FalseyValueParser;
use time::OffsetDateTime;

use crate::shown::TerminalText;

/// What becomes of messages.
#[derive(Debug, clap::Args)]
pub struct MessageArgs {
    /// Say nothing but warnings and errors
    #[arg(long, global = true, env = "TOPOI_QUIET", value_parser = FalseyValueParser::new())]
    quiet: bool,
    /// Add all messages to this file too, a line each with the time (UTC)
    #[arg(long, global = true, value_name = "FILE", env = "TOPOI_LOG")]
    log: Option<PathBuf>,
}

/// The choice of [`MessageArgs`], for the whole process.
struct Messages {
    is_quiet: bool,
    log: Option<Mutex<File>>,
}

static MESSAGES: OnceLock<Messages> = OnceLock::new();

impl MessageArgs {
    /// Makes the choice for the rest of the process.
    ///
    /// # Errors
    /// If the log cannot be opened.
    pub fn apply(&self) -> anyhow::Result<()> {
        let open = |path: &Path| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.map(Mutex::new)
                .with_context(|| format!("cannot write to the log {}", path.display()))
        };
        let log = self.log.as_deref().map(open).transpose()?;
        MESSAGES.get_or_init(|| Messages { is_quiet: self.quiet, log });
        Ok(())
    }
}

/// Whether only warnings and errors are printed.
pub fn is_quiet() -> bool {
    MESSAGES.get().is_some_and(|messages| messages.is_quiet)
}

/// Prints a message on standard error, separate from results, unless messages are silenced.
pub fn say(line: &TerminalText) {
    log(line);
    if !is_quiet() {
        print(line);
    }
}

/// Prints a warning or an error on standard error.
pub fn warn(line: &TerminalText) {
    log(line);
    print(line);
}

fn print(line: &TerminalText) {
    // If standard error is closed, there is nowhere to report that.
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Adds a message to the log, if there is one, without printing it.
pub fn log(text: &TerminalText) {
    let Some(file) = MESSAGES.get().and_then(|messages| messages.log.as_ref()) else { return };
    let now = OffsetDateTime::now_utc();
    let (date, hour, minute, second) = (now.date(), now.hour(), now.minute(), now.second());
    let mut lines = String::new();
    for line in text.as_str().lines() {
        lines += &format!("{date}T{hour:02}:{minute:02}:{second:02}Z {line}\n");
    }
    // One write, so that lines of several processes do not mix. A full disk must not end the command.
    let _ =
        file.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).write_all(lines.as_bytes());
}
