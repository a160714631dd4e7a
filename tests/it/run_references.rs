//! Runs by name and by corpus, and what becomes of messages.

use crate::common::Home;

#[test]
fn a_run_is_found_by_its_number_its_name_and_as_the_latest_of_its_corpus() {
    let home = Home::with_subjects();
    home.fails(&["topics", "subjects@latest"]);
    home.succeeds(&["run", "subjects", "-k", "3", "--name", "three"]);
    home.succeeds(&["run", "subjects", "-k", "4"]);
    home.fails(&["run", "subjects", "-k", "100000"]);
    let topics = |run: &str| home.json(&["topics", run, "-o", "json"]);
    assert_eq!(topics("three"), topics("1"));
    assert_eq!(topics("subjects@latest"), topics("2"));
    home.fails(&["topics", "four"]);
    home.fails(&["topics", "nobody@latest"]);
    assert_eq!(home.succeeds(&["name", "2", "four"]), "run 2: four\n");
    assert_eq!(topics("four"), topics("2"));
    assert_eq!(home.succeeds(&["name", "four", ""]), "run 2 has no name\n");
    home.succeeds(&["name", "2", "three"]);
    home.fails(&["topics", "three"]);
    let store = home.store().to_string_lossy().into_owned();
    let elsewhere = ["--store", "missing.db", "topics", "three"];
    home.fails(&elsewhere);
    let same = home.json(&["topics", "subjects@latest", "-o", "json", "--store", &store]);
    assert_eq!(same, topics("2"));
}

#[test]
fn quiet_commands_say_nothing_and_the_log_has_it_with_the_time() {
    let home = Home::with_subjects();
    let log = home.path("topoi.log").to_string_lossy().into_owned();
    let run = ["run", "subjects", "-k", "3", "--terms", "60"];
    let said = home.said(&run);
    assert!(said.contains("warning: "), "{said}");
    let quiet = home.said(&[&run[..], &["--quiet", "--log", &log]].concat());
    let is_warning = |line: &str| line.starts_with("warning: ");
    assert!(!quiet.is_empty() && quiet.lines().all(is_warning), "{quiet}");
    let kept = std::fs::read_to_string(&log).expect("a log");
    for part in ["topoi run subjects -k 3", "warning: "] {
        assert!(kept.contains(part), "{part}: {kept}");
    }
    let time =
        |line: &str| line.len() > 20 && line.as_bytes()[10] == b'T' && line.as_bytes()[19] == b'Z';
    assert!(kept.lines().all(time), "{kept}");
    home.fails(&["--log", "/no/such/place", "runs"]);
}

#[test]
fn the_environment_stands_for_global_options() {
    let home = Home::with_subjects();
    let mut command = home.command(&["corpora"]);
    let log = home.path("of-environment.log");
    command.env("TOPOI_OUTPUT", "csv").env("TOPOI_LOG", &log).env("TOPOI_QUIET", "1");
    let output = command.output().expect("corpora");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("name,documents,"), "{output:?}");
    let log = std::fs::read_to_string(log).expect("a log");
    let lines: Vec<&str> = log.lines().collect();
    assert!(lines[0].ends_with("Z topoi corpora"), "{log}");
    assert!(lines[1].contains("Z ended after 0.") && lines.len() == 2, "{log}");
    let mut wrong = home.command(&["corpora"]);
    let output = wrong.env("TOPOI_OUTPUT", "xml").output().expect("corpora");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_store_is_compacted_after_runs_are_deleted_and_not_while_one_works() {
    let home = Home::with_subjects();
    for k in ["20", "21"] {
        home.succeeds(&["run", "subjects", "-k", k]);
    }
    home.succeeds(&["delete", "1", "--yes"]);
    let done = home.json(&["compact", "-o", "json"]);
    let bytes = |name: &str| done[name].as_u64().expect("bytes");
    assert!(bytes("bytes_after") < bytes("bytes_before"), "{done}");
    let copy = home.path("copy.db");
    home.succeeds(&["backup", &copy.to_string_lossy()]);
    let of_copy = std::fs::metadata(&copy).expect("a copy").len();
    assert!(of_copy <= bytes("bytes_after"), "{of_copy} {done}");
    home.succeeds(&["check"]);
    home.succeeds(&["verify", "2"]);
    home.succeeds(&["run", "subjects", "-k", "8", "--iterations", "10000", "--detach"]);
    home.wait_for("SELECT pid FROM run_lease WHERE run_id = 3");
    home.fails(&["compact"]);
    home.succeeds(&["cancel", "3"]);
}
