//! The pages of the papers against what was saved when their figures were measured.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use topoi_papers::pages;
use topoi_papers::pages::saved::{Cell, Saved, Table};

/// Set to write pages and pictures instead of comparing them.
const WRITE: &str = "UPDATE_DOCS";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).expect("the page")
}

fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

/// The tables of a page, each the lines that begin with a bar.
fn tables(page: &str) -> Vec<Vec<&str>> {
    let lines: Vec<&str> = page.lines().collect();
    let runs = lines.chunk_by(|a, b| a.starts_with('|') == b.starts_with('|'));
    runs.filter(|run| run[0].starts_with('|')).map(<[&str]>::to_vec).collect()
}

/// What is wrong with a table: no head, or a row of another width.
fn fault(table: &[&str]) -> Option<String> {
    let width = cells(table[0]).len();
    let is_rule = |cell: &&str| cell.contains('-') && cell.chars().all(|c| "-: ".contains(c));
    let has_head = table.get(1).is_some_and(|line| cells(line).iter().all(is_rule))
        && !cells(table[0]).iter().all(is_rule);
    let narrow = table.iter().find(|line| cells(line).len() != width);
    match narrow {
        _ if !has_head => Some(format!("no head: {}", table[0])),
        Some(line) => Some(format!("not as wide as its head: {line}")),
        None => None,
    }
}

/// Whether a table says what was measured: most of what stands beside its first column are numbers.
fn is_measured(table: &[&str]) -> bool {
    let body = table.iter().skip(2).flat_map(|line| cells(line).into_iter().skip(1));
    let (mut numbers, mut all) = (0, 0);
    for cell in body.filter(|cell| !cell.is_empty()) {
        all += 1;
        let first = cell.trim_start_matches(['−', '-', '~']).chars().next();
        numbers += usize::from(first.is_some_and(|first| first.is_ascii_digit()));
    }
    2 * numbers > all
}

/// Sections of a page that show tables of numbers or pictures and name no command that makes them.
fn without_command(page: &str) -> Vec<&str> {
    let starts = page.match_indices("\n#").map(|(at, _)| at + 1);
    let bounds: Vec<usize> = std::iter::once(0).chain(starts).chain([page.len()]).collect();
    let sections = bounds.windows(2).map(|pair| &page[pair[0]..pair[1]]);
    let shows = |section: &&str| {
        section.contains("![") || tables(section).iter().any(|table| is_measured(table))
    };
    let names = |section: &str| {
        ["cargo bench ", "cargo run --release ", "`topoi "]
            .iter()
            .any(|begin| section.contains(begin))
    };
    sections
        .filter(shows)
        .filter(|section| !names(section))
        .map(|section| section.lines().next().unwrap_or_default())
        .collect()
}

#[test]
fn pages_and_pictures_are_what_the_saved_results_make_of_them() {
    let made = pages::made(&root()).expect("pages");
    for (name, text) in &made {
        let path = root().join(name);
        if std::env::var_os(WRITE).is_some() {
            std::fs::write(&path, text).expect("the file");
        }
        let now = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(now == *text, "{name} is not what papers/results makes of it; {WRITE}=1 writes it");
    }
    let entries = std::fs::read_dir(root().join("papers/figures")).expect("pictures");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let of_papers =
        names.filter_map(|name| name.into_string().ok().filter(|n| n.starts_with("20")));
    let known = |name: &String| made.contains_key(&format!("papers/figures/{name}"));
    assert_eq!(of_papers.filter(|name| !known(name)).collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn every_table_of_the_papers_pages_has_a_head_and_every_figure_its_command() {
    for name in pages::PAGES {
        let page = page(name);
        let faults: Vec<String> = tables(&page).iter().filter_map(|table| fault(table)).collect();
        assert!(faults.is_empty(), "{name}: {}", faults.join("\n"));
        let silent = without_command(&page);
        assert!(silent.is_empty(), "{name}: no command in {}", silent.join(", "));
    }
}

#[test]
fn places_and_commands_on_the_pages_are_of_figures_that_were_measured() {
    let all = Saved::all(&root()).expect("results");
    let known: BTreeSet<&str> = all.iter().map(|saved| saved.figure.as_str()).collect();
    let listed = page("papers/README.md");
    for figure in &known {
        assert!(listed.contains(&format!("`{figure}`")), "papers/README.md does not list {figure}");
    }
    for name in pages::PAGES {
        for figure in pages::places(&page(name)) {
            assert!(known.contains(figure), "{name}: {figure} was not measured");
        }
        for (at, start) in page(name).match_indices("-p topoi-papers -- ") {
            let page = page(name);
            let named = page[at + start.len()..].split('`').next().unwrap_or_default();
            let figure = named.split(" --").next().unwrap_or_default();
            let is_list = figure.starts_with("--");
            assert!(is_list || known.contains(figure), "{name}: {named} was not measured");
        }
    }
}

#[test]
fn every_figure_of_the_catalogue_was_measured_and_has_a_place_on_a_page() {
    let catalogue = include_str!("../src/catalogue.rs");
    let names = catalogue.lines().filter_map(|line| line.trim().strip_prefix("name: \""));
    let names: Vec<&str> = names.filter_map(|rest| rest.strip_suffix("\",")).collect();
    assert_eq!(names.len(), catalogue.matches("    Figure {").count());
    assert!(!names.is_empty());
    let all = Saved::all(&root()).expect("results");
    let shown: Vec<String> = pages::PAGES.iter().map(|name| page(name)).collect();
    for name in names {
        let measured = all.iter().filter(|saved| saved.figure == name).count();
        assert_eq!(measured, 1, "{name} has {measured} results in papers/results");
        let places = shown.iter().flat_map(|page| pages::places(page)).filter(|p| *p == name);
        assert_eq!(places.count(), 1, "{name} has not one place on the pages");
    }
}

#[test]
fn rows_that_are_not_measured_again_stay_and_no_others_come() {
    let saved = |rows: &[(&str, f64)], row: Option<&str>| {
        let mut table = Table::new("Errors", &["model", "200"], 1, 3);
        rows.iter().for_each(|&(name, error)| table.push(name, vec![Cell::one(error)]));
        Saved { row: row.map(String::from), tables: vec![table], ..Saved::default() }
    };
    let before = saved(&[("ddp", 0.1), ("rp", 0.2)], None);
    let measured =
        saved(&[("ddp", 9.0), ("raw", 9.0), ("rp", 0.3), ("rp, as 2015", 0.4)], Some("rp"));
    let merged = measured.with_rows_of(before.clone()).expect("the same size");
    let expected = saved(&[("ddp", 0.1), ("rp", 0.3), ("rp, as 2015", 0.4)], None);
    assert_eq!(merged, expected);
    let larger = Saved { seeds: Some(50), ..saved(&[("rp", 0.3)], Some("rp")) };
    assert!(larger.with_rows_of(before).is_err());
}

#[test]
fn what_is_wrong_with_a_page_is_seen() {
    let lost = "text\n\n| binning | 4.0 | 9.5 |\n| aw | 16.0 | 16.0 |\n";
    assert_eq!(fault(&tables(lost)[0]), Some("no head: | binning | 4.0 | 9.5 |".into()));
    let narrow = "| a | b |\n|---|---|\n| 1 |\n";
    assert_eq!(fault(&tables(narrow)[0]), Some("not as wide as its head: | 1 |".into()));
    let silent = "# Page\n\n## Swimmer\n\n| model | found |\n|---|---|\n| raw | 9.6 |\n";
    assert_eq!(without_command(silent), ["## Swimmer"]);
    let told = silent
        .replace("Swimmer\n", "Swimmer\n\n`cargo run --release -p topoi-papers -- 2013 fig5`\n");
    assert_eq!(without_command(&told), Vec::<&str>::new());
    let words = "# Page\n\n| model | it assumes |\n|---|---|\n| svd | nothing |\n";
    assert_eq!(without_command(words), Vec::<&str>::new());
}
