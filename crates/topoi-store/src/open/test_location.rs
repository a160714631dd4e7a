use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use super::location::resolved;
use crate::id::RunId;
use crate::{Access, Store, StoreError};

const ALL: [Access; 3] = [Access::Read, Access::Write, Access::Create];

fn made(path: &Path) {
    drop(Store::open(path, Access::Create).expect("made"));
}

#[test]
fn a_second_name_of_a_store_is_refused_until_one_of_the_two_is_gone() {
    let directory = tempfile::tempdir().expect("tempdir");
    let (path, other) = (directory.path().join("t.db"), directory.path().join("other.db"));
    made(&path);
    fs::hard_link(&path, &other).expect("hard link");
    for name in [&path, &other] {
        for access in ALL {
            let refused = Store::open(name, access).expect_err("refused");
            assert!(matches!(refused, StoreError::SecondName { names: 2, .. }), "{refused}");
        }
    }
    assert_eq!(fs::read_dir(directory.path()).expect("read").count(), 2);
    fs::remove_file(&path).expect("removed");
    ALL.iter().for_each(|&access| drop(Store::open(&other, access).expect("one name")));
}

#[test]
fn links_resolve_to_the_path_of_log_and_locks() {
    let directory = tempfile::tempdir().expect("tempdir");
    let folder = directory.path().canonicalize().expect("a path");
    fs::create_dir_all(folder.join("real/deeper")).expect("folders");
    let path = folder.join("real/t.db");
    made(&path);
    // Relative to the link's folder, not to where it is used.
    symlink("../t.db", folder.join("real/deeper/link.db")).expect("symlink");
    symlink("real/deeper/link.db", folder.join("link.db")).expect("symlink");
    symlink("real", folder.join("folder")).expect("symlink");
    let store = Store::open(&path, Access::Write).expect("open");
    let held = store.lock_run(RunId(1)).expect("lock").expect("free");
    for name in ["link.db", "folder/t.db", "folder/../real/./t.db", "real/deeper/link.db"] {
        let other = Store::open(&folder.join(name), Access::Write).expect(name);
        assert_eq!((other.path(), other.runs_directory()), (&*path, store.runs_directory()));
        assert!(
            other.run_is_alive(RunId(1)) && other.lock_run(RunId(1)).expect("lock").is_none(),
            "{name}"
        );
    }
    drop(held);
}

#[test]
fn a_link_to_a_store_that_is_still_to_be_made_is_followed() {
    let directory = tempfile::tempdir().expect("tempdir");
    let folder = directory.path().canonicalize().expect("a path");
    symlink("second", folder.join("first")).expect("symlink");
    symlink("real/new.db", folder.join("second")).expect("symlink");
    let missing = Store::open(&folder.join("first"), Access::Read).expect_err("missing");
    assert!(missing.to_string().contains("real/new.db"), "{missing}");
    let store = Store::open(&folder.join("first"), Access::Create).expect("made");
    assert_eq!(store.path(), folder.join("real/new.db"));
    assert_eq!(fs::metadata(store.path()).expect("a file").mode() & 0o777, 0o600);
    assert!(folder.join("first").is_symlink() && folder.join("second").is_symlink());
    symlink("round", folder.join("round")).expect("symlink");
    for access in ALL {
        let refused = Store::open(&folder.join("round"), access).expect_err("a loop");
        assert!(matches!(refused, StoreError::CannotOpen { .. }), "{refused}");
    }
}

#[test]
fn a_path_is_resolved_before_anybody_can_change_the_working_directory() {
    let resolved = resolved(Path::new("Cargo.toml")).expect("resolved");
    assert!(resolved.is_absolute() && resolved.is_file());
}

#[test]
fn a_store_that_was_replaced_while_it_was_open_is_written_to_no_more() {
    let directory = tempfile::tempdir().expect("tempdir");
    let (path, other) = (directory.path().join("t.db"), directory.path().join("other.db"));
    for path in [&path, &other] {
        made(path);
    }
    let mut store = Store::open(&path, Access::Write).expect("open");
    store.transaction(|store| store.set_at_once(2)).expect("saved");
    drop(store.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
    fs::rename(&other, &path).expect("replaced");
    let refused = store.transaction(|store| store.set_at_once(3)).expect_err("refused");
    assert!(matches!(refused, StoreError::Replaced(_)), "{refused}");
    fs::remove_file(&path).expect("removed");
    let refused = store.transaction(|store| store.set_at_once(3)).expect_err("refused");
    assert!(matches!(refused, StoreError::Replaced(_)), "{refused}");
}

#[test]
fn pipes_and_links_in_the_place_of_sqlites_own_files_are_refused_at_once() {
    let directory = tempfile::tempdir().expect("tempdir");
    let path = directory.path().join("t.db");
    made(&path);
    let precious = directory.path().join("precious");
    fs::write(&precious, "as it was").expect("write");
    for ending in ["-wal", "-journal", "-shm"] {
        let place = directory.path().join(format!("t.db{ending}"));
        let _ = fs::remove_file(&place);
        for make in [
            (|at, _| {
                assert!(
                    std::process::Command::new("mkfifo")
                        .arg(at)
                        .status()
                        .expect("mkfifo")
                        .success()
                )
            }) as fn(&Path, &Path),
            |at, precious| symlink(precious, at).expect("symlink"),
        ] {
            make(&place, &precious);
            for access in ALL {
                let refused = Store::open(&path, access).expect_err("refused");
                assert!(matches!(refused, StoreError::NotOurs { .. }), "{refused}");
            }
            fs::remove_file(&place).expect("removed");
        }
    }
    assert_eq!(fs::read_to_string(&precious).expect("read"), "as it was");
    ALL.iter().for_each(|&access| drop(Store::open(&path, access).expect("sound")));
}
