//! As process 1, which a container starts: the kernel gives that process no default for signals, and makes all
//! orphans its children.

use std::io;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process, kill_process_group, wait,
};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::cli::messages::say;
use crate::shown::TerminalText;
use crate::this_program::this_program;

/// How long workers may take to end their runs as interrupted.
const PATIENCE: Duration = Duration::from_secs(5);

/// In process 1, does what was typed in a process of its own, hands signals on to it and reaps whatever ends; returns
/// how it ended, once its workers have been asked to end as well. In any other process `None`.
pub fn supervise() -> Option<ExitCode> {
    (getpid() == Pid::INIT).then(|| match supervised() {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            say(&TerminalText::line(&format!("error: as process 1: {error}")));
            ExitCode::FAILURE
        }
    })
}

/// Whether process 1 is this program, and supervises this process: workers end with it.
pub fn is_above() -> bool {
    let program = |of: &str| std::fs::read_link(format!("/proc/{of}/exe")).ok();
    getppid() == Some(Pid::INIT) && program("1").is_some() && program("1") == program("self")
}

fn supervised() -> io::Result<u8> {
    // Before the child starts, so that none of its signals is missed.
    let mut signals = Signals::new([SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT])?;
    let child = Command::new(this_program()?).args(std::env::args_os().skip(1)).spawn()?;
    let child = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let child = child.ok_or_else(|| io::Error::other("a process without a number"))?;
    for signal in signals.forever() {
        if signal != SIGCHLD {
            let signal = Signal::from_named_raw(signal).unwrap_or(Signal::TERM);
            // It may have ended a moment ago.
            let _ = kill_process(child, signal);
            continue;
        }
        while let Some((ended, status)) = reaped()? {
            if ended == child {
                end_others();
                return Ok(code(status));
            }
        }
    }
    Ok(1)
}

/// A child that has ended, if there is one.
fn reaped() -> io::Result<Option<(Pid, WaitStatus)>> {
    match wait(WaitOptions::NOHANG) {
        Err(Errno::CHILD | Errno::INTR) => Ok(None),
        found => Ok(found?),
    }
}

/// Workers end with process 1, killed: asked before, they end their runs as interrupted.
fn end_others() {
    // The group of process 1 stands for all processes but itself.
    let _ = kill_process_group(Pid::INIT, Signal::TERM);
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        match wait(WaitOptions::NOHANG) {
            Err(Errno::CHILD) => return,
            Ok(None) => std::thread::sleep(Duration::from_millis(10)),
            _ => {}
        }
    }
}

/// As a shell has it: 128 more than the number of the signal that ended it.
fn code(status: WaitStatus) -> u8 {
    let signal = status.terminating_signal().map(|signal| 128 + signal);
    status.exit_status().or(signal).and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}
