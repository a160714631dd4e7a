//! Terminals without an alternate screen, or that cannot place text; a workbench that is stopped and
//! continued; lines that are longer than the terminal.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::pty::{Session, within};
use super::{Filled, TOPOI};

const ON_ALTERNATE: &[u8] = b"\x1b[?1049h";
const OFF_ALTERNATE: &[u8] = b"\x1b[?1049l";
const DEADLINE: Duration = Duration::from_secs(30);

/// A shell of people, with the workbench open in it.
fn in_a_shell(store: &Filled) -> Session {
    let mut session = Session::start("bash", &["--norc", "--noprofile", "-i"]);
    session.send(&format!("'{TOPOI}' --store '{}'\r", store.path()));
    session.wait_for("Corpora 2");
    session.wait_for("novels");
    session
}

/// The process that a shell has started.
fn child_of(shell: u32) -> Pid {
    let child = || {
        let listed = Command::new("ps").args(["-A", "-o", "pid=,ppid="]).output().expect("ps");
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        listed.lines().find_map(|line| {
            let (process, parent) = line.trim().split_once(char::is_whitespace)?;
            (parent.trim().parse() == Ok(shell)).then(|| process.parse::<i32>().ok())?
        })
    };
    let found = within(DEADLINE, child).expect("the workbench is a process of the shell");
    Pid::from_raw(found).expect("a process")
}

/// The whole picture is there, keys come one by one, and the terminal is given back at the end.
fn is_there_again(session: &mut Session) {
    session.wait_until_gone("Stopped");
    session.wait_for("Corpora 2");
    session.wait_for("novels");
    assert!(session.is_on_alternate_screen());
    session.send("j");
    session.wait_for("2 of 2");
    session.send("q");
    let gone = within(DEADLINE, || (!session.is_on_alternate_screen()).then_some(()));
    assert!(gone.is_some());
    session.send("exit\r");
    session.exit_code();
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_fg_comes_back() {
    let store = Filled::new();
    let mut session = in_a_shell(&store);
    session.send("\x1a");
    session.wait_for("Stopped");
    assert!(!session.is_on_alternate_screen());
    session.send("fg\r");
    is_there_again(&mut session);
}

#[test]
fn a_stop_from_outside_gives_the_terminal_to_the_shell_and_fg_comes_back() {
    let store = Filled::new();
    let mut session = in_a_shell(&store);
    // More than once: what is taken again is given back again.
    for _ in 0..2 {
        kill_process(child_of(session.process()), Signal::TSTP).expect("kill");
        session.wait_for("Stopped");
        assert!(!session.is_on_alternate_screen() && !session.is_cursor_hidden());
        session.send("fg\r");
        session.wait_until_gone("Stopped");
        session.wait_for("novels");
    }
    is_there_again(&mut session);
}

#[test]
fn after_a_stop_that_cannot_be_caught_fg_brings_the_picture_and_the_keys_back() {
    let store = Filled::new();
    let mut session = in_a_shell(&store);
    kill_process(child_of(session.process()), Signal::STOP).expect("kill");
    session.wait_for("Stopped");
    session.send("fg\r");
    is_there_again(&mut session);
}

#[test]
fn a_workbench_that_no_shell_could_continue_does_not_stop() {
    let store = Filled::new();
    let mut session = store.open();
    let process = Pid::from_raw(session.process() as i32).expect("a process");
    kill_process(process, Signal::TSTP).expect("kill");
    session.wait_for("cannot stop: no shell could continue it");
    // Somebody else can.
    kill_process(process, Signal::STOP).expect("kill");
    kill_process(process, Signal::CONT).expect("kill");
    session.send("j");
    session.wait_for("2 of 2");
    session.send("q");
    assert_eq!(session.exit_code(), 0);
}

#[test]
fn a_terminal_that_cannot_place_text_gets_one_line() {
    let store = Filled::new();
    for kind in ["dumb", "unknown", ""] {
        let directory = store.path.parent().expect("a directory");
        let arguments = ["--store", store.path()];
        let mut session = Session::start_with(directory, TOPOI, &arguments, &[("TERM", kind)]);
        assert_eq!(session.exit_code(), 1, "{kind:?}");
        let written = String::from_utf8_lossy(&session.written()).into_owned();
        assert!(written.contains(&format!("TERM is {kind:?}; `export TERM=")), "{written}");
        assert!(!written.contains('\x1b'), "{written}");
    }
}

/// What a terminal of 80x24 shows that has no alternate screen.
fn without_alternate(written: &[u8]) -> String {
    let mut parser = vt100::Parser::new(24, 80, 0);
    parser.process("shelltext ".repeat(192).as_bytes());
    let mut rest = written;
    while let Some(byte) = rest.first() {
        let switch =
            [ON_ALTERNATE, OFF_ALTERNATE].into_iter().find(|switch| rest.starts_with(switch));
        match switch {
            Some(switch) => rest = &rest[switch.len()..],
            None => {
                parser.process(&[*byte]);
                rest = &rest[1..];
            }
        }
    }
    parser.screen().contents()
}

#[test]
fn without_an_alternate_screen_nothing_of_the_shell_is_in_the_picture_nor_of_it_after_the_end() {
    let store = Filled::new();
    let mut session = store.open();
    let shown = without_alternate(&session.written());
    assert!(shown.contains("novels") && !shown.contains("shelltext"), "{shown}");
    session.send("q");
    assert_eq!(session.exit_code(), 0);
    assert_eq!(without_alternate(&session.written()).trim(), "");
}

#[test]
fn in_gnu_screen_as_it_comes_nothing_of_the_shell_is_in_the_picture() {
    if Command::new("screen").arg("-v").stdout(Stdio::null()).status().is_err() {
        let _ = writeln!(std::io::stderr(), "skipped: there is no GNU screen here");
        return;
    }
    let store = Filled::new();
    let directory = store.path.parent().expect("a directory");
    let sockets = directory.join("sockets");
    std::fs::create_dir(&sockets).expect("make");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(&sockets, mode).expect("for its owner alone");
    let sockets = sockets.to_str().expect("a path of letters");
    let shell = ["-c", "/dev/null", "-S", "of-a-test", "bash", "--norc", "--noprofile"];
    let mut session = Session::start_with(directory, "screen", &shell, &[("SCREENDIR", sockets)]);
    // It may say who made it first.
    session.send("\r");
    session.send("for i in $(seq 22); do echo shelltext shelltext shelltext; done\r");
    session.wait_for("shelltext shelltext shelltext");
    session.send(&format!("'{TOPOI}' --store '{}'\r", store.path()));
    session.wait_for("Corpora 2");
    session.wait_for("novels");
    session.wait_until_gone("shelltext");
    session.send("q");
    session.wait_until_gone("Corpora 2");
    session.send("exit\r");
    session.exit_code();
}

#[test]
fn the_end_that_is_typed_is_seen_however_long_the_line() {
    let store = Filled::new();
    let long = "harbour vessel ".repeat(10);
    // Filter, search, palette, each in a session of its own; a query is wrapped.
    for (screen, shown, opens) in [("2", "terms", "/"), ("4", "queued", "F"), ("4", "queued", ":")]
    {
        let mut session = store.open();
        session.send(screen);
        session.wait_for(shown);
        session.send(opens);
        session.send(&format!("\x1b[200~{long}\x1b[201~"));
        session.send("ZEND");
        session.wait_for("ZEND");
    }
}
