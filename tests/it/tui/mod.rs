//! The real workbench in a real terminal.

mod again;
mod filled_store;
mod hostile;
mod jobs;
mod modes;
mod prompt;
mod pty;
mod shaping;
mod sharing;
mod terminals;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use pty::{Session, within};
use tempfile::TempDir;
use topoi_store::id::RunId;
use topoi_store::run::run_lock::RunLock;
use topoi_store::{Access, Store};

const TOPOI: &str = env!("CARGO_BIN_EXE_topoi");

/// A store with something on every screen.
struct Filled {
    _directory: TempDir,
    path: PathBuf,
    _run_3: RunLock,
}

impl Filled {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("topoi.db");
        let lock = filled_store::fill(&path);
        Self { _directory: directory, path, _run_3: lock }
    }

    fn path(&self) -> &str {
        self.path.to_str().expect("a path of letters")
    }

    fn open(&self) -> Session {
        let session = Session::start(TOPOI, &["--store", self.path()]);
        session.wait_for("Corpora 2");
        session.wait_for("novels");
        session
    }
}

#[test]
fn corpora_documents_runs_and_topics_are_a_key_apart_and_q_leaves() {
    let store = Filled::new();
    let mut session = store.open();
    assert!(session.is_on_alternate_screen());
    session.send("\r");
    session.wait_for("nips: 450 documents");
    session.wait_for("Kernel methods and spiking");
    session.send("G");
    session.wait_for("450 of 450");
    session.send("4");
    session.wait_for("rectify");
    session.wait_for("losing the connection stops no run");
    session.send("G");
    session.wait_for("relative to the K-th eigenvalue");
    session.send("\r");
    session.wait_for("most probable words first");
    session.send("q");
    session.wait_for("Runs 4");
    session.send("q");
    session.wait_for("Corpora 2");
    session.send("q");
    assert_eq!(session.exit_code(), 0);
    assert!(!session.is_on_alternate_screen(), "the terminal is given back");
    assert!(!session.is_cursor_hidden());
}

#[test]
fn a_topic_is_named_and_its_name_stands_beside_its_match() {
    let store = Filled::new();
    filled_store::finished_run(&mut Store::open(&store.path, Access::Create).expect("open"));
    let mut session = store.open();
    session.send("4");
    session.wait_for("Runs 5");
    session.send("\r");
    session.wait_for("Topics 4");
    session.send("jLneurons\r");
    session.wait_for("topic 1 of run 5 is called \"neurons\"");
    session.wait_for("topic 1 \"neurons\"");
    session.send("m");
    session.wait_for("hull of the anchors");
    session.wait_for("neurons\u{25cf}");
    session.send("B");
    session.wait_for("times chance");
    session.send("I");
    session.wait_for("Settings and stages");
    session.send("w");
    session.wait_for("About it");
    session.send("\r");
    session.wait_for("Documents most about topic 1 \"neurons\"");
    session.wait_for("Kernel methods and spiking neurons, part");
    session.send("\r");
    session.wait_for("Topics of its words by run 5");
    session.send("\x7f");
    session.wait_for("Documents most about topic 1 \"neurons\"");
    // The newest run is marked first, then the one at the bottom of the list.
    session.send("4");
    session.wait_for("Runs 5");
    session.send("gg Gk");
    session.send("j c");
    session.wait_for("run 5 (k 4) with run 1 (k 4)");
    session.wait_for("4 pairs alike, mean cosine 1.00; 24 shared terms");
    session.send("j");
    session.wait_for("\u{201c}neurons\u{201d} in run 5; run 1 has no name for it");
    session.send("I");
    session.wait_for("better than all others by more than the noise");
    session.send("7");
    session.wait_for("which K to look at first");
    session.send("]");
    session.wait_for("Metrics of 2 runs by K");
    session.send("\x03\x03");
    assert_eq!(session.exit_code(), 0);
}

#[test]
fn a_queued_run_is_noted() {
    let store = Filled::new();
    let mut session = store.open();
    session.send("4");
    session.wait_for("Runs 4");
    session.send("N");
    session.wait_for("Note on run 4");
    session.send("\x1b[200~for the paper\x1b[201~\r");
    session.wait_for("is saved");
    session.wait_for("for the paper");
}

#[test]
fn progress_of_another_process_appears_by_itself() {
    let store = Filled::new();
    let mut session = store.open();
    session.send("4");
    session.wait_for("58%");
    let mut writer = Store::open(&store.path, Access::Create).expect("open");
    filled_store::progress(&mut writer, RunId(3), 45);
    session.wait_for("90%");
    session.send("q");
    session.wait_for("Corpora 2");
    session.send("q");
    assert_eq!(session.exit_code(), 0);
}

#[test]
fn a_terminal_made_small_says_so_and_is_drawn_again_when_large() {
    let store = Filled::new();
    let mut session = store.open();
    session.resize(20, 5);
    session.wait_for("20x5 is too small");
    session.resize(80, 24);
    session.wait_for("novels");
    session.send("q");
    assert_eq!(session.exit_code(), 0);
}

#[test]
fn a_filter_counts_and_esc_clears_it() {
    let store = Filled::new();
    let mut session = store.open();
    session.send("2/part 45");
    session.wait_for("2 of 450 match");
    session.send("\x1b");
    session.wait_for("1 of 450");
    session.send("\x03\x03");
    assert_eq!(session.exit_code(), 0);
}

#[test]
fn a_cancelled_run_says_so_after_a_question() {
    let store = Filled::new();
    let mut session = store.open();
    session.send("4");
    session.wait_for("losing the connection stops no run");
    session.send("x");
    session.wait_for("Cancel run 4?");
    session.send("y");
    session.wait_for("cancelled");
    session.send("qq");
    assert_eq!(session.exit_code(), 0);
}

#[test]
fn sigterm_gives_the_terminal_back_and_exits_143() {
    let store = Filled::new();
    let mut session = store.open();
    let process = rustix::process::Pid::from_raw(session.process() as i32).expect("a process");
    rustix::process::kill_process(process, rustix::process::Signal::TERM).expect("kill");
    assert_eq!(session.exit_code(), 143);
    assert!(!session.is_on_alternate_screen() && !session.is_cursor_hidden());
}

#[test]
fn a_terminal_that_vanishes_ends_the_workbench_even_with_sighup_ignored() {
    let store = Filled::new();
    let code_file = store.path.with_extension("code");
    let script = format!(
        "trap '' HUP; '{TOPOI}' --store '{}'; echo $? > '{}'",
        store.path(),
        code_file.display()
    );
    let session = Session::start("sh", &["-c", &script]);
    session.wait_for("novels");
    let start = Instant::now();
    session.hang_up();
    let code = within(Duration::from_secs(10), || {
        std::fs::read_to_string(&code_file).ok().filter(|text| text.ends_with('\n'))
    });
    assert_eq!(code.as_deref(), Some("129\n"));
    assert!(start.elapsed() < Duration::from_millis(1500), "{:?}", start.elapsed());
}

#[test]
fn without_a_terminal_no_escape_reaches_standard_output() {
    let store = Filled::new();
    let output = std::process::Command::new(TOPOI)
        .args(["--store", store.path()])
        .stdin(std::process::Stdio::null())
        .output()
        .expect("run");
    assert_eq!(output.status.code(), Some(2));
    assert!(!output.stdout.contains(&0x1b));
}
