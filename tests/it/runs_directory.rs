//! The folder of locks and logs beside a store: whose it is, and who may read what is in it.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::common::Home;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).mode() & 0o777
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

#[test]
fn a_new_store_and_what_stands_beside_it_are_for_their_owner_alone() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "3"]);
    let store = home.store();
    let folder = home.path("data/topoi/topoi.db.runs");
    assert_eq!((mode(&store), mode(&folder)), (0o600, 0o700));
    for file in ["1.lock", "1.log", "worker.log", "slot-1.lock", "ingest-1.lock"] {
        assert_eq!(mode(&folder.join(file)), 0o600, "{file}");
    }
    // A group that shares it: the permissions of the store are those of all the rest.
    fs::set_permissions(&store, Permissions::from_mode(0o660)).expect("chmod");
    home.succeeds(&["run", "subjects", "-k", "4"]);
    assert_eq!((mode(&store), mode(&folder)), (0o660, 0o770));
    assert_eq!(mode(&folder.join("2.log")), 0o660);
    assert_eq!(mode(&folder.join("worker.log")), 0o660);
}

#[test]
fn in_a_folder_of_a_group_locks_and_logs_are_for_the_group_from_the_beginning() {
    let home = Home::new();
    let lines = home.file("a.txt", b"one two\nthree four\n");
    let folder = home.path("shared");
    fs::create_dir(&folder).expect("folder");
    fs::set_permissions(&folder, Permissions::from_mode(0o2770)).expect("chmod");
    let store = folder.join("t.db").to_string_lossy().into_owned();
    home.succeeds(&["--store", &store, "ingest", "c", &lines]);
    assert_eq!(mode(Path::new(&store)), 0o600);
    let runs = folder.join("t.db.runs");
    assert_eq!((mode(&runs), mode(&runs.join("ingest-1.lock"))), (0o770, 0o660));
}

#[test]
fn what_was_made_before_a_store_was_shared_is_shared_by_its_owners_next_command_that_writes() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "3"]);
    let runs = home.path("data/topoi/topoi.db.runs");
    fs::set_permissions(home.store(), Permissions::from_mode(0o660)).expect("chmod");
    home.succeeds(&["run", "subjects", "-k", "2"]);
    for file in ["1.lock", "1.log", "worker.log", "slot-1.lock", "ingest-1.lock"] {
        assert_eq!((mode(&runs), mode(&runs.join(file))), (0o770, 0o660), "{file}");
    }
}

#[test]
fn a_run_that_no_worker_can_be_started_for_is_not_left_in_the_queue() {
    let home = Home::with_subjects();
    let log = home.path("data/topoi/topoi.db.runs/worker.log");
    fs::create_dir_all(&log).expect("a folder in its place");
    for _ in 0..2 {
        home.fails(&["run", "subjects", "-k", "3"]);
    }
    assert_eq!(home.wait_for("SELECT count(*) FROM run"), "0");
}

#[test]
fn an_empty_file_that_is_made_first_keeps_its_permissions_as_a_store() {
    let home = Home::new();
    let path = home.file("shared.db", b"");
    fs::set_permissions(&path, Permissions::from_mode(0o640)).expect("chmod");
    let lines = home.file("a.txt", b"one two\nthree four\n");
    home.succeeds(&["--store", &path, "ingest", "c", &lines]);
    assert_eq!(mode(Path::new(&path)), 0o640);
    assert_eq!(mode(&home.path("shared.db.runs")), 0o750);
}

#[test]
fn links_and_pipes_in_the_place_of_logs_and_locks_are_refused_and_left_alone() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "3"]);
    let folder = home.path("data/topoi/topoi.db.runs");
    let precious = home.path("precious");
    fs::write(&precious, "as it was").expect("write");
    let run = ["run", "subjects", "-k", "4", "--detach"];
    let worker_log = folder.join("worker.log");
    for make in [
        (|at, precious| symlink(precious, at).expect("symlink")) as fn(&Path, &Path),
        |at, precious| fs::hard_link(precious, at).expect("hard link"),
        |at, _| fifo(at),
        |at, _| fs::create_dir(at).expect("folder"),
    ] {
        let _ = fs::remove_file(&worker_log);
        make(&worker_log, &precious);
        home.fails(&run);
        // The list does not need it.
        assert!(home.succeeds(&["runs"]).contains("finished"));
    }
    fs::remove_dir(&worker_log).expect("folder");
    for name in ["1.log", "1.lock"] {
        fs::remove_file(folder.join(name)).expect("remove");
        symlink(&precious, folder.join(name)).expect("symlink");
    }
    home.fails(&["log", "1"]);
    home.fails(&["delete", "1", "--yes"]);
    assert_eq!(fs::read_to_string(&precious).expect("read"), "as it was");
}

#[test]
fn a_folder_of_locks_that_is_a_link_is_not_followed() {
    let home = Home::with_subjects();
    let folder = home.path("data/topoi/topoi.db.runs");
    fs::remove_dir_all(&folder).expect("remove");
    let elsewhere = home.path("elsewhere");
    fs::create_dir(&elsewhere).expect("folder");
    symlink(&elsewhere, &folder).expect("symlink");
    home.fails(&["run", "subjects", "-k", "3"]);
    assert_eq!(fs::read_dir(&elsewhere).expect("list").count(), 0);
}
