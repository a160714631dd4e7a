//! Names that try to be commands: of a shell, of SQL, of the file system, of a terminal.

use std::path::Path;
use std::process::{Command, Output};

use super::TOPOI;
use super::pty::Session;
use crate::every_command::{READING, WRITING, arguments, with_a_bit_of_everything};

/// Sets the window's title; turns everything red; goes elsewhere; ends statements and lines.
const HOSTILE: [&str; 6] = [
    "\u{1b}]0;taken over\u{7}",
    "red\u{1b}[31m\u{9b}32m",
    "../../../elsewhere",
    "x'; DROP TABLE document; --",
    "a \"quoted\" name\r\nand another line",
    "-rf $(touch pwned) `touch pwned`",
];

fn topoi(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(TOPOI);
    command.args(["--store", "topoi.db"]).args(arguments).current_dir(directory);
    command.output().expect("run")
}

fn succeeds(directory: &Path, arguments: &[&str]) -> String {
    let output = topoi(directory, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
    assert!(!output.stderr.contains(&0x1b), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A corpus called `name` whose documents' keys, titles and fields are hostile too.
fn ingest(directory: &Path, name: &str) {
    let lines: String = HOSTILE
        .iter()
        .enumerate()
        .map(|(at, key)| {
            let text = "castle moat tower knight sword shield drawbridge queen king horse";
            let text = text.repeat(1 + at);
            serde_json::json!({"id": key, "title": key, "text": text, "field": key}).to_string()
                + "\n"
        })
        .collect();
    std::fs::write(directory.join("in.jsonl"), lines).expect("write");
    succeeds(directory, &["ingest", "--", name, "in.jsonl"]);
}

/// No character that a terminal acts on.
fn assert_harmless(what: &str, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let bad = text.chars().find(|&c| c.is_control() && !"\r\n\t".contains(c));
    assert!(bad.is_none(), "{what} holds {bad:?}: {text:?}");
}

#[test]
fn hostile_names_are_names_and_nothing_else() {
    let directory = tempfile::tempdir().expect("tempdir");
    let inside = directory.path().join("a/b/c/d");
    std::fs::create_dir_all(&inside).expect("directories");
    for name in HOSTILE {
        ingest(&inside, name);
        let named = format!("--save={name}");
        let save = ["terms", named.as_str(), "--terms", "8", "--", name];
        succeeds(&inside, &save);
        let key = HOSTILE[3];
        let table = succeeds(&inside, &["documents", "-o", "table", "--", name]);
        assert_harmless("documents", table.as_bytes());
        let doomed = ["delete", "documents", name, "--yes", "--key", key];
        if !name.starts_with('-') {
            succeeds(&inside, &doomed);
        }
        for list in [&["corpora"][..], &["vocabularies", "--", name], &["runs"]] {
            assert_harmless(&format!("{list:?}"), succeeds(&inside, list).as_bytes());
        }
        let unknown = topoi(&inside, &["documents", "--", &format!("no {name}")]);
        assert_eq!(unknown.status.code(), Some(1));
        assert_harmless("an error", &unknown.stderr);
        assert_eq!(String::from_utf8_lossy(&unknown.stderr).lines().count(), 1);
    }
    assert!(succeeds(&inside, &["check"]).contains("sound"));
    let names = succeeds(&inside, &["sql", "SELECT count(*) AS n FROM corpus", "-o", "csv"]);
    assert_eq!(names, "n\n6\n");
    let mut files: Vec<String> = std::fs::read_dir(&inside)
        .expect("files")
        .map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned())
        .collect();
    files.retain(|file| !file.starts_with("topoi.db") && file != "in.jsonl");
    assert_eq!(files, Vec::<String>::new(), "nothing else is made");
    let above = std::fs::read_dir(inside.parent().expect("parent")).expect("files").count();
    assert_eq!((above, directory.path().join("elsewhere").exists()), (1, false));
}

#[test]
fn nothing_in_a_store_commands_the_terminal_it_is_shown_on() {
    let directory = tempfile::tempdir().expect("tempdir");
    let inside = directory.path();
    ingest(inside, HOSTILE[0]);
    let hostile = ["documents", "corpora", "terms"];
    for (command, format) in hostile.iter().flat_map(|c| ["table", "json", "csv"].map(|f| (c, f))) {
        let mut arguments = vec!["--store", "topoi.db", command, "-o", format];
        if *command != "corpora" {
            arguments.extend(["--", HOSTILE[0]]);
        }
        let mut session = Session::start_in(inside, TOPOI, &arguments);
        assert_eq!(session.exit_code(), 0);
        assert_harmless(&format!("{arguments:?}"), &session.written());
    }
    // A program gets what is there.
    let csv = succeeds(inside, &["sql", "SELECT key FROM document", "-o", "csv"]);
    assert!(csv.contains(HOSTILE[0]));
    let store = ["--store", "topoi.db"];
    let mut session = Session::start_in(inside, TOPOI, &store);
    session.wait_for("Corpora 1");
    session.send("2");
    session.wait_for("elsewhere");
    session.send("\r");
    session.wait_for("castle");
    session.send("8select key, title, fields from document\r");
    session.wait_for("6 rows");
    session.send("\x03\x03");
    assert_eq!(session.exit_code(), 0);
    let written = String::from_utf8_lossy(&session.written()).into_owned();
    for command in [HOSTILE[0], "\u{9b}", "taken over\u{7}", "\u{1b}]0"] {
        assert!(!written.contains(command), "the screen was sent {command:?}");
    }
}

/// Puts "foo" on the clipboard of a terminal that obeys.
const COPIES: &str = "\u{1b}]52;c;Zm9v\u{7}castle";

#[test]
fn a_question_and_a_line_of_progress_send_no_commands_of_a_name() {
    let directory = tempfile::tempdir().expect("tempdir");
    let inside = directory.path();
    ingest(inside, COPIES);
    let store = ["--store", "topoi.db"];
    let asking = [&store[..], &["delete", "--kind", "corpus", "--", COPIES]].concat();
    let mut session = Session::start_in(inside, TOPOI, &asking);
    session.wait_for("for good? [y/N]");
    session.send("n\r");
    assert_eq!(session.exit_code(), 1);
    assert_harmless("the question", &session.written());
    let bounding = [&store[..], &["bounds", "--min-documents", "1", "--", COPIES]].concat();
    let mut session = Session::start_in(inside, TOPOI, &bounding);
    session.wait_for_bytes(br"\u{1b}]52;c;Zm9v\u{7}castle");
    session.exit_code();
    let written = String::from_utf8_lossy(&session.written()).into_owned();
    assert!(!written.contains("\u{1b}]52"), "the line sent {written:?}");
}

/// What would turn what follows around, hide in a word, go back in the line, or end it.
const UNSEEN: &str = "a\u{202e}b\u{200b}c\u{200d}\u{feff}\u{2066}\u{8}\u{1b}[2Jd\u{9b}1m\u{7}";

/// The program's own commands to the terminal: those of lines of progress and of clap's help.
const OWN: [&str; 8] = ["[2K", "[1A", "[1B", "[?25l", "[?25h", "[0m", "[1m", "[4m"];

/// Asserts that `bytes` hold none of the characters of [`UNSEEN`] but in the program's own commands.
fn assert_seen(what: &str, bytes: &[u8]) {
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    for own in OWN {
        text = text.replace(&format!("\u{1b}{own}"), "");
    }
    let is_unseen = |c: char| {
        c.is_control() && !"\r\n\t".contains(c)
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let found = text.chars().find(|&c| is_unseen(c));
    assert!(found.is_none(), "{what} sent {found:?}: {text:?}");
}

#[test]
fn no_command_sends_a_terminal_what_it_would_act_on_or_not_show() {
    let home = with_a_bit_of_everything();
    let store = rusqlite::Connection::open(home.store()).expect("open");
    for column in [
        "corpus.name",
        "document.title",
        "document.source",
        "topic.label",
        "run.error",
        "run_stage.note",
        "run_warning.text",
        "ingest_note.reason",
        "vocabulary_name.created_at",
        "metric.name",
    ] {
        let (table, column) = column.split_once('.').expect("a column");
        let sql = format!("UPDATE {table} SET {column} = coalesce({column}, '') || ?1");
        store.execute(&sql, [UNSEEN]).expect(&sql);
    }
    let words = "UPDATE term SET text = text || ?1 WHERE total_count > 5";
    store.execute(words, [UNSEEN]).expect("terms");
    let key = "UPDATE document SET key = key || ?1, fields = json_object(?1, ?1) WHERE id % 2";
    store.execute(key, [UNSEEN]).expect("keys");
    drop(store);
    let corpus = format!("subjects{UNSEEN}");
    for (number, line) in READING.iter().chain(WRITING).enumerate() {
        let copy = home.path(&format!("unseen\u{202e}-{number}.db"));
        std::fs::copy(home.store(), &copy).expect("copy");
        for format in ["table", "json", "csv"] {
            let mut words = arguments(&home, line, &copy.to_string_lossy(), &corpus, number);
            if format != "table" && !line.contains("--output") {
                words.extend(["--output".into(), format.into()]);
            }
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut session = Session::start_in(&home.path(""), TOPOI, &words);
            // Only this one asks, and takes its time.
            if line.starts_with("judge ") && !line.contains("port") {
                session.wait_for("q stop");
                session.send("q\r");
            }
            session.exit_code();
            assert_seen(&format!("{line} as {format}"), &session.written());
        }
    }
}
