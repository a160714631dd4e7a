//! The program in a pseudo-terminal, and when its bytes came.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// After so long without a byte, all of an answer is there.
const SILENCE: Duration = Duration::from_millis(120);
/// Scans of the whole store are waited for so long.
const SCAN: Duration = Duration::from_secs(4);
const NOTHING: Duration = Duration::from_millis(400);

/// How long a key's answer took.
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    pub first: Duration,
    pub all: Duration,
}

pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    /// When the first byte since the last key came, when the last, and how many in all.
    seen: Arc<Mutex<Seen>>,
    _state: tempfile::TempDir,
}

#[derive(Default)]
struct Seen {
    first: Option<Instant>,
    last: Option<Instant>,
    bytes: u64,
    /// The program says that it is still looking.
    looking: bool,
}

impl Terminal {
    pub fn open(store: &Path, size: (u16, u16), over_ssh: bool) -> Self {
        let state = tempfile::tempdir().expect("tempdir");
        let (cols, rows) = size;
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_topoi"));
        command.args(["--store", store.to_str().expect("letters")]);
        for name in ["NO_COLOR", "SSH_CONNECTION", "LC_ALL", "LC_CTYPE", "TMUX", "STY"] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm");
        command.env("LANG", "C.UTF-8");
        command.env("XDG_STATE_HOME", state.path());
        if over_ssh {
            command.env("SSH_CONNECTION", "192.0.2.1 1 192.0.2.2 22");
        }
        let child = pair.slave.spawn_command(command).expect("start");
        drop(pair.slave);
        let seen = Arc::new(Mutex::new(Seen::default()));
        let mut output = pair.master.try_clone_reader().expect("reader");
        let noted = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut screen = vt100::Parser::new(rows, cols, 0);
            let mut bytes = [0; 65536];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                let now = Instant::now();
                screen.process(&bytes[..count]);
                let status = screen.screen().rows(0, cols).nth(usize::from(rows) - 2);
                let mut seen = noted.lock().expect("seen");
                seen.first.get_or_insert(now);
                seen.last = Some(now);
                seen.bytes += count as u64;
                seen.looking = status.is_some_and(|status| status.contains("looking"));
            }
        });
        let writer = pair.master.take_writer().expect("writer");
        let mut terminal = Self { child, _master: pair.master, writer, seen, _state: state };
        terminal.wait(Instant::now());
        terminal
    }

    /// Presses a key and waits for all of the answer; `None` when there is none.
    pub fn press(&mut self, key: &str) -> Option<Answer> {
        *self.seen.lock().expect("seen") = Seen { bytes: self.bytes(), ..Seen::default() };
        let start = Instant::now();
        self.writer.write_all(bytes_of(key).as_bytes()).expect("press");
        self.writer.flush().expect("press");
        self.wait(start)
    }

    fn wait(&mut self, start: Instant) -> Option<Answer> {
        loop {
            std::thread::sleep(Duration::from_millis(5));
            let seen = self.seen.lock().expect("seen");
            match (seen.first, seen.last) {
                (Some(first), Some(last)) => {
                    let silent = last.elapsed() > SILENCE && !seen.looking;
                    if silent || start.elapsed() > SCAN {
                        return Some(Answer { first: first - start, all: last - start });
                    }
                }
                _ if start.elapsed() > NOTHING => return None,
                _ => {}
            }
        }
    }

    pub fn bytes(&self) -> u64 {
        self.seen.lock().expect("seen").bytes
    }

    /// Processor time the program has used, user and system.
    pub fn cpu_seconds(&self) -> f64 {
        let process = self.child.process_id().expect("a process");
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("Linux");
        let fields: Vec<&str> =
            stat.rsplit(')').next().expect("fields").split_whitespace().collect();
        let ticks = |field: usize| fields[field].parse::<f64>().expect("a number");
        (ticks(11) + ticks(12)) / 100.0
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn bytes_of(key: &str) -> &str {
    match key {
        "Esc" => "\x1b",
        "Enter" => "\r",
        "Tab" => "\t",
        "Shift-Tab" => "\x1b[Z",
        "Backspace" => "\x7f",
        "PgDn" => "\x1b[6~",
        "PgUp" => "\x1b[5~",
        "Home" => "\x1b[H",
        "Up" => "\x1b[A",
        "Left" => "\x1b[D",
        "Right" => "\x1b[C",
        "F1" => "\x1bOP",
        "Ctrl-U" => "\x15",
        "Space" => " ",
        other => other,
    }
}
