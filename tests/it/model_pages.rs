//! `docs/models` has a page for every model, with every setting the model knows and no other.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::common::Home;
use topoi::run::request::fields::{Field, LAUNCH_FORM};
use topoi::run::request::models::{IMPORTED, MODELS};

/// Settings of a run that do not decide what it computes.
const NOT_OF_THE_MODEL: [&str; 4] = ["store", "detach", "output", "help"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/models")
}

fn page(name: &str) -> String {
    let path = folder().join(name).with_extension("md");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The long options in a text.
fn flags(text: &str) -> BTreeSet<String> {
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
    rows.flat_map(|row| flags(row.split('|').nth(1).unwrap_or_default())).collect()
}

/// Settings that only some models know.
fn special() -> impl Iterator<Item = &'static Field> {
    LAUNCH_FORM.iter().filter(|field| !field.models.is_empty())
}

#[test]
fn every_model_has_a_page_and_every_page_a_model() {
    let mut names: Vec<&str> = MODELS.iter().chain([&IMPORTED]).map(|card| card.name).collect();
    names.push("README");
    let mut found: Vec<String> = std::fs::read_dir(folder())
        .expect("the pages")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().replace(".md", ""))
        .collect();
    names.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, names);
    let index = page("README");
    for card in MODELS.iter().chain([&IMPORTED]) {
        let text = page(card.name);
        assert!(text.starts_with(&format!("# {}: ", card.name)), "{}", card.name);
        assert!(
            index.contains(&format!("[`{0}`]({0}.md)", card.name)),
            "{} in the index",
            card.name
        );
        for part in [
            "**It assumes**",
            "**Choose it**",
            "**Do not choose it**",
            "\n## Settings\n",
            "\n## Cost\n",
            "\n## What is measured of it\n",
            "\n## Source\n",
        ] {
            assert!(text.contains(part), "{}: no {part:?}", card.name);
        }
    }
}

#[test]
fn a_page_has_the_settings_its_model_knows_and_no_other() {
    for card in MODELS {
        let known: BTreeSet<String> =
            special().filter(|field| field.is_of(card.name)).map(|f| f.name.to_string()).collect();
        assert_eq!(documented(&page(card.name)), known, "{}", card.name);
        if card.iterations > 0 {
            let row = format!("| `--iterations` | {} |", card.iterations);
            assert!(page(card.name).contains(&row), "{}: {row}", card.name);
        }
    }
}

#[test]
fn every_setting_that_run_names_is_on_a_page() {
    let help = Home::new().succeeds(&["run", "--help"]);
    let options = help.lines().filter(|line| line.trim_start().starts_with('-'));
    let named: BTreeSet<String> = options.flat_map(|line| flags(line.trim_start())).collect();
    assert!(
        named.len() > 25 && named.contains("model") && named.contains("stop-list"),
        "{named:?}"
    );
    let common = documented(&page("README"));
    let special: BTreeSet<String> = special().map(|field| field.name.to_string()).collect();
    for name in named.iter().filter(|name| !NOT_OF_THE_MODEL.contains(&name.as_str())) {
        assert!(common.contains(name) || special.contains(name), "--{name} is on no page");
    }
    for name in &common {
        assert!(named.contains(name), "--{name} is on the index and not in run --help");
    }
}
