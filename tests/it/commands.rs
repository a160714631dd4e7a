//! Every command is found where one looks for it: its file, the list, its JSON's snapshot, the documentation.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::Home;

const ROOMS: [&str; 6] = ["corpus", "work", "saved", "reading", "reporting", "store"];
/// What these print is no record of anything.
const WITHOUT_JSON: [&str; 4] = ["completions", "demo", "man", "worker"];

fn package(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(package(path)).expect(path)
}

fn names_in(folder: &str, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(package(folder)).expect(folder);
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string());
    let names = names.map(|name| name.expect("UTF-8"));
    let mut names: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(ending)?.to_string())).collect();
    names.sort();
    names
}

/// The lines of the list, such as ("HeldOut", "work::held_out").
fn listed() -> Vec<(String, String)> {
    let text = read("src/cli/commands.rs");
    let list = text.split("commands! {\n    ").nth(1).expect("the list");
    let lines = list.lines().take_while(|line| *line != "}");
    let pair = |line: &str| {
        let (name, module) = line.trim().trim_end_matches(',').split_once(": ")?;
        // `r#where` is the module of a command whose name is a word of Rust's, in `where.rs`.
        Some((name.to_string(), module.replace("r#", "")))
    };
    lines.filter_map(pair).collect()
}

/// The names of the modules in the list: those of the commands, with `_` for `-`.
pub fn modules() -> BTreeSet<String> {
    let last = |module: String| module.rsplit("::").next().map(str::to_string);
    listed().into_iter().filter_map(|(_, module)| last(module)).collect()
}

#[test]
fn a_file_with_arguments_of_its_own_is_a_command_of_the_list() {
    let listed: BTreeSet<String> = listed().into_iter().map(|(_, module)| module).collect();
    let mut found = BTreeSet::new();
    for room in ROOMS {
        for name in names_in(&format!("src/cli/{room}"), ".rs") {
            let text = read(&format!("src/cli/{room}/{name}.rs"));
            if text.contains("pub struct Arguments") || text.contains(" as Arguments;") {
                found.insert(format!("{room}::{name}"));
            }
        }
    }
    assert_eq!(found, listed);
}

#[test]
fn every_command_has_a_snapshot_of_its_json_or_prints_none() {
    let home = Home::new();
    let snapshots = names_in("tests/it/json", ".snap");
    for module in modules() {
        let command = module.replace('_', "-");
        // `synth` and `delete` say how they print behind the word that follows.
        let kind: &[&str] = if command == "synth" { &["synth", "lda"] } else { &[&command] };
        let help = home.succeeds(&[kind, &["--help"]].concat());
        let prints = help.contains("--output");
        assert_eq!(prints, !WITHOUT_JSON.contains(&command.as_str()), "{command}: {help}");
        let has_snapshot = snapshots.contains(&module);
        assert_eq!(has_snapshot, prints, "{command}: tests/it/json.rs has a line for a command");
    }
    for snapshot in snapshots {
        let of = modules().into_iter().any(|module| snapshot.starts_with(&module));
        assert!(of, "{snapshot}.snap is of no command");
    }
}

/// (name, what it does) of the commands that help lists.
fn in_help() -> Vec<(String, String)> {
    let home = Home::new();
    let mut command = home.command(&["--help"]);
    let output = command.env("COLUMNS", "1000").output().expect("help");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines = text.lines().skip_while(|line| *line != "Commands:").skip(1);
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in lines.take_while(|line| !line.is_empty()) {
        match (line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')), commands.last_mut()) {
            (Some(first), _) => {
                let (name, about) = first.split_once(' ').expect("a name and what it does");
                commands.push((name.into(), about.trim().into()));
            }
            (None, Some((_, about))) => *about += &format!(" {}", line.trim()),
            (None, None) => panic!("{line:?} continues nothing"),
        }
    }
    commands.retain(|(name, _)| name != "help");
    commands
}

const PAGE: &str = "docs/reference/commands.md";

#[test]
fn the_page_of_commands_says_what_help_says() {
    let rows: Vec<String> = in_help()
        .into_iter()
        .map(|(name, about)| format!("| `topoi {name}` | {about} |\n"))
        .collect();
    let page = read(PAGE);
    let head = "| command | |\n| --- | --- |\n";
    let (before, rest) = page.split_once(head).expect("the head of the table");
    let rest: String = rest
        .lines()
        .skip_while(|line| line.starts_with('|'))
        .fold(String::new(), |text, line| text + line + "\n");
    let expected = format!("{before}{head}{}{rest}", rows.concat());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(package(PAGE), &expected).expect("the page is written");
        return;
    }
    assert!(page == expected, "{PAGE} is not what `topoi --help` says: UPDATE_DOCS=1 mends it");
}
