//! Runs wait for their turn, start by themselves, and can be stopped where they are.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::common::Home;

/// A run that never ends by itself.
const ENDLESS: &[&str] =
    &["run", "subjects", "-k", "8", "--iterations", "10000", "--tolerance", "1e-12", "--detach"];
const SHORT: &[&str] = &["run", "subjects", "-k", "3", "--detach"];

fn status(home: &Home, run: u32) -> String {
    home.wait_for(&format!("SELECT status FROM run WHERE id = {run}"))
}

fn wait_for_status(home: &Home, run: u32, wanted: &str) {
    home.wait_until(wanted, || status(home, run) == wanted);
}

fn worker_of(home: &Home, run: u32) -> String {
    home.wait_for(&format!("SELECT pid FROM run_lease WHERE run_id = {run}"))
}

fn signal(pid: &str, name: &str) {
    assert!(Command::new("kill").args([name, pid]).status().expect("kill").success());
}

fn start(home: &Home, arguments: &[&str]) -> Child {
    let mut command = home.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("start")
}

#[test]
fn runs_work_one_after_the_other_in_the_order_they_were_asked_for() {
    let home = Home::with_subjects();
    home.succeeds(ENDLESS);
    wait_for_status(&home, 1, "running");
    for _ in 0..2 {
        home.succeeds(SHORT);
    }
    let text = home.succeeds(SHORT);
    home.keeps(&text);
    let queue = home.json(&["queue", "-o", "json"]);
    assert_eq!(queue["at_once"], 1);
    let row = |at: usize| (queue["runs"][at]["run"].as_u64(), queue["runs"][at]["status"].as_str());
    assert_eq!(row(0), (Some(1), Some("running")));
    assert_eq!(row(3), (Some(4), Some("queued")));
    home.succeeds(&["cancel", "3"]);
    assert_eq!(status(&home, 3), "cancelled");
    home.succeeds(&["cancel", "1"]);
    // Nothing is said to the others: the worker that ends has the next one started.
    wait_for_status(&home, 4, "finished");
    assert_eq!(status(&home, 2), "finished");
    let order = home.wait_for(
        "SELECT group_concat(id, ' ') FROM (SELECT id FROM run \
                               WHERE status = 'finished' ORDER BY started_at)",
    );
    assert_eq!(order, "2 4");
    assert!(
        home.succeeds(&["queue"])
            .contains("no run is running or queued; at most 1 at the same time")
    );
    assert!(home.succeeds(&["queue", "-o", "csv"]).starts_with("run,corpus,"));
}

#[test]
fn as_many_runs_work_at_once_as_the_store_says() {
    let home = Home::with_subjects();
    for _ in 0..3 {
        home.succeeds(ENDLESS);
    }
    wait_for_status(&home, 1, "running");
    assert_eq!(status(&home, 2), "queued");
    home.succeeds(&["queue", "--at-once", "2"]);
    wait_for_status(&home, 2, "running");
    assert_eq!(status(&home, 3), "queued");
    for run in ["1", "2", "3"] {
        home.succeeds(&["cancel", run]);
    }
    let none = "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM run WHERE status <> 'cancelled')";
    home.wait_for(none);
    assert_eq!(
        home.command(&["queue", "--at-once", "0"]).output().expect("run").status.code(),
        Some(2)
    );
}

#[test]
fn the_place_of_a_killed_worker_is_given_to_the_next_run_by_whoever_looks() {
    let home = Home::with_subjects();
    home.succeeds(ENDLESS);
    home.succeeds(SHORT);
    signal(&worker_of(&home, 1), "-9");
    home.wait_until("the first run is listed as interrupted", || {
        home.succeeds(&["runs"]).contains("interrupted")
    });
    wait_for_status(&home, 2, "finished");
    // A resumed run goes to the end of the queue and starts by itself.
    home.succeeds(ENDLESS);
    wait_for_status(&home, 3, "running");
    let text = home.succeeds(&["resume", "1", "--detach"]);
    home.keeps(&text);
    home.succeeds(&["cancel", "3"]);
    wait_for_status(&home, 1, "running");
    home.succeeds(&["cancel", "1"]);
    wait_for_status(&home, 1, "cancelled");
}

#[test]
fn a_run_that_is_followed_says_what_it_waits_behind_and_gets_its_turn() {
    let home = Home::with_subjects();
    home.succeeds(ENDLESS);
    wait_for_status(&home, 1, "running");
    let mut waiting = start(&home, &["run", "subjects", "-k", "3", "-o", "json"]);
    let mut said = String::new();
    let mut stderr = BufReader::new(waiting.stderr.take().expect("stderr"));
    stderr.read_line(&mut said).expect("a line");
    assert_eq!(said, "run 2 waits behind run 1\n");
    // Killed, not cancelled: the one that waits is the one that looks.
    signal(&worker_of(&home, 1), "-9");
    let output = waiting.wait_with_output().expect("run");
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"status\": \"finished\""));
}

#[test]
fn ctrl_c_cancels_a_run_that_is_followed_and_leaves_one_that_is_watched_alone() {
    let home = Home::with_subjects();
    let attached = &ENDLESS[..ENDLESS.len() - 1];
    let run = start(&home, attached);
    wait_for_status(&home, 1, "running");
    let watch = start(&home, &["watch", "1"]);
    // Its own notice of a Ctrl-C is set before it looks at the store the first time.
    home.wait_for("SELECT step FROM run_progress WHERE run_id = 1 AND step > 5");
    home.wait_until("the watcher handles the signal", || catches_sigint(watch.id()));
    signal(&watch.id().to_string(), "-INT");
    let output = watch.wait_with_output().expect("watch");
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).contains("run 1 continues"));
    assert_eq!(status(&home, 1), "running");
    signal(&run.id().to_string(), "-INT");
    let output = run.wait_with_output().expect("run");
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(status(&home, 1), "cancelled");
    let queued = start(&home, attached);
    wait_for_status(&home, 2, "running");
    let behind = start(&home, attached);
    home.wait_for("SELECT 1 FROM run WHERE id = 3");
    home.wait_until("it handles the signal", || catches_sigint(behind.id()));
    signal(&behind.id().to_string(), "-INT");
    assert_eq!(behind.wait_with_output().expect("run").status.code(), Some(130));
    assert_eq!(status(&home, 3), "cancelled");
    assert_eq!(status(&home, 2), "running");
    signal(&queued.id().to_string(), "-INT");
    assert_eq!(queued.wait_with_output().expect("run").status.code(), Some(130));
}

/// Whether a process has a handler for SIGINT.
fn catches_sigint(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask & 2 != 0)
}

#[test]
fn a_run_of_a_host_that_is_gone_is_cancelled_and_resumed() {
    let home = Home::with_subjects();
    home.succeeds(ENDLESS);
    wait_for_status(&home, 1, "running");
    signal(&worker_of(&home, 1), "-KILL");
    home.wait_until("the worker is gone", || home.succeeds(&["runs"]).contains("interrupted"));
    // As another host would have left it.
    home.succeeds(&["sql", "--write", "UPDATE run SET status = 'running' WHERE id = 1"]);
    home.succeeds(&["sql", "--write", "UPDATE run_lease SET host = 'elsewhere' WHERE run_id = 1"]);
    assert!(home.succeeds(&["runs"]).contains("other host"));
    home.fails(&["resume", "1", "--detach"]);
    home.succeeds(&["cancel", "1"]);
    home.succeeds(&["resume", "1", "--detach"]);
    wait_for_status(&home, 1, "running");
    home.succeeds(&["cancel", "1"]);
    wait_for_status(&home, 1, "cancelled");
}
