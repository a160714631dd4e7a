//! A store by a link: the same log, locks and runs as by its own name.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;

use crate::common::Home;

#[test]
fn a_run_that_works_works_by_every_link_and_is_neither_resumed_nor_deleted_by_one() {
    let home = Home::with_subjects();
    fs::create_dir(home.path("elsewhere")).expect("folder");
    let link = home.path("elsewhere/link.db");
    symlink(home.store(), &link).expect("symlink");
    let link = link.to_string_lossy().into_owned();
    let by_link = |arguments: &'static str| {
        ["--store", &link].into_iter().chain(arguments.split(' ')).collect::<Vec<_>>()
    };
    home.succeeds(&["run", "subjects", "-k", "8", "--iterations", "10000", "--detach"]);
    home.wait_for("SELECT pid FROM run_lease WHERE run_id = 1");
    assert!(home.succeeds(&by_link("runs -o csv")).contains("running"));
    home.fails(&by_link("resume 1"));
    home.fails(&by_link("delete 1 --yes"));
    home.succeeds(&by_link("cancel 1"));
    home.wait_for("SELECT 1 FROM run WHERE status = 'cancelled'");
    let names = fs::read_dir(home.path("elsewhere")).expect("read").count();
    assert_eq!(names, 1, "everything lies beside the store itself");
}

#[test]
fn nothing_is_saved_by_a_second_hard_link() {
    let home = Home::with_subjects();
    let link = home.path("link.db");
    fs::hard_link(home.store(), &link).expect("hard link");
    let link = link.to_string_lossy().into_owned();
    let lines = home.file("a.txt", b"one two\nthree four\n");
    for arguments in [&["ingest", "c", &lines][..], &["corpora"], &["check"]] {
        home.fails(arguments);
        home.fails(&[&["--store", link.as_str()], arguments].concat());
    }
    fs::remove_file(&link).expect("removed");
    assert!(home.succeeds(&["check"]).contains("sound"));
}

#[test]
fn a_file_that_is_mounted_by_itself_is_refused() {
    let home = Home::with_subjects();
    let (store, other) = (home.store(), home.file("other.db", b""));
    let program = Home::program();
    let script = format!(
        "unshare --map-root-user --mount sh -c 'mount --bind {0} {other} || exit 77; {1} --store {other} runs; echo $?' \
         || exit 77",
        store.display(),
        program.display()
    );
    let output = home.shell(&script);
    if output.status.code() == Some(77) || !cfg!(target_os = "linux") {
        let _ = writeln!(std::io::stderr(), "skipped: nothing can be mounted here");
        return;
    }
    let said = String::from_utf8_lossy(&output.stderr);
    home.keeps(&said);
}
