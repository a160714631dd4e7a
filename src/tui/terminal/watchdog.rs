//! Ends the program at a signal, or when its terminal is gone.
//!
//! In threads of their own: when a terminal vanishes and SIGHUP does not end the program, reading
//! keys never returns and uses a whole core (crossterm issue 793), so the event loop reaches no check.

use std::sync::mpsc::{self, Sender};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;

use crate::tui::message::Message;
use crate::tui::terminal;

/// How often the terminal is checked.
const LOOK_EVERY: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };
/// How long restoring the terminal may take; a write to a stopped terminal never returns.
const RESTORE_WITHIN: Duration = Duration::from_millis(300);

/// Starts two threads: one for signals, one that checks whether the terminal is gone. A stop and a
/// continuation become messages, because the event loop owns the terminal.
///
/// # Errors
/// When signals cannot be caught or no thread can be made.
pub fn start(messages: Sender<Message>) -> std::io::Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGTERM, SIGINT, SIGTSTP, SIGCONT])?;
    let hear = move || loop {
        let found: Vec<i32> = signals.wait().collect();
        if let Some(signal) = found.iter().find(|signal| ![SIGTSTP, SIGCONT].contains(signal)) {
            leave(128 + signal);
        }
        // A continuation cancels a stop that has not happened yet.
        let is_stop = !found.contains(&SIGCONT);
        let message = if is_stop { Message::Stop } else { Message::Continued };
        if messages.send(message).is_err() {
            return;
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(hear)?;
    let watch = move || loop {
        if terminal_is_gone(&LOOK_EVERY) {
            leave(128 + SIGHUP);
        }
    };
    std::thread::Builder::new().name("watchdog".into()).spawn(watch).map(drop)
}

/// Ends the process as SIGHUP does if the terminal is gone. For a failed read or draw: printing the error would panic.
pub fn leave_if_terminal_is_gone() {
    if terminal_is_gone(&LOOK_EVERY) {
        leave(128 + SIGHUP);
    }
}

/// Whether the terminal hangs up within `wait`.
fn terminal_is_gone(wait: &Timespec) -> bool {
    let stdin = rustix::stdio::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::empty())];
    let polled = poll(&mut fds, Some(wait));
    let gone = PollFlags::HUP | PollFlags::ERR;
    polled.is_ok_and(|ready| ready > 0) && fds[0].revents().intersects(gone)
}

/// Restores the terminal if possible, and ends the process without running anything else: what runs at a normal exit
/// may write to the terminal, and abort.
fn leave(code: i32) -> ! {
    let (done, restored) = mpsc::channel();
    let restore = move || {
        let _ = terminal::restore();
        let _ = done.send(());
    };
    match std::thread::Builder::new().name("restore".into()).spawn(restore) {
        Ok(_) => _ = restored.recv_timeout(RESTORE_WITHIN),
        // Without a thread the write has no time limit.
        Err(_) => _ = terminal::restore(),
    }
    signal_hook::low_level::exit(code)
}
