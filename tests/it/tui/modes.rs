//! What the workbench asks of the terminal and gives back: the mouse, the colour of its background, and
//! the configuration that says otherwise.

use std::fs;

use super::pty::Session;
use super::{Filled, TOPOI};

const MOUSE_ON: &[u8] = b"\x1b[?1000h";
const MOUSE_OFF: &[u8] = b"\x1b[?1000l";
/// What the background is asked with.
const QUESTION: &[u8] = b"\x1b]11;?";
/// Dark blue, of which rules are on light backgrounds of 16 colours, and bright blue.
const ON_LIGHT: &[u8] = b"34m";
const ON_DARK: &[u8] = b"94m";

fn holds(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

fn last(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).rposition(|window| window == wanted)
}

#[test]
fn the_mouse_selects_rows_and_is_given_back() {
    let store = Filled::new();
    let mut session = store.open();
    session.wait_for_bytes(MOUSE_ON);
    // The second row of the list: a press and a release at column 5, row 5, both counted from 1.
    session.send("\x1b[<0;5;5M\x1b[<0;5;5m");
    session.wait_for("2 of 2");
    session.send("\x1b[<64;5;5M");
    session.wait_for("1 of 2");
    session.send("\x03\x03");
    assert_eq!(session.exit_code(), 0);
    let written = session.written();
    assert!(last(&written, MOUSE_OFF) > last(&written, MOUSE_ON));
}

#[test]
fn the_mouse_is_given_back_to_a_shell_and_when_the_program_is_ended() {
    let store = Filled::new();
    let mut session = store.open();
    session.wait_for_bytes(MOUSE_ON);
    let process = rustix::process::Pid::from_raw(session.process() as i32).expect("a process");
    rustix::process::kill_process(process, rustix::process::Signal::TERM).expect("kill");
    assert_eq!(session.exit_code(), 143);
    let written = session.written();
    assert!(last(&written, MOUSE_OFF) > last(&written, MOUSE_ON));
}

#[test]
fn without_the_mouse_the_terminal_keeps_it() {
    let store = Filled::new();
    let mut session = Session::start(TOPOI, &["--no-mouse", "--store", store.path()]);
    session.wait_for("novels");
    session.send("q");
    assert_eq!(session.exit_code(), 0);
    assert!(!holds(&session.written(), MOUSE_ON));
}

#[test]
fn a_light_terminal_that_says_so_gets_dark_colours_and_its_answer_is_no_keys() {
    let store = Filled::new();
    let mut session = Session::start(TOPOI, &["--store", store.path()]);
    session.wait_for_bytes(QUESTION);
    session.send("?\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;22c");
    session.wait_for("Keys on Corpora");
    session.wait_for_bytes(ON_LIGHT);
    session.send("qq");
    assert_eq!(session.exit_code(), 0);
}

#[test]
fn an_answer_that_comes_late_changes_the_colours_and_is_no_keys() {
    let store = Filled::new();
    let mut session = Session::start(TOPOI, &["--store", store.path()]);
    // Only when the first picture is there, in the colours for dark, is the answer late.
    session.wait_for_bytes(ON_DARK);
    session.wait_for("novels");
    session.send("\x1b]11;rgb:ffff/ffff/ffff\x1b\\");
    session.wait_for_bytes(ON_LIGHT);
    session.send("j");
    session.wait_for("2 of 2");
    assert!(!session.contents().contains("does nothing here"), "{}", session.contents());
    session.send("q");
    assert_eq!(session.exit_code(), 0);
}

#[test]
fn a_configuration_holds_and_its_mistakes_are_told_and_stop_nothing() {
    let store = Filled::new();
    let directory = store.path.parent().expect("a directory");
    fs::create_dir_all(directory.join("config/topoi")).expect("make");
    let text = "theme = \"light\"\nmouse = false\ncolour = 3\n[keys]\nbottom = \"b\"\n";
    fs::write(directory.join("config/topoi/config.toml"), text).expect("write");
    let mut session = Session::start_in(directory, TOPOI, &["--store", store.path()]);
    session.wait_for("config.toml, line 3: there is no setting");
    session.wait_for("novels");
    session.send("b");
    session.wait_for("2 of 2");
    session.send("q");
    assert_eq!(session.exit_code(), 0);
    let written = session.written();
    assert!(holds(&written, ON_LIGHT) && !holds(&written, QUESTION) && !holds(&written, MOUSE_ON));
}
