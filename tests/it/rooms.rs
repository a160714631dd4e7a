//! What the compiler does not keep apart: SQL stays in the store's crate, drawing in the workbench, output in the command line.

use std::path::{Path, PathBuf};

use crate::sources::{code, rust_files};
use topoi_core::model::Model;

/// Whether code names a variant of an enumeration, such as `Model::Rp`, and not `Model::all`.
fn names_a_variant(code: &str, enumeration: &str) -> bool {
    code.match_indices(&format!("{enumeration}::")).any(|(at, found)| {
        let is_longer = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let next = code[at + found.len()..].chars().next();
        !is_longer && next.is_some_and(|c| c.is_ascii_uppercase())
    })
}

/// Words of other lists that are names of models too.
const NO_MODELS: [(&str, &str); 3] = [
    ("crates/topoi-ingest/src/formats/markup/html.rs", "rp"),
    ("crates/topoi-run/src/export/dfr_browser/mod.rs", "raw"),
    ("src/cli/reading/notes.rs", "raw"),
];

/// What is wanted of a model is on its card: code that asks which model it is would be silently wrong for a new one.
#[test]
fn only_the_room_of_models_asks_which_model_it_is() {
    for (file, path) in sources() {
        if file.starts_with("crates/topoi-core/src/model/") || is_for_tests(&path) {
            continue;
        }
        let code = code(&path);
        assert!(!names_a_variant(&code, "Model"), "{file} names a variant of Model");
        for name in Model::names() {
            let quoted = [format!("\"{name}\""), format!("'{name}'")];
            let is_named = quoted.iter().any(|word| code.contains(word));
            let may = NO_MODELS.contains(&(file.as_str(), name));
            assert!(
                may || !is_named,
                "{file} asks for {name}: what it wants to know is for the card"
            );
        }
    }
}

/// What is done with fields of a kind is in its definition: code that asks which kind it is would be silently wrong for a
/// new one.
#[test]
fn only_the_room_of_fields_asks_which_kind_a_field_is_of() {
    let mut count = 0;
    for (file, path) in sources() {
        let code = code(&path);
        let knows = code.contains("fields::kind::") && !is_for_tests(&path);
        assert!(!knows || !names_a_variant(&code, "Kind"), "{file} names a kind of fields");
        count += usize::from(knows);
    }
    assert!(count >= 3, "{count}");
}

/// The source files of the program and of its crates, each under its path from the top.
fn sources() -> Vec<(String, PathBuf)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let inside = |path: PathBuf| {
        let name = path.strip_prefix(top).expect("below the top").to_string_lossy().into_owned();
        (name, path)
    };
    ["src", "crates"].iter().flat_map(|folder| rust_files(&top.join(folder))).map(inside).collect()
}

/// Files that only tests use: what they type at the workbench may be SQL.
fn is_for_tests(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let in_folder = path.components().any(|part| part.as_os_str() == "tests");
    in_folder || name.starts_with("test_") || name.starts_with("fixture")
}

#[test]
fn sql_stays_in_the_store_and_drawing_in_the_workbench() {
    for (name, path) in sources() {
        let code = code(&path);
        let words = ["rusqlite", "\"SELECT ", "\"INSERT ", "\"UPDATE ", "\"DELETE ", "\"PRAGMA "];
        let sql = words.iter().any(|word| code.contains(word));
        let may = name.starts_with("crates/topoi-store/") || is_for_tests(&path);
        assert!(may || !sql, "{name} holds SQL");
        let draws = code.contains("ratatui") || code.contains("crossterm");
        assert!(name.starts_with("src/tui/") || !draws, "{name} draws");
        assert!(!code.contains("println!"), "{name} prints past src/cli/output.rs");
    }
}

#[test]
fn the_command_line_writes_to_the_terminal_in_files_that_take_its_commands_out() {
    for (name, path) in sources() {
        let code = code(&path);
        let writes = code.contains("io::stderr().lock()") || code.contains("io::stdout().lock()");
        let is_bar = name == "src/cli/bar.rs";
        assert!(!code.contains("indicatif::") || is_bar, "{name} has its own bar");
        let writers = ["src/cli/output.rs", "src/cli/messages.rs"];
        let may = !name.starts_with("src/cli/") || writers.contains(&name.as_str());
        assert!(may || !writes, "{name} writes past {writers:?}");
    }
}

#[test]
fn the_crates_do_not_know_which_program_they_are_in_and_end_no_process() {
    for (name, path) in sources() {
        let code = code(&path);
        let knows = code.contains("current_exe") || code.contains("process::exit");
        assert!(name.starts_with("src/") || !knows, "{name} starts or ends a program by itself");
    }
}

#[test]
fn the_crates_depend_on_nothing_that_only_the_program_needs() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    for entry in std::fs::read_dir(crates).expect("the crates") {
        let manifest = entry.expect("an entry").path().join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).expect("a manifest");
        for program in ["clap", "ratatui", "indicatif", "textwrap"] {
            assert!(!text.contains(program), "{}: {program}", manifest.display());
        }
    }
}
