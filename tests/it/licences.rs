//! Every dependency may be used, changed and sold under a licence of `deny.toml`'s list.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The `allow` list of `deny.toml`: one list for cargo deny and for this test.
fn allowed() -> BTreeSet<String> {
    let text = include_str!("../../deny.toml");
    let list = text.split("allow = [").nth(1).and_then(|rest| rest.split(']').next());
    let lines =
        list.expect("an allow list").lines().map(|line| line.split('#').next().unwrap_or(""));
    let names = lines.flat_map(|line| line.split('"').skip(1).step_by(2));
    names.map(str::to_string).collect()
}

/// Whether an SPDX expression can be fulfilled with `allowed` licences alone. `AND` binds more
/// than `OR`; `/` is an old way to write `OR`; `A WITH B` is a licence of its own. `Err` says what
/// cannot be read.
fn is_satisfied(expression: &str, allowed: &BTreeSet<String>) -> Result<bool, String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = Parser { tokens: &tokens, allowed };
    let value = parser.any()?;
    match parser.tokens {
        [] => Ok(value),
        [token, ..] => Err(format!("{expression:?}: {token:?} is not expected")),
    }
}

struct Parser<'a> {
    tokens: &'a [&'a str],
    allowed: &'a BTreeSet<String>,
}

impl Parser<'_> {
    fn next(&mut self) -> Result<&str, String> {
        let (first, rest) = self.tokens.split_first().ok_or("the expression ends too early")?;
        self.tokens = rest;
        Ok(first)
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.tokens.first() == Some(&word);
        self.tokens = &self.tokens[usize::from(found)..];
        found
    }

    fn any(&mut self) -> Result<bool, String> {
        let mut value = self.all()?;
        while self.take("OR") {
            value |= self.all()?;
        }
        Ok(value)
    }

    fn all(&mut self) -> Result<bool, String> {
        let mut value = self.one()?;
        while self.take("AND") {
            value &= self.one()?;
        }
        Ok(value)
    }

    fn one(&mut self) -> Result<bool, String> {
        if self.take("(") {
            let value = self.any()?;
            return if self.take(")") { Ok(value) } else { Err("a bracket stays open".into()) };
        }
        let mut licence = self.next()?.to_string();
        if ["AND", "OR", "WITH", ")"].contains(&licence.as_str()) {
            return Err(format!("{licence:?} is no licence"));
        }
        if self.take("WITH") {
            licence = format!("{licence} WITH {}", self.next()?);
        }
        Ok(self.allowed.contains(&licence))
    }
}

/// The platform that tests are built on, whose crates `cargo test` has fetched.
fn host() -> String {
    let output = Command::new(env!("CARGO")).arg("-vV").output().expect("cargo");
    let text = String::from_utf8(output.stdout).expect("text");
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("cargo names its host").to_string()
}

#[test]
fn every_dependency_has_a_licence_of_the_list() {
    // Other platforms' crates are only there where something else has fetched them; `cargo deny`
    // reads those.
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--format-version", "1"])
        .args(["--filter-platform", &host()])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 50);
    let allowed = allowed();
    let mut refused = Vec::new();
    for package in packages {
        let name = format!("{} {}", package["name"], package["version"]);
        match package["license"].as_str().map(|licence| (licence, is_satisfied(licence, &allowed)))
        {
            Some((_, Ok(true))) => {}
            Some((licence, Ok(false))) => refused.push(format!("{name}: {licence}")),
            Some((_, Err(problem))) => refused.push(format!("{name}: {problem}")),
            None => refused.push(format!("{name}: no licence is named")),
        }
    }
    assert!(
        refused.is_empty(),
        "read these licences, then choose another crate or add to deny.toml:\n{}",
        refused.join("\n")
    );
}

#[test]
fn expressions_are_read_as_spdx_says() {
    let allowed: BTreeSet<String> =
        ["MIT", "Apache-2.0 WITH LLVM-exception", "Zlib"].map(String::from).into();
    let satisfied = |expression: &str| is_satisfied(expression, &allowed);
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("GPL-3.0/MIT", true),
        ("GPL-3.0 AND MIT", false),
        ("(GPL-3.0 OR MIT) AND Zlib", true),
        ("GPL-3.0 OR MIT AND Zlib", true),
        ("MIT OR GPL-3.0 AND BSD", true),
        ("(MIT OR Zlib) AND GPL-3.0", false),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("Apache-2.0", false),
        ("MIT WITH Something", false),
    ] {
        assert_eq!(satisfied(expression), Ok(expected), "{expression}");
    }
    for wrong in ["", "MIT AND", "(MIT", "MIT)", "MIT Zlib", "OR MIT"] {
        assert!(satisfied(wrong).is_err(), "{wrong}");
    }
}
