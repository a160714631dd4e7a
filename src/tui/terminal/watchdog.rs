//! Ends the program when it is told to, or when its terminal is gone.
//!
//! A thread of its own: when a terminal vanishes and SIGHUP does not end the program, reading
//! keys never returns and spins on a whole core (crossterm issue 793), so that no check in the
//! event loop would be reached.

use std::sync::mpsc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::tui::terminal;

/// How often signals and terminal are looked at.
const LOOK_EVERY: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };
/// How long giving the terminal back may take; writing to one that is stopped never ends.
const RESTORE_WITHIN: Duration = Duration::from_millis(300);

/// Starts the thread.
///
/// # Errors
/// When signals cannot be caught or no thread can be made.
pub fn start() -> std::io::Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGTERM, SIGINT])?;
    let watch = move || loop {
        let gone = terminal_is_gone(&LOOK_EVERY);
        if let Some(signal) = signals.pending().next() {
            leave(128 + signal);
        }
        if gone {
            leave(128 + SIGHUP);
        }
    };
    std::thread::Builder::new().name("watchdog".into()).spawn(watch).map(drop)
}

/// Ends the process as a hang-up does if the terminal is gone. For when reading or drawing has
/// failed: an error can no longer be told to anyone, and trying to would panic.
pub fn leave_if_terminal_is_gone() {
    if terminal_is_gone(&LOOK_EVERY) {
        leave(128 + SIGHUP);
    }
}

/// Waits a while for the terminal to hang up.
fn terminal_is_gone(wait: &Timespec) -> bool {
    let stdin = rustix::stdio::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::empty())];
    let polled = poll(&mut fds, Some(wait));
    let gone = PollFlags::HUP | PollFlags::ERR;
    polled.is_ok_and(|ready| ready > 0) && fds[0].revents().intersects(gone)
}

/// Gives the terminal back if that can be done, and ends the process without running anything
/// more: what runs at a normal exit may write to the terminal, and abort.
fn leave(code: i32) -> ! {
    let (done, restored) = mpsc::channel();
    std::thread::spawn(move || {
        let _ = terminal::restore();
        let _ = done.send(());
    });
    let _ = restored.recv_timeout(RESTORE_WITHIN);
    signal_hook::low_level::exit(code)
}
