//! A program in a pseudo-terminal: keys in, screen out. Every wait is for a text or an end, up
//! to a deadline.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Slower than any machine the tests run on.
const DEADLINE: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(10);

pub struct Session {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    screen: Arc<Mutex<vt100::Parser>>,
    written: Arc<Mutex<Vec<u8>>>,
    _directory: Option<tempfile::TempDir>,
    stop: Arc<AtomicBool>,
    reader: JoinHandle<()>,
}

impl Session {
    /// Starts `program` with `arguments` on a terminal of 80x24, in a directory of its own.
    pub fn start(program: &str, arguments: &[&str]) -> Self {
        let directory = tempfile::tempdir().expect("tempdir");
        let session = Self::start_in(directory.path(), program, arguments);
        Self { _directory: Some(directory), ..session }
    }

    /// The same as over a connection to another machine.
    pub fn start_over_ssh(program: &str, arguments: &[&str]) -> Self {
        let directory = tempfile::tempdir().expect("tempdir");
        let ssh = [("SSH_CONNECTION", "203.0.113.7 50000 203.0.113.8 22")];
        let session = Self::start_with(directory.path(), program, arguments, &ssh);
        Self { _directory: Some(directory), ..session }
    }

    /// The same in `directory`, where it keeps its state too.
    pub fn start_in(directory: &Path, program: &str, arguments: &[&str]) -> Self {
        Self::start_with(directory, program, arguments, &[])
    }

    /// The same with these variables.
    pub fn start_with(
        directory: &Path,
        program: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Self {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.cwd(directory);
        command.env("XDG_STATE_HOME", directory.join("state"));
        command.env("XDG_CONFIG_HOME", directory.join("config"));
        for name in [
            "NO_COLOR",
            "COLORFGBG",
            "COLORTERM",
            "SSH_CONNECTION",
            "LC_ALL",
            "LC_CTYPE",
            "TMUX",
            "STY",
        ] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm");
        command.env("LANG", "C.UTF-8");
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("start");
        drop(pair.slave);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(24, 80, 0)));
        let stop = Arc::new(AtomicBool::new(false));
        let mut output = pair.master.try_clone_reader().expect("reader");
        let (shown, stopped) = (Arc::clone(&screen), Arc::clone(&stop));
        let written = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&written);
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                noted.lock().expect("written").extend_from_slice(&bytes[..count]);
                shown.lock().expect("screen").process(&bytes[..count]);
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
            }
        });
        let writer = pair.master.take_writer().expect("writer");
        let _directory = None;
        let master = pair.master;
        Self { child, master, writer, screen, written, _directory, stop, reader }
    }

    pub fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).expect("send");
        self.writer.flush().expect("send");
    }

    pub fn resize(&mut self, cols: u16, rows: u16) {
        self.screen.lock().expect("screen").screen_mut().set_size(rows, cols);
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        self.master.resize(size).expect("resize");
    }

    pub fn contents(&self) -> String {
        self.screen.lock().expect("screen").screen().contents()
    }

    /// Waits until the program has written these bytes.
    pub fn wait_for_bytes(&self, bytes: &[u8]) {
        let holds = || {
            let written = self.written.lock().expect("written");
            written.windows(bytes.len()).any(|window| window == bytes).then_some(())
        };
        assert!(within(DEADLINE, holds).is_some(), "no {}", bytes.escape_ascii());
    }

    /// What the program has written so far.
    pub fn written(&self) -> Vec<u8> {
        self.written.lock().expect("written").clone()
    }

    pub fn is_on_alternate_screen(&self) -> bool {
        self.screen.lock().expect("screen").screen().alternate_screen()
    }

    pub fn is_cursor_hidden(&self) -> bool {
        self.screen.lock().expect("screen").screen().hide_cursor()
    }

    /// Waits until the screen holds `text`.
    pub fn wait_for(&self, text: &str) {
        let found = within(DEADLINE, || self.contents().contains(text).then_some(()));
        assert!(found.is_some(), "no {text:?} on:\n{}", self.contents());
    }

    /// Waits until the screen no longer holds `text`.
    pub fn wait_until_gone(&self, text: &str) {
        let gone = within(DEADLINE, || (!self.contents().contains(text)).then_some(()));
        assert!(gone.is_some(), "{text:?} is still on:\n{}", self.contents());
    }

    pub fn process(&self) -> u32 {
        self.child.process_id().expect("a process")
    }

    /// Waits for the program's end, and for the last of its output to be on the screen.
    pub fn exit_code(&mut self) -> u32 {
        let ended = within(DEADLINE, || self.child.try_wait().expect("wait"));
        let code = ended.expect("the program ends").exit_code();
        let drained = within(DEADLINE, || self.reader.is_finished().then_some(()));
        assert!(drained.is_some(), "all output is read");
        code
    }

    /// Takes the terminal away from the program.
    pub fn hang_up(mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // Ctrl-L: some output, so that the reader sees that it is to stop.
        self.send("\u{c}");
        self.reader.join().expect("reader");
    }
}

/// Looks again and again until there is something, or it is too late.
pub fn within<T>(deadline: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return Some(found);
        }
        if start.elapsed() > deadline {
            return None;
        }
        std::thread::sleep(LOOK_EVERY);
    }
}
