//! What the program makes of where it is started: no home, process 1 of a container, signals.

use std::process::{Command, Output, Stdio};

use crate::common::{Home, check_failure};

fn without_home(home: &Home, arguments: &[&str], set: &[(&str, &str)]) -> Output {
    let mut command = home.command(arguments);
    let folder = home.path("empty");
    std::fs::create_dir_all(&folder).expect("a folder");
    command.current_dir(folder).env_remove("HOME").env_remove("XDG_DATA_HOME");
    command.envs(set.iter().copied()).output().expect("run")
}

#[test]
fn without_a_home_no_store_is_made_in_the_working_directory() {
    let home = Home::new();
    let file = home.file("a.txt", b"stars and planets of the sky\n");
    for set in [
        &[][..],
        &[("HOME", "")],
        &[("HOME", "relative")],
        &[("XDG_DATA_HOME", "relative")],
        &[("XDG_DATA_HOME", ""), ("XDG_CONFIG_HOME", "config"), ("XDG_STATE_HOME", "state")],
    ] {
        for arguments in [&["ingest", "c", &file][..], &["corpora"], &["demo"], &["check"]] {
            check_failure(&without_home(&home, arguments, set), "--store PATH or TOPOI_STORE");
        }
        let made = std::fs::read_dir(home.path("empty")).expect("the folder").count();
        assert_eq!(made, 0, "{set:?}");
    }
    // What needs no store needs no home, and a store that is named no other.
    for arguments in [&["stop-words"][..], &["man"], &["completions", "bash"], &["config"]] {
        let output = without_home(&home, arguments, &[]);
        assert!(output.status.success(), "{arguments:?}");
    }
    let named = home.path("named.db").to_string_lossy().into_owned();
    let output = without_home(&home, &["ingest", "c", &file], &[("TOPOI_STORE", &named)]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = without_home(&home, &["--store", &named, "corpora"], &[]);
    assert!(output.status.success());
    let data = home.path("absolute").to_string_lossy().into_owned();
    let set = [("HOME", "relative"), ("XDG_DATA_HOME", data.as_str())];
    assert!(without_home(&home, &["ingest", "c", &file], &set).status.success());
    assert!(home.path("absolute/topoi/topoi.db").exists());
}

const ENDLESS: [&str; 6] = ["run", "subjects", "-k", "8", "--iterations", "10000"];

#[test]
fn sigterm_ends_the_command_and_says_that_its_run_continues() {
    let home = Home::with_subjects();
    let front = home.command(&ENDLESS).stderr(Stdio::piped()).spawn().expect("spawn");
    home.wait_for("SELECT pid FROM run_lease WHERE run_id = 1");
    let killed = Command::new("kill").arg(front.id().to_string()).status().expect("kill");
    assert!(killed.success());
    let output = front.wait_with_output().expect("its end");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&output.status), Some(15), "{error}");
    home.keeps(&error);
    assert!(home.succeeds(&["runs"]).contains("running"));
    home.succeeds(&["cancel", "1"]);
    home.wait_for("SELECT 1 FROM run WHERE status = 'cancelled'");
}

/// The program as process 1; `None` where the system lets nobody make a space of processes.
fn as_process_one(home: &Home, arguments: &[&str]) -> Option<Command> {
    let space = ["-U", "-r", "-p", "-f", "--mount-proc"];
    let may = Command::new("unshare").args(space).arg("true").output();
    if !may.is_ok_and(|output| output.status.success()) {
        return None;
    }
    let mut command = home.command(&[]);
    let settings: Vec<_> = command
        .get_envs()
        .map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned)))
        .collect();
    command = Command::new("unshare");
    for (name, value) in settings {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.args(space).arg("--kill-child").arg(Home::program()).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Some(command)
}

/// Sends SIGTERM to what is process 1 in the space that `unshare`, process `outside`, has made.
fn terminate(outside: u32) {
    let children = format!("/proc/{outside}/task/{outside}/children");
    let child = std::fs::read_to_string(children).expect("its children");
    let killed = Command::new("kill").arg(child.trim()).status().expect("kill");
    assert!(killed.success());
}

#[test]
fn process_one_ends_with_sigterm_and_its_run_is_interrupted_and_resumes() {
    let home = Home::with_subjects();
    let Some(mut command) = as_process_one(&home, &ENDLESS) else { return };
    let front = command.spawn().expect("spawn");
    home.wait_for("SELECT pid FROM run_lease WHERE run_id = 1");
    terminate(front.id());
    let output = front.wait_with_output().expect("its end");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(143), "{error}");
    assert!(
        error.contains("SIGTERM ends run 1 as interrupted; `topoi resume 1` continues"),
        "{error}"
    );
    assert_eq!(home.wait_for("SELECT status FROM run WHERE status <> 'running'"), "interrupted");
    let query =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
    let endless = ["sql", query, "--limit-seconds", "0"];
    let front = as_process_one(&home, &endless).expect("a space").spawn().expect("spawn");
    home.wait_until("it has a child", || {
        let children = format!("/proc/{0}/task/{0}/children", front.id());
        let one = std::fs::read_to_string(children).unwrap_or_default();
        let one = one.trim();
        let its = std::fs::read_to_string(format!("/proc/{one}/task/{one}/children"));
        its.is_ok_and(|children| !children.trim().is_empty())
    });
    terminate(front.id());
    let output = front.wait_with_output().expect("its end");
    assert_eq!(output.status.code(), Some(143));
}

#[test]
fn process_one_returns_what_its_command_returns() {
    let home = Home::with_subjects();
    let Some(mut command) = as_process_one(&home, &["corpora"]) else { return };
    let output = command.output().expect("run");
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("subjects"));
    let output = as_process_one(&home, &["topics", "7"]).expect("a space").output().expect("run");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no run 7"));
    let output = as_process_one(&home, &["no-such-thing"]).expect("a space").output().expect("run");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn too_little_address_space_is_said_before_anything_is_done() {
    let home = Home::with_subjects();
    let file = home.file("a.txt", b"stars and planets of the sky\n");
    for arguments in [&["ingest", "c", &file][..], &["run", "subjects", "-k", "4"], &["corpora"]] {
        // With less the system does not load an MPI library.
        let least = if cfg!(feature = "mpi") { 100_000 } else { 80_000 };
        for kilobytes in [least, 120_000, 190_000] {
            let own = home.command(arguments);
            let mut command = Command::new("sh");
            command.arg("-c").arg(format!("ulimit -v {kilobytes} && exec \"$@\"")).arg("sh");
            command.arg(own.get_program()).args(own.get_args());
            for (name, value) in own.get_envs() {
                match value {
                    Some(value) => command.env(name, value),
                    None => command.env_remove(name),
                };
            }
            check_failure(&command.output().expect("run"), "`ulimit -v` leaves this process");
        }
    }
    assert_eq!(home.json(&["runs", "-o", "json"]).as_array().map(Vec::len), Some(0));
}
