use std::fs;

use super::*;

const ALL: [Access; 3] = [Access::Read, Access::Write, Access::Create];

fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A directory with a closed store.
fn with_store() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("tempdir");
    let path = directory.path().join("t.db");
    drop(Store::open(&path, Access::Create).expect("create"));
    (directory, path)
}

/// The migrations of a later program: this program's and one more.
const LATER: MigrationList = MigrationList {
    migrations: &[
        KNOWN.migrations[0],
        "ALTER TABLE setting ADD COLUMN note TEXT; CREATE INDEX setting_of_note ON setting (note)",
    ],
    // The hash does not match, so the schema is compared.
    hash: KNOWN.hash,
};

/// As `LATER`, but the second migration fails after changing something.
const FAILING: MigrationList = MigrationList {
    migrations: &[
        KNOWN.migrations[0],
        "ALTER TABLE setting ADD COLUMN note TEXT; UPDATE setting SET no_such_column = 1",
    ],
    hash: KNOWN.hash,
};

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
    // Blocks the log's index, as a read-only directory would.
    fs::create_dir(identity::beside(&path, "-shm")).expect("a directory");
    let store = Store::open(&path, Access::Read).expect("open");
    assert!(store.corpora().expect("read").is_empty());
    let write = |store: Store| store.set_at_once(2);
    assert!(Store::open(&path, Access::Write).and_then(write).is_err());
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
fn a_store_of_before_version_0_2_is_refused_in_a_line_and_stays_as_it_was() {
    let (directory, path) = with_store();
    let connection = Connection::open(&path).expect("open");
    let earlier = "PRAGMA application_id = 0x74706361; PRAGMA user_version = 29";
    connection.execute_batch(earlier).expect("set");
    drop(connection);
    let before = fs::read(&path).expect("read");
    for access in ALL {
        let refused = Store::open(&path, access).expect_err("refused");
        assert!(matches!(refused, StoreError::BeforeVersion02(_)), "{refused}");
        assert_eq!(refused.to_string().lines().count(), 1, "{refused}");
        assert!(fs::read(&path).expect("read") == before, "{access:?}");
        assert_eq!(names_in(directory.path()), ["t.db"]);
    }
}

#[test]
fn an_older_store_is_brought_up_to_date_only_for_writing_and_kept_as_it_was() {
    let (directory, path) = with_store();
    let store = Store::open(&path, Access::Write).expect("open");
    store.set_at_once(3).expect("set");
    drop(store);
    let before = fs::read(&path).expect("read");
    let open = |access| Store::open_with(&path, access, LATER);
    let refused = open(Access::Read).expect_err("refused");
    assert!(matches!(refused, StoreError::TooOld { found: 1, known: 2, .. }), "{refused}");
    assert!(fs::read(&path).expect("read") == before);
    // A user's file with this name is not touched.
    fs::write(directory.path().join("t.db.schema-1.bak"), "mine").expect("write");
    let store = open(Access::Write).expect("brought up to date");
    let upgrade = store.upgraded().expect("said").clone();
    assert!(upgrade.to_string().contains("from schema 1 to 2"), "{upgrade}");
    assert_eq!(store.at_once().expect("read"), 3);
    drop(store);
    let now = fs::read(&path).expect("read");
    for access in ALL {
        assert!(open(access).expect("open").upgraded().is_none());
    }
    assert!(fs::read(&path).expect("read") == now);
    let names = ["t.db", "t.db.schema-1.2.bak", "t.db.schema-1.bak"];
    assert_eq!(names_in(directory.path()), names);
    assert_eq!(fs::read(directory.path().join(names[2])).expect("read"), b"mine");
    assert!(upgrade.copy().ends_with(names[1]));
    // The copy has the earlier schema; the upgraded store is too new for the earlier program.
    assert_eq!(
        Store::open(upgrade.copy(), Access::Read).expect("open").at_once().expect("read"),
        3
    );
    for access in ALL {
        let refused = Store::open(&path, access).expect_err("refused");
        assert!(matches!(refused, StoreError::TooNew { found: 2, known: 1, .. }), "{refused}");
    }
}

#[test]
fn a_new_store_is_made_by_all_migrations_at_once_and_needs_no_copy() {
    let directory = tempfile::tempdir().expect("tempdir");
    let path = directory.path().join("t.db");
    let store = Store::open_with(&path, Access::Create, LATER).expect("made");
    assert!(store.upgraded().is_none());
    assert_eq!(store.scalar::<i64>("PRAGMA user_version", []).expect("a number"), 2);
    drop(store);
    assert_eq!(names_in(directory.path()), ["t.db"]);
    Store::open_with(&path, Access::Read, LATER).expect("read");
}

#[test]
fn a_migration_that_fails_leaves_the_store_as_it_was_and_no_copy() {
    let (directory, path) = with_store();
    let before = fs::read(&path).expect("read");
    for access in [Access::Write, Access::Create] {
        let refused = Store::open_with(&path, access, FAILING).expect_err("fails").to_string();
        assert!(refused.contains("no such column: no_such_column"), "{refused}");
        assert!(fs::read(&path).expect("read") == before, "{access:?}");
        assert_eq!(names_in(directory.path()), ["t.db"]);
    }
    Store::open(&path, Access::Write).expect("open");
    let new = directory.path().join("new.db");
    Store::open_with(&new, Access::Create, FAILING).expect_err("fails");
    Store::open(&new, Access::Create).expect("what has no tables yet can still be made");
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
    // Without a directory, SQLite would interpret these names.
    assert!(absolute_path(Path::new(":memory:")).expect("a path").is_absolute());
    assert!(absolute_path(Path::new("file:x.db")).expect("a path").is_absolute());
}

#[test]
fn opening_waits_for_a_process_that_writes_without_the_log() {
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
