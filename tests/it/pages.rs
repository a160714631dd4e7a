//! The pages against the repository: links lead somewhere, files that are named are there, and every command is one that
//! the program knows.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::common::Home;

fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where pages are, below the top of the repository.
const FOLDERS: [&str; 9] = [
    "",
    "docs",
    "docs/guide",
    "docs/reference",
    "docs/reference/models",
    "docs/design",
    "papers",
    "sample_corpora",
    "schema",
];

/// (path below the top, text) of every page but the changelog, which speaks of what is gone.
fn pages() -> Vec<(PathBuf, String)> {
    let mut pages = Vec::new();
    for folder in FOLDERS {
        for entry in fs::read_dir(top().join(folder)).expect(folder) {
            let name = PathBuf::from(entry.expect("an entry").file_name());
            if name.extension().is_some_and(|ending| ending == "md") && *name != *"CHANGELOG.md" {
                let path = Path::new(folder).join(name);
                let text = fs::read_to_string(top().join(&path)).expect("UTF-8");
                pages.push((path, text));
            }
        }
    }
    assert!(pages.len() > 40, "{}", pages.len());
    pages
}

/// (prose, code) of a page: what is outside of its fenced blocks, and the blocks of shell commands.
fn prose_and_code(text: &str) -> (String, Vec<&str>) {
    let (mut prose, mut code) = (String::new(), Vec::new());
    for (at, part) in text.split("```").enumerate() {
        match part.split_once('\n') {
            _ if at % 2 == 0 => prose += part,
            Some(("sh" | "console", body)) => code.push(body),
            _ => {}
        }
    }
    (prose, code)
}

/// What is between backticks.
fn quoted(prose: &str) -> Vec<&str> {
    let in_backticks = Regex::new("`([^`]+)`").expect("a pattern");
    in_backticks.captures_iter(prose).filter_map(|found| Some(found.get(1)?.as_str())).collect()
}

/// A heading as links to it are written.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    heading.trim().to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
}

fn anchors(text: &str) -> BTreeSet<String> {
    let (prose, _) = prose_and_code(text);
    let heading = |line: &str| line.starts_with('#').then(|| anchor(line.trim_start_matches('#')));
    prose.lines().filter_map(heading).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading_of_it() {
    let link = Regex::new(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)").expect("a pattern");
    let code = Regex::new("`[^`]*`").expect("a pattern");
    let mut count = 0;
    for (page, text) in pages() {
        let (prose, _) = prose_and_code(&text);
        let prose = code.replace_all(&prose, "");
        for found in link.captures_iter(&prose).filter(|found| !found[1].contains("://")) {
            let folder = page.parent().unwrap_or(Path::new(""));
            let target = match &found[1] {
                "" => top().join(&page),
                path => top().join(folder).join(path),
            };
            assert!(target.exists(), "{}: {} is not there", page.display(), &found[1]);
            if let Some(heading) = found.get(2).filter(|_| target.is_file()) {
                let text = fs::read_to_string(&target).expect("a page");
                let has = anchors(&text).contains(heading.as_str());
                assert!(has, "{}: {} has no #{}", page.display(), &found[1], heading.as_str());
            }
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn every_file_that_a_page_names_is_there() {
    let file =
        Regex::new(r"^(src|crates|tests|benches|schema|docs|papers|sample_corpora)/[\w./-]+$");
    let file = file.expect("a pattern");
    let mut count = 0;
    for (page, text) in pages() {
        let (prose, _) = prose_and_code(&text);
        // NAME stands for what the reader adds.
        for path in
            quoted(&prose).into_iter().filter(|it| file.is_match(it) && !it.contains("NAME"))
        {
            assert!(top().join(path).exists(), "{}: {path} is not there", page.display());
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

/// The words of a shell command up to a pipe, a redirection or a comment; `None` where a quotation does not end.
fn shell_words(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '|' | '>' | '<' | '&' | ';') => break,
            (None, '#') if word.is_none() => break,
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// The commands of `topoi` on a page: lines of shell blocks, also where they are wrapped, and what is between backticks.
fn commands(text: &str) -> Vec<String> {
    let (prose, code) = prose_and_code(text);
    let mut commands = Vec::new();
    for block in code {
        let mut lines = block.lines().map(str::trim);
        while let Some(line) = lines.next() {
            let mut command = line.strip_prefix("$ ").unwrap_or(line).to_string();
            while command.ends_with('\\')
                || (command.starts_with("topoi ") && shell_words(&command).is_none())
            {
                let Some(next) = lines.next() else { break };
                command = format!("{} {next}", command.trim_end_matches('\\'));
            }
            commands.push(command);
        }
    }
    commands.extend(quoted(&prose).into_iter().map(|it| it.replace('\n', " ")));
    commands.retain(|command| command.starts_with("topoi "));
    commands
}

/// What the program is asked in place of a command: words in capitals stand for what the reader has, and
/// the help that is asked for at the end is printed once all before it is understood.
fn with_help(words: &[String]) -> Vec<String> {
    let is_placeholder = |word: &str| word.chars().all(|c| c.is_ascii_uppercase());
    let mut asked: Vec<String> = Vec::new();
    for word in words {
        match word.as_str() {
            // A flag with one of several words after it, whichever it is.
            "FORMAT" => drop(asked.pop()),
            word if is_placeholder(word) => asked.push("1".into()),
            word => asked.push(word.into()),
        }
    }
    asked.push("--help".into());
    asked
}

#[test]
fn every_command_on_a_page_is_one_that_the_program_knows() {
    let home = Home::new();
    let mut seen = BTreeSet::new();
    let mut unknown = Vec::new();
    for (page, text) in pages() {
        for command in commands(&text) {
            let Some(words) = shell_words(&command) else {
                unknown.push(format!("{}: {command}: a quotation does not end", page.display()));
                continue;
            };
            let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
            if words.first().is_none_or(|first| *first == "COMMAND")
                || !seen.insert(command.clone())
            {
                continue;
            }
            let words: Vec<String> = words.into_iter().map(String::from).collect();
            let asked = with_help(&words);
            let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
            let output = home.command(&asked).output().expect("run");
            // With 1 it was understood, and the store has no such run.
            if output.status.code() == Some(2) {
                let error = String::from_utf8_lossy(&output.stderr).into_owned();
                unknown.push(format!("{}: {command}: {error}", page.display()));
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.concat());
    assert!(seen.len() > 200, "{}", seen.len());
}

#[test]
fn what_the_program_does_not_know_is_seen() {
    let home = Home::new();
    for words in ["runn 1", "run papers -k 5 --bogus", "run papers -k five"] {
        let words: Vec<String> = words.split(' ').map(String::from).collect();
        let asked = with_help(&words);
        let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
        let output = home.command(&asked).output().expect("run");
        assert!(!output.status.success(), "{asked:?}");
    }
    let wrapped = "topoi sql \"SELECT 1\n  FROM run\" -o csv > f.csv\n";
    let page = format!("Text.\n\n```sh\n{wrapped}```\nand `topoi runs | head`.\n");
    let found: Vec<_> = commands(&page).iter().filter_map(|it| shell_words(it)).collect();
    let expected = [vec!["topoi", "sql", "SELECT 1 FROM run", "-o", "csv"], vec!["topoi", "runs"]];
    assert_eq!(found, expected);
}

#[test]
fn every_benchmark_that_a_page_names_is_there() {
    let named = Regex::new(r"cargo bench --bench\s+(\w+)").expect("a pattern");
    let manifest = fs::read_to_string(top().join("Cargo.toml")).expect("the manifest");
    let mut count = 0;
    for (page, text) in pages() {
        for found in named.captures_iter(&text) {
            let is_there = manifest.contains(&format!("[[bench]]\nname = \"{}\"", &found[1]));
            assert!(is_there, "{}: there is no benchmark {}", page.display(), &found[1]);
            count += 1;
        }
    }
    assert!(count > 5, "{count}");
}

#[test]
fn the_readme_is_read_in_five_minutes() {
    let text = fs::read_to_string(top().join("README.md")).expect("UTF-8");
    let words = text.split_whitespace().count();
    assert!(words <= 1000, "README.md has {words} words, which are at most 1,000");
}

/// `docs/SUMMARY.md` is the list of the site's pages; one that it does not name is on no site.
#[test]
fn the_site_has_every_page_once() {
    let summary = fs::read_to_string(top().join("docs/SUMMARY.md")).expect("UTF-8");
    let link = Regex::new(r"\]\(([^)]+)\)").expect("a pattern");
    let named: Vec<PathBuf> = link
        .captures_iter(&summary)
        .map(|found| match found[1].strip_prefix("../") {
            Some(path) => PathBuf::from(path),
            None => Path::new("docs").join(&found[1]),
        })
        .collect();
    for (page, _) in pages().iter().filter(|(page, _)| *page != *"docs/SUMMARY.md") {
        let count = named.iter().filter(|it| *it == page).count();
        assert_eq!(count, 1, "docs/SUMMARY.md names {} {count} times", page.display());
    }
}
