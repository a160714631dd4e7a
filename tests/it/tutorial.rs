//! The commands of the tutorial's first part, as people paste them.

use std::path::{Path, PathBuf};
use std::process::Command;

const PAGE: &str = include_str!("../../docs/tutorial.md");

/// A block of commands and what the page says they print.
struct Step {
    commands: String,
    shown: String,
}

/// The steps of the part that needs no download.
fn steps() -> Vec<Step> {
    let begin = PAGE.find("## 1. ").expect("part one");
    let end = PAGE.find("## 2. ").expect("part two");
    let block = |text: &str| text.split("\n```").next().unwrap_or_default().to_string();
    let step = |text: &str| {
        let shown = text.split_once("```text\n").expect("what the commands print").1;
        Step { commands: block(text), shown: block(shown) }
    };
    PAGE[begin..end].split("```sh\n").skip(1).map(step).collect()
}

/// A line without the widths of its columns.
fn plain(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What `commands` print in `directory`, with the program in the path and an empty home.
fn printed(commands: &str, directory: &Path) -> String {
    let program = assert_cmd::cargo::cargo_bin!("topoi").to_path_buf();
    let mut path = vec![program.parent().map(Path::to_path_buf).unwrap_or_default()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let output = Command::new("sh")
        .args(["-e", "-c", &format!("exec 2>&1\n{commands}")])
        .current_dir(directory)
        .env("PATH", std::env::join_paths(path).expect("a path"))
        .env("HOME", directory.join("home"))
        .env_remove("XDG_DATA_HOME")
        .env_remove("TOPOI_STORE")
        .output()
        .expect("sh");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{commands}\n{text}");
    text
}

#[test]
fn every_command_works_in_order_from_an_empty_home_and_prints_what_is_shown() {
    let directory = tempfile::tempdir().expect("tempdir");
    std::fs::create_dir(directory.path().join("home")).expect("home");
    let samples = directory.path().join("sample_corpora");
    std::fs::create_dir(&samples).expect("folder");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_corpora/eight_subjects.jsonl");
    std::fs::copy(file, samples.join("eight_subjects.jsonl")).expect("copy");
    let steps = steps();
    assert!(steps.len() >= 12);
    for Step { commands, shown } in steps {
        let found = printed(&commands, directory.path());
        let found: Vec<String> = found.lines().map(plain).collect();
        // Times, and the last digits of other numbers, are the machine's own.
        let words = |line: &&str| !line.contains(|c: char| c.is_ascii_digit());
        for line in shown.lines().filter(words).map(plain) {
            assert!(found.contains(&line), "{commands}\n{line:?} is not in\n{found:#?}");
        }
        // So are the widths of tables, but not how many lines there are.
        assert_eq!(found.len(), shown.lines().count(), "{commands}\n{found:#?}");
    }
    let compared: PathBuf = directory.path().join("compare.html");
    assert!(compared.is_file() && directory.path().join("data/dt.json.zip").is_file());
}

#[test]
fn links_between_the_pages_lead_to_pages_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["", "docs", "docs/models", "schema", "sample_corpora"];
    let mut links = 0;
    for folder in folders {
        let folder = root.join(folder);
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let page = entry.expect("an entry").path();
            if page.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            let text = std::fs::read_to_string(&page).expect("a page");
            for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                let target = link.split('#').next().unwrap_or_default();
                if target.is_empty() || target.contains("://") {
                    continue;
                }
                links += 1;
                assert!(folder.join(target).exists(), "{}: {link}", page.display());
            }
        }
    }
    assert!(links > 60, "{links}");
}
