//! `backup`, and `check --repair` of what can be made again.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::common::{Home, check_failure};

fn rows(home: &Home, store: &Path) -> Vec<String> {
    let store = store.to_string_lossy();
    let tables =
        ["document", "document_counts", "term", "block", "corpus", "topic_probabilities", "run"];
    let read = |table: &&str| {
        let sql = format!("SELECT * FROM {table}");
        home.succeeds(&["--store", &store, "sql", &sql, "-o", "csv"])
    };
    tables.iter().map(read).collect()
}

#[test]
fn a_backup_is_the_store_and_replaces_nothing_unless_told() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "3"]);
    fs::set_permissions(home.store(), Permissions::from_mode(0o640)).expect("chmod");
    let to = home.path("copy.db");
    let name = to.to_string_lossy().into_owned();
    let told = home.succeeds(&["backup", &name]);
    assert!(told.ends_with(" bytes, checked and sound\n"), "{told}");
    assert_eq!(rows(&home, &to), rows(&home, &home.store()));
    assert_eq!(fs::metadata(&to).expect("copy").mode() & 0o777, 0o640);
    assert!(home.succeeds(&["--store", &name, "check"]).contains("sound"));
    home.succeeds(&["--store", &name, "verify", "1"]);

    let before = fs::read(&to).expect("read");
    home.fails(&["backup", &name]);
    assert_eq!(fs::read(&to).expect("read"), before);
    home.succeeds(&["delete", "1", "--yes"]);
    home.succeeds(&["backup", &name, "--force"]);
    assert_eq!(rows(&home, &to), rows(&home, &home.store()));

    // Nothing but a store is replaced, and never the store itself.
    let thesis = home.file("thesis.tex", b"all my work, of many hundreds of nights");
    home.fails(&["backup", &thesis, "--force"]);
    let own = home.store().to_string_lossy().into_owned();
    home.fails(&["backup", &own, "--force"]);
    let link = home.path("link.db");
    symlink(home.store(), &link).expect("symlink");
    home.fails(&["backup", &link.to_string_lossy(), "--force"]);
    assert!(home.succeeds(&["corpora"]).contains("subjects"));
    let left = fs::read_dir(home.path("")).expect("list").filter_map(Result::ok);
    let drafts = left.filter(|file| file.file_name().to_string_lossy().contains("unfinished"));
    assert_eq!(drafts.count(), 0);
}

#[test]
fn a_backup_is_made_while_a_run_writes_and_after_a_killed_one() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8", "--iterations", "10000", "--detach"]);
    home.wait_for("SELECT pid FROM run_lease WHERE run_id = 1");
    let name = home.path("copy.db").to_string_lossy().into_owned();
    // What a killed backup leaves is a store that is not whole.
    fs::copy(home.store(), home.path("copy.db.unfinished")).expect("copy");
    home.succeeds(&["backup", &name]);
    home.succeeds(&["cancel", "1"]);
    assert!(home.succeeds(&["--store", &name, "check"]).contains("sound"));
    fs::write(home.path("other.db.unfinished"), "a thesis").expect("write");
    let other = home.path("other.db").to_string_lossy().into_owned();
    home.fails(&["backup", &other]);
    home.wait_for("SELECT 1 FROM run WHERE status = 'cancelled'");
}

#[test]
fn a_damaged_store_is_not_copied_as_if_it_were_sound() {
    let home = Home::with_subjects();
    damage(&home.store(), "UPDATE corpus SET tokens = tokens + 1");
    let to = home.path("copy.db");
    home.fails(&["backup", &to.to_string_lossy()]);
    assert!(!to.exists() && !home.path("copy.db.unfinished").exists());
}

fn damage(store: &Path, sql: &str) {
    let connection = Connection::open(store).expect("open");
    connection.execute_batch("PRAGMA foreign_keys = OFF").expect("pragma");
    assert!(connection.execute(sql, []).expect(sql) > 0, "nothing was damaged: {sql}");
}

/// A copy of the store with a damage of its own.
fn damaged(home: &Home, name: &str, sql: &[&str]) -> PathBuf {
    let sound = Connection::open(home.store()).expect("open");
    sound.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("checkpoint");
    drop(sound);
    let copy = home.path(&format!("{name}.db"));
    fs::copy(home.store(), &copy).expect("copy");
    sql.iter().for_each(|sql| damage(&copy, sql));
    copy
}

#[test]
fn what_can_be_made_again_is_as_it_was_and_the_damaged_store_is_kept() {
    let home = Home::with_subjects();
    // Counts of words: their hash tells which of two that differ is right.
    let uci = home.file("docword.n.txt", b"3\n4\n6\n1 1 2\n1 2 1\n2 2 5\n2 3 1\n3 1 1\n3 4 2\n");
    home.file("vocab.n.txt", b"a\nb\nc\nd\n");
    home.succeeds(&["ingest", "numbers", &uci]);
    home.succeeds(&["run", "subjects", "-k", "3"]);
    let sound = rows(&home, &home.store());
    let half = "UPDATE block SET data = substr(data, 1, length(data) - 3)";
    let other = "UPDATE document_counts SET counts = replace(counts, ':1', ':3') WHERE document_id";
    let cases: &[(&str, &[&str])] = &[
        ("totals", &["UPDATE corpus SET tokens = tokens - 3, documents = 1"]),
        ("frequencies", &["UPDATE term SET document_frequency = 7, total_count = 0"]),
        ("lengths", &["UPDATE document SET tokens = tokens + 1"]),
        ("counts gone", &["DELETE FROM document_counts WHERE document_id % 3 = 0"]),
        ("counts no JSON", &["UPDATE document_counts SET counts = '{}' WHERE document_id < 9"]),
        ("counts differ", &[&format!("{other} < 9"), "UPDATE corpus SET nonzeros = 1"]),
        (
            "counts of numbers differ",
            &[&format!("{other} > 256"), "UPDATE document SET tokens = 1 WHERE id > 256"],
        ),
        ("block cut short", &[half]),
        (
            "block of other counts",
            &["UPDATE block SET data = CAST(substr(data, 1, length(data) - 1) || x'7b' AS BLOB)"],
        ),
        ("blocks gone", &["DELETE FROM block"]),
        ("a block gone", &["DELETE FROM block WHERE id = 1"]),
        (
            "a block gone beside a length",
            &[
                "DELETE FROM block WHERE id = 1",
                "UPDATE document SET tokens = 1 + tokens WHERE id = 9",
            ],
        ),
        ("numbers of a block", &["UPDATE block SET documents = -1, nonzeros = 3"]),
    ];
    for (name, harm) in cases {
        let copy = damaged(&home, name, harm);
        let store = copy.to_string_lossy().into_owned();
        let before = rows(&home, &copy);
        let repaired = home.succeeds(&["--store", &store, "check", "--repair"]);
        assert!(repaired.starts_with("repaired: corpus "), "{name}: {repaired}");
        home.keeps(&repaired);
        let mut after = rows(&home, &copy);
        if name.contains("gone") {
            // A new row of a block may have another number.
            after[3] = sound[3].clone();
            assert!(home.succeeds(&["--store", &store, "verify", "1"]).contains("same"), "{name}");
        }
        assert_eq!(after, sound, "{name}");
        assert_eq!(rows(&home, &home.path(&format!("{name}.db.before-repair.bak"))), before);
        // Nothing is left to do, and so nothing is copied.
        home.succeeds(&["--store", &store, "check", "--repair"]);
        assert!(!home.path(&format!("{name}.db.before-repair.2.bak")).exists());
    }
}

#[test]
fn a_document_of_which_nothing_tells_does_not_keep_its_neighbours_from_being_mended() {
    let home = Home::with_subjects();
    // Number of tokens and frequencies contradict the only counts that are left.
    let harm = [
        "DELETE FROM block",
        "UPDATE document_counts SET counts = replace(counts, ':1', ':3') WHERE document_id = 5",
        "DELETE FROM document_counts WHERE document_id = 7",
    ];
    let store = damaged(&home, "one", &harm).to_string_lossy().into_owned();
    let output = home.command(&["--store", &store, "check", "--repair"]).output().expect("run");
    let found = String::from_utf8_lossy(&output.stdout);
    let missing = found.lines().filter(|line| line.contains("is in no block")).count();
    assert_eq!((output.status.code(), missing), (Some(1), 2), "{found}");
}

#[test]
fn what_cannot_be_made_again_is_refused_in_a_line_each_and_stays() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "3"]);
    let cases: &[(&str, &[&str], &str)] = &[
        ("both gone", &["DELETE FROM block", "DELETE FROM document_counts"], "is in no block"),
        ("no row", &["DELETE FROM document WHERE id = 5"], "is in a block, but has no row"),
        ("text", &["UPDATE document_text SET text = 'x' WHERE document_id = 3"], "(content_hash)"),
        ("topics", &["DELETE FROM topic"], "its topics are gone"),
        (
            "nothing tells",
            &[
                "UPDATE document_counts SET counts = replace(counts, ':1', ':3') WHERE document_id = 5",
                "UPDATE document SET tokens = 1 WHERE id = 5",
            ],
            "differs between its block and its triples",
        ),
    ];
    for (name, harm, says) in cases {
        let copy = damaged(&home, name, harm);
        let before = rows(&home, &copy);
        let store = copy.to_string_lossy().into_owned();
        let output = home.command(&["--store", &store, "check", "--repair"]).output().expect("run");
        let found = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{name}: {found}");
        assert!(found.lines().any(|line| line.contains(says)), "{name}: {found}");
        assert_eq!(rows(&home, &copy), before, "{name}");
    }
    // A file that is no store, or one that cannot be read, is not repaired by it.
    let other = home.file("other.db", b"a thesis");
    let output = home.command(&["--store", &other, "check", "--repair"]).output().expect("run");
    check_failure(&output, "not an SQLite database");
}
