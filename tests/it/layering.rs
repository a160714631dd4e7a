//! The folders of `src/` depend on each other one way only, and files stay short.

use std::fs;
use std::path::{Path, PathBuf};

/// What each folder may use of the others.
const MAY_USE: &[(&str, &[&str])] = &[
    ("formula", &[]),
    ("store", &["formula"]),
    ("ingest", &["store"]),
    ("vocabulary", &["store"]),
    ("stream", &["store", "progress"]),
    ("linalg", &["progress", "random"]),
    ("model", &["linalg", "progress", "random", "stream"]),
    ("metric", &["formula", "linalg", "model", "random", "stream"]),
    ("synth", &["progress", "random"]),
    ("bound", &["linalg", "progress", "random", "stream"]),
    (
        "run",
        &[
            "bound",
            "ingest",
            "linalg",
            "metric",
            "model",
            "progress",
            "random",
            "store",
            "stream",
            "synth",
            "vocabulary",
        ],
    ),
    ("export", &["formula", "linalg", "metric", "run", "store"]),
    ("parts", &["model", "progress", "random", "run", "store", "stream"]),
    ("tui", &["run", "store"]),
];

const LONGEST_FILE: usize = 400;

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources");
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// A file's code without its unit tests and comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a source file");
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn sources() -> Vec<(String, PathBuf)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let name = |path: &PathBuf| {
        let inside = path.strip_prefix(&src).expect("below src");
        let first = inside.components().next().expect("a name").as_os_str();
        first.to_string_lossy().trim_end_matches(".rs").to_string()
    };
    rust_files(&src).into_iter().map(|path| (name(&path), path)).collect()
}

/// Files that only tests use: what they type at the workbench may be SQL.
fn is_for_tests(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let in_folder = path.parent().is_some_and(|folder| folder.ends_with("tests"));
    in_folder || name.starts_with("test_") || name.starts_with("fixture")
}

#[test]
fn folders_use_only_what_comes_before_them() {
    for (folder, path) in sources() {
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == folder) else { continue };
        if is_for_tests(&path) {
            continue;
        }
        for (other, _) in MAY_USE.iter().chain(&[("cli", &[][..])]) {
            let uses = code(&path).contains(&format!("crate::{other}"));
            let may = *other == folder || allowed.contains(other);
            assert!(may || !uses, "{} uses {other}", path.display());
        }
    }
}

#[test]
fn sql_stays_in_the_store_and_drawing_in_the_workbench() {
    for (folder, path) in sources() {
        let code = code(&path);
        let words = ["rusqlite", "\"SELECT ", "\"INSERT ", "\"UPDATE ", "\"DELETE ", "\"PRAGMA "];
        let sql = words.iter().any(|word| code.contains(word));
        let may = folder == "store" || is_for_tests(&path);
        assert!(may || !sql, "{} holds SQL", path.display());
        let draws = code.contains("ratatui") || code.contains("crossterm");
        assert!(folder == "tui" || !draws, "{} draws", path.display());
        assert!(!code.contains("println!"), "{} prints past cli/output.rs", path.display());
    }
}

#[test]
fn the_command_line_writes_to_the_terminal_in_two_files_that_take_its_commands_out() {
    for (folder, path) in sources() {
        let code = code(&path);
        let writes = code.contains("io::stderr().lock()") || code.contains("io::stdout().lock()");
        let is_bar = path.ends_with("cli/bar.rs");
        assert!(!code.contains("indicatif::") || is_bar, "{} has its own bar", path.display());
        let may = folder != "cli" || path.ends_with("cli/output.rs");
        assert!(may || !writes, "{} writes past cli/output.rs", path.display());
    }
}

#[test]
fn no_file_is_longer_than_400_lines() {
    for (_, path) in sources() {
        let lines = fs::read_to_string(&path).expect("a source file").lines().count();
        assert!(lines <= LONGEST_FILE, "{} has {lines} lines", path.display());
    }
}
