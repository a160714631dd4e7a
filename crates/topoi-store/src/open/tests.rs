use std::fs;

use super::*;
use crate::result::topic_shares::TopicShares;

const ALL: [Access; 3] = [Access::Read, Access::Write, Access::Create];

fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A directory with a store, closed.
fn with_store() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("tempdir");
    let path = directory.path().join("t.db");
    drop(Store::open(&path, Access::Create).expect("create"));
    (directory, path)
}

/// Puts a store of schema 13 in the place of the one at `path`.
fn make_older(path: &Path) {
    fs::remove_file(path).expect("removed");
    let mut connection = Connection::open(path).expect("open");
    connection.pragma_update(None, "application_id", APPLICATION_ID).expect("set");
    let migrations = rusqlite_migration::Migrations::new(migrations::migrations());
    migrations.to_version(&mut connection, 13).expect("made");
}

#[test]
fn a_weight_of_before_becomes_the_share_of_documents_and_its_warning_says_so() {
    let (_directory, path) = with_store();
    fs::remove_file(&path).expect("removed");
    let mut connection = Connection::open(&path).expect("open");
    connection.pragma_update(None, "application_id", APPLICATION_ID).expect("set");
    let migrations = rusqlite_migration::Migrations::new(migrations::migrations());
    migrations.to_version(&mut connection, 26).expect("made");
    let rows = "INSERT INTO corpus (id, name, created_at, settings) VALUES (1, 'c', '', '{}');
        INSERT INTO run (id, corpus_id, model, k, seed, settings, status, created_at, program_version)
        VALUES (1, 1, 'rp', 2, 1, '{}', 'finished', '', '');
        INSERT INTO topic (run_id, topic, weight) VALUES (1, 0, 0.75), (1, 1, 0.25);
        INSERT INTO run_warning VALUES
        (1, 0, 'dominant_topic', 0.75, 'topic 0 holds 75% of all tokens'),
        (1, 1, 'documents_left_out', 0.5, '50% of all tokens are in documents left out')";
    connection.execute_batch(rows).expect("rows");
    drop(connection);
    let store = Store::open(&path, Access::Write).expect("upgraded");
    let shares: Vec<_> =
        store.topics(1, 1).expect("topics").into_iter().map(|topic| topic.shares).collect();
    let of_documents = |document_share| TopicShares { document_share, token_share: None };
    assert_eq!(shares, [of_documents(0.75), of_documents(0.25)]);
    let texts: Vec<String> =
        store.warnings(1).expect("warnings").into_iter().map(|warning| warning.text).collect();
    let expected = [
        "topic 0 holds 75% as the mean over documents",
        "50% of all tokens are in documents left out",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn what_is_no_store_is_refused_byte_for_byte_as_it_was_and_nothing_is_left_beside_it() {
    let directory = tempfile::tempdir().expect("tempdir");
    let path = directory.path().join("other.db");
    let other = |sql: &str| {
        let connection = Connection::open(&path).expect("open");
        connection.execute_batch(sql).expect("sql");
        drop(connection);
        fs::read(&path).expect("read")
    };
    let databases = [
        other("CREATE TABLE t (x)"),
        other("PRAGMA journal_mode = WAL; INSERT INTO t VALUES (1)"),
        other("PRAGMA application_id = 7; PRAGMA user_version = 3"),
        other("PRAGMA journal_mode = DELETE; DROP TABLE t; PRAGMA application_id = 0; VACUUM"),
    ];
    let texts = [b"x".to_vec(), b"a letter".to_vec(), vec![b'a'; 5000], vec![0; 600]];
    for bytes in databases.iter().chain(&texts) {
        fs::write(&path, bytes).expect("write");
        for access in ALL {
            let refused = Store::open(&path, access).expect_err("refused");
            assert!(
                matches!(refused, StoreError::NotAStore(_) | StoreError::NotADatabase(_)),
                "{refused}"
            );
            assert!(fs::read(&path).expect("read") == *bytes, "{access:?}: {refused}");
            assert_eq!(names_in(directory.path()), ["other.db"]);
        }
    }
}

#[test]
fn an_empty_file_is_filled_only_where_a_store_may_be_made() {
    let directory = tempfile::tempdir().expect("tempdir");
    let path = directory.path().join("t.db");
    fs::write(&path, "").expect("write");
    for access in [Access::Read, Access::Write] {
        let refused = Store::open(&path, access).expect_err("refused");
        assert!(matches!(refused, StoreError::NotADatabase(_)), "{refused}");
        assert!(fs::read(&path).expect("read").is_empty());
        assert_eq!(names_in(directory.path()), ["t.db"]);
    }
    let store = Store::open(&path, Access::Create).expect("made");
    assert_eq!(store.scalar::<i64>("PRAGMA page_size", []).expect("a size"), 16384);
}

#[test]
fn a_missing_store_is_made_only_where_that_is_asked_for() {
    let directory = tempfile::tempdir().expect("tempdir");
    let path = directory.path().join("new/t.db");
    for access in [Access::Read, Access::Write] {
        assert!(matches!(Store::open(&path, access), Err(StoreError::Missing(_))));
        assert!(names_in(directory.path()).is_empty());
    }
    Store::open(&path, Access::Create).expect("made");
}

#[test]
fn reading_changes_nothing_and_leaves_nothing() {
    let (directory, path) = with_store();
    let (before, at) = (fs::read(&path).expect("read"), modified(&path));
    let store = Store::open(&path, Access::Read).expect("open");
    assert!(store.corpora().expect("read").is_empty());
    assert!(store.execute_batch("DELETE FROM run").is_err());
    drop(store);
    assert!(fs::read(&path).expect("read") == before);
    assert_eq!(modified(&path), at);
    assert_eq!(names_in(directory.path()), ["t.db"]);
}

fn modified(path: &Path) -> std::time::SystemTime {
    fs::metadata(path).and_then(|file| file.modified()).expect("a time")
}

#[test]
fn a_store_beside_which_nothing_can_be_made_is_read() {
    let (_directory, path) = with_store();
    // In the way of the log's index, as a directory that cannot be written would be.
    fs::create_dir(identity::beside(&path, "-shm")).expect("a directory");
    let store = Store::open(&path, Access::Read).expect("open");
    assert!(store.corpora().expect("read").is_empty());
    let write = |store: Store| store.set_at_once(2);
    assert!(Store::open(&path, Access::Write).and_then(write).is_err());
}

#[test]
fn a_store_whose_making_was_killed_before_a_checkpoint_is_one() {
    let (directory, path) = with_store();
    let copy = directory.path().join("copy.db");
    fs::remove_file(&path).expect("removed");
    // As earlier versions made stores: the log first.
    let connection = Connection::open(&path).expect("open");
    let sql = "PRAGMA journal_mode = WAL; PRAGMA application_id = 1953522529; \
               CREATE TABLE t (x); DROP TABLE t; PRAGMA user_version = 999";
    connection.execute_batch(sql).expect("sql");
    fs::copy(&path, &copy).expect("copy");
    fs::copy(identity::beside(&path, "-wal"), identity::beside(&copy, "-wal")).expect("copy");
    assert!(matches!(Store::open(&copy, Access::Read), Err(StoreError::TooNew { .. })));
}

#[test]
fn a_newer_store_is_refused_as_it_was() {
    let (directory, path) = with_store();
    Connection::open(&path).expect("open").pragma_update(None, "user_version", 999).expect("set");
    let before = fs::read(&path).expect("read");
    for access in ALL {
        let refused = Store::open(&path, access);
        assert!(matches!(refused, Err(StoreError::TooNew { found: 999, .. })));
        assert!(fs::read(&path).expect("read") == before);
        assert_eq!(names_in(directory.path()), ["t.db"]);
    }
}

#[test]
fn a_schema_of_a_number_that_no_version_gives_is_refused_in_a_line_and_no_copy_is_left() {
    let (directory, path) = with_store();
    for number in [0, -5] {
        let connection = Connection::open(&path).expect("open");
        connection.pragma_update(None, "user_version", number).expect("set");
        drop(connection);
        for access in ALL {
            let refused = Store::open(&path, access).expect_err("refused").to_string();
            assert!(refused.contains(&format!("has the number {number}, which")), "{refused}");
            assert_eq!(names_in(directory.path()), ["t.db"]);
        }
    }
}

#[test]
fn an_older_store_is_brought_up_to_date_only_for_writing_and_kept_as_it_was() {
    let (directory, path) = with_store();
    make_older(&path);
    let before = fs::read(&path).expect("read");
    let refused = Store::open(&path, Access::Read).expect_err("refused").to_string();
    assert!(refused.contains("schema 13") && refused.contains("check --upgrade"), "{refused}");
    assert!(fs::read(&path).expect("read") == before);
    // Somebody's own file of that name is not touched.
    fs::write(directory.path().join("t.db.schema-13.bak"), "mine").expect("write");
    let store = Store::open(&path, Access::Write).expect("brought up to date");
    let upgrade = store.upgraded().expect("told").clone();
    assert!(upgrade.to_string().contains("from schema 13"), "{upgrade}");
    drop(store);
    assert!(Store::open(&path, Access::Write).expect("open").upgraded().is_none());
    Store::open(&path, Access::Read).expect("read");
    let names = ["t.db", "t.db.schema-13.2.bak", "t.db.schema-13.bak"];
    assert_eq!(names_in(directory.path()), names);
    assert_eq!(fs::read(directory.path().join(names[2])).expect("read"), b"mine");
    assert!(upgrade.copy().ends_with(names[1]));
    let copy = Store::open(upgrade.copy(), Access::Write).expect("a store");
    assert!(copy.upgraded().is_some());
}

#[test]
fn a_path_is_a_path_whatever_it_looks_like() {
    let directory = tempfile::tempdir().expect("tempdir");
    for name in [":memory:", "file:x.db?mode=memory", "-dash.db", "50% ?a#b \u{fc}.db"] {
        let path = directory.path().join(name);
        drop(Store::open(&path, Access::Create).expect("made"));
        Store::open(&path, Access::Read).expect("read");
        assert!(path.is_file(), "{name}");
    }
    // Without a directory before it, SQLite would take this for something else.
    assert!(located(Path::new(":memory:")).expect("a path").is_absolute());
    assert!(located(Path::new("file:x.db")).expect("a path").is_absolute());
}

#[test]
fn who_writes_without_the_log_is_waited_for() {
    let (_directory, path) = with_store();
    let other = Connection::open(&path).expect("open");
    other
        .execute_batch("PRAGMA journal_mode = TRUNCATE; BEGIN IMMEDIATE; PRAGMA user_version")
        .expect("begun");
    let opening = std::thread::spawn({
        let path = path.clone();
        move || Store::open(&path, Access::Write).map(drop)
    });
    std::thread::sleep(Duration::from_millis(50));
    other.execute_batch("COMMIT").expect("committed");
    opening.join().expect("no panic").expect("opened");
}
