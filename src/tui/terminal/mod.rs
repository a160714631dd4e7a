//! The terminal: taken in raw mode on its alternate screen, and always given back: at the end, at a
//! panic, and while the program is suspended.

pub mod background;
pub mod clipboard;
pub mod watchdog;

use std::io::{self, BufWriter, Stdout, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use rustix::process::{Signal, getpid, getsid, kill_current_process_group};
use signal_hook::consts::SIGCONT;

/// One buffer, so that a frame is one write.
const FRAME_BYTES: usize = 64 * 1024;

/// The terminal as the workbench draws on it.
pub type Screen = Terminal<CrosstermBackend<BufWriter<Stdout>>>;

/// Whether this process has taken the terminal.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether a thread of this process has panicked since.
static PANICKED: AtomicBool = AtomicBool::new(false);

/// Gives the terminal back when dropped.
#[derive(Debug)]
pub struct Guard(());

impl Guard {
    /// Takes the terminal, and gives it back too when the program panics.
    ///
    /// # Errors
    /// When the terminal does not allow raw mode.
    pub fn take() -> io::Result<(Self, Screen)> {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            PANICKED.store(true, Ordering::SeqCst);
            let _ = restore();
            previous(panic);
        }));
        let guard = Self(());
        enter()?;
        let backend = CrosstermBackend::new(BufWriter::with_capacity(FRAME_BYTES, io::stdout()));
        Ok((guard, Terminal::new(backend)?))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = restore();
    }
}

/// Whether the mouse is to come to this process while it has the terminal.
static MOUSE: AtomicBool = AtomicBool::new(false);

/// Presses and the wheel, with places beyond column 223. Not crossterm's own command: that has every
/// movement of the pointer sent too, which over a slow line is much, and nothing here looks at.
const MOUSE_ON: &[u8] = b"\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &[u8] = b"\x1b[?1006l\x1b[?1000l";

/// Has clicks and the wheel come to this process, or leaves them to the terminal.
///
/// # Errors
/// When the terminal is gone.
pub fn take_mouse(on: bool) -> io::Result<()> {
    MOUSE.store(on, Ordering::SeqCst);
    if !is_taken() {
        return Ok(());
    }
    io::stdout().write_all(if on { MOUSE_ON } else { MOUSE_OFF })?;
    io::stdout().flush()
}

/// Raw mode and the alternate screen.
///
/// # Errors
/// When the terminal does not allow it.
pub fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste)?;
    take_mouse(MOUSE.load(Ordering::SeqCst))
}

/// Gives the terminal back as it was; does nothing the second time.
///
/// # Errors
/// When the terminal is gone.
pub fn restore() -> io::Result<()> {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return Ok(());
    }
    let raw = disable_raw_mode();
    // Whoever takes the terminal again has the mouse as it was.
    io::stdout().write_all(MOUSE_OFF)?;
    execute!(io::stdout(), DisableBracketedPaste, LeaveAlternateScreen, Show)?;
    io::stdout().flush()?;
    raw
}

/// Whether the terminal is this process's to draw on; a panic or a signal gives it back.
pub fn is_taken() -> bool {
    TAKEN.load(Ordering::SeqCst)
}

/// Whether a thread has panicked; its message is on the terminal.
pub fn has_panicked() -> bool {
    PANICKED.load(Ordering::SeqCst)
}

/// Ctrl-Z arrives as a key in raw mode, so stopping is the program's own work. A stop takes effect a moment after it is asked for; wait for the sign of having been
/// continued, but not for ever: someone may ignore the stop.
const STOP_WITHIN: Duration = Duration::from_millis(500);

/// Whether a shell could continue this process: a session leader has none above it.
pub fn can_suspend() -> bool {
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
    restore()?;
    let stopped = kill_current_process_group(Signal::TSTP);
    let asked = Instant::now();
    while !continued.load(Ordering::SeqCst) && asked.elapsed() < STOP_WITHIN {
        std::thread::sleep(Duration::from_millis(5));
    }
    signal_hook::low_level::unregister(id);
    enter()?;
    stopped.map_err(io::Error::from)
}

#[cfg(test)]
#[allow(dead_code, reason = "the integration tests use the rest")]
#[path = "../../../tests/it/tui/pty.rs"]
mod pty;

#[cfg(test)]
mod tests {
    use super::Guard;
    use super::pty::Session;

    /// Not a test: what the next one starts in a terminal.
    #[test]
    #[ignore = "takes the terminal and panics"]
    fn takes_the_terminal_and_panics() {
        let Ok(_taken) = Guard::take() else { return };
        panic!("on purpose");
    }

    #[test]
    fn a_panic_gives_the_terminal_back_before_it_is_told() {
        let program = std::env::current_exe().expect("this program");
        let program = program.to_str().expect("a path of letters");
        let name = "tui::terminal::tests::takes_the_terminal_and_panics";
        let mut session = Session::start(program, &["--ignored", "--exact", name, "--nocapture"]);
        session.wait_for_bytes(b"\x1b[?1049h");
        session.wait_for("on purpose");
        assert!(session.exit_code() != 0);
        assert!(!session.is_on_alternate_screen() && !session.is_cursor_hidden());
    }
}
