//! Small files as people and other programs write them: each stands for a kind.

mod dates;
mod files;
mod lists;
mod tables;
mod words;

use crate::common::Home;

/// The terms of a file that is ingested with these options, in the order of the text.
fn terms(name: &str, content: &[u8], options: &[&str]) -> String {
    let home = Home::new();
    let file = home.file(name, content);
    home.succeeds(&[&["ingest", "c", &file][..], options].concat());
    let rows = home.json(&["sql", "SELECT text FROM term ORDER BY position", "-o", "json"]);
    let text = |row: &serde_json::Value| row["text"].as_str().expect("a term").to_string();
    rows.as_array().expect("a list").iter().map(text).collect::<Vec<_>>().join(" ")
}

const PLAIN: [&str; 2] = ["--stop-words", "none"];
