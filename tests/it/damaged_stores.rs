//! A store from elsewhere can hold anything. Whatever it holds, a command ends within seconds, with a
//! right answer or one line, and what reads does not write.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::common::{Home, check_failure};
use crate::every_command::{READING, WRITING, arguments, with_a_bit_of_everything};

/// Every damage: its name, the SQL that does it, and what `check` says: one of several words, or `sound`
/// where the rows are what a run can leave.
const DAMAGES: &str = include_str!("../data/damages.tsv");

/// Seconds of processor time a command may take, many times what the slowest takes on so small a store.
const MOST_WORK: u32 = 10;
/// How long one may wait, however busy the machine is.
const DEADLINE: Duration = Duration::from_secs(60);
/// A command is tried on one damage in so many, each on others, or on all with `TOPOI_EVERY_DAMAGE=1`.
const SHARE: usize = 8;

fn is_tried(damage: usize, command: usize) -> bool {
    (damage + command).is_multiple_of(SHARE) || std::env::var_os("TOPOI_EVERY_DAMAGE").is_some()
}

/// Runs the program to its end, which the system brings about after too much work; `None` when it does not
/// come to one.
fn ended(command: &Command) -> Option<Output> {
    let script = format!("ulimit -t {MOST_WORK} && exec \"$0\" \"$@\"");
    let mut limited = Command::new("sh");
    limited.args(["-c", &script]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    let child = limited
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("start");
    let id = child.id();
    let (send, end) = std::sync::mpsc::channel();
    let waiting = std::thread::spawn(move || send.send(child.wait_with_output().expect("wait")));
    let output = end.recv_timeout(DEADLINE).ok();
    if output.is_none() {
        let killed = Command::new("kill").args(["-9", &id.to_string()]).status();
        killed.expect("kill");
    }
    let _ = waiting.join();
    output
}

fn has_answer(output: &Output) -> bool {
    let told = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    told.iter().any(|text| text.contains("is not the same: "))
}

/// What is wrong with how a command ended.
fn complaint(home: &Home, line: &str, store: &Path, number: usize) -> Option<String> {
    let arguments = arguments(home, line, &store.to_string_lossy(), "subjects", number);
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let begun = Instant::now();
    let Some(output) = ended(&home.command(&words)) else {
        return Some(format!("{line}: did not end in {DEADLINE:?}"));
    };
    let error = String::from_utf8_lossy(&output.stderr);
    let log = store.with_extension("db.runs").join("worker.log");
    let log = std::fs::read_to_string(log).unwrap_or_default();
    let told = error.lines().filter(|line| line.starts_with("error: ")).count();
    let is_sound = match output.status.code() {
        Some(0) => true,
        // What `verify` is asked.
        Some(1) if has_answer(&output) => true,
        // A repair says first where the copy is.
        Some(1 | 2) => {
            let lines = 1 + usize::from(line.ends_with("--repair"));
            told == 1 && (output.stdout.is_empty() || error.lines().count() <= lines)
        }
        _ => false,
    };
    let has_bug =
        ["panicked", "a bug in topoi", "overflow"].iter().any(|word| error.contains(word));
    let is_in_log = log.contains("panicked");
    (!is_sound || has_bug || is_in_log).then(|| {
        let code = output.status;
        format!("{line}: {code} after {:?}\n{error}{log}", begun.elapsed())
    })
}

/// A copy of the home's store to which `sql` was done.
fn damaged(home: &Home, number: usize, sql: &str) -> std::path::PathBuf {
    let copy = home.path(&format!("damaged-{number}.db"));
    std::fs::copy(home.store(), &copy).expect("copy");
    let connection = Connection::open(&copy).expect("open");
    let before = "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON";
    connection.execute_batch(before).expect("pragmas");
    assert!(connection.execute(sql, []).expect(sql) > 0, "nothing was damaged: {sql}");
    checkpoint(&connection);
    copy
}

fn checkpoint(connection: &Connection) {
    let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
    connection.query_row(sql, [], |_| Ok(())).expect("checkpoint");
}

/// What commands do wrong on a store to which `sql` was done; `says` is what `check` must say.
fn complaints(home: &Home, number: usize, sql: &str, says: &str) -> Vec<String> {
    let copy = damaged(home, number, sql);
    let before = std::fs::read(&copy).expect("read");
    let mut found = Vec::new();
    for (at, line) in READING.iter().enumerate().filter(|(at, _)| is_tried(number, *at)) {
        found.extend(complaint(home, line, &copy, 1000 * number + at));
        if std::fs::read(&copy).expect("read") != before {
            found.push(format!("{line}: it reads, and it wrote"));
        }
    }
    let store = copy.to_string_lossy();
    let output = home.command(&["--store", &store, "check"]).output().expect("check");
    let told = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    if !says.split('|').any(|words| told.contains(words)) {
        found.push(format!("check does not say {says:?}:\n{told}"));
    }
    for (at, line) in WRITING.iter().enumerate().filter(|(at, _)| is_tried(number, *at)) {
        let own = home.path(&format!("written-{number}-{at}.db"));
        std::fs::copy(&copy, &own).expect("copy");
        found.extend(complaint(home, line, &own, 1000 * number + 500 + at));
    }
    found
}

#[test]
fn no_damage_makes_a_command_panic_hang_or_write_and_check_names_each() {
    let home = with_a_bit_of_everything();
    checkpoint(&Connection::open(home.store()).expect("open"));
    let damages: Vec<Vec<&str>> = DAMAGES.lines().map(|line| line.split('\t').collect()).collect();
    let mut found = Vec::new();
    for (number, damage) in damages.iter().enumerate() {
        let [name, sql, says] = damage[..] else { panic!("{damage:?} is no damage") };
        let complaints = complaints(&home, number, sql, says);
        found.extend(complaints.into_iter().map(|what| format!("{name}: {what}")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A view in the place of one of ours that never ends, one that is enormous, a trigger that writes.
const FOREIGN: [&str; 4] = [
    "DROP VIEW triple; CREATE VIEW triple (document_id, term_id, count) AS WITH RECURSIVE n (i) AS \
     (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i, i FROM n",
    "DROP TABLE setting; CREATE VIEW setting AS SELECT 'at_once' AS name, count(*) AS value FROM \
     term AS a, term AS b, term AS c, term AS d",
    "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM corpus; END",
    "DROP TABLE run_warning",
];

#[test]
fn no_command_does_anything_with_a_store_whose_schema_is_not_ours() {
    let home = with_a_bit_of_everything();
    for (number, sql) in FOREIGN.iter().enumerate() {
        let copy = home.path(&format!("foreign-{number}.db"));
        std::fs::copy(home.store(), &copy).expect("copy");
        let connection = Connection::open(&copy).expect("open");
        connection.execute_batch(sql).expect(sql);
        checkpoint(&connection);
        drop(connection);
        let before = std::fs::read(&copy).expect("read");
        let lines = READING.iter().chain(WRITING).enumerate();
        for (at, line) in lines.filter(|(at, _)| is_tried(2 * number, *at)) {
            let number = 1000 * number + at;
            let arguments = arguments(&home, line, &copy.to_string_lossy(), "subjects", number);
            let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let refused = check_failure(&home.command(&words).output().expect("run"), "");
            home.keeps(&refused);
            assert!(std::fs::read(&copy).expect("read") == before, "{line} wrote");
        }
    }
}
