//! The pages of the papers against what was saved when their figures were measured.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use topoi_papers::pages;
use topoi_papers::pages::saved::{Claim, Saved};

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

/// What a section may name that makes its numbers: a command, a script, a test or code that is run.
const MAKES: &[&str] = &[
    "cargo bench ",
    "cargo run ",
    "cargo test ",
    "`topoi ",
    "$ topoi ",
    "\ntopoi ",
    "mpirun ",
    "python3 ",
    ".ci/",
    "benches/",
    "tests/",
    "```python",
];

/// Sections of a page that show tables of numbers, or pictures of them, and name nothing that makes them.
fn without_command(page: &str) -> Vec<&str> {
    let starts = page.match_indices("\n#").map(|(at, _)| at + 1);
    let bounds: Vec<usize> = std::iter::once(0).chain(starts).chain([page.len()]).collect();
    let sections = bounds.windows(2).map(|pair| &page[pair[0]..pair[1]]);
    let shows = |section: &&str| {
        section.contains("](figures/") || tables(section).iter().any(|table| is_measured(table))
    };
    sections
        .filter(shows)
        .filter(|section| !MAKES.iter().any(|begin| section.contains(begin)))
        .map(|section| section.lines().next().unwrap_or_default())
        .collect()
}

/// All pages below a folder.
fn pages_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let of = |path: PathBuf| match path.is_dir() {
        true => pages_below(&path),
        false if path.extension().is_some_and(|extension| extension == "md") => vec![path],
        false => Vec::new(),
    };
    paths.flat_map(of).collect()
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
fn every_table_of_the_papers_pages_has_a_head() {
    for name in pages::PAGES {
        let page = page(name);
        let faults: Vec<String> = tables(&page).iter().filter_map(|table| fault(table)).collect();
        assert!(faults.is_empty(), "{name}: {}", faults.join("\n"));
    }
}

#[test]
fn every_table_of_numbers_is_beside_the_command_that_makes_it() {
    let mut silent = Vec::new();
    for path in ["papers", "docs"].iter().flat_map(|folder| pages_below(&root().join(folder))) {
        let text = std::fs::read_to_string(&path).expect("the page");
        let own =
            without_command(&text).into_iter().map(|head| format!("{}: {head}", path.display()));
        silent.extend(own);
    }
    assert!(silent.is_empty(), "numbers without a command:\n{}", silent.join("\n"));
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
fn a_verdict_says_how_far_a_claim_holds() {
    let verdict = |cases| Claim::new("", "", String::new(), cases).holds;
    let expected = [
        ((1, 1), "holds"),
        ((0, 1), "does not hold"),
        ((6, 6), "holds"),
        ((3, 6), "holds in part (3 of 6)"),
        ((1, 6), "does not hold (1 of 6)"),
        ((0, 6), "does not hold (0 of 6)"),
    ];
    for (cases, holds) in expected {
        assert_eq!(verdict(cases), holds);
    }
}

#[test]
fn every_claim_has_a_rule_and_every_result_its_program() {
    for saved in Saved::all(&root()).expect("results") {
        let program = &saved.program;
        assert!(!program.commit.is_empty(), "{}: no program", saved.figure);
        for claim in &saved.claims {
            assert!(!claim.rule.is_empty(), "{}: {}", saved.figure, claim.paper);
        }
    }
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
