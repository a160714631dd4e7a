//! Ctrl-Z. In raw mode it arrives as a key, so stopping is the program's own work.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Signal, getpid, getsid, kill_current_process_group};
use signal_hook::consts::SIGCONT;

use crate::tui::terminal;

/// A stop takes effect a moment after it is asked for; wait for the sign of having been
/// continued, but not for ever: someone may ignore the stop.
const STOP_WITHIN: Duration = Duration::from_millis(500);

/// Whether a shell could continue this process: a session leader has none above it.
pub fn is_possible() -> bool {
    getsid(None).is_ok_and(|session| session != getpid())
}

/// Gives the terminal back, stops the process group until the shell continues it, and takes the
/// terminal again. All of the screen must be drawn afterwards.
///
/// # Errors
/// When the terminal is gone.
pub fn suspend() -> io::Result<()> {
    let continued = Arc::new(AtomicBool::new(false));
    let id = signal_hook::flag::register(SIGCONT, Arc::clone(&continued))?;
    terminal::restore()?;
    let stopped = kill_current_process_group(Signal::TSTP);
    let asked = Instant::now();
    while !continued.load(Ordering::SeqCst) && asked.elapsed() < STOP_WITHIN {
        std::thread::sleep(Duration::from_millis(5));
    }
    signal_hook::low_level::unregister(id);
    terminal::enter()?;
    stopped.map_err(io::Error::from)
}
