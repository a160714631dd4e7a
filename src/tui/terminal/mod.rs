//! The terminal: raw mode and alternate screen while the workbench runs, restored at its end, at a panic, and while it is
//! suspended.

pub mod background_colour;
pub mod clipboard;
pub mod keyboard;
pub mod output;
pub mod watchdog;

use std::io::{self, BufWriter, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use self::output::TerminalOutput;
use ratatui::Terminal;
use ratatui::crossterm::cursor::{MoveTo, Show};
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use rustix::process::{Signal, getpid, getsid, kill_current_process_group};
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level::emulate_default_handler;

/// Size of the output buffer: a frame is one write.
const FRAME_BYTES: usize = 64 * 1024;

/// The terminal as the workbench draws on it.
pub type Screen = Terminal<TerminalOutput<BufWriter<Stdout>>>;

/// Values of TERM of terminals that cannot place text: the shell of Emacs, a serial line, a cron job.
const WITHOUT_A_SCREEN: [&str; 3] = ["", "dumb", "unknown"];

/// Refuses a terminal that cannot place text.
///
/// # Errors
/// When TERM says so.
pub fn check_kind() -> anyhow::Result<()> {
    let kind = std::env::var("TERM").unwrap_or_default();
    anyhow::ensure!(
        !WITHOUT_A_SCREEN.contains(&kind.as_str()),
        "the workbench needs a terminal that can place text, and TERM is {kind:?}; \
         `export TERM=xterm-256color` if yours can, or use the commands that `topoi --help` lists"
    );
    Ok(())
}

/// Whether this process has changed the terminal.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether a thread of this process has panicked since.
static PANICKED: AtomicBool = AtomicBool::new(false);

/// Restores the terminal when dropped.
#[derive(Debug)]
pub struct TerminalGuard(());

impl TerminalGuard {
    /// Takes the terminal, and restores it also at a panic.
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
        let backend = TerminalOutput::new(BufWriter::with_capacity(FRAME_BYTES, io::stdout()));
        Ok((guard, Terminal::new(backend)?))
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        let _ = restore();
    }
}

/// Whether the terminal reports the mouse to this process.
static MOUSE: AtomicBool = AtomicBool::new(false);

/// Buttons and the wheel, with columns above 223. crossterm's own command also reports every movement of the pointer,
/// which nothing here uses and a slow line would carry.
const MOUSE_ON: &[u8] = b"\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &[u8] = b"\x1b[?1006l\x1b[?1000l";

/// Turns the report of clicks and the wheel on or off.
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

/// Raw mode and the alternate screen, cleared: a terminal without one, as GNU screen by default, would keep the shell's
/// text.
///
/// # Errors
/// When the terminal does not allow it.
fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    execute!(io::stdout(), EnterAlternateScreen, Clear(ClearType::All), EnableBracketedPaste)?;
    take_mouse(MOUSE.load(Ordering::SeqCst))
}

/// Restores the terminal; does nothing the second time.
///
/// # Errors
/// When the terminal is gone.
pub fn restore() -> io::Result<()> {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return Ok(());
    }
    let raw = disable_raw_mode();
    // `MOUSE` stays: `take_again` turns the mouse on again.
    io::stdout().write_all(MOUSE_OFF)?;
    // Without an alternate screen the shell's prompt would appear inside the last frame.
    execute!(io::stdout(), DisableBracketedPaste, Clear(ClearType::All), MoveTo(0, 0))?;
    execute!(io::stdout(), LeaveAlternateScreen, Show)?;
    io::stdout().flush()?;
    raw
}

/// Whether this process may draw: a panic or a signal restores the terminal.
pub fn is_taken() -> bool {
    TAKEN.load(Ordering::SeqCst)
}

/// Whether a thread has panicked and printed its message.
pub fn has_panicked() -> bool {
    PANICKED.load(Ordering::SeqCst)
}

/// Whether a shell can continue this process: a session leader has none above it.
pub fn can_stop() -> bool {
    getsid(None).is_ok_and(|session| session != getpid())
}

/// Stops the process group, as Ctrl-Z does outside raw mode.
///
/// # Errors
/// When there is no such group.
pub fn ask_to_stop() -> io::Result<()> {
    kill_current_process_group(Signal::TSTP).map_err(io::Error::from)
}

/// Restores the terminal, and stops this process until it is continued.
///
/// # Errors
/// When the terminal is gone.
pub fn stop() -> io::Result<()> {
    restore()?;
    emulate_default_handler(SIGTSTP)
}

/// Takes the terminal after this process was continued; the whole screen must be drawn afterwards. Raw mode is turned off
/// first: at a SIGSTOP nothing was restored, the shell has set its own mode, and crossterm still assumes raw mode.
///
/// # Errors
/// When the terminal is gone.
pub fn take_again() -> io::Result<()> {
    disable_raw_mode()?;
    enter()
}

#[cfg(test)]
#[allow(dead_code, reason = "the integration tests use the rest")]
#[path = "../../../tests/it/tui/pty.rs"]
mod pty;

#[cfg(test)]
mod tests {
    use super::TerminalGuard;
    use super::pty::Session;

    /// Not a test: what the next one starts in a terminal.
    #[test]
    #[ignore = "takes the terminal and panics"]
    fn takes_the_terminal_and_panics() {
        let Ok(_taken) = TerminalGuard::take() else { return };
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
