//! What `export --force` replaces, and what it leaves alone.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::common::{Home, check_failure};

fn home_with_a_run() -> Home {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "3"]);
    home
}

/// Exports as `format` to `place`, as seen from `folder` of the home, with `--force`.
fn forced(home: &Home, folder: &str, format: &str, place: &str) -> std::process::Output {
    let mut command = home.command(&["export", "1", "--to", format, "-o", place, "--force"]);
    command.current_dir(home.path(folder)).output().expect("run")
}

fn succeeds(home: &Home, format: &str, place: &str) {
    let output = forced(home, "", format, place);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Names and content of a folder, of folders in it too.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.file_type().expect("a type") {
            found if found.is_dir() => {
                let inside = content(&entry.path()).into_iter();
                all.extend(inside.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
                all.insert(name, Vec::new());
            }
            found if found.is_file() => {
                all.insert(name, fs::read(entry.path()).expect("a file"));
            }
            _ => {
                all.insert(name, b"neither".to_vec());
            }
        }
    }
    all
}

/// All of the home but the store, whose files change as it is read.
fn others(home: &Home) -> BTreeMap<String, Vec<u8>> {
    let mut all = content(&home.path(""));
    all.retain(|name, _| !name.starts_with("data/"));
    all
}

#[test]
fn nothing_that_no_export_wrote_is_replaced() {
    let home = home_with_a_run();
    fs::create_dir_all(home.path("thesis/sub")).expect("folders");
    home.file("thesis/chapter.txt", b"years of work");
    home.file("notes.txt", b"notes");
    fs::copy(home.store(), home.path("copy.db")).expect("copy");
    home.file("copy.db-wal", b"what is not in it yet");
    symlink(home.path("thesis"), home.path("link")).expect("link");
    symlink(home.path("nowhere"), home.path("dangling")).expect("link");
    symlink(home.path("notes.txt"), home.path("notes-link")).expect("link");
    assert!(home.shell(&format!("mkfifo {}", home.path("pipe").display())).status.success());
    let before = others(&home);
    let store = home.store().to_string_lossy().into_owned();
    let refused = [
        ("thesis", "csv", ".", "does not name a folder of its own"),
        ("thesis", "html", ".", "does not name a file"),
        ("thesis", "csv", "..", "does not name"),
        ("thesis", "csv", "sub/..", "does not name"),
        ("thesis", "csv", "sub/.", "does not name"),
        ("thesis", "json", "sub/", "does not name a file"),
        ("", "csv", "thesis", "is a folder that no export made"),
        ("", "html", "thesis", "is a folder"),
        ("", "csv", "notes.txt", "is a file"),
        ("", "csv", "link", "is a link"),
        ("", "csv", "link/", "is a link"),
        ("", "json", "dangling", "is a link"),
        ("", "json", "notes-link", "is a link"),
        ("", "json", "pipe", "no ordinary file"),
        ("", "csv", "pipe", "no ordinary file"),
        ("", "json", &store, "is a database"),
        ("", "json", "copy.db", "is a database"),
        ("", "json", "copy.db-wal", "is part of a database"),
    ];
    for (folder, format, place, words) in refused {
        check_failure(&forced(&home, folder, format, place), words);
        assert!(others(&home) == before, "{format} to {place} changed something");
    }
    assert!(home.succeeds(&["check"]).contains("sound"));
}

#[test]
fn an_ordinary_file_is_replaced_and_read_by_no_more_people_than_before() {
    let home = home_with_a_run();
    let page = home.file("page.html", b"mine");
    fs::set_permissions(&page, fs::Permissions::from_mode(0o600)).expect("mode");
    succeeds(&home, "html", "page.html");
    assert!(fs::read_to_string(&page).expect("a page").starts_with("<!DOCTYPE html>"));
    assert_eq!(fs::metadata(&page).expect("a page").permissions().mode() & 0o777, 0o600);
}

#[test]
fn an_export_is_replaced_file_by_file_and_what_else_is_in_its_folder_stays() {
    let home = home_with_a_run();
    fs::create_dir(home.path("out")).expect("an empty folder");
    succeeds(&home, "csv", "out");
    let first = content(&home.path("out"));
    home.file("out/topics.csv", b"changed");
    home.file("out/notes.txt", b"mine");
    fs::create_dir(home.path("out/plots")).expect("a folder");
    home.file("out/plots/a.svg", b"a plot");
    succeeds(&home, "csv", "out");
    let mut expected = first.clone();
    expected.insert("notes.txt".into(), b"mine".to_vec());
    expected.insert("plots".into(), Vec::new());
    expected.insert("plots/a.svg".into(), b"a plot".to_vec());
    assert_eq!(content(&home.path("out")), expected);
    // Another format leaves no file of the first behind.
    succeeds(&home, "mallet", "out");
    let names: Vec<String> = content(&home.path("out")).into_keys().collect();
    let files = [".topoi-export", "doc-topics.txt", "notes.txt", "plots", "plots/a.svg"];
    assert_eq!(names[..5], files);
    assert_eq!(names[5..], ["topic-keys.txt", "topic-word-weights.txt"]);
    let beside = fs::read_dir(home.path("")).expect("home").map(|e| e.expect("entry").file_name());
    assert_eq!(beside.filter(|n| n.to_string_lossy().contains(".part")).count(), 0);
}

#[test]
fn a_list_of_files_reaches_nothing_outside_its_folder_and_no_name_is_taken_from_its_owner() {
    let home = home_with_a_run();
    succeeds(&home, "csv", "out");
    home.file("precious.txt", b"mine");
    let path = home.path("precious.txt");
    home.file("out/.topoi-export", format!("../precious.txt\n{}\n", path.display()).as_bytes());
    home.file("out/topics.csv", b"my own topics");
    let before = others(&home);
    // None of the files is listed any more: they could be anyone's.
    check_failure(&forced(&home, "", "csv", "out"), "was not written by an export");
    assert!(others(&home) == before, "the old folder is there as it was");
    succeeds(&home, "mallet", "out");
    assert_eq!(fs::read(home.path("out/topics.csv")).expect("kept"), b"my own topics");
    assert_eq!(fs::read(&path).expect("kept"), b"mine");
}

#[test]
fn a_link_that_was_put_where_a_draft_was_expected_is_not_followed() {
    let home = home_with_a_run();
    home.file("victim", b"mine");
    // The shell's process becomes the program's.
    let script = format!(
        "cd '{}' && ln -s victim run.json.$$.part && exec '{}' export 1 --to json -o run.json",
        home.path("").display(),
        Home::program().display()
    );
    assert!(home.shell(&script).status.success());
    assert_eq!(fs::read(home.path("victim")).expect("a file"), b"mine");
    assert!(home.path("run.json").is_file() && !home.path("run.json").is_symlink());
}

#[test]
fn locks_and_logs_beside_a_store_are_not_replaced() {
    let home = home_with_a_run();
    for name in ["1.lock", "1.log"] {
        let place = home.path("data/topoi/topoi.db.runs").join(name);
        let before = fs::read(&place).expect("a file");
        let output = forced(&home, "", "html", &place.to_string_lossy());
        check_failure(&output, "part of a database");
        assert_eq!(fs::read(&place).expect("a file"), before);
    }
}
