//! What the library promises, as a list: a name that comes or goes is seen here.

use std::path::Path;

/// The names that `src/lib.rs` shows, each under its module, in its order.
fn shown() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let text = std::fs::read_to_string(path).expect("src/lib.rs");
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .fold(String::new(), |code, line| code + line.trim() + " ");
    let mut names = Vec::new();
    let mut module = String::new();
    let mut rest = code.as_str();
    while let Some(at) = rest.find("pub ") {
        let (before, item) = rest.split_at(at);
        if before.contains('}') {
            module.clear();
        }
        if let Some(named) = item.strip_prefix("pub mod ") {
            let (name, inside) = named.split_once('{').expect("a module");
            module = format!("{}::", name.trim());
            rest = inside;
            continue;
        }
        let (list, after) = item.split_once(';').expect("the end of a use");
        let list = list.strip_prefix("pub use ").expect("lib.rs only shows what crates have");
        let names_of = match list.split_once('{') {
            Some((_, names)) => names.trim_end_matches(['}', ' ', ',']).to_string(),
            None => list.rsplit("::").next().unwrap_or_default().to_string(),
        };
        for name in names_of.split(',') {
            let name = name.rsplit(" as ").next().unwrap_or_default().trim();
            names.push(format!("{module}{name}"));
        }
        rest = after;
    }
    names
}

#[test]
fn the_library_shows_what_is_promised_and_no_more() {
    let names = shown();
    insta::assert_snapshot!(names.join("\n"));
    let own = names.iter().filter(|name| !name.contains("::")).count();
    assert!((40..=60).contains(&own), "{own}");
}

#[test]
fn what_the_prelude_has_is_shown_by_the_library_itself() {
    let names = shown();
    let in_prelude: Vec<&str> =
        names.iter().filter_map(|name| name.strip_prefix("prelude::")).collect();
    assert!(in_prelude.len() > 10, "{in_prelude:?}");
    for name in in_prelude {
        assert!(names.iter().any(|shown| shown == name), "{name}");
    }
}
