//! Files that are no store, and stores whose name looks like something else.

use super::counts::{GOOD, VOCABULARY};
use crate::common::{Home, check_failure};

/// Every command that only reads, and some that write to what is there.
const NOT_MAKING: [&[&str]; 28] = [
    &["corpora"],
    &["documents", "c"],
    &["terms", "c"],
    &["terms", "c", "--save", "v"],
    &["vocabularies", "c"],
    &["runs"],
    &["queue"],
    &["queue", "--at-once", "2"],
    &["topics", "1"],
    &["metrics", "1"],
    &["metrics", "1", "--recompute"],
    &["compare", "1", "2"],
    &["export", "1", "--to", "json", "-o", "out.json"],
    &["sql", "SELECT 1"],
    &["sql", "--write", "DELETE FROM run"],
    &["check"],
    &["check", "--upgrade"],
    &["verify", "1"],
    &["log", "1"],
    &["watch", "1"],
    &["cancel", "1"],
    &["resume", "1"],
    &["update", "1"],
    &["shape", "1", "--drop", "0"],
    &["run", "c", "-k", "2"],
    &["bounds", "c"],
    &["delete", "1", "--yes"],
    &["shard", "c", "--parts", "2", "--into", "parts"],
];

#[test]
fn a_file_that_is_no_store_is_left_byte_for_byte_by_every_command() {
    let home = Home::new();
    let database = home.path("other.db");
    let connection = rusqlite::Connection::open(&database).expect("open");
    connection.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1)").expect("sql");
    drop(connection);
    let files = [
        std::fs::read(&database).expect("read"),
        Vec::new(),
        b"x".to_vec(),
        b"a letter, not a database\n".repeat(300),
    ];
    for bytes in files {
        std::fs::create_dir_all(home.path("place")).expect("a directory");
        let store = home.file("place/s.db", &bytes);
        for command in NOT_MAKING {
            let arguments: Vec<&str> = ["--store", &store].iter().chain(command).copied().collect();
            let refused = check_failure(&home.command(&arguments).output().expect("run"), "");
            home.keeps(&refused);
            assert!(std::fs::read(&store).expect("read") == bytes, "{command:?}");
            let left = std::fs::read_dir(home.path("place")).expect("a directory").count();
            assert_eq!(left, 1, "{command:?}");
        }
    }
}

#[test]
fn a_store_may_have_a_name_that_looks_like_something_else() {
    let home = Home::new();
    let documents = home.file("docword.good.txt", GOOD);
    let vocab = home.file("vocab.good.txt", VOCABULARY);
    for name in [":memory:", "file:x.db", "-dash.db"] {
        let run = |arguments: &[&str]| {
            let mut command = home.command(&[&format!("--store={name}")]);
            command.args(arguments).current_dir(home.path(""));
            let output = command.output().expect("run");
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{name} {arguments:?}: {error}");
            String::from_utf8(output.stdout).expect("UTF-8")
        };
        run(&["ingest", "c", &documents, "--vocab", &vocab]);
        assert!(home.path(name).is_file(), "{name}");
        assert!(run(&["corpora", "-o", "csv"]).contains("c,2,"), "{name}");
    }
}
