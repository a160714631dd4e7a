//! The folders of `src/` depend on each other one way only.

use std::path::{Path, PathBuf};

use crate::sources::{code, rust_files};

/// What each folder, and each file beside the folders, may use of the others.
const MAY_USE: &[(&str, &[&str])] = &[
    ("progress", &[]),
    ("random", &[]),
    ("csv_cell", &[]),
    ("numbers", &[]),
    ("shell_word", &[]),
    ("base_directory", &[]),
    ("shown", &[]),
    ("fields", &["random"]),
    ("plot", &[]),
    ("judge", &["fields", "random"]),
    ("spilled", &[]),
    ("formula", &["spilled"]),
    ("store", &["formula", "shell_word", "spilled"]),
    ("ingest", &["store"]),
    ("vocabulary", &["store"]),
    ("stream", &["progress", "random", "spilled", "store"]),
    ("linalg", &["progress", "random"]),
    ("model", &["formula", "linalg", "progress", "random", "stream"]),
    ("metric", &["formula", "linalg", "model", "random", "stream"]),
    ("effects", &["fields", "linalg", "progress", "random", "shell_word"]),
    ("synth", &["progress", "random"]),
    ("shape", &["linalg", "metric", "model"]),
    ("bound", &["linalg", "progress", "random", "stream"]),
    (
        "run",
        &[
            "bound",
            "csv_cell",
            "effects",
            "fields",
            "formula",
            "ingest",
            "judge",
            "linalg",
            "metric",
            "model",
            "numbers",
            "progress",
            "random",
            "shape",
            "shell_word",
            "store",
            "stream",
            "synth",
            "vocabulary",
        ],
    ),
    (
        "export",
        &[
            "csv_cell", "fields", "formula", "judge", "linalg", "metric", "numbers", "plot", "run",
            "store",
        ],
    ),
    ("parts", &["metric", "model", "progress", "random", "run", "store", "stream"]),
    ("search", &["ingest", "progress", "shell_word", "store"]),
    ("records", &["judge", "metric", "numbers", "run", "search", "shape", "store", "vocabulary"]),
    (
        "tui",
        &[
            "base_directory",
            "csv_cell",
            "export",
            "fields",
            "ingest",
            "judge",
            "metric",
            "model",
            "numbers",
            "progress",
            "records",
            "run",
            "search",
            "shape",
            "shell_word",
            "shown",
            "store",
        ],
    ),
    (
        "cli",
        &[
            "base_directory",
            "bound",
            "csv_cell",
            "effects",
            "export",
            "fields",
            "ingest",
            "judge",
            "metric",
            "model",
            "numbers",
            "parts",
            "plot",
            "progress",
            "records",
            "run",
            "search",
            "shape",
            "shell_word",
            "shown",
            "store",
            "stream",
            "synth",
            "tui",
            "vocabulary",
        ],
    ),
    ("process_one", &["cli", "shown"]),
    ("main", &["base_directory", "cli", "process_one", "run", "shown"]),
    ("lib", &[]),
];

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
    let in_folder = path.components().any(|part| part.as_os_str() == "tests");
    in_folder || name.starts_with("test_") || name.starts_with("fixture")
}

/// Whether code names the library's or the program's module `module`.
fn uses(code: &str, module: &str) -> bool {
    ["crate", "topoi"].into_iter().any(|root| {
        let path = format!("{root}::{module}");
        code.match_indices(&path).any(|(at, _)| {
            let next = code[at + path.len()..].chars().next();
            !next.is_some_and(|c| c.is_alphanumeric() || c == '_')
        })
    })
}

#[test]
fn folders_use_only_what_comes_before_them() {
    for (folder, path) in sources() {
        let row = MAY_USE.iter().find(|(name, _)| *name == folder);
        let (_, allowed) = row.unwrap_or_else(|| panic!("{folder} is not in the list"));
        if is_for_tests(&path) {
            continue;
        }
        let code = code(&path);
        assert!(!code.contains("crate::{"), "{}: one line for each module", path.display());
        for (other, _) in MAY_USE {
            let may = *other == folder || allowed.contains(other);
            assert!(may || !uses(&code, other), "{} uses {other}", path.display());
        }
    }
}

#[test]
fn a_use_is_seen_of_either_crate_and_not_in_a_longer_name() {
    assert!(uses("use crate::random::stream;", "random"));
    assert!(uses("topoi::store::Store", "store"));
    assert!(!uses("use crate::run::work;", "runner") && !uses("use crate::runner;", "run"));
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
fn the_library_does_not_know_which_program_it_is_in_and_ends_no_process() {
    for (folder, path) in sources() {
        let code = code(&path);
        let knows = code.contains("current_exe") || code.contains("process::exit");
        let may = ["cli", "tui", "main", "process_one"].contains(&folder.as_str());
        assert!(may || !knows, "{} starts or ends a program by itself", path.display());
    }
}
