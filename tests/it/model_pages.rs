//! `docs/reference/models` has a page for every model, with every setting the model knows and no other.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::common::Home;
use topoi_core::model::Model;
use topoi_core::model::setting::catalogue::{Flag, flags, models_table, settings_table};
use topoi_run::request::imported::IMPORTED;
use topoi_run::request::setting::{Commands, run_settings_table};
use topoi_run::request::settings::RUN_SETTINGS;

/// Set to write the tables instead of comparing them.
const WRITE: &str = "UPDATE_DOCS";

/// Settings of a run that do not decide what it computes.
const NOT_OF_THE_MODEL: [&str; 9] =
    ["store", "quiet", "log", "name", "detach", "parts-timeout", "output", "raw", "help"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/models")
}

fn page(name: &str) -> String {
    let path = folder().join(name).with_extension("md");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The long options in a text.
fn long_options(text: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
    let starts = text.match_indices("--").filter(|&(at, _)| {
        !text[..at].ends_with(|c: char| is_name(c) || c == '|')
            && text[at + 2..].starts_with(is_name)
    });
    let name =
        |at: usize| text[at + 2..].split(|c| !is_name(c)).next().unwrap_or_default().to_string();
    starts.map(|(at, _)| name(at)).filter(|name| !name.starts_with('-')).collect()
}

/// The options in the first column of a page's tables.
fn documented(page: &str) -> BTreeSet<String> {
    let rows = page.lines().filter(|line| line.starts_with("| `-"));
    rows.flat_map(|row| long_options(row.split('|').nth(1).unwrap_or_default())).collect()
}

/// Settings that only some models know.
fn special() -> Vec<Flag> {
    flags(Model::all().iter().map(Model::any))
}

/// Compares the table that is the first in `page` after `above` with what it should be, or writes
/// it, where the variable says so.
fn assert_table(page: &Path, above: &str, expected: &str) {
    let text = std::fs::read_to_string(page).expect("a page");
    let start = text.find(above).unwrap_or_else(|| panic!("{}: no {above:?}", page.display()));
    let start = start + text[start..].find("\n|").expect("a table") + 1;
    let end = start + text[start..].find("\n\n").expect("text after the table") + 1;
    if std::env::var_os(WRITE).is_some() {
        let written = [&text[..start], expected, &text[end..]].concat();
        std::fs::write(page, written).expect("the page");
        return;
    }
    let page = page.display();
    assert!(
        text[start..end] == *expected,
        "{page}: the table after {above:?} is not\n{expected}\nwrite it: {WRITE}=1 cargo test --test \
         it model_pages"
    );
}

#[test]
fn tables_of_settings_and_models_are_those_of_the_program() {
    let models = Model::all();
    for model in &models {
        let page = folder().join(model.name()).with_extension("md");
        if !model.any().settings().is_empty() {
            assert_table(&page, "\n## Settings\n", &settings_table(model.any()));
        }
    }
    let index = folder().join("README.md");
    assert_table(&index, "page for every model:\n", &models_table(models.iter().map(Model::any)));
    assert_table(&index, "\nThe settings of a run:\n", &run_settings_table());
}

#[test]
fn every_model_has_a_page_and_every_page_a_model() {
    let models = [Model::names(), vec![IMPORTED.name]].concat();
    let mut names = models.clone();
    names.push("README");
    let mut found: Vec<String> = std::fs::read_dir(folder())
        .expect("the pages")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().replace(".md", ""))
        .collect();
    names.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, names);
    let index = page("README");
    for name in models {
        let text = page(name);
        assert!(text.starts_with(&format!("# {name}: ")), "{name}");
        assert!(index.contains(&format!("[`{name}`]({name}.md)")), "{name} in the index");
        for part in [
            "**It assumes**",
            "**Choose it**",
            "**Do not choose it**",
            "\n## Settings\n",
            "\n## Cost\n",
            "\n## What is measured of it\n",
            "\n## Source\n",
        ] {
            assert!(text.contains(part), "{name}: no {part:?}");
        }
    }
}

#[test]
fn a_page_has_the_settings_its_model_knows_and_no_other() {
    for model in Model::all() {
        let settings = model.any().settings().into_iter();
        let known: BTreeSet<String> =
            settings.map(|(definition, _)| definition.name.to_string()).collect();
        assert_eq!(documented(&page(model.name())), known, "{}", model.name());
    }
}

/// The flags that a command has, each with its help.
fn flags_in_help(command: &str) -> String {
    let home = Home::new();
    let mut command = home.command(&[command, "--help"]);
    let output = command.env("COLUMNS", "1000").output().expect("help");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn every_setting_of_a_run_is_a_flag_of_the_commands_that_have_it_with_its_help() {
    for (command, has) in [
        ("run", &[Commands::All, Commands::Vocabulary, Commands::Scoring, Commands::Run][..]),
        ("sweep", &[Commands::All, Commands::Vocabulary, Commands::Scoring]),
        ("import", &[Commands::All, Commands::Vocabulary, Commands::Scoring]),
        ("held-out", &[Commands::All, Commands::Vocabulary]),
        ("terms", &[Commands::Vocabulary]),
        ("bounds", &[Commands::Vocabulary]),
    ] {
        let help = flags_in_help(command);
        let on_one_line = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for setting in RUN_SETTINGS.iter().filter(|setting| has.contains(&setting.commands)) {
            let name = setting.name();
            let flag = format!("      --{name}{}", if setting.is_flag() { "\n" } else { " <" });
            assert!(help.contains(&flag), "{command} --help has no {flag:?}: {help}");
            assert!(on_one_line.contains(setting.definition.help), "{command} --help: {name}");
        }
    }
}

/// A setting that is spelt out where the command line, the form or the request is made is no longer
/// said once.
#[test]
fn a_setting_of_a_model_is_named_in_the_room_of_models_alone() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = [
        "src/cli/typed/run_arguments.rs",
        "src/tui/screens/launch/form.rs",
        "crates/topoi-run/src/request/settings.rs",
    ];
    for file in files {
        let text = std::fs::read_to_string(top.join(file)).expect("a source file");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for flag in special() {
            let name = flag.definition.name;
            let named = [format!("\"{name}\""), format!(".{}", name.replace('-', "_"))];
            let is_named = named.iter().any(|named| {
                code.match_indices(named.as_str()).any(|(at, found)| {
                    !code[at + found.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
                })
            });
            assert!(!is_named, "{file} names {name}");
        }
    }
}

#[test]
fn every_setting_that_run_names_is_on_a_page() {
    let help = Home::new().succeeds(&["run", "--help"]);
    let options = help.lines().filter(|line| line.trim_start().starts_with('-'));
    let named: BTreeSet<String> =
        options.flat_map(|line| long_options(line.trim_start())).collect();
    assert!(
        named.len() > 25 && named.contains("model") && named.contains("stop-list"),
        "{named:?}"
    );
    let common = documented(&page("README"));
    let special: BTreeSet<String> =
        special().iter().map(|flag| flag.definition.name.to_string()).collect();
    for name in named.iter().filter(|name| !NOT_OF_THE_MODEL.contains(&name.as_str())) {
        assert!(common.contains(name) || special.contains(name), "--{name} is on no page");
    }
    for name in &common {
        assert!(named.contains(name), "--{name} is on the index and not in run --help");
    }
}
